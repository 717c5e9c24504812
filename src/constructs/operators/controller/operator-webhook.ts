import { Duration } from 'cdk8s';
import { OperatorIssuerRef } from './operator-certificate';
import { OPERATOR_RULES } from './operator-rules';
import { WebhookLabelExpression, WebhookMatchCondition } from './webhook-filter';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { checkAnnotations } from '../../../manifests/values/labels';
import { Problem, problemIf, problemsOf } from '../../../manifests/values/problem';
import { checkCaBundle, encodeCaBundle, INJECT_CA } from '../custom-resource/crd-conversion';
import { ResourceType } from '../resource-type';

/** What is done with an object when a webhook is asked. */
export enum WebhookOperation {
  /** It is made. */
  CREATE = 'CREATE',

  /** It is changed. */
  UPDATE = 'UPDATE',

  /** It is removed. */
  DELETE = 'DELETE',
}

/** What happens when a webhook does not answer. */
export enum WebhookFailurePolicy {
  /** The request is refused. */
  FAIL = 'Fail',

  /** The request goes on. */
  IGNORE = 'Ignore',
}

/** Side effects of a webhook beside its answer. */
export enum WebhookSideEffects {
  /** Nothing. */
  NONE = 'None',

  /** Nothing on a dry run. */
  NONE_ON_DRY_RUN = 'NoneOnDryRun',
}

/** Which requests concern a webhook. */
export enum WebhookMatchPolicy {
  /** Those for the same objects in any version. */
  EQUIVALENT = 'Equivalent',

  /** Those for exactly these versions. */
  EXACT = 'Exact',
}

/** One webhook that the API server asks before it stores an object (`TC-OPERATOR-WEBHOOK`, `TC-ADMIT-KUBERNETES-WEBHOOK`). */
export interface OperatorWebhook {
  /** What objects it is asked about. */
  readonly type: ResourceType;

  /**
   * Versions in which it reads the objects.
   *
   * @default - the preferred version of the type
   */
  readonly versions?: string[];

  /**
   * What it is asked about.
   *
   * @default - CREATE and UPDATE
   */
  readonly operations?: WebhookOperation[];

  /**
   * Where it answers.
   *
   * @default - as controller-runtime serves it: /validate-stable-example-com-v1-crontab, /mutate-stable-example-com-v1-crontab
   */
  readonly path?: string;

  /**
   * Name of the webhook, a DNS name of at least three parts.
   *
   * @default - as kubebuilder writes it: vcrontab-v1.kb.io, mcrontab-v1.kb.io
   */
  readonly name?: string;

  /**
   * What happens when it does not answer.
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
   * Which requests concern it.
   *
   * @default WebhookMatchPolicy.EQUIVALENT
   */
  readonly matchPolicy?: WebhookMatchPolicy;

  /**
   * Versions of `AdmissionReview` that it knows, the preferred one first.
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
   * Labels that the namespace of an object must have. A webhook for pods needs such a selector, or the other one, that leaves out its own:
   * once it is down, they could not start (`TC-OPERATOR-WEBHOOK-OWN-PODS`, a warning).
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
   * Subresources that it is asked about in place of the object, e.g. `scale`; `*` for all of them.
   *
   * @default - the object itself
   */
  readonly subresources?: string[];
}

/**
 * Certificate of webhooks, and the authority by which the API server trusts it (`TC-OPERATOR-CERTIFICATE`).
 *
 * @example
 * const certificate = operators.WebhookCertificate.certManager({ name: 'platform-ca', clusterIssuer: true });
 */
export class WebhookCertificate {
  /**
   * cert-manager makes it and writes its authority into the webhook configurations. cert-manager must be in the cluster before the
   * operator: an addon that holds the operator requires `AddonCapability.CERTIFICATES`.
   *
   * @param issuer the issuer of cert-manager; a self-signed one of the operator's own where it is left out
   */
  public static certManager(issuer?: OperatorIssuerRef): WebhookCertificate {
    return new WebhookCertificate({ issuer });
  }

  /**
   * A Secret of type `kubernetes.io/tls` in the operator's namespace holds it.
   *
   * @param secretName name of the Secret
   * @param caBundle certificates, in PEM form, that it is signed by
   */
  public static secret(secretName: string, caBundle: string): WebhookCertificate {
    return new WebhookCertificate({ secretName, caBundle });
  }

  /**
   * A Secret of type `kubernetes.io/tls` in the operator's namespace holds it, and something else writes the authority into the webhook
   * configurations: the program itself, or a controller that an annotation tells to, such as `cert-manager.io/inject-ca-from-secret`.
   *
   * @param secretName name of the Secret
   * @param annotations annotations of the webhook configurations
   */
  public static caFromElsewhere(secretName: string, annotations: { [key: string]: string } = {}): WebhookCertificate {
    return new WebhookCertificate({ secretName, annotations });
  }

  /** @internal */
  public readonly _byCertManager: boolean;

  /** @internal */
  public readonly _issuer?: OperatorIssuerRef;

  private readonly secretName?: string;
  private readonly caBundle?: string;
  private readonly annotations?: { readonly [key: string]: string };

  private constructor(source: {
    readonly issuer?: OperatorIssuerRef;
    readonly secretName?: string;
    readonly caBundle?: string;
    readonly annotations?: { readonly [key: string]: string };
  }) {
    this._byCertManager = source.secretName === undefined;
    this._issuer = source.issuer;
    this.secretName = source.secretName;
    this.caBundle = source.caBundle;
    this.annotations = source.annotations;
  }

  /** @internal */
  public _secretName(operator: string): string {
    return this.secretName ?? `${operator}-webhook-cert`;
  }

  /** @internal */
  public _annotations(namespace: string, certificate: string): { [key: string]: string } | undefined {
    return this._byCertManager ? { [INJECT_CA]: `${namespace}/${certificate}` } : this.annotations && { ...this.annotations };
  }

  /** @internal */
  public get _caBundle(): string | undefined {
    return this.caBundle === undefined ? undefined : encodeCaBundle(this.caBundle);
  }

  /** @internal */
  public _check(property: string): Problem[] {
    const { secretName, caBundle } = this;
    return [
      ...problemIf(OPERATOR_RULES.certificate, `${property}.secretName`, secretName === undefined ? undefined : checkDnsSubdomain(secretName), 'give its name'),
      ...problemsOf(OPERATOR_RULES.certificate, `${property}.annotations`, checkAnnotations(this.annotations ?? {})),
      ...problemIf(OPERATOR_RULES.certificate, `${property}.issuer`, this._issuer && checkDnsSubdomain(this._issuer.name), 'give the name of the issuer'),
      ...problemIf(OPERATOR_RULES.certificate, `${property}.caBundle`, caBundle === undefined ? undefined : checkCaBundle(caBundle), 'give certificates in PEM form'),
    ];
  }
}

/** The webhooks of an operator, behind a Service `<name>-webhook`. */
export interface OperatorWebhooks {
  /** Where their certificate comes from. */
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
   * True if the program converts objects between the versions of their types, too, behind the same Service. Types name it, and the
   * `Certificate`, which is called like the Service, in `CrdConversion.service` (`TC-OPERATOR-CONVERSION`).
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
   * Arguments that switch them on.
   *
   * @default - --webhook-cert-path with the directory, as kubebuilder's programs read it; --webhook-port too for another port
   */
  readonly args?: string[];
}
