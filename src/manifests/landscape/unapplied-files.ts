import * as path from 'node:path';
import { FileAppliers, objectKey, PlacedDelivery } from './file-appliers';
import { ManifestState, partsOf, pathWithin } from './manifest-state';
import { groupKind } from '../objects/manifest-object';
import { isCluster } from '../rules/cluster-api/whole-clusters';
import { deliveryFacts, providers } from '../systems/providers';

/** Parts of a path that are filled in later. */
const OPEN = /\$|\{\{/;

const TOP = '.';

/**
 * Finds the files that nothing applies, in a repository whose deliveries are known to apply everything else. A delivery that nothing in the repository
 * applies was applied by hand, and so may be what stands beside it. Where a delivery applies itself, nothing else is applied by hand; otherwise a
 * folder may be, unless others beside it are delivered, and so are all Clusters.
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
  const appliesItself = active.some((one) => appliers.of(fileOf(one)).some((by) => objectKey(by) === objectKey(one.object)));
  const isApplied = (file: string) => appliers.of(file).length > 0;
  if (!appliesItself && state.objects.some(({ object, pack, place }) => !pack && isCluster(object) && !isApplied(place.file))) return undefined;
  const byHand = new Set(roots.flatMap(({ path: file }) => [path.posix.dirname(file), ...appliers.tree.appliersOf(file)]));
  const tops = new Set(appliers.appliedFolders.map(({ folder }) => partsOf(folder)[0]));
  return (file) => {
    const at = pathWithin(state, file);
    if (isApplied(file) || [...appliers.tree.appliersOf(at)].some((folder) => byHand.has(folder))) return false;
    const around = foldersAround(at);
    if (byHand.has(around[0]) || around.some((folder) => folder !== TOP && byHand.has(folder))) return false;
    return appliesItself || tops.has(partsOf(at)[0]);
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
  const made = new Set(objects.filter(({ object }) => deliveries.some((one) => one.object === object)).map(({ place }) => place.file));
  const isMaker = (kind: string) => providers().some(({ makes }) => makes?.[kind]);
  const names = providers().flatMap(({ deliveries: kinds = [] }) => kinds.filter(({ folders }) => folders).map(({ kind }) => `kind: ${kind.slice(kind.indexOf('/') + 1)}`));
  return objects.some(({ object, place }) => isMaker(groupKind(object)) && !made.has(place.file))
    || unread.some(({ value }) => typeof value === 'string' && names.some((name) => value.includes(name)));
}

/** The folders around a file, the nearest first. */
function foldersAround(file: string): readonly string[] {
  const found = [path.posix.dirname(file)];
  while (found.at(-1) !== TOP) found.push(path.posix.dirname(found.at(-1)!));
  return found;
}
