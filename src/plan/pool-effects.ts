import { MachineCount } from '../landscape/cluster-model';
import { ManifestObject } from '../manifests/manifest-object';
import { ChangeEffect, Effect, FieldEffects, fieldEffects, groupEffects, ObjectUpdate, reason } from '../rules/changes/effects';
import { fieldChanges } from '../rules/changes/field-changes';
import { sameValue } from '../rules/changes/same-value';
import { objectReference } from '../rules/references/object-references';
import { fieldAt, FieldPath, stringAt } from '../values/fields';

const MACHINE: FieldPath = ['spec', 'template', 'spec'];

/** Fields of the machine that are compared with the machines that there are; all others change in place. */
const COMPARED: readonly string[] = ['version', 'infrastructureRef', 'bootstrap', 'failureDomain'];

const EFFECTS: FieldEffects = {
  'metadata': Effect.IN_PLACE,
  'metadata.annotations': { effect: Effect.IN_PLACE, word: 'annotations' },
  'metadata.annotations.cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': { effect: Effect.SCALED, word: 'minimum' },
  'metadata.annotations.cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': { effect: Effect.SCALED, word: 'maximum' },
  'spec': Effect.IN_PLACE,
  'spec.replicas': { effect: Effect.SCALED, word: 'replicas' },
  'spec.machineNaming': { effect: Effect.LATER, word: 'names of machines' },
  'spec.machineNamingStrategy': { effect: Effect.LATER, word: 'names of machines' },
  'spec.rollout.after': { effect: Effect.MACHINES, word: 'rollout after' },
  'spec.rolloutAfter': { effect: Effect.MACHINES, word: 'rollout after' },
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
  const replacing = replacedBecause(update);
  const { before, after } = update;
  const converted = before.apiVersion !== after.apiVersion;
  const others = fieldChanges(before, after).filter(({ path }) => !isCompared(path) && !(converted && path[0] !== 'metadata'));
  return groupEffects([
    ...(replacing.length > 0 ? [{ effect: Effect.MACHINES, reasons: replacing }] : []),
    ...fieldEffects(EFFECTS, others),
    ...(converted ? [{ effect: Effect.IN_PLACE, reasons: [`apiVersion ${String(before.apiVersion)} -> ${String(after.apiVersion)}`] }] : []),
  ]);
}

/** What Cluster API does when a MachinePool changes: the provider of its infrastructure decides whether machines are replaced. */
export function machinePoolEffects(update: ObjectUpdate): readonly ChangeEffect[] {
  const replacing = replacedBecause(update);
  const others = fieldChanges(update.before, update.after).filter(({ path }) => !isCompared(path));
  return groupEffects([...(replacing.length > 0 ? [{ effect: Effect.UNKNOWN, reasons: replacing }] : []), ...fieldEffects(EFFECTS, others)]);
}

/**
 * How many machines a rollout replaces at a time.
 *
 * @param pool the MachineDeployment
 * @param machines how many there are
 * @returns undefined if it waits for somebody to delete machines
 */
export function machinesAtATime(pool: ManifestObject, { maximum }: MachineCount): number | undefined {
  const strategy = fieldAt(pool, 'spec', 'rollout', 'strategy') ?? fieldAt(pool, 'spec', 'strategy');
  if (stringAt(strategy, 'type') === 'OnDelete') return undefined;
  const surge = amountOf(fieldAt(strategy, 'rollingUpdate', 'maxSurge') ?? 1, maximum, Math.ceil);
  const unavailable = amountOf(fieldAt(strategy, 'rollingUpdate', 'maxUnavailable') ?? 0, maximum, Math.floor);
  return Math.max(1, Math.min(surge + unavailable, Math.max(1, maximum)));
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

