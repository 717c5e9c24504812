import { LINE_STEP, PADDING, TITLE_BASE } from './box-text';
import { GROUP_HEADING, GROUP_PADDING, HEADING_HEIGHT, MARGIN, PlacedArrow, PlacedBox, PlacedGroup, placePicture, Point } from './layout';
import { BoxRole, Picture } from './picture';
import { SVG_STYLE } from './svg-style';
import { printable } from '../../values/printable';

const ROUND = 6;
const BAR = 5;
const BASE_OF_GROUP_TITLE = 12;
const BASE_OF_HEADING = 16;
const BESIDE_ARROW = 10;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' };

/** Lone surrogates and code points that XML cannot write. */
const NO_CHARACTER = /[\ud800-\udfff\ufffe\uffff]/gu;

/** The picture as a file of its own, which loads nothing. */
export function svgFormat(picture: Picture): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${svgElement(picture, `<style>${SVG_STYLE}</style>\n`)}`;
}

/**
 * The picture as an element of a page.
 *
 * @param style an element with the style, if the page has none
 */
export function svgElement(picture: Picture, style = ''): string {
  const { width, height, groups, legend } = placePicture(picture);
  const id = (part: string) => `${picture.id}--${part}`;
  const head = id('head');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="cg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id('title')} ${id('desc')}">`,
    `<title id="${id('title')}">${xmlText(picture.title)}</title>`,
    `<desc id="${id('desc')}">${xmlText(picture.description)}</desc>`,
    `${style}<defs><marker id="${head}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="cg-head" d="M0 0.5 L8 4 L0 7.5 Z"/></marker></defs>`,
    `<rect class="cg-ground" width="${width}" height="${height}"/>`,
    `<text class="cg-heading" x="${MARGIN}" y="${HEADING_HEIGHT - BASE_OF_HEADING}">${xmlText(picture.title)}</text>`,
    ...groups.flatMap((group) => groupElements(group, head)),
    ...betweenElements(picture, groups, head),
    ...(legend === undefined ? [] : [`<text class="cg-line" x="${MARGIN}" y="${height - MARGIN}">${xmlText(legend)}</text>`]),
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

function boxElement({ box, text: { title, lines }, x, y, width, height }: PlacedBox): string {
  const text = (style: string, content: string, base: number) => `<text class="${style}" x="${x + PADDING}" y="${y + base}">${xmlText(content)}</text>`;
  const isWave = box.role === BoxRole.WAVE;
  return [
    `<g><title>${xmlText([box.title, ...box.lines].join(', '))}</title>`,
    `<rect class="cg-box" x="${x}" y="${y}" width="${width}" height="${height}" rx="${isWave ? height / 2 : ROUND}"/>`,
    ...(isWave ? [] : [`<path class="cg-is-${box.role}" d="M${x + BAR} ${y} H${x + ROUND} A${ROUND} ${ROUND} 0 0 0 ${x} ${y + ROUND} V${y + height - ROUND} A${ROUND} ${ROUND} 0 0 0 ${x + ROUND} ${y + height} H${x + BAR} Z"/>`]),
    text('cg-title', title, TITLE_BASE),
    ...lines.map((line, index) => text('cg-line', line, TITLE_BASE + (index + 1) * LINE_STEP)),
    '</g>',
  ].join('');
}

/** The arrow from the first group to the second, with its label. */
function betweenElements({ between = '' }: Picture, [first, second]: readonly PlacedGroup[], head: string): string[] {
  if (second === undefined) return [];
  const x = first.x + first.width / 2;
  const [top, bottom] = [first.y + first.height, second.y];
  return [
    `<path class="cg-arrow" d="M${x} ${top} V${bottom}" marker-end="url(#${head})"/>`,
    `<text class="cg-line" x="${x + BESIDE_ARROW}" y="${(top + bottom) / 2 + 4}">${xmlText(between)}</text>`,
  ];
}

function arrowElement({ arrow, points }: PlacedArrow, head: string): string {
  return `<path class="cg-arrow${arrow.isOrder ? ' cg-order' : ''}" d="${curve(points)}" marker-end="url(#${head})"/>`;
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
