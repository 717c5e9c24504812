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
const CHANGED_SHARE = 0.5;

const SEPARATOR = '---\n';
const HEADING = /^# ==> (.+?)(?: \(as in (\S+?)(?:: (.+))?\))?$/;
const REFERENCE = /^--- # (?:as in|changed from) (\S+)(?: with (\S+) for (\S+))?: (.+)$/;
const CLUSTER_NAME = /cluster\.x-k8s\.io\/cluster-name: (\S+)$/m;

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
  const documents = new Documents();
  condense(base, documents);
  const texts = condense(outputs, documents);
  // Contents that look like a heading, for instance.
  if (!isSame(expanded(texts, base), outputs)) throw new Error('the golden files do not give what they were written from');
  return texts;
}

/** The outputs that texts keep. */
export function expanded(texts: Readonly<Record<string, string>>, base: Outputs = {}): Outputs {
  const documents = new Documents();
  condense(base, documents);
  return Object.fromEntries(inOrder(texts).map((scenario) => [scenario, expand(scenario, texts[scenario], documents)]));
}

function condense(outputs: Outputs, documents: Documents): Readonly<Record<string, string>> {
  return Object.fromEntries(inOrder(outputs).map((scenario) => [
    scenario, Object.entries(outputs[scenario]).map(([file, content]) => condensedFile({ scenario, file }, content, documents)).join(''),
  ]));
}

function condensedFile(place: Pick<Document, 'scenario' | 'file'>, content: string, documents: Documents): string {
  const { scenario, file } = place;
  const same = documents.fileOf(content, file);
  documents.addFile(place, content);
  if (same) return `# ==> ${file} (as in ${same.scenario}${same.file === file ? '' : `: ${same.file}`})\n`;
  const entries = content.split(/^---\n/m).map((text) => {
    const known = documents.same(text);
    const changed = known || scenario === FIRST ? undefined : shortestChanges(documents, file, text);
    documents.add(place, text, { isWhole: !known && !changed });
    if (known) return `--- # as in ${known.scenario}: ${known.label}\n`;
    if (!changed) return SEPARATOR + text;
    const { base, renaming, lines } = changed;
    const words = renaming ? ` with ${renaming.to} for ${renaming.from}` : '';
    return `--- # changed from ${base.scenario}${words}: ${base.label}\n${textOf(lines)}`;
  });
  return `# ==> ${file}\n${entries.join('')}`;
}

/** A document that is like another one, but for some lines. */
interface Changed {
  readonly base: Document;
  readonly lines: string[];
  readonly renaming?: Renaming;
}

/** The name of the cluster of a base, and that of the document. */
interface Renaming {
  readonly from: string;
  readonly to: string;
}

function shortestChanges(documents: Documents, file: string, text: string): Changed | undefined {
  const lines = text.split('\n');
  let least: Changed | undefined;
  for (const base of documents.alike(file, text)) {
    const [from, to] = [base.text, text].map((one) => CLUSTER_NAME.exec(one)?.[1]);
    const renaming = from !== undefined && to !== undefined && from !== to ? { from, to } : undefined;
    const changes = changedLines(renamed(base.text, renaming).split('\n'), lines);
    if (changes.length < (least?.lines.length ?? lines.length * CHANGED_SHARE)) least = { base, lines: changes, renaming };
  }
  return least;
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
    const [, scenario, to, from, label] = REFERENCE.exec(first) ?? [];
    const renaming = to === undefined ? undefined : { from, to };
    const base = scenario === undefined ? undefined : renamed(documents.named(scenario, label).text, renaming);
    const changes = rest.split('\n').slice(0, -1);
    const text = base === undefined ? rest : withChanges(base.split('\n'), changes).join('\n');
    documents.add(place, text, { isWhole: base === undefined });
    return text;
  });
}

function renamed(text: string, renaming: Renaming | undefined): string {
  return renaming ? text.replace(new RegExp(`(?<![a-z0-9])${renaming.from.replaceAll('.', '\\.')}(?![a-z0-9])`, 'g'), renaming.to) : text;
}

function inOrder(scenarios: object): string[] {
  return Object.keys(scenarios).sort((one, other) => Number(other === FIRST) - Number(one === FIRST) || (one < other ? -1 : 1));
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function isSame(one: Outputs, other: Outputs): boolean {
  const entries = (outputs: Outputs): unknown => inOrder(outputs).map((scenario) => [scenario, Object.entries(outputs[scenario])]);
  return JSON.stringify(entries(one)) === JSON.stringify(entries(other));
}
