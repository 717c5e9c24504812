import { deliveredCni } from '../addons/cni/cni';
import { ClusterNetwork } from '../cluster-context';
import { KubeadmClusterProps } from './kubeadm-cluster-props';
import { KubeadmNode } from './kubeadm-node';
import { KubeadmPlatformConfig } from './kubeadm-platform';
import { ApiServers } from './load-balancer/load-balancer-design';
import { KubernetesVersion, readableVersion } from '../kubernetes/kubernetes-version';
import { Cidr } from '../network/cidr';
import { resolveNetwork } from '../network/cluster-network';
import { HostPort, parseHostPort } from '../network/dns';
import { IpFamily } from '../network/ip-address';

/** A cluster with everything that follows from its properties, for all who write its files. */
export interface ResolvedCluster {
  readonly props: KubeadmClusterProps;
  readonly name: string;
  readonly kubernetesVersion: KubernetesVersion;
  readonly network: ClusterNetwork;
  readonly endpoint: HostPort;
  readonly apiServerPort: number;
  readonly externalCloudProvider: boolean;

  /** What the platform puts on hosts and into the cluster; nothing where there is none. */
  readonly platform: KubeadmPlatformConfig;

  /** Names in the API server's certificate beside those that kubeadm puts there. */
  readonly certSans: readonly string[];
  readonly workers: readonly KubeadmNode[];
}

const API_SERVER_PORT = 6443;

// kubeadm's own conventions, which the examples of pod networks follow; machines are no pods of another cluster here.
const POD_CIDR = '10.244.0.0/16';
const SERVICE_CIDR = '10.96.0.0/16';

/** Resolves the properties of a cluster. Values that were refused are replaced by some that can be worked with. */
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
    // The endpoint's own host is in the certificate anyway.
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
