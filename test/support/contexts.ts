import { ExampleMachine } from './strategies';
import { ClusterContext } from '../../src/constructs/contracts/cluster-context';
import { PoolContext } from '../../src/constructs/contracts/node-pool/pool-context';
import { withNodeSetup } from '../../src/constructs/contracts/node-pool/pool-node-setup';
import { Versions } from '../../src/constructs/contracts/versions';
import { KubernetesVersion } from '../../src/manifests/values/kubernetes-version';

/** A cluster `acme` in `tenant-acme` as a strategy sees it, for tests that bind one strategy alone. */
export function clusterContext(overrides: Partial<ClusterContext> = {}): ClusterContext {
  return {
    name: 'acme',
    namespace: 'tenant-acme',
    kubernetesVersion: KubernetesVersion.of('1.35.4'),
    versions: Versions.newest(),
    network: {
      podCidrs: ['10.243.0.0/16'],
      nodeCidrMaskSizes: [24],
      podsPerNode: 253,
      serviceCidrs: ['10.95.0.0/16'],
      serviceDomain: 'cluster.local',
      dnsServiceIps: ['10.95.0.10'],
      apiServerPort: 6443,
    },
    kubeconfigs: { internal: { name: 'acme-admin-kubeconfig', key: 'super-admin.svc' }, external: { name: 'acme-kubeconfig', key: 'value' } },
    apiServer: { internal: { host: 'acme.tenant-acme.svc', port: 6443 } },
    kubeProxyReplaced: false,
    controlPlane: {
      apiServerPort: 6443,
      endpointManager: 'kamaji',
      podLabel: 'kamaji.clastix.io/name',
      tunnelPort: 8132,
      viewableResources: ['kamajicontrolplanes.controlplane.cluster.x-k8s.io', 'tenantcontrolplanes.kamaji.clastix.io'],
    },
    infrastructure: { clusterKind: 'KubevirtCluster' },
    ...overrides,
  };
}

/** A pool `acme-general` of that cluster. */
export function poolContext(overrides: Partial<PoolContext> = {}): PoolContext {
  const context = {
    cluster: clusterContext(),
    name: 'acme-general',
    kubernetesVersion: KubernetesVersion.of('1.35.4'),
    nodeLabels: {},
    taints: [],
    kubeletConfiguration: {},
    ...overrides,
  };
  return { ...withNodeSetup(context, new ExampleMachine()), ...overrides };
}
