import * as path from 'node:path';
import { FileAppliers, objectKey, PlacedDelivery } from './file-appliers';
import { ManifestState, partsOf, pathWithin } from './manifest-state';
import { namedPaths } from './named-paths';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { isCluster } from '../rules/cluster-api/whole-clusters';
import { deliveryFacts, providers } from '../systems/providers';

/** Parts of a path that are filled in later. */
const OPEN = /\$|\{\{/;

const TOP = '.';

/**
 * Finds the files that nothing applies, in a repository whose deliveries are known to apply everything else. A delivery that nothing in the repository
 * applies was applied by hand, and so may be what stands beside it. Where a delivery applies itself, nothing else is applied by hand; otherwise a
 * folder may be, unless others beside it are delivered, and so are all Clusters. A folder beside one that applies itself may be that of another
 * management cluster, and one that anything names may be applied in a way that is not known.
 *
 * @param state the state
 * @param deliveries its deliveries
 * @param appliers what applies its files
 * @returns undefined if any file may be applied by something that is not known
 */
export function unappliedFiles(
  state: ManifestState, deliveries: readonly PlacedDelivery[], appliers: FileAppliers,
): ((file: string) => boolean) | undefined {
  const active = deliveries.filter(({ object }) => !appliers.isLeftOut(object));
  if (!appliers.hasFolders || hasUnknownFolders(active, appliers) || makesUnknown(state, active)) return undefined;
  const fileOf = ({ path: file }: PlacedDelivery) => path.join(state.root ?? '', file);
  const roots = active.filter((one) => appliers.of(fileOf(one)).length === 0);
  const own = active.filter((one) => appliers.of(fileOf(one)).some((by) => objectKey(by) === objectKey(one.object)));
  const appliesItself = own.length > 0;
  const isApplied = (file: string) => appliers.of(file).length > 0;
  if (!appliesItself && state.objects.some(({ object, pack, place }) => !pack && isCluster(object) && !isApplied(place.file))) return undefined;
  const byHand = new Set(roots.flatMap(({ path: file }) => [path.posix.dirname(file), ...appliers.tree.appliersOf(file)]));
  const applied = appliers.appliedFolders;
  const tops = new Set(applied.map(({ folder }) => partsOf(folder)[0]));
  const isOwn = (delivery: ManifestObject) => own.some(({ object }) => object === delivery);
  const ofClusters = new Set(applied.filter(({ delivery }) => isOwn(delivery)).map(({ folder }) => path.posix.dirname(folder)));
  const charts = new Set((state.charts ?? []).map((folder) => pathWithin(state, folder)));
  const known = new Set(applied.map(({ folder }) => folder).filter((folder) => !charts.has(folder)));
  let named: ReadonlySet<string> | undefined;
  const isNamed = (folder: string) => folder !== TOP && !known.has(folder) && (named ??= namedPaths(state)).has(folder);
  return (file) => {
    const at = pathWithin(state, file);
    if (isApplied(file) || [...appliers.tree.appliersOf(at)].some((folder) => byHand.has(folder))) return false;
    const around = foldersAround(at);
    if (byHand.has(around[0]) || around.some((folder) => folder !== TOP && (byHand.has(folder) || ofClusters.has(folder)))) return false;
    return (appliesItself || tops.has(partsOf(at)[0])) && ![at, ...around].some(isNamed);
  };
}

/** True if a delivery applies a folder that is not known by its path. */
function hasUnknownFolders(deliveries: readonly PlacedDelivery[], appliers: FileAppliers): boolean {
  const found = appliers.deliveriesOfFolders;
  return deliveries.some(({ object }) => !found.has(objectKey(object)) && (deliveryFacts(object)?.folders?.(object) ?? [])
    .some((folder) => OPEN.test(folder.path) || partsOf(path.posix.normalize(folder.path)).length === 0));
}

/** True if there may be deliveries that are not known: those of an object of which they are made, or of a template of a chart. */
function makesUnknown({ objects, unread = [] }: ManifestState, deliveries: readonly PlacedDelivery[]): boolean {
  const delivering = new Set(deliveries.map(({ object }) => object));
  // Objects that are made of another one stand in its place.
  const made = new Set(objects.filter(({ object }) => delivering.has(object)).map(({ placeOf }) => placeOf));
  const isMaker = (kind: string) => providers().some(({ makes }) => makes?.[kind]);
  const names = providers().flatMap(({ deliveries: kinds = [] }) => kinds.filter(({ folders }) => folders).map(({ kind }) => `kind: ${kind.slice(kind.indexOf('/') + 1)}`));
  return objects.some(({ object, placeOf }) => isMaker(groupKind(object)) && !made.has(placeOf))
    || unread.some(({ value }) => typeof value === 'string' && names.some((name) => value.includes(name)));
}

/** The folders around a file, the nearest first. */
function foldersAround(file: string): readonly string[] {
  const found = [path.posix.dirname(file)];
  while (found.at(-1) !== TOP) found.push(path.posix.dirname(found.at(-1)!));
  return found;
}
