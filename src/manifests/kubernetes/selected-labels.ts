import { deploymentText, objectText } from './examples';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { isEmptySelector, labelsIn, selects } from '../rules/label-selectors';
import { Lookup, ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { podOf } from '../rules/pod-objects';
import { fieldAt, FieldPath, Fields, isFields } from '../values/fields';

const WORKLOADS: readonly string[] = ['apps/Deployment', 'apps/StatefulSet', 'apps/DaemonSet', 'apps/ReplicaSet'];

const BUDGET = 'policy/PodDisruptionBudget';

/** Kinds that select pods by a selector, and its place. A Service has labels only. */
const SELECTORS: Readonly<Record<string, FieldPath>> = {
  '/Service': ['spec', 'selector'],
  'networking.k8s.io/NetworkPolicy': ['spec', 'podSelector'],
  [BUDGET]: ['spec', 'selector'],
};

/** Kinds that are named after the workload whose pods they select. */
const NAMESAKES: readonly string[] = ['/Service', BUDGET];

/** Workloads by each label of their pods, or of themselves. */
class WorkloadsByLabel {
  private readonly found = new WeakMap<ManifestIndex, ReadonlyMap<string, readonly ManifestObject[]>>();

  public constructor(private readonly labelsOf: (workload: ManifestObject) => Fields) {}

  public find(index: ManifestIndex, key: string): readonly ManifestObject[] {
    let all = this.found.get(index);
    if (!all) this.found.set(index, all = this.collect(index));
    return all.get(key) ?? [];
  }

  private collect(index: ManifestIndex): ReadonlyMap<string, readonly ManifestObject[]> {
    const all = new Map<string, ManifestObject[]>();
    for (const workload of WORKLOADS.flatMap((kind) => index.all(kind))) {
      for (const key of keysOf(workload, this.labelsOf(workload))) {
        const same = all.get(key);
        if (same) same.push(workload);
        else all.set(key, [workload]);
      }
    }
    return all;
  }
}

const BY_NAME = new Lookup(WORKLOADS, (workload) => [namespaceOf(workload), nameOf(workload)]);
const BY_LABEL_OF_PODS = new WorkloadsByLabel(labelsOfPods);
const BY_LABEL = new WorkloadsByLabel((workload) => labelsAt(workload, 'metadata'));

const DEPLOYMENT_TEXT = deploymentText('selector:\n  matchLabels: {app: web}').replace('  namespace: acme\n', '  namespace: acme\n  labels: {app: web, part: shop}\n');
const BUDGET_TEXT = objectText('policy/v1', 'PodDisruptionBudget', 'spec:\n  maxUnavailable: 1\n  selector:\n    matchLabels: {app: web}\n');

const podLabels: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-SELECTED-LABELS',
  title: 'A selector of pods must select labels that pods have: those of their Deployment, StatefulSet or DaemonSet are none of theirs.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels, kubernetes/kubernetes pkg/controller/controller_utils.go (GetPodFromTemplate)',
  kinds: Object.keys(SELECTORS),
  trap: true,
  example: replaced(documents(BUDGET_TEXT, DEPLOYMENT_TEXT), 'matchLabels: {app: web}\n---', 'matchLabels: {app: web, part: shop}\n---'),
  check: (object, index) => {
    const path = SELECTORS[groupKind(object)];
    const given = fieldAt(object, ...path);
    const selector = groupKind(object) === '/Service' && isFields(given) ? { matchLabels: given } : given;
    if (!isFields(selector) || isEmptySelector(selector)) return [];
    const [first] = labelsIn(selector);
    if (first === undefined) return [];
    const wanted = keyOf(object, ...first);
    if (BY_LABEL_OF_PODS.find(index, wanted).some((workload) => selects(selector, labelsOfPods(workload)))) return [];
    const meant = BY_LABEL.find(index, wanted).find((workload) => selects(selector, labelsAt(workload, 'metadata'))) ?? namesake(object, index);
    const [label] = meant ? labelsIn(selector).filter(([key, value]) => labelsOfPods(meant)[key] !== value) : [];
    if (meant === undefined || label === undefined) return [];
    // Programs such as databases label the pod that leads.
    if (groupKind(meant) === 'apps/StatefulSet' && !Object.hasOwn(labelsOfPods(meant), label[0])) return [];
    const title = `${String(meant.kind)} ${nameOf(meant)}`;
    const isOfWorkload = labelsAt(meant, 'metadata')[label[0]] === label[1];
    const reason = isOfWorkload ? `${title} has the label ${label.join(': ')}, and its pods have not`
      : `pods of ${title} have no label ${label.join(': ')}`;
    return [{
      path,
      message: `${reason}: no pod is selected`,
      fix: `leave ${label[0]} out, or add it to spec.template.metadata.labels`,
    }];
  },
};

/** The workload of the same name as a budget or a Service. */
function namesake(object: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  const namespace = namespaceOf(object);
  return !NAMESAKES.includes(groupKind(object)) || namespace === undefined ? undefined : BY_NAME.find(index, namespace, nameOf(object)).at(0);
}

function keysOf(workload: ManifestObject, labels: Fields): readonly string[] {
  return Object.entries(labels).map(([key, value]) => keyOf(workload, key, value));
}

function keyOf(object: ManifestObject, key: string, value: unknown): string {
  return JSON.stringify([namespaceOf(object), key, value]);
}

function labelsOfPods(workload: ManifestObject): Fields {
  return labelsAt(podOf(workload)?.pod, 'metadata');
}

function labelsAt(value: unknown, field: string): Fields {
  const labels = fieldAt(value, field, 'labels');
  return isFields(labels) ? labels : {};
}

/** Rules over labels by which pods are selected. */
export const SELECTED_LABELS: readonly ManifestRule[] = [podLabels];
