/**
 * The newest version of the same form as a known one, if it is newer: `v1.2.3` is compared with `v1.3.0` and not with `v1.3.0-rc.1` or
 * `chart-1.3.0`.
 *
 * @param known a version or tag
 * @param others versions or tags, in any order
 * @param sameMinor whether only patch releases count
 */
export function newest(known: string, others: readonly string[], sameMinor = false): string | undefined {
  const form = new RegExp(`^${known.replace(/[^\d]+/g, (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).replace(/\d+/g, '(\\d+)')}$`);
  const numbers = (text: string) => form.exec(text)?.slice(1).map(Number);
  const own = numbers(known)!;
  const newer = others.flatMap((text) => {
    const found = numbers(text);
    return found && compare(found, own) > 0 && (!sameMinor || compare(found.slice(0, -1), own.slice(0, -1)) === 0) ? [{ text, found }] : [];
  });
  return newer.sort((one, other) => compare(one.found, other.found)).at(-1)?.text;
}

function compare(one: readonly number[], other: readonly number[]): number {
  return one.map((number, index) => number - other[index]).find((difference) => difference !== 0) ?? 0;
}
