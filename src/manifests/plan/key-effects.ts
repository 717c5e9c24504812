import { contentEffects } from './content-effects';
import { encryptionEffects } from './encryption-effects';
import { namespaceOf } from '../objects/manifest-object';
import { ChangeEffect, Effect, fieldEffects, groupEffects, ObjectUpdate, reason } from '../rules/changes/effects';
import { FieldChange, fieldChanges } from '../rules/changes/field-changes';
import { secretsMadeOf } from '../systems/made-secrets';
import { hasKey, serviceAccountKeys, ServiceAccountKeys } from '../validation/service-account-keys';
import { FieldPath, sameValue } from '../values/fields';

/** Fields that state keys, their order, and which of them are in use. */
const KEY_FIELDS: readonly FieldPath[] = [['spec', 'data'], ['spec', 'target', 'template', 'data'], ['metadata', 'annotations']];

/**
 * Effects of an object that writes a Secret by templates: with keys for tokens of ServiceAccounts or for encryption at rest, and what comes next in a
 * rotation, or those of the Secret.
 */
export function writtenSecretEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const { before, after, written: [former, later], old, now } = update;
  const changes = fieldChanges(before, after);
  const [was, is] = [serviceAccountKeys(former, old), serviceAccountKeys(later, now)];
  const others = changes.filter(({ path }) => !KEY_FIELDS.some((field) => field.every((part, index) => part === path[index])));
  const isOfKeys = others.length < changes.length;
  const ofTokens = was && is && isOfKeys ? keyEffects(was, is) : [];
  const ofKeys = ofTokens.length === 0 && isOfKeys ? encryptionEffects(former, later, now) : ofTokens;
  if (ofKeys.length === 0 && !(was && is) && changes.some(({ path }) => path.join('.') !== 'spec.refreshInterval')) return rewrittenSecrets(update, changes);
  return groupEffects([...ofKeys, ...fieldEffects({ 'spec.refreshInterval': Effect.IN_PLACE }, ofKeys.length > 0 ? others : changes)]);
}

/** Effects of Secrets that are written anew, as of Secrets that change. */
function rewrittenSecrets(update: ObjectUpdate, changes: readonly FieldChange[]): readonly ChangeEffect[] {
  const { after } = update;
  const reasons = changes.map((change) => reason(change));
  const [was, is] = [update.before, after].map((object) => secretsMadeOf(object).map(({ name }) => name));
  if (!sameValue(was, is)) return [{ effect: Effect.UNKNOWN, reasons }];
  const secret = (name: string, value: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: namespaceOf(after) }, data: { value } });
  const effects = is.flatMap((name) => contentEffects({ ...update, before: secret(name, 'b25l'), after: secret(name, 'dHdv') }));
  return groupEffects(effects.map(({ effect, reasons: because }) => (
    { effect, reasons: [...because.filter((text) => !text.startsWith('data.')), ...reasons] })));
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
