import { SERVICE_MONITOR } from './monitors';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { ChartRule } from '../../rules/chart-rule';
import { documents, replaced } from '../../rules/example-text';
import { selects } from '../../rules/label-selectors';
import { Lookup, ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, Fields, isFields, isFilled, isSet } from '../../values/fields';

const GROUP = 'monitoring.coreos.com';
const RULE = `${GROUP}/PrometheusRule`;

/** Fields with the selectors of each kind begin with these words. */
const FIELDS: Readonly<Record<string, string>> = {
  [SERVICE_MONITOR]: 'serviceMonitor',
  [`${GROUP}/PodMonitor`]: 'podMonitor',
  [`${GROUP}/Probe`]: 'probe',
  [RULE]: 'rule',
};

/** Kinds that Prometheus selects. */
export const SELECTED: readonly string[] = Object.keys(FIELDS);

/** Programs that read metrics or rules. */
const READERS: readonly string[] = ['Prometheus', 'PrometheusAgent', 'ThanosRuler'].map((kind) => `${GROUP}/${kind}`);

const NAMESPACES = new Lookup(['/Namespace'], (namespace) => [nameOf(namespace)]);

const TEXT = documents(`apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: web, namespace: monitoring, labels: {prometheus: main}}
spec: {groups: [{name: web, rules: [{alert: Down, expr: up == 0}]}]}
`, `apiVersion: monitoring.coreos.com/v1
kind: Prometheus
metadata: {name: main, namespace: monitoring}
spec: {ruleSelector: {matchLabels: {prometheus: main}}}
`);

const selected: ManifestRule = {
  id: 'TC-TRAP-PROMETHEUS-OPERATOR-SELECTED',
  title: 'Monitors and rules should have labels, and be in a namespace, by which a Prometheus selects them: they are ignored otherwise.',
  source: 'prometheus-operator/prometheus-operator pkg/apis/monitoring/v1/prometheus_types.go (CommonPrometheusFields), '
    + 'pkg/prometheus/resource_selector.go (selectObjects), pkg/operator (SelectNamespacesFromCache), v0.93.0',
  kinds: SELECTED,
  trap: true,
  // Another Prometheus may be elsewhere.
  warning: true,
  elsewhere: true,
  example: replaced(TEXT, 'labels: {prometheus: main}}\nspec: {groups', 'labels: {prometheus: k8s}}\nspec: {groups'),
  check: (object, index) => {
    const field = FIELDS[groupKind(object)];
    const readers = READERS.flatMap((kind) => index.all(kind)).filter((reader) => isSet(reader, 'spec', `${field}Selector`));
    return readers.length === 0 || readers.some((reader) => selectsObject(reader, field, object, index)) ? [] : [{
      path: ['metadata', 'labels'],
      message: `${readers.map((one) => `${String(one.kind)} "${nameOf(one) ?? ''}"`).join(' and ')} ${readers.length === 1 ? 'does' : 'do'} not select it, by ${field}Selector or ${field}NamespaceSelector`,
      fix: 'add the labels that are selected, or widen the selector',
    }];
  },
};

function selectsObject(reader: ManifestObject, field: string, object: ManifestObject, index: ManifestIndex): boolean {
  const [selector, ofNamespaces] = [`${field}Selector`, `${field}NamespaceSelector`].map((name) => fieldAt(reader, 'spec', name));
  const [own, place] = [namespaceOf(object), namespaceOf(reader)];
  if (!selects(selector, labelsOf(object))) return false;
  // Without a selector of namespaces, it is that of the reader.
  if (!isFields(ofNamespaces)) return own === undefined || place === undefined || own === place;
  const found = NAMESPACES.find(index, own);
  return found.length === 0 || found.some((namespace) => selects(ofNamespaces, { ...labelsOf(namespace), 'kubernetes.io/metadata.name': own }));
}

function labelsOf(object: unknown): Fields {
  const labels = fieldAt(object, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
}

const RELEASE_TEXT = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kube-prometheus-stack, namespace: monitoring}
spec:
  interval: 10m
  chart: {spec: {chart: kube-prometheus-stack, version: 79.0.0, sourceRef: {kind: HelmRepository, name: prometheus}}}
  install: {strategy: {name: RetryOnFailure, retryInterval: 30s}}
  values:
    prometheus:
      prometheusSpec: {ruleSelectorNilUsesHelmValues: false}
`;

/** A rule over the selectors that the chart writes. */
export const STACK: ChartRule = {
  id: 'TC-TRAP-PROMETHEUS-OPERATOR-RELEASE',
  title: 'Monitors and rules beside the chart of Prometheus must have the label release, or the chart must be told to select all: they are ignored otherwise.',
  source: 'prometheus-community/helm-charts charts/kube-prometheus-stack/templates/prometheus/prometheus.yaml (…SelectorNilUsesHelmValues), 79.0.0',
  trap: true,
  warning: true,
  chart: 'kube-prometheus-stack',
  example: replaced(documents(RELEASE_TEXT, TEXT.slice(0, TEXT.indexOf('---'))), 'ruleSelectorNilUsesHelmValues: false', 'replicas: 2'),
  faultsOf: (values, index) => {
    const settings = ['prometheus', 'prometheusSpec'];
    if (fieldAt(values, 'prometheus', 'enabled') === false) return [];
    return Object.entries(FIELDS).flatMap(([kind, field]) => {
      const isOther = isFilled(values, ...settings, `${field}Selector`) || fieldAt(values, ...settings, `${field}SelectorNilUsesHelmValues`) === false;
      const without = isOther ? [] : index.all(kind).filter((object) => !Object.hasOwn(labelsOf(object), 'release'));
      const [first] = without;
      return first === undefined ? [] : [{
        path: [...settings, `${field}SelectorNilUsesHelmValues`],
        message: `only objects with the label release are selected, and ${String(first.kind)} "${nameOf(first) ?? ''}"${without.length > 1 ? ` and ${without.length - 1} more` : ''} have none`,
        fix: 'write false',
      }];
    });
  },
};

/** Rules over what a Prometheus selects. */
export const SELECTING: readonly ManifestRule[] = [selected];
