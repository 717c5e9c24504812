import { durationWords } from './duration-words';
import { deletionLimit, limitName, machineTime } from './machine-turns';
import { blockingBudgets, DECISIVE_KINDS, localVolumes } from './tenant-objects';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { ChangeConsequences } from '../../rules/changes/consequences';
import { Effect } from '../../rules/changes/effects';
import { MACHINE_DEPLOYMENT, MACHINE_DRAIN_RULE } from '../../rules/cluster-api/cluster-api-kinds';
import { controlPlaneLabels } from '../../rules/cluster-api/health-check-limits';
import { machineLabelsOf } from '../../rules/cluster-api/pool-selectors';
import { selects } from '../../rules/label-selectors';
import { ManifestIndex } from '../../rules/manifest-index';
import { objectReference } from '../../rules/references/object-references';
import { providers } from '../../systems/providers';
import { fieldAt, isFields, isSet, listAt, objectsAt, stringAt } from '../../values/fields';
import { rollingAmounts } from '../kind-effects';
import { ComparedCluster } from '../part-effects';
import { PartKind, PartOf, PlannedEffect, PlannedTime } from '../plan-model';

/** Consequences for the workloads on machines that are replaced or deleted, and how long that takes. */
export interface MachineConsequences extends ChangeConsequences {
  readonly time?: PlannedTime;
}

/** Annotation of machines whose nodes are not drained (api/core/v1beta2/machine_types.go). */
const NOT_DRAINED = 'machine.cluster.x-k8s.io/exclude-node-draining';

/**
 * Consequences for the workloads on the machines of a pool or control plane: nodes are drained, and the disks of machines go with them.
 *
 * Sources: kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller.go (reconcileDelete), core/reconcilers/machine/drain,
 * core/reconcilers/machineset/machineset_controller.go (deleteMachines), v1.14.2.
 */
export function machineConsequences(
  part: PartOf, owner: ManifestObject, effects: readonly PlannedEffect[], cluster: ComparedCluster,
): MachineConsequences {
  const machines = effects.find(({ effect }) => effect === Effect.MACHINES)
    ?? effects.find(({ effect, count }) => effect === Effect.DELETED && (count?.maximum ?? 0) > 0);
  const isPool = part.part === PartKind.POOL;
  // Of pools of other kinds, the provider of the infrastructure decides.
  if (!machines || (isPool && part.kind !== MACHINE_DEPLOYMENT)) return {};
  const { comparison, now, old } = cluster;
  // The machines that go have the timeouts of the pool, which Cluster API copies to them; those of a removed one stay as they are.
  const [index, owners, id] = now ? [comparison.now, comparison.nowOwners, now.id] : [comparison.old, comparison.oldOwners, old?.id];
  const tenant = owners.tenantObjects(id, DECISIVE_KINDS);
  // Data of a control plane's nodes is on its other nodes, too.
  const local = isPool ? localVolumes(tenant) : [];
  return {
    lost: local.map((what) => ({ what, detail: 'on the disks of nodes' })),
    felt: [
      drainWords(owner, machines, isPool),
      ...isPool ? diskWords(owner, comparison.old, comparison.now) : [],
      ...waits(owner, blockingBudgets(tenant), index, cluster),
    ],
    time: machineTime(owner, machines, isPool, index, (now ?? old)?.name),
  };
}

function drainWords(owner: ManifestObject, { effect, atATime, count }: PlannedEffect, isPool: boolean): string {
  if (isSet(owner, 'spec', 'template', 'metadata', 'annotations', NOT_DRAINED)) return `nodes are not drained (annotation ${NOT_DRAINED})`;
  const isOne = count?.maximum === 1;
  if (isOne) return `the node is drained${effect === Effect.MACHINES ? fewerWords(owner, 1, isPool) : ''}`;
  if (effect === Effect.DELETED) return `nodes are drained ${isPool ? 'at the same time' : 'one after the other'}`;
  const turns = atATime === undefined || atATime === 0 ? 'in turn' : atATime === 1 ? 'one after the other' : `${atATime} at a time`;
  return `nodes are drained ${turns}${fewerWords(owner, count?.maximum ?? 0, isPool)}`;
}

/** The machines that a rollout may lack meanwhile. */
function fewerWords(owner: ManifestObject, count: number, isPool: boolean): string {
  const fewer = isPool ? rollingAmounts(owner, count).unavailable : 0;
  return fewer > 0 ? `, with ${fewer === 1 ? 'one machine' : `${fewer} machines`} less meanwhile` : '';
}

/** The disks that go with machines, as far as a provider knows them. */
function diskWords(owner: ManifestObject, ...indexes: readonly ManifestIndex[]): string[] {
  const reference = objectReference(fieldAt(owner, 'spec', 'template', 'spec', 'infrastructureRef'));
  const disks = reference && providers().map(({ machineDisks }) => machineDisks?.[reference.kind]).find((found) => found !== undefined);
  const namespace = reference?.namespace ?? namespaceOf(owner);
  const template = reference && indexes.map((index) => index.find(reference.kind, namespace, reference.name)).find((found) => found !== undefined);
  const names = disks && template ? disks(template) : [];
  return [`data on disks of the machines are lost${names.length > 0 ? ` (${names.join(', ')})` : ''}`];
}

/** Waits of drains, in words. */
function waits(owner: ManifestObject, budgets: readonly string[], index: ManifestIndex, { now, old }: ComparedCluster): string[] {
  const limit = deletionLimit(owner, 'nodeDrainTimeout');
  const field = limitName(owner, 'nodeDrainTimeout');
  const until = limit === undefined ? `for ever, without ${field}` : `until ${field} (${durationWords(limit)}) has passed`;
  const rules = drainRules(owner, (now ?? old)?.name, index);
  const named = (behavior: string) => rules.filter((rule) => stringAt(rule, 'spec', 'drain', 'behavior') === behavior).map(nameOf).join(', ');
  const [complete, skipped] = [named('WaitCompleted'), named('Skip')];
  return [
    ...budgets.length === 0 ? [] : [`each drain waits ${until}: PodDisruptionBudget ${budgets.join(', ')} allows no eviction`],
    ...complete === '' ? [] : [`each drain waits for the pods of MachineDrainRule ${complete} to complete`],
    ...skipped === '' ? [] : [`pods of MachineDrainRule ${skipped} are not drained`],
  ];
}

/** The MachineDrainRules of the machines of a pool or control plane. */
function drainRules(owner: ManifestObject, cluster: string | undefined, index: ManifestIndex): ManifestObject[] {
  const rules = index.allIn(MACHINE_DRAIN_RULE, namespaceOf(owner));
  if (rules.length === 0) return [];
  const labels = groupKind(owner) === MACHINE_DEPLOYMENT ? machineLabelsOf(owner) : controlPlaneLabels(owner, cluster ?? '');
  const clusterLabels = fieldAt(index.find('cluster.x-k8s.io/Cluster', namespaceOf(owner), cluster), 'metadata', 'labels');
  const isSelected = (selector: unknown, of: unknown) => selector === undefined || selects(selector, isFields(of) ? of : {});
  return rules.filter((rule) => listAt(rule, 'spec', 'machines').length === 0 || objectsAt(rule, 'spec', 'machines').some(([entry]) => (
    isSelected(entry.selector, labels) && isSelected(entry.clusterSelector, clusterLabels))));
}
