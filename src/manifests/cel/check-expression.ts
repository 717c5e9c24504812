import type { ASTNode, Environment } from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };
import { codeOf } from './code';
import { isUnknownFunction } from './functions';

/** Types that are the same in the library and in servers. */
const PLAIN: readonly string[] = ['bool', 'bytes', 'double', 'int', 'string', 'uint'];

/** Type of the result of an expression. */
export type ResultType = 'bool' | 'string';

/** Names before those of functions and types. */
const NAMESPACES: readonly string[] = ['format', 'google', 'ip', 'jsonpatch', 'kubernetes', 'lists', 'math', 'net', 'optional', 'sets', 'strings'];

/** Syntax that servers read and the library does not: objects of a type, names in backticks, optional entries of lists and maps. */
const ONLY_SERVERS = /[\w.]\s*\{|`|[[{,]\s*\?/;

/**
 * Checks that an API server can compile an expression in CEL. Only what is certain is reported: the library has fewer functions than servers, and
 * judges types less strictly in places, and more strictly in others.
 *
 * @param env the variables of the expression, and their types
 * @param expression the expression
 * @param wanted the type of its result; without it, any is taken
 * @returns what is wrong
 */
export function checkExpression(env: Environment, expression: string, wanted?: ResultType): string | undefined {
  let checked: ReturnType<Environment['check']>;
  try {
    checked = env.parse(expression).check();
  } catch (error) {
    return ONLY_SERVERS.test(codeOf(expression)) ? undefined : `it is not an expression in CEL: ${firstLine(error)}`;
  }
  if (!checked.valid) return refusal(checked.error as CheckError, expression);
  const { type } = checked;
  return wanted === undefined || type === undefined || type === wanted || !PLAIN.includes(type) ? undefined : `its result is a ${type} in place of a ${wanted}`;
}

interface CheckError extends Error {
  readonly code?: string;
  readonly node?: ASTNode;
}

/** Message of a type error that a server refuses as well; undefined for others. */
function refusal(error: CheckError, expression: string): string | undefined {
  const message = firstLine(error);
  switch (error.code) {
    case 'no_such_key': return message.replace(/^No such key: (.*)$/, 'there is no field $1');
    case 'no_such_overload': {
      const [, left, operator, right] = /^no such overload: (\w+) (\S+) (\w+)$/.exec(message) ?? [];
      return PLAIN.includes(left) && PLAIN.includes(right) ? `a ${left} and a ${right} cannot be operands of ${operator}` : undefined;
    }
    case 'cannot_index_type': {
      const [, type] = /^Cannot index type '(\w+)'$/.exec(message) ?? [];
      return PLAIN.includes(type) ? `a ${type} has no fields` : undefined;
    }
    case 'unknown_variable': {
      const [, name] = /^Unknown variable: (\w+)$/.exec(message) ?? [];
      // Macros of servers bind names that the library does not know.
      return name === undefined || NAMESPACES.includes(name) || new RegExp(`\\b${name}\\s*,`).test(codeOf(expression)) ? undefined : `there is no variable ${name}`;
    }
    case 'no_matching_overload': {
      const name = calledName(error.node);
      return name !== undefined && isUnknownFunction(name) ? `there is no function ${name}` : undefined;
    }
    default: return undefined;
  }
}

function calledName(node: ASTNode | undefined): string | undefined {
  return node?.op === 'call' || node?.op === 'rcall' ? node.args[0] : undefined;
}

function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0];
}
