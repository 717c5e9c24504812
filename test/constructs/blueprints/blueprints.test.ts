import { Size, Testing } from 'cdk8s';
import { HALL, KUBEVIRT_PROPS } from './blueprint-props';
import { FluentBit } from '../../../src/constructs/addons/catalog/fluent-bit';
import { Vector } from '../../../src/constructs/addons/catalog/vector';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { GpuCluster, GpuClusterOptions, GpuClusterProps } from '../../../src/constructs/blueprints/gpu-cluster';
import { HighlyAvailable, HighlyAvailableOptions, HighlyAvailableProps } from '../../../src/constructs/blueprints/highly-available';
import { PlatformCluster, PlatformClusterOptions, PlatformClusterProps } from '../../../src/constructs/blueprints/platform-cluster';
import { SmallEdge, SmallEdgeOptions } from '../../../src/constructs/blueprints/small-edge';
import { VultrStarter, VultrStarterProps } from '../../../src/constructs/blueprints/vultr-starter';
import { HostFencing, InfraHosts } from '../../../src/constructs/contracts/capabilities/infra-hosts';
import { ImportedManagementCluster, ManagementCapabilities } from '../../../src/constructs/contracts/capabilities/management-cluster';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { VultrInfrastructure } from '../../../src/constructs/infrastructures/vultr/vultr-infrastructure';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterIdentity, TenantClusterOptions } from '../../../src/constructs/tenant/tenant-cluster-props';
import { Manifest } from '../../support/clusters';
import { problemsIn } from '../../support/problems';

const ZONE = 'topology.kubernetes.io/zone';
const MACHINE = new KubevirtMachine({ cpu: 8, memory: Size.gibibytes(32), rootDisk: RootDisk.containerDisk({ image: KUBEVIRT_PROPS.nodeImage }) });
const PLATFORM = { ...KUBEVIRT_PROPS, logOutputs: '[OUTPUT]\n    Name stdout\n', backup: { bucket: 'tenant-acme' } };
const GPU = { ...KUBEVIRT_PROPS, gpuDevice: 'nvidia.com/AD102GL_L40S' };
const VULTR = { namespace: 'acme', kubernetesVersion: '1.35.4', region: 'nrt', snapshotId: '00000000-0000-4000-8000-000000000001' };

const highlyAvailable = (props: Partial<HighlyAvailableProps> = {}) => new HighlyAvailable(Testing.app(), 'acme', { ...KUBEVIRT_PROPS, ...props });
const gpuCluster = (props: Partial<GpuClusterProps> = {}) => new GpuCluster(Testing.app(), 'acme', { ...GPU, ...props });
const platform = (props: Partial<PlatformClusterProps> = {}) => new PlatformCluster(Testing.app(), 'acme', { ...PLATFORM, ...props });
const vultr = (props: Partial<VultrStarterProps> = {}) => new VultrStarter(Testing.app(), 'acme', { ...VULTR, ...props });

function manifests(cluster: TenantCluster, kind: string): Manifest[] {
  return (Testing.synth(cluster) as Manifest[]).filter((manifest) => manifest.kind === kind);
}

function values(cluster: TenantCluster, release: string): Manifest {
  return manifests(cluster, 'HelmRelease').find(({ metadata }) => metadata.name === `acme-${release}`)?.spec.values;
}

function addonNames(cluster: TenantCluster): string[] {
  return cluster.addons.map(({ name }) => name);
}

function poolNames(cluster: TenantCluster): string[] {
  return cluster.nodePools.map(({ node }) => node.id);
}

function domainOf(cluster: TenantCluster, pool: string): Manifest {
  return cluster.findNodePool(pool).machineTemplate.toJson().spec.template.spec.virtualMachineTemplate.spec.template.spec;
}

describe('HighlyAvailable', () => {
  test('spreads three replicas over hosts, and over zones where there are any', () => {
    const keys = (cluster: TenantCluster) => manifests(cluster, 'KamajiControlPlane')[0].spec.deployment.topologySpreadConstraints
      .map((constraint: Manifest) => `${constraint.topologyKey} ${constraint.whenUnsatisfiable}`);

    expect(manifests(highlyAvailable(), 'KamajiControlPlane')[0].spec.replicas).toBe(3);
    expect(keys(highlyAvailable())).toEqual(['kubernetes.io/hostname DoNotSchedule']);
    expect(keys(highlyAvailable({ zones: ['a', 'b'] }))).toEqual([`${ZONE} DoNotSchedule`, 'kubernetes.io/hostname DoNotSchedule']);
  });

  test('has a pool in each zone, which together hold what one pool does', () => {
    const cluster = highlyAvailable({ zones: ['a', 'b'] });

    expect(poolNames(cluster)).toEqual(['general-a', 'general-b']);
    expect(cluster.nodePools.map(({ size }) => [size.minimum, size.maximum])).toEqual([[2, 6], [2, 6]]);
    expect(domainOf(cluster, 'general-b').nodeSelector).toEqual({ [ZONE]: 'b' });
    expect(JSON.stringify(cluster.findNodePool('general-b').bootstrapTemplate.toJson())).toContain(`${ZONE}=b`);
    expect(JSON.stringify(manifests(cluster, 'Deployment'))).toContain('--balance-similar-node-groups=true');
    expect(poolNames(highlyAvailable())).toEqual(['general']);
  });

  test('runs CoreDNS, metrics-server and cert-manager more than once, with budgets', () => {
    const cluster = highlyAvailable();

    expect(values(cluster, 'coredns')).toMatchObject({ replicaCount: 3, podDisruptionBudget: { maxUnavailable: 1 } });
    expect(values(cluster, 'metrics-server')).toMatchObject({ replicas: 2, podDisruptionBudget: { minAvailable: 1 } });
    expect(values(cluster, 'cert-manager')).toMatchObject({ replicaCount: 2, podDisruptionBudget: { enabled: true }, webhook: { podDisruptionBudget: { enabled: true } } });
    expect(values(cluster, 'cilium').operator.replicas).toBe(2);
  });

  test('replaces machines one by one, and waits half an hour for budgets', () => {
    const { rollout, template } = highlyAvailable().findNodePool('general').machineDeployment.toJson().spec;

    expect(rollout.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(template.spec.deletion.nodeDrainTimeoutSeconds).toBe(1800);
  });

  test('promises to survive the loss of a host only where the management cluster has what that needs', () => {
    const warned = (capabilities: ManagementCapabilities) => {
      const emitted = jest.spyOn(WARNINGS, 'emit').mockClear().mockReturnValue();
      const problems = problemsIn((app) => {
        const managementCluster = new ImportedManagementCluster({ ...HALL.capabilities, ...capabilities });
        new HighlyAvailable(app, 'acme', { ...KUBEVIRT_PROPS, managementCluster });
      });
      expect(problems).toEqual([]);
      return emitted.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('TC-BLUEPRINT-HOST-LOSS'));
    };
    const [hosts, fencing] = [InfraHosts.count(3), HostFencing.NODE_HEALTH_CHECK];

    expect(warned({ hosts, fencing })).toEqual([]);
    expect(warned({})).toEqual([expect.stringContaining(': the loss of a host is not known to leave the tenant working: its hosts are not stated; its fencing is not stated.')]);
    expect(warned({ hosts: InfraHosts.count(2), fencing })).toEqual([expect.stringContaining('it has 2 hosts, and the control plane needs 3')]);
    expect(warned({ hosts, fencing: HostFencing.NONE })).toEqual([expect.stringContaining('nothing frees the volumes of a lost host')]);
    expect(warned({ hosts, fencing: HostFencing.of('power switch', false) })).toEqual([expect.stringContaining('power switch does not free the volumes of a lost host')]);
    jest.restoreAllMocks();
  });

  test('backs up where it is asked to: volumes go to the bucket from snapshots, or as they are', () => {
    const backup = { bucket: 'acme' };

    expect(addonNames(highlyAvailable())).not.toContain('velero');
    expect(values(highlyAvailable({ backup }), 'velero')).toMatchObject({
      configuration: { features: 'EnableCSI' }, schedules: { all: { schedule: '0 3 * * *', template: { snapshotMoveData: true, ttl: '720h0m0s' } } },
    });
    expect(values(highlyAvailable({ backup, infraSnapshotClass: undefined }), 'velero')).toMatchObject({
      configuration: { defaultVolumesToFsBackup: true }, deployNodeAgent: true,
    });
  });
});

describe('GpuCluster', () => {
  test('scales machines with GPUs from zero, behind a taint', () => {
    const cluster = gpuCluster({ gpusPerMachine: 2 });
    const { machineDeployment, size } = cluster.findNodePool('gpu');
    const { annotations } = machineDeployment.toJson().metadata;

    expect(size).toEqual(PoolSize.between(0, 4));
    expect(domainOf(cluster, 'gpu').domain.devices.gpus.map(({ deviceName }: Manifest) => deviceName)).toEqual(Array(2).fill('nvidia.com/AD102GL_L40S'));
    expect(annotations).toMatchObject({
      'capacity.cluster-autoscaler.kubernetes.io/gpu-count': '2', 'capacity.cluster-autoscaler.kubernetes.io/taints': 'nvidia.com/gpu=present:NoSchedule',
    });
    expect(addonNames(cluster)).toContain('gpu-operator');
  });

  test('needs no spare GPU for a rollout', () => {
    expect(gpuCluster().findNodePool('gpu').machineDeployment.toJson().spec.rollout.strategy.rollingUpdate).toEqual({ maxSurge: 0, maxUnavailable: 1 });
  });
});

describe('SmallEdge', () => {
  const edge = new SmallEdge(Testing.app(), 'acme', { ...KUBEVIRT_PROPS, infraSnapshotClass: undefined });

  test('is one replica and one machine, and has no autoscaler', () => {
    expect(manifests(edge, 'KamajiControlPlane')[0].spec).toMatchObject({ replicas: 1, deployment: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } });
    expect(poolNames(edge)).toEqual(['workers']);
    expect(edge.findNodePool('workers').machineDeployment.toJson().spec).toMatchObject({ replicas: 1, rollout: { strategy: { rollingUpdate: { maxSurge: 0 } } } });
    expect(edge.autoscaler).toBeUndefined();
  });

  test('has metrics-server as its only addon of its own', () => {
    expect(addonNames(edge).sort()).toEqual(['flannel', 'kubevirt-csi-driver', 'metrics-server']);
  });
});

describe('PlatformCluster', () => {
  test('has observability, policy, backup, secrets, Ingress and certificates', () => {
    expect(addonNames(platform())).toEqual(expect.arrayContaining([
      'kube-prometheus-stack', 'fluent-bit', 'kyverno', 'velero', 'external-secrets', 'traefik', 'cert-manager', 'metrics-server', 'snapshot-controller',
    ]));
  });

  test('sends metrics away where it is told where', () => {
    const cluster = platform({ remoteWrite: [{ url: 'https://metrics.example.com/api/v1/write' }] });

    expect(addonNames(cluster)).toContain('victoria-metrics-agent');
    expect(addonNames(cluster)).not.toContain('kube-prometheus-stack');
  });

  test('runs Traefik on the pool for Ingress, or anywhere without it', () => {
    expect(values(platform(), 'traefik').nodeSelector).toEqual({ 'node-role.kubernetes.io/ingress': '' });
    expect(values(platform({ leaveOut: ['ingress'] }), 'traefik').nodeSelector).toBeUndefined();
  });

  test('asks for nothing that is left out or replaced', () => {
    const empty = { ...PLATFORM, logOutputs: '', backup: { bucket: '' } };
    const vector = new Vector({ sinks: { out: { type: 'console', inputs: ['kubernetes'], encoding: { codec: 'json' } } } });
    const problems = (props: Partial<PlatformClusterProps>) => problemsIn((app) => new PlatformCluster(app, 'acme', { ...empty, ...props })).map(({ text }) => text);

    expect(problems({})).toEqual([expect.stringContaining('logOutputs: it is empty'), expect.stringContaining('backup.bucket: it is empty')]);
    expect(problems({ leaveOut: ['fluent-bit', 'velero'], addons: [vector] })).toEqual([]);
    expect(problems({ leaveOut: ['velero'], addons: [new FluentBit({ outputs: PLATFORM.logOutputs })] })).toEqual([]);
  });
});

describe('VultrStarter', () => {
  test('is kubeadm on one machine, or as many as are asked for', () => {
    expect(manifests(vultr(), 'KubeadmControlPlane')[0].spec.replicas).toBe(1);
    expect(manifests(vultr({ controlPlaneMachines: 3 }), 'KubeadmControlPlane')[0].spec.replicas).toBe(3);
  });

  test('has the plans that it is given', () => {
    const cluster = vultr({ controlPlanePlan: 'vc2-4c-8gb', workers: { plan: 'vc2-8c-32gb', capacity: { cpu: 8, memory: Size.gibibytes(32) } } });
    const plans = manifests(cluster, 'VultrMachineTemplate').map(({ spec }) => spec.template.spec.planID);

    expect(plans).toEqual(['vc2-4c-8gb', 'vc2-8c-32gb']);
  });

  test('takes an infrastructure of the user for all of its machines', () => {
    const cluster = vultr({ infrastructure: new VultrInfrastructure({ region: 'ewr' }) });

    expect(manifests(cluster, 'VultrMachineTemplate').map(({ spec }) => spec.template.spec.region)).toEqual(['ewr', 'ewr']);
    expect(manifests(cluster, 'VultrCluster')[0].spec.region).toBe('ewr');
  });
});

test.each<[string, () => TenantCluster, () => TenantCluster]>([
  ['HighlyAvailable', () => highlyAvailable({ zones: ['a'] }), () => composed<HighlyAvailableOptions>(HighlyAvailable, { ...KUBEVIRT_PROPS, zones: ['a'] })],
  ['GpuCluster', () => gpuCluster(), () => composed<GpuClusterOptions>(GpuCluster, GPU)],
  ['PlatformCluster', () => platform(), () => composed<PlatformClusterOptions>(PlatformCluster, PLATFORM)],
  ['SmallEdge', () => new SmallEdge(Testing.app(), 'acme', KUBEVIRT_PROPS), () => composed<SmallEdgeOptions>(SmallEdge, KUBEVIRT_PROPS)],
])('%s is its options, populated', (_name, whole, parts) => {
  expect(Testing.synth(parts())).toEqual(Testing.synth(whole()));
});

interface Blueprint<Options> {
  options(options: Options): TenantClusterOptions;
  populate(cluster: TenantCluster, options: Options): void;
}

function composed<Options>(blueprint: Blueprint<Options>, props: Options & TenantClusterIdentity): TenantCluster {
  const { namespace, kubernetesVersion, ...options } = props;
  const cluster = new TenantCluster(Testing.app(), 'acme', { ...blueprint.options(options as Options), namespace, kubernetesVersion });
  blueprint.populate(cluster, options as Options);
  return cluster;
}

test.each<[string, string[], (app: ReturnType<typeof Testing.app>) => TenantCluster]>([
  ['a GPU without a name', ['TC-BLUEPRINT-REQUIRED gpuDevice'], (app) => new GpuCluster(app, 'acme', { ...GPU, gpuDevice: '' })],
  ['zones of machines that are given', ['TC-BLUEPRINT-UNUSED zones'], (app) => (
    new HighlyAvailable(app, 'acme', { ...KUBEVIRT_PROPS, zones: ['a'], general: { machine: MACHINE } }))],
  ['a bucket without a name', ['TC-BLUEPRINT-REQUIRED backup.bucket'], (app) => (
    new HighlyAvailable(app, 'acme', { ...KUBEVIRT_PROPS, backup: { bucket: '' } }))],
  ['a volume for metrics that are sent away', ['TC-BLUEPRINT-UNUSED metricsStorage'], (app) => new PlatformCluster(app, 'acme', {
    ...PLATFORM, remoteWrite: [{ url: 'https://metrics.example.com/api/v1/write' }], metricsStorage: Size.gibibytes(10),
  })],
  ['a region and a snapshot without ids', ['TC-BLUEPRINT-REQUIRED region', 'TC-BLUEPRINT-REQUIRED snapshotId'], (app) => (
    new VultrStarter(app, 'acme', { ...VULTR, region: '', snapshotId: '' }))],
  ['a VPC beside an infrastructure', ['TC-BLUEPRINT-UNUSED vpcId'], (app) => new VultrStarter(app, 'acme', {
    ...VULTR, vpcId: '00000000-0000-4000-8000-000000000003', infrastructure: new VultrInfrastructure({ region: 'nrt' }),
  })],
])('%s is refused', (_what, expected, build) => {
  expect(problemsIn(build).map(({ id, text }) => `${id} ${text.split(':')[0]}`)).toEqual(expected);
});
