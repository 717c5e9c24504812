import { Drift, DriftCause, DriftedField, isNormal, LoneObject, NamedObject } from './drift-model';
import { namesWords } from '../plan/plan-words';
import { valueWords } from '../rules/changes/field-changes';
import { fieldText } from '../values/fields';

/** An object by kind, namespace and name. */
export function objectWords({ kind, namespace, name }: NamedObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** A field on one line: what the manifest states, what lives, and who wrote it. */
export function fieldWords({ path, stated, living, cause, why }: DriftedField): string {
  return `${fieldText(path)} ${valueWords({ before: stated, after: living })}; ${cause}: ${why}`;
}

/** The effect of the next delivery on a field, and the change that keeps it, a line each. */
export function fieldLines({ outcome, keep }: DriftedField): string[] {
  return [...outcome === undefined ? [] : [outcome], ...keep === undefined ? [] : [`to keep it, ${keep}`]];
}

/** An object of one side on one line. */
export function loneWords(object: LoneObject): string {
  return `${objectWords(object)}; ${object.cause}: ${object.why}`;
}

/** Numbers of what differs. */
export interface DriftTotals {
  /** Fields that differ, but for normal work, and objects that have some. */
  readonly fields: number;
  readonly objects: number;

  /** Living objects without a manifest, but for normal work. */
  readonly extra: number;
  readonly missing: number;

  /** Fields and objects of normal work, by cause. */
  readonly normal: Readonly<Partial<Record<DriftCause, number>>>;
  readonly compared: number;
}

/** Counts what differs. */
export function driftTotals({ objects, extra, missing, compared }: Drift): DriftTotals {
  const fields = objects.flatMap((object) => object.fields);
  const normal = new Map<DriftCause, number>();
  for (const one of [...fields, ...extra].filter(isNormal)) normal.set(one.cause, (normal.get(one.cause) ?? 0) + 1);
  return {
    fields: fields.filter((field) => !isNormal(field)).length,
    objects: objects.filter((object) => object.fields.some((field) => !isNormal(field))).length,
    extra: extra.filter((object) => !isNormal(object)).length,
    missing: missing.length,
    normal: Object.fromEntries(normal),
    compared,
  };
}

/** The totals in a sentence each. */
export function totalLines(drift: Drift): string[] {
  const { fields, objects, extra, missing, normal, compared } = driftTotals(drift);
  const counts = [
    ...fields > 0 ? [`${counted(fields, 'field')} of ${counted(objects, 'object')}`] : [],
    ...extra > 0 ? [`${counted(extra, 'object')} without a manifest`] : [],
    ...missing > 0 ? [`${counted(missing, 'object')} missing`] : [],
  ];
  const work = Object.entries(normal).map(([cause, count]) => `${count} ${cause}`);
  return [
    `${counts.length > 0 ? `DRIFTED: ${counts.join(', ')}` : 'AS DECLARED: nothing differs but normal work'}; ${counted(compared, 'object')} compared.`,
    ...work.length > 0 ? [`Normal work: ${work.join(', ')}.`] : [],
    ...drift.lacksOwners ? ['The dump does not say who owns fields: get it with "kubectl get --show-managed-fields".'] : [],
    ...drift.notCompared.length > 0 ? [`Encrypted, and not compared: ${namesWords(drift.notCompared)}.`] : [],
    ...drift.notListed.length > 0 ? [`Not in the dump, and not compared: ${namesWords(drift.notListed)}.`] : [],
  ];
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
