import { planJson } from '../../manifests/plan/plan-json';
import { planMarkdown } from '../../manifests/plan/plan-markdown';
import { ChangeKind, PlannedPart } from '../../manifests/plan/plan-model';
import { plan, PlannedChanges } from '../../manifests/plan/plan-objects';
import { planText } from '../../manifests/plan/plan-text';
import { isNothing, PlanTotals, planTotals, totalsWords } from '../../manifests/plan/plan-totals';
import { clusterName, partName } from '../../manifests/plan/plan-words';
import { Effect } from '../../manifests/rules/changes/effects';

/**
 * Actions of controllers when a change of manifests is merged: which machines and pods are replaced and why, what is scaled, upgraded,
 * created and deleted. It reads manifests only, no cluster. `npx cdk8s-cluster-api plan` does the same with files.
 *
 * ```ts
 * const plan = Plan.between(Yaml.load('released/acme.k8s.yaml'), Testing.synth(chart));
 * expect(plan.clustersWithReplacedMachines).toEqual([]);
 * ```
 *
 * @example
 * const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' } };
 * const plan = Plan.between([manifest], []);
 */
export class Plan {
  /**
   * Compares two states of manifests.
   *
   * @param before all objects of the earlier state, or lists of them
   * @param after all objects of the later state, or lists of them
   */
  public static between(before: any[], after: any[]): Plan {
    return new Plan(plan(before, after));
  }

  private readonly totals: PlanTotals;

  private constructor(private readonly changes: PlannedChanges) {
    this.totals = planTotals(changes);
  }

  /** True if nothing changes. */
  public get isEmpty(): boolean {
    return isNothing(this.totals);
  }

  /** The totals in one sentence: clusters, objects and machines. */
  public get summary(): string {
    return totalsWords(this.totals);
  }

  /** Clusters that are removed with their machines, as `<namespace>/<name>`. */
  public get removedClusters(): string[] {
    return this.changes.clusters.filter(({ change }) => change === ChangeKind.REMOVED).map(clusterName);
  }

  /** Clusters in which machines of pools or of the control plane are replaced, as `<namespace>/<name>`; what belongs to no cluster is named by itself. */
  public get clustersWithReplacedMachines(): string[] {
    return this.clustersWith(Effect.MACHINES);
  }

  /** Clusters with changes whose effect is unknown, as `<namespace>/<name>`; what belongs to no cluster is named by itself. */
  public get clustersWithUnknownEffects(): string[] {
    return this.clustersWith(Effect.UNKNOWN);
  }

  /** The plan for people, as `cdk8s-cluster-api plan` prints it. */
  public toString(): string {
    return planText(this.changes, { colors: false, objects: false });
  }

  /** The plan as Markdown, for a comment of a pull request. */
  public toMarkdown(): string {
    return planMarkdown(this.changes);
  }

  /** The plan as plain data; `cdk8s-cluster-api plan --help` shows the shape. */
  public toJson(): any {
    return planJson(this.changes);
  }

  private clustersWith(effect: Effect): string[] {
    const { clusters, shared } = this.changes;
    const has = (part: PlannedPart) => part.effects.some((one) => one.effect === effect);
    const own = clusters.filter(({ parts }) => parts.some(has)).map(clusterName);
    return [...new Set([...own, ...shared.filter(has).flatMap((part) => part.clusters ?? [partName(part)])])];
  }
}
