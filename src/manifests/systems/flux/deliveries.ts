import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { isNotSubstituted } from '../../objects/prune-annotations';
import { ManifestIndex } from '../../rules/manifest-index';
import { contentsOf } from '../../rules/of-one-object';
import { ClusterTarget, Delivery, DeliveryFacts, DeliverySources } from '../../rules/provider';
import { inNamespace } from '../../rules/structure/kind-scope';
import { fieldAt, isFields, isFilled, isSet, objectsAt, stringAt } from '../../values/fields';

export const HELM_RELEASE = 'helm.toolkit.fluxcd.io/HelmRelease';
export const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/Kustomization';
export const BUCKET = 'source.toolkit.fluxcd.io/Bucket';
export const EXTERNAL_ARTIFACT = 'source.toolkit.fluxcd.io/ExternalArtifact';
export const GIT_REPOSITORY = 'source.toolkit.fluxcd.io/GitRepository';
export const HELM_CHART = 'source.toolkit.fluxcd.io/HelmChart';
export const HELM_REPOSITORY = 'source.toolkit.fluxcd.io/HelmRepository';
export const OCI_REPOSITORY = 'source.toolkit.fluxcd.io/OCIRepository';

/** A variable, alone or with a default. What does more with its value stays as it is. */
const VARIABLE = /(?<!\$)\$\{\s*([A-Za-z_]\w*)\s*(?::?[-=]([^}]*))?\}/g;

/** Fields whose values are strings, even if they look like numbers. */
const TEXTS: ReadonlySet<string> = new Set(['annotations', 'args', 'command', 'data', 'env', 'labels', 'matchLabels', 'nodeSelector', 'stringData']);

/**
 * What a Kustomization of Flux does to manifests: it fills in variables, and puts all of them into its namespace. Values from Secrets are not
 * filled in.
 *
 * Source: fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (target namespace, post build variable substitution), v1.9.4.
 */
function rewrites(kustomization: ManifestObject, index: ManifestIndex): ((manifest: ManifestObject) => ManifestObject) | undefined {
  const namespace = stringAt(kustomization, 'spec', 'targetNamespace');
  const values = isSet(kustomization, 'spec', 'postBuild') ? valuesOf(kustomization, index) : undefined;
  if (namespace === undefined && !values) return undefined;
  return (manifest) => {
    const filled = values && contentsOf(manifest).dollar && !isNotSubstituted(manifest) ? filledIn(manifest, values) as ManifestObject : manifest;
    return namespace === undefined ? filled : inNamespace(filled, namespace);
  };
}

/** The values of variables: those of the Kustomization itself come last. */
function valuesOf(kustomization: ManifestObject, index: ManifestIndex): ReadonlyMap<string, string> {
  const sources = objectsAt(kustomization, 'spec', 'postBuild', 'substituteFrom').filter(([from]) => stringAt(from, 'kind') === 'ConfigMap')
    .map(([from]) => fieldAt(index.find('/ConfigMap', namespaceOf(kustomization), stringAt(from, 'name')), 'data'));
  return new Map([...sources, fieldAt(kustomization, 'spec', 'postBuild', 'substitute')]
    .flatMap((source) => (isFields(source) ? Object.entries(source) : [])).map(([name, value]) => [name, String(value)]));
}

function filledIn(value: unknown, values: ReadonlyMap<string, string>, isText = false): unknown {
  if (typeof value === 'string') {
    const filled = value.replace(VARIABLE, (whole, name: string, byDefault?: string) => values.get(name) ?? byDefault ?? whole);
    // The variable is replaced in the text of the manifest, which is read afterwards.
    const isAlone = !isText && filled !== value && value.replace(VARIABLE, '') === '';
    return isAlone && /^(?:\d{1,15}|true|false)$/.test(filled) ? JSON.parse(filled) : filled;
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, values, isText));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledIn(item, values, isText || TEXTS.has(key))]));
}

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
