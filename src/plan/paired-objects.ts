import { ChangeKind, ObjectChange } from './plan-model';
import { isKept } from '../cluster/delivery/marks';
import { ObjectOwners, Owner } from '../landscape/object-owners';
import { ReadObject } from '../landscape/placed-objects';
import { byTarget } from '../landscape/targets';
import { ManifestObject, nameOf, namespaceOf } from '../manifests/manifest-object';
import { fieldChanges } from '../rules/changes/field-changes';
import { ManifestIndex } from '../rules/manifest-index';
import { pairManifests } from '../validation/pair-manifests';

/** An object that differs between two states, as it is in both. */
export interface Difference {
  readonly before?: ManifestObject;
  readonly after?: ManifestObject;

  /** The cluster that it belongs to. */
  readonly owner?: Owner;
  readonly shown: ObjectChange;
}

/** Two states of manifests, object by object. */
export interface Comparison {
  readonly differences: readonly Difference[];

  /** The objects of the management cluster. */
  readonly old: ManifestIndex;
  readonly now: ManifestIndex;
}

/** Compares two states of manifests. Each object that is not the same in both is one difference. */
export function compareObjects(before: readonly ReadObject[], after: readonly ReadObject[]): Comparison {
  const [old, now] = [byTarget(before), byTarget(after)];
  const [oldOwners, nowOwners] = [new ObjectOwners(old), new ObjectOwners(now)];
  const differences = [...new Set([...now.keys(), ...old.keys()])].flatMap((target) => {
    const [olds, news] = [old.get(target) ?? [], now.get(target) ?? []];
    const { before: pairs, gone } = pairManifests(olds.map(({ object }) => object), news.map(({ object }) => object));
    const ofOld = new Map(olds.map((read) => [read.object, read]));
    return [
      ...news.flatMap((read) => {
        const was = pairs.get(read.object);
        const shown = shownChange(was, read.object, target !== undefined);
        return shown ? [{ before: was, after: read.object, owner: nowOwners.of(read, target), shown }] : [];
      }),
      ...gone.map((object) => ({
        before: object, owner: oldOwners.of(ofOld.get(object)!, target), shown: shownChange(object, undefined, target !== undefined)!,
      })),
    ];
  });
  const management = (groups: typeof old) => new ManifestIndex((groups.get(undefined) ?? []).map(({ object }) => object));
  return { differences, old: management(old), now: management(now) };
}

function shownChange(before: ManifestObject | undefined, after: ManifestObject | undefined, inTenant: boolean): ObjectChange | undefined {
  const fields = before && after ? fieldChanges(before, after) : [];
  if (before && after && fields.length === 0) return undefined;
  const object = after ?? before!;
  return {
    change: !before ? ChangeKind.CREATED : after ? ChangeKind.CHANGED : ChangeKind.REMOVED,
    apiVersion: String(object.apiVersion),
    kind: String(object.kind),
    namespace: namespaceOf(object),
    name: nameOf(object) ?? '',
    inTenant,
    fields,
    stays: after === undefined && isKept(before!),
  };
}
