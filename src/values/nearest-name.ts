/**
 * The name that somebody most likely meant: the one with the fewest inserted, removed, replaced or swapped characters, if they are
 * few enough for a slip of the hand (a third of the text at most). Of equally near ones, the first.
 *
 * @param most so many characters may differ at most
 */
export function nearestName(text: string, names: Iterable<string>, most = Infinity): string | undefined {
  const limit = Math.min(most, Math.max(1, Math.floor(text.length / 3)));
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    if (Math.abs(name.length - text.length) > limit) {
      continue;
    }
    const distance = editDistance(text.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (!best || distance < best.distance)) {
      best = { name, distance };
    }
  }
  return best?.name;
}

function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      let distance = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1));
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        distance = Math.min(distance, beforeLast[column - 2] + 1);
      }
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length];
}
