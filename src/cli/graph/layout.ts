import { graphlib, layout } from '@dagrejs/dagre';
import { boxText, BoxText, LINE_SIZE, textWidth, TITLE_SIZE } from './box-text';
import { Arrow, Box, BoxRole, CHANGE_SIGNS, CHANGE_WORDS, Group, Picture, PlannedChange, ROLE_WORDS } from './picture';

/** Meaning of a color, line or arrow. */
export interface LegendEntry {
  /** Subject of the explanation: boxes of a role, boxes with a planned change, or a kind of arrow. */
  readonly sample: { readonly role: BoxRole } | { readonly change: PlannedChange } | { readonly isOrder: boolean };
  readonly text: string;
}

/** The roles of the boxes in groups, in the order of legends. */
export function rolesIn(groups: readonly Group[]): BoxRole[] {
  const found = new Set(groups.flatMap(({ boxes }) => boxes.map(({ role }) => role)));
  return Object.values(BoxRole).filter((role) => found.has(role));
}

/** Planned changes of the boxes in groups, in the order of legends; nothing if the picture shows no plan. */
export function changesIn(groups: readonly Group[]): PlannedChange[] {
  const found = new Set(groups.flatMap(({ boxes }) => boxes.map(({ planned }) => planned?.change)));
  return Object.values(PlannedChange).filter((change) => found.has(change));
}

/** A change as legends explain it, with its sign. */
export function changeText(change: PlannedChange): string {
  return `${CHANGE_SIGNS[change]} ${CHANGE_WORDS[change]}`.trim();
}

/** Explains what is in the groups: where a plan is shown, colors stand for changes, else for roles. */
export function legendOf(groups: readonly Group[]): LegendEntry[] {
  const arrows = groups.flatMap((group) => group.arrows);
  const changes = changesIn(groups);
  return [
    ...(changes.length > 0 ? changes.map((change) => ({ sample: { change }, text: changeText(change) }))
      : rolesIn(groups).map((role) => ({ sample: { role }, text: ROLE_WORDS[role] }))),
    ...(arrows.some(({ isOrder }) => !isOrder) ? [{ sample: { isOrder: false }, text: 'leads to what belongs to it, or what it works on' }] : []),
    ...(arrows.some(({ isOrder }) => isOrder) ? [{ sample: { isOrder: true }, text: 'leads to what waits until it is ready' }] : []),
  ];
}

export const MARGIN = 20;
export const HEADING_SIZE = 16;

/** Room above the groups, for the heading of the picture. */
export const HEADING_HEIGHT = 44;

/** Room above the boxes of a group, for its title. */
export const GROUP_HEADING = 34;
export const GROUP_PADDING = 18;

/** Room above the rows of the legend. */
const ABOVE_LEGEND = 12;
const LEGEND_STEP = 20;

/** Beginning of the text of an entry of the legend, beside its sample. */
export const LEGEND_TEXT = 34;
const LEGEND_GAP = 24;

const BETWEEN_GROUPS = 52;
const COLUMN_GAP = 56;
const BOX_GAP = 16;

/** Boxes without an arrow in a row. */
const ROW = 3;

/** A point; y grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle, from its upper left corner. */
export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

/** A box in its group. */
export interface PlacedBox extends Rectangle {
  readonly box: Box;
  readonly text: BoxText;
}

/** An arrow in its group, from the side of one box to the side of the other. */
export interface PlacedArrow {
  readonly arrow: Arrow;
  readonly points: readonly Point[];
}

/** A group in the picture. */
export interface PlacedGroup extends Rectangle {
  readonly group: Group;
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly PlacedArrow[];
}

/** An entry of the legend in the picture; the point is where its sample begins, at the base of its text. */
export interface PlacedEntry extends Point {
  readonly entry: LegendEntry;
}

/** A picture with the places of its parts. */
export interface PlacedPicture {
  readonly width: number;
  readonly height: number;
  readonly groups: readonly PlacedGroup[];
  readonly legend: readonly PlacedEntry[];
}

/**
 * Places the groups below one another.
 *
 * @param frame whether the picture has its title above, and its legend below
 */
export function placePicture(picture: Picture, frame = true): PlacedPicture {
  const { title, groups, between = [] } = picture;
  const contents = groups.map(placeBoxes);
  const entries = frame ? legendOf(groups) : [];
  const width = Math.ceil(Math.max(
    ...contents.map((content) => content.width),
    ...groups.map((group) => textWidth(group.title, TITLE_SIZE, true) + 2 * GROUP_PADDING),
    frame ? textWidth(title, HEADING_SIZE, true) : 0,
    ...entries.map(entryWidth),
    // The label stands beside the arrow, right of the middle.
    ...between.map((label) => 2 * (textWidth(label, LINE_SIZE) + GROUP_PADDING)),
  ));
  let bottom = (frame ? HEADING_HEIGHT : MARGIN) - BETWEEN_GROUPS;
  const placed = groups.map((group, index): PlacedGroup => {
    const y = bottom + BETWEEN_GROUPS;
    bottom = y + contents[index].height;
    return { ...contents[index], group, x: MARGIN, y, width };
  });
  const legend = placeLegend(entries, width, bottom + ABOVE_LEGEND);
  return { width: width + 2 * MARGIN, height: Math.max(bottom, ...legend.map(({ y }) => y)) + MARGIN, groups: placed, legend };
}

/** Places the entries of the legend in rows. */
function placeLegend(entries: readonly LegendEntry[], width: number, top: number): PlacedEntry[] {
  let [x, y] = [0, top + LEGEND_STEP];
  return entries.map((entry) => {
    if (x > 0 && x + entryWidth(entry) > width) [x, y] = [0, y + LEGEND_STEP];
    const placed = { entry, x: MARGIN + x, y };
    x += entryWidth(entry) + LEGEND_GAP;
    return placed;
  });
}

function entryWidth({ text }: LegendEntry): number {
  return LEGEND_TEXT + Math.ceil(textWidth(text, LINE_SIZE));
}

/** Places the boxes of a group: those with arrows in columns, the others below them in rows. */
function placeBoxes({ boxes, arrows }: Group): Pick<PlacedGroup, 'boxes' | 'arrows' | 'width' | 'height'> {
  const texts = new Map(boxes.map((box) => [box.id, boxText(box)]));
  // Boxes of one width make columns that arrows pass without crossing a box.
  const boxWidth = Math.max(...[...texts.values()].map((text) => text.width));
  const placed: PlacedBox[] = [];
  const place = (box: Box, x: number, y: number, height: number) => {
    placed.push({ box, text: texts.get(box.id)!, x, y, width: boxWidth, height });
  };

  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: BOX_GAP, ranksep: COLUMN_GAP, marginx: GROUP_PADDING, marginy: GROUP_HEADING });
  const ends = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const [tied, free] = [boxes.filter(({ id }) => ends.has(id)), boxes.filter(({ id }) => !ends.has(id))];
  for (const { id } of tied) graph.setNode(nodeOf(id), { width: boxWidth, height: texts.get(id)!.height });
  for (const { from, to } of arrows) graph.setEdge(nodeOf(from), nodeOf(to), {});
  let [width, bottom] = [0, GROUP_HEADING - BOX_GAP];
  if (tied.length > 0) {
    layout(graph);
    [width, bottom] = [graph.graph().width!, makeRoomForBends(graph)];
  }
  for (const box of tied) {
    const { x, y, height } = graph.node(nodeOf(box.id));
    place(box, x - boxWidth / 2, y - height / 2, height);
  }

  for (let start = 0; start < free.length; start += ROW) {
    const row = free.slice(start, start + ROW);
    const height = Math.max(...row.map(({ id }) => texts.get(id)!.height));
    row.forEach((box, index) => place(box, GROUP_PADDING + index * (boxWidth + BOX_GAP), bottom + BOX_GAP, height));
    width = Math.max(width, 2 * GROUP_PADDING + row.length * (boxWidth + BOX_GAP) - BOX_GAP);
    bottom += BOX_GAP + height;
  }
  const columns = new Set(graph.nodes().map((node) => graph.node(node).x));
  const routes = arrows.map((arrow) => ({ arrow, points: route(arrow, graph, columns, boxWidth) }));
  return { boxes: placed, arrows: routes, width, height: bottom + GROUP_PADDING };
}

/**
 * Moves everything below the heading of the group. dagre makes room for boxes only, and leads some arrows above or below all of them.
 *
 * @returns where the lowest box or arrow ends
 */
function makeRoomForBends(graph: graphlib.Graph): number {
  const bends = graph.edges().flatMap((edge) => graph.edge(edge).points);
  const nodes = graph.nodes().map((node) => graph.node(node));
  const down = bends.reduce((most, { y }) => Math.max(most, GROUP_HEADING - y), 0);
  for (const point of [...bends, ...nodes]) point.y += down;
  return bends.reduce((lowest, { y }) => Math.max(lowest, y), graph.graph().height! - GROUP_HEADING + down);
}

/** The points of an arrow: at the sides of its boxes, and at both sides of each column between them. */
function route({ from, to }: Arrow, graph: graphlib.Graph, columns: ReadonlySet<number>, boxWidth: number): Point[] {
  const [start, end] = [graph.node(nodeOf(from)), graph.node(nodeOf(to))];
  const half = (start.x < end.x ? boxWidth : -boxWidth) / 2;
  // dagre also bends arrows between columns.
  const passed = graph.edge(nodeOf(from), nodeOf(to)).points.slice(1, -1).filter(({ x }) => columns.has(x));
  const crossings = passed.flatMap(({ x, y }) => [{ x: x - half, y }, { x: x + half, y }]);
  return [{ x: start.x + half, y: start.y }, ...crossings, { x: end.x - half, y: end.y }];
}

/** The prefix keeps ids such as `constructor` apart from the properties of the objects that dagre uses as maps. */
function nodeOf(id: string): string {
  return `box-${id}`;
}
