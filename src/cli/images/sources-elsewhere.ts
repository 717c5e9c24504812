import { ChartReference } from '../../images/chart-references';
import { fieldAt, Fields, groupKind, isFields, ManifestObject, objectName, textAt } from '../../images/manifest-object';

/** So many folders in common are no accident: synthesis writes what Flux and Argo CD apply to namespace/cluster/delivery. */
const ENOUGH_IN_COMMON = 3;

/**
 * What an object makes somebody install or change by what stands elsewhere: in a repository, in a ConfigMap, in a template that only a
 * controller renders. Images may hide there.
 *
 * @param object an object as it is written
 * @param references the charts that are known to come by it
 * @param folders absolute paths of the folders that were read, with `/` between their parts
 * @param empty namespace and name of the ConfigMaps that hold no values (`emptyValues`)
 * @returns a sentence for each, without a full stop
 */
export function sourcesElsewhere(
  object: ManifestObject, references: readonly ChartReference[], folders: readonly string[], empty: ReadonlySet<string>,
): string[] {
  const name = objectName(object);
  switch (groupKind(object)) {
    case 'helm.toolkit.fluxcd.io/HelmRelease': return [...missingChart(name, references), ...valuesElsewhere(object, name, empty)];
    case 'addons.cluster.x-k8s.io/HelmChartProxy': return [...missingChart(name, references), ...templatedValues(object, name, references)];
    case 'kustomize.toolkit.fluxcd.io/Kustomization': return unreadFolder(name, textAt(object, 'spec', 'path') ?? '', folders);
    case 'argoproj.io/Application': return listOf(fieldAt(object, 'spec', 'sources'), fieldAt(object, 'spec', 'source'))
      .flatMap((source) => applicationSource(source, name, folders));
    case 'argoproj.io/ApplicationSet': return [`${name} makes Applications from a template, which are not looked at`];
    default: return [];
  }
}

function missingChart(name: string, references: readonly ChartReference[]): string[] {
  return references.length > 0 ? [] : [`${name} installs a chart whose repository or version is not among the manifests`];
}

/** The ConfigMaps that a HelmRelease may take values from and that hold none, as `namespace/name`: a release only waits for them. */
export function emptyValues(objects: readonly ManifestObject[]): ReadonlySet<string> {
  const isEmpty = (data: unknown): data is Fields => isFields(data) && Object.values(data).every((text) => typeof text === 'string' && text.trim() === '{}');
  return new Set(objects.filter((object) => groupKind(object) === '/ConfigMap' && isEmpty(object.data))
    .map((object) => `${textAt(object, 'metadata', 'namespace')}/${textAt(object, 'metadata', 'name')}`));
}

function valuesElsewhere(object: ManifestObject, name: string, empty: ReadonlySet<string>): string[] {
  const namespace = textAt(object, 'metadata', 'namespace');
  return listOf(fieldAt(object, 'spec', 'valuesFrom'))
    .filter((from) => textAt(from, 'kind') !== 'ConfigMap' || !empty.has(`${namespace}/${textAt(from, 'name')}`))
    .map((from) => `${name} takes values from the ${textAt(from, 'kind')} ${textAt(from, 'name')}, which may name other images`);
}

function templatedValues(object: ManifestObject, name: string, references: readonly ChartReference[]): string[] {
  const template = textAt(object, 'spec', 'valuesTemplate');
  return template === undefined || references.some(({ values }) => values !== undefined) ? []
    : [`${name} has a template of values that only its provider renders, and they may name other images`];
}

function applicationSource(source: unknown, name: string, folders: readonly string[]): string[] {
  const helm = fieldAt(source, 'helm');
  const values = ['values', 'parameters', 'valueFiles', 'fileParameters'].filter((field) => fieldAt(helm, field) !== undefined);
  const path = textAt(source, 'path');
  return [
    ...values.map((field) => `${name} has spec.source.helm.${field}, which may name other images`),
    // A source that others refer to by name holds files of values only.
    ...(textAt(source, 'chart') !== undefined || (path === undefined && textAt(source, 'ref') !== undefined) ? [] : unreadFolder(name, path ?? '', folders)),
  ];
}

function unreadFolder(name: string, path: string, folders: readonly string[]): string[] {
  const parts = partsOf(path);
  const read = parts.length > 0 && folders.some((folder) => inCommon(parts, partsOf(folder)) >= Math.min(parts.length, ENOUGH_IN_COMMON));
  return read ? [] : [`${name} applies the folder "${path}" of its source, which is not among the manifests`];
}

/** How many parts at the end of two paths are the same. */
function inCommon(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((_, index) => one.at(-1 - index) !== other.at(-1 - index));
  return differs < 0 ? one.length : differs;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function listOf(list: unknown, single?: unknown): unknown[] {
  return [...(Array.isArray(list) ? list as unknown[] : []), ...(single === undefined ? [] : [single])];
}
