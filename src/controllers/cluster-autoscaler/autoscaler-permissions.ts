import { ApiObject } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';

const CLUSTER_API = 'cluster.x-k8s.io';
const WATCH = ['list', 'watch'];

/**
 * What the autoscaler does in the management cluster, in the namespace of its cluster.
 *
 * Source: kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi clusterapi_controller.go, clusterapi_unstructured.go. It
 * watches every scalable kind that is served, marks the machines that shall go, and sizes the MachineDeployments; MachineSets that
 * belong to one are left alone. Only a machine that it marks is read by `get` (cluster-autoscaler-1.33.6 to 1.36.1). Watching the machine
 * templates is always granted, since the autoscaler waits for ever where it may not.
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

/** The resource under which the autoscaler looks for a kind: it knows one way to make a plural. */
function resourceOf(kind: string): string {
  return `${kind.toLowerCase()}s`;
}
