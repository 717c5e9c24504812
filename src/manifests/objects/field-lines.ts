import { Document, isAlias, isMap, isScalar, isSeq, LineCounter, Node, Pair, parseDocument, YAMLMap } from 'yaml';
import { FieldPath } from '../values/fields';

/** What has been parsed, to look up places in. */
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
