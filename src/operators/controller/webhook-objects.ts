import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { addCertificate, CertificateMount, certificateMount } from './operator-certificate';
import { OperatorIdentity, selectorOf } from './operator-identity';
import { OPERATOR_RULES } from './operator-rules';
import {
  OperatorWebhook, OperatorWebhooks, WebhookFailurePolicy, WebhookMatchPolicy, WebhookOperation, WebhookSideEffects,
} from './operator-webhook';
import { checkConditions, checkExpressions, webhookSelector } from './webhook-filter';
import { Problem, problemIf } from '../../problems/problem';
import { TypedApiObject } from '../../synth/typed-api-object';
import { checkDnsSubdomain } from '../../values/dns';
import { checkLabels } from '../../values/labels';
import { checkServicePath } from '../custom-resource/crd-conversion';
import { convertedTypes, convertingServices } from '../defined-types';
import { ResourceType } from '../resource-type';

const KINDS = { validating: 'ValidatingWebhookConfiguration', mutating: 'MutatingWebhookConfiguration' } as const;
const PORT_NAME = 'webhook';

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
    new TypedApiObject(scope, KINDS[side], { apiVersion: 'admissionregistration.k8s.io/v1', kind: KINDS[side], clusterScoped: true }, {
      metadata: { name: `${namespace}.${name}`, labels, annotations: certificate._annotations(namespace, service) },
      webhooks: all.map((webhook) => webhookSpec(webhook, side, { name: service, namespace }, certificate._caBundle)),
    });
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
    ...validating.flatMap((webhook, index) => checkWebhook(webhook, 'validating', validating.slice(0, index), `${property}.validating[${index}]`)),
    ...mutating.flatMap((webhook, index) => checkWebhook(webhook, 'mutating', mutating.slice(0, index), `${property}.mutating[${index}]`)),
  ];
}

function checkWebhook(webhook: OperatorWebhook, side: Side, earlier: readonly OperatorWebhook[], property: string): Problem[] {
  const { type, operations, admissionReviewVersions, timeout, namespaceSelector = {}, objectSelector = {} } = webhook;
  const name = nameOf(webhook, side);
  const versions = versionsOf(webhook);
  const seconds = timeout?.toSeconds({ integral: false }) ?? 10;
  const problem = (at: string, message: string | undefined, fix: string) => problemIf(OPERATOR_RULES.webhook, `${property}.${at}`, message, fix);
  const unknown = versions.filter((version) => !type.versions.includes(version));
  return [
    ...problem('name', checkDnsSubdomain(name) ?? (name.split('.').length < 3 ? `"${name}" has fewer than three parts` : undefined), 'give a name such as "vcrontab-v1.kb.io"'),
    ...problem('name', earlier.some((one) => nameOf(one, side) === name) ? `"${name}" is there already` : undefined, 'give another name'),
    ...problem('path', checkServicePath(pathOf(webhook, side)), 'give the path that the program serves'),
    ...problem('versions', versions.length === 0 ? 'no version is named' : undefined, 'name a version'),
    ...problem('versions', unknown.length > 0 ? `${type.kind} is not served in ${unknown.join(', ')}` : undefined, `name some of ${type.versions.join(', ')}`),
    ...problem('operations', operations?.length === 0 ? 'no operation is named' : undefined, 'name an operation'),
    ...problem('admissionReviewVersions', (admissionReviewVersions ?? ['v1']).some((version) => ['v1', 'v1beta1'].includes(version)) ? undefined
      : 'there is none that the API server knows', 'add "v1"'),
    ...problem('timeout', Number.isInteger(seconds) && seconds >= 1 && seconds <= 30 ? undefined : `${seconds} seconds are not possible`, 'give 1 to 30 whole seconds'),
    ...checkLabels(namespaceSelector).flatMap(({ message }) => problem('namespaceSelector', message, 'correct the label')),
    ...checkLabels(objectSelector).flatMap(({ message }) => problem('objectSelector', message, 'correct the label')),
    ...checkExpressions(webhook.namespaceExpressions, `${property}.namespaceExpressions`),
    ...checkExpressions(webhook.objectExpressions, `${property}.objectExpressions`),
    ...checkConditions(webhook.matchConditions, `${property}.matchConditions`),
    ...problem('subresources', webhook.subresources?.length === 0 ? 'no subresource is named' : undefined, 'name one, or leave the property out'),
    ...(webhook.subresources ?? []).flatMap((one) => problem('subresources', /^(\*|[a-z][a-z0-9-]*)$/.test(one) ? undefined : `"${one}" is no subresource`, 'write one such as "scale"')),
    ...problemIf(OPERATOR_RULES.webhookOwnPods, property, asksAboutOwnPods(webhook) ? 'it is asked about the pods of the operator itself, which could not start once none of them runs' : undefined,
      'give it a namespaceSelector or an objectSelector that the pods of the operator do not have, or failurePolicy: WebhookFailurePolicy.IGNORE'),
  ];
}
