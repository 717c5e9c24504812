import { contentEffects } from './content-effects';
import { contractEffects, extensionEffects, isNamedTemplate, isOfClass, MACHINE_TEMPLATE } from './contract-effects';
import { writtenSecretEffects } from './key-effects';
import { machinePoolReplacements, poolConfigurationEffects } from './machine-pools';
import { withSelections } from './selection-effects';
import { MachineCount } from '../landscape/cluster-model';
import { knownKind } from '../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { withoutSecrets } from '../objects/secret-values';
import {
  ChangeEffect, Effect, effectOf, EffectsOf, effectsOfFields, FieldEffects, fieldEffects, groupEffects, ObjectUpdate, reason,
} from '../rules/changes/effects';
import { FieldChange, fieldChanges, innermostChanges } from '../rules/changes/field-changes';
import { isRolloutDate, rolloutDateEffect } from '../rules/changes/rollout-dates';
import { CLUSTER, CLUSTER_CLASS, KUBEADM_CONTROL_PLANE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_DRAIN_RULE, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET } from '../rules/cluster-api/cluster-api-kinds';
import { classesOf, controlPlaneKind } from '../rules/cluster-api/cluster-classes';
import { EXTENSION_CONFIG } from '../rules/cluster-api/runtime-extensions';
import { ManifestIndex } from '../rules/manifest-index';
import { ObjectReference, objectReference, referrersOf } from '../rules/references/object-references';
import { storedPair } from '../stored/stored-objects';
import { secretsMadeOf } from '../systems/made-secrets';
import { providers } from '../systems/providers';
import { amountOf } from '../values/counts';
import { fieldAt, FieldPath, Fields, fieldText, isFields, sameValue, stringAt } from '../values/fields';
import { hasVariable } from '../values/variables';

/** Path of the fields of machines and their set-up in a template. */
const INNER: FieldPath = ['template', 'spec'];

/**
 * Differences between the templates that references name.
 *
 * @param namespace namespace of the objects that refer to them
 * @param old everything that was written before
 * @param now everything that is written now
 */
export function templateReasonsIn(namespace: string | undefined, old: ManifestIndex, now: ManifestIndex): ObjectUpdate['templateReasons'] {
  return (before, after) => {
    const [one, other] = [found(before, namespace, old), found(after, namespace, now)];
    if (before && after && before.kind === after.kind && one && other) {
      const { before: was, after: is } = withoutSecrets(storedPair(one, other));
      const reasons = templateDifferences(before.kind, was, is);
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

/** Differences of two templates of a kind in the fields that are meant, as reasons. */
function templateDifferences(
  kind: string, before: ManifestObject, after: ManifestObject, isMeant: (path: FieldPath) => boolean = () => true,
): string[] {
  const words = providers().map(({ templateWords }) => templateWords?.[kind]).find((known) => known !== undefined) ?? {};
  const effects = Object.fromEntries(Object.entries(words).map(([path, word]) => [path, { effect: Effect.MACHINES, word }]));
  return fieldChanges(fieldAt(before, 'spec'), fieldAt(after, 'spec')).filter(({ path }) => isMeant(path)).map((change) => {
    const known = effectOf(effects, change);
    if (known) return reason(change, known);
    const isInner = INNER.every((name, index) => change.path[index] === name);
    const path = isInner ? change.path.slice(INNER.length) : change.path;
    return reason({ ...change, path: path.length === 0 ? ['spec'] : path });
  });
}

const MACHINE_SPEC: FieldPath = ['spec', 'template', 'spec'];

/** Annotations between whose numbers the autoscaler chooses. */
const BOUNDS: readonly string[] = [
  'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size', 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size',
];

/** Fields of the machine that are compared with the machines that there are; all others change in place. */
const COMPARED: readonly string[] = ['version', 'infrastructureRef', 'bootstrap', 'failureDomain'];

const EFFECTS: FieldEffects = {
  'metadata': Effect.IN_PLACE,
  'metadata.annotations': { effect: Effect.IN_PLACE, word: 'annotations' },
  'spec': Effect.IN_PLACE,
  'spec.replicas': { effect: Effect.SCALED, word: 'replicas' },
  'spec.machineNaming': { effect: Effect.LATER, word: 'names of machines' },
  'spec.machineNamingStrategy': { effect: Effect.LATER, word: 'names of machines' },
  'spec.template.metadata.annotations': { effect: Effect.IN_PLACE, word: 'machine annotations' },
  'spec.template.metadata.labels': { effect: Effect.IN_PLACE, word: 'labels' },
  'spec.template.spec.taints': { effect: Effect.IN_PLACE, word: 'taints' },
};

/**
 * Effects of a changed MachineDeployment.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/machinedeployment/mdutil/util.go (MachineTemplateUpToDate), v1.14.2.
 */
function machineDeploymentEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const reasons = replacedBecause(update);
  return poolEffects(update, reasons.length > 0 ? [{ effect: Effect.MACHINES, reasons }] : []);
}

/**
 * Effects of a changed MachineSet without a MachineDeployment: Cluster API replaces no machine.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_controller.go (syncMachines), v1.14.2.
 */
function machineSetEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const reasons = replacedBecause(update);
  return poolEffects(update, reasons.length > 0 ? [{ effect: Effect.LATER, reasons }] : []);
}

/**
 * Fields of a Machine. Its node is made once, with the version of its bootstrap data.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller_phases.go (reconcileBootstrap), v1.14.2.
 */
const MACHINE_FIELDS: FieldEffects = {
  'metadata': Effect.IN_PLACE,
  'metadata.annotations.cluster.x-k8s.io/remediate-machine': Effect.UNKNOWN,
  'spec.bootstrap.configRef': Effect.IN_PLACE,
  'spec.deletion': Effect.IN_PLACE,
  'spec.minReadySeconds': Effect.IN_PLACE,
  'spec.readinessGates': Effect.IN_PLACE,
  'spec.taints': { effect: Effect.IN_PLACE, word: 'taints' },
  'spec.version': { effect: Effect.IN_PLACE, word: 'version (of the object alone)' },
};

/** Effects of a changed MachinePool: the provider of its infrastructure decides whether machines are replaced. */
function machinePoolEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  return poolEffects(update, machinePoolReplacements(update));
}

function poolEffects(update: ObjectUpdate, replacements: readonly ChangeEffect[]): readonly ChangeEffect[] {
  const { before, after } = update;
  const bounds = { path: ['bounds'], before: boundsOf(before), after: boundsOf(after) };
  const others = fieldChanges(withoutBounds(before), withoutBounds(after)).filter(({ path }) => !isCompared(path))
    .flatMap((change) => (isRollout(change) ? innermostChanges(change) : [change]));
  return groupEffects([
    ...replacements,
    ...(bounds.before === bounds.after ? [] : [{ effect: Effect.SCALED, reasons: [reason(bounds)] }]),
    ...others.filter(isRolloutDate).map((change) => rolloutDateEffect(change, Number.MAX_SAFE_INTEGER)),
    ...fieldEffects(EFFECTS, others.filter((change) => !isRolloutDate(change))),
  ]);
}

/** True of the group that a date may be in. */
function isRollout({ path }: FieldChange): boolean {
  return path.join('.') === 'spec.rollout';
}

function boundsOf(pool: ManifestObject): string | undefined {
  const [minimum, maximum] = BOUNDS.map((name) => stringAt(pool, 'metadata', 'annotations', name));
  return minimum === undefined && maximum === undefined ? undefined : `${minimum ?? ''}-${maximum ?? ''}`;
}

function withoutBounds(pool: ManifestObject): ManifestObject {
  const annotations = fieldAt(pool, 'metadata', 'annotations');
  if (!isFields(annotations)) return pool;
  const others = Object.fromEntries(Object.entries(annotations).filter(([name]) => !BOUNDS.includes(name)));
  return { ...pool, metadata: { ...pool.metadata as Fields, annotations: Object.keys(others).length > 0 ? others : undefined } };
}

/**
 * Number of machines that a rollout replaces at a time.
 *
 * @param pool the MachineDeployment
 * @param size how many machines it shall have, if that is known
 * @param replaced how many are replaced, if that is known
 * @returns 0 if it waits for somebody to delete machines, undefined if it cannot be told
 */
export function machinesAtATime(pool: ManifestObject, size: MachineCount | undefined, replaced: MachineCount | undefined): number | undefined {
  if (stringAt(strategyOf(pool), 'type') === 'OnDelete') return 0;
  if (!size || !replaced) return undefined;
  const { surge, unavailable } = rollingAmounts(pool, size.maximum);
  const atATime = Math.max(1, Math.min(surge + unavailable, replaced.maximum));
  return Number.isNaN(atATime) ? undefined : atATime;
}

/** Machines that a pool of a size may have beyond it, and may lack, during a rollout. */
export function rollingAmounts(pool: ManifestObject, size: number): { readonly surge: number; readonly unavailable: number } {
  const strategy = strategyOf(pool);
  return {
    surge: amountOf(fieldAt(strategy, 'rollingUpdate', 'maxSurge') ?? 1, size, Math.ceil),
    unavailable: amountOf(fieldAt(strategy, 'rollingUpdate', 'maxUnavailable') ?? 0, size, Math.floor),
  };
}

function strategyOf(pool: ManifestObject): unknown {
  return fieldAt(pool, 'spec', 'rollout', 'strategy') ?? fieldAt(pool, 'spec', 'strategy');
}

function replacedBecause({ before, after, templateReasons }: ObjectUpdate): readonly string[] {
  const [old, now] = [before, after].map((object) => fieldAt(object, ...MACHINE_SPEC));
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
  return (MACHINE_SPEC.every((name, index) => path[index] === name) && COMPARED.includes(String(path[MACHINE_SPEC.length]))) || path.join('.').startsWith('spec.failureDomains');
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

const CLUSTER_FIELDS: FieldEffects = {
  'metadata': Effect.IN_PLACE,
  'spec.paused': { effect: Effect.IN_PLACE, word: 'paused' },
  'spec.availabilityGates': Effect.IN_PLACE,
  'spec.controlPlaneEndpoint': { effect: Effect.LATER, word: 'address of the API server' },
  'spec.controlPlaneRef': { effect: Effect.IN_PLACE, word: 'control plane' },
};

/**
 * Effects of the networks of a cluster. Those of kubeadm are written when a machine is made, and are none of the fields that machines are compared by.
 *
 * Source: kubernetes-sigs/cluster-api bootstrap/kubeadm/reconcilers/kubeadmconfig (reconcileTopLevelObjectSettings), controlplane/kubeadm/pkg/filters.go, v1.14.0.
 */
function networkEffects({ written: [, after], now }: ObjectUpdate): FieldEffects {
  if (controlPlaneKind(after, now) !== KUBEADM_CONTROL_PLANE) return {};
  return Object.fromEntries(['pods', 'services', 'serviceDomain'].map((name) => (
    [`spec.clusterNetwork.${name}`, { effect: Effect.LATER, word: `cluster network ${name}` }])));
}

const KINDS: Readonly<Record<string, EffectsOf>> = {
  [CLUSTER]: withSelections((update) => effectsOfFields({ ...CLUSTER_FIELDS, ...networkEffects(update) })(update)),
  [CLUSTER_CLASS]: classEffects,
  [MACHINE_DEPLOYMENT]: machineDeploymentEffects,
  [MACHINE]: effectsOfFields(MACHINE_FIELDS),
  [MACHINE_POOL]: machinePoolEffects,
  [MACHINE_SET]: machineSetEffects,
  [MACHINE_HEALTH_CHECK]: effectsOfFields({
    'metadata': Effect.IN_PLACE, 'metadata.annotations.cluster.x-k8s.io/paused': { effect: Effect.IN_PLACE, word: 'paused' }, 'spec': Effect.IN_PLACE,
  }),
  [MACHINE_DRAIN_RULE]: effectsOfFields({ metadata: Effect.IN_PLACE, spec: Effect.IN_PLACE }),
  'apps/Deployment': workloadEffects,
  'apps/StatefulSet': workloadEffects,
  'apps/DaemonSet': workloadEffects,
  'batch/CronJob': CRON_JOB,
  'batch/Job': effectsOfFields({ metadata: Effect.IN_PLACE, spec: Effect.IN_PLACE }),
  // The plan follows its lists, and tells of its other fields as of a file that is not read.
  'kustomize.config.k8s.io/Kustomization': ({ before, after }) => (
    sameValue(fieldAt(before, 'resources'), fieldAt(after, 'resources')) ? [] : [{ effect: Effect.RELEASE, reasons: [] }]),
  [EXTENSION_CONFIG]: extensionEffects,
  '/ConfigMap': contentEffects,
  '/Secret': contentEffects,
};

/** Objects of infrastructure: Cluster API has providers read annotations and fields of them, and no labels. */
const INFRASTRUCTURE = effectsOfFields({ 'metadata.labels': Effect.IN_PLACE });

/**
 * Effects of a template that changes under its name. Machines are compared by the names of their templates, so that existing ones stay.
 * Of the templates of a ClusterClass each topology has copies, whose changes are effects of their own.
 */
function templateEffects({ before, after, now }: ObjectUpdate): readonly ChangeEffect[] {
  const isCopied = referrersOf(after, now, CLUSTER_CLASS).some(({ object }) => isUsed(object, now));
  const { inPlace = [] } = knownKind(groupKind(after)) ?? {};
  const isApplied = (path: FieldPath) => isCopied || inPlace.includes(['spec', ...path].join('.'));
  const [applied, others] = [isApplied, (path: FieldPath) => !isApplied(path)]
    .map((isMeant) => templateDifferences(groupKind(after), before, after, isMeant));
  // A webhook may refuse what a variable stands for.
  const isOpen = fieldChanges(before, after).some((change) => [change.before, change.after].some(hasVariable));
  if (others.length === 0 && applied.length === 0) {
    return [{ effect: Effect.IN_PLACE, reasons: fieldChanges(before, after).map((change) => reason(change)) }];
  }
  return [
    ...others.length > 0 ? [{ effect: isOpen ? Effect.UNKNOWN : Effect.LATER, reasons: others }] : [],
    ...applied.length > 0 ? [{ effect: Effect.IN_PLACE, reasons: applied }] : [],
  ];
}

/** Effects of a changed ClusterClass beyond the changes of the topologies that are made from it. */
function classEffects({ before, after, now }: ObjectUpdate): readonly ChangeEffect[] {
  const reasons = fieldChanges(before, after).map((change) => reason(change));
  return [{ effect: isUsed(after, now) ? Effect.IN_PLACE : Effect.LATER, reasons }];
}

function isUsed(clusterClass: ManifestObject, index: ManifestIndex): boolean {
  return index.all(CLUSTER).some((cluster) => classesOf(cluster, index)
    .some((used) => nameOf(used) === nameOf(clusterClass) && namespaceOf(used) === namespaceOf(clusterClass)));
}

/** Outcome of an object in another version of the API, to which nothing here can convert it. Machines stay, also if their template changes. */
function conversionEffects({ before, after, now }: ObjectUpdate): readonly ChangeEffect[] {
  const kind = groupKind(after);
  if (before.apiVersion === after.apiVersion || AT_ONCE.has(kind)) return [];
  const stays = MACHINE_TEMPLATE.test(kind) && !isOfClass(after, now);
  const change = `apiVersion ${String(before.apiVersion)} -> ${String(after.apiVersion)}`;
  return [{ effect: stays ? Effect.LATER : Effect.UNKNOWN, reasons: [`${change}, whose conversion is not known`] }];
}

/** Effects of a changed object; unknown if nothing is known of its kind. */
export function effectsOf(update: ObjectUpdate): readonly ChangeEffect[] {
  const conversion = conversionEffects(update);
  if (conversion.length === 0) return effectsInOneVersion(update);
  const before = { ...update.before, apiVersion: update.after.apiVersion };
  return groupEffects([...conversion, ...sameValue(before, update.after) ? [] : effectsInOneVersion({ ...update, before })]);
}

function effectsInOneVersion(update: ObjectUpdate): readonly ChangeEffect[] {
  const kind = groupKind(update.after);
  const known = KINDS[kind] ?? providers().map(({ effects }) => effects?.[kind]).find((effect) => effect !== undefined);
  if (known) return known(update);
  if (secretsMadeOf(update.after).some(({ templates }) => templates)) return writtenSecretEffects(update);
  const ofPool = poolConfigurationEffects(update);
  if (ofPool) return ofPool;
  const role = knownKind(kind)?.role;
  const isTemplate = role?.endsWith('Template') || referrersOf(update.after, update.now, CLUSTER_CLASS).length > 0;
  if (isTemplate) return templateEffects(update);
  if (role === 'cluster') return INFRASTRUCTURE(update);
  if (role === 'controlPlane' || referrersOf(update.after, update.now, CLUSTER).some(({ path }) => path[1] === 'controlPlaneRef')) return contractEffects(update);
  const changes = fieldChanges(update.before, update.after);
  if (isNamedTemplate(update.after, update.now)) {
    return [{ effect: Effect.LATER, reasons: changes.map((change) => `${reason(change)} (unless the webhook of its provider refuses it)`) }];
  }
  return AT_ONCE.has(kind) ? [{ effect: Effect.IN_PLACE, reasons: changes.map(({ path }) => fieldText(path)) }]
    : [{ effect: Effect.UNKNOWN, reasons: changes.map((change) => reason(change)) }];
}
