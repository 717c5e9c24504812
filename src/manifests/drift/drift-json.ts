import { Drift, DriftedField, DriftedObject, LoneObject } from './drift-model';
import { driftTotals } from './drift-words';
import { fieldText } from '../values/fields';

/** Version of the shape below. Fields may come; when one goes or changes its meaning, the version is raised. */
const VERSION = 1;

/** The part of `drift --help` about the shape. */
export const DRIFT_SHAPE = `{ "version": 1, "totals": TOTALS, "objects": [OBJECT], "extra": [LONE], "missing": [LONE], "notListed": [TEXT],
    "notCompared": [TEXT], "lacksOwners": BOOLEAN }
  TOTALS is { "fields", "objects", "extra", "missing", "compared", "normal": { CAUSE: NUMBER } }; all but "normal" and "compared" count
    what is no normal work.
  OBJECT is { "apiVersion", "kind", "namespace"?, "name", "file"?, "line"?, "delivery"?, "fields": [FIELD], "revert": [TEXT] }; "revert" is
    what happens when what is no normal work is set back.
  FIELD is { "field", "stated"?, "living"?, "cause": CAUSE, "why", "manager"?, "time"?, "outcome"?, "keep"? }: the values of the manifest
    and of the cluster, who wrote the latter, what the next delivery makes of it, and what to write to keep it. Values that may be secret
    are "(hidden)".
  CAUSE is "by hand", "two writers", "unknown", "not applied", or of normal work "autoscaler", "controller" or "server".
  LONE is { "apiVersion", "kind", "namespace"?, "name", "file"?, "line"?, "cause": CAUSE, "why", "outcome"? }: an object without a
    manifest, or a manifest without an object.
  "notListed" names manifests of whose kind and namespace the dump has nothing, "notCompared" those that are encrypted; "lacksOwners" is
    true if the dump has no managed fields.`;

/** A drift as plain data. */
export function driftJson(drift: Drift): object {
  const { objects, extra, missing, notListed, notCompared, lacksOwners } = drift;
  return {
    version: VERSION,
    totals: driftTotals(drift),
    objects: objects.map(objectJson),
    extra: extra.map(loneJson),
    missing: missing.map(loneJson),
    notListed,
    notCompared,
    lacksOwners,
  };
}

function objectJson({ apiVersion, kind, namespace, name, place, delivery, fields, revert }: DriftedObject) {
  return { apiVersion, kind, namespace, name, file: place?.file, line: place?.line, delivery, fields: fields.map(fieldJson), revert };
}

function fieldJson({ path, stated, living, cause, why, owner, outcome, keep }: DriftedField) {
  return { field: fieldText(path), stated, living, cause, why, manager: owner?.manager, time: owner?.time, outcome, keep };
}

function loneJson({ apiVersion, kind, namespace, name, place, cause, why, outcome }: LoneObject) {
  return { apiVersion, kind, namespace, name, file: place?.file, line: place?.line, cause, why, outcome };
}
