import { Size } from 'cdk8s';
import { PersistentVolumeAccessMode } from 'cdk8s-plus-28';
import { instanceOf, machineProblems, SMALL, virtualMachineOf } from './bind';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { InfraStorageClass } from '../../../../src/constructs/contracts/capabilities/infra-cluster-capabilities';
import { ManagementCapabilities, ManagementNetworkPlugin } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { PoolContext } from '../../../../src/constructs/contracts/node-pool/pool-context';
import { ExtraDisk } from '../../../../src/constructs/infrastructures/kubevirt/extra-disk';
import { KubevirtMachineProps } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { EvictionStrategy } from '../../../../src/constructs/infrastructures/kubevirt/machine-life-cycle';
import { PrimaryNetwork } from '../../../../src/constructs/infrastructures/kubevirt/network';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { clusterContext, poolContext } from '../../../support/contexts';

const { KUBE_OVN, CALICO, CILIUM, FLANNEL, OVN_KUBERNETES } = ManagementNetworkPlugin;
const SHARED: InfraStorageClass = { name: 'shared', isDefault: true, claimPropertySets: [{ accessModes: [PersistentVolumeAccessMode.READ_WRITE_MANY] }] };
const LOCAL: InfraStorageClass = { name: 'local', claimPropertySets: [{ accessModes: [PersistentVolumeAccessMode.READ_WRITE_ONCE] }] };
const ROOT = { url: 'docker://registry.example.com/os/ubuntu:24.04-v1.35.4', size: Size.gibibytes(40) };
const MOVES = { evictionStrategy: EvictionStrategy.LIVE_MIGRATE };

function on(networkPlugin?: ManagementNetworkPlugin, storageClasses: InfraStorageClass[] = [SHARED, LOCAL]): PoolContext {
  const management: ManagementCapabilities = { networkPlugin, storageClasses };
  return poolContext({ cluster: clusterContext({ infrastructure: { clusterKind: 'KubevirtCluster', inManagementCluster: true }, management, infraCluster: management }) });
}

function warned(props: Partial<KubevirtMachineProps>, context: PoolContext): string[] {
  const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
  expect(machineProblems({ ...SMALL, ...props }, context)).toEqual([]);
  return emitted.mock.calls.map(([text]) => /TC-\S+/.exec(String(text))![0]);
}

afterEach(() => jest.restoreAllMocks());

test.each<[what: string, props: Partial<KubevirtMachineProps>, context: PoolContext, strategy: string]>([
  ['the network keeps addresses and disks are shared', {}, on(KUBE_OVN), 'LiveMigrate'],
  ['Calico is set up to keep addresses', {}, on(CALICO.keepingAddresses()), 'LiveMigrate'],
  ['the network gives new addresses', {}, on(CILIUM), 'External'],
  ['nothing is known of the network', {}, on(), 'External'],
  ['nothing is known of the storage', {}, on(KUBE_OVN, []), 'External'],
  ['the class is for one host', { rootDisk: RootDisk.registry({ ...ROOT, storageClass: 'local' }) }, on(KUBE_OVN), 'External'],
  ['a further disk is for one host', { extraDisks: [ExtraDisk.blank({ name: 'data', size: ROOT.size, storageClass: 'local' })] }, on(KUBE_OVN), 'External'],
  ['the disk is stated to be shared', { rootDisk: RootDisk.registry({ ...ROOT, accessMode: PersistentVolumeAccessMode.READ_WRITE_MANY }) }, on(OVN_KUBERNETES, []), 'LiveMigrate'],
  ['the disk is empty on another host', { rootDisk: RootDisk.containerDisk({ image: 'quay.io/acme/ubuntu:v1' }) }, on(KUBE_OVN), 'External'],
  ['a device is of the host', { gpus: [{ deviceName: 'nvidia.com/AD102GL_L40S' }] }, on(KUBE_OVN), 'External'],
  ['the instance type may bring one', { cpu: undefined, memory: undefined, instanceType: 'gn1.large' }, on(KUBE_OVN), 'External'],
])('the default strategy where %s', (_, props, context, strategy) => {
  expect(instanceOf(props, context).evictionStrategy).toBe(strategy);
});

test('a machine that moves is always started, and its disks are shared', () => {
  const { dataVolumeTemplates: [root], runStrategy, template } = virtualMachineOf({}, on(KUBE_OVN)).spec;

  expect(root.spec.storage.accessModes).toEqual(['ReadWriteMany']);
  expect(runStrategy).toBe('Always');
  expect(template.metadata.annotations).toEqual({ 'kubevirt.io/allow-pod-bridge-network-live-migration': '' });
  expect(warned({}, on(KUBE_OVN))).toEqual([]);
  const stated = { ...MOVES, rootDisk: RootDisk.registry({ ...ROOT, accessMode: PersistentVolumeAccessMode.READ_WRITE_MANY }) };
  expect(virtualMachineOf(stated, on(KUBE_OVN)).spec.dataVolumeTemplates[0]).toEqual(root);
});

test.each([CILIUM, FLANNEL])('TC-KUBEVIRT-NETWORK-MIGRATION: a machine does not move under $name', (plugin) => {
  for (const evictionStrategy of [EvictionStrategy.LIVE_MIGRATE, EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE]) {
    expect(machineProblems({ ...SMALL, evictionStrategy }, on(plugin))).toMatchObject([{
      id: 'TC-KUBEVIRT-NETWORK-MIGRATION', text: expect.stringContaining(`machine.evictionStrategy: ${plugin.name} gives`),
    }]);
  }
  const network = PrimaryNetwork.multus({ networkName: 'tenants/vlan-200' });
  expect(machineProblems({ ...SMALL, ...MOVES, network }, on(plugin))).toEqual([]);
});

test('TC-KUBEVIRT-NETWORK-MIGRATION-UNKNOWN: a machine that moves is warned of where nothing is known of the network', () => {
  expect(warned(MOVES, on())).toEqual(['TC-KUBEVIRT-NETWORK-MIGRATION-UNKNOWN']);
  expect(warned(MOVES, on(CALICO))).toEqual(['TC-KUBEVIRT-NETWORK-MIGRATION-UNKNOWN', 'TC-KUBEVIRT-NETWORK-MIGRATION-UNKNOWN']);
});
