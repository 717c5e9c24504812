import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { isPackOf } from '../objects/packed-manifests';
import { authorityOf, AuthoritySecret } from '../rules/changes/authority-changes';
import { ChangeEffect, Effect, ObjectUpdate } from '../rules/changes/effects';
import { fieldChanges } from '../rules/changes/field-changes';
import {
  KUBEADM_CONFIG, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, POOL_KINDS,
} from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts, providers } from '../systems/providers';
import { FieldPath, fieldText, objectsAt, stringAt } from '../values/fields';

/** Effects of a ConfigMap or Secret, which may hold values of what is delivered, and what machines are made with. */
export function contentEffects({ before, after, now, isRead }: ObjectUpdate): readonly ChangeEffect[] {
  const changes = fieldChanges(before, after).filter(({ path }) => path[0] !== 'sops');
  if (changes.length === 0) return [{ effect: Effect.IN_PLACE, reasons: ['encrypted for other keys: nothing changes in the cluster'] }];
  const reasons = changes.map(({ path }) => fieldText(path));
  const authority = authorityIn(after, now);
  const uses = machinesThatRead(after, now);
  if (authority) return [{ effect: authority.effect, reasons: [authority.words, ...uses, ...reasons] }];
  if (uses.length > 0) return [{ effect: Effect.LATER, reasons: [...uses, ...reasons] }];
  const readers = deliveriesThatRead(after, now);
  // Variables of a folder are filled in from ConfigMaps alone.
  const isUnknown = groupKind(after) === '/Secret' && readers.some((reader) => deliveryFacts(reader)?.folders);
  const isShown = readers.every((reader) => isRead?.(reader));
  const effect = isUnknown ? Effect.UNKNOWN : isShown ? Effect.IN_PLACE : Effect.RELEASE;
  return [{ effect, reasons: [...readers.map((reader) => `values of ${String(reader.kind)} ${nameOf(reader)}`), ...reasons] }];
}

/** Fields with files of machines, by the kind that has them. */
const FILES: readonly (readonly [kind: string, path: FieldPath])[] = [
  [KUBEADM_CONTROL_PLANE, ['spec', 'kubeadmConfigSpec']], [KUBEADM_CONFIG_TEMPLATE, ['spec', 'template', 'spec']], [KUBEADM_CONFIG, ['spec']],
];

/** Data that machines take from a Secret when they are made, in words: they read it once. */
function machinesThatRead(object: ManifestObject, index: ManifestIndex): string[] {
  if (groupKind(object) !== '/Secret') return [];
  const [namespace, name] = [namespaceOf(object), nameOf(object) ?? ''];
  return [...filesFrom(name, namespace, index), ...bootstrapData(name, namespace, index)];
}

/** Files of machines whose content is in a Secret, in words. */
export function filesFrom(name: string, namespace: string | undefined, index: ManifestIndex): string[] {
  return FILES.flatMap(([kind, path]) => index.allIn(kind, namespace).filter((holder) => objectsAt(holder, ...path, 'files')
    .some(([file]) => stringAt(file, 'contentFrom', 'secret', 'name') === name)).map((holder) => `file of ${String(holder.kind)} ${nameOf(holder)}`));
}

function bootstrapData(name: string, namespace: string | undefined, index: ManifestIndex): string[] {
  const beside = (kind: string) => index.allIn(kind, namespace);
  return POOL_KINDS.flatMap(beside).filter((pool) => stringAt(pool, 'spec', 'template', 'spec', 'bootstrap', 'dataSecretName') === name)
    .map((pool) => `bootstrap data of ${String(pool.kind)} ${nameOf(pool)}`);
}

/** The authority or key that a control plane takes from a Secret. */
function authorityIn(object: ManifestObject, index: ManifestIndex): AuthoritySecret | undefined {
  return providers().flatMap(({ authorities = {} }) => Object.entries(authorities))
    .map(([kind, facts]) => authorityOf(object, kind, facts, index)?.secret).find((found) => found !== undefined);
}

function deliveriesThatRead(object: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  return providers().flatMap(({ deliveries = [] }) => deliveries).flatMap(({ kind, values }) => index.all(kind).filter((delivery) => (
    !isPackOf(object, delivery) && values?.(delivery).some(({ namespace = namespaceOf(delivery), ...named }) => (
      named.kind === object.kind && mayBe(named.name ?? '', nameOf(object)) && (namespace === undefined || mayBe(namespace, namespaceOf(object))))))));
}

/** True if a name may be meant by a text, which may have actions of a template. A delivery without namespace may read in any. */
function mayBe(text: string, name = ''): boolean {
  const [start, ...others] = text.split(/\{\{[^{}]*\}\}/);
  return others.length === 0 ? text === name : name.startsWith(start) && name.endsWith(others.at(-1)!);
}
