import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';

/** Machines in the management cluster, without kube-proxy. */
export const inside: Partial<ClusterContext> = {
  kubeProxyReplaced: true,
  infrastructure: { clusterKind: 'KubevirtCluster', inManagementCluster: true },
};

/** Machines elsewhere, an API server at a fixed address, without kube-proxy. */
export const outside: Partial<ClusterContext> = {
  kubeProxyReplaced: true,
  apiServer: { internal: { host: 'acme.tenant-acme.svc', port: 6443 }, published: { host: '192.0.2.10', port: 443 } },
  infrastructure: { clusterKind: 'VultrCluster' },
};

/** Machines elsewhere, an API server whose address nobody knows yet. */
export const unknown: Partial<ClusterContext> = { ...outside, apiServer: { internal: { host: 'acme.tenant-acme.svc', port: 6443 } } };

/** Two address families. */
export const dualStack: Partial<ClusterContext> = {
  network: {
    podCidrs: ['10.1.0.0/16', 'fd00:1::/56'],
    nodeCidrMaskSizes: [24, 64],
    podsPerNode: 253,
    serviceCidrs: ['10.2.0.0/16', 'fd00:2::/112'],
    serviceDomain: 'acme.internal',
    dnsServiceIps: ['10.2.0.10', 'fd00:2::a'],
    apiServerPort: 6443,
  },
};
