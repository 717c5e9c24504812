import { Carrier, MovedObject } from './move-model';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf, objectName } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { podSources } from '../rules/mounted-files';
import { CarriedSecrets } from '../rules/move-facts';
import { deliveryFacts, providers } from '../systems/providers';
import { madeSecrets } from '../validation/references/source-keys';
import { Fields, isFields, stringAt } from '../values/fields';

/** The label of an object that `clusterctl move` takes along. */
export const MOVE_LABEL = 'clusterctl.cluster.x-k8s.io/move';

const IPAM = 'ipam.cluster.x-k8s.io';
const SECRET = '/Secret';
const CONFIG_MAP = '/ConfigMap';

/** Secrets that belong to a Cluster by their name (kubernetes-sigs/cluster-api util/secret/secret.go, ParseSecretName). */
const OWN_SECRETS: readonly string[] = ['apiserver-etcd-client', 'ca', 'etcd', 'kubeconfig', 'proxy', 'sa'];

/** Fields of objects of Cluster API that name a Secret or ConfigMap, by themselves or in an object. */
const NAMED_FIELDS: readonly (readonly [RegExp, string])[] = [
  [/secret(Ref|KeyRef)?$/i, SECRET], [/^(identityRef|credentialsRef|cloudConfigRef)$/, SECRET], [/configMap(Ref|KeyRef)?$/i, CONFIG_MAP],
];
const NAME_FIELD = /secretName$/i;

/** Names that a controller has given. */
const GIVEN_BY_CONTROLLERS: readonly string[] = ['dataSecretName'];

interface NamedObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** True if Cluster API, or a provider of it, works on an object. */
function isMachinery(object: ManifestObject): boolean {
  const group = groupOf(object);
  return group === 'cluster.x-k8s.io' || group.endsWith('.cluster.x-k8s.io');
}

/**
 * The objects in a namespace, and those that they name, each with its way to the next management cluster.
 *
 * Source: kubernetes-sigs/cluster-api cmd/clusterctl/client/cluster/objectgraph.go, v1.14.2.
 *
 * @param objects the objects in the namespace of the cluster
 * @param clusters the names of the clusters there
 * @param carried Secrets that are copied
 */
export function movedObjects(
  objects: readonly ManifestObject[], index: ManifestIndex, clusters: readonly string[], carried: readonly CarriedSecrets[],
): MovedObject[] {
  const pools = new Set(providers().flatMap(({ addressPools = {} }) => Object.keys(addressPools)));
  const own = objects.map((object): MovedObject => {
    const named = { kind: groupKind(object), namespace: namespaceOf(object), name: nameOf(object) ?? '' };
    if (!isMachinery(object)) return { ...named, by: Carrier.DELIVERY };
    // Other objects have addresses, too, such as the cluster of an infrastructure, which its Cluster owns.
    if (!pools.has(named.kind) || groupOf(object) !== IPAM) return { ...named, by: Carrier.CLUSTERCTL };
    return { ...named, by: Carrier.LABEL, why: 'nothing owns a pool, and addresses do not move without theirs' };
  });
  const copies = carried.flatMap(({ namespace, names, why }) => (
    names.map((name): MovedObject => ({ kind: SECRET, namespace, name, by: Carrier.COPY, why }))));
  const known = new Set([...own, ...copies].map(keyOf));
  const labelled = new Map<string, MovedObject>();
  for (const object of objects) {
    for (const named of namedBy(object)) {
      if (known.has(keyOf(named)) || labelled.has(keyOf(named)) || isMade(named, objects, index, clusters)) continue;
      labelled.set(keyOf(named), { ...named, by: Carrier.LABEL, why: `${objectName(object)} names it` });
    }
  }
  return [...own, ...copies, ...labelled.values()];
}

function keyOf({ kind, namespace = '', name }: NamedObject): string {
  return JSON.stringify([kind, namespace, name]);
}

/** True if something makes an object of its own: a controller of Cluster API, or an object that the repository has. */
function isMade(
  { kind, namespace, name }: NamedObject, objects: readonly ManifestObject[], index: ManifestIndex, clusters: readonly string[],
): boolean {
  if (kind === SECRET && clusters.some((cluster) => OWN_SECRETS.some((purpose) => name === `${cluster}-${purpose}`))) return true;
  if (madeSecrets(index).get(namespace ?? '')?.has(name)) return true;
  return objects.some((object) => !isMachinery(object) && !deliveryFacts(object) && groupOf(object) !== '' && groupOf(object) !== 'apps'
    && [nameOf(object), stringAt(object, 'spec', 'target', 'name'), stringAt(object, 'spec', 'secretName')].includes(name));
}

/** Secrets and ConfigMaps that an object names. */
function namedBy(object: ManifestObject): NamedObject[] {
  const namespace = namespaceOf(object);
  const given = (deliveryFacts(object)?.values?.(object) ?? [])
    .flatMap(({ kind, name }) => (name === undefined ? [] : [{ kind: kind === undefined ? SECRET : `/${kind}`, namespace, name }]));
  const mounted = podSources(object).filter(({ isOptional }) => !isOptional).map(({ kind, name }) => ({ kind, namespace, name }));
  return [...(isMachinery(object) ? namedIn(object.spec, namespace) : []), ...given, ...mounted];
}

function namedIn(value: unknown, namespace: string | undefined): NamedObject[] {
  if (Array.isArray(value)) return value.flatMap((item) => namedIn(item, namespace));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([field, inner]): NamedObject[] => {
    if (typeof inner === 'string') {
      return NAME_FIELD.test(field) && !GIVEN_BY_CONTROLLERS.includes(field) ? [{ kind: SECRET, namespace, name: inner }] : [];
    }
    const kind = NAMED_FIELDS.find(([pattern]) => pattern.test(field))?.[1];
    const named = kind === undefined || !isFields(inner) ? undefined : referenceIn(inner, kind, namespace);
    return [...(named ? [named] : []), ...namedIn(inner, namespace)];
  });
}

function referenceIn(value: Fields, kind: string, namespace: string | undefined): NamedObject | undefined {
  const name = stringAt(value, 'name');
  const stated = stringAt(value, 'kind');
  if (name === undefined || (stated !== undefined && `/${stated}` !== kind)) return undefined;
  return { kind, namespace: stringAt(value, 'namespace') ?? namespace, name };
}
