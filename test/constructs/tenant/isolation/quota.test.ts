import { ApiObject, Chart, JsonPatch, Size, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { clusterProblems, clusterWith, kubevirtContext, MANAGEMENT, objectsOf, problems, RANGES, Surroundings } from './bound';
import { KubevirtMachineTemplate } from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { Cni } from '../../../../src/constructs/addons/cni/cni';
import { strategyScope } from '../../../../src/constructs/app/problems/problems';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import { Machine, MachineConfig } from '../../../../src/constructs/contracts/machine';
import { MachineCount } from '../../../../src/constructs/contracts/node-pool/machine-count';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../../src/constructs/contracts/node-pool/rollout-strategy';
import { KamajiUpdateStrategy } from '../../../../src/constructs/control-planes/kamaji/deployment';
import { KamajiExposure } from '../../../../src/constructs/control-planes/kamaji/exposure';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmControlPlane } from '../../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import {
  KubevirtCloudControllerManager,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { GpuDevice } from '../../../../src/constructs/infrastructures/kubevirt/devices';
import { ExtraDisk } from '../../../../src/constructs/infrastructures/kubevirt/extra-disk';
import {
  ControlPlaneServiceType, KubevirtInfrastructure,
} from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { HugePageSize } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { NetworkIsolation } from '../../../../src/constructs/tenant/isolation/network-isolation';
import { ServiceIsolation } from '../../../../src/constructs/tenant/isolation/service-isolation';
import { InfraClusterIsolation, TenantIsolation, TenantIsolationProps } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { SecretRef } from '../../../../src/manifests/values/secret-ref';
import { problemsIn, problemsOf } from '../../../support/problems';

const NONE = { network: NetworkIsolation.none() };
const OTHER_CLUSTER: SecretRef = { name: 'edge' };
const GPU: GpuDevice = { deviceName: 'nvidia.com/GA102GL_A10', resourceName: 'nvidia.com/gpu' } as GpuDevice;

/** Machines of somebody else's strategy, whose templates only name an instance type. */
class ForeignMachine extends Machine {
  public readonly infrastructureKind = 'KubevirtCluster';
  public readonly capacity = { cpu: 32, memory: Size.gibibytes(128) };

  public bind(scope: Construct): MachineConfig {
    const virtualMachineTemplate = { spec: { instancetype: { name: 'big' }, template: { spec: { domain: { devices: {} } } } } };
    return { template: new KubevirtMachineTemplate(scope, 'Resource', { spec: { template: { spec: { virtualMachineTemplate } } } }) };
  }
}

/** The terms of the arithmetic that an entry of a quota which is too small is refused with. */
function terms(entry: string, around: Surroundings = {}, isolation: TenantIsolationProps = {}): string[] {
  const found = clusterProblems({ ...NONE, ...isolation, quota: { ...isolation.quota, [entry]: '0' } }, around)
    .filter(({ id, text }) => id === 'TC-ISOLATION-QUOTA' && text.startsWith(`isolation.quota["${entry}"]`));
  expect(found.length).toBeLessThanOrEqual(1);
  return found.flatMap(({ text }) => text.replace(/^.* of \S+: /, '').replace(/\. Accepted: .*$/, '').split('; '));
}

function machines(entry: string, around?: Surroundings, isolation?: TenantIsolationProps): string | undefined {
  return terms(entry, around, isolation).find((term) => term.includes('machines of pool'));
}

function controlPlane(entry: string, around?: Surroundings): string | undefined {
  return terms(entry, around).find((term) => term.includes('pods of the control plane'));
}

describe('load balancers and node ports', () => {
  const publishing = { ...kubevirtContext().infrastructure, servicePublisher: 'cloud-controller-manager' };
  const written = (isolation: TenantIsolationProps = {}, context: Partial<ClusterContext> = {}): unknown => (
    objectsOf({ ...NONE, ...isolation, services: isolation.services ?? ServiceIsolation.none() }, kubevirtContext({ infrastructure: publishing, ...context }))['ResourceQuota acme']?.spec.hard
  );
  const amounts = (loadBalancers: string, nodePorts: string): object => ({ 'services.loadbalancers': loadBalancers, 'services.nodeports': nodePorts });

  test('are limited where Services are published in the management cluster', () => {
    expect(written()).toEqual(amounts('11', '44'));
    expect(written({ quota: { pods: '50' } })).toEqual({ pods: '50', ...amounts('11', '44') });
    expect(written({}, { infrastructure: kubevirtContext().infrastructure })).toBeUndefined();
  });

  test.each<[what: string, isolation: TenantIsolationProps, expected: object | undefined]>([
    ['more load balancers', { quota: { 'services.loadbalancers': '30' } }, amounts('30', '120')],
    ['fewer load balancers, and all ports of one Service', { quota: { 'services.loadbalancers': '2' } }, amounts('2', '20')],
    ['more ports', { quota: { 'services.nodeports': '500' } }, amounts('11', '500')],
    ['many ports for one Service', { services: ServiceIsolation.admissionPolicy({ maximumPorts: 101 }) }, amounts('11', '108')],
    ['no limit of load balancers', { quota: { 'services.loadbalancers': 'unlimited' } }, { 'services.nodeports': '44' }],
    ['no limit of node ports', { quota: { 'services.nodeports': 'unlimited' } }, { 'services.loadbalancers': '11' }],
    ['no limit', { quota: amounts('unlimited', 'unlimited') as TenantIsolationProps['quota'] }, undefined],
  ])('are limited on request: %s', (_, isolation, expected) => {
    expect(written(isolation)).toEqual(expected);
  });

  test('are limited as the management cluster says', () => {
    expect(written({}, { management: { ...MANAGEMENT, tenantLimit: { 'services.loadbalancers': '3' } } })).toEqual(amounts('3', '20'));
    expect(written({}, { management: { ...MANAGEMENT, tenantLimit: { 'services.nodeports': '30' } } })).toEqual(amounts('11', '30'));
  });

  test('TC-ISOLATION-QUOTA-ENTRY: no limit for what has no default', () => {
    const found = problems({ ...NONE, quota: { pods: 'unlimited' } });

    expect(found.map(({ id, text }) => [id, text.split(':')[0]])).toEqual([['TC-ISOLATION-QUOTA-ENTRY', 'isolation.quota["pods"]']]);
  });
});

const DISK = RootDisk.containerDisk({ image: 'registry.example.com/os/ubuntu:v1.35.4' });

describe('Services that controllers make for the cluster itself', () => {
  test.each<[what: string, entry: string, around: Surroundings, expected: string[]]>([
    ['a load balancer', 'services.loadbalancers', {}, ['1 Service of the control plane × 1 = 1']],
    ['its node ports, of API server and konnectivity', 'services.nodeports', {}, ['1 Service of the control plane × 2 = 2']],
    ['a Service', 'services', {}, ['1 Service of the control plane × 1 = 1']],
    ['a Service, counted as an object', 'count/services', {}, ['1 Service of the control plane × 1 = 1']],
    ['no load balancer', 'services.loadbalancers', { controlPlane: { exposure: KamajiExposure.nodePort({ address: '192.0.2.7', port: 30443 }) } }, []],
  ])('take %s', (_, entry, around, expected) => {
    expect(terms(entry, around)).toEqual(expected);
  });

  test('take what kubeadm control planes need', () => {
    const refused = (type?: ControlPlaneServiceType): string[] => problemsIn((app) => {
      const cluster = new TenantCluster(app, 'acme', {
        namespace: 'tenant-acme',
        kubernetesVersion: '1.35.4',
        controlPlane: new KubeadmControlPlane({ machine: new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(8), rootDisk: DISK }), replicas: 1 }),
        infrastructure: new KubevirtInfrastructure({
          controlPlaneService: type && { type }, cloudControllerManager: KubevirtCloudControllerManager.none(),
        }),
        managementCluster: new ImportedManagementCluster(MANAGEMENT),
        cni: Cni.none(),
      });
      new TenantIsolation({ ...NONE, quota: { 'services': '0', 'services.loadbalancers': '0' } }).bind(strategyScope(cluster, 'Isolation'), cluster._context);
    }).filter(({ id }) => id === 'TC-ISOLATION-QUOTA').map(({ text }) => text.split(':')[0]);

    expect(refused()).toEqual(['isolation.quota["services"]']);
    expect(refused(ControlPlaneServiceType.LOAD_BALANCER)).toEqual(['isolation.quota["services"]', 'isolation.quota["services.loadbalancers"]']);
  });

  test('count within what the management cluster gives one tenant, and are missed once', () => {
    const limited = new ImportedManagementCluster({ ...MANAGEMENT, tenantLimit: { 'services.loadbalancers': '0' } });
    const found = problemsIn((app) => {
      new TenantCluster(app, 'acme', {
        namespace: 'tenant-acme',
        kubernetesVersion: '1.35.4',
        controlPlane: new KamajiControlPlane(),
        infrastructure: new KubevirtInfrastructure(),
        managementCluster: limited,
        isolation: new TenantIsolation(NONE),
        cni: Cni.none(),
      });
    });

    expect(found.map(({ id, text }) => `${id} ${text}`)).toEqual([
      expect.stringMatching(/^TC-ISOLATION-TENANT-LIMIT managementCluster\.capabilities\.tenantLimit\["services\.loadbalancers"\]: one tenant may have 0, and the cluster may need 1 /),
    ]);
  });
});

test('the quota is written as it is given', () => {
  const { 'ResourceQuota acme': quota } = objectsOf({ ...NONE, quota: { 'requests.cpu': '20', 'requests.memory': '200Gi', 'count/pods': '50' } });
  expect(quota).toEqual({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'acme', namespace: 'tenant-acme' },
    spec: { hard: { 'count/pods': '50', 'requests.cpu': '20', 'requests.memory': '200Gi' } },
  });
});

test('a quota of nothing is no quota', () => {
  expect(objectsOf({ ...NONE, quota: {} })).toEqual({});
});

test('a quota that is too small says how much is needed, and that much is enough', () => {
  const quota = (memory: string) => clusterProblems({ ...NONE, quota: { 'requests.memory': memory } });
  const [problem, ...others] = quota('100Gi');
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ path: 'acme', id: 'TC-ISOLATION-QUOTA' });
  expect(problem.text).toMatch(/^isolation\.quota\["requests\.memory"\]: the quota is 100Gi, and the cluster may need \d+Mi \(\d+Gi in whole GiB\) of requests\.memory: /);
  const needed = /Accepted: at least (\d+)(Mi|Gi)\b/.exec(problem.text)!;
  expect(quota(`${needed[1]}${needed[2]}`)).toEqual([]);
  const [, whole] = /may need \d+Mi \((\d+)Gi in whole GiB\)/.exec(problem.text)!;
  expect(quota(`${whole}Gi`)).toEqual([]);
  expect(quota(`${Number(whole) - 1}Gi`)).toHaveLength(1);
  const mebibytes = Number(needed[1]) * (needed[2] === 'Gi' ? 1024 : 1);
  expect(quota(`${mebibytes - 1}Mi`).map(({ id }) => id)).toEqual(['TC-ISOLATION-QUOTA']);
});

describe('machines', () => {
  test('count at their largest number during a rollout, with KubeVirt\'s overhead', () => {
    // 16384 for the guest, 32 for page tables, 32 for CPUs, 260 for KubeVirt's own processes and the screen.
    expect(machines('requests.memory')).toBe('(10 + 1 in a rollout) machines of pool acme-general × 16708Mi = 183788Mi');
    expect(machines('memory')).toBe('(10 + 1 in a rollout) machines of pool acme-general × 16708Mi = 183788Mi');
    expect(machines('pods')).toBe('(10 + 1 in a rollout) machines of pool acme-general × 1 = 11');
    expect(machines('count/pods')).toBe('(10 + 1 in a rollout) machines of pool acme-general × 1 = 11');
  });

  test('request a tenth of a CPU for each of their own, or what KubeVirt is configured with', () => {
    expect(machines('requests.cpu')).toBe('(10 + 1 in a rollout) machines of pool acme-general × 400m = 4400m');
    expect(machines('cpu', {}, { kubevirtSizing: { cpuAllocationRatio: 1 } })).toContain('× 4 = 44');
    expect(machines('requests.memory', {}, { kubevirtSizing: { memoryOvercommit: 200 } })).toContain('× 8516Mi');
  });

  test('are limited by KubeVirt where the quota has limits', () => {
    expect(machines('limits.cpu')).toContain('× 4 = 44');
    expect(machines('limits.memory')).toContain('× 33416Mi');
    expect(machines('limits.memory', {}, { kubevirtSizing: { memoryLimitsRatio: 1.5 } })).toContain('× 25062Mi');
  });

  test('with CPUs of their own request and limit all of them', () => {
    const machine = { dedicatedCpus: true };
    expect(machines('requests.cpu', { machine })).toContain('× 4 = 44');
    expect(machines('requests.memory', { machine })).toContain('× 16808Mi');
    expect(machines('limits.memory', { machine })).toContain('× 16808Mi');
  });

  test('on huge pages request those, and memory for the overhead', () => {
    const machine = { hugePages: HugePageSize.TWO_MEBIBYTES };
    expect(machines('requests.hugepages-2Mi', { machine })).toContain('× 16Gi = 176Gi');
    expect(machines('requests.memory', { machine })).toContain('× 324Mi');
  });

  test('count disks and devices', () => {
    const machine = { gpus: [GPU], extraDisks: [ExtraDisk.blank({ name: 'data', size: Size.gibibytes(10) })] };
    expect(machines('requests.storage', { machine })).toContain('× 50Gi = 550Gi');
    expect(machines('persistentvolumeclaims', { machine })).toContain('× 2 = 22');
    expect(machines('requests.nvidia.com/GA102GL_A10', { machine })).toContain('× 1 = 11');
    expect(machines('requests.memory', { machine })).toContain('× 17732Mi');
  });

  test('count patches of the template', () => {
    const app = Testing.app();
    const cluster = clusterWith(app, { ...NONE, quota: { 'requests.memory': '0' } });
    cluster.nodePools[0].machineTemplate.addJsonPatch(JsonPatch.replace('/spec/template/spec/virtualMachineTemplate/spec/template/spec/domain/memory/guest', '32Gi'));
    expect(problemsOf(app)[0].text).toContain('× 33124Mi');
  });

  test.each<[string, Partial<Surroundings['pool']>, string]>([
    ['a fixed size', { size: PoolSize.fixed(3) }, '(3 + 1 in a rollout)'],
    ['a surge in percent', { rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(25) }) }, '(10 + 3 in a rollout)'],
    ['no surge', { rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(0), maxUnavailable: MachineCount.absolute(1) }) }, '10 machines'],
    ['replacement by hand', { rollout: RolloutStrategy.onDelete() }, '10 machines'],
  ])('with %s', (_, pool, number) => {
    expect(machines('pods', { pool })?.startsWith(number)).toBe(true);
  });

  describe('of an instance type', () => {
    const sized = { instanceType: 'big', capacity: { cpu: 32, memory: Size.gibibytes(128) } };
    const machine = { cpu: undefined, memory: undefined, ...sized };
    // 131072 for the guest, 256 for page tables, 256 for CPUs, 260 for KubeVirt's own processes and the screen.
    const amounts = [['requests.memory', '131844Mi'], ['requests.cpu', '3200m'], ['limits.cpu', '32']] as const;

    test.each([
      ['autoscaled', PoolSize.between(1, 10), '(10 + 1 in a rollout)'],
      ['fixed', PoolSize.fixed(3), '(3 + 1 in a rollout)'],
    ])('count with the size that they are given, %s', (_, size, number) => {
      for (const [entry, amount] of amounts) {
        expect(machines(entry, { machine, pool: { size } })).toContain(`${number} machines of pool acme-general × ${amount} `);
      }
    });

    test('count so on a control plane of theirs', () => {
      const rootDisk = RootDisk.registry({ url: 'docker://registry.example.com/os/ubuntu:24.04-v1.35.4', size: Size.gibibytes(40) });
      const machinesOf = (entry: string) => problemsIn((app) => {
        new TenantCluster(app, 'acme', {
          namespace: 'tenant-acme',
          kubernetesVersion: '1.35.4',
          controlPlane: new KubeadmControlPlane({ machine: new KubevirtMachine({ ...sized, rootDisk }), replicas: 3 }),
          infrastructure: new KubevirtInfrastructure({ infraClusterCidrs: RANGES }),
          cni: Cni.none(),
          isolation: new TenantIsolation({ ...NONE, quota: { [entry]: '0' } }),
        });
      }).map(({ text }) => text).join();
      for (const [entry, amount] of amounts) {
        expect(machinesOf(entry)).toContain(`(3 + 1 in a rollout) machines of the control plane × ${amount} `);
      }
    });

    test('count with what the autoscaler is told where nobody says more', () => {
      const [, amount] = /× (\d+)Mi/.exec(machines('requests.memory', { pool: { machine: new ForeignMachine() } })!)!;
      expect(Number(amount)).toBeGreaterThan(100 * 1024);
      expect(Number(amount)).toBeLessThan(131844);
    });
  });

  test('in another cluster count nothing here', () => {
    const infrastructure = new KubevirtInfrastructure({ infraClusterSecretRef: OTHER_CLUSTER });
    const isolation = { infraCluster: InfraClusterIsolation.external('platform/edge') };
    expect(machines('requests.memory', { infrastructure }, isolation)).toBeUndefined();
    expect(controlPlane('requests.memory', { infrastructure })).toBeDefined();
  });
});

describe('the control plane', () => {
  test('counts twice during a rollout, with all its containers', () => {
    expect(controlPlane('requests.memory')).toBe('(2 + 2 in a rollout) pods of the control plane × 1792Mi = 7Gi');
    expect(controlPlane('requests.cpu')).toBe('(2 + 2 in a rollout) pods of the control plane × 350m = 1400m');
    expect(controlPlane('limits.memory')).toBe('(2 + 2 in a rollout) pods of the control plane × 1792Mi = 7Gi');
    expect(controlPlane('pods')).toBe('(2 + 2 in a rollout) pods of the control plane × 1 = 4');
  });

  test.each<[string, Surroundings['controlPlane'], string | undefined]>([
    ['a rollout step by step', { replicas: 3, deployment: { strategy: KamajiUpdateStrategy.rollingUpdate() } }, '(3 + 1 in a rollout) pods of the control plane × 350m = 1400m'],
    ['a new start', { deployment: { strategy: KamajiUpdateStrategy.recreate() } }, '2 pods of the control plane × 350m = 700m'],
    ['sleep', { replicas: 0 }, undefined],
    ['kine', { kineResources: { requests: { cpu: '1' } } }, '(2 + 2 in a rollout) pods of the control plane × 1350m = 5400m'],
  ])('with %s', (_, props, term) => {
    expect(controlPlane('requests.cpu', { controlPlane: props })).toBe(term);
  });
});

test('controllers count with the larger of their containers and their first one', () => {
  const app = Testing.app();
  const cluster = clusterWith(app, { ...NONE, quota: { 'requests.cpu': '0', 'limits.memory': '0' } });
  const container = (name: string, cpu: string) => ({ name, resources: { requests: { cpu, memory: '1Gi' }, limits: { memory: '2Gi' } } });
  new ApiObject(new Chart(cluster, 'Controllers', { namespace: cluster.namespace }), 'Deployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'acme-controller' },
    spec: { replicas: 2, template: { spec: { containers: [container('a', '100m'), container('b', '200m')], initContainers: [container('wait', '1')] } } },
  });
  const texts = problemsOf(app).map(({ text }) => text).join('\n');
  expect(texts).toContain('(2 + 1 in a rollout) pods of the Deployment acme-controller × 1 = 3');
  expect(texts).toContain('(2 + 1 in a rollout) pods of the Deployment acme-controller × 4Gi = 12Gi');
});

test('what is not counted needs no room', () => {
  expect(clusterProblems({ ...NONE, quota: { 'secrets': '0', 'count/jobs.batch': '0', 'requests.example.com/device': '0' } })).toEqual([]);
});

describe('a quota of limits that containers do not have', () => {
  const LIMITS = { 'limits.cpu': '1000' };

  test('refuses the pods of the control plane', () => {
    const found = clusterProblems({ ...NONE, quota: LIMITS });
    expect(found.map(({ id, path }) => [id, path])).toEqual([['TC-ISOLATION-QUOTA-UNSET', 'acme']]);
    expect(found[0].text).toContain('isolation.quota["limits.cpu"]');
    expect(found[0].text).toContain('have a limit of cpu');
    expect(found[0].text).toContain('kube-apiserver, kube-controller-manager, kube-scheduler, konnectivity-server in pods of the control plane');
    expect(found[0].text).not.toContain('machines of pool');
  });

  test('is met by a default limit', () => {
    expect(clusterProblems({ ...NONE, quota: LIMITS, limitRange: { containerDefaultLimits: { cpu: '8' } } })).toEqual([]);
  });

  test('and one of requests by a default request, or a limit', () => {
    const component = { resources: { limits: { memory: '1Gi' } } };
    const around = { controlPlane: { apiServer: component } };
    expect(clusterProblems({ ...NONE, quota: { 'requests.memory': '1Ti' } }, around)).toEqual([]);
    expect(clusterProblems({ ...NONE, quota: { cpu: '1000' } }, around).map(({ text }) => text).join()).toContain('have a request of cpu, and these have none: kube-apiserver in');
    expect(clusterProblems({ ...NONE, quota: { cpu: '1000' }, limitRange: { containerDefaultRequests: { cpu: '100m' } } }, around)).toEqual([]);
  });
});
