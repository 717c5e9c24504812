import { groupOf, ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { RuleFinding } from '../../../../src/manifests/rules/manifest-rule';
import { checkStructure } from '../../../../src/manifests/rules/structure/check-structure';
import { structureOf } from '../../../../src/manifests/rules/structure/structures';

/** The findings in an object of a known kind. */
export function findingsOf(object: ManifestObject): readonly RuleFinding[] {
  return checkStructure(object, structureOf(groupOf(object), String(object.kind))!);
}

/** The findings, as `id path: message | accepted | fix`, without `accepted` where the message says it. */
export function textsOf(object: ManifestObject): string[] {
  return findingsOf(object).map(({ rule, path, message, accepted, fix }) => [`${rule.id} ${path.join('.')}: ${message}`, ...accepted === undefined ? [] : [accepted], fix].join(' | '));
}
