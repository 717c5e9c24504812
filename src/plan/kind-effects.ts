import { machineDeploymentEffects, machinePoolEffects } from './pool-effects';
import { templateDifferences } from './template-reasons';
import { knownKind } from '../manifests/known-kinds';
import { groupKind, groupOf } from '../manifests/manifest-object';
import { Effect, EffectsOf, effectsOfFields, ObjectUpdate, ChangeEffect } from '../rules/changes/effects';
import { CLUSTER, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL } from '../rules/cluster-api/cluster-api-kinds';
import { KUBERNETES_GROUPS } from '../rules/kubernetes-groups';
import { providers } from '../validation/providers';

const IN_PLACE = effectsOfFields({ metadata: Effect.IN_PLACE, spec: Effect.IN_PLACE });

/** Objects that act by themselves, as soon as they are there. */
const AT_ONCE = (): readonly ChangeEffect[] => [{ effect: Effect.IN_PLACE, reasons: [] }];

/** Workloads of Kubernetes: what is in their template makes new pods. */
const WORKLOAD = effectsOfFields({
  'metadata': Effect.IN_PLACE,
  'spec': Effect.IN_PLACE,
  'spec.replicas': { effect: Effect.SCALED, word: 'replicas' },
  'spec.template': { effect: Effect.PODS, word: 'pods' },
  'spec.template.spec.containers': { effect: Effect.PODS, word: 'container' },
});

const KINDS: Readonly<Record<string, EffectsOf>> = {
  [CLUSTER]: effectsOfFields({
    'metadata': Effect.IN_PLACE,
    'spec.paused': { effect: Effect.IN_PLACE, word: 'paused' },
    'spec.availabilityGates': Effect.IN_PLACE,
    'spec.topology.version': { effect: Effect.MACHINES, word: 'version' },
    'spec.topology.controlPlane.replicas': { effect: Effect.SCALED, word: 'control plane replicas' },
  }),
  [MACHINE_DEPLOYMENT]: machineDeploymentEffects,
  [MACHINE_POOL]: machinePoolEffects,
  [MACHINE_HEALTH_CHECK]: IN_PLACE,
  'apps/Deployment': WORKLOAD,
  'apps/StatefulSet': WORKLOAD,
  'apps/DaemonSet': WORKLOAD,
};

/** A template that changes under its name: machines are compared by the names of their templates, so that those that there are stay. */
function templateEffects({ before, after }: ObjectUpdate): readonly ChangeEffect[] {
  return [{ effect: Effect.LATER, reasons: templateDifferences(groupKind(after), before, after) }];
}

/** What happens when an object changes; where nothing is known of its kind, the effect is unknown. */
export function effectsOf(update: ObjectUpdate): readonly ChangeEffect[] {
  const kind = groupKind(update.after);
  const known = KINDS[kind] ?? providers().map(({ effects }) => effects?.[kind]).find((found) => found !== undefined);
  if (known) return known(update);
  if (knownKind(kind)?.role?.endsWith('Template')) return templateEffects(update);
  const group = groupOf(update.after);
  if (KUBERNETES_GROUPS.has(group)) return AT_ONCE();
  return [{ effect: Effect.UNKNOWN, reasons: [] }];
}
