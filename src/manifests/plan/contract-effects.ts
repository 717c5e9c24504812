import { groupKind, ManifestObject, nameOf } from '../objects/manifest-object';
import { ChangeEffect, Effect, effectsOfFields, fieldEffects, groupEffects, ObjectUpdate, reason } from '../rules/changes/effects';
import { fieldChanges, innermostChanges } from '../rules/changes/field-changes';
import { CLUSTER_CLASS, isPool, KUBEADM_CONTROL_PLANE } from '../rules/cluster-api/cluster-api-kinds';
import { classesWithPatchesOf } from '../rules/cluster-api/runtime-extensions';
import { ManifestIndex } from '../rules/manifest-index';
import { machineOwnersOf, objectReference, referrersOf } from '../rules/references/object-references';
import { fieldAt, sameValue } from '../values/fields';

/** Templates that machines are made from, by the contract of Cluster API. */
export const MACHINE_TEMPLATE = /^(?:infrastructure|bootstrap)\.cluster\.x-k8s\.io\/\w+Template$/;

/** True of a template of a ClusterClass. */
export function isOfClass(template: ManifestObject, index: ManifestIndex): boolean {
  return referrersOf(template, index, CLUSTER_CLASS).length > 0;
}

/** Effects of an extension of Cluster API: of one that patches topologies, it is not known what it makes of them. */
export function extensionEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const classes = classesWithPatchesOf(update.after, update.now);
  if (classes.length === 0) return effectsOfFields({ metadata: Effect.IN_PLACE, spec: Effect.IN_PLACE })(update);
  const says = `patches of ${classes.map((one) => `ClusterClass ${nameOf(one)}`).join(', ')} come from it`;
  return effectsOfFields({ 'metadata': Effect.IN_PLACE, 'spec.timeoutSeconds': Effect.IN_PLACE })(update)
    .map((one) => (one.effect === Effect.UNKNOWN ? { ...one, reasons: [...one.reasons, says] } : one));
}

/**
 * Effects of a control plane of which no more is known than the contract of Cluster API. Its provider replaces machines, or updates them.
 *
 * Source: kubernetes-sigs/cluster-api docs/book/src/developer/providers/contracts/control-plane.md (replicas, version, machines).
 */
export function contractEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const template = 'spec.machineTemplate.infrastructureRef';
  const places = [template, 'spec.machineTemplate.spec.infrastructureRef'].map((path) => path.split('.'));
  const [old, now] = [update.before, update.after]
    .map((object) => places.map((path) => objectReference(fieldAt(object, ...path))).find((one) => one));
  const isOther = old?.kind !== now?.kind || old?.name !== now?.name;
  const replaced = [
    ...isOther ? update.templateReasons(old, now) : [],
    ...sameValue(fieldAt(update.before, 'spec', 'version'), fieldAt(update.after, 'spec', 'version')) ? []
      : [reason({ path: ['version'], before: fieldAt(update.before, 'spec', 'version'), after: fieldAt(update.after, 'spec', 'version') })],
  ];
  const others = fieldChanges(update.before, update.after).flatMap(innermostChanges)
    .filter(({ path }) => path.join('.') !== 'spec.version' && !places.some((place) => place.every((part, index) => path[index] === part)));
  return groupEffects([
    ...replaced.length > 0 ? [{
      effect: Effect.MACHINES,
      reasons: replaced.map((text) => `${text} (its provider may update machines in place)`),
      machines: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    }] : [],
    ...fieldEffects({ 'metadata': Effect.IN_PLACE, 'spec.replicas': { effect: Effect.SCALED, word: 'replicas' } }, others),
  ]);
}

/** Templates of pools and control planes of kubeadm, which compare machines by the names of their templates. */
export function isNamedTemplate(object: ManifestObject, index: ManifestIndex): boolean {
  return MACHINE_TEMPLATE.test(groupKind(object)) && !isOfClass(object, index)
    && machineOwnersOf(object, index).some((owner) => isPool(owner) || groupKind(owner) === KUBEADM_CONTROL_PLANE);
}
