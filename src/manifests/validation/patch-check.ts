import { StructureCheck } from './structure-check';
import { ManifestObject } from '../objects/manifest-object';
import { RuleFinding } from '../rules/manifest-rule';
import { STRUCTURE_RULES } from '../rules/structure/structure-rules';
import { fieldAt } from '../values/fields';

const OF_FIELDS: readonly string[] = [STRUCTURE_RULES.unknown.id, STRUCTURE_RULES.type.id];

/**
 * Checks a patch of kustomize: of the object that it changes, it has only the fields that change, null removes a field, and fields such as `$patch` say
 * how to merge.
 */
export function checkPatch(structure: StructureCheck, patch: ManifestObject): readonly RuleFinding[] {
  return structure.check(patch).filter(({ rule, path }) => {
    const value = fieldAt(patch, ...path);
    const isScalar = value !== undefined && typeof value !== 'object';
    const isOfField = OF_FIELDS.includes(rule.id) || (rule.id === STRUCTURE_RULES.value.id && isScalar);
    return isOfField && value !== null && path[0] !== 'metadata' && !path.some((step) => typeof step === 'string' && step.startsWith('$'));
  });
}
