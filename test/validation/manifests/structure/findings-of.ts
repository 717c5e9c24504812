import { groupOf, ManifestObject } from '../../../../src/images/manifest-object';
import { RuleFinding } from '../../../../src/validation/manifests/manifest-rule';
import { checkStructure } from '../../../../src/validation/manifests/structure/check-structure';
import { structureOf } from '../../../../src/validation/manifests/structure/kind-structure';

/** What is found in an object of a known kind. */
export function findingsOf(object: ManifestObject): readonly RuleFinding[] {
  return checkStructure(object, structureOf(groupOf(object), String(object.kind))!);
}

/** What is found, as `id path: message | accepted | fix`. */
export function textsOf(object: ManifestObject): string[] {
  return findingsOf(object).map(({ rule, path, message, accepted, fix }) => `${rule.id} ${path.join('.')}: ${message} | ${accepted} | ${fix}`);
}
