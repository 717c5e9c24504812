import { MachineCount } from '../landscape/cluster-model';
import { KindRole, knownKind } from '../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { withoutSecrets } from '../objects/secret-values';
import {
  ChangeEffect, Effect, effectOf, EffectsOf, effectsOfFields, FieldEffects, fieldEffects, groupEffects, ObjectUpdate, reason,
} from '../rules/changes/effects';
import { FieldChange, fieldChanges, innermostChanges } from '../rules/changes/field-changes';
import { CLUSTER, CLUSTER_CLASS, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL } from '../rules/cluster-api/cluster-api-kinds';
import { isEmptySelector, selects } from '../rules/label-selectors';
import { ManifestIndex } from '../rules/manifest-index';
import { DeliveryFacts } from '../rules/provider';
import { ObjectReference, objectReference, referrersOf } from '../rules/references/object-references';
import { deliveryFacts, providers } from '../validation/providers';
import { fieldAt, FieldPath, Fields, fieldText, isFields, isFilled, sameValue, stringAt } from '../values/fields';
import { parseGoDuration } from '../values/go-duration';

/** Adds the effect of deliveries that select Clusters by labels, and select a changed Cluster newly or no longer. */
function withSelections(effects: EffectsOf): EffectsOf {
  return (update) => groupEffects([...selectionEffects(update), ...effects(update)]);
}

function selectionEffects({ before, after, old, now }: ObjectUpdate): ChangeEffect[] {
  const deliveries = providers().flatMap((provider) => provider.deliveries ?? []);
  return deliveries.flatMap((facts) => now.all(facts.kind).flatMap((delivery) => {
    const former = old.find(facts.kind, namespaceOf(delivery), nameOf(delivery));
    if (!former || namespaceOf(delivery) !== namespaceOf(after)) return [];
    const [was, is] = [isSelected(before, former, facts), isSelected(after, delivery, facts)];
    if (was === is) return [];
    const effect = is || facts.keepsRemoved?.(delivery) ? Effect.IN_PLACE : Effect.DELETED;
    return [{ effect, reasons: [`${String(delivery.kind)} ${nameOf(delivery)} selects it${is ? '' : ' no longer'}`] }];
  }));
}

function isSelected(cluster: ManifestObject, delivery: ManifestObject, { target }: DeliveryFacts): boolean {
  const chosen = target(delivery);
  if (chosen.by !== 'selector') return false;
  if (chosen.emptySelectsNone && (!isFilled(chosen.selector) || isEmptySelector(chosen.selector))) return false;
  const labels = fieldAt(cluster, 'metadata', 'labels');
  return selects(chosen.selector, isFields(labels) ? labels : {});
}

/** Where the fields of machines and their set-up start in a template. */
const INNER: FieldPath = ['template', 'spec'];

/**
 * What differs between the templates that references name.
 *
 * @param namespace namespace of the objects that refer to them
 * @param old everything that was written before
 * @param now everything that is written now
 */
export function templateReasonsIn(namespace: string | undefined, old: ManifestIndex, now: ManifestIndex): ObjectUpdate['templateReasons'] {
  return (before, after) => {
    const [one, other] = [found(before, namespace, old), found(after, namespace, now)];
    if (before && after && before.kind === after.kind && one && other) {
      const reasons = templateDifferences(before.kind, withoutSecrets(one), withoutSecrets(other));
      if (reasons.length > 0) return reasons;
    }
    const change = `template ${named(before)} -> ${named(after)}`;
    return [one && other ? change : `${change}, one of which is not in the manifests`];
  };
}

function named(reference: ObjectReference | undefined): string {
  return reference ? `${reference.kind.slice(reference.kind.indexOf('/') + 1)} ${reference.name}` : 'none';
}

function found(reference: ObjectReference | undefined, namespace: string | undefined, index: ManifestIndex): ManifestObject | undefined {
  return reference && index.find(reference.kind, reference.namespace ?? namespace, reference.name);
}

/** What differs between two templates of a kind, as reasons. */
function templateDifferences(kind: string, before: ManifestObject, after: ManifestObject): string[] {
  const words = providers().map(({ templateWords }) => templateWords?.[kind]).find((known) => known !== undefined) ?? {};
  const effects = Object.fromEntries(Object.entries(words).map(([path, word]) => [path, { effect: Effect.MACHINES, word }]));
  return fieldChanges(fieldAt(before, 'spec'), fieldAt(after, 'spec')).map((change) => {
    const known = effectOf(effects, change);
    if (known) return reason(change, known);
    const isInner = INNER.every((name, index) => change.path[index] === name);
    return reason(isInner ? { ...change, path: change.path.slice(INNER.length) } : change);
  });
}

/** Fields of v1beta1, and those of v1beta2 that they are stored as; undefined for those that it does not have. */
const STORED_AS: Readonly<Record<string, string | undefined>> = {
  'spec.machineNamingStrategy.template': 'spec.machineNaming.template',
  'spec.minReadySeconds': 'spec.template.spec.minReadySeconds',
  'spec.progressDeadlineSeconds': undefined,
  'spec.revisionHistoryLimit': undefined,
  'spec.rolloutAfter': 'spec.rollout.after',
  'spec.strategy.remediation.maxInFlight': 'spec.remediation.maxInFlight',
  'spec.strategy.rollingUpdate.deletePolicy': 'spec.deletion.order',
  'spec.strategy.rollingUpdate.maxSurge': 'spec.rollout.strategy.rollingUpdate.maxSurge',
  'spec.strategy.rollingUpdate.maxUnavailable': 'spec.rollout.strategy.rollingUpdate.maxUnavailable',
  'spec.strategy.type': 'spec.rollout.strategy.type',
};

/** Durations, which are stored in seconds. */
const TIMEOUT = /^spec\.template\.spec\.(node(?:Drain|VolumeDetach|Deletion)Timeout)$/;

/**
 * What changes in a pool along with the version of the API: fields of both versions are compared by where they are stored.
 *
 * Source: kubernetes-sigs/cluster-api api/core/v1beta1/conversion.go, v1.11.4.
 *
 * @param changes the changed fields
 */
function storedChanges(changes: readonly FieldChange[]): FieldChange[] {
  const stored = new Map<string, FieldChange>();
  for (const { path, before, after } of changes.flatMap(innermostChanges)) {
    const key = path.join('.');
    const timeout = TIMEOUT.exec(key)?.[1];
    const place = timeout === undefined ? key in STORED_AS ? STORED_AS[key]?.split('.') : path : ['spec', 'template', 'spec', 'deletion', `${timeout}Seconds`];
    if (!place) continue;
    const same = stored.get(place.join('.'));
    const [old, now] = timeout === undefined ? [before, after] : [seconds(before), seconds(after)];
    stored.set(place.join('.'), { path: place, before: old ?? same?.before, after: now ?? same?.after });
  }
  return [...stored.values()].filter(({ before, after }) => !sameValue(before, after));
}

function seconds(duration: unknown): unknown {
  const nanoseconds = typeof duration === 'string' ? parseGoDuration(duration) : undefined;
  return nanoseconds === undefined ? duration : Number(nanoseconds / 1_000_000_000n);
}

const MACHINE: FieldPath = ['spec', 'template', 'spec'];

/** Annotations between whose numbers the autoscaler chooses. */
const BOUNDS: readonly string[] = [
  'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size', 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size',
];

/** Fields of the machine that are compared with the machines that there are; all others change in place. */
const COMPARED: readonly string[] = ['version', 'infrastructureRef', 'bootstrap', 'failureDomain'];

const EFFECTS: FieldEffects = {
  'apiVersion': Effect.IN_PLACE,
  'metadata': Effect.IN_PLACE,
  'metadata.annotations': { effect: Effect.IN_PLACE, word: 'annotations' },
  'spec': Effect.IN_PLACE,
  'spec.replicas': { effect: Effect.SCALED, word: 'replicas' },
  'spec.machineNaming': { effect: Effect.LATER, word: 'names of machines' },
  'spec.machineNamingStrategy': { effect: Effect.LATER, word: 'names of machines' },
  'spec.rollout.after': { effect: Effect.MACHINES, removed: Effect.IN_PLACE, word: 'rollout after' },
  'spec.rolloutAfter': { effect: Effect.MACHINES, removed: Effect.IN_PLACE, word: 'rollout after' },
  'spec.template.metadata.annotations': { effect: Effect.IN_PLACE, word: 'machine annotations' },
  'spec.template.metadata.labels': { effect: Effect.IN_PLACE, word: 'labels' },
  'spec.template.spec.taints': { effect: Effect.IN_PLACE, word: 'taints' },
};

/**
 * What Cluster API does when a MachineDeployment changes.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/machinedeployment/mdutil/util.go (MachineTemplateUpToDate), v1.14.2.
 */
function machineDeploymentEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  return poolEffects(update, Effect.MACHINES);
}

/** What Cluster API does when a MachinePool changes: the provider of its infrastructure decides whether machines are replaced. */
function machinePoolEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  return poolEffects(update, Effect.UNKNOWN);
}

function poolEffects(update: ObjectUpdate, replacing: Effect): readonly ChangeEffect[] {
  const { before, after } = update;
  const reasons = replacedBecause(update);
  const bounds = { path: ['bounds'], before: boundsOf(before), after: boundsOf(after) };
  const changes = fieldChanges(withoutBounds(before), withoutBounds(after));
  const stored = before.apiVersion === after.apiVersion ? changes : storedChanges(changes);
  return groupEffects([
    ...(reasons.length > 0 ? [{ effect: replacing, reasons }] : []),
    ...(bounds.before === bounds.after ? [] : [{ effect: Effect.SCALED, reasons: [reason(bounds)] }]),
    ...fieldEffects(EFFECTS, stored.filter(({ path }) => !isCompared(path))),
  ]);
}

function boundsOf(pool: ManifestObject): string | undefined {
  const [minimum, maximum] = BOUNDS.map((name) => stringAt(pool, 'metadata', 'annotations', name));
  return minimum === undefined && maximum === undefined ? undefined : `${minimum ?? ''}-${maximum ?? ''}`;
}

function withoutBounds(pool: ManifestObject): ManifestObject {
  const annotations = fieldAt(pool, 'metadata', 'annotations');
  if (!isFields(annotations)) return pool;
  const others = Object.fromEntries(Object.entries(annotations).filter(([name]) => !BOUNDS.includes(name)));
  return { ...pool, metadata: { ...pool.metadata as Fields, annotations: others } };
}

/**
 * How many machines a rollout replaces at a time.
 *
 * @param pool the MachineDeployment
 * @param size how many machines it shall have, if that is known
 * @param replaced how many are replaced, if that is known
 * @returns 0 if it waits for somebody to delete machines, undefined if it cannot be told
 */
export function machinesAtATime(pool: ManifestObject, size: MachineCount | undefined, replaced: MachineCount | undefined): number | undefined {
  const strategy = fieldAt(pool, 'spec', 'rollout', 'strategy') ?? fieldAt(pool, 'spec', 'strategy');
  if (stringAt(strategy, 'type') === 'OnDelete') return 0;
  if (!size || !replaced) return undefined;
  const surge = amountOf(fieldAt(strategy, 'rollingUpdate', 'maxSurge') ?? 1, size.maximum, Math.ceil);
  const unavailable = amountOf(fieldAt(strategy, 'rollingUpdate', 'maxUnavailable') ?? 0, size.maximum, Math.floor);
  const atATime = Math.max(1, Math.min(surge + unavailable, replaced.maximum));
  return Number.isNaN(atATime) ? undefined : atATime;
}

function amountOf(value: unknown, of: number, round: (amount: number) => number): number {
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value) : null;
  return percent ? round(Number(percent[1]) * of / 100) : Number(value);
}

function replacedBecause({ before, after, templateReasons }: ObjectUpdate): readonly string[] {
  const [old, now] = [before, after].map((object) => fieldAt(object, ...MACHINE));
  return COMPARED.flatMap((field) => {
    const [one, other] = [old, now].map((machine) => fieldAt(machine, field));
    if (field === 'infrastructureRef') return referenceReasons(one, other, templateReasons);
    if (field === 'bootstrap') {
      const secret = { path: [field], before: fieldAt(one, 'dataSecretName'), after: fieldAt(other, 'dataSecretName') };
      return [
        ...referenceReasons(fieldAt(one, 'configRef'), fieldAt(other, 'configRef'), templateReasons),
        ...(sameValue(secret.before, secret.after) ? [] : [reason(secret, { word: 'bootstrap Secret' })]),
      ];
    }
    return sameValue(one, other) ? [] : [reason({ path: [field], before: one, after: other })];
  });
}

function referenceReasons(before: unknown, after: unknown, reasons: ObjectUpdate['templateReasons']): readonly string[] {
  const [old, now] = [before, after].map(objectReference);
  return old?.kind === now?.kind && old?.name === now?.name ? [] : reasons(old, now);
}

function isCompared(path: FieldPath): boolean {
  return MACHINE.every((name, index) => path[index] === name) && COMPARED.includes(String(path[MACHINE.length]));
}

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
  const known = KINDS[kind] ?? providers().map(({ effects }) => effects?.[kind]).find((effect) => effect !== undefined);
  if (known) return known(update);
  const role = knownKind(kind)?.role;
  if (role?.endsWith('Template')) return templateEffects(update, role);
  if (role === 'cluster') return INFRASTRUCTURE(update);
  const changes = fieldChanges(update.before, update.after);
  return AT_ONCE.has(kind) ? [{ effect: Effect.IN_PLACE, reasons: changes.map(({ path }) => fieldText(path)) }]
    : [{ effect: Effect.UNKNOWN, reasons: changes.map((change) => reason(change)) }];
}
