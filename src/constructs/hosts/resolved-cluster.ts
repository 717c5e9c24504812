import { KubeadmClusterProps } from './kubeadm-cluster-props';
import { KubeadmNode } from './kubeadm-node';
import { KubeadmPlatformConfig } from './kubeadm-platform';
import { ApiServers } from './load-balancer/load-balancer-design';
import { Cidr } from '../../manifests/values/cidr';
import { HostPort, parseHostPort } from '../../manifests/values/dns';
import { IpFamily, parseIp } from '../../manifests/values/ip-address';
import { KubernetesVersion, readableVersion } from '../../manifests/values/kubernetes-version';
import { deliveredCni } from '../addons/cni/cni';
import { AddonCapability } from '../contracts/addon';
import { ClusterContext, ClusterNetwork } from '../contracts/cluster-context';
import { resolveNetwork } from '../contracts/network/cluster-network';
import { Versions } from '../contracts/versions';
import { bringsCoreDns } from '../control-planes/kubeadm/control-plane/addons';
import { DELIVERY_NAMESPACE } from '../deliveries/delivery-namespace';

/** A cluster with its properties and their defaults, for the writers of its files. */
export interface ResolvedCluster {
  readonly props: KubeadmClusterProps;
  readonly name: string;
  readonly kubernetesVersion: KubernetesVersion;
  readonly network: ClusterNetwork;
  readonly endpoint: HostPort;
  readonly apiServerPort: number;
  readonly externalCloudProvider: boolean;

  /** The configuration of the platform; empty without a platform. */
  readonly platform: KubeadmPlatformConfig;

  /** Further names in the API server's certificate, besides those of kubeadm. */
  readonly certSans: readonly string[];
  readonly workers: readonly KubeadmNode[];
}

const API_SERVER_PORT = 6443;

// The usual range of kubeadm clusters, which the examples of pod networks use. Here machines are not pods of another cluster.
const POD_CIDR = '10.244.0.0/16';
const SERVICE_CIDR = '10.96.0.0/16';

/** Resolves the properties of a cluster. Valid placeholders replace rejected values. */
export function resolveCluster(props: KubeadmClusterProps, name: string): ResolvedCluster {
  const { kubernetesVersion: version, apiServerPort = API_SERVER_PORT, certSans = [], platform, workers = [] } = props;
  const endpoint = parseHostPort(props.controlPlaneEndpoint) ?? { host: 'invalid.example', port: API_SERVER_PORT };
  const { vip } = props.loadBalancer._design;
  const { podCidrs = [POD_CIDR], nodeCidrMaskSizes, serviceCidrs = [SERVICE_CIDR], serviceDomain } = props;
  const cni = deliveredCni(props.cni);
  return {
    props: { ...props, cni },
    name,
    kubernetesVersion: readableVersion(version),
    network: resolveNetwork({ podCidrs, nodeCidrMaskSizes, serviceCidrs, serviceDomain }, endpoint.port, cni),
    endpoint,
    apiServerPort,
    externalCloudProvider: platform?.externalCloudProvider ?? false,
    platform: platform?.config() ?? {},
    // kubeadm adds the endpoint's host to the certificate.
    certSans: [...new Set([...(vip !== undefined && vip !== endpoint.host ? [vip] : []), ...certSans])],
    workers,
  };
}

/** Address families of pods and Services. */
export function familiesOf({ network: { podCidrs, serviceCidrs } }: ResolvedCluster): IpFamily[] {
  return [...podCidrs, ...serviceCidrs].flatMap((text) => Cidr.parse(text)?.family ?? []);
}

/** The API servers behind the load balancer. */
export function apiServersOf({ endpoint, apiServerPort, props }: ResolvedCluster): ApiServers {
  return { endpoint, port: apiServerPort, nodes: props.controlPlaneNodes.map(({ name, address }) => ({ name, address })) };
}

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
      knownNodeAddress: knownNodeAddress(cluster),
    },
  };
}

/** An address of the first node: an IPv4 one if pods have IPv4 addresses. */
function knownNodeAddress({ props: { controlPlaneNodes: [first] }, network: { podCidrs } }: ResolvedCluster): string | undefined {
  const family = podCidrs.some((range) => Cidr.parse(range)?.family === 'IPv4') ? 'IPv4' : 'IPv6';
  return [first?.address, first?.secondAddress].find((address) => address !== undefined && parseIp(address)?.family === family);
}

/** The families in which every node has an address, which is one of its `InternalIP`s. */
function addressFamilies({ props, workers }: ResolvedCluster): IpFamily[] {
  const nodes = [...props.controlPlaneNodes, ...workers].map(({ address, secondAddress }) => (
    [address, secondAddress ?? ''].flatMap((text) => parseIp(text)?.family ?? [])));
  return (['IPv4', 'IPv6'] as const).filter((family) => nodes.every((families) => families.includes(family)));
}
