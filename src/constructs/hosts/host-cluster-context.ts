import { ResolvedCluster } from './resolved-cluster';
import { IpFamily, parseIp } from '../../manifests/values/ip-address';
import { AddonCapability } from '../contracts/addon-capability';
import { ClusterContext } from '../contracts/cluster-context';
import { Versions } from '../contracts/versions';
import { bringsCoreDns } from '../control-planes/kubeadm/control-plane/addons';
import { DELIVERY_NAMESPACE } from '../deliveries/delivery-namespace';

/** The kind that addons recognize a `KubeadmCluster` by. */
export const KUBEADM_CLUSTER_KIND = 'KubeadmCluster';

/** The cluster as addons see it. */
export function addonContext(cluster: ResolvedCluster): ClusterContext {
  const { props, name, kubernetesVersion, network, endpoint } = cluster;
  // Addons run in the cluster and need no kubeconfig; the name follows the convention of Cluster API.
  const kubeconfig = { name: `${name}-kubeconfig`, key: 'value' };
  return {
    name,
    namespace: props.deliveryNamespace ?? DELIVERY_NAMESPACE,
    kubernetesVersion,
    versions: props.versions ?? Versions.newest(),
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
