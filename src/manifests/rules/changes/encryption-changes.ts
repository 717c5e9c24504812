import { ManifestChange, TransitionRule } from './transition-rule';
import { ManifestObject } from '../../objects/manifest-object';
import { FieldPath, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { ENCRYPTION_HOLDERS, encryptionConfigurations, EncryptionKey, keysByResource, keysFor } from '../encryption-configurations';
import { changedText } from '../example-text';

/** Names the key that all objects were written with again, so that other keys can go. */
export const REWRITTEN_ANNOTATION = 'cdk8s-cluster-api/rewritten-with';

const SOURCE = 'kubernetes.io/docs/tasks/administer-cluster/encrypt-data (Rotate a decryption key), '
  + 'kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/server/options/encryptionconfig/config.go';

/** The keys of one resource before and after a change. */
interface KeyChange {
  readonly path: FieldPath;
  readonly resource: string;
  readonly before: readonly EncryptionKey[];

  /** No key for a resource that no entry names any more. */
  readonly after: readonly EncryptionKey[];

  /** True if an entry names the resource after the change. */
  readonly isNamed: boolean;
}

const NO_KEYS: readonly EncryptionKey[] = [{ provider: 'identity', name: '' }];

function keyChanges({ before, after }: ManifestChange): KeyChange[] {
  if (!before || !after) return [];
  const [former, later] = [before, after].map(keysOf);
  const [first] = later.values();
  // Of a text that is encrypted or gone nothing is known.
  if (!first) return [];
  return [...new Set([...later.keys(), ...former.keys()])].flatMap((resource): KeyChange[] => {
    const [old, found] = [former, later].map((keys) => keysFor(keys, resource));
    const { path, keys } = found ?? { path: first.path, keys: NO_KEYS };
    return old && old.keys.length > 0 && keys.length > 0 ? [{ path, resource, before: old.keys, after: keys, isNamed: found !== undefined }] : [];
  });
}

function keysOf(object: ManifestObject): Map<string, { readonly path: FieldPath; readonly keys: readonly EncryptionKey[] }> {
  return new Map(encryptionConfigurations(object).flatMap((configuration) => (
    [...keysByResource(configuration)].map(([resource, keys]) => [resource, { path: configuration.path, keys }] as const))));
}

function isSame(one: EncryptionKey, other: EncryptionKey): boolean {
  return one.provider === other.provider && one.name === other.name;
}

function has(keys: readonly EncryptionKey[], key: EncryptionKey): boolean {
  return keys.some((other) => isSame(other, key));
}

function words({ provider, name }: EncryptionKey): string {
  return provider === 'identity' ? 'no key (identity)' : `the ${provider} key "${name}"`;
}

/** The name of a key in the annotation. */
function rewrittenName({ provider, name }: EncryptionKey): string {
  return provider === 'identity' ? provider : name;
}

/** A Secret with keys in an order, whose values a tool fills in. */
function keysText(...names: readonly string[]): string {
  return `apiVersion: v1
kind: Secret
metadata:
  name: acme-encryption
  namespace: tenant-acme
stringData:
  config.yaml: |
    apiVersion: apiserver.config.k8s.io/v1
    kind: EncryptionConfiguration
    resources:
      - resources: [secrets]
        providers:
          - secretbox:
              keys:
${names.map((name) => `                - {name: "${name}", secret: '{{ index . "${name}" }}'}\n`).join('')}          - identity: {}
`;
}

const FIRST: TransitionRule = {
  id: 'TC-CHANGE-ENCRYPTION-FIRST-KEY',
  title: 'A key must be known to every API server before it becomes the first one, which writes: an API server that does not have it yet cannot read what another one wrote.',
  source: SOURCE,
  kinds: ENCRYPTION_HOLDERS,
  trap: true,
  example: {
    before: keysText('2025'),
    failing: keysText('2026', '2025'),
    corrected: keysText('2025', '2026'),
  },
  check: (change) => keyChanges(change).flatMap(({ path, resource, before, after, isNamed }): Finding[] => {
    const [first] = after;
    return !isNamed || has(before, first) ? [] : [{
      path,
      message: `${words(first)} is new and comes first for ${resource}: an API server writes with it at once, and another one that has not read the file yet cannot read that`,
      fix: `put it after ${words(before[0])}, and first in a later change, when every API server has read the file`,
    }];
  }),
};

const REMOVED: TransitionRule = {
  id: 'TC-CHANGE-ENCRYPTION-REMOVED-KEY',
  title: 'A key must stay until everything that was written with it has been written again with the first one.',
  source: SOURCE,
  kinds: ENCRYPTION_HOLDERS,
  trap: true,
  example: changedText(keysText('2026', '2025'), { [keysText('2026', '2025')]: keysText('2026') }, {
    [keysText('2026', '2025')]: keysText('2026').replace('  namespace: tenant-acme\n', `  namespace: tenant-acme\n  annotations: {${REWRITTEN_ANNOTATION}: "2026"}\n`),
  }),
  check: (change) => keyChanges(change).flatMap(({ path, resource, before, after }): Finding[] => {
    const [first] = after;
    const isEncryptionRewrite = isSame(first, before[0]) && stringAt(change.after, 'metadata', 'annotations', REWRITTEN_ANNOTATION) === rewrittenName(first);
    return before.filter((key) => !has(after, key) && !isEncryptionRewrite).map((key) => ({
      path,
      message: `${words(key)} is gone for ${resource}: what was written with it cannot be read`,
      fix: isSame(key, before[0])
        ? 'keep it as the second one until everything has been written again with the first'
        : `write everything again with ${words(first)}, and say so: annotation ${REWRITTEN_ANNOTATION}: ${JSON.stringify(rewrittenName(first))} (rewrittenWith in a page)`,
    }));
  }),
};

/** Changes of the keys of encryption at rest. */
export const ENCRYPTION_CHANGES: readonly TransitionRule[] = [FIRST, REMOVED];
