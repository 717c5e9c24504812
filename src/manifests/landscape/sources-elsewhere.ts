import { groupKind, ManifestObject, objectName } from '../objects/manifest-object';
import { ChartReference } from '../rules/image-facts';
import { deliveryFacts, providers } from '../validation/providers';
import { Fields, isFields, stringAt } from '../values/fields';

/** Paths with this many common parts are one folder: synthesis writes what Flux and Argo CD apply to namespace/cluster/delivery. */
const ENOUGH_IN_COMMON = 3;

/**
 * What an object installs or changes from sources that are not among the manifests: a repository, a ConfigMap, a template that only a
 * controller renders. These may name further images.
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
  const [name, facts] = [objectName(object), deliveryFacts(object)];
  const namespace = stringAt(object, 'metadata', 'namespace');
  const sources = {
    hasValues: references.some(({ values }) => values !== undefined),
    isEmptyConfigMap: (configMap: string | undefined) => empty.has(`${namespace}/${configMap}`),
  };
  return [
    ...(facts?.installsChart === 'always' && references.length === 0 ? [`${name} installs a chart whose repository or version is not among the manifests`] : []),
    ...providers().flatMap(({ elsewhere }) => elsewhere?.[groupKind(object)]?.(object, sources) ?? []).map((text) => `${name} ${text}`),
    ...(facts?.folders?.(object) ?? []).flatMap(({ path }) => unreadFolder(name, path, folders)),
  ];
}

/** The ConfigMaps that may be sources of values of a HelmRelease, but hold none, as `namespace/name`: a release only waits for them. */
export function emptyValues(objects: readonly ManifestObject[]): ReadonlySet<string> {
  const isEmpty = (data: unknown): data is Fields => isFields(data) && Object.values(data).every((text) => typeof text === 'string' && text.trim() === '{}');
  return new Set(objects.filter((object) => groupKind(object) === '/ConfigMap' && isEmpty(object.data))
    .map((object) => `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`));
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
