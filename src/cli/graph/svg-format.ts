import { ELLIPSIS, INDENT, LINE_STEP, PADDING, TITLE_BASE, titleOf } from './box-text';
import {
  changesIn, GROUP_HEADING, GROUP_PADDING, HEADING_HEIGHT, LEGEND_TEXT, LegendEntry, MARGIN, PlacedArrow, PlacedBox, PlacedEntry,
  PlacedGroup, PlacedPicture, placePicture, Point,
} from './layout';
import { BoxRole, Picture } from './picture';
import { PLAN_STYLE, SVG_STYLE } from './svg-style';
import { printable } from '../../manifests/values/printable';

const ROUND = 6;
const BAR = 5;
const BASE_OF_GROUP_TITLE = 12;
const BASE_OF_HEADING = 16;
const BESIDE_ARROW = 10;
const SAMPLE_WIDTH = 24;
const SAMPLE_HEIGHT = 12;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' };

/** Lone surrogates and code points that XML cannot write. */
const NO_CHARACTER = /[\ud800-\udfff\ufffe\uffff]/gu;

/** The picture as a file of its own, which loads nothing. */
export function svgFormat(picture: Picture): string {
  const id = `${picture.id}--head`;
  const placed = placePicture(picture);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${svgElement(picture, placed, id, ' xmlns="http://www.w3.org/2000/svg"', [
    `<style>${SVG_STYLE}${changesIn(picture.groups).length > 0 ? PLAN_STYLE : ''}</style>`,
    `<defs>${arrowHead(id)}</defs>`,
    `<rect class="cg-ground" width="${placed.width}" height="${placed.height}"/>`,
    `<text class="cg-heading" x="${MARGIN}" y="${HEADING_HEIGHT - BASE_OF_HEADING}">${xmlText(picture.title)}</text>`,
  ])}`;
}

/**
 * The picture as an element of a page, which has its title and explains its colors.
 *
 * @param head id of the heads of arrows in the page
 */
export function svgInPage(picture: Picture, head: string): string {
  return svgElement(picture, placePicture(picture, false), head);
}

/** The sample of an entry of the legend, as an element of a page. */
export function sampleInPage({ sample }: LegendEntry, head: string): string {
  return `<svg class="cg" width="${SAMPLE_WIDTH + 4}" height="${SAMPLE_HEIGHT + 4}" aria-hidden="true">${sampleElement(sample, 2, SAMPLE_HEIGHT / 2 + 2, head)}</svg>`;
}

/** The head of arrows, which is defined once. */
export function arrowHead(id: string): string {
  return `<marker id="${id}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="cg-head" d="M0 0.5 L8 4 L0 7.5 Z"/></marker>`;
}

function svgElement(
  picture: Picture, { width, height, groups, legend }: PlacedPicture, head: string, namespace = '', first: readonly string[] = [],
): string {
  const id = (part: string) => `${picture.id}--${part}`;
  return [
    `<svg${namespace} class="cg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id('title')} ${id('desc')}">`,
    `<title id="${id('title')}">${xmlText(picture.title)}</title>`,
    `<desc id="${id('desc')}">${xmlText(picture.description)}</desc>`,
    ...first,
    ...groups.flatMap((group) => groupElements(group, head)),
    ...betweenElements(picture, groups, head),
    ...legend.map((entry) => legendElement(entry, head)),
    '</svg>\n',
  ].join('\n');
}

/** A string as it stands in XML and HTML, inside and outside of quotes. */
export function xmlText(text: string): string {
  return printable(text).replace(NO_CHARACTER, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

function groupElements({ group, boxes, arrows, x, y, width, height }: PlacedGroup, head: string): string[] {
  return [
    `<g transform="translate(${x} ${y})">`,
    `<rect class="cg-group" width="${width}" height="${height}" rx="${ROUND + 2}"/>`,
    `<text class="cg-group-title" x="${GROUP_PADDING}" y="${GROUP_HEADING - BASE_OF_GROUP_TITLE}">${xmlText(group.title)}</text>`,
    ...arrows.map((arrow) => arrowElement(arrow, head)),
    ...boxes.map(boxElement),
    '</g>',
  ];
}

function boxElement({ box, text: { titles, lines, planned }, x, y, width, height }: PlacedBox): string {
  let base = y + TITLE_BASE - LINE_STEP;
  const text = (style: string, content: string, indent = 0) => {
    base += LINE_STEP;
    return `<text class="${style}" x="${x + PADDING + indent}" y="${base}">${xmlText(content)}</text>`;
  };
  const isWave = box.role === BoxRole.WAVE;
  const change = box.planned && ` cg-now-${box.planned.change}`;
  const bar = `M${x + BAR} ${y} H${x + ROUND} A${ROUND} ${ROUND} 0 0 0 ${x} ${y + ROUND} V${y + height - ROUND} A${ROUND} ${ROUND} 0 0 0 ${x + ROUND} ${y + height} H${x + BAR} Z`;
  const drawn = [
    `<rect class="cg-box${change ?? ''}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${isWave ? height / 2 : ROUND}"/>`,
    ...(isWave ? [] : [`<path class="${change ? `cg-bar${change}` : `cg-is-${box.role}`}" d="${bar}"/>`]),
    ...titles.map((title) => text('cg-title', title)),
    ...lines.map((line, index) => (
      text(index < lines.length - planned ? 'cg-line' : 'cg-line cg-plan', line.text, line.isContinued ? INDENT : 0))),
  ].join('');
  if (![...titles, ...lines.map((line) => line.text)].some((shown) => shown.endsWith(ELLIPSIS))) return drawn;
  // A tooltip has the text without room in the box.
  return `<g><title>${xmlText([titleOf(box), ...box.lines, ...box.planned?.lines ?? []].join(', '))}</title>${drawn}</g>`;
}

/** A sample of what is explained, and the explanation. */
function legendElement({ entry: { sample, text }, x, y }: PlacedEntry, head: string): string {
  return `${sampleElement(sample, x, y - 4, head)}<text class="cg-line" x="${x + LEGEND_TEXT}" y="${y}">${xmlText(text)}</text>`;
}

function sampleElement(sample: LegendEntry['sample'], x: number, middle: number, head: string): string {
  const box = (style: string) => `<rect class="${style}" x="${x}" y="${middle - SAMPLE_HEIGHT / 2}" width="${SAMPLE_WIDTH}" height="${SAMPLE_HEIGHT}" rx="3"/>`;
  if ('role' in sample) return box(`cg-is-${sample.role}`);
  if ('change' in sample) return box(`cg-box cg-now-${sample.change}`);
  return `<path class="${arrowClass(sample)}" d="M${x} ${middle} H${x + SAMPLE_WIDTH}" marker-end="url(#${head})"/>`;
}

/** The arrows from each group to the next one, with their labels. */
function betweenElements({ between = [] }: Picture, groups: readonly PlacedGroup[], head: string): string[] {
  return groups.slice(1).flatMap((next, index) => {
    const former = groups[index];
    const x = former.x + former.width / 2;
    const [top, bottom] = [former.y + former.height, next.y];
    return [
      `<path class="cg-arrow" d="M${x} ${top} V${bottom}" marker-end="url(#${head})"/>`,
      `<text class="cg-line" x="${x + BESIDE_ARROW}" y="${(top + bottom) / 2 + 4}">${xmlText(between[index] ?? '')}</text>`,
    ];
  });
}

function arrowElement({ arrow, points }: PlacedArrow, head: string): string {
  return `<path class="${arrowClass(arrow)}" d="${curve(points)}" marker-end="url(#${head})"/>`;
}

function arrowClass({ isOrder }: { readonly isOrder: boolean }): string {
  return `cg-arrow${isOrder ? ' cg-order' : ''}`;
}

/** Leaves and enters each point horizontally. */
function curve([first, ...rest]: readonly Point[]): string {
  let last = first;
  const parts = rest.map((point) => {
    const middle = (last.x + point.x) / 2;
    const part = last.y === point.y ? `H${point.x}` : `C${middle} ${last.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    last = point;
    return part;
  });
  return [`M${first.x} ${first.y}`, ...parts].join(' ');
}
