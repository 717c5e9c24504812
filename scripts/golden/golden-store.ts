import * as fs from 'node:fs';
import * as path from 'node:path';
import { changedLines, withChanges } from './changed-lines';
import { Document, Documents } from './documents';

/** Contents of files, by path. */
export type Files = Readonly<Record<string, string>>;

/** The files that each scenario writes, by its name. */
export type Outputs = Readonly<Record<string, Files>>;

/** The folder with the golden output of all examples and scenarios. */
export const GOLDEN = path.resolve(__dirname, '..', '..', 'test', 'golden');

/** The scenario that is kept as it is; the others refer to it. */
const FIRST = 'example-diy-cloud';

const EXTENSION = '.txt';

/** Documents that differ in more of their lines are kept as they are. */
const CHANGED_SHARE = 0.75;

/** Documents that are compared in full: those with the most lines in common. */
const CANDIDATES = 4;

const SEPARATOR = '---\n';
const HEADING = /^# ==> (.+?)(?: \(as in (\S+?)(?:: (.+))?\))?$/;
const METADATA = /^metadata:\n(?: .*\n)*/m;
const NAME = /^ +(\S+): ([a-z][a-z0-9.-]+)$/gm;
const REFERENCE = /^--- # (?:as in|changed from) (\S+?)(?: with (.+?))?: (.+)$/;

/** The outputs that a folder keeps. Its documents may refer to those of a base. */
export function readGolden(folder = GOLDEN, base: Outputs = {}): Outputs {
  const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');
  return expanded(Object.fromEntries(fs.readdirSync(folder).map((file) => [path.basename(file, EXTENSION), read(file)])), base);
}

/** Writes outputs into a folder, which keeps nothing else. */
export function writeGolden(outputs: Outputs, folder = GOLDEN, base: Outputs = {}): void {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  for (const [scenario, text] of Object.entries(condensed(outputs, base))) {
    fs.writeFileSync(path.join(folder, `${scenario}${EXTENSION}`), text);
  }
}

/** Names of the files in a folder that {@link writeGolden} would add, change or remove. */
export function staleGolden(outputs: Outputs, folder = GOLDEN, base: Outputs = {}): string[] {
  const texts = new Map(Object.entries(condensed(outputs, base)).map(([scenario, text]) => [`${scenario}${EXTENSION}`, text]));
  const kept = new Map(fs.readdirSync(folder).map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]));
  return [...new Set([...texts.keys(), ...kept.keys()])].filter((file) => texts.get(file) !== kept.get(file));
}

/** The texts that keep outputs, by the name of the scenario. */
export function condensed(outputs: Outputs, base: Outputs = {}): Readonly<Record<string, string>> {
  const documents = documentsOf(base);
  const texts = Object.fromEntries(inOrder(outputs).map((scenario) => [
    scenario, Object.entries(outputs[scenario]).map(([file, content]) => condensedFile({ scenario, file }, content, documents)).join(''),
  ]));
  // Contents that look like a heading, for instance.
  if (!isSame(expanded(texts, base), outputs)) throw new Error('the golden files do not give what they were written from');
  return texts;
}

/** The outputs that texts keep. */
export function expanded(texts: Readonly<Record<string, string>>, base: Outputs = {}): Outputs {
  const documents = documentsOf(base);
  return Object.fromEntries(inOrder(texts).map((scenario) => [scenario, expand(scenario, texts[scenario], documents)]));
}

function documentsOf(outputs: Outputs): Documents {
  const documents = new Documents();
  for (const scenario of inOrder(outputs)) {
    for (const [file, content] of Object.entries(outputs[scenario])) {
      if (!documents.fileOf(content, file)) content.split(/^---\n/m).forEach((text) => documents.add({ scenario, file }, text));
      documents.addFile({ scenario, file }, content);
    }
  }
  return documents;
}

function condensedFile(place: Pick<Document, 'scenario' | 'file'>, content: string, documents: Documents): string {
  const { scenario, file } = place;
  const same = documents.fileOf(content, file);
  documents.addFile(place, content);
  if (same) return `# ==> ${file} (as in ${same.scenario}${same.file === file ? '' : `: ${same.file}`})\n`;
  const entries = content.split(/^---\n/m).map((text) => {
    const known = documents.same(text);
    const changed = known || scenario === FIRST ? undefined : shortestChanges(documents.alike(file, text), text);
    documents.add(place, text);
    if (known) return `--- # as in ${known.scenario}: ${known.label}\n`;
    if (!changed) return SEPARATOR + text;
    const { base, names, lines } = changed;
    const words = names.map(({ from, to }) => `${to} for ${from}`).join(', ');
    return `--- # changed from ${base.scenario}${words && ` with ${words}`}: ${base.label}\n${lines.map((line) => `${line}\n`).join('')}`;
  });
  return `# ==> ${file}\n${entries.join('')}`;
}

/** A document that is like another one, but for some names and lines. */
interface Changed {
  readonly base: Document;
  readonly names: readonly Renaming[];
  readonly lines: string[];
}

/** A name in a base, and the one in the document. */
interface Renaming {
  readonly from: string;
  readonly to: string;
}

function shortestChanges(bases: readonly Document[], text: string): Changed | undefined {
  const lines = text.split('\n');
  const nearest = bases.map((base) => ({ base, distance: differingLines(base.lines, lines) }))
    .sort((one, other) => one.distance - other.distance).slice(0, CANDIDATES);
  let least: Changed | undefined;
  for (const { base } of nearest) {
    const names = renamings(base.text, text);
    const changes = changedLines(renamed(base.text, names).split('\n'), lines);
    if (changes.length < (least?.lines.length ?? lines.length * CHANGED_SHARE)) least = { base, names, lines: changes };
  }
  return least;
}

/** Names in the metadata of a base for which a text has others, also elsewhere. Longer names come first. */
function renamings(base: string, text: string): Renaming[] {
  const lines = text.split('\n');
  const distance = (names: readonly Renaming[]): number => differingLines(renamed(base, names).split('\n'), lines);
  const [was, is] = [base, text].map((one) => new Map(Array.from((METADATA.exec(one)?.[0] ?? '').matchAll(NAME), ([, key, name]) => [key, name])));
  const names: Renaming[] = [];
  for (const [key, from] of [...was].sort(([, one], [, other]) => other.length - one.length)) {
    const to = is.get(key) ?? from;
    if (to !== from && distance([...names, { from, to }]) < distance(names)) names.push({ from, to });
  }
  return names;
}

/** The number of lines that one of two texts has and the other has not, whatever their order. */
function differingLines(base: readonly string[], text: readonly string[]): number {
  const counts = new Map<string, number>();
  base.forEach((line) => counts.set(line, (counts.get(line) ?? 0) + 1));
  text.forEach((line) => counts.set(line, (counts.get(line) ?? 0) - 1));
  return [...counts.values()].reduce((sum, count) => sum + Math.abs(count), 0);
}

function expand(scenario: string, golden: string, documents: Documents): Files {
  const files: Record<string, string> = {};
  for (const part of golden.split(/^(?=# ==> )/m).filter((one) => one !== '')) {
    const [heading] = part.split('\n', 1);
    const entries = part.slice(heading.length + 1);
    const [, file, source, other = file] = HEADING.exec(heading)!;
    const place = { scenario, file };
    files[file] = source === undefined ? expandedDocuments(place, entries, documents).join(SEPARATOR) : documents.file(source, other);
    documents.addFile(place, files[file]);
  }
  return files;
}

function expandedDocuments(place: Pick<Document, 'scenario' | 'file'>, entries: string, documents: Documents): string[] {
  return entries.split(/^(?=---$|--- # )/m).map((entry) => {
    const [first] = entry.split('\n', 1);
    const rest = entry.slice(first.length + 1);
    const [, scenario, words, label] = REFERENCE.exec(first) ?? [];
    let text = rest;
    if (scenario !== undefined) {
      const names = (words?.split(', ') ?? []).map((pair) => pair.split(' for ')).map(([to, from]) => ({ from, to }));
      text = withChanges(renamed(documents.named(scenario, label).text, names).split('\n'), rest.split('\n').slice(0, -1)).join('\n');
    }
    documents.add(place, text);
    return text;
  });
}

function renamed(text: string, names: readonly Renaming[]): string {
  return names.reduce((one, { from, to }) => one.replace(new RegExp(`(?<![a-z0-9])${from.replaceAll('.', '\\.')}(?![a-z0-9])`, 'g'), to), text);
}

function inOrder(scenarios: object): string[] {
  return Object.keys(scenarios).sort((one, other) => Number(other === FIRST) - Number(one === FIRST) || (one < other ? -1 : 1));
}

function isSame(one: Outputs, other: Outputs): boolean {
  const entries = (outputs: Outputs): unknown => inOrder(outputs).map((scenario) => [scenario, Object.entries(outputs[scenario])]);
  return JSON.stringify(entries(one)) === JSON.stringify(entries(other));
}
