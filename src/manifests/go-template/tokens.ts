import { TemplateFault } from './faults';

/** A token of an action. */
export interface Token {
  readonly type: 'name' | 'field' | 'variable' | 'string' | 'number' | 'symbol';

  /** The token as it is written; of a field or variable, without its sign. */
  readonly text: string;

  /** True if white space is before it: `.a.b` is one operand, `.a .b` are two. */
  readonly spaced: boolean;
}

/** A part of a template: text that is printed, or an action between braces. */
export type Part = { readonly text: string } | { readonly tokens: readonly Token[] };

const TOKEN = new RegExp([
  /(?<string>"(?:[^"\\\n]|\\.)*"|`[^`]*`)/,
  /(?<number>'(?:[^'\\\n]|\\[^xuU\n]|\\x[\dA-Fa-f]{2}|\\u[\dA-Fa-f]{4})'|[+-]?(?:\d|\.\d)(?:[\w.]|(?<=[eEpP])[+-])*)/,
  /\.(?<field>[\p{L}_][\p{L}\p{Nd}_]*)/u,
  /\$(?<variable>[\p{L}\p{Nd}_]*)/u,
  /(?<name>[\p{L}_][\p{L}\p{Nd}_]*)/u,
  /(?<symbol>:=|[|()=,.])/,
].map(({ source }) => source).join('|'), 'uy');

const BEGIN = /\{\{(?:-(?=\s))?/g;
const COMMENT = /\s*\/\*[^]*?\*\/(?:\s+-)?\}\}/y;
const END = /(?:\s+-)?\}\}/y;

/**
 * Takes a Go template apart.
 *
 * Source: Go text/template/parse/lex.go.
 *
 * @param template the template
 */
export function partsOf(template: string): Part[] {
  const parts: Part[] = [];
  let [from, trims] = [0, false];
  const addText = (text: string, trimsEnd: boolean): void => {
    const start = trims ? text.trimStart() : text;
    const trimmed = trimsEnd ? start.trimEnd() : start;
    if (trimmed !== '') parts.push({ text: trimmed });
  };
  for (BEGIN.lastIndex = 0; ;) {
    const begin = BEGIN.exec(template);
    addText(template.slice(from, begin?.index), begin?.[0].endsWith('-') === true);
    if (!begin) return parts;
    const comment = matchAt(COMMENT, template, BEGIN.lastIndex);
    const { tokens, end, trimsAfter } = comment === undefined ? readAction(template, BEGIN.lastIndex)
      : { tokens: undefined, end: BEGIN.lastIndex + comment.length, trimsAfter: /\s-\}\}$/.test(comment) };
    if (tokens) parts.push({ tokens });
    [from, trims] = [end, trimsAfter];
    BEGIN.lastIndex = end;
  }
}

function readAction(template: string, start: number): { readonly tokens: readonly Token[]; readonly end: number; readonly trimsAfter: boolean } {
  const tokens: Token[] = [];
  for (let at = start; ;) {
    const end = matchAt(END, template, at);
    if (end !== undefined) return { tokens, end: at + end.length, trimsAfter: end.length > '}}'.length };
    const space = matchAt(/\s+/y, template, at)?.length ?? 0;
    at += space;
    TOKEN.lastIndex = at;
    const match = space > 0 && matchAt(END, template, at) !== undefined ? undefined : TOKEN.exec(template);
    if (match === undefined) continue;
    if (at >= template.length) throw new TemplateFault('an action is not closed');
    if (match === null) throw new TemplateFault(`unexpected ${JSON.stringify(template.charAt(at))} in an action`);
    const [type, text] = Object.entries(match.groups!).find((entry) => entry[1] !== undefined)!;
    tokens.push({ type: type as Token['type'], text, spaced: space > 0 || tokens.length === 0 });
    at = TOKEN.lastIndex;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
