import { Addon, AddonPlace } from './cluster-model';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { syncWave } from '../objects/prune-annotations';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts } from '../validation/providers';

/**
 * What an object delivers.
 *
 * @param object an object of a kind that delivers
 * @param runsIn where it is delivered to
 * @param contents kinds of the manifests in it
 * @param index all objects
 */
export function addonOf(object: ManifestObject, runsIn: AddonPlace, contents: ReadonlyMap<string, number>, index: ManifestIndex): Addon {
  const wave = syncWave(object);
  const { after = [], suspended = false, ...delivered } = deliveryFacts(object)?.read?.(object, index) ?? {};
  const kind = groupKind(object);
  return {
    id: idOf(kind, namespaceOf(object), nameOf(object)),
    kind: String(object.kind),
    namespace: namespaceOf(object),
    name: nameOf(object) ?? '-',
    runsIn,
    after: after.map(({ namespace, name }) => idOf(kind, namespace, name)),
    suspended,
    ...(wave !== undefined && { wave }),
    ...delivered,
    contents,
  };
}

function idOf(kind: string, namespace = '', name = '-'): string {
  return `${kind}/${namespace}/${name}`;
}
