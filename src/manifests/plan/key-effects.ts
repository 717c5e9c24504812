import { encryptionEffects } from './encryption-effects';
import { groupKind, nameOf, namespaceOf } from '../objects/manifest-object';
import { ChangeEffect, Effect, fieldEffects, groupEffects, ObjectUpdate } from '../rules/changes/effects';
import { fieldChanges } from '../rules/changes/field-changes';
import { hasKey, serviceAccountKeys, ServiceAccountKeys } from '../validation/service-account-keys';
import { FieldPath } from '../values/fields';

/** Fields that state keys, their order, and which of them are in use. */
const KEY_FIELDS: readonly FieldPath[] = [['spec', 'data'], ['spec', 'target', 'template', 'data'], ['metadata', 'annotations']];

/**
 * Effects of an ExternalSecret with keys for tokens of ServiceAccounts or for encryption at rest, with what comes next in a rotation. Of any other
 * one they are unknown.
 */
export function externalSecretEffects({ before, after, old, now }: ObjectUpdate): readonly ChangeEffect[] {
  const changes = fieldChanges(before, after);
  // Templates count as texts that may be secret: the objects of an update do not have them.
  const [former, later] = ([[before, old], [after, now]] as const)
    .map(([object, index]) => index.find(groupKind(object), namespaceOf(object), nameOf(object)));
  const [was, is] = ([[former, old], [later, now]] as const).map(([object, index]) => object && serviceAccountKeys(object, index));
  const others = changes.filter(({ path }) => !KEY_FIELDS.some((field) => field.every((part, index) => part === path[index])));
  const isOfKeys = others.length < changes.length;
  const ofTokens = was && is && isOfKeys ? keyEffects(was, is) : [];
  const ofKeys = ofTokens.length === 0 && former && later && isOfKeys ? encryptionEffects(former, later, now) : ofTokens;
  return groupEffects([...ofKeys, ...fieldEffects({ 'spec.refreshInterval': Effect.IN_PLACE }, ofKeys.length > 0 ? others : changes)]);
}

function keyEffects(was: ServiceAccountKeys, is: ServiceAccountKeys): ChangeEffect[] {
  const [added, removed] = [is.known.filter((key) => !hasKey(was.known, key)), was.known.filter((key) => !hasKey(is.known, key))];
  const isSwapped = was.signer.entry !== is.signer.entry;
  const reasons = [
    ...added.map(({ name }) => `key ${name} verifies tokens`),
    ...isSwapped ? [`key ${is.signer.name} signs tokens instead of ${was.signer.name}`] : [],
    ...removed.map(({ name }) => `key ${name} is gone`),
  ];
  if (reasons.length === 0) return [{ effect: Effect.IN_PLACE, reasons: [`the keys of ${is.controlPlane} for tokens stay`] }];
  return [{ effect: is.secret.restarts ? Effect.PODS : Effect.LATER, reasons: [...reasons, nextStep(is, isSwapped)] }];
}

/** The next step of a rotation, and what it waits for. */
function nextStep({ secret, known, signer, controlPlane }: ServiceAccountKeys, isSwapped: boolean): string {
  const everywhere = secret.restarts ? `all pods of ${controlPlane} are new` : `all machines of ${controlPlane} are younger than the Secret (rollout.after)`;
  const [next] = known.filter(({ entry }) => entry !== signer.entry);
  if (!next) return `done when ${everywhere}`;
  return isSwapped ? `next, a day after ${everywhere}, and when tokens of longer life are renewed: remove ${next.name}` : `next, when ${everywhere}: put ${next.name} first`;
}
