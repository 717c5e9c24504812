import { providers } from './providers';
import { StructureCheck } from './structure-check';
import { transitionRules } from './transition-rules';
import { VALIDATION_RULES } from './validation-rules';
import { KUBERNETES_RULES } from '../kubernetes/kubernetes-rules';
import { knownKind } from '../objects/known-kinds';
import { groupKind, groupOf, ManifestObject } from '../objects/manifest-object';
import { REFERENCE_MANIFEST_RULES } from './references/references-rules';
import { CLUSTER_API_RULES } from '../rules/cluster-api/cluster-api-rules';
import { ExplainedRule, ManifestRule } from '../rules/manifest-rule';
import { kindFindings } from '../rules/structure/check-kind';
import { checkAnyMetadata } from '../rules/structure/check-metadata';
import { checkStructure } from '../rules/structure/check-structure';
import { KindStructure, structureOf } from '../rules/structure/kind-structure';
import { STRUCTURE_RULES } from '../rules/structure/structure-rules';

/** Groups of files that programs read and no API server does. */
const FILE_GROUPS: ReadonlySet<string> = new Set([
  'apiserver.config.k8s.io', 'audit.k8s.io', 'client.authentication.k8s.io', 'clusterctl.cluster.x-k8s.io', 'eksctl.io', 'k3d.io', 'kind.x-k8s.io',
  'kubeadm.k8s.io', 'kubelet.config.k8s.io', 'kubeproxy.config.k8s.io', 'kubescheduler.config.k8s.io', 'pod-security.admission.config.k8s.io',
]);

/** Version of the transformers and generators that are part of kustomize. */
const BUILT_INTO_KUSTOMIZE = 'builtin';

/** Kinds whose controllers decrypt what they hold, so that no more than metadata is known of it. */
const SEALED_KINDS: ReadonlySet<string> = new Set(['bitnami.com/SealedSecret']);

/** True if an object is the configuration of a program, by its form alone: no API server gets it. */
function isProgramFile(object: ManifestObject): boolean {
  return FILE_GROUPS.has(groupOf(object)) || knownKind(groupKind(object))?.isFile === true || object.apiVersion === BUILT_INTO_KUSTOMIZE;
}

/** True if the content of an object is encrypted. */
function isSealed(object: ManifestObject): boolean {
  return SEALED_KINDS.has(groupKind(object));
}

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
