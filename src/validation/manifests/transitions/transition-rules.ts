import { CHART_PROXY_CHANGES } from './chart-proxy-changes';
import { CLUSTER_CHANGES } from './cluster-changes';
import { CLUSTER_REMOVALS } from './cluster-removals';
import { DEFINITION_CHANGES } from './definition-changes';
import { KAMAJI_CHANGES } from './kamaji-changes';
import { KUBEADM_CHANGES } from './kubeadm-changes';
import { KUBEVIRT_CHANGES } from './kubevirt-changes';
import { NETWORK_CHANGE } from './network-changes';
import { POOL_CHANGES } from './pool-changes';
import { RELEASE_CHANGES } from './release-changes';
import { REMOVALS } from './removals';
import { RESOURCE_SET_CHANGES } from './resource-set-changes';
import { STORAGE_CHANGES } from './storage-changes';
import { TEMPLATE_CHANGES } from './template-changes';
import { TOPOLOGY_CHANGES } from './topology-changes';
import { TransitionRule } from './transition-rule';
import { VERSION_CHANGES } from './version-changes';
import { WORKLOAD_CHANGES } from './workload-changes';

/** What servers refuse of changes, and what an accepted change does to what is running. */
export const TRANSITION_RULES: readonly TransitionRule[] = [
  ...CLUSTER_CHANGES,
  ...CLUSTER_REMOVALS,
  ...TOPOLOGY_CHANGES,
  ...VERSION_CHANGES,
  ...POOL_CHANGES,
  ...TEMPLATE_CHANGES,
  ...KUBEADM_CHANGES,
  ...KAMAJI_CHANGES,
  ...KUBEVIRT_CHANGES,
  ...RESOURCE_SET_CHANGES,
  ...RELEASE_CHANGES,
  ...CHART_PROXY_CHANGES,
  NETWORK_CHANGE,
  ...REMOVALS,
  ...DEFINITION_CHANGES,
  ...STORAGE_CHANGES,
  ...WORKLOAD_CHANGES,
];
