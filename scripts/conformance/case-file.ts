import { ConformanceCase } from './conformance-case';

/** The cases as the program in conformance/ reads them: JSON, a line for each, and one before those that need other objects on the server. */
export function caseFile(cases: readonly ConformanceCase[]): string {
  const lines: string[] = [];
  let current = '[]';
  for (const { id, set, before, text } of bySet(cases)) {
    const objects = JSON.stringify(set);
    if (objects !== current) lines.push(JSON.stringify({ set: set.length === 0 ? 'nothing' : id, objects: set }));
    current = objects;
    lines.push(JSON.stringify(before === undefined ? { id, operation: 'create', text } : { id, operation: 'update', before, text }));
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Cases that need nothing first, and those that need the same one after the other. */
function bySet(cases: readonly ConformanceCase[]): ConformanceCase[] {
  const sets = new Map<string, ConformanceCase[]>([['[]', []]]);
  for (const one of cases) {
    const key = JSON.stringify(one.set);
    const same = sets.get(key);
    if (same) same.push(one);
    else sets.set(key, [one]);
  }
  return [...sets.values()].flat();
}
