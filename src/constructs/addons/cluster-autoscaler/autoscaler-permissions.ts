import { ApiObject } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';

const CLUSTER_API = 'cluster.x-k8s.io';
const WATCH = ['list', 'watch'];

/**
 * The rights of the autoscaler in the management cluster, in the namespace of its cluster.
 *
 * Source: kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi clusterapi_controller.go, clusterapi_unstructured.go. It
 * watches every scalable kind that is served, marks the machines that shall go, and sizes the MachineDeployments; MachineSets that belong
 * to one are left alone. Only a machine that it marks is read by `get` (cluster-autoscaler-1.33.6 to 1.36.1). The right to watch machine
 * templates is always granted: without it the autoscaler waits forever.
 *
 * @param templates machine templates of the pools
 */
export function autoscalerPermissions(templates: readonly ApiObject[]): k8s.PolicyRule[] {
  return [
    { apiGroups: [CLUSTER_API], resources: ['machinedeployments', 'machinepools', 'machines', 'machinesets'], verbs: WATCH },
    { apiGroups: [CLUSTER_API], resources: ['machines'], verbs: ['get', 'update'] },
    { apiGroups: [CLUSTER_API], resources: ['machinedeployments/scale'], verbs: ['get', 'patch'] },
    ...templatePermissions(templates),
  ];
}

function templatePermissions(templates: readonly ApiObject[]): k8s.PolicyRule[] {
  const groups = new Map<string, Set<string>>();
  for (const template of templates) {
    const resources = groups.get(template.apiGroup) ?? new Set<string>();
    groups.set(template.apiGroup, resources.add(resourceOf(template.kind)));
  }
  return [...groups.keys()].sort().map((group) => ({ apiGroups: [group], resources: [...groups.get(group)!].sort(), verbs: WATCH }));
}

/** The resource name that the autoscaler derives from a kind: it knows one plural form only. */
function resourceOf(kind: string): string {
  return `${kind.toLowerCase()}s`;
}
