import { App, Size, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { TypedApiObject } from '../../../../src/constructs/app/synth/typed-api-object';
import { MachineConfig } from '../../../../src/constructs/contracts/machine';
import { AddressPool, InClusterAddressPoolOptions, MachineAddressPool } from '../../../../src/constructs/contracts/network/address-pool';
import { MachineCount } from '../../../../src/constructs/contracts/node-pool/machine-count';
import { PoolContext } from '../../../../src/constructs/contracts/node-pool/pool-context';
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

/** A machine whose template is of a kind that the library knows. */
class KnownMachine extends PooledMachine {
  public override bind(scope: Construct, _context: PoolContext): MachineConfig {
    const addressesFromPools = this.addressPools().map(({ pool }) => pool.reference);
    const kind = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'VSphereMachineTemplate' };
    const spec = { template: { spec: { template: 'ubuntu', network: { devices: [{ networkName: 'nodes', addressesFromPools }] } } } };
    return { template: new TypedApiObject(scope, 'Resource', kind, { metadata: { name: 'any' }, spec }) };
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
    return String(error).split('\n').filter((line) => line.includes('ADDRESS-POOL'));
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

test('each namespace has a pool of its own, which must not have the same addresses', () => {
  const app = Testing.app();
  const pool = (addresses: string) => AddressPool.inCluster({ name: 'nodes', addresses: [addresses], prefix: 24 });
  cluster(app, 'acme', { machine: use(pool('192.0.2.10-192.0.2.20')), namespace: 'one' });
  cluster(app, 'other', { machine: use(pool('192.0.2.30-192.0.2.40')), namespace: 'two' });
  expect(written(app).map(({ metadata }) => metadata.namespace)).toEqual(['one', 'two']);

  cluster(app, 'third', { machine: use(pool('192.0.2.20-192.0.2.25')), namespace: 'three' });
  expect(problems(app)).toEqual([expect.stringContaining(
    '[third] TC-TRAP-ADDRESS-POOL-OVERLAP controlPlane.machine.addressPools.addresses: 192.0.2.20 is in the InClusterIPPool "nodes" in the namespace "one"',
  )]);
});

test('a pool that exists is not made', () => {
  const app = Testing.app();
  cluster(app, 'acme', { machine: use(AddressPool.existing({ name: 'all', global: true })) });

  expect(written(app)).toEqual([]);
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

test.each<[string, Partial<InClusterAddressPoolOptions>, string]>([
  ['a range that is none', { addresses: ['192.0.2.20-192.0.2.10'] }, '[acme] TC-ADMIT-IN-CLUSTER-ADDRESSES controlPlane.machine.network.pool.addresses[0]: '],
  ['a prefix of another family', { prefix: 64 }, '[acme] TC-ADMIT-IN-CLUSTER-SUBNET controlPlane.machine.network.pool.prefix: '],
  ['a gateway of another subnet', { gateway: '198.51.100.1' }, '[acme] TC-TRAP-IN-CLUSTER-GATEWAY controlPlane.machine.network.pool.gateway: '],
  ['no address that is left', { excluded: ['192.0.2.0/24'] }, '[acme] TC-TRAP-IN-CLUSTER-EMPTY controlPlane.machine.network.pool.addresses: '],
])('%s is reported at the property of the machine', (_, options, expected) => {
  const app = Testing.app();
  const pool = AddressPool.inCluster({ name: 'nodes', addresses: ['192.0.2.10-192.0.2.20'], prefix: 24, gateway: '192.0.2.1', ...options });
  cluster(app, 'acme', { machine: use(pool, { property: 'network.pool' }) });

  expect(() => app.synth()).toThrow(expected);
});

test('the addresses of machines of a kind that is known are counted once, in what is written', () => {
  const app = Testing.app();
  const small = AddressPool.inCluster({ name: 'small', addresses: ['192.0.2.10-192.0.2.12'], prefix: 24 });
  cluster(app, 'acme', { machine: new KnownMachine([{ pool: small }]) });

  expect(problems(app)).toEqual([
    expect.stringContaining('TC-TRAP-ADDRESS-POOL-EXHAUSTED controlPlane.machine.addressPools.addresses: pool "small" has 3 addresses for machines, and they may take 4'),
  ]);
});

test.each([
  ['a machine that takes no address', use(NODES, { addresses: 0 }), '0 is not a number of addresses that a machine takes'],
  ['a machine that takes half an address', use(NODES, { addresses: 1.5 }), '1.5 is not a number of addresses that a machine takes'],
  ['an existing pool with less than nothing', use(AddressPool.existing({ name: 'hall', available: -1 })), '-1 is not a number of addresses'],
])('%s is refused', (_, machine, message) => {
  const app = Testing.app();
  cluster(app, 'acme').addNodePool('general', { machine, size: PoolSize.fixed(1) });

  expect(problems(app)).toEqual([expect.stringContaining(`TC-ADDRESS-POOL-NUMBER machine.addressPools: ${message}. Accepted: whole numbers.`)]);
});
