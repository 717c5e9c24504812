import { Duration } from 'cdk8s';
import { WebhookCertificate } from './operator-certificate';
import { ResourceType } from '../resource-type';

/** Comparison of a label. */
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

  /** The comparison. */
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

/** Operation on an object. */
export enum WebhookOperation {
  /** The object is created. */
  CREATE = 'CREATE',

  /** The object is updated. */
  UPDATE = 'UPDATE',

  /** The object is deleted. */
  DELETE = 'DELETE',
}

/** Treatment of requests when a webhook does not answer. */
export enum WebhookFailurePolicy {
  /** The request is refused. */
  FAIL = 'Fail',

  /** The request is processed without it. */
  IGNORE = 'Ignore',
}

/** Side effects of a webhook beside its answer. */
export enum WebhookSideEffects {
  /** Nothing. */
  NONE = 'None',

  /** Nothing on a dry run. */
  NONE_ON_DRY_RUN = 'NoneOnDryRun',
}

/** Match of requests with the versions of a webhook. */
export enum WebhookMatchPolicy {
  /** Requests for the same objects in any version match. */
  EQUIVALENT = 'Equivalent',

  /** Only requests for exactly these versions match. */
  EXACT = 'Exact',
}

/** One webhook that the API server calls before it stores an object (`TC-OPERATOR-WEBHOOK`, `TC-ADMIT-KUBERNETES-WEBHOOK`). */
export interface OperatorWebhook {
  /** Type of the objects that it is called for. */
  readonly type: ResourceType;

  /**
   * Versions of the objects that it accepts.
   *
   * @default - the preferred version of the type
   */
  readonly versions?: string[];

  /**
   * Operations that it is called for.
   *
   * @default - CREATE and UPDATE
   */
  readonly operations?: WebhookOperation[];

  /**
   * Path of the webhook.
   *
   * @default - the path of controller-runtime: /validate-stable-example-com-v1-crontab, /mutate-stable-example-com-v1-crontab
   */
  readonly path?: string;

  /**
   * Name of the webhook, a DNS name of at least three parts.
   *
   * @default - the name of kubebuilder: vcrontab-v1.kb.io, mcrontab-v1.kb.io
   */
  readonly name?: string;

  /**
   * Treatment of requests when it does not answer.
   *
   * @default WebhookFailurePolicy.FAIL
   */
  readonly failurePolicy?: WebhookFailurePolicy;

  /**
   * Side effects beside its answer.
   *
   * @default WebhookSideEffects.NONE
   */
  readonly sideEffects?: WebhookSideEffects;

  /**
   * Match of requests with its versions.
   *
   * @default WebhookMatchPolicy.EQUIVALENT
   */
  readonly matchPolicy?: WebhookMatchPolicy;

  /**
   * Supported versions of `AdmissionReview`, the preferred one first.
   *
   * @default ['v1']
   */
  readonly admissionReviewVersions?: string[];

  /**
   * Time that the API server waits, 1 to 30 seconds.
   *
   * @default Duration.seconds(10)
   */
  readonly timeout?: Duration;

  /**
   * Labels that the namespace of an object must have. A webhook for pods needs such a selector, or the other one, that excludes its own
   * pods: once all of them are down, none could start (`TC-TRAP-KUBERNETES-OWN-WEBHOOK`).
   *
   * @default - any namespace
   */
  readonly namespaceSelector?: { [key: string]: string };

  /**
   * Labels that an object must have. The creator of the object chooses them.
   *
   * @default - any object
   */
  readonly objectSelector?: { [key: string]: string };

  /**
   * Further conditions of the labels of the namespace.
   *
   * @default - none
   */
  readonly namespaceExpressions?: WebhookLabelExpression[];

  /**
   * Further conditions of the labels of the object.
   *
   * @default - none
   */
  readonly objectExpressions?: WebhookLabelExpression[];

  /**
   * Conditions of the request in CEL, all of which must be true.
   *
   * @default - none
   */
  readonly matchConditions?: WebhookMatchCondition[];

  /**
   * Subresources that it is called for in place of the object, e.g. `scale`; `*` for all of them.
   *
   * @default - the object itself
   */
  readonly subresources?: string[];
}

/** The webhooks of an operator, behind a Service `<name>-webhook`. */
export interface OperatorWebhooks {
  /** Source of their certificate. */
  readonly certificate: WebhookCertificate;

  /**
   * Webhooks that accept or refuse objects.
   *
   * @default - none
   */
  readonly validating?: OperatorWebhook[];

  /**
   * Webhooks that change objects.
   *
   * @default - none
   */
  readonly mutating?: OperatorWebhook[];

  /**
   * True if the program also converts objects between the versions of their types, behind the same Service. Types must name the Service,
   * and the `Certificate` of the same name, in `CrdConversion.service` (`TC-OPERATOR-CONVERSION`).
   *
   * @default false
   */
  readonly conversion?: boolean;

  /**
   * Port that the program listens on (`TC-OPERATOR-PORT`).
   *
   * @default 9443
   */
  readonly port?: number;

  /**
   * Directory in which the program looks for `tls.crt` and `tls.key` (`TC-OPERATOR-VOLUME`).
   *
   * @default /tmp/k8s-webhook-server/serving-certs
   */
  readonly certificateDirectory?: string;

  /**
   * Arguments that enable them.
   *
   * @default - those of kubebuilder's programs: --webhook-cert-path with the directory, and --webhook-port for another port
   */
  readonly args?: string[];
}
