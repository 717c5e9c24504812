import { clusterObjectText, deploymentText, objectText } from './examples';
import { nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { isEmptySelector, selects } from '../rules/label-selectors';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { podOf } from '../rules/pod-objects';
import { fieldAt, Fields, isFields, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding } from '../values/finding';

const ADMISSION = 'admissionregistration.k8s.io';
const WORKLOADS: readonly string[] = ['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet'];
const BY_NAMESPACE = new Lookup(WORKLOADS, (workload) => [namespaceOf(workload)]);
const NAMESPACES = new Lookup(['/Namespace'], (namespace) => [nameOf(namespace)]);

const TEXT = documents(
  clusterObjectText(`${ADMISSION}/v1`, 'ValidatingWebhookConfiguration', `webhooks:
  - name: pods.hook.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Fail
    clientConfig:
      service: {name: web, namespace: acme}
    namespaceSelector:
      matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [acme]}]
    rules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
`),
  objectText('v1', 'Service', 'spec:\n  selector: {app: web}\n  ports: [{port: 443, targetPort: 8443}]\n'),
  deploymentText('selector:\n  matchLabels: {app: web}'),
);

const own: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-OWN-WEBHOOK',
  title: 'A webhook whose failure refuses pods must not judge the pods that serve it: once none of them runs, none is made any more.',
  source: 'kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices (self-mutation, dependency loops), kubernetes/kubernetes issue 109964',
  kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map((kind) => `${ADMISSION}/${kind}`),
  trap: true,
  example: replaced(TEXT, '    namespaceSelector:\n      matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [acme]}]\n', ''),
  check: (object, index) => objectsAt(object, 'webhooks').flatMap(([webhook, at]): Finding[] => {
    // Conditions may leave out what they want.
    const mayFail = (stringAt(webhook, 'failurePolicy') ?? 'Fail') === 'Fail' && listAt(webhook, 'matchConditions').length === 0;
    if (!mayFail || !objectsAt(webhook, 'rules').some(([rule]) => isOfPods(rule))) return [];
    const server = servedBy(webhook, index).find((workload) => isJudged(webhook, podLabels(workload), namespaceOf(workload)!, index));
    return server === undefined ? [] : [{
      path: ['webhooks', at],
      message: `it judges the pods of ${String(server.kind)} ${nameOf(server)}, which serve it`,
      fix: 'leave their namespace out by namespaceSelector, or their labels by objectSelector',
    }];
  }),
};

function isOfPods(rule: Fields): boolean {
  const has = (field: string, ...values: readonly string[]) => stringsAt(rule, field).some(([value]) => values.includes(value));
  return has('apiGroups', '', '*') && has('resources', 'pods', '*', '*/*') && has('operations', 'CREATE', '*') && stringAt(rule, 'scope') !== 'Cluster';
}

/** The workloads behind the Service of a webhook. */
function servedBy(webhook: Fields, index: ManifestIndex) {
  const reference = fieldAt(webhook, 'clientConfig', 'service');
  const [name, namespace] = [stringAt(reference, 'name'), stringAt(reference, 'namespace')];
  const selector = name === undefined || namespace === undefined ? undefined : fieldAt(index.find('/Service', namespace, name), 'spec', 'selector');
  if (!isFields(selector) || Object.keys(selector).length === 0) return [];
  return BY_NAMESPACE.find(index, namespace).filter((workload) => selects({ matchLabels: selector }, podLabels(workload)));
}

function podLabels(workload: Fields): Fields {
  const labels = fieldAt(workload, ...(podOf(workload)?.path ?? []), 'metadata', 'labels');
  return isFields(labels) ? labels : {};
}

function isJudged(webhook: Fields, labels: Fields, namespace: string, index: ManifestIndex): boolean {
  const [objects, namespaces] = [fieldAt(webhook, 'objectSelector'), fieldAt(webhook, 'namespaceSelector')];
  const judges = (selector: unknown, given: Fields) => !isFields(selector) || isEmptySelector(selector) || selects(selector, given);
  if (!judges(objects, labels)) return false;
  const found = NAMESPACES.find(index, namespace);
  const known = found.map((one) => fieldAt(one, 'metadata', 'labels')).map((one) => ({ ...isFields(one) ? one : {}, 'kubernetes.io/metadata.name': namespace }));
  // Labels of a namespace that is not read are not known, but for its name.
  if (known.length === 0 && isFields(namespaces) && !isEmptySelector(namespaces)) return false;
  return known.length === 0 ? true : known.every((one) => judges(namespaces, one));
}

/** Rules over webhooks that judge their own pods. */
export const OWN_WEBHOOKS: readonly ManifestRule[] = [own];
