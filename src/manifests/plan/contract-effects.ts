import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ChangeEffect, Effect, effectsOfFields, fieldEffects, groupEffects, ObjectUpdate, reason } from '../rules/changes/effects';
import { fieldChanges, innermostChanges } from '../rules/changes/field-changes';
import { CLUSTER, CLUSTER_CLASS, isPool, KUBEADM_CONTROL_PLANE } from '../rules/cluster-api/cluster-api-kinds';
import { classesWithPatchesOf, EXTENSION_CONFIG } from '../rules/cluster-api/runtime-extensions';
import { selects } from '../rules/label-selectors';
import { ManifestIndex } from '../rules/manifest-index';
import { machineOwnersOf, objectReference, referrersOf } from '../rules/references/object-references';
import { fieldAt, isFields, sameValue } from '../values/fields';

/** Templates that machines are made from, by the contract of Cluster API. */
export const MACHINE_TEMPLATE = /^(?:infrastructure|bootstrap)\.cluster\.x-k8s\.io\/\w+Template$/;

/** True of a template of a ClusterClass. */
export function isOfClass(template: ManifestObject, index: ManifestIndex): boolean {
  return referrersOf(template, index, CLUSTER_CLASS).length > 0;
}

/** Effects of an extension of Cluster API: of one that patches topologies, it is not known what it makes of them. */
export function extensionEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const { before, after, old, now } = update;
  const classes = classesWithPatchesOf(after, now);
  const [was, is] = [[before, old], [after, now]].map(([extension, index]) => calledFor(extension as ManifestObject, index as ManifestIndex));
  const names = (list: readonly string[]) => (list.length > MOST_NAMED ? `${list.length} clusters` : list.join(', '));
  const [gone, come] = [was.filter((name) => !is.includes(name) && isThere(name, now)), is.filter((name) => !was.includes(name))];
  const says = [
    ...classes.length > 0 ? [`patches of ${classes.map((one) => `ClusterClass ${nameOf(one)}`).join(', ')} come from it`] : [],
    ...gone.length > 0 ? [`its hooks are called no more for ${names(gone)}: what they held back goes on`] : [],
    ...come.length > 0 ? [`its hooks are called for ${names(come)} from now on, and may hold back what is done there`] : [],
  ];
  const fields = effectsOfFields({
    'metadata': Effect.IN_PLACE,
    'spec.clientConfig.caBundle': Effect.IN_PLACE,
    'spec.namespaceSelector': gone.length + come.length > 0 || classes.length > 0 ? Effect.UNKNOWN : Effect.IN_PLACE,
  })(update);
  const because = says.length > 0 ? says : [OTHER_HOOKS];
  return fields.map((one) => (one.effect === Effect.UNKNOWN ? { ...one, reasons: [...one.reasons, ...because] } : one));
}

const MOST_NAMED = 5;

/** Clients of an extension, and settings that they get, decide what its hooks do. */
const OTHER_HOOKS = 'its hooks may act otherwise: which ones it has is known to Cluster API alone';

/**
 * The Clusters for which the hooks of an extension are called, by namespace and name: those in namespaces that it selects.
 *
 * Source: kubernetes-sigs/cluster-api exp/runtime/internal/client (CallAllExtensions: namespaceSelector), v1.14.2.
 */
function calledFor(extension: ManifestObject, index: ManifestIndex): string[] {
  const selector = fieldAt(extension, 'spec', 'namespaceSelector');
  return index.all(CLUSTER).filter((cluster) => {
    const namespace = namespaceOf(cluster) ?? '';
    const labels = fieldAt(index.find('/Namespace', undefined, namespace), 'metadata', 'labels');
    return !isFields(selector) || selects(selector, { ...isFields(labels) && labels, 'kubernetes.io/metadata.name': namespace });
  }).map((cluster) => `${namespaceOf(cluster) ?? ''}/${nameOf(cluster) ?? ''}`);
}

function isThere(name: string, index: ManifestIndex): boolean {
  return index.all(CLUSTER).some((cluster) => `${namespaceOf(cluster) ?? ''}/${nameOf(cluster) ?? ''}` === name);
}

/** Consequence of the removal of an extension: its hooks are called no more. */
export function lostHooks(removed: ManifestObject, now: ManifestIndex): string[] {
  if (groupKind(removed) !== EXTENSION_CONFIG) return [];
  const called = calledFor(removed, now);
  return called.length === 0 ? [] : [`its hooks are called no more for ${called.length > MOST_NAMED ? `${called.length} clusters` : called.join(', ')}`];
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
