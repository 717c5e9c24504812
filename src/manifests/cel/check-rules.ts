import type { Environment } from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };
import { brokenRules } from './broken-rules';
import { checkExpression } from './check-expression';
import { celEnvironment } from './environment';
import { SchemaTypes } from './schema-types';
import { JsonSchema, JsonValidation } from '../schema/schema-node';
import { PlacedSchema, placedSchemas } from '../schema/structural-schema';
import { FieldPath, Fields, objectsAt, stringAt } from '../values/fields';
import { Finding } from '../values/finding';

const RULES = 'x-kubernetes-validations';
const EXPRESSIONS = [['rule', 'bool'], ['messageExpression', 'string']] as const;

/**
 * Checks that the rules in CEL of a structural schema compile, and that the defaults keep them.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go (compileRule),
 * pkg/apiserver/schema/defaulting/validation.go.
 */
export function checkRules(root: Fields): Finding[] {
  const placed = placedSchemas(root).filter(({ isPart }) => !isPart);
  const ruled = placed.filter(({ schema }) => objectsAt(schema, RULES).length > 0);
  if (ruled.length === 0) return [];
  const faults = uncompiled(ruled);
  return faults.length > 0 ? faults : placed.flatMap(({ schema, path }) => (schema.default === undefined ? []
    : brokenRules(schema as JsonSchema, schema.default).map((broken) => fault(
      [...path, 'default', ...broken.path], `the default breaks a rule: ${broken.message}`, 'correct the default, or the rule',
    ))));
}

function uncompiled(ruled: readonly PlacedSchema[]): Finding[] {
  const env = celEnvironment();
  const types = new SchemaTypes(env);
  const typed = ruled.map(({ schema, path, parent }) => ({ schema, path, type: types.of(schema as JsonSchema, !parent || schema['x-kubernetes-embedded-resource'] === true) }));
  return typed.flatMap(({ schema, path, type }) => (type === undefined ? [] : objectsAt(schema, RULES)
    .flatMap(([rule, index]) => ruleFaults(env, type, rule as unknown as JsonValidation, [...path, RULES, index]))));
}

function ruleFaults(env: Environment, type: string, rule: JsonValidation, path: FieldPath): Finding[] {
  const variables = env.clone().registerVariable('self', type).registerVariable('oldSelf', rule.optionalOldSelf ? 'dyn' : type);
  return EXPRESSIONS.flatMap(([field, wanted]) => {
    const expression = stringAt(rule, field);
    const message = expression === undefined || expression.trim() === '' ? undefined : checkExpression(variables, expression, wanted);
    return message === undefined ? [] : [fault([...path, field], message, 'correct the expression, or the schema')];
  });
}

function fault(path: FieldPath, message: string, fix: string): Finding {
  return { path, message, fix };
}
