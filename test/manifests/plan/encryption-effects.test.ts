import { load } from 'js-yaml';
import { effectsIn, planned } from './tenant-pages';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';

const CLUSTER = load(`
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}
`) as ManifestObject;

/** A control plane whose API servers have the Secret as a file. */
function controlPlane(args: readonly string[] = ['--encryption-provider-config-automatic-reload=true'], mount = 'readOnly: true'): ManifestObject {
  return load(`
apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata: {name: acme, namespace: tenant-acme, labels: {cluster.x-k8s.io/cluster-name: acme}}
spec:
  version: v1.35.4
  deployment: {extraVolumes: [{name: encryption-config, secret: {secretName: acme-encryption}}]}
  apiServer:
    extraArgs: ${JSON.stringify(['--encryption-provider-config=/etc/kubernetes/encryption-config/config.yaml', ...args])}
    extraVolumeMounts: [{name: encryption-config, mountPath: /etc/kubernetes/encryption-config, ${mount}}]
`) as ManifestObject;
}

interface KeyOptions {
  readonly annotations?: object;
  readonly resources?: string;
  readonly place?: string;
}

/** An ExternalSecret with keys in their order. */
function external(names: string, { annotations = {}, resources = 'secrets', place = 'tenants/acme' }: KeyOptions = {}): ManifestObject {
  const keys = names.split(' ').filter((name) => name !== '');
  return load(`
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: acme-encryption, namespace: tenant-acme, labels: {cluster.x-k8s.io/cluster-name: acme}, annotations: ${JSON.stringify(annotations)}}
spec:
  secretStoreRef: {kind: SecretStore, name: vault}
  data: ${JSON.stringify(keys.map((name) => ({ secretKey: name, remoteRef: { key: place, property: name } })))}
  target:
    name: acme-encryption
    template:
      data:
        config.yaml: |
          apiVersion: apiserver.config.k8s.io/v1
          kind: EncryptionConfiguration
          resources:
            - resources: [${resources}]
              providers:
                - secretbox:
                    keys:
${keys.map((name) => `                      - {name: "${name}", secret: '{{ index . "${name}" }}'}\n`).join('')}                - identity: {}
`) as ManifestObject;
}

function effects(before: ManifestObject, after: ManifestObject, plane = controlPlane()): unknown {
  return Object.values(effectsIn(planned([CLUSTER, plane, before], [CLUSTER, plane, after]).clusters[0]));
}

const READ = 'each API server of acme reads the file by itself, within three minutes and without a restart';

test.each<[string, ManifestObject, ManifestObject, string]>([
  ['a new key', external('a'), external('a b'), `in place (key b decrypts secrets, and does not encrypt yet; ${READ}; next, when every API server has the file: put key b first)`],
  ['the swap', external('a b'), external('b a'),
    `in place (key b encrypts secrets instead of key a; ${READ}; next, when every API server has the file: write all secrets again with key b, and only then remove key a)`],
  ['the end', external('b a'), external('b', { annotations: { 'cdk8s-cluster-api/rewritten-with': 'b' } }), `in place (key a is gone; ${READ})`],
  ['what is written again', external('b a'), external('b a', { annotations: { 'cdk8s-cluster-api/rewritten-with': 'b' } }), 'in place (the keys for encryption stay)'],
  ['more resources', external('a'), external('a', { resources: 'secrets, configmaps' }), `in place (key a encrypts configmaps from now on; ${READ})`],
  ['another entry of the store', external('a'), external('a', { place: 'tenants/other' }),
    'unknown (key a comes from another entry of the store: with another value, what was written with it cannot be read)'],
])('keys for encryption: %s', (_, before, after, expected) => {
  expect(effects(before, after)).toEqual([[expected]]);
});

test('keys for encryption: a resource that is named no more is not encrypted, and cannot be read', () => {
  expect(effects(external('a', { resources: 'secrets, configmaps' }), external('a'))).toEqual([[
    expect.stringContaining('TC-CHANGE-ENCRYPTION-REMOVED-KEY'), `in place (configmaps are not encrypted any more; ${READ})`,
  ]]);
});

test('keys for encryption: what API servers read depends on their arguments', () => {
  expect(effects(external('a'), external('a b'), controlPlane([]))).toEqual([[expect.stringMatching(/^new ones only \(.*; API servers of acme read the file when they start; next, /)]]);
});

test('keys for encryption: with the former key that goes in the swap, nothing is left to write again', () => {
  expect(effects(external('a b'), external('b', { annotations: { 'cdk8s-cluster-api/rewritten-with': 'b' } }))).toEqual([[
    expect.stringContaining('TC-CHANGE-ENCRYPTION-REMOVED-KEY'),
    `in place (key b encrypts secrets instead of key a; key a is gone: what was written with it until now cannot be read; ${READ})`,
  ]]);
});

describe('keys for encryption: API servers read', () => {
  const STARTS = /^new ones only \(.*; API servers of acme read the file when they start; next, /;
  const NO_READER = /^unknown \(.*; the API server that reads the Secret acme-encryption is not among the manifests; next, /;
  const plane = (edit: (spec: any) => void): ManifestObject => {
    const made = controlPlane();
    edit(made.spec);
    return made;
  };

  test.each<[string, ManifestObject, RegExp]>([
    ['by a flag without a value', controlPlane(['--encryption-provider-config-automatic-reload']), /^in place /],
    ['by no flag that is false', controlPlane(['--encryption-provider-config-automatic-reload=false']), STARTS],
    ['by the last of two flags', controlPlane(['--encryption-provider-config-automatic-reload=true', '--encryption-provider-config-automatic-reload=0']), STARTS],
    ['no file of a subPath again', plane((spec) => {
      spec.apiServer.extraVolumeMounts = [{ name: 'encryption-config', mountPath: '/etc/kubernetes/encryption-config/config.yaml', subPath: 'config.yaml' }];
    }), STARTS],
    ['a projected volume', plane((spec) => {
      spec.deployment.extraVolumes = [{ name: 'encryption-config', projected: { sources: [{ secret: { name: 'acme-encryption' } }] } }];
    }), /^in place /],
    ['no volume that they do not mount', plane((spec) => { delete spec.apiServer.extraVolumeMounts; }), NO_READER],
    ['no Secret of another volume', plane((spec) => {
      spec.deployment.extraVolumes = [{ name: 'encryption-config', secret: { secretName: 'other' } }, { name: 'unused', secret: { secretName: 'acme-encryption' } }];
    }), NO_READER],
    ['no Secret that a container beside them reads', plane((spec) => {
      spec.deployment.extraVolumes = [];
      spec.deployment.extraContainers = [{ name: 'beside', env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'acme-encryption', key: 'a' } } }] }];
    }), NO_READER],
  ])('%s', (_, reader, expected) => expect(effects(external('a'), external('a b'), reader)).toEqual([[expect.stringMatching(expected)]]));

  test('the file of a TenantControlPlane', () => {
    const tenant = load(`
apiVersion: kamaji.clastix.io/v1alpha1
kind: TenantControlPlane
metadata: {name: acme, namespace: tenant-acme, labels: {cluster.x-k8s.io/cluster-name: acme}}
spec:
  kubernetes: {version: v1.35.4}
  controlPlane:
    service: {serviceType: LoadBalancer}
    deployment:
      additionalVolumes: [{name: keys, secret: {secretName: acme-encryption}}]
      additionalVolumeMounts: {apiServer: [{name: keys, mountPath: /keys}]}
      extraArgs: {apiServer: [--encryption-provider-config=/keys/config.yaml, --encryption-provider-config-automatic-reload=true]}
`) as ManifestObject;
    expect(effects(external('a'), external('a b'), tenant)).toEqual([[expect.stringContaining(READ)]]);
  });
});

test('keys for encryption: what else changes is unknown', () => {
  const other = external('a b');
  (other as any).spec.secretStoreRef.name = 'other';

  expect(effects(external('a'), other)).toEqual([[expect.stringMatching(/^in place/), 'unknown (spec.secretStoreRef.name vault -> other)']]);
});
