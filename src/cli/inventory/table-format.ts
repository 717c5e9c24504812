import { addonRows, clusterRows, poolRows, Rows } from './inventory-rows';
import { summary } from './summary';
import { Landscape } from '../../landscape/cluster-model';
import { table } from '../table';

/** What has a row of its own. */
export type RowsBy = 'cluster' | 'pool';

/** The inventory as tables that people read. */
export function tableFormat(landscape: Landscape, by?: RowsBy, columns?: number): string {
  const tables: Readonly<Record<RowsBy, (landscape: Landscape) => Rows>> = { cluster: clusterRows, pool: poolRows };
  const shown = by === undefined ? [clusterRows, poolRows, addonRows] : [tables[by]];
  return [
    ...shown.map((rowsOf) => rowsOf(landscape)).map(({ heads, rows }) => table(heads, rows, columns)).filter((text) => text !== ''),
    `${summary(landscape.clusters)}\n`,
  ].join('\n');
}
