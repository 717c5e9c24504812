/**
 * What holds from which release on, oldest first: `['A-', '1.35:B+', '1.37:.']`. A word without a release holds in all that are known up to
 * the next word; a point means that the thing does not exist.
 */
export type History = readonly string[];

const ABSENT = '.';

/** What holds in a release, or undefined where the thing does not exist. */
export function wordAt(history: History, release: string): string | undefined {
  const word = history.filter((one) => !one.includes(':') || compareReleases(release, one.slice(0, one.indexOf(':'))) >= 0).at(-1);
  const text = word?.slice(word.indexOf(':') + 1);
  return text === ABSENT ? undefined : text;
}

/** The history of something in releases that are given oldest first; undefined where it does not exist. */
export function historyOf(words: readonly (string | undefined)[], releases: readonly string[]): History {
  return words.flatMap((word, index) => {
    const before = index === 0 ? undefined : words[index - 1];
    if (word === before) return [];
    return [index === 0 ? word! : `${releases[index]}:${word ?? ABSENT}`];
  });
}

/** Orders two releases such as `1.9` and `1.10` by their numbers. */
export function compareReleases(one: string, other: string): number {
  const [oneMajor, oneMinor] = one.split('.').map(Number);
  const [otherMajor, otherMinor] = other.split('.').map(Number);
  return oneMajor - otherMajor || oneMinor - otherMinor;
}
