import { operatorErrors } from './built-in';
import { definition } from './definitions';
import { FOOS, only, operatorObjects } from './operators';
import { MetricsCertificate, WebhookCertificate } from '../../../src/constructs/operators/controller/operator-certificate';
import { changed } from '../../manifests/schema/samples';
import { Json } from '../../manifests/schema/structural-schema';
import { SchemaValidator } from '../../manifests/schema/validate';
import { Manifest } from '../../support/clusters';

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
  ['CustomResourceDefinition', { 'spec.conversion': undefined }, 'spec.conversion: it is required'],
  ['CustomResourceDefinition', { 'spec.conversion.strategy': 'Webhook' }, 'of the alternatives'],
  ['CustomResourceDefinition', { 'spec.versions.0.schema': undefined }, 'schema: it is required'],
  ['CustomResourceDefinition', { 'spec.names.shortnames': ['a'] }, 'spec.names.shortnames: there is no field'],
  ['ValidatingWebhookConfiguration', { 'webhooks.0.sideEffects': undefined }, 'sideEffects: it is required'],
  ['ValidatingWebhookConfiguration', { 'webhooks.0.clientConfig.url': 'https://a' }, 'of the alternatives'],
  ['ValidatingWebhookConfiguration', { 'webhooks.0.reinvocationPolicy': 'Never' }, 'there is no field'],
  ['ClusterRole', { 'rules.0.verbs': [] }, 'it is empty'],
  ['ClusterRole', { 'rules.0.verbs': ['get', '*'] }, 'fits none of the alternatives'],
  ['Deployment', { 'spec.template.spec.containers.0.securityContext.readOnlyRootFilesystem': false }, 'false is none of the choices'],
  ['Deployment', { 'spec.template.spec.volumes': [] }, 'it is empty'],
  ['Deployment', { 'spec.template.metadata.labels.control-plane': 'other' }, 'the pod does not have the label control-plane'],
  ['NetworkPolicy', { 'spec.policyTypes': undefined }, 'policyTypes: it is required'],
  ['NetworkPolicy', { 'spec.ingress.0.ports.0.port': 'metrics' }, 'is not a whole number'],
  ['NetworkPolicy', { 'spec.ingress': [] }, 'it is empty'],
  ['ServiceMonitor', { 'spec.endpoints.0.interval': '1.5s' }, '"1.5s" does not match the pattern'],
  ['ServiceMonitor', { 'spec.endpoints.0.tlsConfig.caFile': '/ca.crt' }, 'there is no field'],
  ['ServiceMonitor', { 'spec.endpoints.0.port': 8443 }, 'is not a string'],
  ['Service', { 'spec.ports.0.targetPort': 8443 }, 'is not a string'],
])('%s with %j is refused', (kind, changes, error) => {
  expect(operatorErrors(first(kind))).toEqual([]);
  expect(operatorErrors(changed(first(kind), changes))).toEqual([expect.stringContaining(error)]);
});

test('the validator of all output knows them', () => {
  const validator = SchemaValidator.load();

  expect(OBJECTS.flatMap((object) => validator.validate(object))).toEqual([]);
  expect(validator.validate(changed(only(OBJECTS, 'Deployment'), { 'spec.template.spec.hostNetwork': true }))).not.toEqual([]);
});
