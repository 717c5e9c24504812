import * as fc from 'fast-check';
import { broken, fitted, INDENT, LINE_SIZE, PADDING, textWidth, TITLE_SIZE } from '../../../src/cli/graph/box-text';
import { GROUP_PADDING, HEADING_SIZE, LEGEND_TEXT, MARGIN, placePicture, Point, Rectangle } from '../../../src/cli/graph/layout';
import { Arrow, Box, BoxRole, Picture, PlannedChange } from '../../../src/cli/graph/picture';
import { svgFormat } from '../../../src/cli/graph/svg-format';
import { amount } from '../../support/sample';

const RUNS = { numRuns: amount(100, 25) };

const ROLES = Object.values(BoxRole);
const PLANNED = fc.option(fc.record({
  change: fc.constantFrom(...Object.values(PlannedChange)), lines: fc.array(fc.string({ maxLength: 200 }), { maxLength: 3 }),
}), { nil: undefined });

/** Boxes and arrows of any kind, in circles too, but none from a box to itself. */
const group = (id: string) => fc.tuple(
  fc.array(fc.record({
    role: fc.constantFrom(...ROLES),
    title: fc.string({ maxLength: 60 }),
    lines: fc.array(fc.string({ maxLength: 80 }), { maxLength: 7 }),
    planned: PLANNED,
  }), { minLength: 1, maxLength: 14 }),
  fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 24 }),
).map(([contents, ties]) => {
  const boxes: Box[] = contents.map((content, index) => ({ id: `${id}-${index}`, ...content }));
  const idAt = (at: number) => boxes[at % boxes.length].id;
  const arrows: Arrow[] = ties.map(([from, to, isOrder]) => ({ from: idAt(from), to: idAt(to), isOrder })).filter(({ from, to }) => from !== to);
  return { id, title: `group ${id}`, boxes, arrows };
});
const PICTURES = fc.tuple(group('a'), fc.option(group('b'), { nil: undefined })).map(([first, second]): Picture => (
  { id: 'p', title: 'Picture', description: 'd', groups: second ? [first, second] : [first], between: ['delivered by something'] }));

const right = ({ x, width }: Rectangle) => x + width;
const bottom = ({ y, height }: Rectangle) => y + height;
const overlap = (one: Rectangle, other: Rectangle) => (
  one.x < right(other) && other.x < right(one) && one.y < bottom(other) && other.y < bottom(one));
const holds = (outer: Rectangle, inner: Rectangle) => (
  inner.x >= outer.x && inner.y >= outer.y && right(inner) <= right(outer) && bottom(inner) <= bottom(outer));

/** Points of a curve between two points, as it is drawn. */
function curve(from: Point, to: Point): Point[] {
  const middle = (from.x + to.x) / 2;
  return Array.from({ length: 21 }, (_, step) => {
    const [t, rest] = [step / 20, 1 - step / 20];
    const at = (a: number, b: number, c: number, d: number) => rest ** 3 * a + 3 * rest ** 2 * t * b + 3 * rest * t ** 2 * c + t ** 3 * d;
    return { x: at(from.x, middle, middle, to.x), y: at(from.y, from.y, to.y, to.y) };
  });
}

test('every box and arrow is there, in its group, and the group in the picture', () => {
  fc.assert(fc.property(PICTURES, (picture) => {
    const { groups, width, height } = placePicture(picture);
    groups.forEach((one, index) => {
      expect(one.boxes.map(({ box }) => box.id).sort()).toEqual(picture.groups[index].boxes.map(({ id }) => id).sort());
      expect(one.arrows).toHaveLength(picture.groups[index].arrows.length);
      expect(holds({ x: 0, y: 0, width, height }, one)).toBe(true);
      for (const box of one.boxes) expect([box.box.id, holds({ ...one, x: 0, y: 0 }, box)]).toEqual([box.box.id, true]);
    });
  }), RUNS);
});

test('no two boxes overlap, nor do groups', () => {
  fc.assert(fc.property(PICTURES, (picture) => {
    const { groups } = placePicture(picture);
    for (const { boxes } of [...groups, { boxes: groups }]) {
      boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => expect(overlap(one, other)).toBe(false)));
    }
  }), RUNS);
});

test('an arrow leads from the side of its box to that of the other, and crosses no third one', () => {
  fc.assert(fc.property(PICTURES, (picture) => {
    const { groups } = placePicture(picture);
    for (const { boxes, arrows } of groups) {
      const byId = new Map(boxes.map((box) => [box.box.id, box]));
      for (const { arrow, points } of arrows) {
        for (const [id, end] of [[arrow.from, points[0]], [arrow.to, points.at(-1)!]] as const) {
          const box = byId.get(id)!;
          expect([box.x, box.x + box.width]).toContain(end.x);
          expect(end.y).toBe(box.y + box.height / 2);
        }
        const way = points.slice(1).flatMap((point, index) => curve(points[index], point));
        for (const box of boxes) {
          if (box.box.id === arrow.from || box.box.id === arrow.to) continue;
          expect(way.some(({ x, y }) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height)).toBe(false);
        }
      }
    }
  }), RUNS);
});

test('no text leaves its box, its group or the picture', () => {
  fc.assert(fc.property(PICTURES, (picture) => {
    const { groups, width: pictureWidth, height: pictureHeight, legend } = placePicture(picture);
    expect(textWidth(picture.title, HEADING_SIZE, true)).toBeLessThanOrEqual(pictureWidth - 2 * MARGIN);
    for (const { entry: { text }, x, y } of legend) {
      expect(x + LEGEND_TEXT + textWidth(text, LINE_SIZE)).toBeLessThanOrEqual(pictureWidth - MARGIN);
      expect(y).toBeLessThan(pictureHeight);
    }
    for (const { group: { title }, width } of groups) expect(textWidth(title, TITLE_SIZE, true)).toBeLessThanOrEqual(width - 2 * GROUP_PADDING);
    for (const { text: { titles, lines, height: needed }, width, height } of groups.flatMap(({ boxes }) => boxes)) {
      for (const title of titles) expect(textWidth(title, TITLE_SIZE, true)).toBeLessThanOrEqual(width - 2 * PADDING);
      for (const { text, isContinued } of lines) {
        expect(textWidth(text, LINE_SIZE)).toBeLessThanOrEqual(width - 2 * PADDING - (isContinued ? INDENT : 0));
      }
      expect(height).toBeGreaterThanOrEqual(needed);
    }
  }), RUNS);
});

test('the same picture is drawn the same', () => {
  fc.assert(fc.property(PICTURES, (picture) => {
    expect(svgFormat(structuredClone(picture))).toBe(svgFormat(picture));
  }), { numRuns: amount(30, 10) });
});

const boxesOf = (...ids: string[]) => ids.map((id): Box => ({ id, role: BoxRole.ADDON, title: id, lines: [] }));
const placeGroup = (boxes: readonly Box[], arrows: readonly Arrow[]) => (
  placePicture({ id: 'p', title: 't', description: 'd', groups: [{ id: 'g', title: 'g', boxes, arrows }] }).groups[0]);

test('arrows lead to the right, except one of each circle', () => {
  const leftward = (...ties: string[]) => {
    const { arrows } = placeGroup(boxesOf('a', 'b', 'c', 'd'), ties.map(([from, to]) => ({ from, to, isOrder: true })));
    return arrows.filter(({ points }) => points.at(-1)!.x < points[0].x).length;
  };
  expect(leftward('ab', 'bc', 'ac', 'dc')).toBe(0);
  expect(leftward('ab', 'bc', 'ca', 'cd')).toBe(1);
});

test('boxes of a column stay in their order if no arrow crosses another', () => {
  const { boxes } = placeGroup(boxesOf('a', 'b', 'c', 'd'), ['b', 'c', 'd'].map((to) => ({ from: 'a', to, isOrder: false })));
  expect([...boxes].sort((one, other) => one.y - other.y).map(({ box }) => box.id).filter((id) => id !== 'a')).toEqual(['b', 'c', 'd']);
});

test('an id may be the name of a property of every object', () => {
  const { boxes } = placeGroup(boxesOf('constructor', 'a'), [{ from: 'constructor', to: 'a', isOrder: true }]);
  expect(boxes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
});

test('a long chain and a wide fan are placed', () => {
  const boxes = boxesOf(...Array.from({ length: 1500 }, (_, index) => `b${index}`));
  const tie = (from: number, to: number) => ({ from: `b${from}`, to: `b${to}`, isOrder: true });
  for (const arrows of [boxes.slice(1).map((_, index) => tie(index, index + 1)), boxes.slice(1).map((_, index) => tie(0, index + 1))]) {
    expect(placeGroup(boxes, arrows).boxes).toHaveLength(1500);
  }
});

test('a string that has no room ends with dots', () => {
  expect(fitted('short', 100, 10)).toBe('short');
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 20, max: 200 }), (text, room) => {
    const shown = fitted(text, room, 10);
    // Widths are sums of fractions.
    expect(textWidth(shown, 10)).toBeLessThan(room + 1e-6);
    expect(shown === text || shown.endsWith('…')).toBe(true);
  }), RUNS);
});

test('a long text is broken at spaces, or inside of a word that has no room, and nothing is lost', () => {
  expect(broken('Deployment acme-cluster-autoscaler', 150, 6, 10)).toEqual(['Deployment', 'acme-cluster-autoscaler']);
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.integer({ min: 20, max: 200 }), (text, room) => {
    const lines = broken(text, room, 100, 10);
    // Sums of widths differ in their last digits by the order of the letters.
    for (const line of lines) expect(textWidth(line, 10)).toBeLessThan(room + 1e-6);
    expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  }), RUNS);
});
