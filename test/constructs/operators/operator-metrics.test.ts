import { Duration } from 'cdk8s';
import * as fc from 'fast-check';
import { FOOS, only, operatorObjects, operatorProblems } from './operators';
import { MetricsCertificate, WebhookCertificate } from '../../../src/constructs/operators/controller/operator-certificate';
import { OperatorMetrics } from '../../../src/constructs/operators/controller/operator-metrics';
import { OperatorProps } from '../../../src/constructs/operators/controller/operator-props';
import { Manifest } from '../../support/clusters';

const CERTIFICATE = MetricsCertificate.certManager();
const SCRAPED: OperatorMetrics = { certificate: CERTIFICATE, serviceMonitor: {} };

function monitorOf(metrics: OperatorMetrics): Manifest {
  return only(operatorObjects({ metrics }), 'ServiceMonitor');
}

test('Prometheus checks the certificate that cert-manager makes, and shows its token', () => {
  const { metadata, spec } = monitorOf(SCRAPED);

  expect(metadata).toEqual({
    name: 'foo-operator-metrics', namespace: 'foo-system', labels: { 'app.kubernetes.io/name': 'foo-operator', 'control-plane': 'controller-manager' },
  });
  expect(spec.endpoints).toEqual([{
    port: 'https',
    path: '/metrics',
    scheme: 'https',
    bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
    tlsConfig: { ca: { secret: { name: 'foo-operator-metrics-cert', key: 'ca.crt' } }, insecureSkipVerify: false, serverName: 'foo-operator-metrics.foo-system.svc' },
  }]);
});

test('a certificate that the program makes is taken as it is, when the user has said so', () => {
  expect(monitorOf({ serviceMonitor: { insecureSkipVerify: true } }).spec.endpoints[0].tlsConfig).toEqual({ insecureSkipVerify: true });
});

test('metrics for everybody are read without token and TLS', () => {
  expect(monitorOf({ authenticated: false, serviceMonitor: {} }).spec.endpoints).toEqual([{ port: 'http', path: '/metrics', scheme: 'http' }]);
});

test('labels let a Prometheus select it, and the interval is in seconds', () => {
  const { metadata, spec } = monitorOf({ ...SCRAPED, serviceMonitor: { labels: { release: 'prometheus' }, interval: Duration.minutes(2) } });

  expect(metadata.labels).toMatchObject({ 'release': 'prometheus', 'control-plane': 'controller-manager' });
  expect(spec.endpoints[0].interval).toBe('120s');
});

test('whatever the metrics are, it finds their Service alone, and trusts the name and the certificate that they are served with', () => {
  const metrics = fc.record({
    port: fc.integer({ min: 1024, max: 8000 }),
    authenticated: fc.boolean(),
    certificate: fc.option(fc.constantFrom(CERTIFICATE, MetricsCertificate.certManager({ name: 'company', clusterIssuer: true }), MetricsCertificate.secret('own')), { nil: undefined }),
    seconds: fc.option(fc.integer({ min: 1, max: 86400 }), { nil: undefined }),
  });
  fc.assert(fc.property(metrics, ({ port, authenticated, certificate, seconds }) => {
    const used = authenticated ? certificate : undefined;
    const props: Partial<OperatorProps> = {
      metrics: {
        port,
        authenticated,
        certificate: used,
        serviceMonitor: { insecureSkipVerify: authenticated && !used, interval: seconds === undefined ? undefined : Duration.seconds(seconds) },
      },
      webhooks: { certificate: WebhookCertificate.certManager(), validating: [{ type: FOOS }] },
    };
    expect(operatorProblems(props)).toEqual([]);

    const objects = operatorObjects(props);
    const { selector: { matchLabels }, endpoints: [endpoint] } = only(objects, 'ServiceMonitor').spec;
    const selected = (labels: Manifest) => Object.keys(matchLabels).every((key) => labels[key] === matchLabels[key]);
    const found = objects.filter(({ kind, metadata }) => kind === 'Service' && selected(metadata.labels));
    expect(found.map(({ metadata }) => metadata.name)).toEqual(['foo-operator-metrics']);
    expect(found[0].spec.ports).toEqual([expect.objectContaining({ name: endpoint.port, port, targetPort: 'metrics' })]);
    expect(endpoint.interval).toBe(seconds === undefined ? undefined : `${seconds}s`);

    const { ca, serverName } = endpoint.tlsConfig ?? {};
    const { volumes } = only(objects, 'Deployment').spec.template.spec;
    const mounted = volumes.find(({ name }: Manifest) => name === 'metrics-cert');
    expect(ca?.secret.name).toBe(mounted?.secret.secretName);
    const made = objects.find(({ kind, spec }) => kind === 'Certificate' && spec.secretName === ca?.secret.name);
    if (made) expect(made.spec.dnsNames).toContain(serverName);
    expect(made !== undefined).toBe(used !== undefined && ca.secret.name !== 'own');
  }), { numRuns: 60 });
});

describe('a certificate of the metrics', () => {
  test('is mounted where the program looks for it', () => {
    const [container] = only(operatorObjects({ metrics: { certificate: CERTIFICATE } }), 'Deployment').spec.template.spec.containers;

    expect(container.args).toEqual(['--metrics-bind-address=:8443', '--metrics-cert-path=/tmp/k8s-metrics-server/metrics-certs']);
    expect(container.volumeMounts).toEqual([{ name: 'metrics-cert', mountPath: '/tmp/k8s-metrics-server/metrics-certs', readOnly: true }]);
  });

  test('comes from the issuer that is named, or from the operator\'s own, which webhooks share', () => {
    const webhooks = { certificate: WebhookCertificate.certManager(), validating: [{ type: FOOS }] };
    const own = operatorObjects({ metrics: { certificate: CERTIFICATE }, webhooks });
    const named = operatorObjects({ metrics: { certificate: MetricsCertificate.certManager({ name: 'company' }) } });

    expect(own.filter(({ kind }) => kind === 'Certificate').map(({ metadata, spec }) => [metadata.name, spec.secretName, spec.issuerRef.name])).toEqual([
      ['foo-operator-metrics', 'foo-operator-metrics-cert', 'foo-operator-selfsigned'], ['foo-operator-webhook', 'foo-operator-webhook-cert', 'foo-operator-selfsigned'],
    ]);
    expect(only(own, 'Issuer').metadata.name).toBe('foo-operator-selfsigned');
    expect(only(named, 'Certificate').spec.issuerRef).toEqual({ group: 'cert-manager.io', kind: 'Issuer', name: 'company' });
    expect(named.filter(({ kind }) => kind === 'Issuer')).toEqual([]);
  });

  test('may be in a Secret of one\'s own, in a directory of one\'s own', () => {
    const objects = operatorObjects({ metrics: { certificate: MetricsCertificate.secret('own'), certificateDirectory: '/certs' } });
    const { containers: [container], volumes } = only(objects, 'Deployment').spec.template.spec;

    expect(volumes).toEqual([{ name: 'metrics-cert', secret: { secretName: 'own', defaultMode: 0o440 } }]);
    expect(container.args).toContain('--metrics-cert-path=/certs');
    expect(container.volumeMounts[0].mountPath).toBe('/certs');
    expect(objects.filter(({ kind }) => /Certificate|Issuer/.test(kind))).toEqual([]);
  });
});

test('without a ServiceMonitor the Service has the labels of the operator alone', () => {
  expect(only(operatorObjects({ metrics: {} }), 'Service').metadata.labels).toEqual({ 'app.kubernetes.io/name': 'foo-operator', 'control-plane': 'controller-manager' });
});
