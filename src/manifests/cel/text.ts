import type { Environment } from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };
import { GO_MATCHES } from './code';
import { goPattern } from '../schema/formats';

/** Registers what Kubernetes adds to CEL for strings and lists, as far as the library does not bring it. */
export function registerText(env: Environment): void {
  env.registerFunction(`string.${GO_MATCHES}(string): bool`, (text: string, pattern: string) => compiled(text, pattern).matcher(text).find());
  env.registerFunction('string.find(string): string', (text: string, pattern: string) => matchesIn(text, pattern)[0] ?? '');
  env.registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => findAll(text, pattern));
  env.registerFunction('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) => findAll(text, pattern, limit));
  env.registerFunction('string.charAt(int): string', (text: string, index: bigint) => text.charAt(Number(index)));
  env.registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) => replaced(text, from, to));
  env.registerFunction('string.reverse(): string', (text: string) => [...text].reverse().join(''));
  env.registerFunction('string.format(list): string', (text: string, args: unknown[]) => format(text, args));

  env.registerFunction('list.isSorted(): bool', (list: never[]) => list.every((item, index) => index === 0 || list[index - 1] <= item));
  env.registerFunction('list.sum(): dyn', (list: never[]) => list.reduce((sum, item) => sum + item, typeof list[0] === 'number' ? 0 : 0n as never));
  env.registerFunction('list.min(): dyn', (list: never[]) => extreme('min', list, (a, b) => a < b));
  env.registerFunction('list.max(): dyn', (list: never[]) => extreme('max', list, (a, b) => a > b));
  env.registerFunction('list.indexOf(dyn): int', (list: unknown[], item: unknown) => BigInt(list.map(identity).indexOf(identity(item))));
  env.registerFunction('list.lastIndexOf(dyn): int', (list: unknown[], item: unknown) => BigInt(list.map(identity).lastIndexOf(identity(item))));
  env.registerFunction('list.reverse(): list', (list: unknown[]) => [...list].reverse());
  env.registerFunction('list.flatten(): list', (list: unknown[]) => list.flat());
  env.registerFunction('list.slice(int, int): list', (list: unknown[], start: bigint, end: bigint) => slice(list, Number(start), Number(end)));
  registerSets(env);
  env.registerFunction('list.distinct(): list', (list: unknown[]) => [...new Map(list.map((item) => [identity(item), item])).values()]);
}

class Sets {}

/** Source: google/cel-go ext/sets.go. */
function registerSets(env: Environment): void {
  const within = (list: unknown[]) => {
    const known = new Set(list.map(identity));
    return (item: unknown) => known.has(identity(item));
  };
  env.registerType('SetsNamespace', Sets);
  env.registerConstant('sets', 'SetsNamespace', new Sets());
  env.registerFunction('SetsNamespace.contains(list, list): bool', (_: Sets, list: unknown[], sub: unknown[]) => sub.every(within(list)));
  env.registerFunction('SetsNamespace.intersects(list, list): bool', (_: Sets, list: unknown[], other: unknown[]) => other.some(within(list)));
  env.registerFunction(
    'SetsNamespace.equivalent(list, list): bool', (_: Sets, list: unknown[], other: unknown[]) => list.every(within(other)) && other.every(within(list)),
  );
}

function slice(list: unknown[], start: number, end: number): unknown[] {
  if (start < 0 || end > list.length || start > end) throw new Error(`cannot slice(${start}, ${end}) of a list of ${list.length}`);
  return list.slice(start, end);
}

function findAll(text: string, pattern: string, limit = -1n): unknown[] {
  const found = matchesIn(text, pattern);
  return limit < 0n ? found : found.slice(0, Number(limit));
}

function extreme<T>(name: string, list: T[], better: (a: T, b: T) => boolean): T {
  if (list.length === 0) throw new Error(`${name} called on an empty list`);
  return list.reduce((best, item) => (better(item, best) ? item : best));
}

function format(template: string, args: unknown[]): string {
  let next = 0;
  return template.replace(/%(%|(?:\.(\d+))?([a-zA-Z]))/g, (clause, verb: string, precision?: string, letter?: string) => {
    if (verb === '%') return '%';
    if (next >= args.length) throw new Error(`format: no argument for ${clause}`);
    const value = args[next++];
    switch (letter) {
      case 's': case 'd': return plain(value);
      case 'f': return Number(value).toFixed(Number(precision ?? 6));
      case 'x': return BigInt(value as bigint).toString(16);
      case 'X': return BigInt(value as bigint).toString(16).toUpperCase();
      case 'o': return BigInt(value as bigint).toString(8);
      case 'b': return BigInt(value as bigint).toString(2);
      case 'e': throw new RangeError('only servers write numbers so');
      default: throw new Error(`format: unknown clause ${clause}`);
    }
  });
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plain).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Object.getPrototypeOf(value) !== null && Object.getPrototypeOf(value) !== Object.prototype) throw new RangeError('only servers write such values');
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length > 0 ? `{${entries.map(([key, item]) => `${key}: ${plain(item)}`).join(', ')}}` : String(value);
}

/** A text that is equal for values that CEL takes for equal: an integer equals the double of the same amount. */
function identity(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (typeof part === 'bigint') return Number(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    if (![null, Object.prototype].includes(Object.getPrototypeOf(part))) return String(part);
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Longer texts are not made. */
const LONGEST_TEXT = 1_000_000;

function replaced(text: string, from: string, to: string): string {
  const parts = text.split(from);
  if (text.length + parts.length * to.length > LONGEST_TEXT) throw new RangeError('the text gets too long');
  return parts.join(to);
}

/** @throws for a pattern that Go refuses, or that takes too long here */
function compiled(text: string, pattern: string) {
  const found = goPattern(pattern, text);
  if (!found) throw new RangeError(`the pattern ${pattern} cannot be matched here`);
  return found;
}

function matchesIn(text: string, pattern: string): string[] {
  const matcher = compiled(text, pattern).matcher(text);
  const found = [];
  while (matcher.find()) found.push(matcher.group()!);
  return found;
}
