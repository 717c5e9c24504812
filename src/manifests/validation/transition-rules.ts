import { ADDRESS_POOL_CHANGES } from './address-pools/pool-changes';
import { CLUSTER_CHANGES, NETWORK_CHANGE, TEMPLATE_CHANGE } from './changes/cluster-changes';
import { CLUSTER_REMOVALS } from './changes/cluster-removals';
import { componentRules, COMPONENTS_TOGETHER } from './changes/component-changes';
import { POD_NETWORK_CHANGES } from './changes/pod-network-changes';
import { REMOVALS } from './changes/removals';
import { SERVICE_ACCOUNT_CHANGES } from './changes/service-account-changes';
import { CLOUD_PROVIDER_CHANGES } from './cloud-provider-rules';
import { CONTROLLER_CHANGES } from '../rules/changes/controller-changes';
import { DEFINITION_CHANGES } from '../rules/changes/definition-changes';
import { ENCRYPTION_CHANGES } from '../rules/changes/encryption-changes';
import { POOL_CHANGES, POOL_VERSION } from '../rules/changes/pool-changes';
import { STORAGE_CHANGES } from '../rules/changes/storage-changes';
import { TOPOLOGY_CHANGES } from '../rules/changes/topology-changes';
import { TransitionRule } from '../rules/changes/transition-rule';
import { WORKLOAD_CHANGES } from '../rules/changes/workload-changes';
import { providers } from '../systems/providers';

/** Rules for changes that servers refuse, and for effects of accepted changes on what is running. */
export function transitionRules(): TransitionRule[] {
  return [
    ...CLUSTER_CHANGES,
    ...CLUSTER_REMOVALS,
    ...TOPOLOGY_CHANGES,
    POOL_VERSION,
    ...POOL_CHANGES,
    TEMPLATE_CHANGE,
    ...providers().flatMap(({ changes = [] }) => changes),
    ...componentRules(),
    COMPONENTS_TOGETHER,
    NETWORK_CHANGE,
    ...POD_NETWORK_CHANGES,
    ...ADDRESS_POOL_CHANGES,
    ...REMOVALS,
    ...DEFINITION_CHANGES,
    ...STORAGE_CHANGES,
    ...WORKLOAD_CHANGES,
    ...ENCRYPTION_CHANGES,
    ...SERVICE_ACCOUNT_CHANGES,
    ...CONTROLLER_CHANGES,
    ...CLOUD_PROVIDER_CHANGES,
  ];
}
