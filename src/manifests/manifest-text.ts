import { Composer, CST, Document, isMap, isScalar, isSeq, LineCounter, Parser, Scalar, Tags } from 'yaml';
import { fieldLines } from './field-lines';
import { readPlainYaml } from './plain-yaml';
import { repeatsKey } from './repeated-keys';
import { DEEPEST, excess, TOO_DEEP } from './value-size';
import { FieldPath } from '../validation/manifests/manifest-rule';

/** A document of a file. */
export interface ReadDocument {
  /** Line that it starts in, counted from 1. */
  readonly line: number;
  readonly value: unknown;

  /** Line of the text that a field of the value stands in; of what is around it, if it is missing. */
  readonly lineOf: (field: FieldPath) => number;
}

/** What makes a file unreadable. */
export interface TextFault {
  readonly line?: number;
  readonly message: string;
}

/** What a text holds: its documents, or what is wrong with it. */
export interface ReadText {
  readonly documents: readonly ReadDocument[];
  readonly faults: readonly TextFault[];
}

// What kubectl reads as plain text and YAML 1.1 does not (kubernetes-sigs/yaml goyaml.v2/resolve.go): base 60, dates, and tagged collections.
const NOT_IN_KUBERNETES = /:(timestamp|binary|omap|pairs|set)$/;
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
export function readText(text: string): ReadText {
  return readJson(text) ?? readPlain(text) ?? readYaml(text);
}

/** JSON is YAML too, but read much faster as what it is. */
function readJson(text: string): ReadText | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    // YAML says where the key is.
    return repeatsKey(text) ? undefined : accepted([{ line: 1, value, lineOf: fieldLines(() => text, 1) }]);
  } catch {
    return undefined;
  }
}

/** What programs write is YAML of one plain style, and so is most of what people write. */
function readPlain(text: string): ReadText | undefined {
  const documents = readPlainYaml(text)?.map(({ value, line, text: own }) => ({ line, value, lineOf: fieldLines(own, line) }));
  return documents && accepted(documents);
}

/** Reads all that YAML can be. */
export function readYaml(text: string): ReadText {
  const lines = new LineCounter();
  const documents: ReadDocument[] = [];
  for (const document of compose(text, lines)) {
    if (document === undefined) return refused(undefined, TOO_DEEP);
    const line = lines.linePos(document.contents?.range[0] ?? document.range[0]).line;
    const [error] = document.errors;
    if (error) return refused(lines.linePos(error.pos[0]).line, notYaml(error.message, text));
    const repeated = repeatedKey(document.contents);
    if (repeated) return refused(lines.linePos(repeated.range[0]).line, notYaml(`the key ${JSON.stringify(repeated.value)} is there twice, and map keys must be unique`, text));
    try {
      // Aliases are counted afterwards: the parser counts those that cost nothing, too.
      const value: unknown = document.toJS({ maxAliasCount: -1 });
      const [start, , end] = document.range;
      if (value !== null) documents.push({ line, value, lineOf: fieldLines(() => text.slice(start, end), lines.linePos(start).line) });
    } catch (fault) {
      // An alias of nothing.
      if ((fault as Error).name !== 'ReferenceError') throw fault;
      return refused(line, notYaml((fault as Error).message, text));
    }
  }
  return accepted(documents);
}

/** The documents of a text, and undefined in place of one that is nested too deeply. */
function* compose(text: string, lines: LineCounter): Generator<Document.Parsed | undefined> {
  const composer = new Composer({
    version: '1.1',
    customTags: (tags) => tags.filter(isKubernetesTag),
    prettyErrors: false,
    logLevel: 'silent',
    // It compares each key with all others.
    uniqueKeys: false,
  });
  for (const token of new Parser(lines.addNewLine).parse(text)) {
    // The composer calls itself for each level, until the process is out of stack.
    if (depth(token) > DEEPEST) yield undefined;
    else yield* composer.next(token);
  }
  yield* composer.end();
}

/** A key that its map has already. */
function repeatedKey(contents: unknown): Scalar.Parsed | undefined {
  const open: unknown[] = [contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isSeq(node)) for (const item of node.items) open.push(item);
    if (!isMap(node)) continue;
    const keys = new Set<unknown>();
    for (const { key } of node.items) {
      if (!isScalar(key)) continue;
      if (keys.has(key.value)) return key as Scalar.Parsed;
      keys.add(key.value);
    }
    for (const { value } of node.items) open.push(value);
  }
  return undefined;
}

/** Levels of nesting of what was parsed. */
function depth(token: CST.Token): number {
  let deepest = 0;
  const open: [CST.Token | null | undefined, number][] = [[token, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [part, level] = next;
    deepest = Math.max(deepest, level);
    if (part?.type === 'document') open.push([part.value, level + 1]);
    if (part && 'items' in part) for (const { key, value } of part.items) open.push([key, level + 1], [value, level + 1]);
  }
  return deepest;
}

function accepted(documents: readonly ReadDocument[]): ReadText {
  const faults = documents.flatMap(({ line, value }): TextFault[] => {
    const message = excess(value);
    return message === undefined ? [] : [{ line, message }];
  });
  return { documents: faults.length > 0 ? [] : documents, faults };
}

function isKubernetesTag(tag: Tags[number]): boolean {
  return typeof tag === 'string' || !(NOT_IN_KUBERNETES.test(tag.tag) || ('format' in tag && tag.format === 'TIME'));
}

function refused(line: number | undefined, message: string): ReadText {
  return { documents: [], faults: [{ line, message }] };
}

function notYaml(message: string, text: string): string {
  const hint = TEMPLATE.test(text) ? '; it looks like a template, so read what it renders to, e.g. with helm template' : '';
  return `is no YAML: ${oneLine(message)}${hint}`;
}

function oneLine(message: string): string {
  return message.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}
