/**
 * The way a label reaches a node:
 * `synced` by Cluster API from the Machine, in place; `kubelet` sets it when the node registers, so that a change needs new
 * machines; `refused` by the kubelet, which does not start with it.
 */
export type NodeLabelRoute = 'synced' | 'kubelet' | 'refused';

// k8s.io/kubelet pkg/apis/well_known_labels.go
const KUBELET_LABELS: readonly string[] = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
];
const KUBELET_NAMESPACES: readonly string[] = ['kubelet.kubernetes.io', 'node.kubernetes.io'];

/**
 * Which way a label reaches its node.
 *
 * Sources: Cluster API `util/labels` `GetManagedLabels` (`node-role.kubernetes.io` exactly; `node-restriction.kubernetes.io` and
 * `node.cluster.x-k8s.io` with their subdomains; a manager's `--additional-sync-machine-labels` can add more), kubelet
 * `cmd/kubelet/app/options/options.go` `ValidateKubeletFlags` and `k8s.io/kubelet/pkg/apis/well_known_labels.go`.
 *
 * @param key the label's key
 */
export function nodeLabelRoute(key: string): NodeLabelRoute {
  // Cluster API looks at the text before the slash even where there is no slash; the kubelet does not.
  const domain = key.split('/')[0];
  if (domain === 'node-role.kubernetes.io' || isWithin(domain, 'node-restriction.kubernetes.io') || isWithin(domain, 'node.cluster.x-k8s.io')) {
    return 'synced';
  }
  const namespace = key.includes('/') ? domain : '';
  const reserved = isWithin(namespace, 'kubernetes.io') || isWithin(namespace, 'k8s.io');
  const allowed = KUBELET_LABELS.includes(key) || KUBELET_NAMESPACES.some((own) => isWithin(namespace, own));
  return reserved && !allowed ? 'refused' : 'kubelet';
}

/**
 * Checks that there is a way for a label to reach its node.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkNodeLabelKey(key: string): string | undefined {
  return nodeLabelRoute(key) === 'refused'
    ? `the kubelet does not start with the label "${key}", whose domain is reserved; accepted are a domain of your own,`
      + ` node-role.kubernetes.io, node-restriction.kubernetes.io, node.cluster.x-k8s.io, ${KUBELET_NAMESPACES.join(', ')}`
      + ` (the last four with subdomains), and ${KUBELET_LABELS.join(', ')}`
    : undefined;
}

/**
 * Checks a label that is given to the kubelet itself (`--node-labels`), which may set fewer than Cluster API.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkKubeletLabelKey(key: string): string | undefined {
  const route = nodeLabelRoute(key);
  return route === 'synced' && isReserved(key)
    ? `the kubelet may not set the label "${key}"; accepted is the same label on the pool, from where Cluster API copies it to the node`
    : checkNodeLabelKey(key);
}

function isReserved(key: string): boolean {
  const namespace = key.includes('/') ? key.split('/')[0] : '';
  return isWithin(namespace, 'kubernetes.io') || isWithin(namespace, 'k8s.io');
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}
