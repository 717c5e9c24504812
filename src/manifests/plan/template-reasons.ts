import { ManifestObject } from '../objects/manifest-object';
import { withoutSecrets } from '../objects/secret-values';
import { Effect, effectOf, ObjectUpdate, reason } from '../rules/changes/effects';
import { fieldChanges } from '../rules/changes/field-changes';
import { ManifestIndex } from '../rules/manifest-index';
import { ObjectReference } from '../rules/references/object-references';
import { providers } from '../validation/providers';
import { fieldAt, FieldPath } from '../values/fields';

/** Where the fields of machines and their set-up start in a template. */
const INNER: FieldPath = ['template', 'spec'];

/**
 * What differs between the templates that references name.
 *
 * @param namespace namespace of the objects that refer to them
 * @param old everything that was written before
 * @param now everything that is written now
 */
export function templateReasonsIn(namespace: string | undefined, old: ManifestIndex, now: ManifestIndex): ObjectUpdate['templateReasons'] {
  return (before, after) => {
    const [one, other] = [found(before, namespace, old), found(after, namespace, now)];
    if (before && after && before.kind === after.kind && one && other) {
      const reasons = templateDifferences(before.kind, withoutSecrets(one), withoutSecrets(other));
      if (reasons.length > 0) return reasons;
    }
    const change = `template ${named(before)} -> ${named(after)}`;
    return [one && other ? change : `${change}, one of which is not in the manifests`];
  };
}

function named(reference: ObjectReference | undefined): string {
  return reference ? `${reference.kind.slice(reference.kind.indexOf('/') + 1)} ${reference.name}` : 'none';
}

function found(reference: ObjectReference | undefined, namespace: string | undefined, index: ManifestIndex): ManifestObject | undefined {
  return reference && index.find(reference.kind, reference.namespace ?? namespace, reference.name);
}

/** What differs between two templates of a kind, as reasons. */
export function templateDifferences(kind: string, before: ManifestObject, after: ManifestObject): string[] {
  const words = providers().map(({ templateWords }) => templateWords?.[kind]).find((known) => known !== undefined) ?? {};
  const effects = Object.fromEntries(Object.entries(words).map(([path, word]) => [path, { effect: Effect.MACHINES, word }]));
  return fieldChanges(fieldAt(before, 'spec'), fieldAt(after, 'spec')).map((change) => {
    const known = effectOf(effects, change);
    if (known) return reason(change, known);
    const isInner = INNER.every((name, index) => change.path[index] === name);
    return reason(isInner ? { ...change, path: change.path.slice(INNER.length) } : change);
  });
}
