import { ApiObject, Chart, Duration } from 'cdk8s';
import { IConstruct } from 'constructs';
import { entryName } from './entry-names';
import { FilledFolder } from './output-folders';
import { contentHash } from '../../manifests/values/content-hash';
import { joinName } from '../../manifests/values/object-name';
import { AppSlot } from '../app/app-state';
import { inTree, pathInTree, placeOf } from '../app/synth/output-place';
import { writtenManifest } from '../app/synth/synthesis';
import { EntryStep, EntryStepCluster, EntryTurn } from '../contracts/delivery/entry-step';

/** Folder of what steps have applied, below the tree of a management cluster. */
const FOLDER = 'rings';

/** A ring of a fleet with gates, in the order of rollouts. */
export interface GatedRing {
  readonly name: string;

  /** Time for which its clusters must be healthy before later ones begin; undefined if nothing waits for it. */
  readonly soak?: Duration;

  /** The clusters that rollouts pass by are not among them. Each list comes after the one before. */
  readonly batches: readonly (readonly Chart[])[];
}

/** The rings of each fleet with gates. */
const GATED = new AppSlot<GatedRing[][]>('GatedRings', () => []);

/** Has changes reach the clusters of rings one step after the other. */
export function gateRings(scope: IConstruct, rings: readonly GatedRing[]): void {
  GATED.of(scope).push([...rings]);
}

/** The app's entry points, if they hold changes. */
const HOLDER = new AppSlot<{ holds: boolean }>('ChangeHolder', () => ({ holds: false }));

/** Notes that the entry points of an app hold changes. */
export function setHoldsSteps(app: IConstruct): void {
  HOLDER.of(app).holds = true;
}

/** True if the entry points of an app hold changes. */
export function holdsSteps(scope: IConstruct): boolean {
  return HOLDER.of(scope).holds;
}

/** Names of all steps of an app, those that nothing waits for too. */
export function gatedStepNames(scope: IConstruct): string[] {
  return GATED.of(scope).flat().filter(({ soak }) => soak !== undefined)
    .flatMap(({ name, batches }) => batches.map((_, index) => stepName(name, index, batches.length)));
}

/** The steps of an app, and the turn of each folder. */
export interface Rollout {
  /** Turns by the path of the folder. */
  readonly turns: ReadonlyMap<string, EntryTurn>;

  /** Steps that something waits for, with the tree that they are in. */
  readonly steps: readonly PlacedStep[];
}

/** A step, and the tree of its management cluster. */
interface PlacedStep {
  readonly step: EntryStep;
  readonly tree?: string;
}

/** Name of the step of a ring, or of one of its batches. */
function stepName(ring: string, batch: number, batches: number): string {
  return joinName('ring', ring, ...(batches > 1 ? [String(batch + 1)] : []));
}

/**
 * The steps of an app.
 *
 * @param app the app
 * @param folders its folders; their objects are final
 */
export function rolloutOf(app: IConstruct, folders: readonly FilledFolder[]): Rollout {
  const turns = new Map<string, EntryTurn>();
  const steps: PlacedStep[] = [];
  const filled = new Map(folders.map((folder) => [folder.folder.path, folder]));
  for (const rings of GATED.of(app)) {
    const trees = new Set(rings.flatMap(({ batches }) => batches.flat()).map((chart) => placeOf(chart).folder.tree));
    for (const tree of [...trees].sort()) steps.push(...stepsOf(tree, rings, filled, turns));
  }
  return { turns, steps };
}

/** The steps in one tree. The tool of one management cluster does not know the clusters of another one. */
function stepsOf(
  tree: string | undefined, rings: readonly GatedRing[], filled: ReadonlyMap<string, FilledFolder>, turns: Map<string, EntryTurn>,
): PlacedStep[] {
  const steps: EntryStep[] = [];
  const awaited = new Set<EntryStep>();
  let after: EntryStep | undefined;
  for (const { name: ring, soak, batches } of rings) {
    for (const [index, batch] of batches.entries()) {
      const clusters = batch.flatMap((chart) => filled.get(placeOf(chart).folder.path) ?? []).filter(({ folder }) => folder.tree === tree);
      if (clusters.length === 0) continue;
      if (after) awaited.add(after);
      const name = stepName(ring, index, batches.length);
      const members = clusters.map((folder) => memberOf(folder));
      clusters.forEach(({ folder }, at) => {
        const { cluster, marker } = members[at];
        turns.set(folder.path, { step: name, cluster, marker, soak, after });
      });
      if (soak === undefined) continue;
      const content = contentHash([after?.content, members.map(({ marker }) => marker)]);
      after = { name, folder: inTree(tree, `${FOLDER}/${name}`), clusters: members, soak, content, previous: after };
      steps.push(after);
    }
  }
  // The last step needs no object: nothing waits for it.
  return steps.filter((step) => awaited.has(step)).map((step) => ({ step, tree }));
}

function memberOf({ folder, files }: FilledFolder): EntryStepCluster {
  const { namespace, name } = folder.tenant!;
  const objects: readonly ApiObject[] = [...files.values()].flat();
  return {
    entry: entryName(pathInTree(folder)),
    cluster: { namespace, name },
    marker: joinName(name, 'ring', contentHash(objects.map(writtenManifest), 10)),
  };
}
