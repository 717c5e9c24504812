import { Construct } from 'constructs';
import { addCertificate, CertificateMount, certificateMount } from './operator-certificate';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { OperatorWebhook, OperatorWebhooks, WebhookFailurePolicy, WebhookLabelExpression, WebhookMatchPolicy, WebhookOperation, WebhookSideEffects } from './operator-webhook-props';
import { labelSelector } from '../../../manifests/values/labels';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { convertedTypes, convertingServices } from '../defined-types';

const KINDS = { validating: 'ValidatingWebhookConfiguration', mutating: 'MutatingWebhookConfiguration' } as const;

/** Name of the container port of webhooks. */
export const WEBHOOK_PORT = 'webhook';

/** The properties of a webhook by its fields. */
const WEBHOOK_SOURCES: { readonly [field: string]: string } = {
  '': '',
  '.name': '.name',
  '.admissionReviewVersions': '.admissionReviewVersions',
  '.clientConfig.service.path': '.path',
  '.matchConditions.**': '.matchConditions.**',
  '.namespaceSelector.matchLabels.**': '.namespaceSelector.**',
  '.namespaceSelector.matchExpressions.**': '.namespaceExpressions.**',
  '.objectSelector.matchLabels.**': '.objectSelector.**',
  '.objectSelector.matchExpressions.**': '.objectExpressions.**',
  '.rules[0].apiVersions': '.versions',
  '.rules[0].operations': '.operations',
  '.rules[0].resources': '.subresources',
  '.timeoutSeconds': '.timeout',
};

type Side = keyof typeof KINDS;

/** The webhooks with their defaults. */
export function webhooksOf(webhooks: OperatorWebhooks): Required<OperatorWebhooks> {
  const { validating = [], mutating = [], conversion = false, port = 9443, certificateDirectory = '/tmp/k8s-webhook-server/serving-certs' } = webhooks;
  const args = [`--webhook-cert-path=${certificateDirectory}`, ...(port === 9443 ? [] : [`--webhook-port=${port}`])];
  return { certificate: webhooks.certificate, validating, mutating, conversion, port, certificateDirectory, args: webhooks.args ?? args };
}

/** The certificate that webhooks are served with. */
export function webhookMount(webhooks: OperatorWebhooks, { name }: OperatorIdentity): CertificateMount {
  const { certificate, certificateDirectory } = webhooksOf(webhooks);
  return certificateMount('webhooks', 'webhook-cert', certificate._secretName(name), certificateDirectory);
}

/** Adds the Service, the certificate and the configurations. */
export function addWebhooks(scope: Construct, identity: OperatorIdentity, webhooks: OperatorWebhooks): void {
  const { name, namespace, labels } = identity;
  const { certificate } = webhooks;
  const service = serviceName(identity);
  new TypedApiObject(scope, 'WebhookService', { apiVersion: 'v1', kind: 'Service' }, {
    metadata: { name: service, namespace, labels },
    spec: { type: 'ClusterIP', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: WEBHOOK_PORT }], selector: selectorOf(name) },
  });
  if (certificate._byCertManager) addCertificate(scope, identity, { id: 'Certificate', service, secretName: certificate._secretName(name), issuer: certificate._issuer });
  for (const side of ['mutating', 'validating'] as const) {
    const all = webhooks[side] ?? [];
    if (all.length === 0) continue;
    const configuration = new TypedApiObject(scope, KINDS[side], { apiVersion: 'admissionregistration.k8s.io/v1', kind: KINDS[side], clusterScoped: true }, {
      metadata: { name: `${namespace}.${name}`, labels, annotations: certificate._annotations(namespace, service) },
      webhooks: all.map((webhook) => webhookSpec(webhook, side, { name: service, namespace }, certificate._caBundle)),
    });
    const sources = Object.entries(WEBHOOK_SOURCES).map(([field, property]) => [`webhooks[*]${field}`, `webhooks.${side}[*]${property}`]);
    FieldSources.record(configuration, scope, { 'metadata.annotations.**': 'webhooks.certificate.annotations.**', ...Object.fromEntries(sources) });
  }
}

function webhookSpec(webhook: OperatorWebhook, side: Side, service: { name: string; namespace: string }, caBundle: string | undefined): object {
  const { type, subresources, timeout, matchConditions } = webhook;
  const versions = versionsOf(webhook);
  const kind = type.kind.toLowerCase();
  const path = `/${side === 'validating' ? 'validate' : 'mutate'}-${type.group.replaceAll('.', '-')}-${versions[0]}-${kind}`;
  return {
    name: webhook.name ?? `${side[0]}${kind}-${versions[0]}.kb.io`,
    admissionReviewVersions: webhook.admissionReviewVersions ?? ['v1'],
    clientConfig: { service: { ...service, path: webhook.path ?? path, port: 443 }, caBundle },
    failurePolicy: webhook.failurePolicy ?? WebhookFailurePolicy.FAIL,
    matchPolicy: webhook.matchPolicy ?? WebhookMatchPolicy.EQUIVALENT,
    namespaceSelector: webhookSelector(webhook.namespaceSelector, webhook.namespaceExpressions),
    objectSelector: webhookSelector(webhook.objectSelector, webhook.objectExpressions),
    ...(matchConditions?.length && { matchConditions }),
    ...(side === 'mutating' && { reinvocationPolicy: 'Never' }),
    rules: [{
      apiGroups: [type.group],
      apiVersions: versions,
      operations: webhook.operations ?? [WebhookOperation.CREATE, WebhookOperation.UPDATE],
      resources: subresources?.map((one) => `${type.resource}/${one}`) ?? [type.resource],
      scope: type.clusterScoped ? 'Cluster' : 'Namespaced',
    }],
    sideEffects: webhook.sideEffects ?? WebhookSideEffects.NONE,
    timeoutSeconds: timeout?.toSeconds({ integral: false }) ?? 10,
  };
}

function versionsOf({ type, versions }: OperatorWebhook): string[] {
  return versions ?? type.versions.slice(0, 1);
}

const CONVERSION_RULE: Rule = {
  id: 'TC-OPERATOR-CONVERSION',
  title: 'An operator whose Service converts objects of a type must set conversion, and such types must name the Service of the operator.',
  source: 'kubernetes-sigs/kubebuilder testdata/project-v4/config/crd/patches',
};

/** Checks that an operator converts exactly the types whose conversion names its Service. Types may be defined after the operator. */
export function checkConversion(scope: Construct, identity: OperatorIdentity, webhooks: OperatorWebhooks | undefined): Problem[] {
  const found = { rule: CONVERSION_RULE, property: 'webhooks.conversion' };
  const types = convertedTypes(scope, { namespace: identity.namespace, name: serviceName(identity) });
  if (webhooks?.conversion) {
    // Types may be defined outside of the app, but one that names another Service of the namespace is a mistake.
    const others = types.length > 0 ? [] : convertingServices(scope, identity.namespace);
    return others.map((other) => ({
      ...found,
      message: `types are converted by the Service "${other}" of the same namespace, and none by "${serviceName(identity)}", which is the operator's`,
      fix: `name "${serviceName(identity)}", and the Certificate of that name, in CrdConversion.service`,
    }));
  }
  return types.map((name) => ({
    ...found,
    message: `"${name}" is converted by the Service "${serviceName(identity)}" of the operator, which is not said to convert anything`,
    fix: 'set conversion: true, or name another Service in the conversion of the type',
  }));
}

function serviceName({ name }: OperatorIdentity): string {
  return `${name}-webhook`;
}

const WEBHOOK_RULE: Rule = {
  id: 'TC-OPERATOR-WEBHOOK',
  title: 'An operator with webhooks must have at least one; each must be for served versions and existing subresources of its type.',
};

/** Checks the webhooks of an operator. */
export function checkWebhooks(webhooks: OperatorWebhooks | undefined, property: string): Problem[] {
  if (!webhooks) return [];
  const { certificate, validating, mutating, conversion } = webhooksOf(webhooks);
  return [
    ...problemIf(WEBHOOK_RULE, property, conversion || validating.length + mutating.length > 0 ? undefined : 'there is no webhook',
      'add a webhook to validating or mutating, or set conversion: true'),
    ...certificate._check(`${property}.certificate`),
    ...Object.entries({ validating, mutating }).flatMap(([side, all]) => all.flatMap((webhook, index) => checkWebhook(webhook, `${property}.${side}[${index}]`))),
  ];
}

function checkWebhook(webhook: OperatorWebhook, property: string): Problem[] {
  const { type, subresources = [] } = webhook;
  const unknown = versionsOf(webhook).filter((version) => !type.versions.includes(version));
  return [
    ...problemIf(WEBHOOK_RULE, `${property}.versions`, unknown.length > 0 ? `${type.kind} is not served in ${unknown.join(', ')}` : undefined,
      `name some of ${type.versions.join(', ')}`),
    ...problemIf(WEBHOOK_RULE, `${property}.path`, webhook.path === '' ? 'the path is empty' : undefined, 'write a path such as "/validate", or leave it out'),
    ...subresources.flatMap((one) => problemIf(WEBHOOK_RULE, `${property}.subresources`, /^(\*|[a-z][a-z0-9-]*)$/.test(one) ? undefined
      : `"${one}" is no subresource`, 'write one such as "scale"')),
  ];
}

/** A selector of labels and expressions; an empty one selects everything. */
function webhookSelector(labels: { readonly [key: string]: string } = {}, expressions: readonly WebhookLabelExpression[] = []): object {
  const matchExpressions = expressions.map(({ key, operator, values }) => ({ key, operator, ...(values?.length && { values }) }));
  return { ...labelSelector(labels), ...(matchExpressions.length > 0 && { matchExpressions }) };
}
