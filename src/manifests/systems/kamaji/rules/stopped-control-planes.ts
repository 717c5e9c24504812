import { KAMAJI_CONTROL_PLANE } from './kamaji-objects';
import { ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { MACHINE_DEPLOYMENT } from '../../../rules/cluster-api/cluster-api-kinds';
import { membersOfCluster } from '../../../rules/cluster-api/cluster-members';
import { changedText, documents, replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT } from '../../../rules/references/examples';
import { clusterOf } from '../../../rules/references/object-references';
import { numberAt } from '../../../values/fields';

const STOPPED = CONTROL_PLANE_TEXT.replace('spec:\n', 'spec:\n  replicas: 0\n');

/** A cluster that is stopped by half. */
export const STOPPED_CONTROL_PLANE: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-STOPPED',
  title: 'A control plane without replicas must not have pools with machines: without an API server, no machine is drained, replaced or scaled.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller.go (drainNode), v1.14.0',
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  warning: true,
  example: replaced(
    POOL_TEXT.replace('replicas: 3', 'replicas: 0'), 'replicas: 0', 'replicas: 3', STOPPED, CLUSTER_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT,
  ),
  check: (object, index) => {
    if (!isStopped(object)) return [];
    const running = poolsWithMachines(object, index);
    return running.length === 0 ? [] : [{
      path: ['spec', 'replicas'],
      message: `there is no API server, and ${running.map(nameOf).join(', ')} may have machines, which are then neither drained nor replaced nor scaled`,
      fix: 'set replicas of the pools to 0 first (Hibernation.POOLS), wait until their machines are gone, and then stop the control plane',
    }];
  },
};

/** A cluster that is stopped at once. */
export const STOPPED_AT_ONCE: TransitionRule = {
  id: 'TC-CHANGE-KAMAJI-STOPPED',
  title: 'A control plane must not stop in the change that empties its pools: nodes are not drained, and machines stay until all timeouts have passed.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machine/machine_controller.go (drainNode), v1.14.2',
  kinds: [KAMAJI_CONTROL_PLANE],
  trap: true,
  example: changedText(
    documents(CONTROL_PLANE_TEXT.replace('spec:\n', 'spec:\n  replicas: 2\n'), POOL_TEXT, CLUSTER_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT),
    { 'replicas: 2': 'replicas: 0', 'replicas: 3': 'replicas: 0' }, { 'replicas: 3': 'replicas: 0' },
  ),
  check: ({ before, after, old }) => {
    if (!before || !after || isStopped(before) || !isStopped(after)) return [];
    const running = poolsWithMachines(before, old);
    return running.length === 0 ? [] : [{
      path: ['spec', 'replicas'],
      message: `the control plane stops, and ${running.map(nameOf).join(', ')} had machines until now, whose nodes need it to be drained`,
      fix: 'set only replicas of the pools to 0 (Hibernation.POOLS), and stop the control plane in a later commit, when the machines are gone',
    }];
  },
};

function isStopped(controlPlane: ManifestObject): boolean {
  return numberAt(controlPlane, 'spec', 'replicas') === 0;
}

/** The pools of a control plane that may have machines: those that are autoscaled have no number. */
function poolsWithMachines(controlPlane: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  const owner = clusterOf(controlPlane, index);
  const pools = owner ? membersOfCluster(namespaceOf(owner), nameOf(owner), index, MACHINE_DEPLOYMENT) : [];
  return pools.filter((pool) => numberAt(pool, 'spec', 'replicas') !== 0);
}
