import { Addon, AddonPlace, Cluster, ControlPlane, Landscape, Machine, MachineCount, Pool, SystemLoad } from '../../manifests/landscape/cluster-model';
import { totalsOf } from '../../manifests/landscape/totals';

/** The cell of a value that manifests do not state. */
const NOT_KNOWN = '-';

const GIBIBYTE = 1024 ** 3;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const STEP = 1024;
const SHOWN_FOLDERS = 2;

/** A number of machines: `3`, or `1..10`. */
export function countText(count: MachineCount | undefined): string {
  if (!count) return NOT_KNOWN;
  return count.minimum === count.maximum ? `${count.minimum}` : `${count.minimum}..${count.maximum}`;
}

/** A number of things. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Bytes as people read them. */
export function bytesText(bytes: number | undefined): string {
  if (bytes === undefined) return NOT_KNOWN;
  let [size, unit] = [bytes, 0];
  while (size >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit++;
  }
  return `${Number(size.toFixed(1))} ${UNITS[unit]}`;
}

/** Bytes of two bounds. */
function bytesRange({ minimum, maximum }: MachineCount): string {
  return minimum === maximum ? bytesText(minimum) : `${bytesText(minimum)}..${bytesText(maximum)}`;
}

/** Bytes as a number of GiB, for sheets that calculate. */
export function gibibytes(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : Number((bytes / GIBIBYTE).toFixed(3));
}

/** Kind and replicas of a control plane, without what all of them have in their names. */
function controlPlaneText(controlPlane: ControlPlane | undefined): string {
  if (!controlPlane) return NOT_KNOWN;
  const kind = controlPlane.kind.replace(/(?<=.)ControlPlane$/, '');
  return `${controlPlane.replicas === undefined ? kind : `${kind} x${controlPlane.replicas}`}${controlPlane.paused ? ', paused' : ''}`;
}

/** Kind of an infrastructure, without what all of them have in their names. */
function infrastructureText({ infrastructure }: Cluster): string {
  return infrastructure?.kind.replace(/(?<=.)Cluster$/, '') ?? NOT_KNOWN;
}

/** Devices of a machine: none is `0`. */
export function gpusText(machine: Machine | undefined): string {
  if (!machine?.gpus) return NOT_KNOWN;
  return machine.gpus.length === 0 ? '0' : machine.gpus.map(({ name, count }) => `${count} ${name}`).join(', ');
}

/** Labels of the nodes of a pool. */
export function labelsText({ labels }: Pool): string {
  return [...labels].map(([key, value]) => (value === '' ? key : `${key}=${value}`)).join(',');
}

/** Name of an addon's content: its chart, or the end of the folder that it comes from. */
export function chartText({ chart, path }: Addon): string {
  if (chart !== undefined || path === undefined) return chart ?? NOT_KNOWN;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length > SHOWN_FOLDERS ? `…/${parts.slice(-SHOWN_FOLDERS).join('/')}` : path;
}

/** Totals, in a sentence. */
export function summary(clusters: readonly Cluster[]): string {
  const { pools, addons, machines, controlPlaneMachines, poolsOfUnknownSize, cpu, memory, machinesOfUnknownSize } = totalsOf(clusters);
  const things = [
    counted(clusters.length, 'cluster'),
    counted(pools, 'pool'),
    counted(addons, 'addon'),
    `${countText(machines)} ${machines.maximum === 1 ? 'machine' : 'machines'} in pools`
      + (poolsOfUnknownSize === 0 ? '' : ` (without ${counted(poolsOfUnknownSize, 'pool')} whose size is not known)`),
    ...(controlPlaneMachines === 0 ? [] : [`${controlPlaneMachines} of control planes`]),
  ];
  const sizes = [
    `${countText(cpu)} CPUs and ${bytesRange(memory)} of memory`,
    ...(machinesOfUnknownSize.maximum === 0 ? [] : [`without ${countText(machinesOfUnknownSize)} machines whose size is not known`]),
  ];
  return `${things.join(', ')}; ${sizes.join(', ')}`;
}

/** The load of a system that delivers, in a sentence. */
export function loadText({ managementCluster, system, objects, fetchesAnHour, comparisonsAnHour, waitingWorkers }: SystemLoad): string {
  const about = (number: number) => `${Number(number.toFixed(number < 10 ? 1 : 0))}`;
  const name = managementCluster === undefined ? system : `${managementCluster}: ${system}`;
  return `${name}: ${counted(objects, 'object')}, ${about(fetchesAnHour)} fetches and ${about(comparisonsAnHour)} comparisons an hour; `
    + `${about(waitingWorkers)} workers wait if nothing gets ready`;
}

/** A table: what its columns are called, and its rows. */
export interface Rows {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A row for each cluster. */
export function clusterRows({ clusters }: Landscape): Rows {
  return {
    heads: ['CLUSTER', 'VERSION', 'CONTROL PLANE', 'INFRASTRUCTURE', 'POD CIDRS', 'SERVICE CIDRS', 'ENDPOINT', 'POOLS', 'STATE'],
    rows: clusters.map((cluster) => [
      cluster.id,
      cluster.version ?? NOT_KNOWN,
      controlPlaneText(cluster.controlPlane),
      infrastructureText(cluster),
      cluster.podCidrs.join(','),
      cluster.serviceCidrs.join(','),
      cluster.endpoint ?? NOT_KNOWN,
      `${cluster.pools.length}`,
      cluster.state,
    ]),
  };
}

/** A row for each pool. */
export function poolRows({ clusters }: Landscape): Rows {
  return {
    heads: ['CLUSTER', 'POOL', 'VERSION', 'MACHINES', 'CPU', 'MEMORY', 'GPUS', 'TYPE', 'LABELS', 'TAINTS'],
    rows: clusters.flatMap((cluster) => cluster.pools.map((pool) => [cluster.id, ...poolCells(pool)])),
  };
}

/** A row for each addon; those that are of no cluster that is known come last. */
export function addonRows({ clusters, otherAddons }: Landscape): Rows {
  return {
    heads: ['CLUSTER', 'ADDON', 'CHART', 'VERSION', 'DELIVERY', 'NAMESPACE'],
    rows: [
      ...clusters.flatMap((cluster) => cluster.addons.map((addon) => [cluster.id, ...addonCells(addon)])),
      ...otherAddons.map((addon) => [addon.runsIn === AddonPlace.MANAGEMENT ? managementText(addon) : NOT_KNOWN, ...addonCells(addon)]),
    ],
  };
}

/** A row for each pool of addresses. */
export function addressPoolRows({ addressPools }: Landscape): Rows {
  return {
    heads: ['ADDRESS POOL', 'NAMESPACE', 'TYPE', 'ADDRESSES', 'TAKEN AT MOST', 'MACHINES'],
    rows: addressPools.map(({ managementCluster, kind, namespace, name, addresses, taken, machines }) => [
      managementCluster === undefined ? name : `${managementCluster}: ${name}`,
      namespace ?? NOT_KNOWN,
      kind,
      addresses === undefined ? NOT_KNOWN : `${addresses}`,
      `${taken.maximum}`,
      machines.join(','),
    ]),
  };
}

function managementText({ managementCluster }: Addon): string {
  return managementCluster === undefined ? '(management)' : `(management ${managementCluster})`;
}

function poolCells(pool: Pool): string[] {
  const { name, version, size, paused, machine, taints } = pool;
  return [
    name,
    version ?? NOT_KNOWN,
    `${countText(size)}${paused ? ', paused' : ''}`,
    `${machine?.cpu ?? NOT_KNOWN}`,
    bytesText(machine?.memory),
    gpusText(machine),
    machine?.instanceType ?? NOT_KNOWN,
    labelsText(pool),
    taints.join(','),
  ];
}

function addonCells(addon: Addon): string[] {
  return [addon.name, chartText(addon), addon.version ?? NOT_KNOWN, addon.kind, addon.targetNamespace ?? NOT_KNOWN];
}
