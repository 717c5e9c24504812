import { historyOf } from '../../src/manifests/values/component-facts';

/**
 * One line for each name that any release has: the name and its history. Lines are sorted.
 *
 * @param words what holds in each release, by name, oldest first
 * @param releases such as `1.36`, in the same order
 */
export function historyTable(words: readonly Readonly<Record<string, string>>[], releases: readonly string[]): string[] {
  const names = [...new Set(words.flatMap((one) => Object.keys(one)))].sort();
  return names.map((name) => [name, ...historyOf(words.map((one) => (Object.hasOwn(one, name) ? one[name] : undefined)), releases)].join(' '));
}
