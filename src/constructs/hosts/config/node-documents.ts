import { Duration } from 'cdk8s';
import { ApiEndpoint, InitConfiguration, JoinConfiguration, KUBEADM_API, KubeletConfiguration, NodeDocument, NodeRegistration } from './documents';
import { kubeletArguments } from './kubelet-arguments';
import { PATCHES_DIRECTORY } from '../../../manifests/systems/kubeadm/node-files';
import { goDuration } from '../../../manifests/values/go-duration';
import { kubeletConfigurationOf } from '../../contracts/node-pool/kubelet-configuration';
import { CONTAINERD_SOCKET } from '../../control-planes/kubeadm/bootstrap/kubeadm-config';
import { KubeadmNode } from '../kubeadm-node';
import { ResolvedCluster } from '../resolved-cluster';

/**
 * `kubeadm init` always makes a token, with a random value where none is given (kubernetes/kubernetes
 * cmd/kubeadm/app/util/config/initconfiguration.go). Other nodes join with separate tokens, so this token does not need its default
 * lifetime of 24 hours.
 */
const UNUSED_TOKEN_TTL = '15m0s';

const KUBELET_API = 'kubelet.config.k8s.io/v1beta1';

/** Placeholders for secrets in the configuration of joining nodes. The join script replaces them on the host. */
export const PLACEHOLDERS = { token: '@KUBEADM_TOKEN@', caCertHash: '@KUBEADM_CA_CERT_HASH@', certificateKey: '@KUBEADM_CERTIFICATE_KEY@' } as const;

/** How the first node starts the cluster. */
export function initConfiguration(cluster: ResolvedCluster, node: KubeadmNode): InitConfiguration {
  return {
    apiVersion: KUBEADM_API,
    kind: 'InitConfiguration',
    bootstrapTokens: [{ ttl: UNUSED_TOKEN_TTL }],
    localAPIEndpoint: endpointOf(cluster, node),
    ...nodeDocument(cluster, node, cluster.props.initSkipPhases),
  };
}

/** How another node joins the control plane, or as a worker. Secrets are placeholders. */
export function joinConfiguration(cluster: ResolvedCluster, node: KubeadmNode, controlPlane: boolean): JoinConfiguration {
  const { token, caCertHash, certificateKey } = PLACEHOLDERS;
  return {
    apiVersion: KUBEADM_API,
    kind: 'JoinConfiguration',
    discovery: { bootstrapToken: { apiServerEndpoint: cluster.props.controlPlaneEndpoint, token, caCertHashes: [caCertHash] } },
    ...(controlPlane && { controlPlane: { localAPIEndpoint: endpointOf(cluster, node), certificateKey } }),
    ...nodeDocument(cluster, node, cluster.props.skipPhases),
  };
}

/** How the kubelets of all nodes run. */
export function kubeletConfiguration({ props: { kubelet = {} } }: ResolvedCluster): KubeletConfiguration {
  return { apiVersion: KUBELET_API, kind: 'KubeletConfiguration', ...kubeletConfigurationOf(kubelet, undefined) };
}

/**
 * The kubelet options of one node, or undefined without any. kubeadm merges them into the cluster's configuration: unset options keep the
 * value of the cluster, not the default.
 */
export function kubeletPatch({ kubelet = {} }: KubeadmNode): KubeletConfiguration | undefined {
  const { evictionHard } = kubelet;
  const fields = Object.entries({ ...kubeletConfigurationOf(kubelet, undefined), evictionHard }).filter(([, value]) => says(value));
  return fields.length > 0 ? { apiVersion: KUBELET_API, kind: 'KubeletConfiguration', ...Object.fromEntries(fields) } : undefined;
}

/** An empty object changes nothing in a merge. */
function says(value: unknown): boolean {
  return value !== undefined && !(value instanceof Object && !Array.isArray(value) && Object.keys(value).length === 0);
}

function nodeDocument(cluster: ResolvedCluster, node: KubeadmNode, skipPhases: readonly string[] | undefined): Omit<NodeDocument, 'apiVersion'> {
  const timeouts = timeoutFields(cluster);
  return {
    nodeRegistration: nodeRegistration(cluster, node),
    ...(kubeletPatch(node) && { patches: { directory: PATCHES_DIRECTORY } }),
    ...(skipPhases?.length && { skipPhases }),
    ...(Object.keys(timeouts).length > 0 && { timeouts }),
  };
}

function nodeRegistration(cluster: ResolvedCluster, node: KubeadmNode): NodeRegistration {
  const { criSocket, ignorePreflightErrors } = cluster.props;
  const kubeletExtraArgs = kubeletArguments(node, cluster.externalCloudProvider);
  return {
    name: node.name,
    criSocket: criSocket ?? CONTAINERD_SOCKET,
    ...(ignorePreflightErrors?.length && { ignorePreflightErrors }),
    ...(kubeletExtraArgs.length > 0 && { kubeletExtraArgs }),
    // Without the list kubeadm gives the control plane its own taint; an empty one means none.
    ...(node.taints && { taints: node.taints.map(({ key, value, effect }) => ({ key, ...(value !== undefined && { value }), effect })) }),
  };
}

function endpointOf({ apiServerPort }: ResolvedCluster, { address }: KubeadmNode): ApiEndpoint {
  return { advertiseAddress: address, bindPort: apiServerPort };
}

function timeoutFields({ props: { timeouts = {}, controlPlaneTimeouts = {} } }: ResolvedCluster): Record<string, string> {
  const given: Record<string, Duration | undefined> = {
    controlPlaneComponentHealthCheck: controlPlaneTimeouts.componentHealthCheck,
    discovery: timeouts.discovery,
    etcdAPICall: controlPlaneTimeouts.etcdApiCall,
    kubeletHealthCheck: timeouts.kubeletHealthCheck,
    kubernetesAPICall: timeouts.kubernetesApiCall,
    tlsBootstrap: timeouts.tlsBootstrap,
  };
  return Object.fromEntries(Object.entries(given).flatMap(([name, duration]) => (duration ? [[name, goDuration(duration)]] : [])));
}
