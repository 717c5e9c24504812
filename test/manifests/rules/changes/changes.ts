import { ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../../src/manifests/rules/manifest-index';
import { RuleFinding } from '../../../../src/manifests/rules/manifest-rule';
import { KindDefinitions } from '../../../../src/manifests/rules/structure/kind-definitions';
import { withDefinedKinds } from '../../../../src/manifests/rules/structure/structures';
import { ChangeCheck } from '../../../../src/manifests/validation/change-check';
import { objectsIn } from '../rules-under-test';

const CHECK = new ChangeCheck();

/** Findings about changes of objects. */
export function changesBetween(before: readonly ManifestObject[], after: readonly ManifestObject[]): RuleFinding[] {
  const compared = CHECK.compare(before, after, new ManifestIndex(after));
  return withDefinedKinds(new KindDefinitions(after), () => (
    [...after.flatMap((object) => compared.ofNow(object)), ...compared.ofGone().flatMap(({ findings }) => findings)]));
}

/** The same of strings of YAML. */
export function changes(before: string, after: string): RuleFinding[] {
  return changesBetween(objectsIn(before), objectsIn(after));
}

/** Findings, as `id field`. */
export function changed(before: string, after: string): string[] {
  return changes(before, after).map(({ rule, path }) => [rule.id, path.join('.')].join(' ').trim());
}
