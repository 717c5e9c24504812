import { Duration, Yaml } from 'cdk8s';
import { HostFile } from './host-file';
import { KubeadmNode, kubeletArguments } from './kubeadm-node';
import { ResolvedCluster } from './resolved-cluster';
import {
  CREDENTIALS_SCRIPT, credentialsScript, INIT_FILE, INIT_SCRIPT, initScript, JOIN_FILE, JOIN_SCRIPT, joinScript, PLACEHOLDERS, READY_SCRIPT,
  readyScript,
} from './scripts';
import { PATCHES_DIRECTORY } from '../../manifests/systems/kubeadm/node-files';
import { formatHostPort } from '../../manifests/values/dns';
import { unlessEmpty } from '../../manifests/values/fields';
import { goDuration } from '../../manifests/values/go-duration';
import { nodeMaskArguments } from '../contracts/network/cluster-network';
import { kubeletConfigurationOf } from '../contracts/node-pool/kubelet';
import { CONTAINERD_SOCKET } from '../control-planes/kubeadm/bootstrap/kubeadm-config';
import { bringsCoreDns, runsKubeProxy } from '../control-planes/kubeadm/control-plane/addons';
import { componentFields } from '../control-planes/kubeadm/control-plane/components';
import { etcdFields, KubeadmEtcd } from '../control-planes/kubeadm/control-plane/etcd';

/** API of kubeadm's configuration, from Kubernetes 1.31 on. */
const KUBEADM_API = 'kubeadm.k8s.io/v1beta4';

const KUBELET_API = 'kubelet.config.k8s.io/v1beta1';

// Of the form target[suffix][+patchtype].extension; without a suffix it comes before patches of the user
// (kubernetes/kubernetes cmd/kubeadm/app/util/patches/patches.go).
const KUBELET_PATCH = `${PATCHES_DIRECTORY}/kubeletconfiguration+strategic.yaml`;

const SCRIPT = '0755';

/** Only root reads kubeadm's configuration. */
const CONFIGURATION = '0600';

/** kubeadm's files of the first node. */
export function initFiles(cluster: ResolvedCluster, node: KubeadmNode): HostFile[] {
  const documents = [initConfiguration(cluster, node), clusterConfiguration(cluster), kubeletConfiguration(cluster)];
  return [
    { path: INIT_FILE, content: Yaml.stringify(...documents), permissions: CONFIGURATION },
    { path: INIT_SCRIPT, content: initScript(cluster.props.loadBalancer._design.beforeInit ?? []), permissions: SCRIPT },
    { path: CREDENTIALS_SCRIPT, content: credentialsScript(), permissions: SCRIPT },
    readyFile(cluster, node),
    ...patchFiles(node),
  ];
}

/** kubeadm's files of another node. */
export function joinFiles(cluster: ResolvedCluster, node: KubeadmNode, controlPlane: boolean): HostFile[] {
  return [
    { path: JOIN_FILE, content: Yaml.stringify(joinConfiguration(cluster, node, controlPlane)), permissions: CONFIGURATION },
    { path: JOIN_SCRIPT, content: joinScript(controlPlane), permissions: SCRIPT },
    ...(controlPlane ? [readyFile(cluster, node)] : []),
    ...patchFiles(node),
  ];
}

function readyFile({ apiServerPort, props: { etcd } }: ResolvedCluster, { name, address }: KubeadmNode): HostFile {
  return { path: READY_SCRIPT, content: readyScript(name, formatHostPort(address, apiServerPort), !etcd?._external), permissions: SCRIPT };
}

function patchFiles(node: KubeadmNode): HostFile[] {
  const patch = kubeletPatch(node);
  return patch ? [{ path: KUBELET_PATCH, content: Yaml.stringify(patch) }] : [];
}

/** kubeadm's configuration of the cluster. Unset options get kubeadm's defaults. */
function clusterConfiguration({ props, name, network, kubernetesVersion, certSans }: ResolvedCluster) {
  const { etcd, kubeadmFeatureGates = {}, imageRepository, certificateValidity, caCertificateValidity, encryptionAlgorithm } = props;
  const apiServer = { ...(certSans.length > 0 && { certSANs: certSans }), ...componentFields(props.apiServer ?? {}) };
  const etcdField = etcdOf(etcd ?? KubeadmEtcd.stacked());
  const controllerManager = componentFields(props.controllerManager ?? {}, nodeMaskArguments(network));
  const scheduler = componentFields(props.scheduler ?? {});
  const dns = bringsCoreDns(props) ? { ...props.coreDns?._options } : { disabled: true };
  return {
    apiVersion: KUBEADM_API,
    kind: 'ClusterConfiguration',
    clusterName: name,
    kubernetesVersion: kubernetesVersion.toString(),
    controlPlaneEndpoint: props.controlPlaneEndpoint,
    networking: { dnsDomain: network.serviceDomain, podSubnet: network.podCidrs.join(','), serviceSubnet: network.serviceCidrs.join(',') },
    ...(unlessEmpty(apiServer) && { apiServer }),
    ...(unlessEmpty(controllerManager) && { controllerManager }),
    ...(unlessEmpty(scheduler) && { scheduler }),
    ...(etcdField && { etcd: etcdField }),
    ...(unlessEmpty(dns) && { dns }),
    ...(!runsKubeProxy(props, props.cni?.replacesKubeProxy) && { proxy: { disabled: true } }),
    ...(unlessEmpty(kubeadmFeatureGates) && { featureGates: kubeadmFeatureGates }),
    ...(imageRepository !== undefined && { imageRepository }),
    ...(certificateValidity && { certificateValidityPeriod: validityText(certificateValidity) }),
    ...(caCertificateValidity && { caCertificateValidityPeriod: validityText(caCertificateValidity) }),
    ...(encryptionAlgorithm !== undefined && { encryptionAlgorithm }),
  };
}

/** Days may be fractions, and a floating-point number of milliseconds is no whole one. A number that is refused must not stop the rendering. */
function validityText(validity: Duration): string {
  const milliseconds = Math.round(validity.toMilliseconds({ integral: false }));
  return goDuration(Duration.millis(Number.isSafeInteger(milliseconds) ? milliseconds : 0));
}

/** Cluster API's fields, with the names that they have in kubeadm's own files. */
function etcdOf(etcd: KubeadmEtcd) {
  const { external, local } = etcdFields(etcd) ?? {};
  if (external) {
    const { endpoints, caFile, certFile, keyFile } = external;
    return { external: { endpoints, caFile, certFile, keyFile } };
  }
  if (!local) return undefined;
  const { peerCertSaNs, serverCertSaNs, dataDir, extraArgs, imageRepository, imageTag } = local;
  return {
    local: {
      ...(dataDir !== undefined && { dataDir }),
      ...(extraArgs && { extraArgs: extraArgs.map((argument) => ({ name: argument.name, value: argument.value })) }),
      ...(imageRepository !== undefined && { imageRepository }),
      ...(imageTag !== undefined && { imageTag }),
      ...(peerCertSaNs && { peerCertSANs: peerCertSaNs }),
      ...(serverCertSaNs && { serverCertSANs: serverCertSaNs }),
    },
  };
}

/**
 * `kubeadm init` always makes a token, with a random value where none is given (kubernetes/kubernetes
 * cmd/kubeadm/app/util/config/initconfiguration.go). Other nodes join with separate tokens, so this token does not need its default
 * lifetime of 24 hours.
 */
const UNUSED_TOKEN_TTL = '15m0s';

/** The configuration of `kubeadm init` on the first node. */
function initConfiguration(cluster: ResolvedCluster, node: KubeadmNode) {
  return {
    apiVersion: KUBEADM_API,
    kind: 'InitConfiguration',
    bootstrapTokens: [{ ttl: UNUSED_TOKEN_TTL }],
    localAPIEndpoint: endpointOf(cluster, node),
    ...nodeDocument(cluster, node, cluster.props.initSkipPhases),
  };
}

/** The configuration of `kubeadm join`, with placeholders for secrets. */
function joinConfiguration(cluster: ResolvedCluster, node: KubeadmNode, controlPlane: boolean) {
  const { token, caCertHash, certificateKey } = PLACEHOLDERS;
  return {
    apiVersion: KUBEADM_API,
    kind: 'JoinConfiguration',
    discovery: { bootstrapToken: { apiServerEndpoint: cluster.props.controlPlaneEndpoint, token, caCertHashes: [caCertHash] } },
    ...(controlPlane && { controlPlane: { localAPIEndpoint: endpointOf(cluster, node), certificateKey } }),
    ...nodeDocument(cluster, node, cluster.props.skipPhases),
  };
}

/** The configuration of the kubelets of all nodes. */
function kubeletConfiguration({ props: { kubelet = {} } }: ResolvedCluster) {
  return { apiVersion: KUBELET_API, kind: 'KubeletConfiguration', ...kubeletConfigurationOf(kubelet, undefined) };
}

/**
 * The kubelet options of one node, or undefined without any. kubeadm merges them into the cluster's configuration: unset options keep the
 * value of the cluster, not the default.
 */
export function kubeletPatch({ kubelet = {} }: KubeadmNode): object | undefined {
  const { evictionHard } = kubelet;
  const fields = Object.entries({ ...kubeletConfigurationOf(kubelet, undefined), evictionHard }).filter(([, value]) => changesMerge(value));
  return fields.length > 0 ? { apiVersion: KUBELET_API, kind: 'KubeletConfiguration', ...Object.fromEntries(fields) } : undefined;
}

/** True if a value changes something in a merge, as an empty object does not. */
function changesMerge(value: unknown): boolean {
  return value !== undefined && !(value instanceof Object && !Array.isArray(value) && Object.keys(value).length === 0);
}

function nodeDocument(cluster: ResolvedCluster, node: KubeadmNode, skipPhases: readonly string[] | undefined) {
  const timeouts = timeoutFields(cluster);
  return {
    nodeRegistration: nodeRegistration(cluster, node),
    ...(kubeletPatch(node) && { patches: { directory: PATCHES_DIRECTORY } }),
    ...(skipPhases?.length && { skipPhases }),
    ...(Object.keys(timeouts).length > 0 && { timeouts }),
  };
}

function nodeRegistration(cluster: ResolvedCluster, node: KubeadmNode) {
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

function endpointOf({ apiServerPort }: ResolvedCluster, { address }: KubeadmNode) {
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
