import { Document, isAlias, isMap, isScalar, isSeq, LineCounter, Node, Pair, parseDocument, YAMLMap } from 'yaml';
import { FieldPath } from '../values/fields';

/** What has been parsed, to look up places in. */
interface Parsed {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

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
    parsed ??= parse(text());
    const { document, lines } = parsed;
    return firstLine - 1 + lines.linePos(offsetOf(document, field)).line;
  };
}

function parse(text: string): Parsed {
  const lines = new LineCounter();
  return { document: parseDocument(text, { version: '1.1', lineCounter: lines, prettyErrors: false, logLevel: 'silent' }), lines };
}

function offsetOf(document: Document.Parsed, field: FieldPath): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? document.range[0];
  for (const part of field) {
    const { key, value } = step(document, node, part) ?? {};
    const start = (key as Partial<Node> | undefined)?.range?.[0];
    if (start === undefined) break;
    [offset, node] = [start, value];
  }
  return offset;
}

/** One step down: what says where it is, and what is there. */
function step(document: Document.Parsed, node: unknown, part: string | number): { readonly key: unknown; readonly value: unknown } | undefined {
  const inner = resolved(document, node);
  if (isMap(inner)) return pairOf(document, inner, `${part}`);
  const item: unknown = isSeq(inner) && typeof part === 'number' ? inner.items[part] : undefined;
  return item === undefined ? undefined : { key: item, value: item };
}

/** Of a key that is there twice, JSON takes the last one. What is merged into a map has its place elsewhere. */
function pairOf(document: Document.Parsed, map: YAMLMap, name: string): Pair | undefined {
  const own = map.items.filter(({ key }) => keyText(key) === name).at(-1);
  if (own) return own;
  const merged = map.items.filter(({ key }) => isScalar(key) && key.source === '<<').map(({ value }) => resolved(document, value));
  for (const source of merged.flatMap((value) => (isSeq(value) ? value.items.map((item) => resolved(document, item)) : [value]))) {
    const pair = isMap(source) && source !== map ? pairOf(document, source, name) : undefined;
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
