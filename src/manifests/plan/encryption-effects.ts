import { filesFrom } from './content-effects';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ChangeEffect, Effect } from '../rules/changes/effects';
import { encryptionConfigurations, EncryptionKey, keysByResource } from '../rules/encryption-configurations';
import { ManifestIndex } from '../rules/manifest-index';
import { providers } from '../systems/providers';
import { objectsAt, sameValue, stringAt } from '../values/fields';

/**
 * Effects of a change of keys for encryption at rest in an ExternalSecret, with what comes next in a rotation; none where it has no such keys.
 *
 * Source: kubernetes.io/docs/tasks/administer-cluster/encrypt-data, kubernetes/kubernetes
 * staging/src/k8s.io/apiserver/pkg/server/options/encryptionconfig/controller/controller.go, external-secrets/external-secrets
 * pkg/controllers/externalsecret/externalsecret_controller.go.
 *
 * @param former the ExternalSecret before, as it is written
 * @param later the same now
 * @param now the objects beside it now
 */
export function encryptionEffects(former: ManifestObject, later: ManifestObject, now: ManifestIndex): ChangeEffect[] {
  const [was, is] = [former, later].map(keysIn);
  if (was.size === 0 || is.size === 0) return [];
  const moved = movedEntries(former, later);
  const unknown = moved.map((name) => (
    { effect: Effect.UNKNOWN, reasons: [`key ${name} comes from another entry of the store: with another value, what was written with it cannot be read`] }));
  const gone = [...was.keys()].filter((resource) => !is.has(resource)).map((resource) => `${resource} are not encrypted any more`);
  const reasons = [...new Set([...is].flatMap(([resource, keys]) => keyReasons(resource, was.get(resource), keys))), ...gone];
  if (reasons.length === 0) return moved.length > 0 ? unknown : [{ effect: Effect.IN_PLACE, reasons: ['the keys for encryption stay'] }];
  const next = [...new Set([...is].flatMap(([resource, keys]) => nextStep(resource, was.get(resource), keys) ?? []))];
  const { effect, when } = readingOf(stringAt(later, 'spec', 'target', 'name') ?? nameOf(later) ?? '', namespaceOf(later), now);
  return [...unknown, { effect, reasons: [...reasons, ...when, ...next] }];
}

function keysIn(object: ManifestObject): Map<string, readonly EncryptionKey[]> {
  return new Map(encryptionConfigurations(object).flatMap((configuration) => [...keysByResource(configuration)]));
}

/** Keys whose value comes from another place of the store. */
function movedEntries(former: ManifestObject, later: ManifestObject): string[] {
  const [was, is] = [former, later].map((object) => new Map(objectsAt(object, 'spec', 'data').map(([entry]) => [stringAt(entry, 'secretKey') ?? '', entry.remoteRef])));
  return [...is].filter(([name, place]) => was.has(name) && !sameValue(was.get(name), place)).map(([name]) => name);
}

function keyReasons(resource: string, was: readonly EncryptionKey[] = [], is: readonly EncryptionKey[]): string[] {
  const [first, ...rest] = is;
  if (!first) return [];
  if (!was[0]) return [`${word(first)} encrypts ${resource} from now on`];
  return [
    ...rest.filter((key) => !has(was, key)).map((key) => `${word(key)} decrypts ${resource}, and does not encrypt yet`),
    ...word(first) === word(was[0]) ? [] : [`${word(first)} encrypts ${resource} instead of ${word(was[0])}`],
    ...was.filter((key) => !has(is, key))
      .map((key) => `${word(key)} is gone${key === was[0] ? ': what was written with it until now cannot be read' : ''}`),
  ];
}

/** The next step of a rotation; undefined if it is at its end. */
function nextStep(resource: string, was: readonly EncryptionKey[] = [], [first, ...rest]: readonly EncryptionKey[]): string | undefined {
  if (!first || !was[0]) return undefined;
  const added = rest.find((key) => !has(was, key));
  const isSwapped = word(first) !== word(was[0]);
  // With the former key, nothing is left to write again.
  if (isSwapped && !has([first, ...rest], was[0])) return undefined;
  if (!isSwapped && !added) return undefined;
  const step = isSwapped ? `write all ${resource} again with ${word(first)}, and only then remove ${word(was[0])}` : `put ${word(added!)} first`;
  return `next, when every API server has the file: ${step}`;
}

function has(keys: readonly EncryptionKey[], key: EncryptionKey): boolean {
  return keys.some((other) => word(other) === word(key));
}

function word({ provider, name }: EncryptionKey): string {
  return provider === 'identity' ? 'identity' : `key ${name}`;
}

/** The time at which API servers read a Secret with the configuration. */
function readingOf(name: string, namespace: string | undefined, now: ManifestIndex): { readonly effect: Effect; readonly when: readonly string[] } {
  const files = filesFrom(name, namespace, now);
  if (files.length > 0) return { effect: Effect.LATER, when: files };
  const planes = providers().flatMap(({ encryptionFiles = {} }) => Object.entries(encryptionFiles))
    .flatMap(([kind, fileOf]) => now.allIn(kind, namespace).map((plane) => ({ plane, file: fileOf(plane) })))
    .filter(({ file }) => file?.secret === name);
  if (planes.length === 0) return { effect: Effect.UNKNOWN, when: [`the API server that reads the Secret ${name} is not among the manifests`] };
  const names = planes.map(({ plane }) => nameOf(plane) ?? '').join(', ');
  return planes.every(({ file }) => file?.reloads)
    ? { effect: Effect.IN_PLACE, when: [`each API server of ${names} reads the file by itself, within three minutes and without a restart`] }
    : { effect: Effect.LATER, when: [`API servers of ${names} read the file when they start`] };
}
