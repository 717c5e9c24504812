import * as fc from 'fast-check';
import { findingsOf, textsOf } from './findings-of';
import { ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { checkStructure } from '../../../../src/manifests/rules/structure/check-structure';
import { FileNode } from '../../../../src/manifests/rules/structure/kind-structure';
import { kindsOf, structureOf } from '../../../../src/manifests/rules/structure/structures';
import { registerProviders } from '../../../../src/manifests/systems/providers';
import { amount } from '../../../support/sample';
import { CrdSchemas } from '../../schema/crd-schemas';
import {
  changed, CLUSTER, ETCD_DATA_STORE, HELM_RELEASE, KAMAJI_CONTROL_PLANE, KUBEADM_CONFIG_TEMPLATE, KUBEVIRT_MACHINE_TEMPLATE, MACHINE_HEALTH_CHECK,
} from '../../schema/samples';
import { Json, JsonObject } from '../../schema/structural-schema';

const SAMPLES = [
  CLUSTER, ETCD_DATA_STORE, HELM_RELEASE, KAMAJI_CONTROL_PLANE, KUBEADM_CONFIG_TEMPLATE, KUBEVIRT_MACHINE_TEMPLATE, MACHINE_HEALTH_CHECK,
];

test.each(SAMPLES)('finds nothing in a good $kind', (object) => {
  expect(findingsOf(object)).toEqual([]);
});

test('leaves out what a webhook writes over before the server looks', () => {
  const placesIn = (object: JsonObject) => findingsOf(object).map(({ path }) => path.join('.'));
  const pool = (rollout: Json, label = 'x y') => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: 'a', labels: { 'cluster.x-k8s.io/cluster-name': label, 'example.com/x': 'y' } },
    spec: { clusterName: 'a', rollout, template: { spec: { clusterName: 'a', bootstrap: { dataSecretName: 'a' }, infrastructureRef: { apiGroup: 'a.b', kind: 'A', name: 'a' } } } },
  });
  for (const rollout of [{}, { strategy: {} }, { strategy: { type: '' } }, { strategy: { type: 'RollingUpdate', rollingUpdate: {} } }] as Json[]) expect(placesIn(pool(rollout))).toEqual([]);
  expect(placesIn(pool({ strategy: { type: 'OnDelete', rollingUpdate: {} } }))).toEqual(['spec.rollout.strategy.rollingUpdate']);
  expect(placesIn(pool({ strategy: { type: 'rollingupdate' } }))).toEqual(['spec.rollout.strategy.type']);
  expect(placesIn(pool(''))).toEqual(['spec.rollout']);
  expect(placesIn({ ...MACHINE_HEALTH_CHECK, metadata: { name: 'a', labels: { 'example.com/x': 'x y' } } })).toEqual(['metadata.labels.example.com/x']);
  expect(placesIn(changed(MACHINE_HEALTH_CHECK, { 'spec.checks': {} }))).toEqual([]);
});

test.each<[strategy: string | undefined, places: string[]]>([
  [undefined, []], ['', []], ['Reconcile', []], ['Sometimes', ['spec.strategy']],
])('the strategy %j of a ClusterResourceSet, which a webhook fills in', (strategy, places) => {
  const set = { apiVersion: 'addons.cluster.x-k8s.io/v1beta2', kind: 'ClusterResourceSet', metadata: { name: 'a' } };
  const spec = { clusterSelector: { matchLabels: { a: 'b' } }, resources: [{ kind: 'Secret', name: 'a' }], strategy };
  expect(findingsOf({ ...set, spec }).map(({ path }) => path.join('.'))).toEqual(places);
});

test('leaves out what a webhook fills in before the server looks', () => {
  const pool = (kind: string) => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2', kind, metadata: { name: 'a' }, spec: { clusterName: 'a', template: { spec: {} } },
  });
  const places = (object: JsonObject) => checkStructure(object, structureOf('cluster.x-k8s.io', String(object.kind))!).map(({ path }) => path.join('.'));

  for (const kind of ['MachineDeployment', 'MachineSet']) expect(places(pool(kind))).not.toContain('spec.selector');
  expect(places(pool('MachineHealthCheck'))).toContain('spec.selector');
});

const COMPLETE: JsonObject = { replicas: 1, rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } } };

test.each<[why: string, version: string, spec: JsonObject, found: string[]]>([
  ['the selector, which upstream templates leave to the webhook', 'v1beta2', { selector: { matchLabels: null } }, []],
  ['what counts', 'v1beta2', { replicas: null, rollout: { strategy: { rollingUpdate: { maxSurge: null, maxUnavailable: null } } } }, []],
  ['labels of machines', 'v1beta2', { template: { metadata: {} } }, []],
  ['a label without a value', 'v1beta2', { selector: { matchLabels: { a: null } }, template: { metadata: { labels: { a: null } } } }, []],
  ['a label without a value, where a webhook has nothing to write', 'v1beta2', { ...COMPLETE, template: { metadata: { labels: { a: null } } } }, ['spec.template.metadata.labels.a']],
  ['a field that no webhook writes', 'v1beta2', { paused: null, template: { metadata: { annotations: {} } } }, ['spec.paused']],
  ['bounds of a rollout that has none', 'v1beta2', { rollout: { strategy: { type: 'OnDelete', rollingUpdate: { maxSurge: null } } } },
    ['spec.rollout.strategy.rollingUpdate', 'spec.rollout.strategy.rollingUpdate.maxSurge']],
  ['a number that is an object', 'v1beta2', { replicas: {} }, ['spec.replicas']],
  ['any field of a version that is converted', 'v1beta1', { paused: null, minReadySeconds: null, selector: { matchLabels: null } }, []],
  ['a required field of a version that is converted', 'v1beta1', { clusterName: null }, ['spec.clusterName']],
])('null in a MachineDeployment: %s', (_, version, spec, found) => {
  const object = {
    apiVersion: `cluster.x-k8s.io/${version}`,
    kind: 'MachineDeployment',
    metadata: { name: 'a', labels: { 'cluster.x-k8s.io/cluster-name': 'a' } },
    spec: { clusterName: 'a', selector: {}, ...spec, template: { spec: { clusterName: 'a', bootstrap: { dataSecretName: 'a' }, infrastructureRef: { name: 'a' } }, ...spec.template as JsonObject } },
  };
  const infrastructure = 'spec.template.spec.infrastructureRef.';
  expect(findingsOf(object).map(({ path }) => path.join('.')).filter((place) => !place.startsWith(infrastructure)).sort()).toEqual(found);
});

test.each<[why: string, spec: JsonObject, isFound: boolean]>([
  ['that needs no change', {}, true],
  ['with all of a strategy', { rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0 } } }, true],
  ['with no strategy, which its schema writes', { rolloutStrategy: null }, true],
  ['without replicas', { replicas: null }, false],
  ['with a version that the webhook completes', { version: '1.34.2' }, false],
  ['with part of a strategy', { rolloutStrategy: { type: 'RollingUpdate' } }, false],
  ['with a strategy without a type', { rolloutStrategy: { rollingUpdate: { maxSurge: 1 } } }, false],
])('null in a control plane of the former version %s', (_, spec, isFound) => {
  const found = findingsOf({
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1',
    kind: 'KubeadmControlPlane',
    metadata: { name: 'a' },
    spec: { replicas: 3, version: 'v1.34.2', kubeadmConfigSpec: { clusterConfiguration: { controllerManager: { extraArgs: null } } }, ...spec },
  }).map(({ path }) => path.join('.'));
  expect(found.includes('spec.kubeadmConfigSpec.clusterConfiguration.controllerManager.extraArgs')).toBe(isFound);
});

test('null in other kinds whose webhooks fill it in', () => {
  const places = (kind: string, spec: JsonObject) => findingsOf({
    apiVersion: `${kind === 'KubeadmControlPlane' ? 'controlplane.' : ''}cluster.x-k8s.io/v1beta2`, kind, metadata: { name: 'a' }, spec,
  }).map(({ path }) => path.join('.'));
  expect(findingsOf(changed(MACHINE_HEALTH_CHECK, { 'spec.checks.nodeStartupTimeoutSeconds': null, 'spec.selector.matchLabels': { a: null } }))).toEqual([]);
  expect(places('KubeadmControlPlane', { replicas: null })).not.toContain('spec.replicas');
  expect(places('MachinePool', { replicas: null })).not.toContain('spec.replicas');
  expect(places('Machine', { deletion: { nodeDeletionTimeoutSeconds: null, nodeDrainTimeoutSeconds: null } })).toEqual(
    expect.arrayContaining(['spec.deletion.nodeDrainTimeoutSeconds']));
});

test.each<[what: string, object: JsonObject, found: string[]]>([
  ['the port of a cluster of Metal3', { kind: 'Metal3Cluster', spec: { controlPlaneEndpoint: { host: '192.0.2.1' } } }, []],
  ['a port that is none', { kind: 'Metal3Cluster', spec: { controlPlaneEndpoint: { host: '192.0.2.1', port: 'a' } } }, ['spec.controlPlaneEndpoint.port']],
  ['the host, which no webhook writes', { kind: 'Metal3Cluster', spec: { controlPlaneEndpoint: { port: 6443 } } }, ['spec.controlPlaneEndpoint.host']],
])('required fields that the webhook of a provider sets: %s', (_, object, found) => {
  registerProviders();
  const whole = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', metadata: { name: 'acme' }, ...object };

  expect(findingsOf(whole as ManifestObject).map(({ path }) => path.join('.'))).toEqual(found);
});

const DISRUPTION_BUDGET: JsonObject = {
  apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'a', namespace: 'a' }, spec: { maxUnavailable: 1 },
};
const JOB: JsonObject = {
  apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:v1' }] } } },
};
const registration = 'spec.template.spec.joinConfiguration.nodeRegistration';

type Case = [why: string, object: JsonObject, changes: Record<string, Json | undefined>, found: string[]];

test.each<Case>([
  ['a slip of the hand', CLUSTER, { 'spec.clusterNetwork.apiServerPrt': 6443 },
    ['TC-ADMIT-FIELD-UNKNOWN spec.clusterNetwork.apiServerPrt: there is no field "apiServerPrt" here | apiServerPort, pods, serviceDomain, services'
      + ' | remove it, or move it to where it belongs']],
  ['a slip of the hand in a field that is not there in the right spelling', CLUSTER,
    { 'spec.clusterNetwork.apiServerPort': undefined, 'spec.clusterNetwork.apiServerPrt': 6443 },
    ['TC-ADMIT-FIELD-UNKNOWN spec.clusterNetwork.apiServerPrt: there is no field "apiServerPrt" here | apiServerPort, pods, serviceDomain, services'
      + ' | did you mean "apiServerPort"?']],
  ['a field that is indented too little', CLUSTER, { 'spec.apiServerPort': 6443 },
    [expect.stringMatching(/^TC-ADMIT-FIELD-UNKNOWN spec\.apiServerPort: .* \| move it into "clusterNetwork"$/) as string]],
  ['a field that is indented too much', CLUSTER, { 'spec.clusterNetwork.paused': true },
    [expect.stringMatching(/^TC-ADMIT-FIELD-UNKNOWN spec\.clusterNetwork\.paused: .* \| move it out of "clusterNetwork", to the level above$/) as string]],
  ['a field of another version', CLUSTER, { 'spec.controlPlaneRef.namespace': 'tenant-acme' },
    ['TC-ADMIT-FIELD-UNKNOWN spec.controlPlaneRef.namespace: "namespace" is a field of v1beta1, and v1beta2 has none of this name here'
      + ' | apiGroup, kind, name | write what v1beta2 has in its place, or leave it out']],
  ['a field at the root', CLUSTER, { data: {} },
    ['TC-ADMIT-FIELD-UNKNOWN data: there is no field "data" here | apiVersion, kind, metadata, spec, status | remove it, or move it to where it belongs']],
  ['a field whose name JavaScript has a meaning for', CLUSTER, { 'spec.constructor': {} },
    [expect.stringMatching(/^TC-ADMIT-FIELD-UNKNOWN spec\.constructor: /) as string]],
  ['a string in place of a number', KAMAJI_CONTROL_PLANE, { 'spec.replicas': '2' },
    ['TC-ADMIT-FIELD-TYPE spec.replicas: "2" is not a whole number | take the quotes off']],
  ['a number in place of a string', KAMAJI_CONTROL_PLANE, { 'spec.version': 1.35 },
    ['TC-ADMIT-FIELD-TYPE spec.version: 1.35 is not a string | put it in quotes']],
  ['an object in place of a list', KUBEADM_CONFIG_TEMPLATE, { [`${registration}.kubeletExtraArgs`]: { 'cloud-provider': 'external' } },
    [`TC-ADMIT-FIELD-TYPE ${registration}.kubeletExtraArgs: an object with cloud-provider is not a list`
      + ' | write a list of names and values: [{name: "cloud-provider", value: "external"}]']],
  ['a list in place of an object', CLUSTER, { 'spec.clusterNetwork': ['10.244.0.0/16'] },
    ['TC-ADMIT-FIELD-TYPE spec.clusterNetwork: a list of 1 is not an object | write fields, without a dash before them']],
  ['a string in place of true', CLUSTER, { 'spec.paused': 'true' }, ['TC-ADMIT-FIELD-TYPE spec.paused: "true" is not true or false | take the quotes off']],
  ['true where an integer or a string belongs', MACHINE_HEALTH_CHECK, { 'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo': true },
    ['TC-ADMIT-FIELD-TYPE spec.remediation.triggerIf.unhealthyLessThanOrEqualTo: true is not a whole number or a string'
      + ' | write a whole number or a string']],
  ['a required field that is missing', CLUSTER, { 'spec.controlPlaneRef.name': undefined },
    ['TC-ADMIT-FIELD-REQUIRED spec.controlPlaneRef.name: it is required, and it is not there | a string | add "name"']],
  ['a required field that is null', CLUSTER, { 'spec.controlPlaneRef.name': null },
    ['TC-ADMIT-FIELD-REQUIRED spec.controlPlaneRef.name: it is required, and it is not there | a string | add "name"']],
  ['an entry that is null', CLUSTER, { 'spec.clusterNetwork.pods.cidrBlocks': [null] },
    ['TC-ADMIT-FIELD-TYPE spec.clusterNetwork.pods.cidrBlocks.0: null is not a string | write a string']],
  ['a value that is no choice', KAMAJI_CONTROL_PLANE, { 'spec.network.serviceType': 'External' },
    ['TC-ADMIT-FIELD-VALUE spec.network.serviceType: "External" is none of the choices | "ClusterIP", "NodePort", "LoadBalancer" | write one of the choices']],
  ['a number that is too large', CLUSTER, { 'spec.clusterNetwork.apiServerPort': 65536 },
    ['TC-ADMIT-FIELD-VALUE spec.clusterNetwork.apiServerPort: 65536 is too large | at least 1 and at most 65535 | write a number that is at least 1 and at most 65535']],
  ['a number that does not fit', KAMAJI_CONTROL_PLANE, { 'spec.replicas': 2 ** 31 },
    ['TC-ADMIT-FIELD-VALUE spec.replicas: 2147483648 does not fit into int32 | a number that fits into int32 | write a number that fits']],
  ['a number of which a server stores the last 32 bits', JOB, { 'spec.ttlSecondsAfterFinished': 99999999999 },
    ['TC-ADMIT-FIELD-OVERFLOW spec.ttlSecondsAfterFinished: 99999999999 does not fit into int32: server-side apply stores 1215752191'
      + ' | a number that fits into int32 | write a number that fits']],
  ['a number beside texts that a server cannot read', DISRUPTION_BUDGET, { 'spec.maxUnavailable': 2 ** 32 },
    ['TC-ADMIT-FIELD-VALUE spec.maxUnavailable: 4294967296 does not fit into int32 | a number that fits into int32 | write a number that fits']],
  ['a number whose last 32 bits are below zero', JOB, { 'spec.ttlSecondsAfterFinished': 2 ** 31 },
    ['TC-ADMIT-FIELD-VALUE spec.ttlSecondsAfterFinished: 2147483648 does not fit into int32 | a number that fits into int32 | write a number that fits']],
  ['a string that does not match', HELM_RELEASE, { 'spec.interval': '1d' },
    ['TC-ADMIT-FIELD-VALUE spec.interval: "1d" is not a duration in hours, minutes, seconds and milliseconds (h, m, s, ms)'
      + ' | a duration in hours, minutes, seconds and milliseconds (h, m, s, ms) | write one such as "1h30m"']],
  ['an empty text', KUBEADM_CONFIG_TEMPLATE, { [`${registration}.name`]: '' },
    [`TC-ADMIT-FIELD-VALUE ${registration}.name: it is empty | at least 1 character | write at least 1 character, or leave the field out`]],
  ['an empty list', KUBEADM_CONFIG_TEMPLATE, { 'spec.template.spec.preKubeadmCommands': [] },
    ['TC-ADMIT-FIELD-VALUE spec.template.spec.preKubeadmCommands: it is empty | at least 1 entry | write at least 1 entry, or leave the field out']],
  ['an empty object', CLUSTER, { 'spec.clusterNetwork': {} },
    ['TC-ADMIT-FIELD-VALUE spec.clusterNetwork: it is empty | at least 1 field | write at least 1 field, or leave the field out']],
  ['null, which server-side apply keeps', CLUSTER, { 'spec.paused': null },
    ['TC-ADMIT-FIELD-TYPE spec.paused: nothing is written, which is null | true or false'
      + ' | leave the field out: server-side apply stores null, and only other ways of writing an object drop it']],
  ['null in an object of strings', HELM_RELEASE, { 'spec.commonMetadata': { labels: { a: null } } },
    [expect.stringContaining('TC-ADMIT-FIELD-TYPE spec.commonMetadata.labels.a: nothing is written') as string]],
  ['a number too large for what a webhook reads', MACHINE_HEALTH_CHECK, { 'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo': 2 ** 31 },
    [expect.stringMatching(/^TC-ADMIT-FIELD-VALUE spec\.remediation\.triggerIf\.unhealthyLessThanOrEqualTo: 2147483648 does not fit into int32/) as string]],
  ['a number too large for a whole one', HELM_RELEASE, { 'spec.maxHistory': 1e20 },
    [expect.stringContaining('TC-ADMIT-FIELD-VALUE spec.maxHistory: 100000000000000000000 does not fit into int64') as string]],
  ['a number below zero of what can be scaled', KAMAJI_CONTROL_PLANE, { 'spec.replicas': -1 },
    ['TC-ADMIT-FIELD-VALUE spec.replicas: -1 is too small | at least 0 | write a number that is at least 0']],
  ['a time that is none, where a webhook reads it', CLUSTER, { 'metadata.creationTimestamp': 'yesterday' },
    [expect.stringContaining('TC-ADMIT-FIELD-METADATA metadata.creationTimestamp: "yesterday" is not a time') as string]],
  ['an object in which null is all there is', CLUSTER, { 'spec.clusterNetwork': { pods: null } },
    [expect.stringContaining('TC-ADMIT-FIELD-TYPE spec.clusterNetwork.pods') as string, 'TC-ADMIT-FIELD-VALUE spec.clusterNetwork: it is empty | at least 1 field | write at least 1 field, or leave the field out']],
  ['an entry of a set twice', KAMAJI_CONTROL_PLANE, { 'spec.kubelet.preferredAddressTypes': ['InternalIP', 'Hostname', 'InternalIP'] },
    ['TC-ADMIT-FIELD-DUPLICATE spec.kubelet.preferredAddressTypes.2: "InternalIP" is entry 0 once more | each one once | remove it']],
  ['the key of an entry twice', CLUSTER, { 'spec.availabilityGates': [{ conditionType: 'A' }, { conditionType: 'B' }, { conditionType: 'A', polarity: 'Negative' }] },
    ['TC-ADMIT-FIELD-DUPLICATE spec.availabilityGates.2: conditionType "A" is in entry 0 already | each one once | remove one of them, or merge them']],
  ['a version that is not served', CLUSTER, { apiVersion: 'cluster.x-k8s.io/v1alpha4' },
    ['TC-ADMIT-FIELD-VERSION apiVersion: "v1alpha4" of Cluster is not served by kubernetes-sigs/cluster-api v1.14.0'
      + ' | cluster.x-k8s.io/v1beta1, cluster.x-k8s.io/v1beta2 | write cluster.x-k8s.io/v1beta2, and the fields as that version has them']],
])('refuses %s', (_, object, changes, found) => {
  expect(textsOf(changed(object, changes))).toEqual(found);
});

test.each<[why: string, object: JsonObject, changes: Record<string, Json | undefined>]>([
  ['null where the field has a default', KAMAJI_CONTROL_PLANE, { 'spec.replicas': null }],
  ['null where the field may be null', KUBEVIRT_MACHINE_TEMPLATE, { 'spec.template.spec.virtualMachineTemplate.spec.template.metadata': null }],
  ['anything where the schema leaves it open', HELM_RELEASE, { 'spec.values': { a: [{ b: null }] } }],
  ['a status that the server ignores', CLUSTER, { status: { phase: 7, x: 1 } }],
  ['what a server adds', CLUSTER, { 'metadata.uid': 'a', 'metadata.creationTimestamp': null, 'metadata.resourceVersion': '7', 'metadata.generation': 1 }],
])('accepts %s', (_, object, changes) => {
  expect(findingsOf(changed(object, changes))).toEqual([]);
});

test('counts the length of a string in code points', () => {
  const content = (text: string) => findingsOf(changed(KUBEADM_CONFIG_TEMPLATE, { 'spec.template.spec.files': [{ path: '/etc/a', content: text }] }));
  expect(content('🐈'.repeat(10240))).toEqual([]);
  expect(content('a'.repeat(10241)).map(({ message }) => message)).toEqual(['it has 10241 characters']);
});

test('finds everything at once, and each thing where it stands', () => {
  const object = changed(CLUSTER, { 'metadata.name': 'Acme', 'spec.x': 1, 'spec.controlPlaneRef.kind': undefined, 'spec.clusterNetwork.apiServerPort': '1' });
  expect(findingsOf(object).map(({ path }) => path)).toEqual([
    ['metadata', 'name'], ['spec', 'clusterNetwork', 'apiServerPort'], ['spec', 'controlPlaneRef', 'kind'], ['spec', 'x'],
  ]);
});

test('shows values of any size shortly', () => {
  const list = Array.from({ length: 1e5 }, () => 'x');
  const found = textsOf(changed(CLUSTER, { 'spec.paused': 'x'.repeat(1e6), 'spec.clusterNetwork.pods': list, [`spec.${'y'.repeat(1e5)}`]: 1 }));
  expect(found).toHaveLength(3);
  for (const text of found.map((one) => one.replace(/y{1000,}/, ''))) expect(text.length).toBeLessThan(500);
});

test('knows every kind and version of the pinned definitions, and no other', () => {
  const served = CrdSchemas.load().all().map(({ apiVersion, kind }) => `${apiVersion}/${kind}`);
  for (const name of served) {
    const [group, version, kind] = name.split('/');
    expect(structureOf(group, kind)?.versions.has(version)).toBe(true);
  }
  expect(structureOf('cluster.x-k8s.io', 'Clutser')).toBeUndefined();
  expect(structureOf('apps', 'Deploymnet')).toBeUndefined();
  expect(structureOf('example.com', 'Widget')).toBeUndefined();
});

test.each(['../package', '../schemas/cluster.x-k8s.io', '/etc/passwd', '__proto__', 'constructor', 'x\0y'])('reads no file for the group %j', (group) => {
  expect(structureOf(group, 'name')).toBeUndefined();
});

test.each(['__proto__', 'constructor', 'toString'])('takes %s for the name of a kind or a version that is not there', (name) => {
  expect(structureOf('cluster.x-k8s.io', name)).toBeUndefined();
  expect(findingsOf({ ...CLUSTER, apiVersion: `cluster.x-k8s.io/${name}` }).map(({ rule }) => rule.id)).toEqual(['TC-ADMIT-FIELD-VERSION']);
});

/** Findings in the spec of a kind whose last node describes it. */
function foundInSpec(nodes: readonly FileNode[], spec: Json): string[] {
  const all: FileNode[] = [...nodes, { type: 'object', fields: { spec: nodes.length - 1 } }];
  const kinds = { Box: { release: 'box v1', plural: 'boxes', scope: 'Namespaced' as const, versions: { v1: nodes.length } } };
  const structure = kindsOf('example.com', { kinds, nodes: all }).get('Box')!;
  return checkStructure({ apiVersion: 'example.com/v1', kind: 'Box', metadata: { name: 'a' }, spec }, structure)
    .map(({ rule, path }) => `${rule.id} ${path.join('.')}`);
}

describe('an object inside another one', () => {
  const found = (object: Json) => foundInSpec([{ type: 'object', embedded: true, open: true }, { type: 'object', fields: { object: 0 } }], { object });

  test('needs a version and a kind, and no name', () => {
    expect(found({ apiVersion: 'v1', kind: 'Pod', spec: { x: 1 } })).toEqual([]);
    expect(found({ kind: '' })).toEqual(['TC-ADMIT-FIELD-REQUIRED spec.object.apiVersion', 'TC-ADMIT-FIELD-REQUIRED spec.object.kind']);
  });

  test('has metadata as every object', () => {
    expect(found({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'A' } })).toEqual(['TC-ADMIT-FIELD-METADATA spec.object.metadata.name']);
  });
});

describe('what a server fills in by default', () => {
  const text: FileNode = { type: 'string' };
  const protocol: FileNode = { type: 'string', default: 'TCP' };

  test('is not missing', () => {
    const found = (spec: Json) => foundInSpec([text, protocol, { type: 'object', required: ['name', 'protocol'], fields: { name: 0, protocol: 1 } }], spec);
    expect(found({ name: 'a' })).toEqual([]);
    expect(found({ name: 'a', protocol: null })).toEqual([]);
    expect(found({})).toEqual(['TC-ADMIT-FIELD-REQUIRED spec.name']);
  });

  test('counts as a field', () => {
    const found = (spec: Json) => foundInSpec([text, protocol, { type: 'object', minProperties: 1, maxProperties: 1, fields: { name: 0, protocol: 1 } }], spec);
    expect(found({})).toEqual([]);
    expect(found({ protocol: 'UDP' })).toEqual([]);
    expect(found({ name: 'a' })).toEqual(['TC-ADMIT-FIELD-VALUE spec']);
  });

  test('tells entries apart', () => {
    const nodes: FileNode[] = [{ type: 'integer' }, protocol, { type: 'object', fields: { port: 0, protocol: 1 } }, { type: 'array', keys: ['port', 'protocol'], items: 2 }];
    const found = (ports: Json) => foundInSpec([...nodes, { type: 'object', fields: { ports: 3 } }], { ports });
    expect(found([{ port: 53 }, { port: 53, protocol: 'UDP' }, { port: 80, protocol: 'TCP' }])).toEqual([]);
    expect(found([{ port: 53 }, { port: 53, protocol: 'TCP' }])).toEqual(['TC-ADMIT-FIELD-DUPLICATE spec.ports.1']);
  });
});

test('takes anything, as deep as it may be', () => {
  const deep = (depth: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { spec: value } : [value];
    return value;
  };
  const round: Record<string, unknown> = {};
  round.spec = round;
  for (const sample of SAMPLES) {
    for (const value of [deep(20_000), round, new Date(0), () => 1, Symbol('x'), 1n, NaN, Infinity, undefined, Object.create(null)]) {
      expect(() => findingsOf({ ...sample, spec: value })).not.toThrow();
      expect(() => findingsOf({ ...sample, metadata: value })).not.toThrow();
      const spec = { ...sample.spec as object, template: value, clusterNetwork: value, values: value };
      expect(() => findingsOf({ ...sample, spec })).not.toThrow();
    }
  }
});

test('takes random JSON in every field', () => {
  fc.assert(fc.property(fc.constantFrom(...SAMPLES), fc.jsonValue(), fc.jsonValue(), fc.string(), (sample, metadata, spec, name) => {
    const odd = { ...sample.metadata as object, [name]: metadata, labels: spec, annotations: metadata, ownerReferences: [spec] };
    const objects: ManifestObject[] = [{ ...sample, metadata, spec }, { ...sample, metadata: odd, [name]: spec }];
    for (const object of objects) for (const { fix, message } of findingsOf(object)) expect(fix.length * message.length).toBeGreaterThan(0);
  }), { seed: 7, numRuns: amount(500, 150) });
});

test('looks at each field a few times, however many there are', () => {
  const reads = (count: number) => {
    let looks = 0;
    const watched = (value: unknown): unknown => (typeof value !== 'object' || value === null ? value : new Proxy(value, {
      get: (target, key) => {
        looks += 1;
        return watched(Reflect.get(target, key));
      },
    }));
    const object = changed(KUBEADM_CONFIG_TEMPLATE, {
      'spec.template.spec.files': Array.from({ length: count }, (_, index) => ({ path: `/etc/${index}`, content: 'x', wrong: index, owner: 7 })),
    });
    expect(findingsOf(watched(object) as ManifestObject).length).toBeGreaterThanOrEqual(count);
    return looks;
  };
  expect(reads(4000)).toBeLessThan(4.1 * reads(1000));
});
