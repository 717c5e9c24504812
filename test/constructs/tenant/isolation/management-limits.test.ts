import { App, Size, Testing } from 'cdk8s';
import { MANAGEMENT } from './bound';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { InfraHosts } from '../../../../src/constructs/contracts/capabilities/infra-hosts';
import { IManagementCluster, ImportedManagementCluster, ManagementCapabilities } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { Machine } from '../../../../src/constructs/contracts/machine';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../../src/constructs/contracts/node-pool/rollout-strategy';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { ManifestControlPlane } from '../../../../src/constructs/control-planes/manifest-control-plane';
import {
  KubevirtCloudControllerManager,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { ManifestMachine } from '../../../../src/constructs/infrastructures/manifest-machine';
import { NetworkIsolation } from '../../../../src/constructs/tenant/isolation/network-isolation';
import { TenantIsolation } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { ClusterTopology } from '../../../../src/constructs/tenant/topology/cluster-topology';
import { problemsIn, problemsOf } from '../../../support/problems';
import { ExampleBootstrap, ExampleControlPlane, ExampleInfrastructure, ExampleMachine } from '../../../support/strategies';

const INSTANCE_TYPE = { name: 'u1.2xlarge', capacity: { cpu: 8, memory: Size.gibibytes(32) } };

/** A cluster with one pool of machines of an instance type, and nothing besides that asks for CPUs. */
function tenant(app: App, name: string, managementCluster: IManagementCluster, size: PoolSize, props: Partial<TenantClusterProps> = {}): void {
  const cluster = new TenantCluster(app, name, {
    namespace: `tenant-${name}`,
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ replicas: 0 }),
    infrastructure: new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.none() }),
    cni: Cni.none(),
    managementCluster,
    ...props,
  });
  cluster.addNodePool('general', {
    machine: new KubevirtMachine({
      instanceType: INSTANCE_TYPE.name, rootDisk: RootDisk.http({ url: 'https://images.example.com/os.qcow2', size: Size.gibibytes(40), storageClass: 'fast' }),
    }),
    size,
    rollout: RolloutStrategy.onDelete(),
  });
}

function offering(capabilities: ManagementCapabilities): ImportedManagementCluster {
  return new ImportedManagementCluster({ instanceTypes: [INSTANCE_TYPE], kubevirtSizing: { cpuAllocationRatio: 1 }, ...capabilities });
}

describe('TC-ISOLATION-TENANT-LIMIT: ', () => {
  function refused(capabilities: ManagementCapabilities, size: PoolSize, props?: Partial<TenantClusterProps>): string[] {
    return problemsIn((app) => { tenant(app, 'acme', offering(capabilities), size, props); }).map(({ path, id, text }) => `${path} ${id} ${text}`);
  }

  test('a tenant stays within what it is given', () => {
    const limits = { tenantLimit: { 'requests.cpu': '24', 'cpu': '24', 'limits.cpu': '0', 'requests.nvidia.com/gpu': '0' } };

    expect(refused(limits, PoolSize.fixed(3))).toEqual([]);
    expect(refused(limits, PoolSize.fixed(4))).toEqual([
      expect.stringContaining('acme TC-ISOLATION-TENANT-LIMIT managementCluster.capabilities.tenantLimit["requests.cpu"]: one tenant may have 24, '
        + 'and the cluster may need 32 of requests.cpu: 4 machines of pool acme-general × 8 = 32'),
      expect.stringContaining('tenantLimit["cpu"]'),
    ]);
  });

  test('its quota cannot be unlimited', () => {
    const isolation = new TenantIsolation({ network: NetworkIsolation.none(), quota: { 'services.loadbalancers': 'unlimited' } });

    expect(refused({ tenantLimit: { 'services.loadbalancers': '3' } }, PoolSize.fixed(1), { isolation })).toEqual([
      expect.stringContaining('TC-ISOLATION-TENANT-LIMIT isolation.quota["services.loadbalancers"]: the quota is unlimited, and the management cluster gives one tenant 3'),
    ]);
    expect(refused({ tenantLimit: { 'services.nodeports': '30' } }, PoolSize.fixed(1), { isolation })).toEqual([]);
  });

  test('its quota does, too, by either name', () => {
    const isolation = new TenantIsolation({ quota: { 'cpu': '100', 'requests.cpu': '50', 'pods': '1000' } });
    const found = refused({ ...MANAGEMENT, tenantLimit: { 'requests.cpu': '50' } }, PoolSize.fixed(1), { isolation })
      .filter((text) => !text.includes('TC-ISOLATION-QUOTA-UNSET'));

    expect(found).toEqual([expect.stringContaining('acme TC-ISOLATION-TENANT-LIMIT isolation.quota["cpu"]: the quota is 100, and the management cluster gives one tenant 50 of requests.cpu')]);
  });

  test('machines in another cluster do not count', () => {
    const infrastructure = new KubevirtInfrastructure({ infraClusterSecretRef: { name: 'edge' }, cloudControllerManager: KubevirtCloudControllerManager.none() });

    expect(refused({ tenantLimit: { 'requests.cpu': '1' } }, PoolSize.fixed(4), { infrastructure })).toEqual([]);
  });

  test('a limit that is none is reported once', () => {
    expect(refused({ tenantLimit: { 'requests.cpu': 'many' } }, PoolSize.fixed(4))).toEqual([expect.stringContaining('acme TC-ISOLATION-QUOTA-ENTRY')]);
  });
});

describe('TC-ISOLATION-TOTAL-LIMIT: ', () => {
  function refused(totalLimit: { [resource: string]: string }, sizes: { [name: string]: number }): string[] {
    const shared = offering({ totalLimit });
    return problemsIn((app) => Object.entries(sizes).forEach(([name, size]) => tenant(app, name, shared, PoolSize.fixed(size)))).map(({ path, id, text }) => `${path} ${id} ${text}`);
  }

  test('tenants together stay within what there is', () => {
    expect(refused({ 'requests.cpu': '24' }, { one: 1, two: 2 })).toEqual([]);
    expect(refused({ 'requests.cpu': '24' }, { one: 1, two: 3, idle: 0 })).toEqual([
      expect.stringContaining('one TC-ISOLATION-TOTAL-LIMIT managementCluster.capabilities.totalLimit["requests.cpu"]: there is 24 for all tenants, '
        + 'and they may need 32 of requests.cpu: two 24; one 8.'),
    ]);
  });

  test('of many tenants the largest are named', () => {
    const sizes = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`t${index}`, index + 1]));
    const [found] = refused({ 'requests.cpu': '1' }, sizes);

    expect(found).toContain('840 of requests.cpu: t13 112; t12 104;');
    expect(found).toContain('t2 24; and 2 smaller ones.');
  });

  describe('machines of a third party that run in the management cluster', () => {
    const MACHINE = new ManifestMachine({
      ...{ apiVersion: 'infrastructure.example.com/v1', kind: 'ExampleMachineTemplate', infrastructureKind: 'ExampleCluster' },
      capacity: { cpu: 4, memory: Size.gibibytes(16), gpus: [{ resourceName: 'nvidia.com/gpu', count: 1 }] },
    });
    const controlPlane = new ManifestControlPlane({
      apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha3',
      kind: 'ExampleControlPlane',
      replicas: 3,
      machine: MACHINE,
      spec: { infrastructureTemplate: { apiVersion: 'infrastructure.example.com/v1', kind: 'ExampleMachineTemplate', name: 'any' } },
    });

    function found(machine: Machine, capabilities: ManagementCapabilities, props: Partial<TenantClusterProps> = {}): string[] {
      return problemsIn((app) => {
        const cluster = new TenantCluster(app, 'acme', {
          namespace: 'tenant-acme',
          kubernetesVersion: '1.35.4',
          controlPlane: new ExampleControlPlane(),
          infrastructure: new ExampleInfrastructure({ inManagementCluster: true }),
          bootstrap: new ExampleBootstrap(),
          cni: Cni.none(),
          managementCluster: offering(capabilities),
          ...props,
        });
        cluster.addNodePool('general', { machine, size: PoolSize.fixed(2) });
      }).map(({ id, text }) => `${id} ${text}`);
    }

    test('count with their capacity, those of the control plane, too', () => {
      const totalLimit = { 'requests.memory': '32Gi', 'requests.nvidia.com/gpu': '3', 'pods': '3' };

      expect(found(MACHINE, { totalLimit })).toEqual([
        expect.stringContaining('TC-ISOLATION-TOTAL-LIMIT managementCluster.capabilities.totalLimit["requests.memory"]: there is 32Gi for all tenants, and they may need 48Gi'),
      ]);
      expect(found(MACHINE, { totalLimit: { 'requests.memory': '48Gi' } })).toEqual([]);
      expect(found(MACHINE, { totalLimit: { 'requests.memory': '111Gi' } }, { controlPlane })).toEqual([expect.stringContaining('they may need 112Gi')]);
      expect(found(MACHINE, { totalLimit: { 'requests.memory': '1Gi' } }, { infrastructure: new ExampleInfrastructure() })).toEqual([]);
    });

    test('are refused without one, where a limit would not count them', () => {
      const unsized = new ExampleMachine();

      expect(found(unsized, { totalLimit: { 'pods': '3', 'requests.memory': '1Ti' } })).toEqual([expect.stringContaining(
        'TC-ISOLATION-MACHINE-SIZE managementCluster.capabilities.totalLimit["requests.memory"]: the size of machines of pool acme-general (ExampleMachineTemplate) is not known, '
        + 'and the limit would not count them. Fix: state capacity of the machines, or register a provider whose machinePods reads their template.',
      )]);
      expect(found(unsized, { totalLimit: { pods: '2' } })).toEqual([expect.stringContaining('they may need 3 of pods')]);
      expect(found(unsized, {}, { isolation: new TenantIsolation({ network: NetworkIsolation.none(), quota: { 'requests.cpu': '100' } }) })).toEqual([
        expect.stringContaining('TC-ISOLATION-MACHINE-SIZE isolation.quota["requests.cpu"]'),
      ]);
    });
  });

  test.each([['a class of its own', ClusterTopology.of()], ['a shared class', ClusterTopology.of({ className: 'hosted' })]])(
    'machines and control plane of a topology with %s count as those of any cluster', (_what, topology) => {
      const totalLimit = { 'requests.cpu': '24', 'pods': '1' };
      const of = (props: Partial<TenantClusterProps>) => problemsIn((app) => tenant(app, 'acme', offering({ totalLimit }), PoolSize.fixed(4), { ...props, controlPlane: new KamajiControlPlane() }))
        .filter(({ id }) => id.startsWith('TC-ISOLATION')).map(({ text }) => text);

      expect(of({ topology })).toEqual(of({}));
      expect(of({ topology })).toHaveLength(2);
      expect(of({ topology, decommission: true })).toEqual([]);
    },
  );

  test('of two management clusters do not add up', () => {
    const found = problemsIn((app) => ['one', 'two'].forEach((name) => tenant(app, name, offering({ totalLimit: { 'requests.cpu': '8' } }), PoolSize.fixed(1))));

    expect(found).toEqual([]);
  });
});

describe('TC-ISOLATION-ONE-HOST-LESS: ', () => {
  function warned(capabilities: ManagementCapabilities, size: number): string[] {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockClear().mockReturnValue();
    const app = Testing.app();
    tenant(app, 'acme', offering({ hosts: InfraHosts.count(3), ...capabilities }), PoolSize.fixed(size));
    expect(problemsOf(app)).toEqual([]);
    return emitted.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('-HOST-'));
  }

  afterEach(() => { jest.restoreAllMocks(); });

  test('tenants should fit while one host is away', () => {
    expect(warned({ hostMemory: Size.gibibytes(64) }, 3)).toEqual([]);
    expect(warned({ hostMemory: Size.gibibytes(64) }, 4)).toEqual([
      expect.stringContaining('managementCluster.capabilities.hostMemory: there is 128Gi for all tenants, and they may need'),
    ]);
    expect(warned({}, 4)).toEqual([]);
  });

  test('a limit for all tenants should fit, too, and is then the one that counts', () => {
    const room = { hostMemory: Size.gibibytes(64) };

    expect(warned({ ...room, totalLimit: { 'requests.memory': '192Gi' } }, 3)).toEqual([
      expect.stringContaining('managementCluster.capabilities.totalLimit["requests.memory"]: 192Gi for all tenants, and 2 of 3 hosts have 128Gi'),
    ]);
    expect(warned({ ...room, totalLimit: { 'requests.memory': '128Gi' } }, 3)).toEqual([]);
  });
});

test('a quota of the namespace knows the size of instance types, and how KubeVirt counts', () => {
  const app = Testing.app();
  tenant(app, 'acme', offering(MANAGEMENT), PoolSize.fixed(2), { isolation: new TenantIsolation({ quota: { 'requests.cpu': '15' } }) });

  expect(problemsOf(app).map(({ id, text }) => `${id} ${text}`).filter((text) => text.startsWith('TC-ISOLATION-QUOTA '))).toEqual([
    expect.stringContaining('the cluster may need 16 of requests.cpu: 2 machines of pool acme-general × 8 = 16'),
  ]);
});

describe('TC-ISOLATION-SHARED-PORTS: ', () => {
  function warned(ports: string, capabilities: ManagementCapabilities): string[] {
    const isolation = new TenantIsolation({ network: NetworkIsolation.none(), quota: { 'services.nodeports': ports } });
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    const management = offering(capabilities);
    expect(problemsIn((app) => {
      for (const name of ['a', 'b', 'c']) tenant(app, name, management, PoolSize.fixed(1), { infrastructure: new KubevirtInfrastructure(), isolation });
    })).toEqual([]);
    return emitted.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('TC-ISOLATION-SHARED-PORTS'));
  }

  afterEach(() => jest.restoreAllMocks());

  test.each<[what: string, ports: string, capabilities: ManagementCapabilities, text: string | undefined]>([
    ['as many as there are by default', '922', {}, undefined],
    ['more than there are by default', '923', {}, 'the quotas of 3 tenants grant 2769 of services.nodeports together, and the management cluster has 2768 by default'],
    ['less than a wider range has', '923', { totalLimit: { 'services.nodeports': '12768' } }, undefined],
    ['more addresses than there are', '44', { totalLimit: { 'services.loadbalancers': '32' } }, 'the quotas of 3 tenants grant 33 of services.loadbalancers together'],
  ])('quotas grant %s', (_, ports, capabilities, text) => {
    expect(warned(ports, capabilities)).toEqual(text === undefined ? [] : [expect.stringContaining(text)]);
  });
});
