import { POOL_KINDS } from './cluster-parts';
import { effectsOf } from './kind-effects';
import { Comparison, Difference } from './paired-objects';
import { PartKind, PlannedEffect } from './plan-model';
import { machinesAtATime } from './pool-effects';
import { templateReasonsIn } from './template-reasons';
import { Cluster } from '../landscape/cluster-model';
import { groupKind, nameOf, namespaceOf } from '../manifests/manifest-object';
import { ChangeEffect, Effect } from '../rules/changes/effects';
import { MACHINE_DEPLOYMENT } from '../rules/cluster-api/cluster-api-kinds';
import { numberAt } from '../values/fields';

/** A cluster before and after, among everything that is compared. */
export interface ComparedCluster {
  readonly comparison: Comparison;
  readonly old?: Cluster;
  readonly now?: Cluster;
}

const EFFECT_ORDER: readonly Effect[] = Object.values(Effect);

/** What happens to a part of a cluster: one entry for each kind of effect, the gravest first. */
export function partEffects(part: PartKind, name: string, differences: readonly Difference[], cluster: ComparedCluster): PlannedEffect[] {
  const found = new Map<Effect, PlannedEffect>();
  for (const effect of differences.flatMap((difference) => differenceEffects(part, name, difference, cluster))) {
    const same = found.get(effect.effect);
    found.set(effect.effect, same ? { ...same, ...effect, reasons: [...new Set([...same.reasons, ...effect.reasons])] } : effect);
  }
  return [...found.values()].sort((one, other) => EFFECT_ORDER.indexOf(one.effect) - EFFECT_ORDER.indexOf(other.effect));
}

function differenceEffects(part: PartKind, name: string, difference: Difference, cluster: ComparedCluster): PlannedEffect[] {
  const { before, after } = difference;
  const isPool = part === PartKind.POOL && POOL_KINDS.includes(groupKind((after ?? before)!));
  const { appliedOnceBy: once } = difference;
  if (after && once) return [{ effect: Effect.LATER, reasons: [`${String(once.kind)} ${nameOf(once)} applies it once`] }];
  if (!before || !after) return isPool ? poolMachines(name, difference, cluster) : [];
  const { comparison: { old, now } } = cluster;
  return effectsOf({ before, after, old, now, templateReasons: templateReasonsIn(namespaceOf(after), old, now) }).map((effect) => {
    if (isPool) return poolEffect(effect, name, difference, cluster);
    return part === PartKind.CONTROL_PLANE ? controlPlaneEffect(effect, difference, cluster) : { effect: effect.effect, reasons: effect.reasons };
  });
}

/** The machines of a pool that comes or goes. */
function poolMachines(name: string, { before, shown }: Difference, { old, now }: ComparedCluster): PlannedEffect[] {
  if (shown.stays) return [];
  const count = (before ? old : now)?.pools.find((pool) => pool.name === name)?.size;
  return [{ effect: Effect.SCALED, reasons: [before ? 'the pool is removed' : 'the pool is new'], ...(count && { count }) }];
}

function poolEffect({ effect, reasons }: ChangeEffect, name: string, { after }: Difference, { old }: ComparedCluster): PlannedEffect {
  const count = old?.pools.find((pool) => pool.name === name)?.size;
  if (effect !== Effect.MACHINES || !count) return { effect, reasons };
  const atATime = groupKind(after!) === MACHINE_DEPLOYMENT ? machinesAtATime(after!, count) : undefined;
  return { effect, reasons, count, ...(atATime !== undefined && { atATime }) };
}

function controlPlaneEffect({ effect, reasons, machines }: ChangeEffect, { before }: Difference, { old }: ComparedCluster): PlannedEffect {
  const replicas = numberAt(before, 'spec', 'replicas') ?? old?.controlPlane?.replicas ?? 1;
  const count = machines ?? { minimum: replicas, maximum: replicas };
  if (effect === Effect.MACHINES) return { effect, reasons, count, atATime: 1 };
  return effect === Effect.PODS ? { effect, reasons, count } : { effect, reasons };
}
