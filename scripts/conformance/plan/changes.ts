import { Duration, Size } from 'cdk8s';
import { Page, PoolPage } from './page';
import { HealthCheck } from '../../../src/constructs/contracts/node-pool/health-check';
import { MachineCount } from '../../../src/constructs/contracts/node-pool/machine-count';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../src/constructs/contracts/node-pool/rollout-strategy';
import { TaintEffect } from '../../../src/manifests/values/taints';
import { Random } from '../random';

/** Stands for the time at which the new state is applied. */
export const NOW = '2001-02-03T04:05:06Z';

/** A change that people make to a page. */
export interface PageChange {
  readonly name: string;

  /** The kind of control plane that it is for. */
  readonly only?: Page['kind'];
  readonly make: (page: Page, random: Random) => Page;

  /** True if it asks for something at the time of the change, which is over in the state that a pair begins with. */
  readonly isOnce?: boolean;
}

const NO_SURGE = RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(0), maxUnavailable: MachineCount.absolute(1) });

/** The pool that is in every page. */
export const FIRST_POOL = 'general';

type Fields<T> = (random: Random) => T;

function pool(change: (pool: PoolPage, random: Random) => PoolPage): PageChange['make'] {
  return (page, random) => {
    const name = random.pick(Object.keys(page.pools));
    return { ...page, pools: { ...page.pools, [name]: change(page.pools[name], random) } };
  };
}

const machine = (fields: Fields<PoolPage['machine']>) => pool((one, random) => ({ ...one, machine: { ...one.machine, ...fields(random) } }));
const bootstrap = (fields: Fields<PoolPage['bootstrap']>) => pool((one, random) => ({ ...one, bootstrap: { ...one.bootstrap, ...fields(random) } }));
const props = (fields: Fields<PoolPage['pool']>) => pool((one, random) => ({ ...one, pool: { ...one.pool, ...fields(random) } }));

/** A change of the properties of the cluster, or of its control plane. */
function part<K extends 'cluster' | 'kamaji' | 'kubeadm' | 'controlPlaneMachine'>(name: K, fields: Fields<Page[K]>): PageChange['make'] {
  return (page, random) => ({ ...page, [name]: { ...page[name], ...fields(random) } });
}

const cluster = (fields: Fields<Page['cluster']>) => part('cluster', fields);
const kamaji = (fields: Fields<Page['kamaji']>) => part('kamaji', fields);
const kubeadm = (fields: Fields<Page['kubeadm']>) => part('kubeadm', fields);

/** Fields of the objects of a kind, after the page was written. */
function written(kind: string, fields: object): PageChange['make'] {
  return (page) => edited(page, (objects) => objects.map((object) => (object.kind === kind ? merged(object, fields) : object)));
}

/** Other names for templates of a kind, with the same content: machines are compared by the names. */
function renamed(kind: string): PageChange['make'] {
  return (page) => edited(page, (objects) => {
    const names = new Set(objects.filter((object) => object.kind === kind).map(({ metadata }) => String(metadata.name)));
    return JSON.parse(JSON.stringify(objects), (key, value) => (key === 'name' && names.has(value) ? `${value}-copy` : value)) as any[];
  });
}

function edited(page: Page, edit: (objects: any[]) => any[]): Page {
  return { ...page, edits: [...page.edits ?? [], edit] };
}

function merged(one: any, other: any): any {
  if (![one, other].every((value) => typeof value === 'object' && value !== null && !Array.isArray(value))) return other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, key in other ? merged(one[key], other[key]) : one[key]]));
}

/** A MachineDeployment whose machines have these fields. */
const deployed = (spec: object) => written('MachineDeployment', { spec: { template: { spec } } });

/** A KubeadmControlPlane whose first machine, or whose others, get another argument of the kubelet. */
function ofSome(which: string): PageChange['make'] {
  const nodeRegistration = { kubeletExtraArgs: [{ name: 'v', value: '5' }] };
  return written('KubeadmControlPlane', { spec: { kubeadmConfigSpec: { [which]: { nodeRegistration } } } });
}

/** A page with another version, also for pools that had one of their own: their minor must be that of the control plane. */
function raised(page: Page, kubernetesVersion: string): Page {
  const pools = Object.entries(page.pools).map(([name, { pool: own, ...rest }]) => (
    [name, { ...rest, pool: { ...own, kubernetesVersion: undefined } }]));
  return { ...page, cluster: { ...page.cluster, kubernetesVersion }, pools: Object.fromEntries(pools) };
}

function earlierPatch(page: Page): (pool: PoolPage) => PoolPage {
  const kubernetesVersion = page.cluster?.kubernetesVersion?.startsWith('1.35.') ? '1.35.0' : '1.34.0';
  return (one) => ({ ...one, pool: { ...one.pool, kubernetesVersion } });
}

/** The changes that people make to pages, and to what was written. */
export const CHANGES: readonly PageChange[] = [
  { name: 'cpu', make: machine((random) => ({ cpu: random.pick([1, 3, 4]) })) },
  { name: 'memory', make: machine((random) => ({ memory: Size.gibibytes(random.pick([6, 8])) })) },
  { name: 'labels-of-virtual-machines', make: machine(() => ({ podLabels: { team: 'a' } })) },
  { name: 'termination-grace-period', make: machine(() => ({ terminationGracePeriod: Duration.seconds(60) })) },
  { name: 'version', make: (page, random) => raised(page, random.pick(['1.34.2', '1.35.1'])) },
  { name: 'patch-of-a-pool', make: (page, random) => pool(earlierPatch(page))(page, random) },
  { name: 'replicas', make: props((random) => ({ size: PoolSize.fixed(random.pick([0, 2, 3])) })) },
  { name: 'autoscaling', make: props((random) => ({ size: PoolSize.between(1, random.pick([2, 5])) })) },
  { name: 'labels-of-kubelets', make: props((random) => ({ labels: { 'example.com/team': random.pick(['a', 'b']) } })) },
  { name: 'labels-of-machines', make: props((random) => ({ labels: { 'node.cluster.x-k8s.io/team': random.pick(['a', 'b']) } })) },
  { name: 'taints', make: props((random) => ({ taints: [{ key: 'dedicated', value: random.pick(['a', 'b']), effect: TaintEffect.NO_SCHEDULE }] })) },
  { name: 'kubelet-configuration', make: props((random) => ({ kubelet: { maxPods: random.pick([60, 70]) } })) },
  { name: 'kubelet-arguments', make: bootstrap((random) => ({ kubeletExtraArgs: [{ name: 'v', value: random.pick(['3', '4']) }] })) },
  { name: 'files', make: bootstrap((random) => ({ files: [{ path: '/etc/motd', content: random.pick(['Hello\n', 'Good day\n']) }] })) },
  { name: 'commands', make: bootstrap(() => ({ preKubeadmCommands: ['sysctl -w vm.max_map_count=262144'] })) },
  { name: 'node-drain-timeout', make: props(() => ({ nodeDrainTimeout: Duration.minutes(20) })) },
  { name: 'node-deletion-timeout', make: props(() => ({ nodeDeletionTimeout: Duration.minutes(7) })) },
  { name: 'node-volume-detach-timeout', make: props(() => ({ nodeVolumeDetachTimeout: Duration.minutes(7) })) },
  { name: 'health-check', make: props(() => ({ healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.minutes(40) }) })) },
  { name: 'health-check-none', make: props(() => ({ healthCheck: HealthCheck.none() })) },
  { name: 'rollout-strategy', make: props(() => ({ rollout: NO_SURGE })) },
  { name: 'rollout-in-percent', make: props(() => ({ rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(50) }) })) },
  { name: 'on-delete', make: props(() => ({ rollout: RolloutStrategy.onDelete() })) },
  { name: 'labels-of-the-cluster', make: cluster((random) => ({ labels: { tier: random.pick(['gold', 'silver']) } })) },
  { name: 'annotations-of-the-cluster', make: cluster(() => ({ annotations: { 'example.com/owner': 'team-a' } })) },
  { name: 'added-pool', make: (page, random) => ({ ...page, pools: { ...page.pools, extra: { pool: { size: PoolSize.fixed(random.pick([1, 2])) } } } }) },
  { name: 'removed-pool', make: (page) => ({ ...page, pools: { [FIRST_POOL]: page.pools[FIRST_POOL] ?? Object.values(page.pools)[0] } }) },

  { name: 'failure-domain', make: deployed({ failureDomain: 'a' }) },
  { name: 'machine-taints', make: deployed({ taints: [{ key: 'example.com/maintenance', effect: 'NoSchedule', propagation: 'Always' }] }) },
  { name: 'readiness-gates', make: deployed({ readinessGates: [{ conditionType: 'NodeHealthy' }] }) },
  { name: 'min-ready-seconds', make: deployed({ minReadySeconds: 1 }) },
  { name: 'labels-of-a-machine-deployment', make: written('MachineDeployment', { metadata: { labels: { 'example.com/team': 'a' } } }) },
  { name: 'annotations-of-a-machine-deployment', make: written('MachineDeployment', { metadata: { annotations: { 'example.com/team': 'a' } } }) },
  { name: 'annotations-of-machines', make: written('MachineDeployment', { spec: { template: { metadata: { annotations: { 'example.com/team': 'a' } } } } }) },
  { name: 'deletion-order', make: written('MachineDeployment', { spec: { deletion: { order: 'Oldest' } } }) },
  { name: 'names-of-machines', make: written('MachineDeployment', { spec: { machineNaming: { template: '{{ .machineSet.name }}-x{{ .random }}' } } }) },
  { name: 'rollout-after', isOnce: true, make: written('MachineDeployment', { spec: { rollout: { after: NOW } } }) },
  { name: 'removed-health-check', make: (page) => edited(page, (objects) => objects.filter(({ kind }) => kind !== 'MachineHealthCheck')) },
  { name: 'renamed-machine-template', make: renamed('KubevirtMachineTemplate') },
  { name: 'renamed-bootstrap-template', make: renamed('KubeadmConfigTemplate') },
  { name: 'labels-of-templates', make: written('KubevirtMachineTemplate', { metadata: { labels: { 'example.com/team': 'a' } } }) },
  { name: 'bootstrap-template-in-place', make: written('KubeadmConfigTemplate', { spec: { template: { spec: { postKubeadmCommands: ['echo done'] } } } }) },

  { name: 'kamaji-replicas', only: 'kamaji', make: kamaji(() => ({ replicas: 3 })) },
  { name: 'kamaji-arguments', only: 'kamaji', make: kamaji(() => ({ apiServer: { extraArgs: [{ name: 'v', value: '3' }] } })) },
  { name: 'kamaji-certificate-names', only: 'kamaji', make: kamaji(() => ({ certSans: ['api.example.com'] })) },

  { name: 'kubeadm-replicas', only: 'kubeadm', make: kubeadm((random) => ({ replicas: random.pick([1, 3]) })) },
  { name: 'kubeadm-cpu', only: 'kubeadm', make: part('controlPlaneMachine', () => ({ cpu: 6 })) },
  { name: 'kubeadm-arguments', only: 'kubeadm', make: kubeadm(() => ({ apiServer: { extraArgs: [{ name: 'v', value: '3' }] } })) },
  { name: 'kubeadm-scheduler', only: 'kubeadm', make: kubeadm(() => ({ scheduler: { extraArgs: [{ name: 'v', value: '3' }] } })) },
  { name: 'kubeadm-certificate-names', only: 'kubeadm', make: kubeadm(() => ({ certSans: ['api.example.com'] })) },
  { name: 'kubeadm-kubelet-arguments', only: 'kubeadm', make: kubeadm(() => ({ kubeletExtraArgs: [{ name: 'v', value: '3' }] })) },
  { name: 'kubeadm-files', only: 'kubeadm', make: kubeadm(() => ({ files: [{ path: '/etc/motd', content: 'Hello\n' }] })) },
  { name: 'kubeadm-labels', only: 'kubeadm', make: kubeadm(() => ({ labels: { 'node.cluster.x-k8s.io/team': 'a' } })) },
  { name: 'kubeadm-taints', only: 'kubeadm', make: kubeadm(() => ({ taints: [] })) },
  { name: 'kubeadm-init-skip-phases', only: 'kubeadm', make: kubeadm(() => ({ initSkipPhases: ['addon/coredns'] })) },
  { name: 'kubeadm-certificate-validity', only: 'kubeadm', make: kubeadm(() => ({ certificateValidity: Duration.days(200) })) },
  { name: 'kubeadm-remediation', only: 'kubeadm', make: kubeadm(() => ({ remediation: { maxRetry: 4 } })) },
  { name: 'kubeadm-rollout-before', only: 'kubeadm', make: kubeadm(() => ({ rollout: { beforeCertificateExpiry: Duration.days(14) } })) },
  { name: 'kubeadm-rollout-after', only: 'kubeadm', isOnce: true, make: kubeadm(() => ({ rollout: { after: NOW } })) },
  { name: 'kubeadm-node-drain-timeout', only: 'kubeadm', make: kubeadm(() => ({ nodeDrainTimeout: Duration.minutes(20) })) },
  { name: 'kubeadm-feature-gates', only: 'kubeadm', make: kubeadm(() => ({ kubeadmFeatureGates: { ControlPlaneKubeletLocalMode: true } })) },
  { name: 'kubeadm-init-only', only: 'kubeadm', make: ofSome('initConfiguration') },
  { name: 'kubeadm-join-only', only: 'kubeadm', make: ofSome('joinConfiguration') },
];
