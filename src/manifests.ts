/**
 * Validation, plans, inventories and images of manifests, as functions over plain objects: `cdk8s-cluster-api/manifests`. It needs no cdk8s, and has the
 * same rules and facts as synthesis and the command line.
 *
 * ```ts
 * import { plan, registerProvider, validate } from 'cdk8s-cluster-api/manifests';
 *
 * registerProvider(HETZNER);
 * validate(objects).findings;
 * plan(before, after).clusters;
 * ```
 */

export { inventory } from './manifests/landscape/read-landscape';
export { images } from './manifests/landscape/image-inventory';
export { plan } from './manifests/plan/plan-objects';
export { validate } from './manifests/validation/validation-report';

// Systems: kinds with their roles, rules, effects of changes, sizes, pods, images, deliveries.
export { registerProvider } from './manifests/systems/providers';
export type {
  ControlPlaneFacts, ControlPlanePods, MachineDevices, MachinePod, MachinePoolFacts, MachinePoolField, MachineSize, MachineSurroundings, PodSizing,
  PublishedService, StatedSize,
} from './manifests/rules/cluster-facts';
export type { ClusterTarget, DeliveredFolder, Delivery, DeliveryFacts, DeliverySources, Openings } from './manifests/rules/delivery-facts';
export type { ControllerField, FieldManager, ManagerRole } from './manifests/rules/field-managers';
export type { Provider } from './manifests/rules/provider';
export type { ResourcePowers } from './manifests/rules/resource-powers';
export type { ChartRule, ChartSettings } from './manifests/rules/chart-rule';
export type { ComponentFacts, ComponentUpgrade, UpgradeEffect, UpgradeRule, ValueRule } from './manifests/rules/components';
export type { ImageFacts, ImageField } from './manifests/rules/image-facts';
export type { AssembledImage, RegistryField } from './manifests/rules/image-facts';
export type { ChartAddress, ChartReference } from './manifests/rules/image-facts';
export { wholeNames } from './manifests/rules/image-facts';
export type { KindRole, KnownKind } from './manifests/objects/known-kinds';
export type { CarriedSecrets, MoveCommands, MoveFacts, MoveFactsOf, MoveFinding, MoveSide, MoveSides } from './manifests/rules/move-facts';
export type { AddressRange } from './manifests/values/address-ranges';
export type { ContainerLoad } from './manifests/objects/container-load';
export type { Amounts } from './manifests/values/quantity';

// Rules.
export type { ManifestRule, RuleExample } from './manifests/rules/manifest-rule';
export type { ManifestChange, TransitionExample, TransitionRule } from './manifests/rules/changes/transition-rule';
export type { PageProperties, Sources } from './manifests/values/field-sources';
export type { FieldPath } from './manifests/values/fields';
export type { Finding } from './manifests/values/finding';
export type { Rule } from './manifests/values/problem';
export { ManifestIndex } from './manifests/rules/manifest-index';
export { machineRules, machineWords, otherNamespace, templateProviderId } from './manifests/rules/contract';

// Objects that belong together.
export {
  clusterOf, clusterOfOwner, clusterOnMachines, machineOwnersOf, missing, partOf, partReference, referencesOf, referrersOf, specPath, surges,
  TEMPLATE_FIELDS,
} from './manifests/rules/contract';

// Manifests for examples of rules, as small as their definitions allow.
export {
  changedText, clusterYaml, documents, kubeadmPlaneYaml, partsYaml, poolYaml, providerYaml, replaced, templateYaml,
} from './manifests/rules/contract';

// Effects of changes.
export type { ChangeConsequences, Consequence, ConsequencesOf } from './manifests/rules/changes/consequences';
export { Effect, effectsOfFields } from './manifests/rules/changes/effects';
export type {
  KindTable, ProviderTable, TableChange, TableCondition, TableEffect, TableExample, TableTurn,
} from './manifests/rules/tables/provider-table';
export { tableProvider } from './manifests/rules/tables/table-provider';
export type { ChangeEffect, EffectsOf, FieldEffect, FieldEffects, ObjectUpdate } from './manifests/rules/changes/effects';

// Reading objects of any origin, whose fields may have any type.
export { groupKind, nameOf, namespaceOf } from './manifests/objects/manifest-object';
export type { ManifestObject } from './manifests/objects/manifest-object';
export { fieldAt, isFields, isSet, listAt, numberAt, objectsAt, objectsInLists, stringAt, stringsAt } from './manifests/values/fields';

// Results.
export type { ReportedFinding } from './manifests/validation/reported-finding';
export { ManifestSeverity } from './manifests/validation/reported-finding';
export type { ManifestSilence } from './manifests/validation/silences';
export type { ValidateOptions, ValidationReport } from './manifests/validation/validation-report';
export type { FoundChart, FoundImage, ImageInventory, NotKnown, Use } from './manifests/landscape/image-inventory';
export { AddonPlace, ClusterState, ControllerRole } from './manifests/landscape/cluster-model';
export type { Addon, Cluster, Controller, ControlPlane, Landscape, Machine, MachineCount, Pool } from './manifests/landscape/cluster-model';
export type { Place } from './manifests/landscape/place';
export { ChangeKind, PartKind, Undo } from './manifests/plan/plan-model';
export type {
  ObjectChange, PlannedCluster, PlannedConsequences, PlannedEffect, PlannedOpening, PlannedPart, PlannedTime, TurnStep, UnreadFile,
} from './manifests/plan/plan-model';
export type { PlannedChanges, PlanOptions } from './manifests/plan/plan-objects';
export { planMarkdown } from './manifests/plan/plan-markdown';
export { planText } from './manifests/plan/plan-text';
export { planJson } from './manifests/plan/plan-json';
