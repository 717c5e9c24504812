import { Addon, AddonPlace } from './cluster-model';
import { fieldAt, groupKind, ManifestObject, textAt } from '../../images/manifest-object';
import { isSet, listAt, mapsAt, nameOf, namespaceOf } from '../../validation/manifests/manifest-fields';
import { ManifestIndex } from '../../validation/manifests/manifest-index';

export const HELM_RELEASE = 'helm.toolkit.fluxcd.io/HelmRelease';
export const KUSTOMIZATION = 'kustomize.toolkit.fluxcd.io/Kustomization';
export const APPLICATION = 'argoproj.io/Application';
export const HELM_CHART_PROXY = 'addons.cluster.x-k8s.io/HelmChartProxy';
export const CLUSTER_RESOURCE_SET = 'addons.cluster.x-k8s.io/ClusterResourceSet';

/** What delivers. */
export const DELIVERY_KINDS: readonly string[] = [HELM_RELEASE, KUSTOMIZATION, APPLICATION, HELM_CHART_PROXY, CLUSTER_RESOURCE_SET];

const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';
const SOURCES = 'source.toolkit.fluxcd.io';

type Delivered = Partial<Pick<Addon, 'chart' | 'version' | 'targetNamespace' | 'path' | 'after' | 'suspended'>>;

/**
 * What an object delivers.
 *
 * @param object one of `DELIVERY_KINDS`
 * @param runsIn where it is delivered to
 * @param contents kinds of the manifests in it
 * @param index all objects
 */
export function addonOf(object: ManifestObject, runsIn: AddonPlace, contents: ReadonlyMap<string, number>, index: ManifestIndex): Addon {
  const wave = textAt(object, 'metadata', 'annotations', SYNC_WAVE);
  return {
    id: addonId(object),
    kind: String(object.kind),
    namespace: namespaceOf(object),
    name: nameOf(object) ?? '-',
    runsIn,
    after: [],
    suspended: false,
    ...(wave !== undefined && /^-?\d{1,9}$/.test(wave) && { wave: Number(wave) }),
    ...delivered(object, index),
    contents,
  };
}

/** What stands for an object that delivers, among all. */
export function addonId(object: ManifestObject): string {
  return idOf(groupKind(object), namespaceOf(object), nameOf(object));
}

function idOf(kind: string, namespace = '', name = '-'): string {
  return `${kind}/${namespace}/${name}`;
}

function delivered(object: ManifestObject, index: ManifestIndex): Delivered {
  switch (groupKind(object)) {
    case HELM_RELEASE: return helmRelease(object, index);
    case KUSTOMIZATION: return {
      path: textAt(object, 'spec', 'path'),
      targetNamespace: textAt(object, 'spec', 'targetNamespace'),
      after: dependencies(object),
      suspended: fieldAt(object, 'spec', 'suspend') === true,
    };
    case APPLICATION: return application(object);
    case HELM_CHART_PROXY: return {
      chart: textAt(object, 'spec', 'chartName'),
      version: textAt(object, 'spec', 'version'),
      targetNamespace: textAt(object, 'spec', 'namespace'),
    };
    default: return {};
  }
}

function helmRelease(object: ManifestObject, index: ManifestIndex): Delivered {
  const inline = fieldAt(object, 'spec', 'chart', 'spec');
  const chart = inline === undefined ? chartOf(fieldAt(object, 'spec', 'chartRef'), namespaceOf(object), index)
    : { chart: textAt(inline, 'chart'), version: textAt(inline, 'version') };
  return {
    ...chart,
    // fluxcd/helm-controller docs/spec/v2/helmreleases.md: its own one is the default.
    targetNamespace: textAt(object, 'spec', 'targetNamespace') ?? namespaceOf(object),
    after: dependencies(object),
    suspended: fieldAt(object, 'spec', 'suspend') === true,
  };
}

/** A chart that is a source of Flux: an OCIRepository, or a HelmChart. */
function chartOf(reference: unknown, namespace: string | undefined, index: ManifestIndex): Delivered {
  const kind = textAt(reference, 'kind') ?? '';
  const source = index.find(`${SOURCES}/${kind}`, textAt(reference, 'namespace') ?? namespace, textAt(reference, 'name'));
  if (kind === 'HelmChart') return { chart: textAt(source, 'spec', 'chart'), version: textAt(source, 'spec', 'version') };
  const tag = ['digest', 'semver', 'tag'].map((field) => textAt(source, 'spec', 'ref', field)).find((text) => text !== undefined);
  return { chart: textAt(source, 'spec', 'url')?.replace(/\/+$/, '').split('/').at(-1), version: tag };
}

function dependencies(object: ManifestObject): string[] {
  return mapsAt(object, 'spec', 'dependsOn').map(([reference]) => (
    idOf(groupKind(object), textAt(reference, 'namespace') ?? namespaceOf(object), textAt(reference, 'name'))));
}

function application(object: ManifestObject): Delivered {
  const sources = isSet(object, 'spec', 'sources') ? listAt(object, 'spec', 'sources') : [fieldAt(object, 'spec', 'source')];
  const charts = sources.filter((source) => textAt(source, 'chart') !== undefined);
  const paths = sources.map((source) => textAt(source, 'path')).filter((path) => path !== undefined);
  return {
    targetNamespace: textAt(object, 'spec', 'destination', 'namespace'),
    // Of several, nobody can tell which one it is called after.
    ...(charts.length === 1 && { chart: textAt(charts[0], 'chart'), version: textAt(charts[0], 'targetRevision') }),
    ...(charts.length === 0 && paths.length === 1 && { path: paths[0] }),
  };
}
