import type { Environment } from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };
import { codeOf, withGoPatterns } from './code';
import { celEnvironment } from './environment';
import { parseGoDuration } from '../values/go-duration';

/** The result of an expression. */
export type CelResult =
  | { readonly value: unknown }
  // Evaluation fails, in servers, too.
  | { readonly error: string }
  // Only a server can say.
  | { readonly unjudged: string };

/** Errors of the library where it has fewer functions, or is stricter about types, than servers. */
const LIBRARY_ERRORS: readonly string[] = [
  'no_matching_overload', 'no_such_overload', 'invalid_condition_type', 'unknown_variable',
];

/** A duration that the library does not read, although Go may. */
const UNREAD_DURATION = /^Invalid duration string: (.*)$/;

/** Operands that servers have no operator for either. */
const PLAIN_OPERANDS = /^no such overload: (?:dyn<)?(?:bool|int|double|string)>? \S+ (?:dyn<)?(?:bool|int|double|string)>?$/;

/** About this many steps are made for one evaluation; servers end those that take longer as well. */
const MOST_STEPS = 1e8;

/** So many programs are kept. */
const MOST_KEPT = 5000;

const PROGRAMS = new Map<string, CelProgram>();
let environment: Environment | undefined;

/**
 * An expression in CEL over `self` and `oldSelf`, whose types are known when it is evaluated.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/validation.go.
 */
export class CelProgram {
  /** The program of an expression, compiled once. */
  public static of(expression: string): CelProgram {
    let program = PROGRAMS.get(expression);
    if (!program) {
      if (PROGRAMS.size >= MOST_KEPT) PROGRAMS.clear();
      PROGRAMS.set(expression, program = new CelProgram(expression));
    }
    return program;
  }

  /** True if it compares with the former value. */
  public readonly isTransition: boolean;

  private readonly run?: (variables: Record<string, unknown>) => unknown;
  private readonly fault?: string;

  /** Depth of loops within loops. */
  private readonly depth: number;

  private constructor(private readonly expression: string) {
    const code = codeOf(expression);
    this.isTransition = /\boldSelf\b/.test(code);
    this.depth = loopDepth(code);
    environment ??= celEnvironment().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');
    try {
      const parsed = environment.parse(withGoPatterns(expression));
      const { valid, error } = parsed.check();
      if (valid) this.run = parsed as (variables: Record<string, unknown>) => unknown;
      else this.fault = firstLine(error);
    } catch (error) {
      this.fault = firstLine(error);
    }
  }

  /** The result, in time that has a bound. */
  public evaluate(variables: Record<string, unknown>): CelResult {
    if (!this.run) return { unjudged: this.fault! };
    if (this.depth > 0 && this.steps(Object.values(variables)) > MOST_STEPS) return { unjudged: 'it takes too long' };
    try {
      return { value: this.run(variables) };
    } catch (error) {
      const { code } = error as { code?: string };
      const message = firstLine(error);
      const isOwn = code === undefined ? error instanceof TypeError || error instanceof RangeError : LIBRARY_ERRORS.includes(code);
      const duration = UNREAD_DURATION.exec(message)?.[1];
      const isRead = duration !== undefined && parseGoDuration(duration) !== undefined;
      return isRead || (isOwn && !PLAIN_OPERANDS.test(message)) ? { unjudged: message } : { error: message };
    }
  }

  private steps(values: readonly unknown[]): number {
    const sizes = { items: 2, all: this.expression.length };
    for (const value of values) measure(value, sizes);
    return sizes.items ** this.depth * sizes.all;
  }
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0];
}

/** The largest list or map of a value, and the largest of its texts as well. */
function measure(value: unknown, sizes: { items: number; all: number }): void {
  if (typeof value === 'string') sizes.all = Math.max(sizes.all, value.length);
  if (typeof value !== 'object' || value === null) return;
  const inside: unknown[] = Array.isArray(value) ? value : Object.values(value);
  sizes.items = Math.max(sizes.items, inside.length);
  sizes.all = Math.max(sizes.all, inside.length);
  for (const item of inside) measure(item, sizes);
}

const LOOPS = /\.\s*(?:all|exists|exists_one|existsOne|filter|map|sortBy|transformList|transformMap|transformMapEntry)\s*\(|[()]/g;

function loopDepth(code: string): number {
  const open: boolean[] = [];
  let [depth, deepest] = [0, 0];
  for (const [token] of code.matchAll(LOOPS)) {
    if (token === ')') {
      if (open.pop()) depth -= 1;
    } else {
      open.push(token !== '(');
      if (token !== '(') deepest = Math.max(deepest, ++depth);
    }
  }
  return deepest;
}
