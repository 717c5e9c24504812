import { matchesGoPattern } from '../../../src/manifests/schema/formats';
import { SchemaNode } from '../../../src/manifests/schema/schema-node';
import { Random } from '../random';

/** Texts that have a good chance of matching whatever a field asks for. */
const TEXTS = [
  'acme', 'Acme', 'acme.example.com', 'https://acme.example.com', 'oci://acme.example.com/charts', '10.0.0.1', '10.0.0.0/16', 'fd00::/108', '5m', '10s', '1h0m0s', 'v1.35.4', '1.35.4', '10Gi', '500m', '1', '100%', '[1-3]',
  '/etc/acme', '0644', 'acme/general', 'example.com/acme', '/dev/sda', 'ext4', 'acme:1.0', 'abcdef.0123456789abcdef', 'self == 1', 'oci://acme', 'ghcr.io/acme/x:1.0', '2024-01-01T00:00:00Z', 'YWNtZQ==',
];
const DEEPEST = 6;

/** A value of the type of a field, within its limits as far as that is easy to do. */
export function fittingValue(node: SchemaNode, random: Random, depth = 0): unknown {
  if (node.enum) return random.pick(node.enum);
  switch (node.type) {
    case 'string': return fittingText(node, random);
    case 'integer': return fittingNumber(node, random);
    case 'number': return fittingNumber(node, random);
    case 'boolean': return random.chance(0.5);
    case 'int-or-string': return random.pick<unknown>([1, 0, 3, '1', '30%', '10Gi', '500m', '100%', 'http']);
    case 'array': return listOf(node, random, depth);
    default: return mapOf(node, random, depth);
  }
}

/** A value that breaks a limit of a field, or has another type; one that fits, if the field takes anything. */
export function breakingValue(node: SchemaNode, random: Random): unknown {
  const { minLength = 0, maxLength, minimum, maximum, minItems = 0, maxItems, items } = node;
  const options: unknown[] = [];
  if (node.enum) options.push('Other', String(node.enum[0]).toLowerCase());
  if (minLength > 0) options.push('');
  if (maxLength !== undefined) options.push('x'.repeat(maxLength + 1));
  if (node.pattern !== undefined || node.format !== undefined) options.push(random.pick(TEXTS), '!', 'a b');
  if (minimum !== undefined) options.push(minimum - 1);
  if (maximum !== undefined) options.push(maximum + 1);
  if (minItems > 0) options.push([]);
  if (maxItems !== undefined && items && maxItems <= 200) options.push(Array.from({ length: maxItems + 1 }, () => fittingValue(items, random, 1)));
  if (node.type === 'array' && items) options.push(sameTwice(fittingValue(items, random, 1)), [null], {});
  if (node.type === 'object') options.push({}, [], { nothing: 'here' });
  if (node.type === 'string') options.push(1, true, {});
  if (node.type === 'integer') options.push('1', 1.5, -1, 2 ** 31);
  if (node.type === 'boolean') options.push('true', 1);
  return options.length === 0 ? fittingValue(node, random) : random.pick(options);
}

function fittingText({ minLength = 0, maxLength = Infinity, pattern, format }: SchemaNode, random: Random): string {
  const fitting = TEXTS.filter((text) => text.length >= minLength && text.length <= maxLength)
    .filter((text) => pattern === undefined || matchesGoPattern(pattern, text) !== false);
  if (format === 'date-time') return '2024-01-01T00:00:00Z';
  if (maxLength < 400 && pattern === undefined && random.chance(0.1)) return 'x'.repeat(maxLength);
  return fitting.length === 0 ? 'x'.repeat(Math.max(1, minLength)) : random.pick(fitting);
}

function fittingNumber({ minimum, maximum }: SchemaNode, random: Random): number {
  const numbers = [0, 1, 2, 10, 443, 6443, 31_000, ...(minimum === undefined ? [] : [minimum]), ...(maximum === undefined ? [] : [maximum])];
  return random.pick(numbers.filter((number) => number >= (minimum ?? -Infinity) && number <= (maximum ?? Infinity)));
}

function listOf({ items, minItems = 0, maxItems = Infinity }: SchemaNode, random: Random, depth: number): unknown[] {
  if (!items) return [];
  const count = Math.min(maxItems, Math.max(minItems, random.pick([1, 1, 1, 2])));
  return Array.from({ length: count }, () => fittingValue(items, random, depth + 1));
}

function mapOf({ fields, values, required = [] }: SchemaNode, random: Random, depth: number): Record<string, unknown> {
  const optional = [...fields?.keys() ?? []].filter((name) => !required.includes(name));
  const chosen = depth >= DEEPEST || optional.length === 0 ? [] : Array.from({ length: random.pick([0, 1, 1, 2]) }, () => random.pick(optional));
  const names = [...new Set([...required, ...chosen])].filter((name) => fields?.has(name));
  const filled = Object.fromEntries(names.map((name) => [name, fittingValue(fields!.get(name)!, random, depth + 1)]));
  return values && depth < DEEPEST ? { ...filled, [random.pick(['example.com/acme', 'acme', 'cpu', 'memory'])]: fittingValue(values, random, depth + 1) } : filled;
}

function sameTwice(value: unknown): unknown[] {
  return [value, value];
}
