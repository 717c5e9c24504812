import { POD_SECURITY_LABELS } from '../../kubernetes/annotations';
import { AnnotationFact, AnnotationPlace, SystemAnnotations } from '../../rules/annotation-facts';
import { CLUSTER_API_ANNOTATIONS } from '../../rules/cluster-api/annotations';
import { ofProviders } from '../../systems/providers';
import { nearestName } from '../../values/nearest-name';

/** A label or an annotation that is known, and the controller that reads it. */
export interface KnownKey {
  readonly fact: AnnotationFact;
  readonly system: SystemAnnotations;
}

/** Keys that one release of the library knows, by what is looked for in them. */
interface KeyTable {
  readonly systems: readonly SystemAnnotations[];
  readonly byKey: ReadonlyMap<string, KnownKey>;
  readonly byPrefix: ReadonlyMap<string, readonly string[]>;
  readonly byName: ReadonlyMap<string, readonly KnownKey[]>;

  /** Keys that were meant by others with their prefix, as far as they were looked for. */
  readonly meant: Map<string, string | undefined>;
}

/** So many keys are remembered: the objects of a fleet share most of theirs. */
const MOST_MEANT = 10_000;

/** Length of the shortest name that tells its controller, whichever prefix it has. */
const SHORTEST_TELLING_NAME = 12;

/** Every table of labels and annotations; providers may be registered later. */
export function annotationSystems(): readonly SystemAnnotations[] {
  return keyTable().systems;
}

// Looked up for each key of each object.
const keyTable = ofProviders((all): KeyTable => {
  const systems = [CLUSTER_API_ANNOTATIONS, POD_SECURITY_LABELS, ...all.flatMap(({ annotations }) => (annotations ? [annotations] : []))];
  const known = systems.flatMap((system) => system.facts.map((fact): KnownKey => ({ fact, system })));
  const grouped = <T>(keyOf: (one: KnownKey) => string, valueOf: (one: KnownKey) => T) => {
    const groups = new Map<string, T[]>();
    for (const one of known) groups.set(keyOf(one), [...groups.get(keyOf(one)) ?? [], valueOf(one)]);
    return groups;
  };
  return {
    systems,
    byKey: new Map(known.map((one) => [one.fact.key, one])),
    byPrefix: grouped(({ fact }) => prefixOf(fact.key), ({ fact }) => fact.key),
    // Names that controllers write themselves are common, such as "name".
    byName: grouped(({ fact: { key, isLabel, kinds } }) => (isLabel === 'both' && kinds?.includes('*') ? '' : nameOf(key)), (one) => one),
    meant: new Map(),
  };
});

/** The controller that reads a key; undefined if none is known. */
export function knownKey(key: string): KnownKey | undefined {
  const { byKey } = keyTable();
  return byKey.get(key) ?? byKey.get(prefixOf(key));
}

/** A key that no controller reads. */
export interface UnknownKey {
  readonly reader: string;

  /** The key that is most likely meant. */
  readonly meant?: string;
}

/** Tells of a key that is not known whether a controller that is known should have it; undefined if it may be of another one. */
export function unknownKey(key: string, place: AnnotationPlace): UnknownKey | undefined {
  const { systems, byKey } = keyTable();
  const owner = systems.find(({ owned = [] }) => owned.some((prefix) => key.startsWith(prefix)));
  const meant = keyOfSamePrefix(key, owner !== undefined) ?? keyOfOtherPrefix(key, place);
  const reader = owner?.reader ?? (meant === undefined ? undefined : byKey.get(meant)!.system.reader);
  return reader === undefined ? undefined : { reader, meant };
}

function keyOfSamePrefix(key: string, isOwned: boolean): string | undefined {
  const { meant } = keyTable();
  if (meant.has(key)) return meant.get(key);
  const found = nearestOfPrefix(key, isOwned);
  if (meant.size >= MOST_MEANT) meant.clear();
  meant.set(key, found);
  return found;
}

function nearestOfPrefix(key: string, isOwned: boolean): string | undefined {
  const [prefix, name] = [prefixOf(key), nameOf(key)];
  const names = (keyTable().byPrefix.get(prefix) ?? []).map(nameOf);
  const near = names.find((known) => known.toLowerCase() === name.toLowerCase()) ?? nearestName(name, names, isOwned ? 6 : 2)
    ?? (isOwned ? names.find((known) => known.startsWith(name)) : undefined);
  return near === undefined ? undefined : `${prefix}${near}`;
}

function keyOfOtherPrefix(key: string, { reaches }: AnnotationPlace): string | undefined {
  const name = nameOf(key);
  const isTelling = name.length >= SHORTEST_TELLING_NAME && name.includes('-');
  return keyTable().byName.get(name)?.find(({ fact }) => (
    sameDomain(prefixOf(key), prefixOf(fact.key)) || (isTelling && fact.kinds?.some((kind) => kind !== '*' && reaches.includes(kind)))))?.fact.key;
}

/** True for two domains of one project, such as `kustomize.fluxcd.io` and `kustomize.toolkit.fluxcd.io`. */
function sameDomain(one: string, other: string): boolean {
  const [first, second] = [one, other].map((prefix) => {
    const labels = prefix.slice(0, -1).split('.');
    return labels.slice(labels.at(-2)?.includes('k8s') ? -3 : -2).join('.');
  });
  return first === second;
}

function prefixOf(key: string): string {
  return key.slice(0, key.indexOf('/') + 1);
}

function nameOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}
