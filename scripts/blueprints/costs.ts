import { stringField } from './fields';
import { hostedLoad } from '../../src/isolation/control-plane-load';
import { Cluster, MachineCount } from '../../src/landscape/cluster-model';
import { ContainerLoad, containersOf } from '../../src/manifests/container-load';
import { groupKind, ManifestObject } from '../../src/manifests/manifest-object';
import { providers } from '../../src/validation/providers';
import { Amounts, amountText, sumOf } from '../../src/values/amounts';
import { fieldAt, numberAt } from '../../src/values/fields';
import { NANO, parseQuantity } from '../../src/values/quantity';

const POOL = 'cluster.x-k8s.io/MachineDeployment';
const DEPLOYMENT = 'apps/Deployment';
const GIBIBYTE = 1024n ** 3n * NANO;

/** Addons whose charts make a Service of type LoadBalancer. */
const PUBLISHED: readonly string[] = ['traefik'];

/** What something takes, at the least and at the most. */
interface Cost {
  readonly what: string;
  readonly minimum: Amounts;
  readonly maximum: Amounts;
}

/** Table of what a cluster takes of the management cluster, or of the cloud that runs its machines. */
export function costTable(objects: readonly ManifestObject[], cluster: Cluster): string {
  const costs = [
    ...controlPlaneCosts(objects, cluster), ...controllerCosts(objects), ...cluster.pools.map((pool) => poolCost(objects, cluster, pool.name)),
  ];
  const total: Cost = { what: '**together**', minimum: sumOf(costs.map(({ minimum }) => minimum)), maximum: sumOf(costs.map(({ maximum }) => maximum)) };
  const rows = [...costs, total].map(({ what, minimum, maximum }) => [what, ...COLUMNS.map(({ text, resource }) => {
    const [least, most] = [minimum[resource] ?? 0n, maximum[resource] ?? 0n];
    return least === most ? text(most) : `${text(least)} to ${text(most)}`;
  })]);
  return table(['what', ...COLUMNS.map(({ title }) => title)], rows) + '\n' + table(['besides', ''], [...volumeRows(objects), loadBalancerRow(objects, cluster)]);
}

const COLUMNS: readonly { readonly title: string; readonly resource: string; text(amount: bigint): string }[] = [
  { title: 'pods or machines', resource: 'pods', text: (amount) => String(amount / NANO) },
  { title: 'CPU', resource: 'cpu', text: (amount) => amountText('cpu', amount) },
  { title: 'memory', resource: 'memory', text: gibibytes },
  { title: 'disks', resource: 'requests.storage', text: (amount) => (amount === 0n ? '-' : gibibytes(amount)) },
];

function controlPlaneCosts(objects: readonly ManifestObject[], { controlPlane }: Cluster): Cost[] {
  const hosted = objects.flatMap((object) => providers().flatMap(({ controlPlanePods }) => controlPlanePods?.[groupKind(object)]?.(object) ?? []));
  const pods = hosted.flatMap((one) => {
    const { count, containers } = hostedLoad(one);
    const replicas = one.replicas ?? 1;
    return [
      constant('control plane', times(podOf(containers), replicas)),
      ...(count > replicas ? [{ what: 'its second set of pods during a rollout', minimum: {}, maximum: times(podOf(containers), count - replicas) }] : []),
    ];
  });
  if (pods.length > 0 || !controlPlane?.machine) return pods;
  const { instanceType, cpu = 0, memory = 0 } = controlPlane.machine;
  const machine = { pods: NANO, cpu: BigInt(cpu) * NANO, memory: BigInt(memory) * NANO };
  return [constant(`control plane${instanceType === undefined ? '' : `, machines \`${instanceType}\``}`, times(machine, controlPlane.replicas ?? 1))];
}

function controllerCosts(objects: readonly ManifestObject[]): Cost[] {
  return objects.filter((object) => groupKind(object) === DEPLOYMENT).map((deployment) => constant(
    `\`${stringField(deployment, 'metadata', 'name')}\``,
    times(podOf(containersOf(fieldAt(deployment, 'spec', 'template', 'spec'), 'containers')), numberAt(deployment, 'spec', 'replicas') ?? 1),
  ));
}

function poolCost(objects: readonly ManifestObject[], cluster: Cluster, name: string): Cost {
  const { size, machine } = cluster.pools.find((pool) => pool.name === name)!;
  const { minimum, maximum }: MachineCount = size ?? { minimum: 0, maximum: 0 };
  const pool = objects.find((object) => groupKind(object) === POOL && stringField(object, 'metadata', 'name') === name)!;
  const templateName = stringField(pool, 'spec', 'template', 'spec', 'infrastructureRef', 'name');
  const template = objects.find((object) => stringField(object, 'metadata', 'name') === templateName)!;
  const annotations = (fieldAt(pool, 'metadata', 'annotations') ?? {}) as { readonly [key: string]: unknown };
  const pod = providers().flatMap(({ machinePods }) => machinePods?.[groupKind(template)]?.(template, { annotations, limited: { cpu: false, memory: false } }) ?? [])[0];
  // A machine that is no pod here: what the pool states for the autoscaler.
  const stated = (resource: string) => parseQuantity(String(annotations[`capacity.cluster-autoscaler.kubernetes.io/${resource}`] ?? '')) ?? 0n;
  const one = pod ? sumOf([podOf(pod.containers), pod.besides]) : { pods: NANO, cpu: stated('cpu'), memory: stated('memory') };
  const plan = pod || machine?.instanceType === undefined ? '' : `, machines \`${machine.instanceType}\``;
  return { what: `pool \`${name.slice(cluster.name.length + 1)}\`${plan}`, minimum: times(one, minimum), maximum: times(one, maximum) };
}

/** Volumes that values of charts ask for, by the addon. */
function volumeRows(objects: readonly ManifestObject[]): string[][] {
  return objects.filter(({ kind }) => kind === 'HelmRelease').flatMap((release) => {
    const storage = claims(fieldAt(release, 'spec', 'values')).reduce((sum, one) => sum + one, 0n);
    return storage === 0n ? [] : [[`volumes of \`${stringField(release, 'spec', 'releaseName')}\``, gibibytes(storage)]];
  });
}

function claims(value: unknown): bigint[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = parseQuantity(stringField(value, 'resources', 'requests', 'storage'));
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(claims)];
}

function loadBalancerRow(objects: readonly ManifestObject[], { addons }: Cluster): string[] {
  const hosted = objects.some((object) => stringField(object, 'spec', 'network', 'serviceType') === 'LoadBalancer');
  const cloud = objects.some(({ kind }) => kind === 'VultrCluster');
  const published = PUBLISHED.filter((chart) => addons.some((addon) => addon.chart === chart || addon.name.endsWith(`-${chart}`)));
  const users = [...(hosted || cloud ? ['the API server'] : []), ...published.map((name) => `\`${name}\``)];
  return ['load balancers', `${users.length}: ${users.join(', ')}`];
}

function podOf(containers: readonly ContainerLoad[]): Amounts {
  return { ...sumOf(containers.map(({ requests }) => requests)), pods: NANO };
}

function times(amounts: Amounts, count: number): Amounts {
  return Object.fromEntries(Object.entries(amounts).map(([resource, amount]) => [resource, amount * BigInt(count)]));
}

function constant(what: string, amounts: Amounts): Cost {
  return { what, minimum: amounts, maximum: amounts };
}

function gibibytes(amount: bigint): string {
  const tenths = (amount * 10n + GIBIBYTE - 1n) / GIBIBYTE;
  return `${tenths / 10n}${tenths % 10n === 0n ? '' : `.${tenths % 10n}`} GiB`;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}
