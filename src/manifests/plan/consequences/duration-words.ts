const UNITS: readonly (readonly [seconds: number, word: string])[] = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];

/** Seconds in words, such as `1 h 15 min`. */
export function durationWords(seconds: number): string {
  let rest = seconds;
  const words = UNITS.flatMap(([unit, word]) => {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return words.length === 0 ? '0 s' : words.join(' ');
}
