import { App, Size, Testing } from 'cdk8s';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { AddressPool, MachineAddressPool } from '../../../../src/constructs/contracts/network/address-pool';
import { MachineCount } from '../../../../src/constructs/contracts/node-pool/machine-count';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../../src/constructs/contracts/node-pool/rollout-strategy';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { ExampleBootstrap, ExampleControlPlane, ExampleInfrastructure, ExampleMachine } from '../../../support/strategies';

class PooledMachine extends ExampleMachine {
  public constructor(private readonly pools: MachineAddressPool[]) {
    super({ cpu: 4, memory: Size.gibibytes(16) }, { addresses: pools.map(({ pool }) => pool.reference) });
  }

  public override addressPools(): MachineAddressPool[] {
    return this.pools;
  }
}

const NODES = AddressPool.inCluster({ name: 'nodes', addresses: ['192.0.2.10-192.0.2.20'], prefix: 24, gateway: '192.0.2.1', excluded: ['192.0.2.15'] });

interface ClusterOptions {
  readonly namespace?: string;
  readonly machine?: PooledMachine;
  readonly replicas?: number;
  readonly maxSurge?: number;
  readonly decommission?: boolean;
}

function cluster(app: App, name: string, options: ClusterOptions = {}) {
  const { namespace = 'tenants', machine, replicas = 3, maxSurge, decommission } = options;
  return new TenantCluster(app, name, {
    namespace,
    createNamespace: false,
    kubernetesVersion: '1.35.4',
    controlPlane: machine ? new KubeadmControlPlane({ replicas, machine, rollout: { maxSurge } }) : new ExampleControlPlane(),
    infrastructure: new ExampleInfrastructure(),
    bootstrap: new ExampleBootstrap(),
    cni: Cni.none(),
    ...(decommission && { decommission }),
  });
}

function written(app: App): any[] {
  return app.charts.flatMap((chart) => Testing.synth(chart)).filter(({ kind }) => kind.endsWith('IPPool'));
}

function problems(app: App): string[] {
  try {
    app.synth();
    return [];
  } catch (error) {
    return String(error).split('\n').filter((line) => line.includes('TC-ADDRESS-POOL'));
  }
}

const use = (pool: AddressPool, more: Partial<MachineAddressPool> = {}) => new PooledMachine([{ pool, ...more }]);

test('a pool is made once in a namespace, however many machines use it, and stays when it leaves the source', () => {
  const app = Testing.app();
  const acme = cluster(app, 'acme', { machine: use(NODES) });
  acme.addNodePool('general', { machine: use(NODES), size: PoolSize.fixed(1) });
  cluster(app, 'other', { machine: use(NODES), replicas: 1 });

  expect(problems(app)).toEqual([]);
  expect(written(app)).toMatchObject([{
    apiVersion: 'ipam.cluster.x-k8s.io/v1alpha2',
    kind: 'InClusterIPPool',
    metadata: { name: 'nodes', namespace: 'tenants', annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } },
    spec: { addresses: ['192.0.2.10-192.0.2.20'], prefix: 24, gateway: '192.0.2.1', excludedAddresses: ['192.0.2.15'] },
  }]);
});

test('each namespace has a pool of its own, and one that exists is not made', () => {
  const app = Testing.app();
  cluster(app, 'acme', { machine: use(NODES), namespace: 'one' });
  cluster(app, 'other', { machine: use(NODES), namespace: 'two' });
  cluster(app, 'third', { machine: use(AddressPool.existing({ name: 'all', global: true })), namespace: 'three' });

  expect(written(app).map(({ metadata }) => metadata.namespace)).toEqual(['one', 'two']);
});

test('the pool of a decommissioned cluster may go with its folder', () => {
  const app = Testing.app();
  cluster(app, 'acme', { machine: use(NODES), decommission: true });

  expect(written(app)[0].metadata.annotations).toBeUndefined();
});

test('references have group, kind and name', () => {
  expect(NODES.reference).toEqual({ apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'nodes' });
  expect(AddressPool.existing({ name: 'all', global: true }).reference).toEqual({ apiGroup: 'ipam.cluster.x-k8s.io', kind: 'GlobalInClusterIPPool', name: 'all' });
});

test.each<[string, object, number | undefined]>([
  ['the gateway, and what is excluded, are not for machines', { addresses: ['192.0.2.1-192.0.2.9'], prefix: 24, gateway: '192.0.2.1', excluded: ['192.0.2.4/31'] }, 6],
  ['neither are the first and last address of the subnet', { addresses: ['192.0.2.0/28'], prefix: 28 }, 14],
  ['unless the pool says so', { addresses: ['192.0.2.0/28'], prefix: 28, allocateReserved: true }, 16],
  ['with IPv6, only the first one is not', { addresses: ['2001:db8::/124'], prefix: 124 }, 15],
  ['a range that cannot be read has no number', { addresses: ['192.0.2.300'], prefix: 24 }, undefined],
])('%s', (_, options, available) => {
  expect(AddressPool.inCluster({ name: 'nodes', ...options } as never).available).toBe(available);
});

test('a pool that all machines and a rollout would exhaust is refused, with the sum', () => {
  const app = Testing.app();
  const acme = cluster(app, 'acme', { machine: use(NODES) });
  acme.addNodePool('general', { machine: use(NODES, { property: 'network.pool' }), size: PoolSize.between(1, 4), rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(50) }) });
  cluster(app, 'other', { machine: use(NODES), replicas: 1 });

  expect(problems(app)).toEqual([expect.stringContaining(
    '[other] TC-ADDRESS-POOL-EXHAUSTED controlPlane.machine.addressPools: pool "nodes" has 10 addresses for machines, and they may take 12: '
    + 'acme-control-plane 3 + 1 in a rollout, acme-general 4 + 2 in a rollout, other-control-plane 1 + 1 in a rollout = 12.',
  )]);
});

test('a rollout without surge needs no address, and a machine may take several', () => {
  const app = Testing.app();
  cluster(app, 'acme', { machine: use(NODES, { addresses: 3 }), maxSurge: 0 });
  expect(problems(app)).toEqual([]);

  const other = Testing.app();
  cluster(other, 'acme', { machine: use(NODES, { addresses: 4 }), maxSurge: 0 });
  expect(problems(other)).toEqual([expect.stringContaining('they may take 12: acme-control-plane 4 × 3.')]);
});

test('an existing pool is checked where its number of addresses is known', () => {
  const app = Testing.app();
  const machine = use(AddressPool.existing({ name: 'all', global: true, available: 5 }));
  cluster(app, 'acme', { machine, namespace: 'one' });
  cluster(app, 'other', { machine, namespace: 'two' });
  cluster(app, 'third', { machine: use(AddressPool.existing({ name: 'unknown' })), namespace: 'three', replicas: 5 });

  expect(problems(app)).toEqual([expect.stringMatching(/^.*\[other\] TC-ADDRESS-POOL-EXHAUSTED .*pool "all" has 5 addresses/)]);
});

test('two pools of one name in a namespace must be the same', () => {
  const app = Testing.app();
  const acme = cluster(app, 'acme', { machine: use(NODES) });
  acme.addNodePool('general', { machine: use(AddressPool.inCluster({ name: 'nodes', addresses: ['192.0.2.30-192.0.2.60'], prefix: 24 })), size: PoolSize.fixed(1) });

  expect(problems(app)).toEqual([expect.stringMatching(/\[acme\/general\] TC-ADDRESS-POOL-NAME machine\.addressPools: there is another pool "nodes"/)]);
});

test.each([[{ addresses: 0 }, 'number of addresses that a machine takes'], [{ addresses: 1.5 }, '1.5 is not']])('%j is refused', (more, message) => {
  const app = Testing.app();
  cluster(app, 'acme', { machine: use(NODES, more) });

  expect(problems(app).join()).toContain(message);
});
