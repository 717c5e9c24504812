import { AWS_FACTS } from '../../../src/manifests/systems/aws/pool-sizes';
import { CERT_MANAGER } from '../../../src/manifests/systems/cert-manager/provider';
import { CLUSTER_API_OPERATOR } from '../../../src/manifests/systems/cluster-api-operator/provider';
import { EXTERNAL_SECRETS } from '../../../src/manifests/systems/external-secrets/provider';
import { GATEWAY_API } from '../../../src/manifests/systems/gateway-api/provider';
import { INGRESS_NGINX } from '../../../src/manifests/systems/ingress-nginx/provider';
import { ACCESS_MODE_OF_PROFILE, DATA_VOLUME_SPEC } from '../../../src/manifests/systems/kubevirt/rules/disks';
import { VIRTUAL_MACHINES } from '../../../src/manifests/systems/kubevirt/rules/virtual-machines';
import { METAL3_REMEDIATION } from '../../../src/manifests/systems/metal3/remediation';
import { METALLB } from '../../../src/manifests/systems/metallb/provider';
import { PROMETHEUS_OPERATOR } from '../../../src/manifests/systems/prometheus-operator/provider';
import { ROOK } from '../../../src/manifests/systems/rook/provider';
import { SEALED_SECRETS } from '../../../src/manifests/systems/sealed-secrets/provider';
import { SNAPSHOTS } from '../../../src/manifests/systems/snapshots/provider';
import { findings, objectsIn, testRules } from '../rules/rules-under-test';
import { SchemaValidator } from '../schema/validate';

const RULES = [
  ...[CLUSTER_API_OPERATOR, CERT_MANAGER, SNAPSHOTS, METALLB, EXTERNAL_SECRETS, GATEWAY_API, INGRESS_NGINX, PROMETHEUS_OPERATOR, ROOK, SEALED_SECRETS]
    .flatMap(({ rules = [] }) => rules),
  ACCESS_MODE_OF_PROFILE,
  DATA_VOLUME_SPEC,
  ...VIRTUAL_MACHINES,
  METAL3_REMEDIATION,
  ...AWS_FACTS.rules ?? [],
];

testRules(RULES);

const validator = SchemaValidator.load();

const provider = (spec: string) => `apiVersion: operator.cluster.x-k8s.io/v1alpha2\nkind: CoreProvider\nmetadata: {name: a, namespace: t}\nspec: ${spec}\n`;
const issuer = (venafi: string) => `apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: a, namespace: t}\nspec: {venafi: ${venafi}}\n`;
const snapshot = (spec: string) => `apiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshot\nmetadata: {name: a, namespace: t}\nspec: ${spec}\n`;
const content = (spec: string) => `apiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshotContent\nmetadata: {name: a}\nspec: {deletionPolicy: Retain, driver: d, ${spec}}\n`;
const profile = (modes: string) => `apiVersion: cdi.kubevirt.io/v1beta1\nkind: StorageProfile\nmetadata: {name: a}\nspec: {claimPropertySets: [{accessModes: ${modes}, volumeMode: Block}]}\n`;
const peer = (time: string) => `apiVersion: metallb.io/v1beta2\nkind: BGPPeer\nmetadata: {name: a, namespace: t}\nspec: {myASN: 1, connectTime: ${time}}\n`;
const advertisement = (spec: string) => `apiVersion: metallb.io/v1beta1\nkind: BGPAdvertisement\nmetadata: {name: a, namespace: t}\nspec: ${spec}\n`;
const machine = (source: string) => `apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a, namespace: t}\nspec: {runStrategy: Always, template: {spec: {domain: {memory: {guest: 1Gi}, devices: {}}, volumes: [{name: v, containerPath: ${source}}]}}}\n`;
const REF = 'volumeSnapshotRef: {name: a, namespace: b}';

// Objects that the definitions refuse are refused here, and no others.
test.each([
  [provider('{}'), true],
  [provider('{fetchConfig: {url: a}}'), true],
  [provider('{fetchConfig: {}}'), false],
  [provider('{fetchConfig: {selector: {}, oci: a}}'), false],
  [provider('{patches: [], manifestPatches: []}'), false],
  [provider('{manifestPatches: []}'), true],
  [issuer('{zone: a, cloud: {apiTokenSecretRef: {name: b}}}'), true],
  [issuer('{zone: a}'), false],
  [snapshot('{source: {}}'), false],
  [snapshot('{source: {volumeSnapshotContentName: a}}'), true],
  [snapshot('{source: {persistentVolumeClaimName: a}, volumeSnapshotClassName: ""}'), false],
  [content(`source: {volumeHandle: a}, ${REF}`), true],
  [content(`source: {volumeHandle: a, snapshotHandle: b}, ${REF}`), false],
  [content('source: {volumeHandle: a}, volumeSnapshotRef: {namespace: b}'), false],
  [content('source: {volumeHandle: a}, volumeSnapshotRef: {name: "", namespace: b}'), true],
  [profile('[ReadWriteOncePod, ReadOnlyMany]'), true],
  [profile('[ReadWriteOnce, readonlymany]'), false],
  [peer('1s'), true],
  [peer('18h12m15s'), true],
  [peer('18h12m16s'), false],
  [peer('999ms'), false],
  [peer('0s'), false],
  [advertisement('{aggregationLength: 24}'), true],
  [advertisement('{serviceSelectors: [], aggregationLength: 24}'), true],
  [advertisement('{serviceSelectors: [{}], aggregationLength: 32, aggregationLengthV6: 128}'), true],
  [advertisement('{serviceSelectors: [{}], aggregationLengthV6: 64}'), false],
  [machine('{path: /a}'), true],
  [machine('{path: a}'), false],
  [machine('{path: /a/../b}'), false],
  [machine('{path: /a, readOnly: false}'), false],
])('%s', (text, isTaken) => {
  const known = objectsIn(text).filter(({ apiVersion, kind }) => validator.knows(String(apiVersion), String(kind)));

  expect(known.flatMap((object) => validator.validate(object)).length === 0).toBe(isTaken || known.length === 0);
  expect(findings(RULES, text).length === 0).toBe(isTaken);
});

test.each([
  ['v1.16.0', 'vultr-vultr', 'v0.4.0', 1],
  ['v1.16.0', 'vultr-vultr', 'v0.5.0', 0],
  ['v1.16.0', 'kubevirt', 'v0.11.2', 1],
  ['v1.16.0', 'kubevirt', 'v0.12.0', 0],
  ['v1.15.3', 'vultr-vultr', 'v0.4.0', 0],
])('Cluster API %s works with the provider %s %s, or does not', (core, name, version, found) => {
  const other = provider(`{version: ${version}}`).replace('CoreProvider', 'InfrastructureProvider').replace('name: a', `name: ${name}`);

  expect(findings(RULES, `${provider(`{version: ${core}}`)}---\n${other}`)).toHaveLength(found);
});

test.each([
  ['{}', 0], ['{type: Reboot, retryLimit: 1, timeout: 100s}', 0], ['{timeout: 0s}', 0],
  ['{type: Reboot, timeout: 1m}', 1], ['{type: PowerCycle, timeout: 10m}', 1],
])('remediation by Metal3: %s', (strategy, count) => {
  const text = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: Metal3RemediationTemplate\nmetadata: {name: a, namespace: t}\nspec: {template: {spec: {strategy: ${strategy}}}}\n`;

  expect(findings(RULES, text)).toHaveLength(count);
});
