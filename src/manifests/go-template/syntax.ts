import { TemplateFault } from './faults';
import { Part, partsOf, Token } from './tokens';
import { GoValue, unquoted } from './values';

/** Operand of an action: a constant, a field, a call. */
export type Operand =
  | { readonly type: 'dot' | 'nil' }
  | { readonly type: 'constant'; readonly value: GoValue; readonly isNumber: boolean }
  | { readonly type: 'function'; readonly name: string }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'pipe'; readonly pipe: Pipe }
  | { readonly type: 'fields'; readonly of: Operand; readonly names: readonly string[] };

/** Commands whose result is the last argument of the next one. */
export interface Pipe {
  readonly variables: readonly string[];

  /** True if the variables exist, and get another value. */
  readonly assigns: boolean;
  readonly commands: readonly (readonly Operand[])[];
}

/** A node that executes its body depending on a value. */
export interface ControlNode {
  readonly type: 'if' | 'with' | 'range';
  readonly pipe: Pipe;
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
}

/** A node of a template. */
export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly pipe: Pipe }
  | ControlNode
  | { readonly type: 'template'; readonly name: string; readonly pipe?: Pipe }
  | { readonly type: 'break' | 'continue' };

/** A template that can be executed. */
export interface ParsedTemplate {
  readonly body: readonly TemplateNode[];

  /** Templates that it defines. */
  readonly named: ReadonlyMap<string, readonly TemplateNode[]>;
}

/** Levels of nesting that are read. */
const DEEPEST = 100;

/**
 * Reads a Go template.
 *
 * Source: Go text/template/parse/parse.go.
 *
 * @param template the template
 * @param isFunction true for names of functions
 */
export function parseTemplate(template: string, isFunction: (name: string) => boolean): ParsedTemplate {
  return new Parser(partsOf(template), isFunction).parse();
}

/** Keywords that end a list of nodes. */
const ENDS: readonly string[] = ['end', 'else'];

class Parser {
  private readonly named = new Map<string, readonly TemplateNode[]>();
  private readonly variables: string[] = [''];
  private position = 0;
  private depth = 0;
  private loops = 0;
  private tokens: readonly Token[] = [];
  private at = 0;

  public constructor(private readonly parts: readonly Part[], private readonly isFunction: (name: string) => boolean) {}

  public parse(): ParsedTemplate {
    const { nodes, end } = this.list(true);
    if (end) throw new TemplateFault(`unexpected {{${end}}}`);
    return { body: nodes, named: this.named };
  }

  /** Nodes up to `end` or `else`, whose tokens are the current ones afterwards. */
  private list(isTop = false): { readonly nodes: readonly TemplateNode[]; readonly end?: string } {
    if (++this.depth > DEEPEST) throw new TemplateFault('nested too deeply');
    const nodes: TemplateNode[] = [];
    while (this.position < this.parts.length) {
      const part = this.parts[this.position++];
      if ('text' in part) {
        nodes.push({ type: 'text', text: part.text });
        continue;
      }
      [this.tokens, this.at] = [part.tokens, 0];
      const keyword = this.peek()?.type === 'name' ? this.peek()!.text : '';
      if (ENDS.includes(keyword)) {
        this.at++;
        this.depth--;
        return { nodes, end: keyword };
      }
      const node = this.node(keyword, isTop);
      if (node) nodes.push(node);
    }
    this.depth--;
    if (!isTop) throw new TemplateFault('an {{end}} is missing');
    return { nodes };
  }

  private node(keyword: string, isTop: boolean): TemplateNode | undefined {
    switch (keyword) {
      case 'if': case 'with': case 'range':
        this.at++;
        return this.control(keyword);
      case 'break': case 'continue':
        this.at++;
        this.finish();
        if (this.loops === 0) throw new TemplateFault(`{{${keyword}}} outside of a range`);
        return { type: keyword };
      case 'template': {
        this.at++;
        const name = this.name();
        return { type: 'template', name, ...(this.peek() && { pipe: this.pipe() }) };
      }
      case 'define': case 'block': {
        if (keyword === 'define' && !isTop) throw new TemplateFault('{{define}} inside of another action');
        this.at++;
        const name = this.name();
        const pipe = keyword === 'block' ? this.pipe() : undefined;
        this.finish();
        const outer = this.variables.splice(1);
        const { nodes, end } = this.list();
        this.variables.push(...outer);
        if (end !== 'end') throw new TemplateFault(`{{${end}}} in {{${keyword}}}`);
        this.finish();
        this.named.set(name, nodes);
        return pipe && { type: 'template', name, pipe };
      }
      default:
        return { type: 'action', pipe: this.pipe() };
    }
  }

  private control(type: ControlNode['type']): ControlNode {
    const known = this.variables.length;
    const pipe = this.pipe(type === 'range');
    if (type === 'range') this.loops++;
    const { nodes: body, end } = this.list();
    if (type === 'range') this.loops--;
    let otherwise: readonly TemplateNode[] = [];
    if (end === 'else') {
      const next = this.peek()?.text;
      if (next === type && type !== 'range') {
        this.at++;
        otherwise = [this.control(type)];
      } else {
        this.finish();
        const rest = this.list();
        if (rest.end !== 'end') throw new TemplateFault('two times {{else}}');
        this.finish();
        otherwise = rest.nodes;
      }
    } else {
      this.finish();
    }
    this.variables.length = known;
    return { type, pipe, body, otherwise };
  }

  /** A pipe up to the end of the action, or to the parenthesis that closes it. */
  private pipe(isRange = false, isInner = false): Pipe {
    if (++this.depth > DEEPEST) throw new TemplateFault('nested too deeply');
    const { variables, assigns } = this.declaration(isRange);
    const commands: Operand[][] = [[]];
    for (let token = this.peek(); token && !(isInner && token.text === ')' && token.type === 'symbol'); token = this.peek()) {
      if (token.type === 'symbol' && token.text === '|') {
        this.at++;
        commands.push([]);
      } else {
        const command = commands.at(-1)!;
        if (command.length > 0 && !token.spaced && token.text !== '(') throw new TemplateFault(`unexpected ${JSON.stringify(token.text)} in an operand`);
        command.push(this.operand());
      }
    }
    if (commands.some((command) => command.length === 0)) throw new TemplateFault('a command is missing');
    for (const [first] of commands.slice(1)) {
      if (first.type === 'constant' || first.type === 'dot' || first.type === 'nil') throw new TemplateFault('a value in a pipe that is no function');
    }
    if (!assigns) this.variables.push(...variables);
    this.depth--;
    return { variables, assigns, commands };
  }

  private declaration(isRange: boolean): { readonly variables: readonly string[]; readonly assigns: boolean } {
    const names: string[] = [];
    const signs: string[] = [];
    const [first, sign, second, secondSign] = this.tokens.slice(this.at);
    if (first?.type === 'variable' && sign?.type === 'symbol') {
      if (sign.text === ':=' || sign.text === '=') {
        names.push(first.text);
        signs.push(sign.text);
      } else if (isRange && sign.text === ',' && second?.type === 'variable' && secondSign && /^:?=$/.test(secondSign.text)) {
        names.push(first.text, second.text);
        signs.push(',', secondSign.text);
      }
    }
    this.at += names.length + signs.length;
    const assigns = signs.at(-1) === '=';
    if (assigns) names.forEach((name) => this.check(name));
    return { variables: names, assigns };
  }

  private operand(): Operand {
    const token = this.tokens[this.at++];
    let operand = this.term(token);
    const names: string[] = [];
    for (let next = this.peek(); next?.type === 'field' && !next.spaced; next = this.peek()) {
      names.push(next.text);
      this.at++;
    }
    if (names.length === 0) return operand;
    if (operand.type === 'constant' || operand.type === 'nil' || operand.type === 'dot') throw new TemplateFault(`unexpected .${names[0]} after a value`);
    if (operand.type === 'fields') operand = { ...operand, names: [...operand.names, ...names] };
    else operand = { type: 'fields', of: operand, names };
    return operand;
  }

  private term(token: Token): Operand {
    switch (token.type) {
      case 'field': return { type: 'fields', of: { type: 'dot' }, names: [token.text] };
      case 'variable': return { type: 'variable', name: this.check(token.text) };
      case 'string': return { type: 'constant', value: unquoted(token.text), isNumber: false };
      case 'number': return { type: 'constant', value: numberOf(token.text), isNumber: true };
      case 'name':
        if (token.text === 'nil') return { type: 'nil' };
        if (token.text === 'true' || token.text === 'false') return { type: 'constant', value: token.text === 'true', isNumber: false };
        if (!this.isFunction(token.text)) throw new TemplateFault(`function "${token.text}" is not defined`);
        return { type: 'function', name: token.text };
      default:
        if (token.text === '.') return { type: 'dot' };
        if (token.text !== '(') throw new TemplateFault(`unexpected ${JSON.stringify(token.text)} in an action`);
        return this.inner();
    }
  }

  private inner(): Operand {
    const pipe = this.pipe(false, true);
    if (this.tokens[this.at++]?.text !== ')') throw new TemplateFault('a parenthesis is not closed');
    return { type: 'pipe', pipe };
  }

  private check(name: string): string {
    if (!this.variables.includes(name)) throw new TemplateFault(`variable $${name} is not defined`);
    return name;
  }

  private name(): string {
    const token = this.tokens[this.at++];
    if (token?.type !== 'string') throw new TemplateFault('a name of a template in quotes is missing');
    return unquoted(token.text);
  }

  private finish(): void {
    if (this.at < this.tokens.length) throw new TemplateFault(`unexpected ${JSON.stringify(this.tokens[this.at].text)} in an action`);
  }

  private peek(): Token | undefined {
    return this.tokens[this.at];
  }
}

const INTEGER = /^[+-]?(?:0|[1-9](?:_?\d)*|0[xX](?:_?[\dA-Fa-f])+|0[oO]?(?:_?[0-7])+|0[bB](?:_?[01])+)$/;
const FLOAT = /^[+-]?(?:\d(?:_?\d)*)?\.?(?:\d(?:_?\d)*)?(?:[eE][+-]?\d+)?$/;

/** A number as Go reads it: an integer is a bigint. */
function numberOf(text: string): GoValue {
  if (text.startsWith('\'')) return BigInt(unquoted(text).codePointAt(0)!);
  const [sign, digits] = /^[+-]/.test(text) ? [text.startsWith('-') ? -1n : 1n, text.slice(1)] : [1n, text];
  const plain = digits.replaceAll('_', '');
  if (INTEGER.test(text)) return sign * BigInt(plain.replace(/^0[oO]?(?=[0-7_])/, '0o'));
  if (!FLOAT.test(text) || !Number.isFinite(Number(plain))) throw new TemplateFault(`bad number ${text}`);
  return Number(sign) * Number(plain);
}
