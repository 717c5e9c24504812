import { KubernetesStep, RoutedCluster, RouteFinding } from './route-model';
import { PlacedFinding } from './step-findings';
import { objectName } from '../objects/manifest-object';
import { PartKind, PlannedCluster } from '../plan/plan-model';
import { PlannedChanges } from '../plan/plan-objects';
import { planTotals } from '../plan/plan-totals';
import { Effect } from '../rules/changes/effects';
import { compareVersions } from '../values/semantic-version';

/** A cluster that takes a step. */
export interface Move {
  readonly named: RoutedCluster;
  readonly labels: ReadonlyMap<string, string>;

  /** The version that it has. */
  readonly from: string;
}

/** A step of all clusters that take it, and what happens then. */
interface WholeStep {
  readonly version: string;
  readonly findings: readonly PlacedFinding[];
  readonly changes: PlannedChanges;
  readonly rings: { readonly label: string; readonly names: readonly string[] } | undefined;
}

/** The commits of a step: one, or one for each ring. */
export function kubernetesSteps(moves: readonly Move[], { version, findings, changes, rings }: WholeStep): KubernetesStep[] {
  return byRing(moves, rings).map(([ring, group]) => {
    const ids = new Set(group.map(({ named }) => idOf(named)));
    const clusters = changes.clusters.filter((cluster) => ids.has(idOf(cluster)));
    const seconds = clusters.map(clusterSeconds);
    const longest = seconds.every((time) => time !== undefined) ? Math.max(0, ...seconds as number[]) : 0;
    return {
      step: 'kubernetes',
      ...(ring !== undefined && { ring }),
      version,
      from: [...new Set(group.map(({ from }) => from))].sort((one, other) => compareVersions(one, other) ?? 0),
      clusters: group.map(({ named }) => named),
      findings: grouped(findings.filter((one) => one.clusters.length === 0 || one.clusters.some((id) => ids.has(id))), ids),
      totals: planTotals({ ...changes, clusters }),
      ...(longest > 0 && { seconds: longest }),
    };
  });
}

/** Rings in their order; then the clusters that are in none of them. */
function byRing(moves: readonly Move[], rings: WholeStep['rings']): (readonly [ring: string | undefined, moves: readonly Move[]])[] {
  if (!rings) return [[undefined, moves]];
  const ringOf = ({ labels }: Move) => rings.names.find((name) => name === labels.get(rings.label));
  return [...rings.names, undefined].map((name) => [name, moves.filter((move) => ringOf(move) === name)] as const)
    .filter(([, group]) => group.length > 0);
}

function idOf({ namespace, name }: RoutedCluster): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Machines of a control plane go before those of pools, which go side by side. */
function clusterSeconds({ parts }: PlannedCluster): number | undefined {
  const replaced = parts.filter(({ effects }) => effects.some(({ effect }) => effect === Effect.MACHINES));
  const times = (isPlane: boolean) => replaced.filter(({ part }) => (part === PartKind.CONTROL_PLANE) === isPlane)
    .map(({ consequences }) => consequences?.time?.seconds);
  const [planes, pools] = [times(true), times(false)];
  if ([...planes, ...pools].some((time) => time === undefined)) return undefined;
  return Math.max(0, ...planes as number[]) + Math.max(0, ...pools as number[]);
}

/** Findings of one rule that are mended in the same way, each once; errors first. */
function grouped(findings: readonly PlacedFinding[], ids: ReadonlySet<string>): RouteFinding[] {
  const groups = new Map<string, PlacedFinding[]>();
  for (const found of findings) {
    const key = `${found.finding.rule.id} ${found.finding.fix}`;
    groups.set(key, [...groups.get(key) ?? [], found]);
  }
  return [...groups.values()].map((group): RouteFinding => {
    const [{ finding: { rule, message, fix } }] = group;
    return {
      rule: rule.id,
      warning: rule.warning === true,
      message,
      fix,
      objects: [...new Set(group.map(({ object }) => objectName(object)))],
      clusters: new Set(group.flatMap(({ clusters }) => clusters.filter((id) => ids.has(id)))).size,
    };
  }).sort((one, other) => Number(one.warning) - Number(other.warning));
}
