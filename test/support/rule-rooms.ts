import * as fs from 'node:fs';
import * as path from 'node:path';
import { Rule } from '../../src/manifests/values/problem';

const SOURCES = path.join(__dirname, '..', '..', 'src');

/** Folders of rules over final objects, which have pages of their own. */
const MANIFEST_RULES: readonly string[] = ['kubernetes', 'rules', 'systems', 'validation'];

/** The rules of one room of the library. */
export interface RuleRoom {
  /** The file that holds them, relative to the repository. */
  readonly file: string;
  /** The rules, in the order of the file. */
  readonly rules: Rule[];
}

/** All rules that the library checks its input against: those that files named `rules.ts` and `*-rules.ts` export, those over final objects aside. */
export function ruleRooms(): RuleRoom[] {
  return ruleFiles(SOURCES).sort().map((file) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const exported = Object.values(require(file) as Record<string, Record<string, Rule>>);
    return { file: path.relative(path.dirname(SOURCES), file), rules: exported.flatMap((rules) => Object.values(rules)) };
  }).filter(({ rules }) => rules.length > 0);
}

function ruleFiles(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return MANIFEST_RULES.includes(entry.name) ? [] : ruleFiles(full);
    return /(^|-)rules\.ts$/.test(entry.name) ? [full] : [];
  });
}
