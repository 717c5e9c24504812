import { providers } from './providers';
import { REFERENCE_MANIFEST_RULES } from './references/references-rules';
import { StructureCheck } from './structure-check';
import { transitionRules } from './transition-rules';
import { VALIDATION_RULES } from './validation-rules';
import { KUBERNETES_RULES } from '../kubernetes/kubernetes-rules';
import { groupOf, ManifestObject } from '../objects/manifest-object';
import { CLUSTER_API_RULES } from '../rules/cluster-api/cluster-api-rules';
import { ExplainedRule, ManifestRule } from '../rules/manifest-rule';
import { checkAnyMetadata } from '../rules/structure/check-metadata';
import { checkStructure } from '../rules/structure/check-structure';
import { kindFindings } from '../rules/structure/kind-findings';
import { KindStructure, structureOf } from '../rules/structure/kind-structure';
import { STRUCTURE_RULES } from '../rules/structure/structure-rules';
import { isProgramFile, isSealed } from '../rules/structure/unchecked-kinds';

/** Rules over final objects that belong together. */
interface RuleRoom<T extends ExplainedRule> {
  /** Name of their folder here, and of their page in the docs. */
  readonly name: string;

  /** What they are about. */
  readonly title: string;
  readonly rules: readonly T[];
}

/** All rules that look at objects of certain kinds. A new room of general rules is an entry here. */
function ruleRooms(): RuleRoom<ManifestRule>[] {
  return [
    { name: 'cluster-api', title: 'Cluster API', rules: CLUSTER_API_RULES },
    ...providers().flatMap(({ name, title, rules }) => (rules ? [{ name, title, rules }] : [])),
    { name: 'kubernetes', title: 'Kubernetes', rules: KUBERNETES_RULES },
    {
      name: 'references',
      title: 'References between objects',
      rules: [...REFERENCE_MANIFEST_RULES, ...providers().flatMap(({ referenceRules = [] }) => referenceRules)],
    },
  ];
}

/** All rules that look at objects of certain kinds. */
export function manifestRules(): ManifestRule[] {
  return ruleRooms().flatMap(({ rules }) => rules);
}

/** Checks fields against the schemas of kinds. */
export const STRUCTURE_CHECK: StructureCheck = {
  rules: Object.values(STRUCTURE_RULES),
  knows: (object) => isProgramFile(object) || isSealed(object) || kindOf(object) !== undefined || kindFindings(object).length > 0,
  check: (object) => {
    if (isProgramFile(object)) return [];
    const structure = kindOf(object);
    if (structure) return checkStructure(object, structure);
    return [...kindFindings(object), ...checkAnyMetadata(object)];
  },
};

/** Every rule that validation of manifests may find broken, by what it is about. */
export function explainedRooms(): RuleRoom<ExplainedRule>[] {
  return [
    { name: 'fields', title: 'Fields of every kind', rules: STRUCTURE_CHECK.rules },
    ...ruleRooms(),
    { name: 'validation', title: 'Validation itself', rules: Object.values(VALIDATION_RULES) },
  ];
}

/** Every rule that validation of manifests may find broken. */
export function explainedRules(): ExplainedRule[] {
  return explainedRooms().flatMap(({ rules }) => rules);
}

/** Every rule that a report may name, those of changes among them. */
export function reportedRules(): ExplainedRule[] {
  return [...explainedRules(), ...transitionRules()];
}

function kindOf(object: ManifestObject): KindStructure | undefined {
  return structureOf(groupOf(object), String(object.kind));
}
