import * as fc from 'fast-check';
import { FOOS, only, operatorObjects, operatorProblems } from './operators';
import { OperatorNetworkPolicy } from '../../../src/constructs/operators/controller/network-policy';
import { WebhookCertificate } from '../../../src/constructs/operators/controller/operator-certificate';
import { OperatorProps } from '../../../src/constructs/operators/controller/operator-props';
import { Manifest } from '../../support/clusters';
import { amount } from '../../support/sample';

const WEBHOOKS = { certificate: WebhookCertificate.certManager(), validating: [{ type: FOOS }] };
const BOTH: Partial<OperatorProps> = { health: {}, metrics: {}, webhooks: WEBHOOKS };

function policyOf(networkPolicy: OperatorNetworkPolicy, props: Partial<OperatorProps> = BOTH): Manifest {
  return only(operatorObjects({ ...props, networkPolicy }), 'NetworkPolicy').spec;
}

test('is about the operator\'s pods, and about nothing that they reach', () => {
  const objects = operatorObjects({ ...BOTH, networkPolicy: {} });
  const { metadata, spec } = only(objects, 'NetworkPolicy');

  expect(metadata).toMatchObject({ name: 'foo-operator', namespace: 'foo-system' });
  expect(spec.policyTypes).toEqual(['Ingress']);
  expect(spec.podSelector).toEqual(only(objects, 'Deployment').spec.selector);
});

test('lets in kubebuilder\'s namespaces to the metrics, and everybody to the webhooks, by the ports of the pod', () => {
  expect(policyOf({}).ingress).toEqual([
    { from: [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } }, podSelector: {} }], ports: [{ port: 8443, protocol: 'TCP' }] },
    { ports: [{ port: 9443, protocol: 'TCP' }] },
  ]);
});

test('lets in other namespaces when told so, all of them for no labels', () => {
  expect(policyOf({ metricsNamespaceLabels: {}, webhookNamespaceLabels: { webhook: 'enabled' } }).ingress.map(({ from }: Manifest) => from)).toEqual([
    [{ namespaceSelector: {}, podSelector: {} }], [{ namespaceSelector: { matchLabels: { webhook: 'enabled' } }, podSelector: {} }],
  ]);
});

test('lets in nobody where there is nothing to reach', () => {
  expect(policyOf({}, { health: {} })).not.toHaveProperty('ingress');
});

/** True if a NetworkPolicy lets pods of a namespace with these labels in to a port. */
function letsIn({ ingress = [] }: Manifest, labels: Manifest, port: number): boolean {
  return ingress.some(({ from, ports }: Manifest) => ports.some((one: Manifest) => one.port === port)
    && (from === undefined || from.some(({ namespaceSelector: { matchLabels = {} } }: Manifest) => fits(matchLabels, labels))));
}

function fits(wanted: Manifest, labels: Manifest): boolean {
  return Object.keys(wanted).every((key) => labels[key] === wanted[key]);
}

const PORTS = fc.uniqueArray(fc.integer({ min: 1024, max: 65535 }), { minLength: 3, maxLength: 3 });
const LABELS = fc.dictionary(fc.constantFrom('a', 'b', 'metrics'), fc.constantFrom('x', 'enabled'));

test('opens the ports of metrics and webhooks that there are, to the namespaces that are meant, and no other', () => {
  const features = fc.record({ metrics: fc.boolean(), webhooks: fc.boolean() });
  const meant = fc.option(LABELS, { nil: undefined });
  fc.assert(fc.property(PORTS, features, meant, meant, LABELS, (ports, asked, forMetrics, forWebhooks, namespace) => {
    const [health, metrics, webhooks] = ports;
    const props: Partial<OperatorProps> = {
      health: { port: health },
      ...(asked.metrics && { metrics: { port: metrics } }),
      ...(asked.webhooks && { webhooks: { ...WEBHOOKS, port: webhooks } }),
      networkPolicy: { ...(asked.metrics && { metricsNamespaceLabels: forMetrics }), ...(asked.webhooks && { webhookNamespaceLabels: forWebhooks }) },
    };
    const policy = policyOf(props.networkPolicy!, props);

    expect(operatorProblems(props)).toEqual([]);
    expect([health, metrics, webhooks].map((port) => letsIn(policy, namespace, port))).toEqual([
      false, asked.metrics && fits(forMetrics ?? { metrics: 'enabled' }, namespace), asked.webhooks && fits(forWebhooks ?? {}, namespace),
    ]);
  }), { numRuns: amount(60, 12) });
});
