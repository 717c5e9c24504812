import { boxText } from './box-text';
import { orderColumns, Slot, Way } from './column-order';
import { inColumns } from './columns';
import { upperSides } from './heights';
import { Placed, PlacedArrow, PlacedBox, Point } from './placed-picture';
import { Arrow, Box, BoxRole } from '../picture';

const COLUMN_GAP = 56;
const BOX_GAP = 16;
const PASSING = 6;

/** Where arrows come into a slot and leave it: at the side of its column, from there straight to the box. */
interface Sides {
  readonly into: readonly number[];
  readonly out: readonly number[];
  readonly middle: number;
}

/** Lays out boxes that are tied by arrows, from left to right: in columns, with room for arrows that pass by. */
export function placeTied(boxes: readonly Box[], arrows: readonly Arrow[]): Placed {
  const { columns, ways } = orderColumns(boxes, inColumns(boxes, arrows));
  const texts = new Map(boxes.map((box) => [box.id, boxText(box)]));
  const heightOf = ({ box }: Slot) => (box ? texts.get(box.id)!.height : PASSING);
  const tops = upperSides(columns, heightOf, BOX_GAP);

  const sides = new Map<Slot, Sides>();
  const placed: PlacedBox[] = [];
  let x = 0;
  let height = 0;
  for (const column of columns) {
    const width = column.reduce((widest, { box }) => Math.max(widest, box ? texts.get(box.id)!.width : 0), 0);
    for (const slot of column) {
      const [y, own] = [tops.get(slot)!, heightOf(slot)];
      // A box fills its column, so that arrows only bend between columns. A point in time does not look like one.
      const room = slot.box?.role === BoxRole.WAVE ? texts.get(slot.box.id)!.width : width;
      const left = x + Math.floor((width - room) / 2);
      if (slot.box) placed.push({ box: slot.box, x: left, y, width: room, height: own });
      sides.set(slot, { into: slot.box ? [x, left] : [x], out: slot.box ? [left + room, x + width] : [x + width], middle: y + own / 2 });
      height = Math.max(height, y + own);
    }
    x += width + COLUMN_GAP;
  }
  return { boxes: placed, arrows: ways.map((way) => route(way, sides)), width: Math.max(0, x - COLUMN_GAP), height };
}

function route({ edge, slots }: Way, sides: ReadonlyMap<Slot, Sides>): PlacedArrow {
  const points: Point[] = slots.flatMap((slot, index) => {
    const { into, out, middle } = sides.get(slot)!;
    const passed = [...(index === 0 ? [] : into), ...(index === slots.length - 1 ? [] : out)];
    // A box that fills its column has the same side twice.
    return passed.filter((x, at) => x !== passed[at - 1]).map((x) => ({ x, y: middle }));
  });
  return { arrow: edge.arrow, points: edge.from === edge.arrow.from ? points : points.reverse() };
}
