import { ObjectOwners } from './object-owners';
import { ReadObject } from './placed-objects';
import { byTarget } from './targets';
import { ManifestObject } from '../objects/manifest-object';
import { GroupTarget } from '../validation/validate-manifests';

/** Objects of now and of before, which are applied to one place together. */
export interface TargetGroup {
  readonly now: readonly ManifestObject[];
  readonly before: readonly ManifestObject[];

  /** The cluster that they are applied to; undefined for a management cluster, for several clusters, and where it is not known. */
  readonly target?: GroupTarget;
}

/**
 * The objects of one management cluster by the place that they are applied to: what is packed goes to other clusters than what it is packed in.
 *
 * @param first place of the first group among all
 */
export function targetGroups(now: readonly ReadObject[], before: readonly ReadObject[], first: number): TargetGroup[] {
  const [later, earlier] = [byTarget(now), byTarget(before)];
  const targets = [...new Set([...later.keys(), ...earlier.keys()])];
  const management = first + targets.indexOf(undefined);
  const owners = targets.length > 1 && targets.includes(undefined) ? new ObjectOwners(later) : undefined;
  return targets.map((target) => {
    const own = (groups: typeof later) => (groups.get(target) ?? []).map(({ object }) => object);
    const [read] = later.get(target) ?? [];
    const clusters = owners && read && target !== undefined ? owners.of(read, target) : [];
    const [{ namespace, name }] = clusters.length === 1 ? clusters : [{ namespace: undefined, name: undefined }];
    return { now: own(later), before: own(earlier), ...(name !== undefined && { target: { management, namespace, name } }) };
  });
}
