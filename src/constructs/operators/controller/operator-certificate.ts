import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { GROUP_READABLE } from './operator-container';
import { OperatorIdentity } from './operator-identity';
import { Certificate, Issuer } from '../../../../imports/cert-manager.io';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { checkCaBundle, encodeCaBundle, INJECT_CA } from '../custom-resource/crd-conversion';

/** An issuer of cert-manager. */
export interface OperatorIssuerRef {
  /** Name of the issuer (`TC-OPERATOR-CERTIFICATE`). */
  readonly name: string;

  /**
   * True if it is a `ClusterIssuer`. An `Issuer` is in the namespace of the operator.
   *
   * @default false
   */
  readonly clusterIssuer?: boolean;
}

/** The rule for the certificates of webhooks and metrics. */
export const CERTIFICATE_RULE: Rule = {
  id: 'TC-OPERATOR-CERTIFICATE',
  title: 'Certificates must have an existing issuer or Secret by name; that of webhooks must have readable authorities, and that of metrics requires TLS.',
  source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/certmanager',
};

/**
 * Certificate for the metrics endpoint (`TC-OPERATOR-CERTIFICATE`).
 *
 * @example
 * const metrics = { certificate: operators.MetricsCertificate.certManager() };
 */
export class MetricsCertificate {
  /**
   * cert-manager issues it. cert-manager must be in the cluster before the operator: an addon that holds the operator requires
   * `AddonCapability.CERTIFICATES`.
   *
   * @param issuer the issuer of cert-manager; default: a self-signed one of the operator's own
   */
  public static certManager(issuer?: OperatorIssuerRef): MetricsCertificate {
    return new MetricsCertificate(undefined, issuer);
  }

  /**
   * A Secret of type `kubernetes.io/tls` in the operator's namespace holds it, for the name `<name>-metrics.<namespace>.svc`, and the
   * authority that signed it under `ca.crt`, which a ServiceMonitor reads.
   *
   * @param secretName name of the Secret
   */
  public static secret(secretName: string): MetricsCertificate {
    return new MetricsCertificate(secretName);
  }

  /** @internal */
  public readonly _byCertManager: boolean;

  private constructor(
    private readonly secretName: string | undefined,
    /** @internal */ public readonly _issuer?: OperatorIssuerRef,
  ) {
    this._byCertManager = secretName === undefined;
  }

  /** @internal */
  public _secretName(operator: string): string {
    return this.secretName ?? `${operator}-metrics-cert`;
  }

  /** @internal */
  public _check(property: string): Problem[] {
    return checkNames(property, this.secretName, this._issuer);
  }
}

/**
 * Certificate of webhooks, and the authority by which the API server trusts it (`TC-OPERATOR-CERTIFICATE`).
 *
 * @example
 * const certificate = operators.WebhookCertificate.certManager({ name: 'platform-ca', clusterIssuer: true });
 */
export class WebhookCertificate {
  /**
   * cert-manager issues it and writes its authority into the webhook configurations. cert-manager must be in the cluster before the
   * operator: an addon that holds the operator requires `AddonCapability.CERTIFICATES`.
   *
   * @param issuer the issuer of cert-manager; default: a self-signed one of the operator's own
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

  private constructor(
    private readonly source: {
      readonly issuer?: OperatorIssuerRef;
      readonly secretName?: string;
      readonly caBundle?: string;
      readonly annotations?: { readonly [key: string]: string };
    },
  ) {
    this._byCertManager = source.secretName === undefined;
  }

  /** @internal */
  public get _issuer(): OperatorIssuerRef | undefined {
    return this.source.issuer;
  }

  /** @internal */
  public _secretName(operator: string): string {
    return this.source.secretName ?? `${operator}-webhook-cert`;
  }

  /** @internal */
  public _annotations(namespace: string, certificate: string): { readonly [key: string]: string } | undefined {
    return this._byCertManager ? { [INJECT_CA]: `${namespace}/${certificate}` } : this.source.annotations;
  }

  /** @internal */
  public get _caBundle(): string | undefined {
    return this.source.caBundle === undefined ? undefined : encodeCaBundle(this.source.caBundle);
  }

  /** @internal */
  public _check(property: string): Problem[] {
    const { secretName, issuer, caBundle } = this.source;
    return [
      ...checkNames(property, secretName, issuer),
      ...problemIf(CERTIFICATE_RULE, `${property}.caBundle`, caBundle === undefined ? undefined : checkCaBundle(caBundle), 'give certificates in PEM form'),
    ];
  }
}

function checkNames(property: string, secretName: string | undefined, issuer: OperatorIssuerRef | undefined): Problem[] {
  return [
    ...problemIf(CERTIFICATE_RULE, `${property}.secretName`, secretName === undefined ? undefined : checkDnsSubdomain(secretName), 'give its name'),
    ...problemIf(CERTIFICATE_RULE, `${property}.issuer`, issuer && checkDnsSubdomain(issuer.name), 'give the name of the issuer'),
  ];
}

/** The volume of a certificate, and its mount in a container. */
export interface CertificateMount {
  /** Property of the operator that has the certificate. */
  readonly feature: string;

  readonly volume: k8s.Volume;
  readonly mount: k8s.VolumeMount;
}

/** A Service whose certificate is issued. */
interface CertifiedService {
  /** Id of the construct. */
  readonly id: string;

  /** Name of the Service, and of the `Certificate`. */
  readonly service: string;

  readonly secretName: string;

  /** Absent for a self-signed one of the operator's own. */
  readonly issuer?: OperatorIssuerRef;
}

/** DNS names of a Service (kubernetes-sigs/kubebuilder testdata/project-v4/config/certmanager). */
export function serviceHosts(service: string, { namespace }: OperatorIdentity): [short: string, full: string] {
  return [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`];
}

/** The mount of a Secret with a certificate. */
export function certificateMount(feature: string, name: string, secretName: string, mountPath: string): CertificateMount {
  return { feature, volume: { name, secret: { secretName, defaultMode: GROUP_READABLE } }, mount: { name, mountPath, readOnly: true } };
}

/** Adds the `Certificate` for a Service of the operator, and the operator's own `Issuer` if it needs one. */
export function addCertificate(scope: Construct, identity: OperatorIdentity, { id, service, secretName, issuer }: CertifiedService): void {
  const { name, namespace, labels } = identity;
  const own = `${name}-selfsigned`;
  if (!issuer && !scope.node.tryFindChild('Issuer')) new Issuer(scope, 'Issuer', { metadata: { name: own, namespace, labels }, spec: { selfSigned: {} } });
  new Certificate(scope, id, {
    metadata: { name: service, namespace, labels },
    spec: {
      dnsNames: serviceHosts(service, identity),
      issuerRef: { group: 'cert-manager.io', kind: issuer?.clusterIssuer ? 'ClusterIssuer' : 'Issuer', name: issuer?.name ?? own },
      secretName,
    },
  });
}
