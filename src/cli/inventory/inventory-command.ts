import { addonRows, addressPoolRows, clusterRows, gibibytes, gpusText, labelsText, loadText, poolRows, Rows, summary } from './inventory-rows';
import { Addon, AddressPool, Cluster, Controller, ControlPlane, Landscape, Machine, Pool } from '../../manifests/landscape/cluster-model';
import { totalsOf } from '../../manifests/landscape/totals';
import { printable, wrapped } from '../../manifests/values/printable';
import { choice, readArguments } from '../arguments';
import { BUILD_OPTIONS, BUILDS_HELP, BUILDS_TEXT } from '../build/kustomize';
import { Command, CommandError, ExitCode } from '../command';
import { DEFAULT_FOLDER, readClusters, STRICT_HELP, STRICT_OPTION } from '../manifests/read-manifests';
import { Column, table } from '../table';

/** Unit of a row. */
type RowsBy = 'cluster' | 'pool';

/** Columns with names, of which both ends count. */
const NAMES: readonly string[] = ['CLUSTER', 'POOL', 'ADDON', 'ADDRESS POOL'];

/** Columns that a narrow terminal goes without, the least useful first. */
const LEFT_OUT: readonly string[] = [
  'DELIVERY', 'SERVICE CIDRS', 'POD CIDRS', 'LABELS', 'TAINTS', 'TYPE', 'ENDPOINT', 'NAMESPACE', 'INFRASTRUCTURE', 'CHART', 'CONTROL PLANE', 'GPUS', 'CPU', 'MEMORY',
];

/** The inventory as tables that people read. */
export function tableFormat(landscape: Landscape, by?: RowsBy, columns?: number): string {
  const tables: Readonly<Record<RowsBy, (landscape: Landscape) => Rows>> = { cluster: clusterRows, pool: poolRows };
  const shown = by === undefined ? [clusterRows, poolRows, addonRows, addressPoolRows] : [tables[by]];
  return [
    ...shown.map((rowsOf) => rowsOf(landscape)).map(({ heads, rows }) => table(heads.map(columnOf), rows.map(withoutClusterName), columns)).filter((text) => text !== ''),
    [summary(landscape.clusters), ...(by === undefined ? landscape.loads.map(loadText) : [])]
      .map((text) => `${wrapped(text, columns ?? Infinity, '  ').join('\n')}\n`).join(''),
  ].join('\n');
}

function columnOf(head: string): Column {
  const leftOut = LEFT_OUT.indexOf(head);
  return { head, isName: NAMES.includes(head), ...leftOut >= 0 && { leftOut } };
}

/** The name in the second column begins with that of the cluster, which stands in the first; of Argo CD's Applications, with its namespace, too. */
function withoutClusterName([id, name, ...others]: readonly string[]): string[] {
  const prefix = [`${id.replace('/', '-')}-`, `${id.slice(id.indexOf('/') + 1)}-`].find((text) => name.startsWith(text) && name !== text);
  return [id, name.slice(prefix?.length ?? 0), ...others];
}

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

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The part of `inventory --help` about the shape. */
const JSON_SHAPE = `{ "version": 1, "clusters": [CLUSTER], "otherAddons": [ADDON], "totals": TOTALS, "addressPools": [ADDRESSES], "loads": [LOAD] }
  CLUSTER is { "managementCluster"?, "namespace", "name", "state", "version", "clusterClass",
    "controlPlane": { "kind", "name", "replicas", "dataStore"?, "exposure"?, "addons"?: [], "paused"?, "machine": MACHINE },
    "infrastructure": { "kind", "name" },
    "podCidrs": [], "serviceCidrs": [], "endpoint", "pools": [POOL],
    "controllers": [{ "role", "kind", "namespace", "name", "image" }], "addons": [ADDON], "totals": TOTALS }
  POOL is { "kind", "name", "fromTopology", "version", "minimum", "maximum", "autoscaled", "paused"?, "machine": MACHINE,
    "labels": {}, "taints": [] }
  MACHINE is { "kind", "instanceType", "cpu", "memory", "gpus": [{ "name", "count" }] }, the memory in bytes
  ADDON is { "managementCluster"?, "kind", "namespace", "name", "runsIn", "chart", "version", "targetNamespace", "path", "suspended" }:
    an object that delivers
  TOTALS is { "clusters", "pools", "addons", "machines": RANGE, "controlPlaneMachines", "poolsOfUnknownSize", "cpu": RANGE, "memory": RANGE,
    "machinesOfUnknownSize": RANGE }; RANGE is { "minimum", "maximum" }
  ADDRESSES is { "managementCluster"?, "kind", "namespace", "name", "addresses", "minimum", "maximum", "machines": [] }: a pool of addresses
    for machines, how many it has, and how many machines take at their smallest and largest number, the latter with a rollout
  LOAD is { "managementCluster"?, "system", "objects", "fetchesAnHour", "comparisonsAnHour", "waitingWorkers" }: what the controllers of
    Flux do as long as nothing changes; workers wait, on average, if nothing gets ready that they wait for
  "managementCluster" is a folder or file, where the manifests are for several.
  "state" is declared, paused, object paused, deleting, decommission or incomplete; "runsIn" is tenant or management; "role" is
  cloud-controller-manager, csi-driver, autoscaler or other. What is not known is null. Lists are sorted.`;

/** The inventory for programs. */
export function jsonFormat({ clusters, otherAddons, addressPools, loads }: Landscape): string {
  return `${JSON.stringify({
    version: VERSION,
    clusters: clusters.map(clusterOf),
    otherAddons: otherAddons.map(addonOf),
    totals: totalsOf(clusters),
    addressPools: addressPools.map(addressPoolOf),
    loads,
  }, undefined, 2)}\n`;
}

function clusterOf(cluster: Cluster) {
  const {
    managementCluster, namespace, name, state, version, clusterClass, controlPlane, infrastructure, podCidrs, serviceCidrs, endpoint,
  } = cluster;
  return {
    ...(managementCluster !== undefined && { managementCluster }),
    ...orNull({ namespace, name, state, version, clusterClass }),
    controlPlane: controlPlane ? controlPlaneOf(controlPlane) : null,
    infrastructure: infrastructure ? orNull({ kind: infrastructure.kind, name: infrastructure.name }) : null,
    podCidrs,
    serviceCidrs,
    ...orNull({ endpoint }),
    pools: cluster.pools.map(poolOf),
    controllers: cluster.controllers.map(controllerOf),
    addons: cluster.addons.map(addonOf),
    totals: totalsOf([cluster]),
  };
}

function poolOf({ kind, name, fromTopology, version, size, autoscaled, paused, machine, labels, taints }: Pool) {
  return {
    ...orNull({ kind, name, fromTopology, version, minimum: size?.minimum, maximum: size?.maximum, autoscaled }),
    ...(paused && { paused }),
    machine: machineOf(machine),
    labels: Object.fromEntries(labels),
    taints,
  };
}

function controlPlaneOf({ kind, name, replicas, dataStore, exposure, addons, paused, machine }: ControlPlane) {
  return {
    ...orNull({ kind, name, replicas }),
    ...(dataStore !== undefined && { dataStore }),
    ...(exposure !== undefined && { exposure }),
    ...(addons && { addons }),
    ...(paused && { paused }),
    machine: machineOf(machine),
  };
}

function controllerOf({ role, kind, namespace, name, image }: Controller) {
  return orNull({ role, kind, namespace, name, image });
}

function machineOf(machine: Machine | undefined) {
  if (!machine) return null;
  const { kind, instanceType, cpu, memory, gpus } = machine;
  return orNull({ kind, instanceType, cpu, memory, gpus });
}

function addonOf({ managementCluster, kind, namespace, name, runsIn, chart, version, targetNamespace, path, suspended }: Addon) {
  return {
    ...(managementCluster !== undefined && { managementCluster }),
    ...orNull({ kind, namespace, name, runsIn, chart, version, targetNamespace, path, suspended }),
  };
}

function addressPoolOf({ managementCluster, kind, namespace, name, addresses, taken, machines }: AddressPool) {
  return {
    ...(managementCluster !== undefined && { managementCluster }),
    ...orNull({ kind, namespace, name, addresses: addresses === undefined ? undefined : Number(addresses), ...taken }),
    machines,
  };
}

/** JSON omits undefined fields; readers expect null. */
function orNull(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value ?? null]));
}

const NAME = 'inventory';
const FORMATS = ['table', 'json', 'csv'] as const;
const ROWS: readonly RowsBy[] = ['cluster', 'pool'];

const OPTIONS = {
  format: { type: 'string', default: 'table' },
  by: { type: 'string' },
  ...STRICT_OPTION,
  ...BUILD_OPTIONS,
} as const;

const HELP = `cdk8s-cluster-api inventory: lists the clusters in manifests, with their pools and addons

Usage: npx cdk8s-cluster-api inventory [OPTION…] [FILE or FOLDER…]

Reads the .yaml, .yml and .json files of the folders (default: ${DEFAULT_FOLDER}), and of their subfolders, from any tool. "-" is standard
input. Understands Cluster API in v1beta1 and v1beta2, managed topologies too, and what HelmRelease, Kustomization, Application,
HelmChartProxy and ClusterResourceSet deliver. No cluster is asked. Unknown values are "-"; nothing is guessed.

${BUILDS_TEXT}

Clusters of the same namespace and name are in different management clusters: the topmost folder in which names are unique, or the file,
comes before their names, as in "prod: tenant-acme/acme".

  --by cluster          a row for each cluster, and no other tables
  --by pool             a row for each pool, and no other tables
${STRICT_HELP}
${BUILDS_HELP}

  --format table        clusters, pools, addons, pools of addresses, totals and the load of Flux (default), names of pools and addons
                        without that of the cluster; on a narrow terminal, columns are left out, which the last line names, or cut
  --format json         for programs; the shape is below
  --format csv          RFC 4180 with a header row, by cluster (default) or pool; unknown values are empty

The state of a cluster is that of its Cluster object: declared, paused, object paused or deleting. The annotation cluster.x-k8s.io/paused
pauses the object that has it, and nothing else: "object paused" is a Cluster whose topology and deletion wait, while its control plane,
pools and machines do not; pools and control planes that have it are "paused". Without a Cluster object, it is incomplete while pools
or other objects remain that Cluster API deletes along with it, and in decommission afterwards. CONTROL PLANE and INFRASTRUCTURE show
the kind without its suffix. Sizes of machines come from KubevirtMachineTemplate and its instance types, if they are among the manifests,
and from the plans of VultrMachineTemplate. NAMESPACE is the namespace of an addon.

Exit codes: 0 clusters found, 1 no cluster, 2 usage error, or a file that is named, or any with --strict, cannot be read.

Examples:
  npx cdk8s-cluster-api inventory
  npx cdk8s-cluster-api inventory --by pool --format csv clusters/ > pools.csv
  kubectl get clusters,machinedeployments,kubevirtmachinetemplates -A -o yaml | npx cdk8s-cluster-api inventory -

The shape of --format json:
  ${JSON_SHAPE}
`;

/** Writes an inventory. */
const PRINTERS: Readonly<Record<typeof FORMATS[number], (landscape: Landscape, by?: RowsBy, columns?: number) => string>> = {
  table: tableFormat, json: jsonFormat, csv: csvFormat,
};

/** Lists the clusters in manifests. */
export const INVENTORY_COMMAND: Command = {
  name: NAME,
  summary: 'list the clusters in manifests, with their pools, machines and addons',
  help: HELP,
  options: OPTIONS,
  choices: { format: FORMATS, by: ROWS },
  async run(args, surroundings) {
    const { values, positionals } = readArguments(NAME, args, OPTIONS);
    const format = choice('format', values.format, FORMATS);
    const by = values.by === undefined ? undefined : choice('by', values.by, ROWS);
    if (by !== undefined && format === 'json') throw new CommandError(['--by chooses the rows of a table, and JSON has everything'], 'leave out --by');
    const landscape = await readClusters(positionals, { ...values, build: !values['no-build'] }, surroundings);
    surroundings.out(PRINTERS[format](landscape, by, surroundings.columns));
    if (landscape.clusters.length > 0) return ExitCode.OK;
    surroundings.err('found: no cluster among these manifests\n');
    return ExitCode.FINDINGS;
  },
};
