import { deliveryOpenings, releaseOpenings } from './source-windows';
import { groupOf, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { readText } from '../../objects/manifest-text';
import { hasMark, isKeptByHelm, isNotSubstituted } from '../../objects/prune-annotations';
import { ChartRender, ClusterTarget, Delivery, DeliveryFacts, DeliverySources, KeptChanges, KubeconfigReference } from '../../rules/delivery-facts';
import { ManifestIndex } from '../../rules/manifest-index';
import { contentsOf } from '../../rules/of-one-object';
import { inNamespace } from '../../rules/structure/kind-scope';
import { ValuesLayer } from '../../rules/tenant-charts';
import { fieldAt, Fields, isFields, isFilled, isSet, listAt, objectsAt, sameValue, stringAt, withFieldsOf } from '../../values/fields';
import { closedText } from '../../values/variables';

export const HELM_RELEASE = 'helm.toolkit.fluxcd.io/HelmRelease';
export const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/Kustomization';
export const BUCKET = 'source.toolkit.fluxcd.io/Bucket';
export const EXTERNAL_ARTIFACT = 'source.toolkit.fluxcd.io/ExternalArtifact';
export const GIT_REPOSITORY = 'source.toolkit.fluxcd.io/GitRepository';
export const HELM_CHART = 'source.toolkit.fluxcd.io/HelmChart';
export const HELM_REPOSITORY = 'source.toolkit.fluxcd.io/HelmRepository';
export const OCI_REPOSITORY = 'source.toolkit.fluxcd.io/OCIRepository';

/** A variable, alone or with a default, which may have variables of its own. What does more with its value stays as it is. */
const VARIABLE = /(?<!\$)\$\{\s*([A-Za-z_]\w*)\s*(?::?[-=]([^{}]*(?:\$\{[^{}]*\}[^{}]*)*))?\}/g;

/** Fields whose values are strings, even if they look like numbers. */
const TEXTS: ReadonlySet<string> = new Set(['annotations', 'args', 'command', 'data', 'env', 'labels', 'matchLabels', 'nodeSelector', 'stringData']);

/**
 * Rewrites manifests as a Kustomization of Flux does: fills in variables, puts all of them into its namespace, and gives them labels and annotations.
 * Values from Secrets are not filled in.
 *
 * Sources: fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (target namespace, post build variable substitution), v1.9.4; fluxcd/pkg
 * ssa/utils/metadata.go (SetCommonMetadata), v1.35.4.
 */
function rewrites(kustomization: ManifestObject, index: ManifestIndex): ((manifest: ManifestObject) => ManifestObject) | undefined {
  const namespace = stringAt(kustomization, 'spec', 'targetNamespace');
  const values = isSet(kustomization, 'spec', 'postBuild') ? valuesOf(kustomization, index) : undefined;
  const common = fieldAt(kustomization, 'spec', 'commonMetadata');
  if (namespace === undefined && !values && !isFields(common)) return undefined;
  return (manifest) => {
    const filled = values && contentsOf(manifest).dollar && !isNotSubstituted(manifest) ? filledIn(manifest, values) as ManifestObject : manifest;
    const placed = namespace === undefined ? filled : inNamespace(filled, namespace);
    return isFields(common) ? withMetadata(placed, common) : placed;
  };
}

/** A manifest with more labels and annotations, over its own. */
function withMetadata(manifest: ManifestObject, common: Fields): ManifestObject {
  const { metadata } = manifest;
  const own = isFields(metadata) ? metadata : {};
  const added = ['labels', 'annotations'].flatMap((name) => {
    const [former, more] = [own[name], common[name]];
    return isFields(more) ? [[name, { ...isFields(former) && former, ...more }]] : [];
  });
  return { ...manifest, metadata: { ...own, ...Object.fromEntries(added) } };
}

/**
 * Fields that a Kustomization of Flux writes into the kustomization of its folder.
 *
 * Source: fluxcd/pkg kustomize/kustomize_generator.go (GenerateManifest), v1.35.4.
 */
function kustomizes(kustomization: ManifestObject): Fields | undefined {
  const spec = fieldAt(kustomization, 'spec');
  if (!isFields(spec)) return undefined;
  const added = ['components', 'images', 'namePrefix', 'nameSuffix', 'patches'].filter((field) => isGiven(spec[field]));
  if (added.length === 0) return undefined;
  const namespace = stringAt(spec, 'targetNamespace');
  return { ...Object.fromEntries(added.map((field) => [field, spec[field]])), ...(namespace !== undefined && { namespace }) };
}

/** True if a value is neither empty nor unset. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
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
    const closed = closedText(value);
    const start = filledText(closed, values);
    const filled = `${start}${value.slice(closed.length)}`;
    // The variable is replaced in the text of the manifest, which is read afterwards.
    const isAlone = !isText && filled !== value && closed === value && value.replace(VARIABLE, '') === '';
    return isAlone && /^(?:\d{1,15}|true|false)$/.test(filled) ? JSON.parse(filled) : filled;
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, values, isText));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filledIn(item, values, isText || TEXTS.has(key))]));
}

function filledText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (whole, name: string, byDefault?: string) => (
    values.get(name) ?? (byDefault === undefined ? whole : filledText(byDefault, values))));
}

const SOURCES = 'source.toolkit.fluxcd.io';

/** Names of the Secrets with a kubeconfig that Cluster API and providers of hosted control planes make. */
const KUBECONFIG = /^(.+?)(?:-admin)?-kubeconfig$/;

const COMMON = {
  // A suspended object is finalized without a change of what it has applied.
  stopped: { spec: { suspend: true } },
  isForTenant: (object: ManifestObject): boolean => isFilled(object, 'spec', 'kubeConfig'),
  target: (object: ManifestObject): ClusterTarget => ({ by: 'name', name: kubeconfigCluster(object) }),
  kubeconfig: (object: ManifestObject): KubeconfigReference | undefined => {
    const path = ['spec', 'kubeConfig', 'secretRef'];
    const [secret, key] = ['name', 'key'].map((field) => stringAt(object, ...path, field));
    return secret === undefined ? undefined : { path, secret, keys: key === undefined ? USUAL_KEYS : [key] };
  },
};

/** Keys of a kubeconfig that Flux reads where an object names none (fluxcd/helm-controller internal/kube/config.go, v1.6.3). */
export const USUAL_KEYS: readonly string[] = ['value', 'value.yaml'];

/** The cluster whose kubeconfig an object of Flux has, by the name of the Secret. */
export function kubeconfigCluster(object: ManifestObject): string | undefined {
  return KUBECONFIG.exec(stringAt(object, 'spec', 'kubeConfig', 'secretRef', 'name') ?? '')?.[1];
}

/** Deliveries with Flux. */
export const DELIVERIES: readonly DeliveryFacts[] = [
  {
    kind: HELM_RELEASE,
    installsChart: 'always',
    ...COMMON,
    read: readRelease,
    // fluxcd/helm-controller internal/controller/helmrelease_controller.go (reconcileDelete), v1.6.3.
    keepsRemoved: (object, after) => fieldAt(after ?? object, 'spec', 'suspend') === true,
    leaves: isKeptByHelm,
    marks: (applied) => markOf(applied, 'helm'),
    renders: rendersChart,
    layers,
    openings: releaseOpenings,
    ownOpenings: releaseOpenings,
    values: (object) => namesAt(object, 'spec', 'valuesFrom'),
  },
  {
    kind: KUSTOMIZATION,
    ...COMMON,
    read: (object) => ({
      path: stringAt(object, 'spec', 'path'), targetNamespace: stringAt(object, 'spec', 'targetNamespace'), ...orderOf(object),
    }),
    folders: (object) => [{
      path: stringAt(object, 'spec', 'path') ?? '',
      source: sourceKey(object),
      sourceName: ['kind', 'name'].map((field) => stringAt(object, 'spec', 'sourceRef', field) ?? '').join(' '),
      mayBeOther: [BUCKET, EXTERNAL_ARTIFACT, OCI_REPOSITORY].includes(sourceKind(fieldAt(object, 'spec', 'sourceRef'))),
    }],
    keepsRemoved,
    // fluxcd/kustomize-controller internal/controller/kustomization_controller.go (kustomization path not found), v1.9.4.
    failsWithoutFolder: true,
    leaves: (applied) => isExcluded(applied) || hasMark(applied, `${OBJECT}prune`, 'disabled'),
    forces,
    forcesByDryRun: true,
    keepsOut,
    kustomizes,
    rewrites,
    marks: (applied) => markOf(applied, 'kustomize'),
    // fluxcd/kustomize-controller internal/controller/kustomization_controller.go (apply: Cleanup.FieldManagers), v1.9.4.
    removesFieldsOf: (manager) => manager.startsWith('kubectl') || manager.startsWith('before-first-apply'),
    setsBack: (object) => fieldAt(object, 'spec', 'suspend') !== true,
    openings: deliveryOpenings,
    holds: (refused) => (manifest, isPruned) => isPruned || stage(manifest) >= stage(refused),
    values: (object) => namesAt(object, 'spec', 'postBuild', 'substituteFrom'),
  },
];

const OBJECT = 'kustomize.toolkit.fluxcd.io/';

/**
 * True if Flux neither applies nor prunes an object.
 *
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (apply: ExclusionSelector, prune: Exclusions), v1.9.4.
 */
function isExcluded(object: ManifestObject): boolean {
  return hasMark(object, `${OBJECT}reconcile`, 'disabled') || hasMark(object, `${OBJECT}ssa`, 'Ignore');
}

/**
 * Changes that Flux does not apply to an object that is there: by marks on it, and in fields that its Kustomization ignores.
 *
 * Sources: fluxcd/pkg ssa/manager_apply.go (shouldSkipApply, removeIgnoredFields), ssa/jsondiff/selector.go, v0.76.1.
 */
function keepsOut(kustomization: ManifestObject, manifest: ManifestObject, former: ManifestObject): KeptChanges | undefined {
  if ([manifest, former].some(isExcluded)) return { applied: former, because: `leaves it alone, by ${OBJECT}reconcile or ssa` };
  if (hasMark(manifest, `${OBJECT}ssa`, 'IfNotPresent')) return { applied: former, because: `creates it if it is not there, by ${OBJECT}ssa` };
  const pointers = objectsAt(kustomization, 'spec', 'ignore').filter(([{ target }]) => isTarget(target, manifest))
    .flatMap(([rule]) => listAt(rule, 'paths').map(String));
  if (pointers.length === 0) return undefined;
  const applied = withFieldsOf(manifest, former, pointers);
  return sameValue(applied, manifest) ? undefined : { applied: sameValue(applied, former) ? former : applied, because: `ignores ${pointers.join(', ')}` };
}

/** True if a selector without labels and annotations selects an object; its fields are regular expressions for the whole text. */
function isTarget(target: unknown, object: ManifestObject): boolean {
  if (target === undefined || target === null) return true;
  if (isSet(target, 'labelSelector') || isSet(target, 'annotationSelector')) return false;
  const texts = { group: groupOf(object), kind: String(object.kind), name: nameOf(object), namespace: namespaceOf(object) };
  return Object.entries(texts).every(([field, text = '']) => {
    const pattern = stringAt(target, field);
    return pattern === undefined || pattern === '' || matchesWhole(pattern, text);
  });
}

function matchesWhole(pattern: string, text: string): boolean {
  // A pattern of letters and dashes alone is safe to compare; others are not read.
  return /^[\w.-]*$/.test(pattern) ? pattern === text : pattern === '.*';
}

/**
 * True if Flux deletes an object whose change is refused, and creates it anew.
 *
 * Source: fluxcd/pkg ssa/manager_apply.go (shouldForceApply), ssa/errors/immutable.go, v0.76.1.
 */
function forces(kustomization: ManifestObject, manifest: ManifestObject, former: ManifestObject): boolean {
  return fieldAt(kustomization, 'spec', 'force') === true || [manifest, former].some((object) => hasMark(object, `${OBJECT}force`, 'enabled'));
}

/** Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (prune, finalizerShouldDeleteResources), v1.9.4. */
function keepsRemoved(object: ManifestObject, after: ManifestObject | undefined): boolean {
  const decides = after ?? object;
  if (fieldAt(decides, 'spec', 'suspend') === true) return true;
  const policy = after ? 'MirrorPrune' : stringAt(object, 'spec', 'deletionPolicy') ?? 'MirrorPrune';
  return policy === 'Orphan' || (policy === 'MirrorPrune' && fieldAt(decides, 'spec', 'prune') !== true);
}

/** Source: fluxcd/pkg ssa/manager_apply.go (ApplyAllStaged: each stage is a dry run of all its objects first), ssa/utils/is.go. */
function stage({ kind }: ManifestObject): number {
  if (kind === 'CustomResourceDefinition' || kind === 'Namespace') return 0;
  return String(kind).endsWith('Class') ? 1 : 2;
}

/** Sources: fluxcd/pkg ssa/manager.go (SetOwnerLabels), fluxcd/helm-controller internal/postrender/labels.go, v1.6.3. */
function markOf(applied: ManifestObject, controller: string): { readonly namespace?: string; readonly name: string } | undefined {
  const label = (name: string) => stringAt(applied, 'metadata', 'labels', `${controller}.toolkit.fluxcd.io/${name}`);
  const [name, namespace] = [label('name'), label('namespace')];
  return name === undefined ? undefined : { name, namespace };
}

function sourceKey(object: ManifestObject): string {
  const reference = fieldAt(object, 'spec', 'sourceRef');
  return JSON.stringify([sourceKind(reference), stringAt(reference, 'namespace') ?? namespaceOf(object), stringAt(reference, 'name')]);
}

function namesAt(object: ManifestObject, ...path: readonly string[]) {
  return objectsAt(object, ...path).map(([from]) => ({ kind: stringAt(from, 'kind'), name: stringAt(from, 'name') }));
}

function readRelease(object: ManifestObject, index: ManifestIndex): Delivery {
  // fluxcd/helm-controller docs/spec/v2/helmreleases.md: its own namespace is the default.
  return { ...namedChart(object, index), targetNamespace: stringAt(object, 'spec', 'targetNamespace') ?? namespaceOf(object), ...orderOf(object) };
}

/**
 * The chart of a release that is taken from a folder.
 *
 * Sources: fluxcd/helm-controller docs/spec/v2/helmreleases.md (values, release name), api/v2/helmrelease_types.go (GetReleaseName), v1.6.3;
 * fluxcd/source-controller docs/spec/v1/helmcharts.md (values files), v1.9.1.
 */
function rendersChart(release: ManifestObject, index: ManifestIndex): ChartRender | undefined {
  const { spec } = chartOf(release, index);
  const folder = stringAt(spec, 'chart');
  if (folder === undefined || ![GIT_REPOSITORY, BUCKET].includes(sourceKind(fieldAt(spec, 'sourceRef')))) return undefined;
  const [name, target] = [stringAt(release, 'metadata', 'name') ?? '', stringAt(release, 'spec', 'targetNamespace')];
  const files = listAt(spec, 'valuesFiles').map(String);
  const from = objectsAt(release, 'spec', 'valuesFrom').map(([one]) => valuesFrom(one, release, index));
  const own = fieldAt(release, 'spec', 'values');
  const faults = [...from.flatMap((one) => (typeof one === 'string' ? [one] : [])), ...isSet(release, 'spec', 'postRenderers') ? ['its postRenderers are not run'] : []];
  return {
    path: folder,
    source: JSON.stringify([fieldAt(spec, 'sourceRef')]),
    release: stringAt(release, 'spec', 'releaseName') ?? (target === undefined ? name : `${target}-${name}`),
    namespace: target ?? namespaceOf(release),
    values: [
      ...files.map((file) => ({ file, ofSource: true, isOptional: fieldAt(spec, 'ignoreMissingValuesFiles') === true })),
      ...from.flatMap((one) => (typeof one === 'string' || one === undefined ? [] : [one])),
      ...own === undefined ? [] : [{ text: JSON.stringify(own) }],
    ],
    set: [],
    replacesValues: files.length > 0,
    skipsDefinitions: stringAt(release, 'spec', 'install', 'crds') === 'Skip',
    // fluxcd/source-controller internal/helm/chart/builder_local.go (Build: CachedChart), docs/spec/v1/helmcharts.md (reconcile strategy), v1.9.1.
    ...(stringAt(spec, 'reconcileStrategy') !== 'Revision' && { packedFor: JSON.stringify(spec) }),
    ...(faults.length > 0 && { fault: faults[0] }),
  };
}

/** The values of a release: its own over those from elsewhere (fluxcd/helm-controller docs/spec/v2/helmreleases.md, "Values"). */
function layers(release: ManifestObject, index: ManifestIndex): readonly ValuesLayer[] {
  const own = fieldAt(release, 'spec', 'values');
  return [
    ...objectsAt(release, 'spec', 'valuesFrom').flatMap(([one, position]): ValuesLayer[] => {
      const from = valuesFrom(one, release, index);
      const path = ['spec', 'valuesFrom', position];
      if (from === undefined) return [];
      const values = typeof from === 'string' ? undefined : readText(from.text).documents[0]?.value;
      return [{ path, isWhole: true, ...isFields(values) && { values } }];
    }),
    { path: ['spec', 'values'], values: isFields(own) ? own : {} },
  ];
}

/** Values in a ConfigMap; a reason where they are not known. */
function valuesFrom(from: Fields, release: ManifestObject, index: ManifestIndex): { readonly text: string } | string | undefined {
  const [kind, name, key = 'values.yaml'] = ['kind', 'name', 'valuesKey'].map((field) => stringAt(from, field));
  if (kind !== 'ConfigMap' || isSet(from, 'targetPath')) return `its values of ${kind} ${name} are not known`;
  const text = stringAt(index.find('/ConfigMap', namespaceOf(release), name), 'data', key);
  if (text !== undefined) return { text };
  return from.optional === true ? undefined : `its values of ConfigMap ${name} are not among the manifests`;
}

/** The chart of a release. */
interface ReleaseChart {
  /** The fields of a chart, in the release or in a HelmChart that it refers to; undefined for the artifact of a registry. */
  readonly spec?: unknown;

  /** Source of the chart, if it is among the manifests. */
  readonly source?: ManifestObject;
}

/** The chart of a HelmRelease. */
export function chartOf(release: ManifestObject, index: ManifestIndex): ReleaseChart {
  const namespace = namespaceOf(release);
  const inline = fieldAt(release, 'spec', 'chart', 'spec');
  if (inline !== undefined) return { spec: inline, source: sourceOf(fieldAt(inline, 'sourceRef'), namespace, index) };
  const reference = fieldAt(release, 'spec', 'chartRef');
  const source = sourceOf(reference, namespace, index);
  if (sourceKind(reference) !== HELM_CHART) return { source };
  const spec = fieldAt(source, 'spec');
  return { spec, source: sourceOf(fieldAt(spec, 'sourceRef'), stringAt(reference, 'namespace') ?? namespace, index) };
}

/** Name and version of the chart of a HelmRelease. That of a GitRepository or Bucket has no version of its own: Flux ignores it (fluxcd/source-controller docs/spec/v1/helmcharts.md). */
export function namedChart(release: ManifestObject, index: ManifestIndex): Pick<Delivery, 'chart' | 'version'> {
  const { spec, source } = chartOf(release, index);
  if (spec === undefined) {
    return { chart: stringAt(source, 'spec', 'url')?.replace(/(?<!\/)\/+$/, '').split('/').at(-1), version: revisionOf(source, ['digest', 'semver', 'tag']) };
  }
  const isVersioned = ![GIT_REPOSITORY, BUCKET].includes(sourceKind(fieldAt(spec, 'sourceRef')));
  return { chart: stringAt(spec, 'chart'), version: isVersioned ? stringAt(spec, 'version') : revisionOf(source, ['commit', 'name', 'semver', 'tag', 'branch']) };
}

/** Kind of the source that a reference names. */
export function sourceKind(reference: unknown): string {
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

/** Sources of a HelmRelease's values, in words. */
export function valuesElsewhere(object: ManifestObject, { isEmptyConfigMap }: DeliverySources): string[] {
  return objectsAt(object, 'spec', 'valuesFrom')
    .filter(([from]) => stringAt(from, 'kind') !== 'ConfigMap' || !isEmptyConfigMap(stringAt(from, 'name')))
    .map(([from]) => `takes values from the ${stringAt(from, 'kind')} ${stringAt(from, 'name')}, which may name other images`);
}
