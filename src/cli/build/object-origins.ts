import * as path from 'node:path';
import { BuildUnit, isChart } from './built-pair';
import { ORIGIN_ANNOTATION } from './kustomize';
import { pathWithin } from '../../manifests/landscape/manifest-state';
import { Place } from '../../manifests/landscape/place';
import { ManifestFile, PlacedObjects, ReadObject } from '../../manifests/landscape/placed-objects';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../manifests/objects/manifest-object';
import { fieldAt, FieldPath, Fields, isFields, sameValue, stringAt } from '../../manifests/values/fields';

/** Line above each document that Helm renders. Source: helm/helm pkg/action/action.go (renderResources). */
const HELM_SOURCE = /^# Source: (\S.*)$/;

/** The place of a built object's origin, as far as the program that built it names one. */
interface Origin {
  /** Path of the file below what was read. */
  readonly file?: string;

  /** The same as the program names it. */
  readonly named?: string;
}

/**
 * Gives the fields of built objects the places that they come from. The object itself stays in the file that holds what was built.
 *
 * @param state the state with what was built
 * @param read what was read before
 * @param files the files with what was built
 */
export function objectOrigins(
  state: { readonly root: string }, read: PlacedObjects, files: ReadonlyMap<string, ManifestFile>,
): (read: ReadObject, unit: BuildUnit) => ReadObject {
  const own = [...read.objects.filter(({ pack }) => !pack), ...read.patches];
  const places = new Map(own.map(({ object, place }) => [object, place] as const));
  const originals = new Map<string, ReadObject[]>();
  for (const one of own) originals.set(pathWithin(state, one.place.file), [...originals.get(pathWithin(state, one.place.file)) ?? [], one]);
  const sources = new Map<string, readonly Origin[]>();
  const known = new Map<ManifestObject, Place>();
  return (one, unit) => {
    const { object, pack, place, placeOf } = one;
    if (pack) {
      const around = known.get(pack);
      const moved = (at: Place): Place => (around ? { ...around, inside: [around.inside, at.inside].filter((part) => part !== undefined).join(', ') } : at);
      return { ...one, placeOf: (field) => moved(placeOf(field)) };
    }
    const lines = sources.get(place.file) ?? helmSources(files.get(place.file), unit);
    sources.set(place.file, lines);
    const origin = isChart(unit) ? lines[(place.line ?? 1) - 1] ?? {} : takenOrigin(object, unit);
    const at = placeIn(unit, origin, state.root, places);
    const original = origin.file === undefined ? undefined : originalOf(object, originals.get(origin.file) ?? []);
    known.set(object, original?.place ?? at);
    return { ...one, placeOf: (field) => (original && isSame(original.object, object, field) ? original.placeOf(field) : at) };
  };
}

/** Names of the file that a folder is a kustomization or a chart by. */
const OWN_FILE = /^(kustomization\.ya?ml|Kustomization|Chart\.ya?ml)$/;

/** The unit, and the file of origin in it. A template that was read is named itself. */
function placeIn(unit: BuildUnit, { file, named }: Origin, root: string, places: ReadonlyMap<ManifestObject, Place>): Place {
  const { delivery } = unit;
  const forDelivery = delivery && `for ${String(delivery.kind)} ${[namespaceOf(delivery), nameOf(delivery)].filter((part) => part !== undefined).join('/')}`;
  const inside = (...parts: (string | undefined)[]) => {
    const text = parts.filter((part) => part !== undefined).join(', ');
    return text === '' ? {} : { inside: text };
  };
  if (isChart(unit) && file !== undefined && unit.paths.has(file)) return { file: path.join(root, file), ...inside(forDelivery) };
  const { folder } = unit;
  const own = [...unit.paths].find((one) => path.posix.dirname(one) === folder && OWN_FILE.test(path.posix.basename(one)));
  if (own === undefined && delivery && places.has(delivery)) return { ...places.get(delivery)!, ...inside(named) };
  return { file: path.join(root, own ?? unit.file), ...inside(named, forDelivery) };
}

/** The origins of a rendering's documents, by line. */
function helmSources(file: ManifestFile | undefined, unit: BuildUnit): readonly Origin[] {
  if (!file || !isChart(unit)) return [];
  const { folder } = unit;
  const found: Origin[] = [];
  let last: Origin = {};
  for (const line of file.bytes.toString('utf8').split('\n')) {
    const named = HELM_SOURCE.exec(line)?.[1];
    // The first part is the name of the chart.
    if (named !== undefined) last = { named: named.split('/').slice(1).join('/'), file: path.posix.join(folder, ...named.split('/').slice(1)) };
    found.push(last);
  }
  return found;
}

/** The origin that kustomize names in an annotation, which is removed. */
function takenOrigin(object: ManifestObject, unit: BuildUnit): Origin {
  const { metadata } = object;
  const text = stringAt(metadata, 'annotations', ORIGIN_ANNOTATION);
  if (text === undefined || !isFields(metadata) || isChart(unit)) return {};
  Reflect.deleteProperty(metadata.annotations as Fields, ORIGIN_ANNOTATION);
  if (Object.keys(metadata.annotations as Fields).length === 0) Reflect.deleteProperty(metadata, 'annotations');
  const valueOf = (field: string) => new RegExp(`^${field}: (.+)$`, 'm').exec(text)?.[1];
  const named = valueOf('path') ?? valueOf('configuredIn');
  return named === undefined ? {} : { named, ...(valueOf('repo') === undefined && { file: path.posix.join(unit.folder, named) }) };
}

/** The object of a file that one was built from. Kustomizations add to names. */
function originalOf(object: ManifestObject, candidates: readonly ReadObject[]): ReadObject | undefined {
  const kind = groupKind(object);
  const name = nameOf(object) ?? '';
  const same = candidates.filter((one) => groupKind(one.object) === kind);
  const named = same.filter((one) => nameOf(one.object) === name);
  if (named.length === 1) return named[0];
  const part = same.filter((one) => name.includes(nameOf(one.object) ?? ' '));
  return named.length === 0 && part.length === 1 ? part[0] : undefined;
}

/** True if a field is the same in the original as in what was built. */
function isSame(original: ManifestObject, object: ManifestObject, field: FieldPath): boolean {
  return field.length === 0 || sameValue(fieldAt(original, ...field), fieldAt(object, ...field));
}
