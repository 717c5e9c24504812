import { clusterObjectText, objectText } from './examples';
import { nameOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { labelsIn, selects } from '../rules/label-selectors';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, FieldPath, Fields, isFields, objectsAt } from '../values/fields';
import { Finding } from '../values/finding';

/** The label that API servers give each Namespace (kubernetes/kubernetes pkg/apis/core/v1/defaults.go, SetDefaults_Namespace). */
const NAME = 'kubernetes.io/metadata.name';

const NAMESPACES = new Lookup(['/Namespace'], (namespace) => [nameOf(namespace)]);

const TEXT = documents(objectText('networking.k8s.io/v1', 'NetworkPolicy', `spec:
  podSelector: {}
  policyTypes: [Ingress]
  ingress:
    - from:
        - namespaceSelector:
            matchLabels: {${NAME}: monitoring}
`), clusterObjectText('v1', 'Namespace', '', 'monitoring'));

const names: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-NAMESPACE-LABEL',
  title: `A selector of namespaces must ask for a label that they have: that with their name is ${NAME}, and no other is added.`,
  source: 'kubernetes/kubernetes pkg/apis/core/v1/defaults.go (SetDefaults_Namespace); kubernetes.io/docs/concepts/services-networking/network-policies',
  kinds: ['networking.k8s.io/NetworkPolicy'],
  trap: true,
  // Labels may be added by hand.
  warning: true,
  example: replaced(TEXT, `{${NAME}: monitoring}`, '{name: monitoring}'),
  check: (object, index) => ([['ingress', 'from'], ['egress', 'to']] as const).flatMap(([direction, peers]) => objectsAt(object, 'spec', direction).flatMap(([rule, at]) => (
    objectsAt(rule, peers).flatMap(([peer, number]) => selectorFindings(peer.namespaceSelector, ['spec', direction, at, peers, number, 'namespaceSelector'], index))))),
};

function selectorFindings(selector: unknown, path: FieldPath, index: ManifestIndex): Finding[] {
  return labelsIn(selector).filter(([key]) => key !== NAME).flatMap(([key, value]) => {
    const meant = NAMESPACES.find(index, value);
    const isMet = index.all('/Namespace').some((namespace) => selects(selector, { ...labelsOf(namespace), [NAME]: nameOf(namespace) }));
    return meant.length === 0 || isMet ? [] : [{
      path: [...path, 'matchLabels', key], message: `the Namespace "${value}" has no label ${key}: ${value} among the manifests that were read`, fix: `write ${NAME}: ${value}, or add the label to the Namespace`,
    }];
  });
}

function labelsOf(namespace: unknown): Fields {
  const labels = fieldAt(namespace, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
}

/** Rules over selectors of namespaces. */
export const NAMESPACE_SELECTORS: readonly ManifestRule[] = [names];
