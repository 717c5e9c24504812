import { Chart, Duration, Size, Testing } from 'cdk8s';
import { PersistentVolumeAccessMode } from 'cdk8s-plus-28';
import { instanceOf, machineProblems, SMALL, templateOf, virtualMachineOf } from './bind';
import { Firmware, VirtualTpm } from '../../../../src/constructs/infrastructures/kubevirt/devices';
import { ExtraDisk } from '../../../../src/constructs/infrastructures/kubevirt/extra-disk';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import {
  HostSpread, HugePageSize, InstanceTypeKind, PreferenceKind,
} from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { BootstrapCheck, EvictionStrategy, RunStrategy } from '../../../../src/constructs/infrastructures/kubevirt/machine-life-cycle';
import { PrimaryNetwork } from '../../../../src/constructs/infrastructures/kubevirt/network';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TaintEffect, TolerationOperator } from '../../../../src/manifests/values/taints';
import { clusterContext, poolContext } from '../../../support/contexts';

const CONTAINER_DISK = RootDisk.containerDisk({ image: 'registry.example.com/os/ubuntu:24.04-v1.35.4' });

describe('health checks', () => {
  const DISK = RootDisk.http({ url: 'https://images.example.com/os.qcow2', size: Size.gibibytes(20), storageClass: 'replicated' });

  test('watch the condition that the KubevirtMachine hands on', () => {
    expect(new KubevirtMachine(SMALL).watchedConditions).toEqual(['InfrastructureReady']);
  });

  test.each([
    ['a container disk', { rootDisk: CONTAINER_DISK, runStrategy: RunStrategy.ALWAYS }, undefined],
    ['a persistent disk that is started once', { rootDisk: DISK, runStrategy: RunStrategy.ONCE }, undefined],
    ['a persistent disk', { rootDisk: DISK }, 600],
    ['a persistent disk that is always started', { rootDisk: DISK, runStrategy: RunStrategy.ALWAYS }, 600],
  ])('wait for a machine with %s', (_, props, seconds) => {
    expect(new KubevirtMachine({ ...SMALL, ...props }).restartTime?.toSeconds()).toBe(seconds);
  });
});

describe('the template', () => {
  test('is a KubevirtMachineTemplate called Resource that belongs to a KubevirtCluster', () => {
    const machine = new KubevirtMachine(SMALL);
    const { template } = machine.bind(new Chart(Testing.app(), 'chart'), poolContext());
    expect(template.node.id).toBe('Resource');
    expect(template.toJson()).toMatchObject({ apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1', kind: 'KubevirtMachineTemplate' });
    expect(machine.infrastructureKind).toBe('KubevirtCluster');
  });

  test('always says how bootstrapping is checked, since the server would take SSH', () => {
    const spec = (bootstrapCheck?: BootstrapCheck): any => templateOf(
      { ...SMALL, bootstrapCheck }, poolContext({ cluster: clusterContext({ controlPlane: { apiServerPort: 6443 } }) }),
    ).spec.template.spec;
    expect(spec().virtualMachineBootstrapCheck).toEqual({ checkStrategy: 'none' });
    expect(spec(BootstrapCheck.SSH).virtualMachineBootstrapCheck).toEqual({ checkStrategy: 'ssh' });
  });

  test('says nothing about what is not given', () => {
    const machine = virtualMachineOf({});
    expect(Object.keys(machine)).toEqual(['spec']);
    expect(Object.keys(machine.spec)).toEqual(['dataVolumeTemplates', 'runStrategy', 'template']);
    expect(Object.keys(machine.spec.template.spec)).toEqual([
      'domain', 'evictionStrategy', 'networks', 'terminationGracePeriodSeconds', 'topologySpreadConstraints', 'volumes',
    ]);
    expect(Object.keys(machine.spec.template.spec.domain)).toEqual(['cpu', 'devices', 'memory']);
    expect(Object.keys(machine.spec.template.spec.domain.devices)).toEqual(['disks', 'interfaces', 'networkInterfaceMultiqueue']);
  });

  test('SSH is accepted where the provider has a key', () => {
    const context = poolContext({ cluster: clusterContext({ controlPlane: { apiServerPort: 6443 } }) });
    expect(machineProblems({ ...SMALL, bootstrapCheck: BootstrapCheck.SSH }, context)).toEqual([]);
  });
});

describe('sizing', () => {
  test('by cpu and memory', () => {
    const { domain } = instanceOf({});
    expect(domain.cpu).toEqual({ cores: 4 });
    expect(domain.memory).toEqual({ guest: '16Gi' });
  });

  test.each([
    [Size.mebibytes(2048), '2Gi'],
    [Size.gibibytes(1.5), '1536Mi'],
    [Size.tebibytes(2), '2Ti'],
    [Size.mebibytes(1025), '1025Mi'],
  ])('one size has one text: %#', (memory, text) => {
    expect(instanceOf({ memory }).domain.memory.guest).toBe(text);
  });

  test('by an instance type, which leaves the domain without cpu and memory', () => {
    const { spec } = virtualMachineOf({ cpu: undefined, memory: undefined, instanceType: 'u1.large', preference: 'ubuntu' });
    expect(spec.instancetype).toEqual({ kind: 'VirtualMachineClusterInstancetype', name: 'u1.large' });
    expect(spec.preference).toEqual({ kind: 'VirtualMachineClusterPreference', name: 'ubuntu' });
    expect(Object.keys(spec.template.spec.domain)).toEqual(['devices']);
  });

  test('by an instance type of the namespace', () => {
    const { spec } = virtualMachineOf({
      cpu: undefined,
      memory: undefined,
      instanceType: 'own',
      instanceTypeKind: InstanceTypeKind.NAMESPACED,
      preference: 'own',
      preferenceKind: PreferenceKind.NAMESPACED,
    });
    expect([spec.instancetype.kind, spec.preference.kind]).toEqual(['VirtualMachineInstancetype', 'VirtualMachinePreference']);
  });

  test('on dedicated CPUs and huge pages', () => {
    const { domain } = instanceOf({ cpuModel: 'host-passthrough', dedicatedCpus: true, hugePages: HugePageSize.ONE_GIBIBYTE });
    expect(domain.cpu).toEqual({ cores: 4, model: 'host-passthrough', dedicatedCpuPlacement: true });
    expect(domain.memory).toEqual({ guest: '16Gi', hugepages: { pageSize: '1Gi' } });
  });
});

describe('capacity', () => {
  test('is cpu, memory and the root disk', () => {
    expect(new KubevirtMachine(SMALL).capacity).toEqual({ cpu: 4, memory: Size.gibibytes(16), ephemeralStorage: Size.gibibytes(40) });
    expect(new KubevirtMachine({ ...SMALL, rootDisk: CONTAINER_DISK }).capacity?.ephemeralStorage).toBeUndefined();
  });

  test('is what is known of an instance type', () => {
    const sized = { ...SMALL, cpu: undefined, memory: undefined, instanceType: 'gn1.large' };
    expect(new KubevirtMachine(sized).capacity).toBeUndefined();
    const gpus = [{ resourceName: 'nvidia.com/gpu', count: 1 }];
    expect(new KubevirtMachine({ ...sized, capacity: { cpu: 2, memory: Size.gibibytes(8), gpus } }).capacity)
      .toMatchObject({ cpu: 2, memory: Size.gibibytes(8), gpus });
  });

  test('counts GPUs by the resource that the node offers', () => {
    const gpus = [
      { deviceName: 'nvidia.com/L40S', count: 2 }, { deviceName: 'nvidia.com/A10' },
      { deviceName: 'intel.com/flex', nodeResourceName: 'gpu.intel.com/i915' },
    ];
    expect(new KubevirtMachine({ ...SMALL, gpus }).capacity?.gpus).toEqual([
      { resourceName: 'nvidia.com/gpu', count: 3 }, { resourceName: 'gpu.intel.com/i915', count: 1 },
    ]);
  });
});

describe('network', () => {
  test('the pod network is bridged under the name that the cloud controller manager looks for', () => {
    const { template } = virtualMachineOf({}).spec;
    expect(template.spec.domain.devices.interfaces).toEqual([{ name: 'default', bridge: {} }]);
    expect(template.spec.networks).toEqual([{ name: 'default', pod: {} }]);
    expect(template.spec.domain.devices.networkInterfaceMultiqueue).toBe(true);
  });

  test.each([
    [EvictionStrategy.LIVE_MIGRATE, true], [EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE, true],
    [EvictionStrategy.EXTERNAL, false], [EvictionStrategy.NONE, false], [undefined, false],
  ])('with the eviction strategy %s, it lets machines migrate: %s', (evictionStrategy, migrates) => {
    const { annotations } = virtualMachineOf({ evictionStrategy }).spec.template.metadata;
    expect(annotations).toEqual(migrates ? { 'kubevirt.io/allow-pod-bridge-network-live-migration': '' } : undefined);
    const onMultus = virtualMachineOf({ evictionStrategy, network: PrimaryNetwork.multus({ networkName: 'infra/vlan-12' }) });
    expect(onMultus.spec.template.metadata.annotations).toBeUndefined();
  });

  test('a network of Multus can be the primary one', () => {
    const { template } = virtualMachineOf({ network: PrimaryNetwork.multus({ networkName: 'infra/vlan-12' }) }).spec;
    expect(template.spec.domain.devices.interfaces).toEqual([{ name: 'default', bridge: {} }]);
    expect(template.spec.networks).toEqual([{ name: 'default', multus: { networkName: 'infra/vlan-12' } }]);
    expect(template.metadata.annotations).toBeUndefined();
    const replacing = PrimaryNetwork.multus({ networkName: 'infra/vlan-12', replacesPodNetwork: true });
    expect(instanceOf({ network: replacing }).networks[0].multus).toEqual({ networkName: 'infra/vlan-12', default: true });
  });

  test('passt is a binding plugin, the form that the provider knows', () => {
    const { domain, networks } = instanceOf({ network: PrimaryNetwork.passt() });
    expect(domain.devices.interfaces).toEqual([{ name: 'default', binding: { name: 'passt' } }]);
    expect(networks).toEqual([{ name: 'default', pod: {} }]);
  });

  test('further networks come after the primary one', () => {
    const { domain, networks } = instanceOf({ additionalNetworks: [{ networkName: 'infra/storage' }, { networkName: 'fast', name: 'rdma', binding: 'sriov' as any }] });
    expect(domain.devices.interfaces.slice(1)).toEqual([{ name: 'net-1', bridge: {} }, { name: 'rdma', sriov: {} }]);
    expect(networks.slice(1)).toEqual([{ name: 'net-1', multus: { networkName: 'infra/storage' } }, { name: 'rdma', multus: { networkName: 'fast' } }]);
  });
});

describe('devices', () => {
  test('are counted out', () => {
    const { devices } = instanceOf({
      gpus: [{ deviceName: 'nvidia.com/L40S', count: 2 }, { deviceName: 'nvidia.com/A10' }], hostDevices: [{ deviceName: 'intel.com/qat' }],
    }).domain;
    expect(devices.gpus).toEqual([
      { name: 'gpu-1', deviceName: 'nvidia.com/L40S' }, { name: 'gpu-2', deviceName: 'nvidia.com/L40S' }, { name: 'gpu-3', deviceName: 'nvidia.com/A10' },
    ]);
    expect(devices.hostDevices).toEqual([{ name: 'hostdevice-1', deviceName: 'intel.com/qat' }]);
  });

  test('are drained with the default', () => {
    expect(machineProblems({ ...SMALL, gpus: [{ deviceName: 'nvidia.com/L40S' }] })).toEqual([]);
  });
});

describe('firmware', () => {
  test.each<[Firmware, object, object | undefined]>([
    [Firmware.BIOS, { bios: {} }, undefined],
    [Firmware.UEFI, { efi: { secureBoot: false } }, undefined],
    [Firmware.UEFI_SECURE_BOOT, { efi: { secureBoot: true } }, { smm: { enabled: true } }],
  ])('%s', (firmware, bootloader, features) => {
    const { domain } = instanceOf({ firmware });
    expect(domain.firmware).toEqual({ bootloader });
    expect(domain.features).toEqual(features);
  });

  test('a TPM forgets, or keeps', () => {
    expect(instanceOf({ tpm: VirtualTpm.EPHEMERAL }).domain.devices.tpm).toEqual({ enabled: true });
    expect(instanceOf({ tpm: VirtualTpm.PERSISTENT }).domain.devices.tpm).toEqual({ enabled: true, persistent: true });
  });
});

describe('life cycle', () => {
  test('a machine on a container disk runs once', () => {
    expect(virtualMachineOf({ rootDisk: CONTAINER_DISK }).spec.runStrategy).toBe('Once');
    expect(virtualMachineOf({ rootDisk: CONTAINER_DISK, evictionStrategy: EvictionStrategy.NONE }).spec.runStrategy).toBe('Once');
  });

  test('one with a volume comes back, unless the provider has drained it', () => {
    expect(virtualMachineOf({}).spec.runStrategy).toBe('RerunOnFailure');
    expect(virtualMachineOf({ evictionStrategy: EvictionStrategy.EXTERNAL }).spec.runStrategy).toBe('RerunOnFailure');
    for (const evictionStrategy of [EvictionStrategy.LIVE_MIGRATE, EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE, EvictionStrategy.NONE]) {
      expect(virtualMachineOf({ evictionStrategy }).spec.runStrategy).toBe('Always');
    }
    expect(virtualMachineOf({ runStrategy: RunStrategy.ONCE }).spec.runStrategy).toBe('Once');
  });

  test('hosts are drained by the provider, unless told otherwise', () => {
    expect(instanceOf({}).evictionStrategy).toBe('External');
    expect(instanceOf({ evictionStrategy: EvictionStrategy.LIVE_MIGRATE }).evictionStrategy).toBe('LiveMigrate');
  });

  test('a shared disk can be migrated', () => {
    const extraDisks = [ExtraDisk.blank({ name: 'data', size: Size.gibibytes(1), accessMode: PersistentVolumeAccessMode.READ_WRITE_MANY })];
    expect(machineProblems({ ...SMALL, extraDisks, evictionStrategy: EvictionStrategy.LIVE_MIGRATE })).toEqual([]);
  });

  test('the guest gets three minutes to shut down', () => {
    expect(instanceOf({}).terminationGracePeriodSeconds).toBe(180);
    expect(instanceOf({ terminationGracePeriod: Duration.seconds(0) }).terminationGracePeriodSeconds).toBe(0);
  });

  test('the serial console is logged only if asked for', () => {
    expect(instanceOf({ logSerialConsole: false }).domain.devices.logSerialConsole).toBe(false);
  });
});

describe('placement', () => {
  const LABELS = { 'cluster.x-k8s.io/cluster-name': 'acme', 'cluster.x-k8s.io/deployment-name': 'acme-general' };

  test('machines of a pool prefer different hosts, by labels that their pods have', () => {
    const { template } = virtualMachineOf({ podLabels: { team: 'a' } }).spec;
    expect(template.metadata.labels).toEqual({ ...LABELS, team: 'a' });
    expect(template.spec.topologySpreadConstraints).toEqual([
      { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: LABELS } },
    ]);
  });

  test('spreading can be demanded and left alone', () => {
    expect(instanceOf({ spreadOverHosts: HostSpread.REQUIRED }).topologySpreadConstraints[0].whenUnsatisfiable).toBe('DoNotSchedule');
    expect(instanceOf({ spreadOverHosts: HostSpread.NONE }).topologySpreadConstraints).toBeUndefined();
  });

  test('hosts are chosen by labels, taints, priority and scheduler', () => {
    const tolerations = [{ key: 'gpu', operator: TolerationOperator.EXISTS, effect: TaintEffect.NO_EXECUTE, tolerationSeconds: 60 }];
    expect(instanceOf({ nodeSelector: { pool: 'vm' }, tolerations, priorityClassName: 'high', schedulerName: 'bin-packing' })).toMatchObject({
      nodeSelector: { pool: 'vm' }, tolerations, priorityClassName: 'high', schedulerName: 'bin-packing',
    });
  });

  test('virtual machines and pods have labels and annotations of their own', () => {
    const { metadata, spec } = virtualMachineOf({ labels: { a: '1' }, annotations: { b: '2' }, podAnnotations: { c: '3' } });
    expect(metadata).toEqual({ labels: { a: '1' }, annotations: { b: '2' } });
    expect(spec.template.metadata.annotations).toEqual({ c: '3' });
  });

  test('room on the host\'s disk is asked for and limited', () => {
    const amount = { 'ephemeral-storage': '2Gi' };
    expect(instanceOf({ podEphemeralStorage: Size.gibibytes(2) }).domain.resources).toEqual({ requests: amount, limits: amount });
  });
});
