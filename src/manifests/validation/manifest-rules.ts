import { ACCESS_MODE_RULES } from './access-mode-rules';
import { ADDRESS_POOL_RULES } from './address-pools/pool-rules';
import { ANNOTATION_RULES } from './annotations/annotation-rules';
import { CHART_KUBERNETES_RULES } from './chart-kubernetes-rules';
import { chartRule } from './chart-rules';
import { CHART_VALUE_PLACES } from './chart-value-places';
import { CHART_VALUE_RULES } from './chart-value-rules';
import { CLOUD_PROVIDER_RULES } from './cloud-provider-rules';
import { DNS_RULES } from './dns-rules';
import { MANAGEMENT_RULES } from './management-rules';
import { NODE_RANGE_RULES } from './node-range-rules';
import { POD_NETWORK_RULES } from './pod-network-rules';
import { QUOTA_RULES } from './quota-rules';
import { REFERENCE_MANIFEST_RULES } from './references/references-rules';
import { StructureCheck } from './structure-check';
import { tenantKubernetesRules } from './tenant-kubernetes-rules';
import { TOPOLOGY_RESULTS } from './topology-rules';
import { transitionRules } from './transition-rules';
import { VALIDATION_RULES } from './validation-rules';
import { KUBERNETES_RULES } from '../kubernetes/kubernetes-rules';
import { knownKind } from '../objects/known-kinds';
import { groupKind, groupOf, ManifestObject } from '../objects/manifest-object';
import { isOfProgram } from '../objects/other-files';
import { CLUSTER_API_RULES } from '../rules/cluster-api/cluster-api-rules';
import { ExplainedRule, ManifestRule, RuleFinding } from '../rules/manifest-rule';
import { checkDefinitionRules } from '../rules/structure/check-definition-rules';
import { kindFindings } from '../rules/structure/check-kind';
import { checkAnyMetadata } from '../rules/structure/check-metadata';
import { checkStructure } from '../rules/structure/check-structure';
import { KindStructure } from '../rules/structure/kind-structure';
import { STRUCTURE_RULES } from '../rules/structure/structure-rules';
import { structureOf } from '../rules/structure/structures';
import { providers } from '../systems/providers';

/** Version of the transformers and generators that are part of kustomize. */
const BUILT_INTO_KUSTOMIZE = 'builtin';

/** True if an object is the configuration of a program, by its form alone: no API server gets it. */
export function isProgramFile(object: ManifestObject): boolean {
  return isOfProgram(object) || knownKind(groupKind(object))?.isFile === true || object.apiVersion === BUILT_INTO_KUSTOMIZE;
}

/** Rules over final objects that belong together. */
interface RuleRoom<T extends ExplainedRule> {
  /** Name of their folder here, and of their page in the docs. */
  readonly name: string;

  /** Subject of the rules: heading of their page. */
  readonly title: string;
  readonly rules: readonly T[];
}

/** All rules that look at objects of certain kinds. A new room of general rules is an entry here. */
function ruleRooms(): RuleRoom<ManifestRule>[] {
  return [
    { name: 'cluster-api', title: 'Cluster API', rules: CLUSTER_API_RULES },
    ...providers().flatMap(({ name, title, rules = [], chartRules = [] }) => {
      const all = [...rules, ...chartRules.map(chartRule)];
      return all.length > 0 ? [{ name, title, rules: all }] : [];
    }),
    { name: 'topologies', title: 'Objects of a topology', rules: TOPOLOGY_RESULTS },
    { name: 'annotations', title: 'Labels and annotations that controllers read', rules: ANNOTATION_RULES },
    { name: 'pod-networks', title: 'Pod networks', rules: [...POD_NETWORK_RULES, ...NODE_RANGE_RULES, ...DNS_RULES, ...CLOUD_PROVIDER_RULES] },
    { name: 'charts', title: 'Charts in clusters', rules: [...CHART_KUBERNETES_RULES, ...CHART_VALUE_RULES, ...CHART_VALUE_PLACES] },
    { name: 'address-pools', title: 'Pools of addresses for machines', rules: ADDRESS_POOL_RULES },
    { name: 'volumes', title: 'Volumes of drivers', rules: ACCESS_MODE_RULES },
    { name: 'quotas', title: 'Quotas of clusters', rules: QUOTA_RULES },
    { name: 'management', title: 'Tenants within the management cluster', rules: [...MANAGEMENT_RULES, ...tenantKubernetesRules()] },
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
  knows: (object) => isProgramFile(object) || knownKind(groupKind(object))?.isEncrypted === true || kindOf(object) !== undefined
    || kindFindings(object).length > 0,
  check: (object) => {
    if (isProgramFile(object)) return [];
    const structure = kindOf(object);
    if (structure) return fewest([structure, ...structure.others ?? []].map((one) => checkFields(object, one)));
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

/** Servers evaluate rules in CEL of objects without other faults. */
function checkFields(object: ManifestObject, structure: KindStructure): readonly RuleFinding[] {
  const findings = checkStructure(object, structure);
  return findings.length > 0 ? findings : checkDefinitionRules(object, structure);
}

/** The cluster has one of several definitions: the one that an object fits best. */
function fewest(findings: readonly (readonly RuleFinding[])[]): readonly RuleFinding[] {
  return findings.reduce((best, other) => (other.length < best.length ? other : best));
}

function kindOf(object: ManifestObject): KindStructure | undefined {
  return structureOf(groupOf(object), String(object.kind));
}
