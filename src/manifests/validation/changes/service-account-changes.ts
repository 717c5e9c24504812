import { ManifestChange, TransitionRule } from '../../rules/changes/transition-rule';
import { changedText, documents } from '../../rules/example-text';
import { CLUSTER_TEXT, CONTROL_PLANE_TEXT } from '../../rules/references/examples';
import { EXTERNAL_SECRET } from '../../systems/external-secrets/stores';
import { stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { hasKey, serviceAccountKeys, ServiceAccountKeys, SIGNED_ANNOTATION } from '../service-account-keys';

const SOURCE = 'kubernetes/kubernetes pkg/controlplane/apiserver/config.go (PublicKeysFromFile), pkg/serviceaccount/jwt.go, '
  + 'pkg/kubelet/token/token_manager.go (requiresRefresh), v1.36.3';

/** An ExternalSecret that writes keys in an order: the first one signs. */
function keysText(...names: readonly string[]): string {
  const [signer] = names;
  return `apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata:
  name: acme-sa-certificate
  namespace: tenant-acme
spec:
  secretStoreRef: {kind: ClusterSecretStore, name: vault}
  target:
    name: acme-sa-certificate
    creationPolicy: Orphan
    template:
      data:
        sa.pub: '${names.map((name) => `{{ index . "${name}.pub" }}`).join('')}'
        sa.key: '{{ index . "${signer}.key" }}'
  data:
${names.map((name) => `    - {secretKey: ${name}.pub, remoteRef: {key: acme/${name}, property: sa.pub}}\n`).join('')}    - {secretKey: ${signer}.key, remoteRef: {key: acme/${signer}, property: sa.key}}
`;
}

function changedKeys({ before, after, old, now }: ManifestChange): readonly [ServiceAccountKeys, ServiceAccountKeys] | undefined {
  const [former, later] = [before && serviceAccountKeys(before, old), after && serviceAccountKeys(after, now)];
  return former && later && [former, later];
}

const AROUND = [CLUSTER_TEXT, CONTROL_PLANE_TEXT];

const FIRST: TransitionRule = {
  id: 'TC-CHANGE-SERVICE-ACCOUNT-FIRST-KEY',
  title: 'A key must be known to every API server before it signs tokens: an API server that does not have it yet refuses what another one signed.',
  source: SOURCE,
  kinds: [EXTERNAL_SECRET],
  trap: true,
  example: {
    before: documents(keysText('2026'), ...AROUND),
    failing: documents(keysText('2027', '2026'), ...AROUND),
    corrected: documents(keysText('2026', '2027'), ...AROUND),
  },
  check: (change) => {
    const [before, after] = changedKeys(change) ?? [];
    return !before || !after || hasKey(before.known, after.signer) ? [] : [{
      path: after.path,
      message: `the key "${after.signer.name}" is new and signs: an API server signs with it at once, and another one that has not read it yet refuses those tokens`,
      fix: `put it after "${before.signer.name}", and first in a later change, when every API server has read it`,
    }];
  },
};

const REMOVED: TransitionRule = {
  id: 'TC-CHANGE-SERVICE-ACCOUNT-REMOVED-KEY',
  title: 'A key must stay until no token that was signed with it is in use.',
  source: SOURCE,
  kinds: [EXTERNAL_SECRET],
  trap: true,
  example: changedText(
    documents(keysText('2027', '2026'), ...AROUND), { [keysText('2027', '2026')]: keysText('2027') },
    { [keysText('2027', '2026')]: keysText('2027').replace('  namespace: tenant-acme\n', `  namespace: tenant-acme\n  annotations: {${SIGNED_ANNOTATION}: "2027"}\n`) },
  ),
  check: (change) => {
    const [before, after] = changedKeys(change) ?? [];
    if (!before || !after) return [];
    const isStated = before.signer.entry === after.signer.entry
      && stringAt(change.after, 'metadata', 'annotations', SIGNED_ANNOTATION) === after.signer.name;
    return before.known.filter((key) => !hasKey(after.known, key) && !isStated).map(({ entry, name }): Finding => ({
      path: after.path,
      message: `the key "${name}" is gone: tokens that were signed with it are refused`,
      fix: entry === before.signer.entry
        ? 'keep it as the second one until no token that it signed is in use'
        : `wait until all tokens in use are signed with "${after.signer.name}", and say so: annotation ${SIGNED_ANNOTATION}: "${after.signer.name}" (tokensSignedWith in a page)`,
    }));
  },
};

/** Changes of the keys for tokens of ServiceAccounts. */
export const SERVICE_ACCOUNT_CHANGES: readonly TransitionRule[] = [FIRST, REMOVED];
