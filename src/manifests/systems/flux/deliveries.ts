import { rewrites } from './rewritten-manifests';
import { BUCKET, GIT_REPOSITORY, HELM_CHART, HELM_RELEASE, KUSTOMIZATION } from './rules/flux-kinds';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { ManifestIndex } from '../../rules/manifest-index';
import { ClusterTarget, Delivery, DeliveryFacts, DeliverySources } from '../../rules/provider';
import { fieldAt, isFilled, objectsAt, stringAt } from '../../values/fields';

const SOURCES = 'source.toolkit.fluxcd.io';

/** Names of the Secrets with a kubeconfig that Cluster API and providers of hosted control planes make. */
const KUBECONFIG = /^(.+?)(?:-admin)?-kubeconfig$/;

const COMMON = {
  isForTenant: (object: ManifestObject): boolean => isFilled(object, 'spec', 'kubeConfig'),
  target: (object: ManifestObject): ClusterTarget => ({ by: 'name', name: kubeconfigCluster(object) }),
};

/** The cluster whose kubeconfig an object of Flux has, by the name of the Secret. */
export function kubeconfigCluster(object: ManifestObject): string | undefined {
  return KUBECONFIG.exec(stringAt(object, 'spec', 'kubeConfig', 'secretRef', 'name') ?? '')?.[1];
}

/** What delivers with Flux. */
export const DELIVERIES: readonly DeliveryFacts[] = [
  { kind: HELM_RELEASE, installsChart: 'always', ...COMMON, read: readRelease, values: (object) => namesAt(object, 'spec', 'valuesFrom') },
  {
    kind: KUSTOMIZATION,
    ...COMMON,
    read: (object) => ({
      path: stringAt(object, 'spec', 'path'), targetNamespace: stringAt(object, 'spec', 'targetNamespace'), ...orderOf(object),
    }),
    folders: (object) => [{ path: stringAt(object, 'spec', 'path') ?? '', source: sourceKey(object) }],
    keepsRemoved,
    rewrites,
    values: (object) => namesAt(object, 'spec', 'postBuild', 'substituteFrom'),
  },
];

/** Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (prune, finalizerShouldDeleteResources), v1.9.4. */
function keepsRemoved(object: ManifestObject, after: ManifestObject | undefined): boolean {
  const decides = after ?? object;
  if (fieldAt(decides, 'spec', 'suspend') === true) return true;
  const policy = after ? 'MirrorPrune' : stringAt(object, 'spec', 'deletionPolicy') ?? 'MirrorPrune';
  return policy === 'Orphan' || (policy === 'MirrorPrune' && fieldAt(decides, 'spec', 'prune') !== true);
}

function sourceKey(object: ManifestObject): string {
  const reference = fieldAt(object, 'spec', 'sourceRef');
  return JSON.stringify([sourceKind(reference), stringAt(reference, 'namespace') ?? namespaceOf(object), stringAt(reference, 'name')]);
}

function namesAt(object: ManifestObject, ...path: readonly string[]) {
  return objectsAt(object, ...path).map(([from]) => ({ kind: stringAt(from, 'kind'), name: stringAt(from, 'name') }));
}

function readRelease(object: ManifestObject, index: ManifestIndex): Delivery {
  const inline = fieldAt(object, 'spec', 'chart', 'spec');
  const chart = inline === undefined ? referencedChart(fieldAt(object, 'spec', 'chartRef'), namespaceOf(object), index)
    : inlineChart(inline, namespaceOf(object), index);
  // fluxcd/helm-controller docs/spec/v2/helmreleases.md: its own namespace is the default.
  return { ...chart, targetNamespace: stringAt(object, 'spec', 'targetNamespace') ?? namespaceOf(object), ...orderOf(object) };
}

/** A chart that is a source of Flux: an OCIRepository, or a HelmChart. */
function referencedChart(reference: unknown, namespace: string | undefined, index: ManifestIndex): Delivery {
  const source = sourceOf(reference, namespace, index);
  if (sourceKind(reference) === HELM_CHART) return inlineChart(fieldAt(source, 'spec'), stringAt(reference, 'namespace') ?? namespace, index);
  return { chart: stringAt(source, 'spec', 'url')?.replace(/(?<!\/)\/+$/, '').split('/').at(-1), version: revisionOf(source, ['digest', 'semver', 'tag']) };
}

/** The fields of a chart. Those of a GitRepository or Bucket have no version of their own: Flux ignores it (fluxcd/source-controller docs/spec/v1/helmcharts.md). */
function inlineChart(spec: unknown, namespace: string | undefined, index: ManifestIndex): Delivery {
  const reference = fieldAt(spec, 'sourceRef');
  const isVersioned = ![GIT_REPOSITORY, BUCKET].includes(sourceKind(reference));
  const version = isVersioned ? stringAt(spec, 'version') : revisionOf(sourceOf(reference, namespace, index), ['commit', 'name', 'semver', 'tag', 'branch']);
  return { chart: stringAt(spec, 'chart'), version };
}

function sourceKind(reference: unknown): string {
  return `${SOURCES}/${stringAt(reference, 'kind') ?? ''}`;
}

function sourceOf(reference: unknown, namespace: string | undefined, index: ManifestIndex): ManifestObject | undefined {
  return index.find(sourceKind(reference), stringAt(reference, 'namespace') ?? namespace, stringAt(reference, 'name'));
}

/** The part of a source that is read: the first of the fields that is set, in the order of Flux. */
function revisionOf(source: unknown, fields: readonly string[]): string | undefined {
  return fields.map((field) => stringAt(source, 'spec', 'ref', field)).find((text) => text !== undefined);
}

function orderOf(object: ManifestObject): Pick<Delivery, 'after' | 'suspended'> {
  return {
    after: objectsAt(object, 'spec', 'dependsOn').map(([reference]) => ({
      namespace: stringAt(reference, 'namespace') ?? namespaceOf(object), name: stringAt(reference, 'name'),
    })),
    suspended: fieldAt(object, 'spec', 'suspend') === true,
  };
}

/** Where a HelmRelease takes values from. */
export function valuesElsewhere(object: ManifestObject, { isEmptyConfigMap }: DeliverySources): string[] {
  return objectsAt(object, 'spec', 'valuesFrom')
    .filter(([from]) => stringAt(from, 'kind') !== 'ConfigMap' || !isEmptyConfigMap(stringAt(from, 'name')))
    .map(([from]) => `takes values from the ${stringAt(from, 'kind')} ${stringAt(from, 'name')}, which may name other images`);
}
