import { operatorErrors } from './built-in';
import { definition } from './definitions';
import { FOOS, only, operatorObjects } from './operators';
import { MetricsCertificate } from '../../src/operator/controller/operator-metrics';
import { WebhookCertificate } from '../../src/operator/controller/operator-webhook';
import { changed } from '../schema/samples';
import { Json } from '../schema/structural-schema';
import { SchemaValidator } from '../schema/validate';
import { Manifest } from '../support/clusters';

const WEBHOOKS = { certificate: WebhookCertificate.certManager(), validating: [{ type: FOOS }] };
const OBJECTS = [
  ...operatorObjects({
    createNamespace: true,
    watchAllNamespaces: true,
    replicas: 2,
    leaderElection: {},
    metrics: { certificate: MetricsCertificate.certManager(), serviceMonitor: {} },
    webhooks: WEBHOOKS,
    networkPolicy: {},
    podDisruptionBudget: {},
  }).filter(({ apiVersion }) => !apiVersion.startsWith('cert-manager')),
  definition(),
];

function first(kind: string): Manifest {
  return OBJECTS.find((object) => object.kind === kind);
}

test.each<[kind: string, changes: Record<string, Json | undefined>, error: string]>([
  ['CustomResourceDefinition', { 'metadata.name': 'foo.example.com' }, 'metadata.name: must be the plural and the group'],
  ['CustomResourceDefinition', { 'metadata.namespace': 'a' }, 'metadata.namespace: must be absent'],
  ['CustomResourceDefinition', { 'spec.versions.0.storage': false }, 'exactly one must be stored'],
  ['CustomResourceDefinition', { 'spec.conversion': undefined }, 'spec.conversion: required'],
  ['CustomResourceDefinition', { 'spec.conversion.strategy': 'Webhook' }, 'exactly one alternative must fit'],
  ['CustomResourceDefinition', { 'spec.versions.0.schema': undefined }, 'schema: required'],
  ['CustomResourceDefinition', { 'spec.names.shortnames': ['a'] }, 'spec.names.shortnames: unknown field'],
  ['ValidatingWebhookConfiguration', { 'webhooks.0.sideEffects': undefined }, 'sideEffects: required'],
  ['ValidatingWebhookConfiguration', { 'webhooks.0.clientConfig.url': 'https://a' }, 'exactly one alternative must fit'],
  ['ValidatingWebhookConfiguration', { 'webhooks.0.reinvocationPolicy': 'Never' }, 'unknown field'],
  ['ClusterRole', { 'rules.0.verbs': [] }, 'must have at least 1 items'],
  ['ClusterRole', { 'rules.0.verbs': ['get', '*'] }, 'no alternative fits'],
  ['Deployment', { 'spec.template.spec.containers.0.securityContext.readOnlyRootFilesystem': false }, 'must be one of true'],
  ['Deployment', { 'spec.template.spec.volumes': [] }, 'must have at least 1 items'],
  ['Deployment', { 'spec.template.metadata.labels.control-plane': 'other' }, 'the pod does not have the label control-plane'],
  ['NetworkPolicy', { 'spec.policyTypes': undefined }, 'policyTypes: required'],
  ['NetworkPolicy', { 'spec.ingress.0.ports.0.port': 'metrics' }, 'must be of type integer'],
  ['NetworkPolicy', { 'spec.ingress': [] }, 'must have at least 1 items'],
  ['PodDisruptionBudget', { 'spec.minAvailable': 1 }, 'exactly one alternative must fit'],
  ['PodDisruptionBudget', { 'spec.maxUnavailable': '50%' }, 'must be of type integer'],
  ['PodDisruptionBudget', { 'spec.selector': {} }, 'matchLabels: required'],
  ['ServiceMonitor', { 'spec.endpoints.0.interval': '1.5s' }, 'interval: must match'],
  ['ServiceMonitor', { 'spec.endpoints.0.tlsConfig.caFile': '/ca.crt' }, 'unknown field'],
  ['ServiceMonitor', { 'spec.endpoints.0.port': 8443 }, 'must be of type string'],
  ['Service', { 'spec.ports.0.targetPort': 8443 }, 'must be of type string'],
])('%s with %j is refused', (kind, changes, error) => {
  expect(operatorErrors(first(kind))).toEqual([]);
  expect(operatorErrors(changed(first(kind), changes))).toEqual([expect.stringContaining(error)]);
});

test('the validator of all output knows them', async () => {
  const validator = await SchemaValidator.load();

  expect(OBJECTS.flatMap((object) => validator.validate(object))).toEqual([]);
  expect(validator.validate(changed(only(OBJECTS, 'Deployment'), { 'spec.template.spec.hostNetwork': true }))).not.toEqual([]);
});
