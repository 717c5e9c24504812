/** Types of Kubernetes that belong to namespaces, by group (kubernetes/kubernetes api/discovery). */
const NAMESPACED: { readonly [group: string]: readonly string[] } = {
  '': [
    'configmaps', 'endpoints', 'events', 'limitranges', 'persistentvolumeclaims', 'pods', 'podtemplates', 'replicationcontrollers', 'resourcequotas', 'secrets',
    'serviceaccounts', 'services',
  ],
  'apps': ['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  'autoscaling': ['horizontalpodautoscalers'],
  'batch': ['cronjobs', 'jobs'],
  'coordination.k8s.io': ['leases'],
  'discovery.k8s.io': ['endpointslices'],
  'events.k8s.io': ['events'],
  'networking.k8s.io': ['ingresses', 'networkpolicies'],
  'policy': ['poddisruptionbudgets'],
  'rbac.authorization.k8s.io': ['rolebindings', 'roles'],
};

/** Types of Kubernetes that belong to no namespace. A Role gives rights to its own Namespace, so that Namespaces are not among them. */
const CLUSTER: { readonly [group: string]: readonly string[] } = {
  '': ['nodes', 'persistentvolumes'],
  'admissionregistration.k8s.io': [
    'mutatingwebhookconfigurations', 'validatingadmissionpolicies', 'validatingadmissionpolicybindings', 'validatingwebhookconfigurations',
  ],
  'apiextensions.k8s.io': ['customresourcedefinitions'],
  'apiregistration.k8s.io': ['apiservices'],
  'authentication.k8s.io': ['tokenreviews'],
  'authorization.k8s.io': ['subjectaccessreviews'],
  'certificates.k8s.io': ['certificatesigningrequests'],
  'flowcontrol.apiserver.k8s.io': ['flowschemas', 'prioritylevelconfigurations'],
  'networking.k8s.io': ['ingressclasses'],
  'node.k8s.io': ['runtimeclasses'],
  'rbac.authorization.k8s.io': ['clusterrolebindings', 'clusterroles'],
  'scheduling.k8s.io': ['priorityclasses'],
  'storage.k8s.io': ['csidrivers', 'csinodes', 'storageclasses', 'volumeattachments'],
};

/**
 * True if the objects of a type of Kubernetes belong to no namespace.
 *
 * @returns undefined for a type that is not known
 */
export function isBuiltInClusterScoped(group: string, resource: string): boolean | undefined {
  if (CLUSTER[group]?.includes(resource)) return true;
  return NAMESPACED[group]?.includes(resource) ? false : undefined;
}
