import type { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { addCertificate, CertificateMount, certificateMount, serviceHosts } from './operator-certificate';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { metricsOf, OperatorMetrics, OperatorServiceMonitor } from './operator-metrics';
import { OPERATOR_RULES } from './operator-rules';
import { Problem, problemIf, problemsOf } from '../../../manifests/values/problem';
import { ownLabels } from '../../addons/controllers/controller-checks';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';

/** Port of the metrics, as the Service names it. */
export const METRICS_PORT = 'metrics';

/** Where Prometheus has the token of its ServiceAccount. */
const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** What a container needs to serve metrics with a certificate that it has not made; nothing without one. */
export function metricsMounts(metrics: OperatorMetrics, { name }: OperatorIdentity): CertificateMount[] {
  const { certificate, certificateDirectory } = metricsOf(metrics);
  return certificate ? [certificateMount('metrics', 'metrics-cert', certificate._secretName(name), certificateDirectory)] : [];
}

/** Makes the Service, its certificate and the ServiceMonitor. */
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
        ...(interval && { interval: `${secondsOf(interval)}s` }),
        ...(authenticated && { bearerTokenFile: TOKEN_FILE, tlsConfig: tlsConfig(identity, metrics) }),
      }],
      selector: { matchLabels: monitoredLabels(identity) },
    },
  });
  FieldSources.record(object, scope, Object.fromEntries(Object.keys(labels ?? {}).map((key) => (
    [`metadata.labels["${key}"]`, `metrics.serviceMonitor.labels["${key}"]`]))) as { [field: string]: string });
}

/**
 * How Prometheus checks whom it reads from. kubebuilder's patch hands it the key of the certificate, too, as if it were a client's;
 * controller-runtime asks for none.
 */
function tlsConfig(identity: OperatorIdentity, { certificate }: OperatorMetrics): object {
  if (!certificate) return { insecureSkipVerify: true };
  const [serverName] = serviceHosts(serviceName(identity), identity);
  return { ca: { secret: { name: certificate._secretName(identity.name), key: 'ca.crt' } }, insecureSkipVerify: false, serverName };
}

function serviceName({ name }: OperatorIdentity): string {
  return `${name}-metrics`;
}

/** Labels that a ServiceMonitor tells the Service by: that of webhooks has a port of the same name, and the labels of the operator, too. */
function monitoredLabels({ labels }: OperatorIdentity): { [key: string]: string } {
  return { ...labels, 'app.kubernetes.io/component': 'metrics' };
}

function schemeOf(authenticated: boolean): string {
  return authenticated ? 'https' : 'http';
}

function secondsOf(interval: Duration): number {
  return interval.toSeconds({ integral: false });
}

/** Checks the metrics of an operator, their port apart. */
export function checkMetrics(identity: OperatorIdentity, metrics: OperatorMetrics | undefined): Problem[] {
  if (!metrics) return [];
  const { authenticated, certificate, serviceMonitor } = metricsOf(metrics);
  const problem = (property: string, message: string | undefined, fix: string) => problemIf(OPERATOR_RULES.certificate, `metrics.${property}`, message, fix);
  return [
    ...certificate?._check('metrics.certificate') ?? [],
    ...problem('certificate', certificate && !authenticated ? 'metrics without authentication are served without TLS' : undefined, 'leave one of the two out'),
    ...problem('certificateDirectory', metrics.certificateDirectory !== undefined && !certificate ? 'there is no certificate for it' : undefined,
      'give certificate too, or leave it out'),
    ...(serviceMonitor ? checkServiceMonitor(identity, metrics, serviceMonitor) : []),
  ];
}

function checkServiceMonitor({ labels: own }: OperatorIdentity, metrics: OperatorMetrics, monitor: OperatorServiceMonitor): Problem[] {
  const { labels = {}, interval, insecureSkipVerify = false } = monitor;
  const { authenticated, certificate } = metricsOf(metrics);
  const problem = (property: string, message: string | undefined, fix: string) => problemIf(
    OPERATOR_RULES.serviceMonitor, `metrics.serviceMonitor.${property}`, message, fix,
  );
  const seconds = interval && secondsOf(interval);
  const unchecked = authenticated && !certificate && !insecureSkipVerify;
  const needless = insecureSkipVerify && (!authenticated || certificate);
  return [
    ...problemsOf(OPERATOR_RULES.serviceMonitor, 'metrics.serviceMonitor.labels', ownLabels(labels, Object.keys(own))),
    ...problem('interval', seconds === undefined || (Number.isInteger(seconds) && seconds >= 1) ? undefined : `${seconds} seconds are not possible`, 'give whole seconds from 1'),
    ...problem('insecureSkipVerify', unchecked ? 'Prometheus cannot check a certificate that the program makes itself' : undefined,
      'give metrics.certificate, or set insecureSkipVerify: true'),
    ...problem('insecureSkipVerify', needless ? `there is ${certificate ? 'a certificate that can be checked' : 'no TLS'}` : undefined, 'leave it out'),
  ];
}
