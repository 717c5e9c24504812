import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { addCertificate, CertificateMount, certificateMount } from './operator-certificate';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { OPERATOR_RULES } from './operator-rules';
import {
  OperatorWebhook, OperatorWebhooks, WebhookFailurePolicy, WebhookMatchPolicy, WebhookOperation, WebhookSideEffects,
} from './operator-webhook';
import { webhookSelector } from './webhook-filter';
import { Problem, problemIf } from '../../../manifests/values/problem';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { convertedTypes, convertingServices } from '../defined-types';
import { ResourceType } from '../resource-type';

const KINDS = { validating: 'ValidatingWebhookConfiguration', mutating: 'MutatingWebhookConfiguration' } as const;
const PORT_NAME = 'webhook';

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
  const { certificate, validating = [], mutating = [], conversion = false, port = 9443, certificateDirectory = '/tmp/k8s-webhook-server/serving-certs', args } = webhooks;
  return {
    certificate,
    validating,
    mutating,
    conversion,
    port,
    certificateDirectory,
    args: args ?? [`--webhook-cert-path=${certificateDirectory}`, ...(port === 9443 ? [] : [`--webhook-port=${port}`])],
  };
}

/** The port that webhooks are served on. */
export function webhookPort(webhooks: OperatorWebhooks): k8s.ContainerPort {
  return { name: PORT_NAME, containerPort: webhooksOf(webhooks).port, protocol: 'TCP' };
}

/** The certificate that webhooks are served with. */
export function webhookMount(webhooks: OperatorWebhooks, { name }: OperatorIdentity): CertificateMount {
  const { certificate, certificateDirectory } = webhooksOf(webhooks);
  return certificateMount('webhooks', 'webhook-cert', certificate._secretName(name), certificateDirectory);
}

/** Makes the Service, the certificate and the configurations. */
export function addWebhooks(scope: Construct, identity: OperatorIdentity, webhooks: OperatorWebhooks): void {
  const { name, namespace, labels } = identity;
  const { certificate } = webhooks;
  const service = serviceName(identity);
  new TypedApiObject(scope, 'WebhookService', { apiVersion: 'v1', kind: 'Service' }, {
    metadata: { name: service, namespace, labels },
    spec: { type: 'ClusterIP', ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: PORT_NAME }], selector: selectorOf(name) },
  });
  if (certificate._byCertManager) addCertificate(scope, identity, { id: 'Certificate', service, secretName: certificate._secretName(name), issuer: certificate._issuer });
  for (const side of ['mutating', 'validating'] as const) {
    const all = webhooks[side] ?? [];
    if (all.length === 0) continue;
    const configuration = new TypedApiObject(scope, KINDS[side], { apiVersion: 'admissionregistration.k8s.io/v1', kind: KINDS[side], clusterScoped: true }, {
      metadata: { name: `${namespace}.${name}`, labels, annotations: certificate._annotations(namespace, service) },
      webhooks: all.map((webhook) => webhookSpec(webhook, side, { name: service, namespace }, certificate._caBundle)),
    });
    FieldSources.record(configuration, scope, Object.fromEntries(
      Object.entries(WEBHOOK_SOURCES).map(([field, property]) => [`webhooks[*]${field}`, `webhooks.${side}[*]${property}`])) as { [field: string]: string });
  }
}

function webhookSpec(webhook: OperatorWebhook, side: Side, service: { name: string; namespace: string }, caBundle: string | undefined): object {
  const { type, operations = [WebhookOperation.CREATE, WebhookOperation.UPDATE], admissionReviewVersions = ['v1'] } = webhook;
  const { timeout, matchConditions = [] } = webhook;
  return {
    name: nameOf(webhook, side),
    admissionReviewVersions: [...admissionReviewVersions],
    clientConfig: { service: { ...service, path: pathOf(webhook, side), port: 443 }, ...(caBundle !== undefined && { caBundle }) },
    failurePolicy: webhook.failurePolicy ?? WebhookFailurePolicy.FAIL,
    matchPolicy: webhook.matchPolicy ?? WebhookMatchPolicy.EQUIVALENT,
    namespaceSelector: webhookSelector(webhook.namespaceSelector, webhook.namespaceExpressions),
    objectSelector: webhookSelector(webhook.objectSelector, webhook.objectExpressions),
    ...(matchConditions.length > 0 && { matchConditions: matchConditions.map(({ name, expression }) => ({ name, expression })) }),
    ...(side === 'mutating' && { reinvocationPolicy: 'Never' }),
    rules: [{
      apiGroups: [type.group],
      apiVersions: versionsOf(webhook),
      operations: [...operations],
      resources: webhook.subresources?.map((one) => `${type.resource}/${one}`) ?? [type.resource],
      scope: type.clusterScoped ? 'Cluster' : 'Namespaced',
    }],
    sideEffects: webhook.sideEffects ?? WebhookSideEffects.NONE,
    timeoutSeconds: timeout?.toSeconds({ integral: false }) ?? 10,
  };
}

/** Selectors may well leave the operator's own pods out: who gives one has thought of it. */
function asksAboutOwnPods(webhook: OperatorWebhook): boolean {
  const { type, operations = [WebhookOperation.CREATE], failurePolicy, namespaceSelector = {}, objectSelector = {}, subresources } = webhook;
  const { namespaceExpressions = [], objectExpressions = [], matchConditions = [] } = webhook;
  if (subresources) return false;
  const labels = [...Object.keys(namespaceSelector), ...Object.keys(objectSelector)];
  const selected = [...labels, ...namespaceExpressions, ...objectExpressions, ...matchConditions];
  return type.group === ResourceType.PODS.group && type.resource === ResourceType.PODS.resource && operations.includes(WebhookOperation.CREATE)
    && failurePolicy !== WebhookFailurePolicy.IGNORE && selected.length === 0;
}

/** Checks that an operator converts what the app says its Service converts. Types may be defined after the operator. */
export function checkConversion(scope: Construct, identity: OperatorIdentity, webhooks: OperatorWebhooks | undefined): Problem[] {
  const found = { rule: OPERATOR_RULES.conversion, property: 'webhooks.conversion' };
  const types = convertedTypes(scope, { namespace: identity.namespace, name: serviceName(identity) });
  if (webhooks?.conversion) {
    // Types may be defined elsewhere; one that names a Service beside this one is a slip.
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

function versionsOf({ type, versions }: OperatorWebhook): string[] {
  return versions ?? type.versions.slice(0, 1);
}

function pathOf(webhook: OperatorWebhook, side: Side): string {
  const { type, path } = webhook;
  const verb = side === 'validating' ? 'validate' : 'mutate';
  return path ?? `/${verb}-${type.group.replaceAll('.', '-')}-${versionsOf(webhook)[0]}-${type.kind.toLowerCase()}`;
}

function nameOf(webhook: OperatorWebhook, side: Side): string {
  return webhook.name ?? `${side[0]}${webhook.type.kind.toLowerCase()}-${versionsOf(webhook)[0]}.kb.io`;
}

/** Checks the webhooks of an operator. */
export function checkWebhooks(webhooks: OperatorWebhooks | undefined, property: string): Problem[] {
  if (!webhooks) return [];
  const { certificate, validating, mutating, conversion } = webhooksOf(webhooks);
  return [
    ...problemIf(OPERATOR_RULES.webhook, property, conversion || validating.length + mutating.length > 0 ? undefined : 'there is no webhook',
      'add a webhook to validating or mutating, or set conversion: true'),
    ...certificate._check(`${property}.certificate`),
    ...Object.entries({ validating, mutating }).flatMap(([side, all]) => all.flatMap((webhook, index) => checkWebhook(webhook, `${property}.${side}[${index}]`))),
  ];
}

function checkWebhook(webhook: OperatorWebhook, property: string): Problem[] {
  const { type, subresources = [] } = webhook;
  const problem = (at: string, message: string | undefined, fix: string) => problemIf(OPERATOR_RULES.webhook, `${property}.${at}`, message, fix);
  const unknown = versionsOf(webhook).filter((version) => !type.versions.includes(version));
  return [
    ...problem('versions', unknown.length > 0 ? `${type.kind} is not served in ${unknown.join(', ')}` : undefined, `name some of ${type.versions.join(', ')}`),
    ...problem('path', webhook.path === '' ? 'the path is empty' : undefined, 'write a path such as "/validate", or leave it out'),
    ...subresources.flatMap((one) => problem('subresources', /^(\*|[a-z][a-z0-9-]*)$/.test(one) ? undefined : `"${one}" is no subresource`, 'write one such as "scale"')),
    ...problemIf(OPERATOR_RULES.webhookOwnPods, property, asksAboutOwnPods(webhook) ? 'it is asked about the pods of the operator itself, which could not start once none of them runs' : undefined,
      'give it a namespaceSelector or an objectSelector that the pods of the operator do not have, or failurePolicy: WebhookFailurePolicy.IGNORE'),
  ];
}
