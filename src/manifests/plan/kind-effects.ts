import { machineDeploymentEffects, machinePoolEffects } from './pool-effects';
import { withSelections } from './selection-effects';
import { templateDifferences } from './template-reasons';
import { KindRole, knownKind } from '../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ChangeEffect, Effect, EffectsOf, effectsOfFields, FieldEffects, ObjectUpdate, reason } from '../rules/changes/effects';
import { fieldChanges } from '../rules/changes/field-changes';
import { CLUSTER, CLUSTER_CLASS, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { referrersOf } from '../rules/references/object-references';
import { deliveryFacts, providers } from '../validation/providers';
import { fieldAt, fieldText } from '../values/fields';

/** Objects of Kubernetes that act as soon as they are there. */
const AT_ONCE: ReadonlySet<string> = new Set([
  '/Endpoints', '/LimitRange', '/Namespace', '/PersistentVolume', '/PersistentVolumeClaim', '/ResourceQuota', '/Service',
  '/ServiceAccount', 'admissionregistration.k8s.io/MutatingAdmissionPolicy', 'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration', 'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', 'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition', 'apiregistration.k8s.io/APIService', 'autoscaling/HorizontalPodAutoscaler',
  'coordination.k8s.io/Lease', 'discovery.k8s.io/EndpointSlice', 'networking.k8s.io/Ingress', 'networking.k8s.io/IngressClass',
  'networking.k8s.io/NetworkPolicy', 'node.k8s.io/RuntimeClass', 'policy/PodDisruptionBudget', 'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding', 'rbac.authorization.k8s.io/Role', 'rbac.authorization.k8s.io/RoleBinding',
  'scheduling.k8s.io/PriorityClass', 'snapshot.storage.k8s.io/VolumeSnapshotClass', 'storage.k8s.io/CSIDriver', 'storage.k8s.io/StorageClass',
]);

/** Workloads of Kubernetes: what is in their template makes new pods. */
const WORKLOAD_FIELDS: FieldEffects = {
  'metadata': Effect.IN_PLACE,
  'spec': Effect.IN_PLACE,
  'spec.replicas': { effect: Effect.SCALED, word: 'replicas' },
  'spec.template': { effect: Effect.PODS, word: 'pods' },
  'spec.template.spec.containers': { effect: Effect.PODS, word: 'container' },
};

function workloadEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const waits = fieldAt(update.after, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  return effectsOfFields(waits ? { ...WORKLOAD_FIELDS, 'spec.template': Effect.LATER, 'spec.template.spec.containers': Effect.LATER } : WORKLOAD_FIELDS)(update);
}

/** Its template counts from the next run on. */
const CRON_JOB = effectsOfFields({ 'metadata': Effect.IN_PLACE, 'spec': Effect.IN_PLACE, 'spec.jobTemplate': { effect: Effect.LATER, word: 'job' } });

/** ConfigMaps and Secrets may hold values of what is delivered. */
function contentEffects({ before, after, now }: ObjectUpdate): readonly ChangeEffect[] {
  const reasons = fieldChanges(before, after).map(({ path }) => fieldText(path));
  const readers = deliveriesThatRead(after, now);
  // Variables of a folder are filled in from ConfigMaps alone.
  const isUnknown = groupKind(after) === '/Secret' && readers.some((reader) => deliveryFacts(reader)?.folders);
  const effect = isUnknown ? Effect.UNKNOWN : readers.length > 0 ? Effect.RELEASE : Effect.IN_PLACE;
  return [{ effect, reasons: [...readers.map((reader) => `values of ${String(reader.kind)} ${nameOf(reader)}`), ...reasons] }];
}

function deliveriesThatRead(object: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  const isNamed = ({ kind, name }: { readonly kind?: string; readonly name?: string }) => kind === object.kind && name === nameOf(object);
  return providers().flatMap(({ deliveries = [] }) => deliveries).flatMap(({ kind, values }) => index.all(kind)
    .filter((delivery) => namespaceOf(delivery) === namespaceOf(object) && values?.(delivery).some(isNamed)));
}

/** Templates that machines are made from. */
const MACHINE_ROLES: readonly KindRole[] = ['machineTemplate', 'bootstrapTemplate'];

const KINDS: Readonly<Record<string, EffectsOf>> = {
  [CLUSTER]: withSelections(effectsOfFields({
    'metadata': Effect.IN_PLACE,
    'spec.paused': { effect: Effect.IN_PLACE, word: 'paused' },
    'spec.availabilityGates': Effect.IN_PLACE,
    'spec.topology.version': { effect: Effect.MACHINES, word: 'version' },
    'spec.topology.controlPlane.replicas': { effect: Effect.SCALED, word: 'control plane replicas' },
  })),
  [MACHINE_DEPLOYMENT]: machineDeploymentEffects,
  [MACHINE_POOL]: machinePoolEffects,
  [MACHINE_HEALTH_CHECK]: effectsOfFields({
    'metadata': Effect.IN_PLACE, 'metadata.annotations.cluster.x-k8s.io/paused': { effect: Effect.IN_PLACE, word: 'paused' }, 'spec': Effect.IN_PLACE,
  }),
  'apps/Deployment': workloadEffects,
  'apps/StatefulSet': workloadEffects,
  'apps/DaemonSet': workloadEffects,
  'batch/CronJob': CRON_JOB,
  '/ConfigMap': contentEffects,
  '/Secret': contentEffects,
};

/** Objects of infrastructure: Cluster API has providers read annotations and fields of them, and no labels. */
const INFRASTRUCTURE = effectsOfFields({ 'metadata.labels': Effect.IN_PLACE });

/**
 * What happens when a template changes under its name. Machines are compared by the names of their templates, so that those that there are stay.
 * Of the templates of a ClusterClass each topology has copies, which get new names when their spec changes.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/reconcile_state.go (reconcileReferencedTemplate), v1.14.2.
 */
function templateEffects({ before, after, now }: ObjectUpdate, role: KindRole): readonly ChangeEffect[] {
  const reasons = templateDifferences(groupKind(after), before, after);
  if (reasons.length === 0 || referrersOf(after, now, CLUSTER_CLASS).length === 0) return [{ effect: Effect.LATER, reasons }];
  return [{ effect: MACHINE_ROLES.includes(role) ? Effect.MACHINES : Effect.UNKNOWN, reasons }];
}

/** What happens when an object changes; where nothing is known of its kind, the effect is unknown. */
export function effectsOf(update: ObjectUpdate): readonly ChangeEffect[] {
  const kind = groupKind(update.after);
  const known = KINDS[kind] ?? providers().map(({ effects }) => effects?.[kind]).find((found) => found !== undefined);
  if (known) return known(update);
  const role = knownKind(kind)?.role;
  if (role?.endsWith('Template')) return templateEffects(update, role);
  if (role === 'cluster') return INFRASTRUCTURE(update);
  const changes = fieldChanges(update.before, update.after);
  return AT_ONCE.has(kind) ? [{ effect: Effect.IN_PLACE, reasons: changes.map(({ path }) => fieldText(path)) }]
    : [{ effect: Effect.UNKNOWN, reasons: changes.map((change) => reason(change)) }];
}
