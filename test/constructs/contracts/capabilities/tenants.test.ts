import { App, Size, Testing } from 'cdk8s';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { ImportedManagementCluster, ManagementCapabilities } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { NodePoolProps } from '../../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import {
  KubevirtInfrastructure, KubevirtInfrastructureProps,
} from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { KubevirtMachineProps } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantIsolation } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { exampleCluster, Manifest, poolProps } from '../../../support/clusters';
import { problemsIn, problemsOf } from '../../../support/problems';

const RANGES = { podCidrs: ['10.42.0.0/16'], serviceCidrs: ['10.43.0.0/16'], nodeCidrs: ['192.168.7.0/24'] };
const SIZED = { cpu: 4, memory: Size.gibibytes(16) };

interface Surroundings {
  readonly capabilities?: ManagementCapabilities;
  readonly infrastructure?: KubevirtInfrastructureProps;
  readonly machine?: Partial<KubevirtMachineProps>;
  readonly pool?: Partial<NodePoolProps>;
  readonly cluster?: Partial<TenantClusterProps>;
}

/** A cluster with one pool, in a management cluster that offers something. */
function tenant(app: App, { capabilities, infrastructure, machine, pool, cluster: props }: Surroundings): TenantCluster {
  const cluster = new TenantCluster(app, 'acme', {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure(infrastructure),
    cni: Cni.none(),
    managementCluster: capabilities && new ImportedManagementCluster(capabilities),
    ...props,
  });
  cluster.addNodePool('general', {
    machine: new KubevirtMachine({ ...SIZED, rootDisk: RootDisk.http({ url: 'https://images.example.com/os.qcow2', size: Size.gibibytes(40), storageClass: 'fast' }), ...machine }),
    size: PoolSize.fixed(1),
    ...pool,
  });
  return cluster;
}

function refused(around: Surroundings): string[] {
  return problemsIn((app) => { tenant(app, around); }).map(({ path, id, text }) => `${path} ${id} ${text.split(':')[0]}`);
}

test('whoever names the management cluster gets the same manifests', () => {
  const capabilities = { storageClasses: [{ name: 'fast' }], dataStores: ['default'], kubernetesVersions: ['1.35'], ...RANGES, tenantLimit: { pods: '100' } };

  expect(Testing.synth(tenant(Testing.app(), { capabilities }))).toEqual(Testing.synth(tenant(Testing.app(), {})));
});

test('every strategy is told what it may ask for', () => {
  const { _context: { management, infraCluster } } = tenant(Testing.app(), { capabilities: RANGES });

  expect(management).toEqual(RANGES);
  expect(infraCluster).toEqual(RANGES);
  expect(tenant(Testing.app(), {})._context).toMatchObject({ management: undefined, infraCluster: undefined });
});

test('what is missing is reported all at once, where it is asked for', () => {
  expect(refused({
    capabilities: { storageClasses: [{ name: 'slow' }], dataStores: ['other'], kubernetesVersions: ['1.34'], priorityClasses: [] },
    pool: { size: PoolSize.between(1, 3) },
    cluster: { clusterAutoscaler: undefined },
  })).toEqual([
    'acme TC-MANAGEMENT-KUBERNETES-VERSION kubernetesVersion',
    'acme TC-KAMAJI-DATA-STORE-UNKNOWN controlPlane.dataStore',
    'acme/general TC-KUBEVIRT-INFRA-CLASS machine.rootDisk.storageClass',
  ]);
});

test('a pool\'s own version is one that is offered', () => {
  expect(refused({ capabilities: { kubernetesVersions: ['1.35.4'] }, pool: { kubernetesVersion: '1.35.3' } })).toEqual(['acme/general TC-MANAGEMENT-KUBERNETES-VERSION kubernetesVersion']);
  expect(refused({ capabilities: { kubernetesVersions: ['1.35'] }, pool: { kubernetesVersion: '1.35.3' } })).toEqual([]);
});

describe('ranges of the management cluster', () => {
  test('are kept free by tenants, beside those that the infrastructure names', () => {
    const around = { capabilities: RANGES, infrastructure: { infraClusterCidrs: ['10.50.0.0/16', '10.42.0.0/16'] } };

    expect(tenant(Testing.app(), around)._context.infrastructure.reservedCidrs).toEqual(['10.50.0.0/16', '10.42.0.0/16', '10.43.0.0/16', '192.168.7.0/24']);
    expect(refused({ ...around, cluster: { podCidrs: ['10.42.128.0/17'], serviceCidrs: ['10.43.0.0/20'] } })).toEqual([
      'acme TC-NETWORK-OVERLAP podCidrs', 'acme TC-NETWORK-OVERLAP serviceCidrs',
    ]);
  });

  test('that are none are reported once, and not compared with', () => {
    expect(refused({ capabilities: { podCidrs: ['10.42.0.0/99'] } })).toEqual(['acme TC-MANAGEMENT-CAPABILITIES-CIDR managementCluster.capabilities.podCidrs[0]']);
  });

  test('are no concern of machines in another cluster, which has ranges of its own', () => {
    const infrastructure = { infraClusterSecretRef: { name: 'edge' }, infraCluster: { podCidrs: ['10.60.0.0/16'] } };

    expect(refused({ capabilities: RANGES, infrastructure, cluster: { podCidrs: ['10.42.0.0/16'] } })).toEqual([]);
    expect(refused({ capabilities: RANGES, infrastructure, cluster: { podCidrs: ['10.60.0.0/16'] } })).toEqual(['acme TC-NETWORK-OVERLAP podCidrs']);
  });

  test('are what an isolation keeps machines out of', () => {
    const isolated = (around: Surroundings) => tenant(Testing.app(), { ...around, cluster: { isolation: new TenantIsolation() } }).isolation!;
    const exceptions = (around: Surroundings) => isolated(around).networkPolicies
      .flatMap((policy) => JSON.stringify(policy.toJson()).match(/"except":\[[^\]]*\]/g) ?? []);

    // Machines and the control plane.
    expect(exceptions({ capabilities: RANGES })).toEqual(Array(2).fill(expect.stringContaining('"10.42.0.0/16","10.43.0.0/16","192.168.7.0/24"')));
    expect(refused({ cluster: { isolation: new TenantIsolation() } })).toEqual([
      'acme TC-ISOLATION-RANGES-UNKNOWN isolation.network.managementCidrs',
      'acme TC-ISOLATION-DATA-STORE-UNKNOWN isolation.network.controlPlaneDestinations',
    ]);
  });
});

test('machines in another cluster ask that one', () => {
  const infrastructure = { infraClusterSecretRef: { name: 'edge' } };
  const capabilities = { storageClasses: [{ name: 'slow' }] };

  expect(refused({ capabilities, infrastructure })).toEqual([]);
  expect(refused({ capabilities, infrastructure: { ...infrastructure, infraCluster: { storageClasses: [{ name: 'edge' }] } } })).toEqual(['acme/general TC-KUBEVIRT-INFRA-CLASS machine.rootDisk.storageClass']);
});

test('infrastructure of other kinds runs no machines in the management cluster', () => {
  const cluster = exampleCluster(Testing.app(), { managementCluster: new ImportedManagementCluster(RANGES), podCidrs: ['10.42.0.0/16'] });
  cluster.addNodePool('general', poolProps());

  expect(cluster._context).toMatchObject({ management: RANGES, infraCluster: undefined });
});

describe('the size of an instance type', () => {
  const capabilities = { instanceTypes: [{ name: 'u1.large', capacity: { cpu: 2, memory: Size.gibibytes(8) } }] };
  const machine = { cpu: undefined, memory: undefined, instanceType: 'u1.large' };
  const stated = { ...machine, capacity: capabilities.instanceTypes[0].capacity };
  const pool = { size: PoolSize.between(0, 3) };

  function annotations(around: Surroundings): Manifest {
    const manifests: Manifest[] = Testing.synth(tenant(Testing.app(), around));
    return manifests.find(({ kind }) => kind === 'MachineDeployment').metadata.annotations;
  }

  test('is what the autoscaler plans with', () => {
    expect(annotations({ capabilities, machine, pool })).toEqual(annotations({ machine: stated, pool }));
    expect(refused({ capabilities, machine, pool })).toEqual([]);
    expect(refused({ machine, pool })).toEqual(['acme/general TC-POOL-CAPACITY-UNKNOWN machine.capacity']);
  });

  test('is what kubelet reservations follow from', () => {
    const templates = (around: Surroundings) => JSON.stringify(Testing.synth(tenant(Testing.app(), around)).find(({ kind }) => kind === 'KubeadmConfigTemplate'));

    expect(templates({ capabilities, machine })).toEqual(templates({ machine: stated }));
    expect(templates({ capabilities, machine })).not.toEqual(templates({ machine }));
  });
});

test('synthesizing twice reports the same', () => {
  const app = Testing.app();
  tenant(app, { capabilities: { preferences: ['A'], totalLimit: { pods: '1' } } });

  expect(problemsOf(app)).toHaveLength(2);
  expect(problemsOf(app)).toHaveLength(2);
});
