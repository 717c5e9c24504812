import { graphlib, layout } from '@dagrejs/dagre';
import { boxText, BoxText, LINE_SIZE, textWidth, TITLE_SIZE } from './box-text';
import { Arrow, Box, Group, Picture } from './picture';

export const MARGIN = 20;
export const HEADING_SIZE = 16;

/** Room above the groups, for the heading of the picture. */
export const HEADING_HEIGHT = 44;

/** Room above the boxes of a group, for its title. */
export const GROUP_HEADING = 34;
export const GROUP_PADDING = 18;

const LEGEND = 'A dashed arrow leads to what waits until the other is ready.';

/** Room below the groups, for the legend. */
const FOOT = 24;

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

/** A picture with the places of its parts. */
export interface PlacedPicture {
  readonly width: number;
  readonly height: number;
  readonly groups: readonly PlacedGroup[];

  /** Explains dashed arrows, if there are any. */
  readonly legend?: string;
}

/** Places the groups below one another. */
export function placePicture({ title, groups, between = '' }: Picture): PlacedPicture {
  const contents = groups.map(placeBoxes);
  const legend = groups.some(({ arrows }) => arrows.some(({ isOrder }) => isOrder)) ? LEGEND : undefined;
  const width = Math.ceil(Math.max(
    ...contents.map((content) => content.width),
    ...groups.map((group) => textWidth(group.title, TITLE_SIZE, true) + 2 * GROUP_PADDING),
    textWidth(title, HEADING_SIZE, true),
    textWidth(legend ?? '', LINE_SIZE),
    // The label stands beside the arrow, right of the middle.
    2 * (textWidth(between, LINE_SIZE) + GROUP_PADDING),
  ));
  let bottom = HEADING_HEIGHT - BETWEEN_GROUPS;
  const placed = groups.map((group, index): PlacedGroup => {
    const y = bottom + BETWEEN_GROUPS;
    bottom = y + contents[index].height;
    return { ...contents[index], group, x: MARGIN, y, width };
  });
  return { width: width + 2 * MARGIN, height: bottom + (legend === undefined ? 0 : FOOT) + MARGIN, groups: placed, legend };
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
