/**
 * The contract of systems: what their rules and facts are written with. `cdk8s-cluster-api/manifests` exports it, so that the package of another
 * provider is written like the folders of `systems/`.
 */

// Objects of any origin, whose fields may have any type.
export { groupKind, nameOf, namespaceOf } from '../objects/manifest-object';
export type { ManifestObject } from '../objects/manifest-object';
export { fieldAt, isFields, isFilled, isSet, listAt, numberAt, objectsAt, objectsInLists, stringAt, stringsAt } from '../values/fields';
export type { FieldPath, Fields, PlacedFields } from '../values/fields';

// Objects that belong together.
export { ManifestIndex } from './manifest-index';
export { checkRequirements, labelsMeet } from './label-requirements';
export { selects as selectsLabels } from './label-selectors';
export type { LabelRequirement } from './label-requirements';
export type { HostMachine, MachineHostFacts } from './machine-hosts';
export { missing } from './references/missing-references';
export {
  clusterOf, clusterOfOwner, clusterOnMachines, machineOwners, machineOwnersOf, partOf, partReference, referencesOf, referrersOf,
} from './references/object-references';
export { CLUSTER_NAME_LABEL, isV1beta1, KUBEADM_CONFIG_TEMPLATE, KUBEADM_CONTROL_PLANE, MACHINE_DEPLOYMENT } from './cluster-api/cluster-api-kinds';
export { groupSize } from './cluster-api/group-size';
export type { GroupSize } from './cluster-api/group-size';
export { surges } from './cluster-api/rollout-strategies';

// Rules, and the manifests of their examples.
export type { Finding } from '../values/finding';
export type { TransitionRule } from './changes/transition-rule';
export type { ManifestRule } from './manifest-rule';
export type { MoveFactsOf } from './move-facts';
export type { Provider } from './provider';
export {
  machineRules, machineWords, otherNamespace, specPath, TEMPLATE_FIELDS, templateProviderId, templateProviderIds,
} from './cluster-api/machine-template-rules';
export { clusterYaml, kubeadmPlaneYaml, partsYaml, poolYaml, providerYaml, templateYaml } from './cluster-api/example-manifests';
export { changedText, documents, indented, replaced } from './example-text';
export { cloudConfigRule } from './cloud-configs';
export { checkDuration } from './go-durations';

// Pages of existing objects.
export { call, constant, EXTERNAL_PROGRAMS, FieldReader, fieldsOf, instance, listOf } from './page-expression';
export type { PageCall, PageFields } from './page-expression';
export type { PageParts, PartOf } from './page-parts';
export { formFacts } from './object-form';
export type { ClassForm, ObjectForm } from './object-form';
