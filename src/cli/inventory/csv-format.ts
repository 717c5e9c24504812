import { gibibytes, gpusText, labelsText } from './cells';
import { RowsBy } from './table-format';
import { Cluster, Landscape, Pool } from '../../manifests/landscape/cluster-model';
import { totalsOf } from '../../manifests/landscape/totals';
import { printable } from '../../manifests/values/printable';

type Cell = string | number | undefined;

const NEEDS_QUOTES = /[",]/;
const FORMULA = /^[=+\-@]/;

/** The columns, each with what stands in it. */
const CLUSTER_COLUMNS: readonly (readonly [string, (cluster: Cluster) => Cell])[] = [
  ['namespace', ({ namespace }) => namespace],
  ['cluster', ({ name }) => name],
  ['state', ({ state }) => state],
  ['version', ({ version }) => version],
  ['control_plane_kind', ({ controlPlane }) => controlPlane?.kind],
  ['control_plane_replicas', ({ controlPlane }) => controlPlane?.replicas],
  ['infrastructure_kind', ({ infrastructure }) => infrastructure?.kind],
  ['pod_cidrs', ({ podCidrs }) => podCidrs.join(' ')],
  ['service_cidrs', ({ serviceCidrs }) => serviceCidrs.join(' ')],
  ['endpoint', ({ endpoint }) => endpoint],
  ['pools', ({ pools }) => pools.length],
  ['machines_minimum', (cluster) => totalsOf([cluster]).machines.minimum],
  ['machines_maximum', (cluster) => totalsOf([cluster]).machines.maximum],
  ['pools_of_unknown_size', (cluster) => totalsOf([cluster]).poolsOfUnknownSize],
  ['addons', ({ addons }) => addons.map(({ name, version }) => (version === undefined ? name : `${name}@${version}`)).join(' ')],
];

const POOL_COLUMNS: readonly (readonly [string, (pool: Pool, cluster: Cluster) => Cell])[] = [
  ['namespace', (_, { namespace }) => namespace],
  ['cluster', (_, { name }) => name],
  ['pool', ({ name }) => name],
  ['kind', ({ kind }) => kind],
  ['version', ({ version }) => version],
  ['minimum', ({ size }) => size?.minimum],
  ['maximum', ({ size }) => size?.maximum],
  ['machine_kind', ({ machine }) => machine?.kind],
  ['instance_type', ({ machine }) => machine?.instanceType],
  ['cpu', ({ machine }) => machine?.cpu],
  ['memory_gib', ({ machine }) => gibibytes(machine?.memory)],
  ['gpus', ({ machine }) => (machine?.gpus ? gpusText(machine) : undefined)],
  ['labels', labelsText],
  ['taints', ({ taints }) => taints.join(',')],
];

/**
 * The inventory as RFC 4180 has it, with a line of heads; what is not known is empty. Texts that a spreadsheet would take for a formula begin with
 * an apostrophe.
 */
export function csvFormat({ clusters }: Landscape, by: RowsBy = 'cluster'): string {
  const isSplit = clusters.some(({ managementCluster }) => managementCluster !== undefined);
  const more = ({ managementCluster }: Cluster) => (isSplit ? [managementCluster] : []);
  const rows = by === 'cluster' ? clusters.map((cluster) => [...CLUSTER_COLUMNS.map(([, cell]) => cell(cluster)), ...more(cluster)])
    : clusters.flatMap((cluster) => cluster.pools.map((pool) => [...POOL_COLUMNS.map(([, cell]) => cell(pool, cluster)), ...more(cluster)]));
  const heads = [...(by === 'cluster' ? CLUSTER_COLUMNS : POOL_COLUMNS).map(([head]) => head), ...isSplit ? ['management_cluster'] : []];
  return [heads, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: Cell): string {
  const text = typeof cell === 'string' ? printable(cell).replace(FORMULA, "'$&") : `${cell ?? ''}`;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
