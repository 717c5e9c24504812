import { Chosen, DrawnCluster, DrawnPicture } from './chosen-pictures';
import { FleetGroup, groupClusters } from './cluster-groups';
import { matrixElement } from './html-matrix';
import { PAGE_SCRIPT } from './html-script';
import { PAGE_STYLE } from './html-style';
import { LegendEntry, legendOf } from './legend';
import { BY_URGENCY, CHANGE_SIGNS, PlannedChange } from './picture';
import { arrowHead, sampleInPage, svgInPage, xmlText } from './svg-format';
import { PLAN_STYLE, SVG_STYLE } from './svg-style';
import { nodeCrypto } from '../../manifests/values/node-crypto';
import { counted } from '../inventory/cells';
import { addonRows, clusterRows, poolRows, Rows } from '../inventory/inventory-rows';
import { summary } from '../inventory/summary';

const HEAD = 'page--head';

/** So many clusters are shown without a click. */
const FEW = 25;

/** Columns whose cells may hold a lot. */
const LONG: readonly string[] = ['LABELS', 'TAINTS'];

/** What else the page is told. */
export interface PageOptions {
  /**
   * Key of the label that clusters are grouped by.
   *
   * @default - one that fleets are grouped by, if a cluster has it
   */
  readonly groupBy?: string;

  /**
   * The plan in a sentence.
   *
   * @default - no plan is drawn
   */
  readonly plan?: string;
}

/** One page with the pictures and the inventory. It loads nothing, and can be read without its script. */
export function htmlFormat(chosen: Chosen, { groupBy, plan }: PageOptions = {}): string {
  const { clusters, management, landscape } = chosen;
  const grouping = groupClusters([...clusters].sort((one, other) => urgency(one) - urgency(other)), groupBy);
  const style = `${PAGE_STYLE}${SVG_STYLE}${plan === undefined ? '' : PLAN_STYLE}`;
  const title = plan === undefined ? 'Clusters' : 'Planned changes';
  const drawn = new Map(clusters.map((one) => [one.cluster.id, one]));
  const few = clusters.length <= FEW;
  const lists = ([['Pools', 'pool', poolRows(landscape)], ['Addons', 'addon', addonRows(landscape)]] as const)
    .map(([name, noun, rows]) => listElement(name, noun, rows, drawn, management?.picture.id));
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(PAGE_SCRIPT)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<svg class="hidden" aria-hidden="true"><defs>${arrowHead(HEAD)}</defs></svg>
<header>
<h1>${title}</h1>
${plan === undefined ? '' : `<p>${xmlText(plan)}</p>\n`}<p>${xmlText(summary(landscape.clusters))}</p>
</header>
<main>
${clusters.length > 1 ? matrixElement(grouping) : ''}${clusters.length > 1 ? toolsElement(plan !== undefined) : ''}${grouping.groups.map((group) => groupElement(group, chosen, few)).join('')}${lists.join('')}${management ? pictureElement(management, clusters.length === 0, legendOf(management.picture.groups)) : ''}</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function urgency({ change = PlannedChange.UNCHANGED }: DrawnPicture): number {
  return BY_URGENCY.indexOf(change);
}

/** A hash that a content security policy accepts. */
function hashOf(text: string): string {
  return `sha256-${nodeCrypto().createHash('sha256').update(text).digest('base64')}`;
}

/** Fields of the script; without it they would do nothing. */
function toolsElement(hasPlan: boolean): string {
  return `<form role="search" hidden>
<label>Filter <input type="search" name="words" placeholder="name, label, address, state" autocomplete="off"></label>
${hasPlan ? '<label><input type="checkbox" name="changes"> Only what changes</label>\n' : ''}<output name="found" aria-live="polite"></output>
</form>
`;
}

/** The clusters of a version and ring in a table, and their pictures. */
function groupElement({ id, title, clusters }: FleetGroup, chosen: Chosen, few: boolean): string {
  const { heads, rows } = clusterRows({ clusters: clusters.map(({ cluster }) => cluster), otherAddons: [] });
  const hasPlan = clusters.some(({ change }) => change !== undefined);
  const isOpen = few || clusters.some(({ change = PlannedChange.UNCHANGED }) => change !== PlannedChange.UNCHANGED);
  const isShown = (index: number) => heads[index] !== 'VERSION';
  const shownHeads = heads.filter((_, index) => isShown(index));
  const columns = hasPlan ? [shownHeads[0], 'PLAN', ...shownHeads.slice(1)] : shownHeads;
  const body = rows.map((row, index) => {
    const { picture, change } = clusters[index];
    const cells = row.filter((_, at) => isShown(at)).slice(1).map((cell) => cellElement(cell));
    return `<tr data-words="${xmlText(labelsOf(clusters[index]))}"${change === undefined ? '' : ` data-change="${change}"`}><th scope="row"><a href="#${picture.id}">${xmlText(row[0])}</a></th>${change === undefined ? '' : changeCell(change)}${cells.join('')}</tr>`;
  });
  return `<details class="list group" data-words="${xmlText(title)}"${isOpen ? ' open' : ''}>
<summary><h2>${xmlText(title)}</h2> <span class="count">${counted(clusters.length, 'cluster')}</span></summary>
<div id="${id}" class="target wide">${tableElement(title, columns, body)}</div>
${legendElement(clusters)}${clusters.map((one) => pictureElement(one, chosen.clusters.length === 1)).join('')}</details>
`;
}

/** The labels of a cluster, which are found and have no column. */
function labelsOf({ cluster }: DrawnCluster): string {
  return [...cluster.labels].map(([key, text]) => `${key}=${text}`).join(' ');
}

function changeCell(change: PlannedChange): string {
  return `<td class="now-${change}">${`${CHANGE_SIGNS[change]} ${change}`.trim()}</td>`;
}

/** A list of all clusters, each row with a link to the picture of its cluster. */
function listElement(
  name: string, noun: string, { heads, rows }: Rows, drawn: ReadonlyMap<string, DrawnCluster>, management: string | undefined,
): string {
  if (rows.length === 0) return '';
  const body = rows.map(([cluster, ...cells]) => {
    const one = drawn.get(cluster);
    const id = one?.picture.id ?? management;
    const link = id === undefined ? xmlText(cluster) : `<a href="#${id}">${xmlText(cluster)}</a>`;
    return `<tr data-words="${xmlText(one ? labelsOf(one) : '')}"><th scope="row">${link}</th>${cells.map((cell, index) => cellElement(cell, LONG.includes(heads[index + 1]))).join('')}</tr>`;
  });
  return `<details class="list">
<summary><h2>${name}</h2> <span class="count">${counted(rows.length, noun)}</span></summary>
<div class="wide">${tableElement(name, heads, body)}</div>
</details>
`;
}

function tableElement(caption: string, heads: readonly string[], rows: readonly string[]): string {
  return `<table>
<caption class="hidden">${xmlText(caption)}</caption>
<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function cellElement(cell: string, isLong = false): string {
  return `<td${isLong ? ' class="long"' : ''}>${xmlText(cell === '' ? '-' : cell)}</td>`;
}

function legendElement(drawn: readonly DrawnPicture[]): string {
  return entriesElement(legendOf(drawn.flatMap(({ picture }) => picture.groups)));
}

function entriesElement(entries: readonly LegendEntry[]): string {
  return `<ul class="legend" aria-label="Legend">${entries.map((entry) => `<li>${sampleInPage(entry, HEAD)} ${xmlText(entry.text)}</li>`).join('')}</ul>\n`;
}

function pictureElement({ picture }: DrawnPicture, isOpen: boolean, legend?: readonly LegendEntry[]): string {
  return `<details class="picture"${isOpen ? ' open' : ''}>
<summary><h2>${xmlText(picture.title)}</h2></summary>
${legend ? entriesElement(legend) : ''}<div id="${picture.id}" class="target wide">
${svgInPage(picture, HEAD)}</div>
</details>
`;
}
