import { CORE_SCHEMA, EventType, loadAll, LoadOptions, State, Type, YAMLException } from 'js-yaml';
import { Document, isAlias, isMap, isScalar, isSeq, LineCounter, Node, Pair, parseDocument, YAMLMap } from 'yaml';
import { blockDocuments, ownText } from './block-yaml';
import { DEEPEST, excess, hasLongString, LONGEST_STRING } from './value-size';
import { boolean, float, integer } from './yaml-scalars';
import { FieldPath, isFields } from '../values/fields';

/** Parsed document, to look up places in. */
interface Parsed {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;

  /** The pairs of the maps that were looked into, by their keys. */
  readonly pairs: Map<YAMLMap, ReadonlyMap<string | undefined, Pair>>;
}

/** The beginning of a run of characters that are no structure, or a later part of it. */
const RUN = /[\w+/=. ]{1,1000}/g;

/**
 * Finds the lines of fields. A text is parsed once more for that, and only when somebody asks: most have nothing to be pointed at, and a
 * tree with places takes many times the room of its text.
 *
 * @param text gives the text of one document
 * @param firstLine line of the file that it begins in
 * @returns the line of the file that a field stands in; of the innermost field around it that is there, if it is missing
 */
export function fieldLines(text: () => string, firstLine: number): (field: FieldPath) => number {
  let parsed: Parsed | undefined;
  return (field) => {
    parsed ??= parse(withoutLongRuns(text()));
    return firstLine - 1 + parsed.lines.linePos(offsetOf(parsed, field)).line;
  };
}

/** Parsing a text takes many times its room, so that only the beginnings of its runs are kept. */
function withoutLongRuns(text: string): string {
  let end = -1;
  return text.replace(RUN, (part: string, at: number) => {
    const goesOn = at === end;
    end = at + part.length;
    return goesOn ? '' : part;
  });
}

function parse(text: string): Parsed {
  const lines = new LineCounter();
  // Comparing each key with all before it takes quadratic time, and the text has been read already.
  const options = { version: '1.1', lineCounter: lines, prettyErrors: false, logLevel: 'silent', uniqueKeys: false } as const;
  return { document: parseDocument(text, options), lines, pairs: new Map() };
}

function offsetOf(parsed: Parsed, field: FieldPath): number {
  const { document } = parsed;
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? document.range[0];
  for (const part of field) {
    const { key, value } = step(parsed, node, part) ?? {};
    const start = (key as Partial<Node> | undefined)?.range?.[0];
    if (start === undefined) break;
    [offset, node] = [start, value];
  }
  return offset;
}

/** One step down: what says where it is, and what is there. */
function step(parsed: Parsed, node: unknown, part: string | number): { readonly key: unknown; readonly value: unknown } | undefined {
  const inner = resolved(parsed.document, node);
  if (isMap(inner)) return pairOf(parsed, inner, `${part}`);
  const item: unknown = isSeq(inner) && typeof part === 'number' ? inner.items[part] : undefined;
  return item === undefined ? undefined : { key: item, value: item };
}

/** Of a key that is there twice, JSON takes the last one. What is merged into a map has its place elsewhere. */
function pairOf(parsed: Parsed, map: YAMLMap, name: string): Pair | undefined {
  const { document, pairs } = parsed;
  let known = pairs.get(map);
  if (!known) pairs.set(map, known = new Map(map.items.map((pair) => [keyText(pair.key), pair])));
  const own = known.get(name);
  if (own) return own;
  const merged = map.items.filter(({ key }) => isScalar(key) && key.source === '<<').map(({ value }) => resolved(document, value));
  for (const source of merged.flatMap((value) => (isSeq(value) ? value.items.map((item) => resolved(document, item)) : [value]))) {
    const pair = isMap(source) && source !== map ? pairOf(parsed, source, name) : undefined;
    if (pair) return pair;
  }
  return undefined;
}

function keyText(key: unknown): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

function resolved(document: Document.Parsed, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

/** A document of a file. */
export interface ReadDocument {
  /** Line that it starts in, counted from 1. */
  readonly line: number;
  readonly value: unknown;

  /** Line of the text that a field of the value stands in; of what is around it, if it is missing. */
  readonly lineOf: (field: FieldPath) => number;
}

/** Fault that makes a file unreadable. */
export interface TextFault {
  readonly line?: number;
  readonly message: string;
}

/** Content of a text: its documents, or its faults. */
export interface ReadText {
  readonly documents: readonly ReadDocument[];
  readonly faults: readonly TextFault[];
}

const SCHEMA = CORE_SCHEMA.extend({
  implicit: [
    scalarType('bool', (text) => boolean(text) !== undefined, boolean),
    scalarType('int', (text) => integer(text) !== undefined, integer),
    scalarType('float', (text) => float(text) !== undefined, float),
    scalarType('merge', (text) => text === '<<', (text) => text),
  ],
  // Values with any other tag are read as if they had none.
  explicit: ['!', 'tag:'].flatMap((tag) => (['scalar', 'sequence', 'mapping'] as const).map((kind) => new Type(tag, { kind, multi: true }))),
});
/** A variable of clusterctl or Flux, which is replaced in the text before it is YAML: its braces may stand in a list such as `[${KEYS}]`. */
const VARIABLE = /\$\{[^{}\n]*\}/g;

/** Characters that stand for braces and are no structure. */
const HIDDEN = ['\ue000', '\ue001'] as const;
const TEMPLATE = /^ *\{\{|: ?\{\{/m;

/** Reads bytes as text, or says why they are none. */
export function decode(bytes: Uint8Array): { readonly text: string } | { readonly fault: string } {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return { fault: 'is UTF-16, and is read as UTF-8 alone: save it in that encoding' };
  if (bytes.includes(0)) return { fault: 'is no text; it may be packed, or in another encoding than UTF-8' };
  try {
    // Leaves out a byte order mark.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { fault: 'is not UTF-8' };
  }
}

/** Reads the documents of a YAML or JSON text, as Kubernetes reads them. Empty ones are left out. */
export function readText(given: string): ReadText {
  const text = given.replace(/^\ufeff/, '');
  const read = readYaml(text);
  const values = read.faults.length > 0 && /^\s*\{(?!\{)/.test(text) ? jsonValues(text) : [];
  if (values.length < 2) return read;
  const parts = values.map(({ line, text: value }) => movedDown(readYaml(value), line - 1));
  return { documents: parts.flatMap(({ documents }) => documents), faults: parts.flatMap(({ faults }) => faults) };
}

/** The values of the documents of a text; none if a part of it cannot be read. */
export function valuesIn(text: string): readonly unknown[] {
  const { documents, faults } = readText(text);
  return faults.length > 0 ? [] : documents.map(({ value }) => value);
}

function readYaml(text: string): ReadText {
  const read = readDocuments(text);
  if (read.faults.length === 0 || !text.includes('${')) return read;
  const hidden = readDocuments(text.replace(VARIABLE, (variable) => variable.replaceAll('{', HIDDEN[0]).replaceAll('}', HIDDEN[1])));
  if (hidden.faults.length > 0) return read;
  return { documents: hidden.documents.map((document) => ({ ...document, value: withBraces(document.value) })), faults: [] };
}

/** A value with the braces of its variables. */
function withBraces(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(HIDDEN[0], '{').replaceAll(HIDDEN[1], '}');
  if (Array.isArray(value)) return value.map(withBraces);
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([key, child]) => [withBraces(key), withBraces(child)])) : value;
}

function readDocuments(text: string): ReadText {
  const blocks = shortBlocks(text);
  if (blocks) {
    const documents = blocks.map(({ line, value, start, end }) => ({ line, value, lineOf: fieldLines(() => text.slice(start, end), line) }));
    return { documents, faults: [] };
  }
  return readEveryStyle(text);
}

/** Documents in block style, unless a string of them is too long. */
function shortBlocks(text: string, hold?: (part: string) => string): ReturnType<typeof blockDocuments> {
  const blocks = blockDocuments(text, hold);
  return text.length > LONGEST_STRING && blocks?.some(({ value }) => hasLongString(value)) ? undefined : blocks;
}

/** Reads the documents of a text of any style. */
export function readEveryStyle(text: string): ReadText {
  const places: { line: number; start: number; end: number }[] = [];
  let depth = 0;
  const listener = (event: EventType, { line, lineStart, position }: State): void => {
    if (event === 'open' && depth++ === 0) places.push({ line: line + 1, start: lineStart, end: position });
    if (event === 'close' && --depth === 0) places.at(-1)!.end = position;
  };
  // Its types do not know `maxDepth`.
  const options: LoadOptions & { readonly maxDepth: number } = { schema: SCHEMA, maxDepth: DEEPEST, listener };
  try {
    const values: unknown[] = loadAll(text, null, options);
    return accepted(values.map((value, index) => {
      const { line, start, end } = places[index];
      return { line, value, lineOf: fieldLines(() => text.slice(start, end), line) };
    }).filter(({ value }) => value !== null && value !== undefined), () => templateHint(text));
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { documents: [], faults: [{ line: error.mark.line + 1, message: `is no YAML: ${unquoted(error.reason)}${templateHint(text)}` }] };
  }
}

/** A password may be read as an alias or a tag, which the reason would quote. */
function unquoted(reason: string): string {
  return reason.replace(/^unidentified alias .*/s, 'unidentified alias; put a text that begins with "*" in quotes').replace(/(?:"!.*"|!<.*>) ?/s, '');
}

function templateHint(text: string): string {
  return TEMPLATE.test(text) ? '; it looks like a template, so read what it renders to, e.g. with helm template' : '';
}

/** The objects of a JSON stream, as `kubectl get -o json` writes one for each call, with nothing between them. */
function jsonValues(text: string): { readonly line: number; readonly text: string }[] {
  const starts: { index: number; line: number }[] = [];
  let [depth, line] = [0, 1];
  for (const { token, index } of jsonTokens(text)) {
    if (token === '\n') line++;
    if (token === '{' && depth++ === 0) starts.push({ index, line });
    if (token === '}') depth--;
  }
  return starts.map((start, position) => ({ line: start.line, text: text.slice(start.index, starts[position + 1]?.index) }));
}

/** Braces and line breaks outside of strings. They are sought one by one: a pattern of a whole string exhausts the stack with a long one. */
function* jsonTokens(text: string): Generator<{ readonly token: string; readonly index: number }> {
  const [outside, inside] = [/["{}\n]/g, /["\\\n]/g];
  for (let found = outside.exec(text); found; found = outside.exec(text)) {
    const { 0: token, index } = found;
    if (token !== '"') {
      yield { token, index };
      continue;
    }
    inside.lastIndex = outside.lastIndex;
    let end = inside.exec(text);
    while (end?.[0] === '\\') {
      if (text[inside.lastIndex] !== '\n') inside.lastIndex++;
      end = inside.exec(text);
    }
    // A string that does not end is taken to end with its line.
    outside.lastIndex = end ? end.index + (end[0] === '"' ? 1 : 0) : text.length;
  }
}

function movedDown({ documents, faults }: ReadText, lines: number): ReadText {
  return {
    documents: documents.map((document) => ({ ...document, line: document.line + lines, lineOf: (field) => document.lineOf(field) + lines })),
    faults: faults.map((fault) => ({ ...fault, line: (fault.line ?? 1) + lines })),
  };
}

/**
 * The documents of a text without the text: a field stands where its document does.
 *
 * @param text the text
 * @param strings the strings that were read before; equal ones are held once
 */
export function readWithoutText(text: string, strings: Map<string, string>): ReadText {
  const hold = (part: string): string => {
    const known = strings.get(part);
    if (known !== undefined) return known;
    const own = ownText(part);
    strings.set(own, own);
    return own;
  };
  const blocks = shortBlocks(text.replace(/^\ufeff/, ''), hold);
  if (blocks) return { documents: blocks.map(({ line, value }) => ({ line, value, lineOf: () => line })), faults: [] };
  const { documents, faults } = readText(text);
  return { documents: documents.map(({ line, value }) => ({ line, value: holding(value, hold), lineOf: () => line })), faults };
}

/** A part of a text holds the whole of it in memory; a string that was read from JSON does not. */
function holding(value: unknown, hold: (part: string) => string): unknown {
  if (typeof value === 'string') return hold(value);
  if (Array.isArray(value)) return value.map((item) => holding(item, hold));
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, holding(child, hold)])) : value;
}

function accepted(documents: readonly ReadDocument[], hint: () => string): ReadText {
  const faults = documents.flatMap(({ line, value }): TextFault[] => {
    const message = excess(value);
    return message === undefined ? [] : [{ line, message: `${message}${hint()}` }];
  });
  return { documents: faults.length > 0 ? [] : documents, faults };
}

function scalarType(name: string, resolve: (text: string) => boolean, construct: (text: string) => unknown): Type {
  return new Type(`tag:yaml.org,2002:${name}`, { kind: 'scalar', resolve: (text: string | null) => text !== null && resolve(text), construct });
}
