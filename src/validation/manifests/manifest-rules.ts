import { ARGO_CD_MANIFEST_RULES } from './argo-cd/argo-cd-rules';
import { CLUSTER_API_RULES } from './cluster-api/cluster-api-rules';
import { FLUX_MANIFEST_RULES } from './flux/flux-rules';
import { HELM_CHART_PROXY_MANIFEST_RULES } from './helm-chart-proxy/helm-chart-proxy-rules';
import { KAMAJI_MANIFEST_RULES } from './kamaji/kamaji-rules';
import { KUBEADM_MANIFEST_RULES } from './kubeadm/kubeadm-rules';
import { KUBERNETES_RULES } from './kubernetes/kubernetes-rules';
import { KUBEVIRT_MANIFEST_RULES } from './kubevirt/kubevirt-rules';
import { ExplainedRule, ManifestRule } from './manifest-rule';
import { PLATFORM_MANIFEST_RULES } from './platform/platform-rules';
import { REFERENCE_MANIFEST_RULES } from './references/references-rules';
import { checkAnyMetadata } from './structure/check-metadata';
import { checkStructure } from './structure/check-structure';
import { kindFindings } from './structure/kind-findings';
import { KindStructure, structureOf } from './structure/kind-structure';
import { STRUCTURE_RULES } from './structure/structure-rules';
import { StructureCheck } from './structure-check';
import { TRANSITION_RULES } from './transitions/transition-rules';
import { VALIDATION_RULES } from './validation-rules';
import { VULTR_MANIFEST_RULES } from './vultr/vultr-rules';
import { groupOf, ManifestObject } from '../../images/manifest-object';

/** Rules over final objects that belong together. */
interface RuleRoom<T extends ExplainedRule> {
  /** Name of their folder here, and of their page in the docs. */
  readonly name: string;

  /** What they are about. */
  readonly title: string;
  readonly rules: readonly T[];
}

/** All rules that look at objects of certain kinds. A new room of rules is an entry here. */
const ROOMS: readonly RuleRoom<ManifestRule>[] = [
  { name: 'cluster-api', title: 'Cluster API', rules: CLUSTER_API_RULES },
  { name: 'kubeadm', title: 'Control planes and machines of kubeadm', rules: KUBEADM_MANIFEST_RULES },
  { name: 'kamaji', title: 'Kamaji', rules: KAMAJI_MANIFEST_RULES },
  { name: 'kubevirt', title: 'KubeVirt', rules: KUBEVIRT_MANIFEST_RULES },
  { name: 'vultr', title: 'Vultr', rules: VULTR_MANIFEST_RULES },
  { name: 'helm-chart-proxy', title: 'HelmChartProxy', rules: HELM_CHART_PROXY_MANIFEST_RULES },
  { name: 'flux', title: 'Flux', rules: FLUX_MANIFEST_RULES },
  { name: 'argo-cd', title: 'Argo CD', rules: ARGO_CD_MANIFEST_RULES },
  { name: 'platform', title: 'Operator, certificates, snapshots, load balancers, virtual machines', rules: PLATFORM_MANIFEST_RULES },
  { name: 'kubernetes', title: 'Kubernetes', rules: KUBERNETES_RULES },
  { name: 'references', title: 'References between objects', rules: REFERENCE_MANIFEST_RULES },
];

/** All rules that look at objects of certain kinds. */
export const MANIFEST_RULES: readonly ManifestRule[] = ROOMS.flatMap(({ rules }) => rules);

/** What definitions of kinds say of fields. */
export const STRUCTURE_CHECK: StructureCheck = {
  rules: Object.values(STRUCTURE_RULES),
  knows: (object) => kindOf(object) !== undefined || kindFindings(object).length > 0,
  check: (object) => {
    const structure = kindOf(object);
    if (structure) return checkStructure(object, structure);
    return [...kindFindings(object), ...checkAnyMetadata(object)];
  },
};

/** Every rule that validation of manifests may find broken, by what it is about. */
export const EXPLAINED_ROOMS: readonly RuleRoom<ExplainedRule>[] = [
  { name: 'fields', title: 'Fields of every kind', rules: STRUCTURE_CHECK.rules },
  ...ROOMS,
  { name: 'validation', title: 'Validation itself', rules: Object.values(VALIDATION_RULES) },
];

/** Every rule that validation of manifests may find broken. */
export const EXPLAINED_RULES: readonly ExplainedRule[] = EXPLAINED_ROOMS.flatMap(({ rules }) => rules);

/** Every rule that a report may name, those of changes among them. */
export const REPORTED_RULES: readonly ExplainedRule[] = [...EXPLAINED_RULES, ...TRANSITION_RULES];

function kindOf(object: ManifestObject): KindStructure | undefined {
  return structureOf(groupOf(object), String(object.kind));
}
