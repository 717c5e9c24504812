import { Slot } from './column-order';

const SWEEPS = 6;

/**
 * Puts the slots of columns below one another, each as near as may be to the middle of those that it is tied to.
 *
 * @param columns from top to bottom
 * @param heightOf height of a slot
 * @param gap room between two slots
 * @returns upper sides, the uppermost at 0
 */
export function upperSides(columns: readonly (readonly Slot[])[], heightOf: (slot: Slot) => number, gap: number): ReadonlyMap<Slot, number> {
  const tops = new Map<Slot, number>();
  for (const column of columns) settle(column, column.map(() => 0), heightOf, gap, tops);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const side = sweep % 2 === 0 ? 'before' : 'after';
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
      const wanted = column.map((slot) => {
        const middles = slot[side].map((other) => tops.get(other)! + heightOf(other) / 2);
        return middles.length === 0 ? tops.get(slot)! : middles.reduce((one, other) => one + other) / middles.length - heightOf(slot) / 2;
      });
      settle(column, wanted, heightOf, gap, tops);
    }
  }
  const highest = [...tops.values()].reduce((one, other) => Math.min(one, other), Infinity);
  return new Map([...tops].map(([slot, top]) => [slot, Math.round(top - highest)]));
}

/** Keeps the order and the gaps, and moves everything as little as may be: whoever meets shares the way (pool adjacent violators). */
function settle(column: readonly Slot[], wanted: readonly number[], heightOf: (slot: Slot) => number, gap: number, tops: Map<Slot, number>): void {
  const blocks: { sum: number; count: number }[] = [];
  const offsets: number[] = [];
  let offset = 0;
  column.forEach((slot, index) => {
    offsets.push(offset);
    let block = { sum: wanted[index] - offset, count: 1 };
    offset += heightOf(slot) + gap;
    for (let last = blocks.at(-1); last && last.sum / last.count > block.sum / block.count; last = blocks.at(-1)) {
      block = { sum: last.sum + block.sum, count: last.count + block.count };
      blocks.pop();
    }
    blocks.push(block);
  });
  let at = 0;
  for (const { sum, count } of blocks) {
    for (let index = 0; index < count; index++, at++) tops.set(column[at], sum / count + offsets[at]);
  }
}
