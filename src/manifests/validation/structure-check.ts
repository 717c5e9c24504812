import { VALIDATION_RULES } from './validation-rules';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { ExplainedRule, RuleFinding } from '../rules/manifest-rule';
import { STRUCTURE_RULES } from '../rules/structure/structure-rules';
import { fieldAt, isFields, isSet } from '../values/fields';

/** Compares objects with what servers know of their kinds: the fields, and their types. */
export interface StructureCheck {
  /** The rules that it may find broken. */
  readonly rules: readonly ExplainedRule[];

  /** True if the fields of this kind are known, or if its group is known and lacks the kind. */
  knows(object: ManifestObject): boolean;

  /** The errors of a server about the fields of an object; of an unknown kind, those about its metadata. */
  check(object: ManifestObject): readonly RuleFinding[];
}

const OF_FIELDS: readonly string[] = [STRUCTURE_RULES.unknown.id, STRUCTURE_RULES.release.id, STRUCTURE_RULES.type.id];

/** Fields of an object that a patch repeats to name it. */
const IDENTITY: readonly unknown[] = ['apiVersion', 'metadata'];

/**
 * Checks a patch of kustomize: of the object that it changes, it has only the fields that change, null removes a field, and fields such as `$patch` say
 * how to merge.
 */
export function checkPatch(structure: StructureCheck, patch: ManifestObject): readonly RuleFinding[] {
  return structure.check(patch).filter(({ rule, path }) => {
    const value = fieldAt(patch, ...path);
    const isScalar = value !== undefined && typeof value !== 'object';
    const isOfField = OF_FIELDS.includes(rule.id) || (rule.id === STRUCTURE_RULES.value.id && isScalar);
    return isOfField && value !== null && !IDENTITY.includes(path[0]) && !path.some((step) => typeof step === 'string' && step.startsWith('$'));
  });
}

/** Fields that every definition has. */
const OF_DEFINITIONS: readonly string[] = ['group', 'names', 'scope', 'versions'];

/** Findings about a definition that has none of the fields that make one are a single one: a warning. */
export function withPartOnce(object: ManifestObject, findings: readonly RuleFinding[]): readonly RuleFinding[] {
  const spec = object.spec ?? {};
  const isPart = groupKind(object) === 'apiextensions.k8s.io/CustomResourceDefinition' && isFields(spec) && !OF_DEFINITIONS.some((field) => isSet(spec, field));
  if (!isPart) return findings;
  return [{
    rule: VALIDATION_RULES.part,
    path: ['spec'],
    message: `it has none of ${OF_DEFINITIONS.join(', ')}, and changes a definition that exists`,
    fix: 'name it under patches of a kustomization, or write the whole definition',
  }, ...findings.filter(({ rule }) => rule.id !== STRUCTURE_RULES.required.id)];
}
