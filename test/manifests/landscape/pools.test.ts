import { cluster, CORE, INFRASTRUCTURE, landscapeOf, object, OLD_CORE, pool } from './landscape';
import { Pool } from '../../../src/manifests/landscape/cluster-model';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';

const MIN = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
const MAX = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';

async function poolsIn(...objects: ManifestObject[]): Promise<readonly Pool[]> {
  return (await landscapeOf([cluster('acme'), ...objects])).clusters[0].pools;
}

test('versions are those that the webhooks store', async () => {
  const topology = { class: 'c', version: '1.35.4', workers: { machineDeployments: [{ class: 'w', name: 'made' }] } };
  const { clusters: [acme] } = await landscapeOf([cluster('acme', { topology }), pool('a', { template: { spec: { version: '1.35.3' } } })]);
  expect([acme.version, ...acme.pools.map(({ version }) => version)]).toEqual(['v1.35.4', 'v1.35.3', 'v1.35.4']);
});

test.each<[string, ManifestObject, Pick<Pool, 'size' | 'autoscaled'>]>([
  ['a number', pool('a', { replicas: 3 }), { size: { minimum: 3, maximum: 3 }, autoscaled: false }],
  ['nothing', pool('a', { replicas: 0 }), { size: { minimum: 0, maximum: 0 }, autoscaled: false }],
  ['bounds', pool('a', { replicas: 3 }, { annotations: { [MIN]: '0', [MAX]: '10' } }), { size: { minimum: 0, maximum: 10 }, autoscaled: true }],
  ['one bound', pool('a', { replicas: 3 }, { annotations: { [MAX]: '10' } }), { size: { minimum: 3, maximum: 3 }, autoscaled: false }],
  ['bounds that are none', pool('a', {}, { annotations: { [MIN]: 'x', [MAX]: '10' } }), { autoscaled: false }],
  ['bounds the wrong way', pool('a', {}, { annotations: { [MIN]: '11', [MAX]: '10' } }), { autoscaled: false }],
  ['no word of it', pool('a'), { autoscaled: false }],
  ['a string', pool('a', { replicas: '3' }), { autoscaled: false }],
  ['below 0', pool('a', { replicas: -1 }), { autoscaled: false }],
  ['a number of somebody else', object(CORE, 'MachinePool', 'a', { clusterName: 'acme', replicas: 3 }, { annotations: { 'cluster.x-k8s.io/replicas-managed-by': 'x' } }),
    { autoscaled: false }],
])('the size is %s', async (_, given, { size, autoscaled }) => {
  const [found] = await poolsIn(given);
  expect([found.size, found.autoscaled]).toEqual([size, autoscaled]);
});

function machine(fields: object): ManifestObject {
  return object(INFRASTRUCTURE, 'KubevirtMachineTemplate', 'm', { template: { spec: { virtualMachineTemplate: { spec: fields } } } });
}

function withDomain(domain: object, fields: object = {}): ManifestObject {
  return machine({ ...fields, template: { spec: { domain } } });
}

const USES_MACHINE = pool('a', { template: { spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtMachineTemplate', name: 'm' } } } });
const BIG = { instancetype: { name: 'big' } };

test.each<[string, ManifestObject[], object]>([
  ['cores and memory', [withDomain({ cpu: { cores: 4 }, memory: { guest: '16Gi' } })], { cpu: 4, memory: 17179869184, gpus: [] }],
  ['sockets, cores and threads', [withDomain({ cpu: { sockets: 2, cores: 3, threads: 2 } })], { cpu: 12, memory: undefined }],
  ['requested memory', [withDomain({ resources: { requests: { memory: '512Mi', cpu: '2' } } })], { cpu: undefined, memory: 536870912 }],
  ['devices', [withDomain({ devices: { gpus: [{ deviceName: 'x/a' }, { deviceName: 'x/b' }, { deviceName: 'x/a' }] } })],
    { gpus: [{ name: 'x/a', count: 2 }, { name: 'x/b', count: 1 }] }],
  ['an instance type that is elsewhere', [machine(BIG)], { instanceType: 'big', cpu: undefined, memory: undefined, gpus: undefined }],
  ['an instance type of the whole cluster', [machine(BIG), object('instancetype.kubevirt.io/v1beta1', 'VirtualMachineClusterInstancetype', 'big', {
    cpu: { guest: 8 }, memory: { guest: '8Gi' }, gpus: [{ deviceName: 'x/a' }],
  }, { namespace: undefined })], { instanceType: 'big', cpu: 8, memory: 8589934592, gpus: [{ name: 'x/a', count: 1 }] }],
  ['nonsense', [withDomain({ cpu: { cores: -4 }, memory: { guest: 'much' } })], { cpu: undefined, memory: undefined }],
])('the machine has %s', async (_, objects, expected) => {
  const [found] = await poolsIn(USES_MACHINE, ...objects);
  expect(found.machine).toMatchObject({ kind: 'KubevirtMachine', ...expected });
});

test('of other machines the kind is known', async () => {
  const reference = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachineTemplate', name: 'x' };
  const [found] = await poolsIn(object(OLD_CORE, 'MachineDeployment', 'a', { clusterName: 'acme', template: { spec: { infrastructureRef: reference, version: 'v1.33.2' } } }));
  expect(found).toMatchObject({ version: 'v1.33.2', machine: { kind: 'AWSMachine' } });
});

test.each([
  ['v1beta2', [{ name: 'v', value: '2' }, { name: 'node-labels', value: 'own=yes,bare' }]],
  ['v1beta1', { 'node-labels': 'own=yes,bare' }],
])('labels and taints of nodes come from pool and bootstrap of %s', async (version, kubeletExtraArgs) => {
  const [found] = await poolsIn(
    pool('a', {
      template: {
        metadata: { labels: { 'node-role.kubernetes.io/ingress': '', 'cluster.x-k8s.io/cluster-name': 'acme' } },
        spec: { taints: [{ key: 'b', effect: 'NoExecute', propagation: 'Always' }], bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name: 'b' } } },
      },
    }, { annotations: { 'capacity.cluster-autoscaler.kubernetes.io/taints': 'a=x:NoSchedule', 'capacity.cluster-autoscaler.kubernetes.io/labels': 'own=yes' } }),
    object(`bootstrap.cluster.x-k8s.io/${version}`, 'KubeadmConfigTemplate', 'b', {
      template: {
        spec: {
          joinConfiguration: {
            nodeRegistration: {
              kubeletExtraArgs, taints: [{ key: 'a', value: 'x', effect: 'NoSchedule' }],
            },
          },
        },
      },
    }),
  );
  expect([...found.labels]).toEqual([['bare', ''], ['node-role.kubernetes.io/ingress', ''], ['own', 'yes']]);
  expect(found.taints).toEqual(['a=x:NoSchedule', 'b:NoExecute']);
});

test('a health check is that of the machines that it selects', async () => {
  const check = (labels: object) => object(CORE, 'MachineHealthCheck', 'c', { clusterName: 'acme', selector: { matchLabels: labels } });
  const labelled = pool('a', { template: { metadata: { labels: { tier: 'x' } } } });
  expect((await poolsIn(labelled, check({ tier: 'x' })))[0].healthChecked).toBe(true);
  expect((await poolsIn(labelled, check({ tier: 'y' })))[0].healthChecked).toBe(false);
  expect((await poolsIn(labelled, check({})))[0].healthChecked).toBe(false);
});

describe('a topology', () => {
  const classRef = { name: 'standard' };
  const workers = { machineDeployments: [{ class: 'worker', name: 'md', replicas: 2, metadata: { labels: { 'node-role.kubernetes.io/x': '' } }, taints: [{ key: 'k', effect: 'NoSchedule' }] }] };
  const topology = { classRef, version: 'v1.34.1', controlPlane: { replicas: 3 }, workers };
  const template = (kind: string, name: string) => ({ templateRef: { apiVersion: INFRASTRUCTURE, kind, name } });
  const clusterClass = (more: object = {}) => object(CORE, 'ClusterClass', 'standard', {
    infrastructure: template('KubevirtClusterTemplate', 'c'),
    controlPlane: { templateRef: { apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2', kind: 'KubeadmControlPlaneTemplate', name: 'k' }, machineInfrastructure: template('KubevirtMachineTemplate', 'm') },
    workers: { machineDeployments: [{ class: 'worker', infrastructure: template('KubevirtMachineTemplate', 'm') }] },
    ...more,
  });
  const size = withDomain({ cpu: { cores: 4 } });

  test('tells pools, and its class what they are made from', async () => {
    const { clusters: [acme] } = await landscapeOf([cluster('acme', { topology }), clusterClass(), size]);
    expect(acme).toMatchObject({
      version: 'v1.34.1',
      clusterClass: 'standard',
      controlPlane: { kind: 'KubeadmControlPlane', replicas: 3, machine: { kind: 'KubevirtMachine', cpu: 4 } },
      infrastructure: { kind: 'KubevirtCluster' },
      pools: [{ name: 'md', fromTopology: true, version: 'v1.34.1', size: { minimum: 2, maximum: 2 }, machine: { kind: 'KubevirtMachine', cpu: 4 }, taints: ['k:NoSchedule'] }],
    });
    expect([...acme.pools[0].labels.keys()]).toEqual(['node-role.kubernetes.io/x']);
  });

  test('whose class has patches may have machines of any size', async () => {
    const { clusters: [acme] } = await landscapeOf([cluster('acme', { topology }), clusterClass({ patches: [{ name: 'size' }] }), size]);
    expect([acme.pools[0].machine, acme.controlPlane!.machine]).toEqual([{ kind: 'KubevirtMachine' }, { kind: 'KubevirtMachine' }]);
  });

  test('of v1beta1, with a class in another namespace', async () => {
    const old = { class: 'standard', classNamespace: 'classes', version: 'v1.33.2', workers };
    const { clusters: [acme] } = await landscapeOf([
      object(OLD_CORE, 'Cluster', 'acme', { topology: old }),
      object(OLD_CORE, 'ClusterClass', 'standard', {
        infrastructure: { ref: { apiVersion: INFRASTRUCTURE, kind: 'KubevirtClusterTemplate', name: 'c' } },
        workers: { machineDeployments: [{ class: 'worker', template: { infrastructure: { ref: { apiVersion: INFRASTRUCTURE, kind: 'KubevirtMachineTemplate', name: 'm' } } } }] },
      }, { namespace: 'classes' }),
      { ...size, metadata: { name: 'm', namespace: 'classes' } },
    ]);
    expect(acme).toMatchObject({ infrastructure: { kind: 'KubevirtCluster' }, pools: [{ name: 'md', machine: { cpu: 4 } }] });
  });

  test('and the objects that were made from it are the same pools', async () => {
    const made = pool('acme-md-x7k2p', { replicas: 5 }, { labels: { 'topology.cluster.x-k8s.io/deployment-name': 'md' } });
    const { clusters: [acme] } = await landscapeOf([cluster('acme', { topology }), made]);
    expect(acme.pools).toMatchObject([{ name: 'md', fromTopology: true, size: { maximum: 5 }, version: 'v1.34.1' }]);
  });
});
