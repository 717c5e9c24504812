import { JsonValidation } from '../../../manifests/schema/json-schema';

/** What a client is told about a value that breaks a rule. */
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
 * A rule in CEL that the API server holds values to (`x-kubernetes-validations`, `TC-CRD-VALIDATION`).
 *
 * The API server estimates what a rule costs at worst, before it takes the definition: give lists `maxItems`, maps `maxProperties` and
 * strings `maxLength` where a rule looks at them. The library knows the cost of no expression; it refuses a rule only where it stands so
 * deep in lists that no rule would do. Rules are not evaluated when manifests are written.
 *
 * Rule: `TC-CRD-VALIDATION-COST`. Source: kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions
 * (validation rules).
 */
export interface SchemaValidation {
  /**
   * The expression, `true` for good values: `self` is the value that the schema describes, `oldSelf` what it was before an update
   * (`TC-CRD-TRANSITION`).
   */
  readonly rule: string;

  /**
   * What the user is told, in one line.
   *
   * @default - the rule itself; a rule of several lines must have a message
   */
  readonly message?: string;

  /**
   * Expression whose value the user is told, in place of `message`.
   *
   * @default - message
   */
  readonly messageExpression?: string;

  /**
   * What a client is told.
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
   * True if a rule with `oldSelf` is looked at on creation too, where `oldSelf` is an empty optional. Only for rules that use `oldSelf`.
   *
   * @default - such a rule is skipped where there is no old value
   */
  readonly optionalOldSelf?: boolean;
}

/** The rule as a definition holds it. */
export function writeValidation(validation: SchemaValidation): JsonValidation {
  const { rule, message, messageExpression, reason, fieldPath, optionalOldSelf } = validation;
  return {
    rule,
    ...(message !== undefined && { message }),
    ...(messageExpression !== undefined && { messageExpression }),
    ...(reason !== undefined && { reason }),
    ...(fieldPath !== undefined && { fieldPath }),
    ...(optionalOldSelf !== undefined && { optionalOldSelf }),
  };
}
