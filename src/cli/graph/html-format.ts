import { Chosen, DrawnCluster, DrawnPicture } from './chosen-pictures';
import { PAGE_SCRIPT, PAGE_STYLE } from './html-script';
import { LegendEntry, legendOf } from './layout';
import { BY_URGENCY, CHANGE_SIGNS, Names, PlannedChange } from './picture';
import { arrowHead, sampleInPage, svgInPage, xmlText } from './svg-format';
import { PLAN_STYLE, SVG_STYLE } from './svg-style';
import { compareTexts } from '../../manifests/landscape/place';
import { nodeCrypto } from '../../manifests/values/node-crypto';
import { parseSemanticVersion } from '../../manifests/values/semantic-version';
import { addonRows, clusterRows, counted, poolRows, Rows, summary } from '../inventory/inventory-rows';

/** Names of labels that fleets are grouped by, the first ones before the others. */
const GROUPING_NAMES: readonly string[] = ['ring', 'stage', 'environment', 'env', 'tier', 'region'];

/** Clusters of one version, and of one value of the label. */
interface FleetGroup {
  /** Letters, digits and `-`; no other element of the page has it. */
  readonly id: string;

  /** The version and the value. */
  readonly title: string;
  readonly version: string;

  /** The value of the label; undefined where clusters are grouped by their versions alone. */
  readonly value?: string;
  readonly clusters: readonly DrawnCluster[];
}

/** Clusters in a matrix of versions and values of a label. */
interface Grouping {
  /** The name of the label without its prefix; undefined where clusters are grouped by their versions alone. */
  readonly label?: string;

  /** The newest first. */
  readonly versions: readonly string[];
  readonly values: readonly string[];

  /** Groups with clusters, row by row. */
  readonly groups: readonly FleetGroup[];
}

/**
 * Groups clusters by version and label.
 *
 * @param label key of the label; by default the first one that is known as one that fleets are grouped by
 */
function groupClusters(clusters: readonly DrawnCluster[], label: string | undefined = groupingLabel(clusters)): Grouping {
  const name = label === undefined ? undefined : nameOfKey(label);
  const versionOf = ({ cluster }: DrawnCluster) => cluster.version ?? 'no version';
  const none = `no ${name}`;
  const valueOf = ({ cluster }: DrawnCluster) => (label === undefined ? undefined : cluster.labels.get(label) ?? none);
  const titleOf = (version: string, value: string | undefined) => (
    value === undefined ? version : `${version}, ${value === none ? '' : `${name} `}${value}`);
  const names = new Names();
  const groups = new Map<string, FleetGroup & { readonly clusters: DrawnCluster[] }>();
  for (const one of clusters) {
    const [version, value] = [versionOf(one), valueOf(one)];
    const key = JSON.stringify([version, value]);
    const same = groups.get(key);
    if (same) same.clusters.push(one);
    // Two hyphens are in no id of a picture.
    else groups.set(key, { id: `group--${names.of(`${version} ${value ?? ''}`)}`, title: titleOf(version, value), version, value, clusters: [one] });
  }
  const sorted = [...groups.values()].sort((one, other) => compareVersions(one.version, other.version) || compareTexts(one.value ?? '', other.value ?? ''));
  return {
    label: name,
    versions: [...new Set(sorted.map(({ version }) => version))],
    values: [...new Set(sorted.flatMap(({ value }) => value ?? []))].sort(compareTexts),
    groups: sorted,
  };
}

function groupingLabel(clusters: readonly DrawnCluster[]): string | undefined {
  const keys = [...new Set(clusters.flatMap(({ cluster }) => [...cluster.labels.keys()]))].sort(compareTexts);
  return GROUPING_NAMES.map((name) => keys.find((key) => nameOfKey(key) === name)).find((key) => key !== undefined);
}

function nameOfKey(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** The newest version first, what is no version last. */
function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map(parseSemanticVersion);
  if (!first || !second) return Number(!first) - Number(!second) || compareTexts(one, other);
  return second.major - first.major || second.minor - first.minor || second.patch - first.patch
    // A release is newer than what came before it.
    || Number(first.suffix !== '') - Number(second.suffix !== '') || compareTexts(second.suffix, first.suffix);
}

/** Numbers of clusters by version and ring; each leads to its group. */
function matrixElement({ label, versions, values, groups }: Grouping): string {
  const columns: readonly (string | undefined)[] = label === undefined ? [undefined] : values;
  const find = (version: string, value: string | undefined) => groups.find((group) => group.version === version && group.value === value);
  const sum = (some: readonly FleetGroup[]) => some.reduce((all, { clusters }) => all + clusters.length, 0);
  const heads = label === undefined ? ['Version', 'Clusters'] : [`Version, ${label}`, ...values, 'All'];
  const rows = versions.map((version) => [
    `<th scope="row">${xmlText(version)}</th>`,
    ...columns.map((value) => matrixCell(find(version, value))),
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

function matrixCell(group: FleetGroup | undefined): string {
  if (!group) return '<td></td>';
  const { id, title, clusters } = group;
  const changed = clusters.filter(({ change = PlannedChange.UNCHANGED }) => change !== PlannedChange.UNCHANGED).length;
  return `<td><a href="#${id}" aria-label="${counted(clusters.length, 'cluster')}, ${xmlText(title)}">${clusters.length}</a>${changed > 0 ? ` <small>${changed} ${changed === 1 ? 'changes' : 'change'}</small>` : ''}</td>`;
}

const HEAD = 'page--head';

/** So many clusters are shown without a click. */
const FEW = 25;

/** Columns whose cells may hold a lot. */
const LONG: readonly string[] = ['LABELS', 'TAINTS'];

/** Options of the page. */
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
  const { heads, rows } = clusterRows({ clusters: clusters.map(({ cluster }) => cluster), otherAddons: [], addressPools: [], loads: [] });
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
