import { namesInPath, schemaAt, SchemaNode } from './schema-nodes';
import { JsonValidation } from '../../../manifests/schema/schema-node';
import { shownJson } from '../../../manifests/schema/value-words';
import { Problem, Rule } from '../../../manifests/values/problem';

const VALIDATION = 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go';

/** Reason that a client gets for a value that breaks a rule. */
export enum ValidationReason {
  /** The value is not valid. */
  FIELD_VALUE_INVALID = 'FieldValueInvalid',

  /** The value is not allowed here. */
  FIELD_VALUE_FORBIDDEN = 'FieldValueForbidden',

  /** A value is missing. */
  FIELD_VALUE_REQUIRED = 'FieldValueRequired',

  /** The value is there already. */
  FIELD_VALUE_DUPLICATE = 'FieldValueDuplicate',
}

/**
 * A rule in CEL that the API server checks values against (`x-kubernetes-validations`, `TC-CRD-VALIDATION`).
 *
 * The API server estimates the maximum cost of a rule before it accepts the definition: give lists `maxItems`, maps `maxProperties` and
 * strings `maxLength` if a rule uses them. The library does not know the cost of an expression: it only rejects rules that are nested in
 * so many lists that any rule exceeds the cost limit. Fields, functions and types of an expression are checked, and rules are evaluated for
 * defaults and objects of the type, as far as the library has the functions.
 *
 * Rule: `TC-ADMIT-KUBERNETES-CRD-RULE`, `TC-CRD-VALIDATION-COST`.
 * Source: kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions (validation rules).
 */
export interface SchemaValidation {
  /**
   * The expression, `true` for valid values: `self` is the value that the schema describes, `oldSelf` its value before an update
   * (`TC-CRD-TRANSITION`).
   */
  readonly rule: string;

  /**
   * Message for the user, in one line.
   *
   * @default - the rule itself; a rule of several lines must have a message
   */
  readonly message?: string;

  /**
   * Expression whose value is the message for the user, in place of `message`.
   *
   * @default - message
   */
  readonly messageExpression?: string;

  /**
   * Reason that a client gets.
   *
   * @default ValidationReason.FIELD_VALUE_INVALID
   */
  readonly reason?: ValidationReason;

  /**
   * Field that is reported in place of the whole value, e.g. `.minReplicas`. It must be in the schema.
   *
   * @default - the value itself
   */
  readonly fieldPath?: string;

  /**
   * True if a rule with `oldSelf` is evaluated on creation too, with an empty optional as `oldSelf`. Only for rules that use `oldSelf`.
   *
   * @default - such a rule is skipped if there is no old value
   */
  readonly optionalOldSelf?: boolean;
}

const REASONS: readonly string[] = Object.values(ValidationReason);

/** Cost limit of a rule, by the API server's estimate (`StaticEstimatedCostLimit`). Reading a value costs 1. */
const LARGEST_COST = 10_000_000;

/** Checks the CEL rules of a schema without their expressions. */
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

const VALIDATION_RULE: Rule = {
  id: 'TC-CRD-VALIDATION',
  title: 'A CEL rule must test the value, must have a message of one line if it has several lines, and must report an existing field.',
  source: VALIDATION,
};

function checkText({ rule, message, messageExpression, reason }: JsonValidation, property: string): Problem[] {
  const problem = (fault: string, fix: string): Problem => ({ rule: VALIDATION_RULE, property, message: fault, fix });
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
    rule: VALIDATION_RULE,
    property: `${property}.fieldPath`,
    message: `"${fieldPath}" leads to no field of the schema`,
    accepted: 'paths such as ".minReplicas" or ".labels[\'a.b\']", without entries of lists',
    fix: 'correct the path',
  }];
}

const TRANSITION_RULE: Rule = {
  id: 'TC-CRD-TRANSITION',
  title: 'Rules can compare with oldSelf only where the old value can be found, and can set optionalOldSelf only if they use it.',
  source: VALIDATION,
};

function checkOldSelf({ uncorrelated }: SchemaNode, { rule, optionalOldSelf }: JsonValidation, property: string): Problem[] {
  if (!mentions(rule, 'oldSelf')) {
    return optionalOldSelf === undefined ? [] : [{
      rule: TRANSITION_RULE, property: `${property}.optionalOldSelf`, message: 'the rule does not use oldSelf', fix: 'remove optionalOldSelf',
    }];
  }
  return uncorrelated === undefined ? [] : [{
    rule: TRANSITION_RULE,
    property,
    message: `the rule compares with oldSelf, and what "${uncorrelated}" holds cannot be found again after an update`,
    accepted: 'transition rules outside of lists, or inside lists of ListType.map, and not inside atomic objects',
    fix: 'use ListType.map, or write the rule at the list itself',
  }];
}

const VALIDATION_COST_RULE: Rule = {
  id: 'TC-CRD-VALIDATION-COST',
  title: 'The lists and objects around a CEL rule must let it run at most ten million times, the cost limit of the cheapest rule.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/cel_validation.go',
};

function checkCost({ repeats }: SchemaNode, property: string): Problem[] {
  return repeats === undefined || repeats <= LARGEST_COST ? [] : [{
    rule: VALIDATION_COST_RULE,
    property,
    message: `the limits of the lists and objects around the rule let it run ${repeats} times`,
    accepted: `at most ${LARGEST_COST} times, and fewer the more the rule does`,
    fix: 'lower maxItems and maxProperties',
  }];
}

/** True if an expression uses a name outside of quotes. */
function mentions(expression: string, name: string): boolean {
  const code = expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
  return new RegExp(`(^|[^\\w.])${name}(?!\\w)`).test(code);
}
