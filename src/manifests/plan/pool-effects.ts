import { storedChanges } from './stored-pool-fields';
import { MachineCount } from '../landscape/cluster-model';
import { ManifestObject } from '../objects/manifest-object';
import { ChangeEffect, Effect, FieldEffects, fieldEffects, groupEffects, ObjectUpdate, reason } from '../rules/changes/effects';
import { fieldChanges } from '../rules/changes/field-changes';
import { objectReference } from '../rules/references/object-references';
import { fieldAt, FieldPath, Fields, isFields, sameValue, stringAt } from '../values/fields';

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
export function machineDeploymentEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  return poolEffects(update, Effect.MACHINES);
}

/** What Cluster API does when a MachinePool changes: the provider of its infrastructure decides whether machines are replaced. */
export function machinePoolEffects(update: ObjectUpdate): readonly ChangeEffect[] {
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

