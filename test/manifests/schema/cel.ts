import type { Environment, ParseResult } from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };
import { predecessor } from './list-types';
import { fieldPath, fieldSchema, isObject, shown, StructuralSchema, ValidationRule } from './structural-schema';
import { celEnvironment } from '../../../src/manifests/cel/environment';
import { celLibrary } from '../../../src/manifests/cel/library';
import { celValue } from '../../../src/manifests/cel/values';
import { JsonSchema } from '../../../src/manifests/schema/schema-node';

/** CEL as an API server offers it to the rules of a custom resource definition. */
export const ruleEnvironment: Environment = celEnvironment().registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');

const programs = new Map<string, ParseResult>();

/** Compiles a rule or message expression; throws when CEL or a function in it is not supported. */
export function compileRule(expression: string): ParseResult {
  const known = programs.get(expression);
  if (known) return known;

  const program = ruleEnvironment.parse(expression);
  const check = program.check();
  if (!check.valid) throw check.error;
  programs.set(expression, program);
  return program;
}

/**
 * The rules of `x-kubernetes-validations` that a value breaks, a custom resource at the root.
 * The value must have no structural errors and all its defaults, as on a server.
 *
 * @param old the object before an update; without one, transition rules are left out as on create
 */
export function ruleErrors(schema: StructuralSchema, value: unknown, old?: unknown): string[] {
  return nodeErrors(schema, value, old, '', true);
}

/** Every rule of a schema with the path of the field that it stands at. */
export function* rulesOf(schema: StructuralSchema, path = ''): Generator<readonly [path: string, rule: ValidationRule]> {
  for (const rule of schema['x-kubernetes-validations'] ?? []) yield [path, rule];
  for (const [key, child] of Object.entries(schema.properties ?? {})) yield* rulesOf(child, fieldPath(path, key));
  if (typeof schema.additionalProperties === 'object') yield* rulesOf(schema.additionalProperties, `${path}[*]`);
  if (schema.items) yield* rulesOf(schema.items, `${path}[*]`);
}

function nodeErrors(schema: StructuralSchema, value: unknown, old: unknown, path: string, isRoot: boolean): string[] {
  if (value === undefined || value === null) return [];

  const rules = schema['x-kubernetes-validations'] ?? [];
  const errors: string[] = [];
  if (rules.length > 0) {
    const self = celValue(schema as JsonSchema, value, isRoot);
    const oldSelf = old === undefined || old === null ? undefined : celValue(schema as JsonSchema, old, isRoot);
    for (const rule of rules) {
      errors.push(...brokenRule(rule, self, oldSelf).map(what => `${path || 'object'}${rule.fieldPath ?? ''}: ${what}, got ${shown(value)}`));
    }
  }
  if (Array.isArray(value) && schema.items) {
    value.forEach((item, index) => {
      errors.push(...nodeErrors(schema.items!, item, predecessor(schema, item, old), `${path}[${index}]`, false));
    });
  } else if (isObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      const childSchema = fieldSchema(schema, key);
      if (!childSchema) continue;
      errors.push(...nodeErrors(childSchema, child, isObject(old) ? old[key] : undefined, fieldPath(path, key, schema), false));
    }
  }
  return errors;
}

function brokenRule(rule: ValidationRule, self: unknown, oldSelf: unknown): string[] {
  const variables: Record<string, unknown> = { self };
  if (/\boldSelf\b/.test(rule.rule)) {
    if (oldSelf === undefined && !rule.optionalOldSelf) return [];
    if (rule.optionalOldSelf) variables.oldSelf = oldSelf === undefined ? celLibrary().Optional.none() : celLibrary().Optional.of(oldSelf);
    else variables.oldSelf = oldSelf;
  }
  try {
    const result: unknown = compileRule(rule.rule)(variables);
    if (result === true) return [];
    if (result === false) return [ruleMessage(rule, variables)];
    return [`the rule ${rule.rule} gave ${String(result)} in place of a boolean`];
  } catch (error) {
    const { summary, message } = error as { summary?: string; message: string };
    // The library tests no presence of fields in entries of lists, such as has(self[0].path).
    if ((summary ?? message).startsWith('has() invalid argument')) return [];
    return [`${summary ?? message} in the rule ${rule.rule}`];
  }
}

function ruleMessage(rule: ValidationRule, variables: Record<string, unknown>): string {
  if (rule.messageExpression) {
    const text: unknown = compileRule(rule.messageExpression)(variables);
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return rule.message ?? `must satisfy ${rule.rule}`;
}
