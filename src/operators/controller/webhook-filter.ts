import { OPERATOR_RULES } from './operator-rules';
import { Problem, problemIf } from '../../problems/problem';
import { labelSelector } from '../../values/label-selector';
import { checkLabels } from '../../values/labels';

/** How a label is compared. */
export enum WebhookLabelOperator {
  /** The label has one of the values. */
  IN = 'In',

  /** The label has none of the values, or is not there. */
  NOT_IN = 'NotIn',

  /** The label is there. */
  EXISTS = 'Exists',

  /** The label is not there. */
  DOES_NOT_EXIST = 'DoesNotExist',
}

/** A condition of a label, one of `matchExpressions`. */
export interface WebhookLabelExpression {
  /** Key of the label. */
  readonly key: string;

  /** How it is compared. */
  readonly operator: WebhookLabelOperator;

  /**
   * Values for `IN` and `NOT_IN`, which need one or more (`TC-OPERATOR-WEBHOOK`).
   *
   * @default - none
   */
  readonly values?: string[];
}

/** A condition of requests in CEL: the API server asks the webhook only if all of them are true. */
export interface WebhookMatchCondition {
  /** Name of the condition, different from others of the webhook (`TC-OPERATOR-WEBHOOK`). */
  readonly name: string;

  /** CEL expression over `object`, `oldObject`, `request` and `authorizer`. The API server compiles it; it is not evaluated here. */
  readonly expression: string;
}

const MOST_CONDITIONS = 64;
const WITH_VALUES: readonly string[] = [WebhookLabelOperator.IN, WebhookLabelOperator.NOT_IN];

/** A selector of labels and expressions; an empty one selects everything. */
export function webhookSelector(labels: { readonly [key: string]: string } = {}, expressions: readonly WebhookLabelExpression[] = []): object {
  const matchExpressions = expressions.map(({ key, operator, values }) => ({ key, operator, ...(values?.length && { values: [...values] }) }));
  return { ...labelSelector(labels), ...(matchExpressions.length > 0 && { matchExpressions }) };
}

/**
 * Checks expressions of labels.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go (ValidateLabelSelectorRequirement).
 */
export function checkExpressions(expressions: readonly WebhookLabelExpression[] = [], property: string): Problem[] {
  return expressions.flatMap(({ key, operator, values = [] }, index) => {
    const wanted = WITH_VALUES.includes(operator);
    const fault = !(Object.values(WebhookLabelOperator) as string[]).includes(operator) ? `"${operator}" is no operator`
      : wanted && values.length === 0 ? `${operator} needs values`
        : !wanted && values.length > 0 ? `${operator} has no values` : undefined;
    return [
      ...problemIf(OPERATOR_RULES.webhook, `${property}[${index}]`, fault, 'use IN or NOT_IN with values, EXISTS or DOES_NOT_EXIST without'),
      ...(values.length > 0 ? values : ['']).flatMap((value) => checkLabels({ [key]: value }))
        .flatMap(({ message }) => problemIf(OPERATOR_RULES.webhook, `${property}[${index}]`, message, 'correct the label')).slice(0, 1),
    ];
  });
}

/**
 * Checks conditions, as far as it goes without CEL.
 *
 * Source: kubernetes/kubernetes pkg/apis/admissionregistration/validation/validation.go (validateMatchConditions).
 */
export function checkConditions(conditions: readonly WebhookMatchCondition[] = [], property: string): Problem[] {
  const problem = (at: string, message: string | undefined, fix: string) => problemIf(OPERATOR_RULES.webhook, `${property}${at}`, message, fix);
  const names = conditions.map(({ name }) => name);
  return [
    ...problem('', conditions.length > MOST_CONDITIONS ? `there are ${conditions.length} conditions` : undefined, `use at most ${MOST_CONDITIONS}`),
    ...conditions.flatMap(({ name, expression }, index) => [
      ...problem(`[${index}].name`, /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/.test(name) && name.length <= 63 ? undefined : `"${name}" is no name of a condition`,
        'use letters, digits, "-", "_" and "."'),
      ...problem(`[${index}].name`, names.indexOf(name) < index ? `"${name}" is there already` : undefined, 'give another name'),
      ...problem(`[${index}].expression`, expression.trim() === '' ? 'the expression is empty' : undefined, 'write a CEL expression'),
    ]),
  ];
}
