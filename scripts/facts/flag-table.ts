import { minorOf, ReferenceProgram } from './reference';

/**
 * The flags of all releases of one program, grouped by type: `name`, then `!` if it is deprecated (`!1.35` where only from that
 * release on), `+1.35` if it exists from that release on, `-1.35` if it is gone since. Names are sorted.
 *
 * Stops where the notation cannot tell the truth: a flag that changes its type, comes back, or stops being deprecated.
 */
export function flagTable(releases: readonly ReferenceProgram[]): Record<string, string> {
  const sorted = [...releases].sort((a, b) => compareVersions(a.version, b.version));
  const minors = sorted.map((release) => minorOf(release.version));
  const names = [...new Set(sorted.flatMap((release) => release.flags.map((flag) => flag.name)))].sort();
  const byType: Record<string, string[]> = {};
  for (const name of names) {
    const history = sorted.map((release) => release.flags.find((flag) => flag.name === name));
    const present = history.map((flag) => flag !== undefined);
    const types = [...new Set(history.flatMap((flag) => (flag ? [flag.type] : [])))];
    const first = present.indexOf(true);
    const last = present.lastIndexOf(true);
    if (types.length !== 1 || present.slice(first, last).includes(false)) {
      throw new Error(`${sorted[0].program} --${name}: types ${types.join(', ')}, present ${present.join(', ')}`);
    }
    const deprecated = history.map((flag) => flag?.deprecated ?? false);
    const firstDeprecated = deprecated.indexOf(true);
    if (firstDeprecated >= 0 && deprecated.slice(firstDeprecated, last + 1).includes(false)) {
      throw new Error(`${sorted[0].program} --${name}: deprecated ${deprecated.join(', ')}`);
    }
    const marks = [
      firstDeprecated < 0 ? '' : (firstDeprecated === first ? '!' : `!${minors[firstDeprecated]}`),
      first > 0 ? `+${minors[first]}` : '',
      last < sorted.length - 1 ? `-${minors[last + 1]}` : '',
    ];
    (byType[types[0].replace(/ .*/, '')] ??= []).push(name + marks.join(''));
  }
  return Object.fromEntries(Object.keys(byType).sort().map((type) => [type, byType[type].join(' ')]));
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
