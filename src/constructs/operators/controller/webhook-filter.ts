import { labelSelector } from '../../../manifests/values/label-selector';

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
   * Values for `IN` and `NOT_IN`, which need one or more (`TC-ADMIT-KUBERNETES-WEBHOOK`).
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

/** A selector of labels and expressions; an empty one selects everything. */
export function webhookSelector(labels: { readonly [key: string]: string } = {}, expressions: readonly WebhookLabelExpression[] = []): object {
  const matchExpressions = expressions.map(({ key, operator, values }) => ({ key, operator, ...(values?.length && { values: [...values] }) }));
  return { ...labelSelector(labels), ...(matchExpressions.length > 0 && { matchExpressions }) };
}
