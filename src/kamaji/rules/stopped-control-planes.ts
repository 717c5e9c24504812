import { KAMAJI_CONTROL_PLANE } from './kamaji-objects';
import { nameOf, namespaceOf } from '../../manifests/manifest-object';
import { MACHINE_DEPLOYMENT } from '../../rules/cluster-api/cluster-api-kinds';
import { membersOfCluster } from '../../rules/cluster-api/cluster-members';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { clusterOf } from '../../rules/references/cluster-parts';
import { BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT } from '../../rules/references/examples';
import { numberAt } from '../../values/fields';

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
    if (numberAt(object, 'spec', 'replicas') !== 0) return [];
    const owner = clusterOf(object, index);
    const pools = owner ? membersOfCluster(namespaceOf(owner), nameOf(owner), index, MACHINE_DEPLOYMENT) : [];
    const running = pools.filter((pool) => numberAt(pool, 'spec', 'replicas') !== 0);
    return running.length === 0 ? [] : [{
      path: ['spec', 'replicas'],
      message: `there is no API server, and ${running.map(nameOf).join(', ')} may have machines, which are then neither drained nor replaced nor scaled`,
      fix: 'set replicas of the pools to 0 first (PoolSize.fixed(0)), wait until their machines are gone, and then stop the control plane',
    }];
  },
};
