import { Duration, Size } from 'cdk8s';
import { ImagePullPolicy, PersistentVolumeAccessMode, PersistentVolumeMode } from 'cdk8s-plus-28';
import { DIGEST, machineProblems, SMALL, templateOf } from './bind';
import { Firmware, VirtualTpm } from '../../../../src/constructs/infrastructures/kubevirt/devices';
import { ExtraDisk } from '../../../../src/constructs/infrastructures/kubevirt/extra-disk';
import {
  HostSpread, HugePageSize, InstanceTypeKind, KubevirtMachineProps, PreferenceKind,
} from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { EvictionStrategy, RunStrategy } from '../../../../src/constructs/infrastructures/kubevirt/machine-life-cycle';
import { NetworkBinding, PrimaryNetwork } from '../../../../src/constructs/infrastructures/kubevirt/network';
import { RegistryPullMethod, RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TaintEffect, TolerationOperator } from '../../../../src/manifests/values/taints';
import { SchemaValidator } from '../../../manifests/schema/validate';

const SIZE = Size.gibibytes(40);
const VOLUME = {
  size: SIZE,
  storageClass: 'replicated',
  accessMode: PersistentVolumeAccessMode.READ_WRITE_ONCE,
  volumeMode: PersistentVolumeMode.BLOCK,
  usePopulator: false,
  blockSize: { logical: 512, physical: 4096 },
};
const LOGIN = { secretRef: 'login', certConfigMap: 'ca' };

/** Every property but those of another way to size, and the check that Kamaji's clusters do not have. */
const EVERYTHING: Required<Omit<KubevirtMachineProps, 'instanceType' | 'instanceTypeKind' | 'capacity' | 'bootstrapCheck'>> = {
  cpu: 4,
  memory: Size.gibibytes(16),
  cpuModel: 'host-passthrough',
  dedicatedCpus: true,
  hugePages: HugePageSize.ONE_GIBIBYTE,
  preference: 'ubuntu',
  preferenceKind: PreferenceKind.NAMESPACED,
  rootDisk: RootDisk.registry({
    ...VOLUME, ...LOGIN, url: `docker://registry.example.com/os/ubuntu@${DIGEST}`, pullMethod: RegistryPullMethod.POD,
  }),
  extraDisks: [
    ExtraDisk.blank({ ...VOLUME, name: 'data' }),
    ExtraDisk.ephemeral({ name: 'scratch', size: SIZE }),
    ExtraDisk.clonePvc({ ...VOLUME, name: 'models', claimName: 'weights', namespace: 'images' }),
    ExtraDisk.snapshot({ ...VOLUME, name: 'seed', snapshotName: 'seed' }),
    ExtraDisk.of({ name: 'own', dataVolumeSpec: { source: { blank: {} }, pvc: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } }),
  ],
  podEphemeralStorage: Size.gibibytes(2),
  network: PrimaryNetwork.multus({ networkName: 'infra/vlan-12', replacesPodNetwork: true }),
  serviceProbe: false,
  additionalNetworks: [{ networkName: 'infra/storage' }, { networkName: 'fast', name: 'rdma', binding: NetworkBinding.SRIOV }],
  gpus: [{ deviceName: 'nvidia.com/L40S', count: 2 }],
  hostDevices: [{ deviceName: 'intel.com/qat' }],
  firmware: Firmware.UEFI_SECURE_BOOT,
  tpm: VirtualTpm.PERSISTENT,
  evictionStrategy: EvictionStrategy.EXTERNAL,
  runStrategy: RunStrategy.RERUN_ON_FAILURE,
  terminationGracePeriod: Duration.minutes(10),
  logSerialConsole: true,
  nodeSelector: { pool: 'vm' },
  tolerations: [{ key: 'vm', operator: TolerationOperator.EXISTS, effect: TaintEffect.NO_EXECUTE, tolerationSeconds: 60 }],
  spreadOverHosts: HostSpread.REQUIRED,
  priorityClassName: 'high',
  schedulerName: 'bin-packing',
  labels: { team: 'a' },
  annotations: { note: 'x' },
  podLabels: { team: 'a' },
  podAnnotations: { note: 'x' },
};

const MACHINES: Record<string, KubevirtMachineProps> = {
  'the least': SMALL,
  'an instance type': { rootDisk: SMALL.rootDisk, instanceType: 'u1.large', instanceTypeKind: InstanceTypeKind.NAMESPACED },
  'a container disk': {
    ...SMALL,
    rootDisk: RootDisk.containerDisk({ image: `quay.io/a/b@${DIGEST}`, imagePullSecret: 'pull', imagePullPolicy: ImagePullPolicy.ALWAYS }),
  },
  'a web server': { ...SMALL, rootDisk: RootDisk.http({ ...VOLUME, ...LOGIN, url: 'https://images.example.com/ubuntu.qcow2' }) },
  'a claim': { ...SMALL, rootDisk: RootDisk.clonePvc({ claimName: 'golden' }) },
  'a snapshot': { ...SMALL, rootDisk: RootDisk.snapshot({ ...VOLUME, snapshotName: 'golden' }) },
  'a data source': { ...SMALL, rootDisk: RootDisk.of({ dataVolumeSpec: { sourceRef: { kind: 'DataSource', name: 'ubuntu' }, storage: {} } }) },
  'passt': { ...SMALL, network: PrimaryNetwork.passt() },
  'a BIOS': { ...SMALL, firmware: Firmware.BIOS, tpm: VirtualTpm.EPHEMERAL },
  'everything': EVERYTHING,
};

test.each(Object.entries(MACHINES))('a server accepts %s and adds nothing', (_name, props) => {
  const validator = SchemaValidator.load();
  const template = templateOf(props);
  expect(machineProblems(props)).toEqual([]);
  expect(validator.validate(template)).toEqual([]);
  expect(validator.missingDefaults(template)).toEqual([]);
});

test('the validator knows the template', () => {
  const validator = SchemaValidator.load();
  const template = templateOf(SMALL);
  template.spec.template.spec.virtualMachineTemplate.spec.template.spec.domain.devices.interfaces[0].passtBinding = {};
  delete template.spec.template.spec.virtualMachineBootstrapCheck.checkStrategy;
  expect(validator.validate(template).join()).toContain('passtBinding');
  expect(validator.missingDefaults(template).join()).toContain('ssh');
});
