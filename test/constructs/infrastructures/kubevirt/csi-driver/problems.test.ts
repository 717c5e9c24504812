import { EDGE, FAST, IMAGE, problemsOfClasses, SNAPSHOTS } from './bound';
import {
  KubevirtCloudControllerManager,
} from '../../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import {
  KubevirtCsiDriver, KubevirtCsiDriverOptions,
} from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtStorageClass } from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-storage-class';
import { KubevirtInfrastructureProps } from '../../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { TolerationOperator } from '../../../../../src/manifests/values/taints';

type Case = [id: string, props: KubevirtInfrastructureProps, texts: string[]];

/** Storage classes, with a driver that is fine. */
function classes(...storageClasses: object[]): KubevirtInfrastructureProps {
  return { storageClasses: storageClasses as KubevirtStorageClass[], csiDriver: KubevirtCsiDriver.of({ image: IMAGE }) };
}

/** A driver, with a storage class that is fine. */
function driver(options: KubevirtCsiDriverOptions, props: KubevirtInfrastructureProps = {}): KubevirtInfrastructureProps {
  return { storageClasses: [SNAPSHOTS], csiDriver: KubevirtCsiDriver.of({ image: IMAGE, ...options }), ...props };
}

const CCM_VMS = KubevirtCloudControllerManager.of({ infraNamespace: 'vms' });
const FOREIGN = { infraClusterSecretRef: { name: 'edge', namespace: 'infra' }, cloudControllerManager: KubevirtCloudControllerManager.none() };

const CASES: Case[] = [
  ['TC-KUBEVIRT-CSI-IDLE', { storageClasses: [FAST], csiDriver: KubevirtCsiDriver.none() }, ['infrastructure.csiDriver:', 'no driver provisions their volumes']],
  ['TC-KUBEVIRT-CSI-IDLE', { csiDriver: KubevirtCsiDriver.of({ image: IMAGE }) }, ['infrastructure.csiDriver: there are no storage classes']],
  ['TC-KUBEVIRT-CSI-IDLE', { storageClasses: [], csiDriver: KubevirtCsiDriver.of() }, ['add infrastructure.storageClasses']],
  ['TC-KUBEVIRT-CSI-IDLE', driver({ snapshotter: {} }, { storageClasses: [FAST] }), ['csiDriver.snapshotter', 'add snapshotClasses']],
  ['TC-KUBEVIRT-CSI-IDLE', driver({ resizer: {} }, { storageClasses: [{ ...FAST, allowVolumeExpansion: false }] }), ['csiDriver.resizer', 'allowVolumeExpansion: true']],
  ['TC-KUBEVIRT-CSI-IMAGE', { storageClasses: [FAST] }, ['infrastructure.csiDriver.image', '"quay.io/kubevirt/kubevirt-csi-driver:latest"', 'KubevirtCsiDriver.of({ image']],
  ['TC-KUBEVIRT-CSI-IMAGE', driver({ image: undefined }), ['releases no version']],
  ['TC-CONTROLLER-IMAGE-UNPINNED', driver({ image: 'quay.io/kubevirt/kubevirt-csi-driver:latest' }), ['infrastructure.csiDriver.image', 'the tag "latest"']],
  ['TC-KUBEVIRT-CSI-DEFAULT-CLASS', classes({ name: 'a', infraClass: 'a' }), ['infrastructure.storageClasses: no class is the default', 'isDefault: true on one']],
  ['TC-KUBEVIRT-CSI-DEFAULT-CLASS', classes(FAST, { ...FAST, name: 'b' }), ['storageClasses[1].isDefault: "b"', '"fast" is already']],
  ['TC-ADMIT-FIELD-METADATA', classes({ ...FAST, name: 'Fast' }), ['storageClasses[0].name', '"Fast"']],
  ['TC-KUBEVIRT-CSI-CLASS-NAME', classes({ ...FAST, infraClass: 'a b' }), ['storageClasses[0].infraClass', '"a b"']],
  ['TC-ADMIT-FIELD-METADATA', classes({ ...FAST, snapshotClasses: [{ name: 'a_b', infraClass: 'c' }] }), ['storageClasses[0].snapshotClasses[0].name']],
  ['TC-KUBEVIRT-CSI-CLASS-NAME', classes({ ...FAST, snapshotClasses: [{ name: 'a', infraClass: '' }] }), ['storageClasses[0].snapshotClasses[0].infraClass']],
  ['TC-KUBEVIRT-CSI-CLASS-TAKEN', classes(FAST, { name: 'fast', infraClass: 'b' }), ['storageClasses[1].name: the storage class "fast" is already defined in infrastructure.storageClasses[0]']],
  ['TC-KUBEVIRT-CSI-CLASS-TAKEN', classes(SNAPSHOTS, { name: 'b', infraClass: 'b', snapshotClasses: [{ name: 'snap', infraClass: 'c' }] }), [
    'storageClasses[1].snapshotClasses[0].name: the snapshot class "snap" is already defined in infrastructure.storageClasses[0].snapshotClasses[0]',
  ]],
  ['TC-ADMIT-FIELD-METADATA', classes({ ...FAST, labels: { 'a b': 'c' } }), ['storageClasses[0].labels["a b"]']],
  ['TC-KUBEVIRT-CSI-LABEL', classes({ ...FAST, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }), ['set isDefault: true']],
  ['TC-ADMIT-FIELD-METADATA', classes({ ...FAST, snapshotClasses: [{ name: 'a', infraClass: 'b', annotations: { 'a b': 'c' } }] }), ['snapshotClasses[0].annotations["a b"]']],
  ['TC-ADMIT-FIELD-METADATA', classes({ ...FAST, snapshotClasses: [{ name: 'a', infraClass: 'b', labels: { a: 'b c' } }] }), ['snapshotClasses[0].labels.a']],
  ['TC-KUBEVIRT-CSI-SNAPSHOT-CLASS', classes({ name: 'any', isDefault: true, snapshotClasses: [{ name: 'a', infraClass: 'b' }] }), [
    'storageClasses[0].snapshotClasses[0].infraClass', '"any" (infrastructure.storageClasses[0]) names no infraClass', 'ignores "b"',
  ]],
  ['TC-KUBEVIRT-CSI-SNAPSHOT-CLASS', classes(SNAPSHOTS, { name: 'any' }), ['storageClasses[0].snapshotClasses[0].infraClass', '"any" (infrastructure.storageClasses[1])']],
  ['TC-KUBEVIRT-CSI-SNAPSHOT-CLASS', classes({ ...FAST, snapshotClasses: [{ name: 'a' }] }), ['"a" names no class', 'name the snapshot class there']],
  ['TC-KUBEVIRT-CSI-DEFAULT-SNAPSHOT-CLASS', classes({ ...FAST, snapshotClasses: [{ name: 'a', infraClass: 'b', isDefault: true }, { name: 'c', infraClass: 'd', isDefault: true }] }), [
    'storageClasses[0].snapshotClasses[1].isDefault: "c"', '"a" is already',
  ]],
  ['TC-KUBEVIRT-CSI-INFRA-CLUSTER', driver({ infraNamespace: 'vms' }), ['csiDriver.infraNamespace', 'management cluster']],
  ['TC-KUBEVIRT-CSI-INFRA-CLUSTER', driver({ infraKubeconfig: { name: 'a', key: 'b' } }), ['csiDriver.infraKubeconfig', 'management cluster']],
  ['TC-KUBEVIRT-CSI-INFRA-CLUSTER', driver({}, EDGE), ['csiDriver.infraNamespace', 'does not find out in which namespace']],
  ['TC-KUBEVIRT-CSI-INFRA-CLUSTER', driver({ infraNamespace: 'a.b' }, EDGE), ['csiDriver.infraNamespace', '"a.b"']],
  ['TC-KUBEVIRT-CSI-INFRA-CLUSTER', driver({ infraNamespace: 'other' }, { ...EDGE, cloudControllerManager: CCM_VMS }), ['"other"', '"vms"']],
  ['TC-KUBEVIRT-CSI-INFRA-CLUSTER', driver({ infraNamespace: 'vms' }, FOREIGN), ['csiDriver.infraKubeconfig', 'Secret "edge" is in namespace "infra"', 'leave out storageClasses']],
  ['TC-CONTROLLER-OBJECT-NAME', driver({ infraNamespace: 'vms', infraKubeconfig: { name: 'A', key: 'b' } }, EDGE), ['csiDriver.infraKubeconfig.name', '"A"']],
  ['TC-CONTROLLER-ARGUMENT', driver({ extraArgs: [{ name: 'volume-prefix', value: 'x' }] }), ['csiDriver.extraArgs[0]', 'the library sets it']],
  ['TC-CONTROLLER-ARGUMENT', driver({ extraArgs: [{ name: 'kubeconfig', value: 'x' }] }), ['kubevirt-csi-driver has no flag --kubeconfig']],
  ['TC-CONTROLLER-ARGUMENT', driver({ node: { extraArgs: [{ name: 'node-name', value: 'x' }] } }), ['csiDriver.node.extraArgs[0]', 'the library sets it']],
  ['TC-CONTROLLER-ARGUMENT', driver({ provisioner: { extraArgs: [{ name: 'logtostderr', value: 'true' }] } }), ['csiDriver.provisioner.extraArgs[0]', 'csi-provisioner 6.4 has no flag']],
  ['TC-CONTROLLER-ARGUMENT', driver({ attacher: { extraArgs: [{ name: 'leader-election', value: 'false' }] } }), ['csiDriver.attacher', 'the library sets it']],
  ['TC-CONTROLLER-ARGUMENT', driver({ resizer: { extraArgs: [{ name: 'worker-threads', value: '5' }] } }), ['csiDriver.resizer', 'csi-resizer 2.3 has no flag']],
  ['TC-CONTROLLER-ARGUMENT', driver({ snapshotter: { extraArgs: [{ name: 'version', value: 'true' }] } }), ['csiDriver.snapshotter', 'print its version']],
  ['TC-CONTROLLER-ARGUMENT', driver({ livenessProbe: { extraArgs: [{ name: 'health-port', value: '9808' }] } }), ['csiDriver.livenessProbe', 'another address']],
  ['TC-CONTROLLER-ARGUMENT', driver({ nodeDriverRegistrar: { extraArgs: [{ name: 'kubeconfig', value: '/a' }] } }), ['csiDriver.nodeDriverRegistrar', 'has no flag']],
  ['TC-CONTROLLER-IMAGE-UNPINNED', driver({ attacher: { image: 'registry.example.com/attacher' } }), ['csiDriver.attacher.image']],
  ['TC-CONTROLLER-RESOURCES', driver({ node: { resources: { requests: { cpu: 'x' } } } }), ['csiDriver.node.resources.requests.cpu']],
  ['TC-ADMIT-KUBERNETES-TOLERATION', driver({ node: { tolerations: [{ operator: TolerationOperator.EXISTS, value: 'a' }] } }), ['infrastructure.csiDriver.node.tolerations[0].value']],
  ['TC-CONTROLLER-LABEL', driver({ node: { podLabels: { 'app.kubernetes.io/name': 'a' } } }), ['csiDriver.node.podLabels']],
  ['TC-ADMIT-KUBERNETES-POD', driver({ priorityClassName: 'High' }), ['infrastructure.csiDriver.priorityClassName']],
];

test.each(CASES)('%s: %j', (id, props, texts) => {
  const found = problemsOfClasses(props);

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['acme', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test('what is wrong is said at once', () => {
  const found = problemsOfClasses({ storageClasses: [{ name: 'A' }, { name: 'A', snapshotClasses: [{ name: 'b', infraClass: 'c' }] }] });

  expect(found.map(({ id }) => id).sort()).toEqual([
    'TC-KUBEVIRT-CSI-CLASS-TAKEN', 'TC-KUBEVIRT-CSI-DEFAULT-CLASS', 'TC-KUBEVIRT-CSI-IMAGE', 'TC-KUBEVIRT-CSI-SNAPSHOT-CLASS',
  ]);
});

test.each<[string, KubevirtInfrastructureProps]>([
  ['no storage', { csiDriver: KubevirtCsiDriver.none() }],
  ['an image by digest', driver({ image: `quay.io/kubevirt/kubevirt-csi-driver@sha256:${'a'.repeat(64)}` })],
  ['an image of latest by digest', driver({ image: `quay.io/kubevirt/kubevirt-csi-driver:latest@sha256:${'a'.repeat(64)}` })],
  ['the default storage with its default snapshots', classes({ name: 'any', isDefault: true, snapshotClasses: [{ name: 'snap', isDefault: true }] }, { name: 'b', infraClass: 'b' })],
  ['the same storage in two classes', classes(FAST, { name: 'fast-xfs', infraClass: 'replicated', fsType: 'xfs' })],
  ['the same snapshots for two storages', classes(SNAPSHOTS, { name: 'b', infraClass: 'b', snapshotClasses: [{ name: 'b-snap', infraClass: 'replicated-snap' }] })],
  ['another cluster', driver({ infraNamespace: 'vms' }, EDGE)],
  ['another cluster, as the cloud controller manager knows it', driver({}, { ...EDGE, cloudControllerManager: CCM_VMS })],
  ['another cluster by a kubeconfig of its own', driver({ infraNamespace: 'vms', infraKubeconfig: { name: 'a', key: 'b' } }, FOREIGN)],
  ['flags that there are', driver({ extraArgs: [{ name: 'v', value: '5' }], provisioner: { extraArgs: [{ name: 'worker-threads', value: '10' }] }, resizer: { extraArgs: [{ name: 'workers', value: '5' }] } })],
  ['flags of a newer driver', driver({ image: 'registry.example.com/csi:v0.3.0', extraArgs: [{ name: 'enable-detach-reconciler', value: 'true' }] })],
])('%s is accepted', (_, props) => {
  expect(problemsOfClasses(props)).toEqual([]);
});
