import { namesInPath, schemaAt } from './field-path';
import { SchemaNode } from './schema-nodes';
import { ValidationReason } from './schema-validation';
import { JsonValidation } from '../../../manifests/schema/json-schema';
import { shownJson } from '../../../manifests/schema/value-words';
import { Problem } from '../../../manifests/values/problem';
import { CRD_RULES } from '../custom-resource/crd-rules';

const REASONS: readonly string[] = Object.values(ValidationReason);

/** What a rule may cost at most, by the API server's estimate (`StaticEstimatedCostLimit`). Looking at a value costs 1. */
const LARGEST_COST = 10_000_000;

/**
 * Checks the rules in CEL of a schema, as far as that is possible without CEL.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go and
 * cel_validation.go.
 */
export function checkValidations(node: SchemaNode): Problem[] {
  if (node.place === 'junctor') return [];
  return (node.schema['x-kubernetes-validations'] ?? []).flatMap((validation, index) => {
    const property = `${node.path}.validations[${index}]`;
    return [
      ...checkText(validation, property), ...checkFieldPath(node, validation, property), ...checkOldSelf(node, validation, property),
      ...checkCost(node, property),
    ];
  });
}

function checkText({ rule, message, messageExpression, reason }: JsonValidation, property: string): Problem[] {
  const problem = (what: string, fix: string): Problem => ({ rule: CRD_RULES.validation, property, message: what, fix });
  const blank = (text: string | undefined) => text !== undefined && text.trim() === '';
  return [
    ...(blank(rule) ? [problem('the rule is empty', 'write an expression in CEL')] : []),
    ...(blank(message) ? [problem('the message is empty', 'write a message, or leave it out')] : []),
    ...(blank(messageExpression) ? [problem('the messageExpression is empty', 'write an expression in CEL, or leave it out')] : []),
    ...(/[\r\n]/.test(message?.trim() ?? '') ? [problem(`the message ${shownJson(message)} has several lines`, 'write it in one line')] : []),
    ...(/[\r\n]/.test(rule.trim()) && message === undefined ? [problem('the rule has several lines and no message, which it would be in place of', 'add a message')] : []),
    ...(reason !== undefined && !REASONS.includes(reason) ? [problem(`"${reason}" is no reason`, `use one of ${REASONS.join(', ')}`)] : []),
    ...(mentions(rule, 'self') || mentions(rule, 'oldSelf') || blank(rule) ? [] : [problem(`${shownJson(rule)} looks at neither self nor oldSelf`, 'write a rule about the value')]),
  ];
}

function checkFieldPath({ schema }: SchemaNode, { fieldPath }: JsonValidation, property: string): Problem[] {
  const names = fieldPath === undefined ? undefined : namesInPath(fieldPath);
  if (fieldPath === undefined || (names && schemaAt(schema, names))) return [];
  return [{
    rule: CRD_RULES.validation,
    property: `${property}.fieldPath`,
    message: `"${fieldPath}" leads to no field of the schema`,
    accepted: 'paths such as ".minReplicas" or ".labels[\'a.b\']", without entries of lists',
    fix: 'correct the path',
  }];
}

function checkOldSelf({ uncorrelated }: SchemaNode, { rule, optionalOldSelf }: JsonValidation, property: string): Problem[] {
  if (!mentions(rule, 'oldSelf')) {
    return optionalOldSelf === undefined ? [] : [{
      rule: CRD_RULES.transition, property: `${property}.optionalOldSelf`, message: 'the rule does not use oldSelf', fix: 'remove optionalOldSelf',
    }];
  }
  return uncorrelated === undefined ? [] : [{
    rule: CRD_RULES.transition,
    property,
    message: `the rule compares with oldSelf, and what "${uncorrelated}" holds cannot be found again after an update`,
    accepted: 'transition rules outside of lists, or inside lists of ListType.map, and not inside atomic objects',
    fix: 'use ListType.map, or write the rule at the list itself',
  }];
}

function checkCost({ repeats }: SchemaNode, property: string): Problem[] {
  return repeats === undefined || repeats <= LARGEST_COST ? [] : [{
    rule: CRD_RULES.validationCost,
    property,
    message: `the limits of the lists and objects around the rule let it run ${repeats} times`,
    accepted: `at most ${LARGEST_COST} times, and fewer the more the rule does`,
    fix: 'lower maxItems and maxProperties',
  }];
}

/** True if an expression uses a name; what stands in quotes does not count. */
function mentions(expression: string, name: string): boolean {
  const code = expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  return new RegExp(`(^|[^\\w.])${name}(?!\\w)`).test(code);
}
