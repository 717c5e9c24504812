import { MAX_SIZE } from './autoscaler-annotations';
import { MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api-kinds';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { amountOf } from '../../values/counts';
import { fieldAt, numberAt, stringAt } from '../../values/fields';

/** Number of machines of a pool or control plane. */
export interface GroupSize {
  /** Smallest number of machines. */
  readonly fewest: number;

  /** Largest number of machines. */
  readonly machines: number;

  /** Machines beyond that number during a rollout. */
  readonly surge: number;
}

/** The size of a pool or control plane, by its replicas and the bounds of its autoscaler. */
export function groupSize(owner: ManifestObject): GroupSize {
  const maximum = stringAt(owner, 'metadata', 'annotations', MAX_SIZE);
  const replicas = numberAt(owner, 'spec', 'replicas');
  const isBounded = maximum !== undefined && /^\d{1,9}$/.test(maximum);
  const machines = isBounded ? Math.max(Number(maximum), replicas ?? 0) : replicas ?? 1;
  return { fewest: replicas ?? (isBounded ? 0 : 1), machines, surge: surgeOf(owner, machines) };
}

/**
 * Machines beyond the size during a rollout. Both MachineDeployments and control planes of kubeadm have one more by default
 * (kubernetes-sigs/cluster-api core/webhooks/admission/machinedeployment.go,
 * controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go); percentages round up. MachineSets and MachinePools have none of their own.
 */
function surgeOf(owner: ManifestObject, machines: number): number {
  if ([MACHINE_SET, MACHINE_POOL].includes(groupKind(owner)) || machines === 0) return 0;
  const strategy = fieldAt(owner, 'spec', 'rollout', 'strategy') ?? fieldAt(owner, 'spec', 'strategy') ?? fieldAt(owner, 'spec', 'rolloutStrategy');
  if (groupKind(owner) === MACHINE_DEPLOYMENT && stringAt(strategy, 'type') === 'OnDelete') return 0;
  const surge = amountOf(fieldAt(strategy, 'rollingUpdate', 'maxSurge') ?? 1, machines, Math.ceil);
  return Number.isFinite(surge) && surge >= 0 ? surge : 1;
}
