import { ResolvedCluster } from './resolved-cluster';
import { AddonCapability } from '../addons/addon-capability';
import { ClusterContext } from '../cluster-context';
import { bringsCoreDns } from '../control-plane/kubeadm/addons';
import { IpFamily, parseIp } from '../network/ip-address';

/** Namespace of the objects that deliver, where nobody says otherwise. */
const DELIVERY_NAMESPACE = 'flux-system';

/** What addons know a `KubeadmCluster` by. */
export const KUBEADM_CLUSTER_KIND = 'KubeadmCluster';

/** The cluster as addons see it. */
export function addonContext(cluster: ResolvedCluster): ClusterContext {
  const { props, name, kubernetesVersion, network, endpoint } = cluster;
  // Addons run in the cluster, and need none; whoever manages it from another cluster would look here, as with Cluster API.
  const kubeconfig = { name: `${name}-kubeconfig`, key: 'value' };
  return {
    name,
    namespace: props.deliveryNamespace ?? DELIVERY_NAMESPACE,
    kubernetesVersion,
    network,
    kubeconfigs: { internal: kubeconfig, external: kubeconfig },
    apiServer: { published: endpoint },
    ...(props.cni && { podNetwork: props.cni.name, kubeProxyReplaced: props.cni.replacesKubeProxy }),
    controlPlane: {
      apiServerPort: endpoint.port,
      addonCapabilities: bringsCoreDns(props) ? [AddonCapability.CLUSTER_DNS] : [],
      machineCount: props.controlPlaneNodes.length,
    },
    infrastructure: {
      clusterKind: KUBEADM_CLUSTER_KIND,
      externalCloudProvider: cluster.externalCloudProvider,
      internalIpFamilies: addressFamilies(cluster),
    },
  };
}

/** The families in which every node has its address, which is its `InternalIP`. */
function addressFamilies({ props, workers }: ResolvedCluster): IpFamily[] {
  const families = new Set([...props.controlPlaneNodes, ...workers].flatMap(({ address }) => parseIp(address)?.family ?? []));
  return families.size === 1 ? [...families] : [];
}
