import { StoredValues } from './stored-values';
import { STORED_FORMS as KUBERNETES } from '../kubernetes/stored-forms';
import { groupKind, groupOf, ManifestObject } from '../objects/manifest-object';
import { identityOf } from '../rules/changes/field-changes';
import { STORED_FORMS as CLUSTER_API } from '../rules/cluster-api/stored-forms';
import { ofEachObject } from '../rules/of-one-object';
import { Draft, draftOf, FormOf, StoredForm } from '../rules/stored-form';
import { structureOf } from '../rules/structure/structures';
import { objectWithDefaults } from '../schema/defaults';
import { providers } from '../systems/providers';
import { fieldAt, Fields, isFields, sameValue } from '../values/fields';

/** Metadata that servers write. */
const SERVER_FIELDS: readonly string[] = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'];

/** An object before and after, in one form. */
export interface StoredPair {
  readonly before: ManifestObject;
  readonly after: ManifestObject;
}

/**
 * Two states of an object as the server stores them, so that spellings of the same are equal: defaults, quantities, durations, references, empty fields,
 * and versions of the API. Values that differ stay in the words of the files, as far as both files are in one version of the API.
 *
 * @param before the object as it was written before
 * @param after the object as it is written now
 */
export function storedPair(before: ManifestObject, after: ManifestObject): StoredPair {
  const known = PAIRS(before);
  let pair = known.get(after);
  if (!pair) {
    // A revert is asked for after the change.
    const reverse = PAIRS(after).get(before);
    known.set(after, pair = reverse ? { before: reverse.after, after: reverse.before } : pairOf(before, after));
  }
  return pair;
}

/** Pairs of an object with the ones that it was compared with. */
const PAIRS = ofEachObject((_: ManifestObject) => new Map<ManifestObject, StoredPair>());

function pairOf(before: ManifestObject, after: ManifestObject): StoredPair {
  if (sameValue(before, after)) return { before: after, after };
  const placesOf = storedFormOf(groupKind(after))?.placesOf ?? (() => '');
  const isConverted = before.apiVersion !== after.apiVersion || placesOf(before) !== placesOf(after);
  const [old, now] = [before, after].map(isConverted ? CONVERTED : AS_VERSIONED);
  // Without a known conversion, each version has defaults of its own for fields that may be the same.
  if (old.apiVersion !== now.apiVersion) return { before: convertedObject(before), after: convertedObject(after) };
  if (isConverted) return { before: old, after: now };
  // Differences that are in neither file follow from something that is.
  const [was, is] = inWords(old, now, before, after);
  return sameValue(was, is) ? { before: old, after: now } : { before: was as ManifestObject, after: is as ManifestObject };
}

/** An object as the server stores it. */
export function storedObject(object: ManifestObject): ManifestObject {
  return storedIn(object, true);
}

/** An object in the version of the API that the server stores, without what it adds: defaults, and values of its webhooks. */
export function convertedObject(object: ManifestObject): ManifestObject {
  const facts = storedFormOf(groupKind(object));
  if (!facts) return object;
  const draft = draftOf(object);
  bringInto(draft, { ...facts, complete: undefined }, true);
  return draft as ManifestObject;
}

/** Objects as the server stores them, in the stored version, and in the one that they are written in. */
const [CONVERTED, AS_VERSIONED] = [true, false].map((isConverted) => ofEachObject((object: ManifestObject) => storedIn(object, isConverted)));

function storedIn(object: ManifestObject, isConverted: boolean): ManifestObject {
  const kind = groupKind(object);
  const facts = storedFormOf(kind);
  const draft = draftOf(object);
  withoutServerFields(draft);
  if (facts) bringInto(draft, facts, isConverted);
  const root = structureOf(groupOf(object), String(object.kind))?.versions.get(versionOf(draft));
  if (!root) return draft as ManifestObject;
  return new StoredValues(kind, facts?.omitsEmpty === true).read(root, objectWithDefaults(root, draft)) as ManifestObject;
}

function bringInto(draft: Draft, { version, conversions = {}, convertible, complete }: StoredForm, isConverted: boolean): void {
  const form = new FormOf(isConverted || versionOf(draft) === version);
  const spec = isFields(draft.spec) ? draft.spec as Draft : undefined;
  const convert = conversions[versionOf(draft)];
  if (convert && (!spec || convertible?.(spec) !== false)) {
    if (spec) convert(spec, form);
    if (isConverted) draft.apiVersion = `${groupOf(draft)}/${version}`;
  }
  complete?.(draft, form);
}

function storedFormOf(kind: string): StoredForm | undefined {
  return CLUSTER_API[kind] ?? KUBERNETES[kind]
    ?? providers().map(({ storedForms }) => storedForms?.[kind]).find((form) => form !== undefined);
}

function versionOf({ apiVersion }: Fields): string {
  return typeof apiVersion === 'string' ? apiVersion.slice(apiVersion.indexOf('/') + 1) : '';
}

/** Removes what is empty in metadata, and what servers write. */
function withoutServerFields(draft: Draft): void {
  if (!isFields(draft.metadata)) return;
  const metadata = draft.metadata as Draft;
  for (const name of SERVER_FIELDS) delete metadata[name];
  for (const name of ['annotations', 'finalizers', 'labels', 'ownerReferences']) {
    const value = metadata[name];
    if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) delete metadata[name];
  }
}

/** Two stored values, in the words of the files where they differ. */
function inWords(old: unknown, now: unknown, before: unknown, after: unknown): readonly [unknown, unknown] {
  if (sameValue(old, now)) return [now, now];
  if (isFields(old) && isFields(now)) {
    const pairs = [...new Set([...Object.keys(old), ...Object.keys(now)])].map((name) => (
      [name, ...inWords(fieldAt(old, name), fieldAt(now, name), fieldAt(before, name), fieldAt(after, name))] as const));
    return [objectOf(pairs.map(([name, was]) => [name, was])), objectOf(pairs.map(([name, , is]) => [name, is]))];
  }
  const lists = [old, now, before, after];
  if (lists.every(Array.isArray)) return listsInWords(...lists as [unknown[], unknown[], unknown[], unknown[]]);
  return [before, after];
}

/** Two stored lists, in the words of the files where items differ that belong together. */
function listsInWords(
  old: readonly unknown[], now: readonly unknown[], before: readonly unknown[], after: readonly unknown[],
): readonly [readonly unknown[], readonly unknown[]] {
  if (old.length !== before.length || now.length !== after.length) return [old, now];
  const identity = identityOf(old, now);
  const positions = identity === undefined ? undefined : new Map(now.map((item, index) => [fieldAt(item, identity), index]));
  const [was, is]: unknown[][] = [[], [...after]];
  old.forEach((item, index) => {
    const place = old.length === now.length ? index : now.findIndex((one) => sameValue(one, item));
    const other = positions ? positions.get(fieldAt(item, identity!)) : place;
    if (other === undefined || other < 0) {
      was.push(before[index]);
    } else {
      const [one, another] = inWords(item, now[other], before[index], after[other]);
      was.push(one);
      is[other] = another;
    }
  });
  return [was, is];
}

function objectOf(entries: readonly (readonly [string, unknown])[]): Fields {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
