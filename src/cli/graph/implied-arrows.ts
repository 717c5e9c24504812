import { Arrow } from './picture';

/** More than that many steps are not worth a tidier picture. */
const MOST_STEPS = 200_000;

/** Leaves out the arrows that a longer way says anyway: who waits for B, which waits for A, waits for A. */
export function withoutImplied(arrows: readonly Arrow[]): Arrow[] {
  const unique = [...new Map(arrows.map((arrow) => [JSON.stringify([arrow.from, arrow.to]), arrow])).values()];
  if (unique.length ** 2 > MOST_STEPS) return unique;
  const next = new Map<string, string[]>();
  for (const { from, to } of unique) {
    const steps = next.get(from);
    if (steps) steps.push(to);
    else next.set(from, [to]);
  }
  const reachable = new Map([...next.keys()].map((start) => [start, reachedFrom(start, next)]));
  // Whoever waits for itself has no longer way, but a circle: nothing of it is left out.
  const circles = new Set([...reachable].filter(([start, reached]) => reached.has(start)).map(([start]) => start));
  return unique.filter(({ from, to }) => circles.has(from) || circles.has(to)
    || !next.get(from)!.some((step) => step !== to && !circles.has(step) && reachable.get(step)?.has(to)));
}

function reachedFrom(start: string, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  while (open.length > 0) {
    for (const step of next.get(open.pop()!) ?? []) {
      if (reached.has(step)) continue;
      reached.add(step);
      open.push(step);
    }
  }
  return reached;
}
