import { Duration } from 'cdk8s';
import { OperatorIssuerRef } from './operator-certificate';
import { OPERATOR_RULES } from './operator-rules';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, problemIf } from '../../../manifests/values/problem';

/**
 * Certificate for the metrics endpoint (`TC-OPERATOR-CERTIFICATE`).
 *
 * @example
 * const metrics = { certificate: operators.MetricsCertificate.certManager() };
 */
export class MetricsCertificate {
  /**
   * cert-manager makes it. cert-manager must be in the cluster before the operator: an addon that holds the operator requires
   * `AddonCapability.CERTIFICATES`.
   *
   * @param issuer the issuer of cert-manager; a self-signed one of the operator's own where it is left out
   */
  public static certManager(issuer?: OperatorIssuerRef): MetricsCertificate {
    return new MetricsCertificate(undefined, issuer);
  }

  /**
   * A Secret of type `kubernetes.io/tls` in the operator's namespace holds it, for the name `<name>-metrics.<namespace>.svc`. What it is
   * signed by stands under `ca.crt`, where a ServiceMonitor looks for it.
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
    const { secretName, _issuer: issuer } = this;
    return [
      ...problemIf(OPERATOR_RULES.certificate, `${property}.secretName`, secretName === undefined ? undefined : checkDnsSubdomain(secretName), 'give its name'),
      ...problemIf(OPERATOR_RULES.certificate, `${property}.issuer`, issuer && checkDnsSubdomain(issuer.name), 'give the name of the issuer'),
    ];
  }
}

/**
 * How a Prometheus of prometheus-operator finds the metrics. The definitions of `monitoring.coreos.com` must be in the cluster before the
 * operator: an addon that holds the operator requires `AddonCapability.PROMETHEUS_OPERATOR_CRDS`.
 *
 * Where metrics are authenticated, Prometheus shows the token of its ServiceAccount, which you bind to the ClusterRole
 * `<namespace>.<name>.metrics-reader`. It reads the token from a file of its own: a Prometheus whose `arbitraryFSAccessThroughSMs` denies
 * that passes over the ServiceMonitor.
 *
 * Source: kubernetes-sigs/kubebuilder testdata/project-v4/config/prometheus.
 */
export interface OperatorServiceMonitor {
  /**
   * Further labels of the ServiceMonitor, by which a Prometheus selects it, e.g. `release: kube-prometheus-stack`
   * (`TC-OPERATOR-SERVICE-MONITOR`).
   *
   * @default - the operator's own
   */
  readonly labels?: { [key: string]: string };

  /**
   * Interval at which the metrics are read, in whole seconds (`TC-OPERATOR-SERVICE-MONITOR`).
   *
   * @default - as often as Prometheus reads others
   */
  readonly interval?: Duration;

  /**
   * True if Prometheus takes any certificate, as it must where the program makes one itself: an attacker in between can then read the
   * token that Prometheus shows. Metrics with a `certificate` need it not (`TC-OPERATOR-SERVICE-MONITOR`).
   *
   * @default false
   */
  readonly insecureSkipVerify?: boolean;
}

/** How the metrics of a controller are reached, through a Service `<name>-metrics`. */
export interface OperatorMetrics {
  /**
   * Port of the endpoint, and of the Service (`TC-OPERATOR-PORT`).
   *
   * @default 8443
   */
  readonly port?: number;

  /**
   * True if the program serves HTTPS and asks the API server who may read: the operator then gets the right to ask, and a ClusterRole
   * `<namespace>.<name>.metrics-reader` holds the right to read, for whom you bind to it. Otherwise every client that reaches the port can read.
   *
   * @default true
   */
  readonly authenticated?: boolean;

  /**
   * Where the certificate comes from that authenticated metrics are served with (`TC-OPERATOR-CERTIFICATE`).
   *
   * @default - the program generates one itself, which clients cannot verify
   */
  readonly certificate?: MetricsCertificate;

  /**
   * Directory in which the program looks for `tls.crt` and `tls.key` of the `certificate` (`TC-OPERATOR-VOLUME`).
   *
   * @default /tmp/k8s-metrics-server/metrics-certs
   */
  readonly certificateDirectory?: string;

  /**
   * A ServiceMonitor, by which Prometheus finds the metrics (`TC-OPERATOR-SERVICE-MONITOR`).
   *
   * @default - none
   */
  readonly serviceMonitor?: OperatorServiceMonitor;

  /**
   * Arguments that switch it on.
   *
   * @default - --metrics-bind-address with the port, --metrics-secure=false without authentication and --metrics-cert-path with the
   * directory of a certificate, as kubebuilder's programs read it
   */
  readonly args?: string[];
}

/** The metrics with their defaults. */
export interface MetricsSettings extends OperatorMetrics {
  readonly port: number;
  readonly authenticated: boolean;
  readonly certificateDirectory: string;
  readonly args: string[];
}

/** The metrics with their defaults. */
export function metricsOf(metrics: OperatorMetrics): MetricsSettings {
  const { port = 8443, authenticated = true, certificate, certificateDirectory = '/tmp/k8s-metrics-server/metrics-certs', args } = metrics;
  return {
    ...metrics,
    port,
    authenticated,
    certificateDirectory,
    args: args ?? [
      `--metrics-bind-address=:${port}`, ...(authenticated ? [] : ['--metrics-secure=false']), ...(certificate ? [`--metrics-cert-path=${certificateDirectory}`] : []),
    ],
  };
}
