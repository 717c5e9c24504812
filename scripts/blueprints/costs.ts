import { stringField } from './fields';
import { Cluster, MachineCount } from '../../src/manifests/landscape/cluster-model';
import { ContainerLoad, containersOf } from '../../src/manifests/objects/container-load';
import { groupKind, ManifestObject } from '../../src/manifests/objects/manifest-object';
import { hostedLoad } from '../../src/manifests/rules/pod-loads';
import { providers } from '../../src/manifests/systems/providers';
import { PLAN_SIZE } from '../../src/manifests/systems/vultr/vultr-objects';
import { fieldAt, numberAt } from '../../src/manifests/values/fields';
import { Amounts, NANO, parseQuantity, sumOf } from '../../src/manifests/values/quantity';

const POOL = 'cluster.x-k8s.io/MachineDeployment';
const DEPLOYMENT = 'apps/Deployment';
const GIBIBYTE = 1024n ** 3n * NANO;

/** Addons whose charts make a Service of type LoadBalancer. */
const PUBLISHED: readonly string[] = ['traefik'];

/** A resource that is counted. */
interface Column {
  readonly title: string;
  readonly resource: string;
  readonly unit: bigint;
}

const COLUMNS: readonly Column[] = [
  { title: 'pods or machines', resource: 'pods', unit: NANO },
  { title: 'CPUs', resource: 'cpu', unit: NANO },
  { title: 'memory (GiB)', resource: 'memory', unit: GIBIBYTE },
  { title: 'disks (GiB)', resource: 'requests.storage', unit: GIBIBYTE },
];

/** Resources that a part of a cluster takes, at the least and at the most. */
interface Cost {
  readonly what: string;
  readonly minimum: Amounts;
  readonly maximum: Amounts;
}

/** Table of what a cluster takes of the management cluster, or of the cloud that runs its machines. */
export function costTable(objects: readonly ManifestObject[], cluster: Cluster): string {
  const costs = costsOf(objects, cluster);
  const rows = [...costs, together(costs)].map((cost) => [cost.what, ...COLUMNS.map((column) => range(cost, column))]);
  const besides = [...volumeRows(objects), loadBalancerRow(objects, cluster)];
  return `${table(['what', ...COLUMNS.map(({ title }) => title)], rows)}\n${table(['besides', ''], besides)}`;
}

/** Titles of the columns of `totalCost`. */
export const COST_TITLES: readonly string[] = COLUMNS.slice(1).map(({ title }) => title);

/** Sum of what a cluster takes, by column of `COST_TITLES`. */
export function totalCost(objects: readonly ManifestObject[], cluster: Cluster): string[] {
  const total = together(costsOf(objects, cluster));
  return COLUMNS.filter(({ title }) => COST_TITLES.includes(title)).map((column) => range(total, column));
}

function costsOf(objects: readonly ManifestObject[], cluster: Cluster): Cost[] {
  return [...controlPlaneCosts(objects, cluster), ...controllerCosts(objects), ...cluster.pools.map((pool) => poolCost(objects, cluster, pool.name))];
}

function together(costs: readonly Cost[]): Cost {
  return { what: '**together**', minimum: sumOf(costs.map(({ minimum }) => minimum)), maximum: sumOf(costs.map(({ maximum }) => maximum)) };
}

function range({ minimum, maximum }: Cost, { resource, unit }: Column): string {
  const [least, most] = [minimum, maximum].map((amounts) => inUnits(amounts[resource] ?? 0n, unit));
  return least === most ? most : `${least} to ${most}`;
}

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
  const { instanceType = '' } = controlPlane.machine;
  return [constant(`control plane, plan \`${instanceType}\``, times(planOf(instanceType), controlPlane.replicas ?? 1))];
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
  const surroundings = { annotations, instanceTypes: new Map(), sizing: {}, limited: { cpu: false, memory: false } };
  const pod = providers().map(({ machinePods }) => machinePods?.[groupKind(template)]).find((found) => found !== undefined)?.(template, surroundings);
  const { instanceType = '' } = machine ?? {};
  const one = pod ? sumOf([podOf(pod.containers), pod.besides]) : planOf(instanceType);
  const plan = pod ? '' : `, plan \`${instanceType}\``;
  return { what: `pool \`${name.slice(cluster.name.length + 1)}\`${plan}`, minimum: times(one, minimum), maximum: times(one, maximum) };
}

/** Volumes that values of charts ask for, by the addon. */
function volumeRows(objects: readonly ManifestObject[]): string[][] {
  return objects.filter(({ kind }) => kind === 'HelmRelease').flatMap((release) => {
    const storage = claims(fieldAt(release, 'spec', 'values')).reduce((sum, one) => sum + one, 0n);
    return storage === 0n ? [] : [[`volumes of \`${stringField(release, 'spec', 'releaseName')}\``, `${inUnits(storage, GIBIBYTE)} GiB`]];
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

/** A machine at a cloud, by the code of its plan. */
function planOf(code: string): Amounts {
  const [, cpus, gibibytes] = PLAN_SIZE.exec(code) ?? [];
  if (cpus === undefined) throw new Error(`the plan "${code}" does not state its size`);
  return { pods: NANO, cpu: BigInt(cpus) * NANO, memory: parseQuantity(`${gibibytes}Gi`)! };
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

/** A number with one decimal at most, rounded up. */
function inUnits(amount: bigint, unit: bigint): string {
  const tenths = (amount * 10n + unit - 1n) / unit;
  return `${tenths / 10n}${tenths % 10n === 0n ? '' : `.${tenths % 10n}`}`;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}
