import { addonRows, clusterRows, poolRows, Rows } from './inventory-rows';
import { summary } from './summary';
import { Landscape } from '../../manifests/landscape/cluster-model';
import { wrapped } from '../../manifests/values/printable';
import { Column, table } from '../table';

/** What has a row of its own. */
export type RowsBy = 'cluster' | 'pool';

/** Columns with names, of which both ends count. */
const NAMES: readonly string[] = ['CLUSTER', 'POOL', 'ADDON'];

/** Columns that a narrow terminal goes without, the least useful first. */
const LEFT_OUT: readonly string[] = [
  'DELIVERY', 'SERVICE CIDRS', 'POD CIDRS', 'LABELS', 'TAINTS', 'TYPE', 'ENDPOINT', 'NAMESPACE', 'INFRASTRUCTURE', 'CHART', 'CONTROL PLANE', 'GPUS', 'CPU', 'MEMORY',
];

/** The inventory as tables that people read. */
export function tableFormat(landscape: Landscape, by?: RowsBy, columns?: number): string {
  const tables: Readonly<Record<RowsBy, (landscape: Landscape) => Rows>> = { cluster: clusterRows, pool: poolRows };
  const shown = by === undefined ? [clusterRows, poolRows, addonRows] : [tables[by]];
  return [
    ...shown.map((rowsOf) => rowsOf(landscape)).map(({ heads, rows }) => table(heads.map(columnOf), rows.map(withoutClusterName), columns)).filter((text) => text !== ''),
    `${wrapped(summary(landscape.clusters), columns ?? Infinity, '  ').join('\n')}\n`,
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
