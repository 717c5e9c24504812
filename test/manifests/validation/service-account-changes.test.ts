import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { CLUSTER_TEXT, CONTROL_PLANE_TEXT } from '../../../src/manifests/rules/references/examples';
import { effectsIn, planned } from '../plan/tenant-pages';
import { changesBetween } from '../rules/changes/changes';
import { objectsIn } from '../rules/rules-under-test';

const KAMAJI = objectsIn(`${CLUSTER_TEXT}---\n${CONTROL_PLANE_TEXT}`);
const KUBEADM = objectsIn(`${CLUSTER_TEXT.replace('KamajiControlPlane, name: acme', 'KubeadmControlPlane, name: acme-1')}---\n${CONTROL_PLANE_TEXT
  .replace('KamajiControlPlane', 'KubeadmControlPlane').replace('v1alpha2', 'v1beta2').replace('name: acme\n', 'name: acme-1\n')}`);

/** An ExternalSecret with public keys and the one that signs, by default the first. */
function external(known: string, { signer, signed, target = 'acme-sa-certificate', fields = ['sa.pub', 'sa.key'] }: {
  signer?: string; signed?: string; target?: string; fields?: string[];
} = {}): ManifestObject {
  const names = known.split(' ');
  const of = (name: string, field: string) => ({ secretKey: `${name}.${field}`, remoteRef: { key: `acme/${name}`, property: `sa.${field}` } });
  const signs = signer ?? names[0];
  return {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { name: 'keys', namespace: 'tenant-acme', ...(signed !== undefined && { annotations: { 'cdk8s-cluster-api/tokens-signed-with': signed } }) },
    spec: {
      secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
      target: { name: target, template: { data: { [fields[0]]: names.map((name) => `{{ index . "${name}.pub" }}`).join('\n'), [fields[1]]: `{{ index . "${signs}.key" }}` } } },
      data: [...names.map((name) => of(name, 'pub')), of(signs, 'key')],
    },
  };
}

const found = (before: ManifestObject, after: ManifestObject, around = KAMAJI) => changesBetween([...around, before], [...around, after])
  .map(({ rule, message }) => `${rule.id.replace('TC-CHANGE-SERVICE-ACCOUNT-', '')} ${message.split(' ').slice(0, 3).join(' ')}`);

test('a rotation in its three steps is accepted', () => {
  const steps = [external('a'), external('a b'), external('b a'), external('b', { signed: 'b' }), external('b c', { signed: 'b' })];

  for (let index = 1; index < steps.length; index++) expect(found(steps[index - 1], steps[index])).toEqual([]);
});

test.each<[string, ManifestObject, ManifestObject, string[]]>([
  ['a new key signs', external('a'), external('b a'), ['FIRST-KEY the key "b"']],
  ['a key is exchanged', external('a'), external('b'), ['FIRST-KEY the key "b"', 'REMOVED-KEY the key "a"']],
  ['a new key signs from the second place', external('a'), external('a b', { signer: 'b' }), ['FIRST-KEY the key "b"']],
  ['keys are swapped and one goes', external('a b'), external('b', { signed: 'b' }), ['REMOVED-KEY the key "a"']],
  ['an old key goes', external('b a'), external('b'), ['REMOVED-KEY the key "a"']],
  ['tokens of another key are in use', external('b a'), external('b', { signed: 'a' }), ['REMOVED-KEY the key "a"']],
])('%s: refused', (_, before, after, expected) => {
  expect(found(before, after)).toEqual(expected);
});

test('keys are those of their entries, under any name', () => {
  const before = external('a');
  const after = JSON.parse(JSON.stringify(before).replaceAll('a.pub', 'first').replaceAll('a.key', 'first_key'));

  expect(found(before, after)).toEqual([]);
});

test('another Secret, and that of another cluster, is not looked at', () => {
  expect(found(external('a', { target: 'other' }), external('b', { target: 'other' }))).toEqual([]);
  expect(found(external('a'), external('b'), [])).toEqual([]);
});

test('with kubeadm the Secret is that of the Cluster', () => {
  const options = { target: 'acme-sa', fields: ['tls.crt', 'tls.key'] };

  expect(found(external('a', options), external('b a', options), KUBEADM)).toEqual(['FIRST-KEY the key "b"']);
  expect(found(external('a', options), external('a b', options), KUBEADM)).toEqual([]);
});

describe('the plan names the next step, and what it waits for', () => {
  const effects = (before: ManifestObject, after: ManifestObject, around = KAMAJI) => (
    effectsIn(planned([...around, before], [...around, after]).clusters[0]));

  test.each<[string, ManifestObject, ManifestObject, string]>([
    ['a new key', external('a'), external('a b'), 'pods replaced (key b verifies tokens; next, when all pods of acme are new: put b first)'],
    ['the swap', external('a b'), external('b a'),
      'pods replaced (key b signs tokens instead of a; next, a day after all pods of acme are new, and when tokens of longer life are renewed: remove a)'],
    ['the end', external('b a'), external('b', { signed: 'b' }), 'pods replaced (key a is gone; done when all pods of acme are new)'],
    ['what is signed', external('b a'), external('b a', { signed: 'b' }), 'in place (the keys of acme for tokens stay)'],
  ])('%s', (_, before, after, expected) => {
    expect(Object.values(effects(before, after))).toEqual([[expected]]);
  });

  test('of machines that have files', () => {
    const options = { target: 'acme-sa', fields: ['tls.crt', 'tls.key'] };

    expect(Object.values(effects(external('a', options), external('a b', options), KUBEADM))).toEqual([[
      'new ones only (key b verifies tokens; next, when all machines of acme-1 are younger than the Secret (rollout.after): put b first)',
    ]]);
  });

  test('what else changes is unknown', () => {
    const other = external('a b');
    (other as any).spec.secretStoreRef.name = 'other';

    expect(Object.values(effects(external('a'), other))[0]).toEqual([
      expect.stringMatching(/^pods replaced/), 'unknown (spec.secretStoreRef.name vault -> other)',
    ]);
  });
});
