import { Arrow, Box } from '../picture';

/** An arrow from an earlier column to a later one. */
export interface Edge {
  readonly arrow: Arrow;
  from: string;
  to: string;
}

/** Boxes in columns. */
export interface Columns {
  /** Number of the column of each box, from 0. */
  readonly columnOf: ReadonlyMap<string, number>;

  /** Arrows, turned around where they would lead back. */
  readonly edges: readonly Edge[];
}

/**
 * Puts boxes into columns, each after all that lead to it, and beginnings right before what they lead to. In a circle, what leads back to
 * its first box is turned around.
 *
 * @param boxes those that arrows lead from or to
 * @param arrows between boxes; none from a box to itself
 */
export function inColumns(boxes: readonly Box[], arrows: readonly Arrow[]): Columns {
  const edges: Edge[] = arrows.map((arrow) => ({ arrow, from: arrow.from, to: arrow.to }));
  const [incoming, outgoing] = [new Map<string, Edge[]>(), new Map<string, Edge[]>()];
  for (const { id } of boxes) [incoming, outgoing].forEach((map) => map.set(id, []));
  for (const edge of edges) {
    incoming.get(edge.to)!.push(edge);
    outgoing.get(edge.from)!.push(edge);
  }

  const columnOf = new Map<string, number>();
  const least = new Map<string, number>();
  const waitsFor = new Map(boxes.map(({ id }) => [id, incoming.get(id)!.length]));
  const ready = boxes.map(({ id }) => id).filter((id) => waitsFor.get(id) === 0);
  const place = (id: string) => {
    columnOf.set(id, least.get(id) ?? 0);
    for (const edge of outgoing.get(id)!) {
      if (edge.from !== id) continue;
      least.set(edge.to, Math.max(least.get(edge.to) ?? 0, columnOf.get(id)! + 1));
      waitsFor.set(edge.to, waitsFor.get(edge.to)! - 1);
      if (waitsFor.get(edge.to) === 0) ready.push(edge.to);
    }
  };

  for (let [done, next] = [0, 0]; columnOf.size < boxes.length;) {
    if (done < ready.length) {
      place(ready[done++]);
      continue;
    }
    while (columnOf.has(boxes[next].id)) next++;
    const { id } = boxes[next];
    const leadingBack = incoming.get(id)!.filter(({ from, to }) => to === id && !columnOf.has(from));
    for (const edge of leadingBack) turnAround(edge, { incoming, outgoing, waitsFor });
    ready.push(id);
  }

  for (const { id } of boxes) {
    const after = outgoing.get(id)!.filter(({ from }) => from === id).map(({ to }) => columnOf.get(to)!);
    if (after.length > 0 && !incoming.get(id)!.some(({ to }) => to === id)) columnOf.set(id, after.reduce((one, other) => Math.min(one, other)) - 1);
  }
  return { columnOf, edges };
}

function turnAround(edge: Edge, { incoming, outgoing, waitsFor }: {
  readonly incoming: ReadonlyMap<string, Edge[]>; readonly outgoing: ReadonlyMap<string, Edge[]>; readonly waitsFor: Map<string, number>;
}): void {
  [edge.from, edge.to] = [edge.to, edge.from];
  outgoing.get(edge.from)!.push(edge);
  incoming.get(edge.to)!.push(edge);
  waitsFor.set(edge.to, waitsFor.get(edge.to)! + 1);
  waitsFor.set(edge.from, waitsFor.get(edge.from)! - 1);
}
