import type { TenantClusterProps } from './tenant-cluster-props';
import { readableVersion } from '../../manifests/values/kubernetes-version';
import { deliveredCni, serviceProxyHealthPort } from '../addons/cni/cni';
import { resolveSurroundings } from '../contracts/capabilities/management-cluster';
import { ApiServerAddresses, ClusterContext, ClusterIdentity } from '../contracts/cluster-context';
import { CompanyNetwork } from '../contracts/company-network/company-network';
import { registerInfrastructure } from '../contracts/infrastructure';
import { resolveNetwork } from '../contracts/network/cluster-network';
import { Versions } from '../contracts/versions';

/**
 * Derives the context of a tenant cluster, which every part of it gets.
 *
 * @param name name of the cluster
 * @param props the user's properties
 * @param ofApp the network of the app that the cluster is in
 */
export function resolveContext(name: string, props: TenantClusterProps, ofApp?: CompanyNetwork): ClusterContext {
  const { namespace, controlPlane, infrastructure } = props;
  const cni = deliveredCni(props.cni);
  const cluster = { name, namespace };
  registerInfrastructure(infrastructure);
  const network = props.companyNetwork ?? props.managementCluster?.capabilities.companyNetwork ?? ofApp;
  return {
    ...cluster,
    kubernetesVersion: readableVersion(props.kubernetesVersion),
    versions: props.versions ?? Versions.newest(),
    network: resolveNetwork(props, controlPlane.capabilities.apiServerPort, cni),
    companyNetwork: network?._movedBy((image) => props.images?._resolver.resolve(image).image ?? image),
    kubeconfigs: controlPlane.kubeconfigs(cluster),
    apiServer: resolveAddresses(props, cluster),
    podNetwork: cni?.name,
    podNetworkPorts: cni?.peerPorts,
    kubeProxyReplaced: cni?.replacesKubeProxy,
    serviceProxyHealthPort: serviceProxyHealthPort(cni),
    publishedAnnotations: props.isolation?._publishedAnnotations(infrastructure.capabilities),
    controlPlane: controlPlane.capabilities,
    decommission: props.decommission,
    hibernation: props.hibernation,
    changeWindows: props.changeWindows,
    ...resolveSurroundings(infrastructure.capabilities, props.managementCluster),
  };
}

/** The addresses that the control plane knows; if it leaves the endpoint to the infrastructure, that may know the rest. */
function resolveAddresses({ controlPlane, infrastructure }: TenantClusterProps, cluster: ClusterIdentity): ApiServerAddresses {
  const own = controlPlane.apiServerAddresses(cluster);
  if (controlPlane.capabilities.endpointManager !== undefined) return own;
  const { published, internal } = infrastructure.apiServerAddresses(cluster);
  return { published: own.published ?? published, internal: own.internal ?? internal };
}
