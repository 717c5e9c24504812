import { bound, byKind, containersOf, FAST, IMAGE, SNAPSHOTS } from './bound';
import { SnapshotDeletionPolicy } from '../../../../../src/constructs/addons/catalog/snapshot-controller';
import {
  KubevirtFileSystem, KubevirtStorageClass, KubevirtVolumeBus,
} from '../../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-storage-class';
import { VolumeBindingMode, VolumeReclaimPolicy } from '../../../../../src/manifests/values/storage-class';
import { TolerationOperator } from '../../../../../src/manifests/values/taints';
import { SchemaValidator } from '../../../../manifests/schema/validate';
import { Manifest } from '../../../../support/clusters';

const validator = SchemaValidator.load();

const EVERYTHING: KubevirtStorageClass = {
  name: 'slow',
  infraClass: 'hdd',
  bus: KubevirtVolumeBus.VIRTIO,
  fsType: KubevirtFileSystem.XFS,
  reclaimPolicy: VolumeReclaimPolicy.RETAIN,
  allowVolumeExpansion: false,
  volumeBindingMode: VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER,
  labels: { team: 'a' },
  annotations: { 'example.com/note': 'b c' },
  snapshotClasses: [{
    name: 'nightly',
    infraClass: 'hdd-snap',
    isDefault: true,
    deletionPolicy: SnapshotDeletionPolicy.RETAIN,
    labels: { 'velero.io/csi-volumesnapshot-class': 'true' },
    annotations: { 'example.com/note': 'd' },
  }],
};

function classNamed(name: string, ...args: Parameters<typeof bound>): Manifest {
  return bound(...args).tenant.find((object) => object.metadata.name === name);
}

test('the tenant gets the driver for its nodes, and the classes', () => {
  const { addons, tenant } = bound([FAST, EVERYTHING]);

  expect(addons.map(({ name, provides, requires, after }) => [name, provides, requires, after.map((addon) => addon.name)])).toEqual([
    ['kubevirt-csi-driver', ['persistent-volumes'], ['pod-network'], []],
    ['kubevirt-csi-snapshot-classes', [], ['volume-snapshots'], []],
  ]);
  expect(tenant.map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name].filter((part) => part !== undefined).join(' ')).sort()).toEqual([
    'CSIDriver csi.kubevirt.io',
    'ClusterRole kubevirt-csi-node',
    'ClusterRoleBinding kubevirt-csi-node',
    'DaemonSet kubevirt-csi-driver kubevirt-csi-node',
    'Namespace kubevirt-csi-driver',
    'ServiceAccount kubevirt-csi-driver kubevirt-csi-node',
    'StorageClass fast',
    'StorageClass slow',
    'VolumeSnapshotClass nightly',
  ]);
});

test('an API server takes the objects', () => {
  const node = {
    tolerations: [{ key: 'a', operator: TolerationOperator.EXISTS }],
    nodeSelector: { disk: 'yes' },
    priorityClassName: 'high',
    podLabels: { team: 'a' },
    podAnnotations: { 'example.com/a': 'b' },
    imagePullSecrets: ['registry'],
    resources: { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } },
    extraArgs: [{ name: 'v', value: '5' }],
  };
  for (const { tenant } of [bound(), bound([FAST, EVERYTHING], { node }), bound([{ name: 'any', isDefault: true, snapshotClasses: [{ name: 'snap' }] }])]) {
    expect(tenant.flatMap((object) => validator.validate(object).map((fault) => `${object.kind} ${fault}`))).toEqual([]);
    expect(tenant.flatMap((object) => validator.missingDefaults(object).map((fault) => `${object.kind} ${fault}`))).toEqual([]);
  }
});

test('the namespace admits privileged pods, and nothing is kept when the driver is removed', () => {
  const { tenant } = bound([SNAPSHOTS]);

  expect(byKind(tenant).Namespace.metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'privileged' });
  expect(tenant.filter(({ metadata }) => JSON.stringify(metadata).includes('prune'))).toEqual([]);
});

test('the driver may read nodes, and nothing else', () => {
  const { ClusterRole, ClusterRoleBinding, ServiceAccount } = byKind(bound().tenant);

  expect(ClusterRole.rules).toEqual([{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }]);
  expect(ClusterRoleBinding.subjects).toEqual([{ kind: 'ServiceAccount', name: ServiceAccount.metadata.name, namespace: 'kubevirt-csi-driver' }]);
});

test('the driver is announced as it is', () => {
  expect(byKind(bound().tenant).CSIDriver.spec).toEqual({ attachRequired: true, fsGroupPolicy: 'ReadWriteOnceWithFSType', podInfoOnMount: true });
});

describe('on the nodes', () => {
  const { DaemonSet } = byKind(bound().tenant);
  const { spec } = DaemonSet.spec.template;
  const { 'csi-driver': driver, 'node-driver-registrar': registrar, 'liveness-probe': probe } = containersOf(DaemonSet);

  test('the driver runs everywhere, before others', () => {
    expect(spec).toMatchObject({ priorityClassName: 'system-node-critical', tolerations: [{ operator: 'Exists' }], serviceAccountName: 'kubevirt-csi-node', enableServiceLinks: false });
    expect(spec).not.toHaveProperty('nodeSelector');
  });

  test('it has the same image as in the management cluster, and serves its node only', () => {
    expect(driver.image).toBe(IMAGE);
    expect(driver.args).toEqual(['--endpoint=unix:///csi/csi.sock', '--run-controller-service=false', '--run-node-service=true', '--node-name=$(KUBE_NODE_NAME)']);
    expect(driver.env).toEqual([{ name: 'KUBE_NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }]);
  });

  test('it alone is privileged, and its mounts reach the kubelet', () => {
    expect(driver.securityContext).toEqual({ privileged: true });
    expect(driver.volumeMounts).toContainEqual({ name: 'kubelet', mountPath: '/var/lib/kubelet', mountPropagation: 'Bidirectional' });
    for (const { securityContext } of [registrar, probe]) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
        runAsGroup: 0,
        runAsUser: 0,
        seccompProfile: { type: 'RuntimeDefault' },
      });
    }
  });

  test('the kubelet is told the socket where it sees it', () => {
    const plugin = spec.volumes.find(({ name }: Manifest) => name === 'plugin').hostPath;

    expect(registrar.args).toEqual(['--csi-address=/csi/csi.sock', `--kubelet-registration-path=${plugin.path}/csi.sock`]);
    expect(plugin).toEqual({ path: '/var/lib/kubelet/plugins/csi.kubevirt.io', type: 'DirectoryOrCreate' });
    expect(registrar.volumeMounts).toContainEqual({ name: 'registration', mountPath: '/registration' });
    expect(spec.volumes).toContainEqual({ name: 'registration', hostPath: { path: '/var/lib/kubelet/plugins_registry', type: 'Directory' } });
  });

  test('no image without a shell is asked to run one', () => {
    expect(JSON.stringify(DaemonSet)).not.toMatch(/lifecycle|\/bin\/sh/);
  });

  test('the kubelet asks for the driver where the liveness probe answers', () => {
    expect(driver.ports).toEqual([{ name: 'health', containerPort: 10300, protocol: 'TCP' }]);
    expect(probe.args).toEqual(['--csi-address=/csi/csi.sock', '--probe-timeout=3s', '--http-endpoint=:10300']);
  });

  test('options replace what there is', () => {
    const changed = byKind(bound([FAST], {
      nodeDriverRegistrar: { image: 'registry.example.com/registrar:v2.17.1' },
      livenessProbe: { image: 'registry.example.com/probe:v2.19.1' },
      node: {
        tolerations: [],
        nodeSelector: { disk: 'yes' },
        priorityClassName: 'high',
        podLabels: { team: 'a' },
        podAnnotations: { 'example.com/a': 'b' },
        imagePullSecrets: ['registry'],
        resources: { requests: { cpu: '1' } },
        extraArgs: [{ name: 'v', value: '5' }],
      },
    }).tenant).DaemonSet;
    const containers = containersOf(changed);

    expect(changed.spec.template.spec).toMatchObject({ nodeSelector: { disk: 'yes' }, priorityClassName: 'high', imagePullSecrets: [{ name: 'registry' }] });
    expect(changed.spec.template.spec).not.toHaveProperty('tolerations');
    expect(changed.spec.template.metadata).toEqual({ labels: { 'app.kubernetes.io/name': 'kubevirt-csi-node', 'team': 'a' }, annotations: { 'example.com/a': 'b' } });
    expect(containers['csi-driver'].args.at(-1)).toBe('--v=5');
    expect(containers['csi-driver'].resources).toEqual({ requests: { cpu: '1' } });
    expect([containers['node-driver-registrar'].image, containers['liveness-probe'].image]).toEqual(['registry.example.com/registrar:v2.17.1', 'registry.example.com/probe:v2.19.1']);
  });
});

describe('a storage class', () => {
  test('says what it is even where that is the default', () => {
    expect(classNamed('fast')).toEqual({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'csi.kubevirt.io',
      parameters: { 'bus': 'scsi', 'csi.storage.k8s.io/fstype': 'ext4', 'infraStorageClassName': 'replicated' },
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
      allowVolumeExpansion: true,
    });
  });

  test('is as it was given', () => {
    expect(classNamed('slow', [FAST, EVERYTHING])).toEqual({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'slow', labels: { team: 'a' }, annotations: { 'example.com/note': 'b c' } },
      provisioner: 'csi.kubevirt.io',
      parameters: { 'bus': 'virtio', 'csi.storage.k8s.io/fstype': 'xfs', 'infraStorageClassName': 'hdd' },
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: false,
    });
  });

  test('of the default storage names none', () => {
    expect(classNamed('any', [{ name: 'any', isDefault: true }]).parameters).toEqual({ 'bus': 'scsi', 'csi.storage.k8s.io/fstype': 'ext4' });
  });
});

test('a snapshot class is as it was given', () => {
  expect(classNamed('nightly', [FAST, EVERYTHING])).toEqual({
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotClass',
    metadata: {
      name: 'nightly',
      labels: { 'velero.io/csi-volumesnapshot-class': 'true' },
      annotations: { 'example.com/note': 'd', 'snapshot.storage.kubernetes.io/is-default-class': 'true' },
    },
    driver: 'csi.kubevirt.io',
    deletionPolicy: 'Retain',
    parameters: { infraSnapshotClassName: 'hdd-snap' },
  });
  expect(classNamed('snap', [{ name: 'any', isDefault: true, snapshotClasses: [{ name: 'snap' }] }])).toEqual(
    { apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshotClass', metadata: { name: 'snap' }, driver: 'csi.kubevirt.io', deletionPolicy: 'Delete' });
});
