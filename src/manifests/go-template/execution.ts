import { NotComputed, TemplateFault } from './faults';
import { Argument, callFunction, GoFunctions, goFunction } from './functions';
import { ControlNode, Operand, ParsedTemplate, Pipe, TemplateNode } from './syntax';
import { checkSize, goText, GoValue, GoVersion, isEmpty, isNil, limited, LONGEST, sortedKeys, typeOf } from './values';
import { isFields } from '../values/fields';

/** Input of a template's execution. */
export interface Execution {
  readonly data: GoValue;
  readonly functions: GoFunctions;

  /** True if a key that a map does not have is a fault. Else it has no value. */
  readonly missingKeyIsFault?: boolean;

  /**
   * Steps that are left for several templates together.
   *
   * @default - each template has its own
   */
  readonly budget?: StepBudget;
}

/** Steps that several templates may take together. */
export interface StepBudget {
  left: number;
}

/** Nodes that are executed, and templates that call each other: more are hostile. */
const MOST_STEPS = 100_000;
const DEEPEST = 100;

/**
 * Executes a template.
 *
 * Source: Go text/template/exec.go.
 */
export function execute(template: ParsedTemplate, execution: Execution): string {
  try {
    return new Executor(template, execution).run();
  } catch (error) {
    // The stack of a walk through values that are nested deeply.
    if (error instanceof RangeError) throw new NotComputed('its values are nested too deeply');
    throw error;
  }
}

type Signal = 'break' | 'continue' | undefined;

/** Functions that do not evaluate all their arguments. */
const LAZY = goFunction('any ...any', () => undefined);

class Executor {
  private steps = 0;
  private depth = 0;
  private length = 0;
  private readonly output: string[] = [];
  private scope: { name: string; value: GoValue }[] = [];

  public constructor(private readonly template: ParsedTemplate, private readonly execution: Execution) {}

  public run(): string {
    this.scope = [{ name: '', value: this.execution.data }];
    this.nodes(this.template.body, this.execution.data);
    return this.output.join('');
  }

  private step(by = 1): void {
    this.steps += by;
    const { budget } = this.execution;
    if (budget) budget.left -= by;
    if (this.steps > MOST_STEPS || (budget && budget.left < 0)) throw new NotComputed('it takes too many steps');
  }

  private print(text: string): void {
    this.length += text.length;
    this.step(weightOf(text));
    if (this.length > LONGEST) throw new NotComputed('its result is too long');
    this.output.push(text);
  }

  private nodes(nodes: readonly TemplateNode[], dot: GoValue): Signal {
    const known = this.scope.length;
    let signal: Signal;
    for (const node of nodes) {
      this.step();
      signal = this.node(node, dot);
      if (signal) break;
    }
    this.scope.length = known;
    return signal;
  }

  private node(node: TemplateNode, dot: GoValue): Signal {
    switch (node.type) {
      case 'text':
        this.print(node.text);
        return undefined;
      case 'action': {
        const value = this.pipe(node.pipe, dot);
        if (node.pipe.variables.length === 0) this.print(isNil(value) ? '<no value>' : goText(value));
        return undefined;
      }
      case 'if': case 'with': {
        const known = this.scope.length;
        const value = this.pipe(node.pipe, dot);
        const signal = isEmpty(value) ? this.nodes(node.otherwise, dot) : this.nodes(node.body, node.type === 'with' ? value : dot);
        this.scope.length = known;
        return signal;
      }
      case 'range':
        return this.range(node, dot);
      case 'template':
        this.call(node.name, node.pipe && this.pipe(node.pipe, dot));
        return undefined;
      default:
        return node.type;
    }
  }

  private call(name: string, dot: GoValue): void {
    const nodes = this.template.named.get(name);
    if (!nodes) throw new TemplateFault(`template "${name}" is not defined`);
    if (++this.depth > DEEPEST) throw new NotComputed('its templates call each other too often');
    const outer = this.scope;
    this.scope = [{ name: '', value: dot }];
    this.nodes(nodes, dot);
    this.scope = outer;
    this.depth--;
  }

  private range({ pipe, body, otherwise }: ControlNode, dot: GoValue): Signal {
    const known = this.scope.length;
    const entries = entriesOf(this.pipe({ ...pipe, variables: [], assigns: false }, dot));
    const names = pipe.variables;
    for (const [key, value] of entries) {
      this.step();
      this.scope.length = known;
      const values = names.length === 2 ? [key, value] : [value];
      names.forEach((name, index) => this.set(name, values[index], pipe.assigns));
      if (this.nodes(body, value) === 'break') break;
    }
    this.scope.length = known;
    return entries.length === 0 ? this.nodes(otherwise, dot) : undefined;
  }

  private set(name: string, value: GoValue, assigns: boolean): void {
    const known = assigns ? this.variable(name) : undefined;
    if (known) known.value = value;
    else this.scope.push({ name, value });
  }

  /** The innermost variable of a name. */
  private variable(name: string): { value: GoValue } | undefined {
    for (let at = this.scope.length - 1; at >= 0; at--) if (this.scope[at].name === name) return this.scope[at];
    return undefined;
  }

  private pipe({ variables, assigns, commands }: Pipe, dot: GoValue): GoValue {
    let result: Argument | undefined;
    for (const command of commands) result = this.command(command, dot, result);
    for (const name of variables) this.set(name, result!.value, assigns);
    return result!.value;
  }

  private command([first, ...others]: readonly Operand[], dot: GoValue, last: Argument | undefined): Argument {
    this.step();
    if (first.type === 'function') return { value: this.apply(first.name, others, dot, last), isConstant: false };
    if (first.type === 'nil') throw new TemplateFault('nil is not a command');
    if (others.length > 0 || last) {
      const isMethod = first.type === 'fields' && first.names.length > 0;
      throw new TemplateFault(isMethod ? `${first.names.at(-1)} cannot be invoked as function` : 'can\'t give argument to non-function');
    }
    return this.argument(first, dot);
  }

  private argument(operand: Operand, dot: GoValue): Argument {
    this.step();
    switch (operand.type) {
      case 'constant': return { value: operand.value, isConstant: operand.isNumber };
      case 'dot': return { value: dot, isConstant: false };
      case 'nil': return { value: undefined, isConstant: false };
      case 'function': return { value: this.apply(operand.name, [], dot, undefined), isConstant: false };
      case 'variable': return { value: this.variable(operand.name)?.value, isConstant: false };
      case 'pipe': return { value: this.pipe(operand.pipe, dot), isConstant: false };
      default: {
        const of = this.argument(operand.of, dot).value;
        return { value: operand.names.reduce((value, name) => this.field(value, name), of), isConstant: false };
      }
    }
  }

  private field(value: GoValue, name: string): GoValue {
    if (isNil(value)) {
      if (this.execution.missingKeyIsFault) throw new TemplateFault(`nil data; no entry for key "${name}"`);
      return undefined;
    }
    if (value instanceof GoVersion && Object.hasOwn(value.fields, name)) return value.fields[name];
    if (!isFields(value) || value instanceof GoVersion) throw new TemplateFault(`can't evaluate field ${name} in type ${typeOf(value)}`);
    if (Object.hasOwn(value, name)) return value[name];
    if (this.execution.missingKeyIsFault) throw new TemplateFault(`map has no entry for key "${name}"`);
    return undefined;
  }

  private apply(name: string, operands: readonly Operand[], dot: GoValue, last: Argument | undefined): GoValue {
    if (name === 'and' || name === 'or') {
      const count = operands.length + (last ? 1 : 0);
      if (count === 0) callFunction(name, LAZY, []);
      let value: GoValue;
      for (let index = 0; index < count; index++) {
        value = (index < operands.length ? this.argument(operands[index], dot) : last!).value;
        if (isEmpty(value) === (name === 'and')) break;
      }
      return value;
    }
    const { functions } = this.execution;
    if (!Object.hasOwn(functions, name)) throw new NotComputed(`the result of its function ${name} is not known here`);
    const given = [...operands.map((operand) => this.argument(operand, dot)), ...last ? [last] : []];
    for (const one of given) this.step(weightOf(one.value));
    const value = callFunction(name, functions[name], given);
    this.step(checkSize(value));
    return typeof value === 'string' ? limited(value) : value;
  }
}

/** Steps for a long text or list, which functions walk through. */
function weightOf(value: GoValue): number {
  return typeof value === 'string' ? Math.floor(value.length / 64) : Array.isArray(value) ? Math.floor(value.length / 16) : 0;
}

function entriesOf(value: GoValue): readonly (readonly [GoValue, GoValue])[] {
  if (isNil(value)) return [];
  if (Array.isArray(value)) return value.map((item: unknown, index) => [BigInt(index), item]);
  if (typeof value === 'bigint') {
    if (value > BigInt(MOST_STEPS)) throw new NotComputed('it takes too many steps');
    return Array.from({ length: Number(value) }, (_, index) => [BigInt(index), BigInt(index)]);
  }
  if (isFields(value) && !(value instanceof GoVersion)) return sortedKeys(value).map((key) => [key, value[key]]);
  throw new TemplateFault(`range can't iterate over ${goText(value)}`);
}
