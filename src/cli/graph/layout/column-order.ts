import { Columns, Edge } from './columns';
import { Box } from '../picture';

/** Something that takes room in a column: a box, or an arrow that passes by. */
export interface Slot {
  /** The box; undefined for an arrow that passes by. */
  readonly box?: Box;
  readonly before: Slot[];
  readonly after: Slot[];
}

/** The way of an arrow through columns: box, places where it passes, box. */
export interface Way {
  readonly edge: Edge;
  readonly slots: readonly Slot[];
}

/** Columns, each from top to bottom. */
export interface OrderedColumns {
  readonly columns: readonly (readonly Slot[])[];
  readonly ways: readonly Way[];
}

const SWEEPS = 8;

/** Orders the boxes of each column so that few arrows cross: each near the middle of those that it is tied to (barycenter method). */
export function orderColumns(boxes: readonly Box[], { columnOf, edges }: Columns): OrderedColumns {
  const columns: Slot[][] = [];
  const slots = new Map<string, Slot>();
  const add = (column: number, box?: Box): Slot => {
    const slot: Slot = { box, before: [], after: [] };
    while (columns.length <= column) columns.push([]);
    columns[column].push(slot);
    return slot;
  };
  for (const box of boxes) slots.set(box.id, add(columnOf.get(box.id)!, box));
  const ways = edges.map((edge) => {
    const passing: Slot[] = [];
    for (let column = columnOf.get(edge.from)! + 1; column < columnOf.get(edge.to)!; column++) passing.push(add(column));
    const way = [slots.get(edge.from)!, ...passing, slots.get(edge.to)!];
    way.slice(1).forEach((slot, index) => {
      slot.before.push(way[index]);
      way[index].after.push(slot);
    });
    return { edge, slots: way };
  });

  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    if (sweep % 2 === 0) for (let at = 1; at < columns.length; at++) sortByMiddle(columns[at], columns[at - 1], 'before');
    else for (let at = columns.length - 2; at >= 0; at--) sortByMiddle(columns[at], columns[at + 1], 'after');
  }
  return { columns, ways };
}

function sortByMiddle(column: Slot[], neighbours: readonly Slot[], side: 'before' | 'after'): void {
  const places = new Map(neighbours.map((slot, index) => [slot, index]));
  const middles = new Map(column.map((slot, index) => {
    const tied = slot[side].map((other) => places.get(other)!);
    // What is tied to nothing stays where it is.
    return [slot, tied.length === 0 ? index : tied.reduce((one, other) => one + other) / tied.length];
  }));
  column.sort((one, other) => middles.get(one)! - middles.get(other)!);
}
