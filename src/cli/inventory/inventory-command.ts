import { csvFormat } from './csv-format';
import { JSON_SHAPE, jsonFormat } from './json-format';
import { RowsBy, tableFormat } from './table-format';
import { Landscape } from '../../manifests/landscape/cluster-model';
import { choice, readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';
import { DEFAULT_FOLDER, readClusters } from '../manifests/read-clusters';

const NAME = 'inventory';
const FORMATS = ['table', 'json', 'csv'] as const;
const ROWS: readonly RowsBy[] = ['cluster', 'pool'];

const OPTIONS = {
  format: { type: 'string', default: 'table' },
  by: { type: 'string' },
} as const;

const HELP = `cdk8s-cluster-api inventory: lists the clusters in manifests, with their pools and addons

Usage: npx cdk8s-cluster-api inventory [OPTION…] [FILE or FOLDER…]

Reads the .yaml, .yml and .json files of the folders (default: ${DEFAULT_FOLDER}), and of their subfolders, from any tool. "-" is standard
input. Understands Cluster API in v1beta1 and v1beta2, managed topologies too, and what HelmRelease, Kustomization, Application,
HelmChartProxy and ClusterResourceSet deliver. No cluster is asked. Unknown values are "-"; nothing is guessed.

Clusters of the same namespace and name are in different management clusters: the topmost folder in which names are unique, or the file,
comes before their names, as in "prod: tenant-acme/acme".

  --by cluster          a row for each cluster, and no other tables
  --by pool             a row for each pool, and no other tables

  --format table        clusters, pools, addons and totals (default), names of pools and addons without that of the
                        cluster; on a narrow terminal, columns are left out, which the last line names, or cut
  --format json         for programs; the shape is below
  --format csv          RFC 4180 with a header row, by cluster (default) or pool; unknown values are empty

The state of a cluster is that of its Cluster object: declared, paused, object paused or deleting. The annotation cluster.x-k8s.io/paused
pauses the object that has it, and nothing else: "object paused" is a Cluster whose topology and deletion wait, while its control plane,
pools and machines do not; pools and control planes that have it are "paused". Without a Cluster object, it is incomplete while pools
or other objects remain that Cluster API deletes along with it, and in decommission afterwards. CONTROL PLANE and INFRASTRUCTURE show
the kind without its suffix. Sizes of machines come from KubevirtMachineTemplate and its instance types, if they are among the manifests,
and from the plans of VultrMachineTemplate. NAMESPACE is the namespace of an addon.

Exit codes: 0 clusters found, 1 no cluster, 2 usage error or unreadable manifest.

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
    const landscape = await readClusters(positionals, surroundings);
    surroundings.out(PRINTERS[format](landscape, by, surroundings.columns));
    if (landscape.clusters.length > 0) return ExitCode.OK;
    surroundings.err('found: no cluster among these manifests\n');
    return ExitCode.FINDINGS;
  },
};
