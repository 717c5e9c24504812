import { FleetGroup, Grouping } from './cluster-groups';
import { PlannedChange } from './picture';
import { xmlText } from './svg-format';
import { counted } from '../inventory/cells';

/** How many clusters there are of each version and ring; each number leads to its group. */
export function matrixElement({ label, versions, values, groups }: Grouping): string {
  const columns: readonly (string | undefined)[] = label === undefined ? [undefined] : values;
  const find = (version: string, value: string | undefined) => groups.find((group) => group.version === version && group.value === value);
  const sum = (some: readonly FleetGroup[]) => some.reduce((all, { clusters }) => all + clusters.length, 0);
  const heads = label === undefined ? ['Version', 'Clusters'] : [`Version, ${label}`, ...values, 'All'];
  const rows = versions.map((version) => [
    `<th scope="row">${xmlText(version)}</th>`,
    ...columns.map((value) => cellElement(find(version, value))),
    ...(label === undefined ? [] : [`<td>${sum(groups.filter((group) => group.version === version))}</td>`]),
  ]);
  const totals = values.map((value) => `<td>${sum(groups.filter((group) => group.value === value))}</td>`);
  const foot = label === undefined || versions.length === 1 ? '' : `<tr><th scope="row">All</th>${totals.join('')}<td>${sum(groups)}</td></tr>\n`;
  return `<div class="wide matrix"><table>
<caption class="hidden">Clusters by version${label === undefined ? '' : ` and ${xmlText(label)}`}</caption>
<thead><tr>${heads.map((head) => `<th scope="col">${xmlText(head)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((cells) => `<tr>${cells.join('')}</tr>\n`).join('')}${foot}</tbody>
</table></div>
`;
}

function cellElement(group: FleetGroup | undefined): string {
  if (!group) return '<td></td>';
  const { id, title, clusters } = group;
  const changed = clusters.filter(({ change = PlannedChange.UNCHANGED }) => change !== PlannedChange.UNCHANGED).length;
  return `<td><a href="#${id}" aria-label="${counted(clusters.length, 'cluster')}, ${xmlText(title)}">${clusters.length}</a>${changed > 0 ? ` <small>${changed} ${changed === 1 ? 'changes' : 'change'}</small>` : ''}</td>`;
}
