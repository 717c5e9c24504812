import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import {
  addCertificate, CERTIFICATE_RULE, CertificateMount, certificateMount, MetricsCertificate, serviceHosts,
} from './operator-certificate';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { Problem, problemIf, problemsOf, Rule } from '../../../manifests/values/problem';
import { ownLabels } from '../../addons/controllers/controller-checks';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';

/**
 * Discovery of the metrics by a Prometheus of prometheus-operator. The definitions of `monitoring.coreos.com` must be in the cluster before the
 * operator: an addon that holds the operator requires `AddonCapability.PROMETHEUS_OPERATOR_CRDS`.
 *
 * If metrics are authenticated, Prometheus sends the token of its ServiceAccount, which you bind to the ClusterRole
 * `<namespace>.<name>.metrics-reader`. It reads the token from a file: a Prometheus whose `arbitraryFSAccessThroughSMs` denies that ignores
 * the ServiceMonitor.
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
   * @default - the interval of Prometheus
   */
  readonly interval?: Duration;

  /**
   * True if Prometheus accepts any certificate, as it must if the program generates one itself: an attacker in between can then read the
   * token of Prometheus. Metrics with a `certificate` do not need it (`TC-OPERATOR-SERVICE-MONITOR`).
   *
   * @default false
   */
  readonly insecureSkipVerify?: boolean;
}

/** The metrics endpoint of a controller, behind a Service `<name>-metrics`. */
export interface OperatorMetrics {
  /**
   * Port of the endpoint, and of the Service (`TC-OPERATOR-PORT`).
   *
   * @default 8443
   */
  readonly port?: number;

  /**
   * True if the program serves HTTPS and authorizes clients through the API server: the operator then gets the right to do so, and a
   * ClusterRole `<namespace>.<name>.metrics-reader` for you to bind grants access. Otherwise every client that reaches the port can read.
   *
   * @default true
   */
  readonly authenticated?: boolean;

  /**
   * Certificate of authenticated metrics (`TC-OPERATOR-CERTIFICATE`).
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
   * Arguments that enable it.
   *
   * @default - those of kubebuilder's programs: --metrics-bind-address with the port, --metrics-secure=false without authentication and
   * --metrics-cert-path with the directory of a certificate
   */
  readonly args?: string[];
}

/** The metrics with their defaults. */
export function metricsOf(metrics: OperatorMetrics) {
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

/** Name of the container port of metrics. */
export const METRICS_PORT = 'metrics';

/** Path of the token of Prometheus' ServiceAccount. */
const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** The mount of the certificate of metrics; none if the program generates one. */
export function metricsMounts(metrics: OperatorMetrics, { name }: OperatorIdentity): CertificateMount[] {
  const { certificate, certificateDirectory } = metricsOf(metrics);
  return certificate ? [certificateMount('metrics', 'metrics-cert', certificate._secretName(name), certificateDirectory)] : [];
}

/** Adds the Service, its certificate and the ServiceMonitor. */
export function addMetrics(scope: Construct, identity: OperatorIdentity, metrics: OperatorMetrics): void {
  const { name, namespace } = identity;
  const { port, authenticated, certificate, serviceMonitor } = metricsOf(metrics);
  const service = serviceName(identity);
  new TypedApiObject(scope, 'MetricsService', { apiVersion: 'v1', kind: 'Service' }, {
    metadata: { name: service, namespace, labels: serviceMonitor ? monitoredLabels(identity) : identity.labels },
    spec: {
      type: 'ClusterIP',
      ports: [{ name: schemeOf(authenticated), port, protocol: 'TCP', targetPort: METRICS_PORT }],
      selector: selectorOf(name),
    },
  });
  if (certificate?._byCertManager) addCertificate(scope, identity, { id: 'MetricsCertificate', service, secretName: certificate._secretName(name), issuer: certificate._issuer });
  if (serviceMonitor) addServiceMonitor(scope, identity, metrics, serviceMonitor);
}

function addServiceMonitor(scope: Construct, identity: OperatorIdentity, metrics: OperatorMetrics, monitor: OperatorServiceMonitor): void {
  const { labels, interval } = monitor;
  const { authenticated } = metricsOf(metrics);
  const object = new TypedApiObject(scope, 'ServiceMonitor', { apiVersion: 'monitoring.coreos.com/v1', kind: 'ServiceMonitor' }, {
    metadata: { name: serviceName(identity), namespace: identity.namespace, labels: { ...labels, ...identity.labels } },
    spec: {
      endpoints: [{
        port: schemeOf(authenticated),
        path: '/metrics',
        scheme: schemeOf(authenticated),
        interval: interval && `${secondsOf(interval)}s`,
        ...(authenticated && { bearerTokenFile: TOKEN_FILE, tlsConfig: tlsConfig(identity, metrics) }),
      }],
      selector: { matchLabels: monitoredLabels(identity) },
    },
  });
  FieldSources.record(object, scope, Object.fromEntries(Object.keys(labels ?? {}).map((key) => (
    [`metadata.labels["${key}"]`, `metrics.serviceMonitor.labels["${key}"]`]))) as { [field: string]: string });
}

/** TLS settings of Prometheus. kubebuilder's patch adds the certificate's key, as of a client, which controller-runtime does not need. */
function tlsConfig(identity: OperatorIdentity, { certificate }: OperatorMetrics): object {
  if (!certificate) return { insecureSkipVerify: true };
  const [serverName] = serviceHosts(serviceName(identity), identity);
  return { ca: { secret: { name: certificate._secretName(identity.name), key: 'ca.crt' } }, insecureSkipVerify: false, serverName };
}

function serviceName({ name }: OperatorIdentity): string {
  return `${name}-metrics`;
}

/** Labels that distinguish the Service from that of webhooks, which has a port of the same name and the labels of the operator, too. */
function monitoredLabels({ labels }: OperatorIdentity): { [key: string]: string } {
  return { ...labels, 'app.kubernetes.io/component': 'metrics' };
}

function schemeOf(authenticated: boolean): string {
  return authenticated ? 'https' : 'http';
}

function secondsOf(interval: Duration): number {
  return interval.toSeconds({ integral: false });
}

/** Checks the metrics of an operator except for their port. */
export function checkMetrics(identity: OperatorIdentity, metrics: OperatorMetrics | undefined): Problem[] {
  if (!metrics) return [];
  const { authenticated, certificate, serviceMonitor } = metricsOf(metrics);
  const problem = (property: string, message: string | undefined, fix: string) => problemIf(CERTIFICATE_RULE, `metrics.${property}`, message, fix);
  return [
    ...certificate?._check('metrics.certificate') ?? [],
    ...problem('certificate', certificate && !authenticated ? 'metrics without authentication are served without TLS' : undefined, 'leave one of the two out'),
    ...problem('certificateDirectory', metrics.certificateDirectory !== undefined && !certificate ? 'there is no certificate for it' : undefined,
      'give certificate too, or leave it out'),
    ...(serviceMonitor ? checkServiceMonitor(identity, metrics, serviceMonitor) : []),
  ];
}

const SERVICE_MONITOR_RULE: Rule = {
  id: 'TC-OPERATOR-SERVICE-MONITOR',
  title: 'A ServiceMonitor must have valid labels, an interval in whole seconds, and a certificate that Prometheus can verify or insecureSkipVerify.',
  source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/prometheus',
};

function checkServiceMonitor({ labels: own }: OperatorIdentity, metrics: OperatorMetrics, monitor: OperatorServiceMonitor): Problem[] {
  const { labels = {}, interval, insecureSkipVerify = false } = monitor;
  const { authenticated, certificate } = metricsOf(metrics);
  const problem = (property: string, message: string | undefined, fix: string) => problemIf(
    SERVICE_MONITOR_RULE, `metrics.serviceMonitor.${property}`, message, fix,
  );
  const seconds = interval && secondsOf(interval);
  const unchecked = authenticated && !certificate && !insecureSkipVerify;
  const needless = insecureSkipVerify && (!authenticated || certificate);
  return [
    ...problemsOf(SERVICE_MONITOR_RULE, 'metrics.serviceMonitor.labels', ownLabels(labels, Object.keys(own))),
    ...problem('interval', seconds === undefined || (Number.isInteger(seconds) && seconds >= 1) ? undefined : `${seconds} seconds are not possible`, 'give whole seconds from 1'),
    ...problem('insecureSkipVerify', unchecked ? 'Prometheus cannot check a certificate that the program makes itself' : undefined,
      'give metrics.certificate, or set insecureSkipVerify: true'),
    ...problem('insecureSkipVerify', needless ? `there is ${certificate ? 'a certificate that can be checked' : 'no TLS'}` : undefined, 'leave it out'),
  ];
}
