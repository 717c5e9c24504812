import { FieldNode, fieldTree } from '../../values/field-tree';

/** Types of fields by their paths: `type path path`. */
type Types = readonly string[];

function below(parent: string, ...lists: readonly Types[]): Types {
  return lists.flat().map((line) => line.split(' ').map((word, at) => (at === 0 ? word : `${parent}${word.startsWith('[]') ? '' : '.'}${word}`)).join(' '));
}

const LIST: Types = ['string extraArgs[].name extraArgs[].value'];
const MAP: Types = ['string extraArgs.*'];
const IMAGE: Types = ['string imageRepository imageTag'];
const VOLUMES: Types = ['string extraVolumes[].name extraVolumes[].hostPath extraVolumes[].mountPath extraVolumes[].pathType', 'bool extraVolumes[].readOnly'];
const VARIABLES: Types = ['string extraEnvs[].name extraEnvs[].value', 'any extraEnvs[].valueFrom'];
const ENDPOINT: Types = ['string localAPIEndpoint.advertiseAddress', 'int localAPIEndpoint.bindPort'];
const DISCOVERY: Types = below('discovery', [
  'string bootstrapToken.token bootstrapToken.apiServerEndpoint bootstrapToken.caCertHashes[] file.kubeConfigPath tlsBootstrapToken',
  'bool bootstrapToken.unsafeSkipCAVerification',
]);
const TIMEOUTS: Types = below('timeouts', ['duration controlPlaneComponentHealthCheck kubeletHealthCheck kubernetesAPICall etcdAPICall tlsBootstrap discovery upgradeManifests']);

const NODE: Types = below('nodeRegistration', [
  'string name criSocket taints[].key taints[].value taints[].effect ignorePreflightErrors[] imagePullPolicy', 'any taints[].timeAdded',
]);
const RUN: Types = ['string skipPhases[] patches.directory'];
const INIT: Types = [
  ...below('bootstrapTokens[]', ['string token description usages[] groups[]', 'duration ttl', 'time expires']), 'string certificateKey', ...NODE, ...ENDPOINT, ...RUN,
];
const JOIN: Types = ['string caCertPath controlPlane.certificateKey', ...below('controlPlane', ENDPOINT), ...NODE, ...DISCOVERY, ...RUN];

function clusterTypes(component: Types, etcd: Types, other: Types): Types {
  return [
    'string kubernetesVersion controlPlaneEndpoint certificatesDir imageRepository clusterName networking.serviceSubnet networking.podSubnet networking.dnsDomain',
    'bool featureGates.*',
    ...['apiServer', 'controllerManager', 'scheduler'].flatMap((field) => below(field, component, VOLUMES)),
    'string apiServer.certSANs[]',
    ...below('dns', IMAGE),
    ...below('etcd.local', IMAGE, etcd, ['string dataDir serverCertSANs[] peerCertSANs[]']),
    'string etcd.external.endpoints[] etcd.external.caFile etcd.external.certFile etcd.external.keyFile',
    ...other,
  ];
}

/** Fields that a machine's arguments have in each version. */
const OLD_ARGUMENTS: Types = ['string nodeRegistration.kubeletExtraArgs.*'];
const ARGUMENTS: Types = ['string nodeRegistration.kubeletExtraArgs[].name nodeRegistration.kubeletExtraArgs[].value', 'bool nodeRegistration.imagePullSerial dryRun', ...TIMEOUTS];

const PROXY_RULES: Types = ['int masqueradeBit', 'bool masqueradeAll localhostNodePorts', 'duration syncPeriod minSyncPeriod'];

/** A configuration that a program reads from a file. */
export interface FileConfiguration {
  /** Group of its kind; a document of another version is not checked. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly program: string;

  /** True if the program ends at a field that it does not know, and does not skip it. */
  readonly isStrict: boolean;
  readonly tree: FieldNode;
}

function configuration(apiVersion: string, kind: string, program: string, types: Types, isStrict = false): FileConfiguration {
  const pairs = types.flatMap((line) => {
    const [type, ...paths] = line.split(' ');
    return paths.map((path) => [path, type] as const);
  });
  return { apiVersion, kind, program, isStrict, tree: fieldTree([...pairs, ['apiVersion', 'any'], ['kind', 'any']]) };
}

const V1BETA3 = 'kubeadm.k8s.io/v1beta3';
const V1BETA4 = 'kubeadm.k8s.io/v1beta4';

/**
 * Configurations in files, with the fields of all supported minors.
 *
 * Sources: kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/v1beta3/types.go (v1.33), v1beta4/types.go (v1.37.2), cmd/kubeadm/app/apis/bootstraptoken/v1/types.go;
 * staging/src/k8s.io/kube-proxy/config/v1alpha1/types.go; staging/src/k8s.io/apiserver/pkg/apis/apiserver/v1beta1/types.go.
 */
export const FILE_CONFIGURATIONS: readonly FileConfiguration[] = [
  configuration(V1BETA3, 'ClusterConfiguration', 'kubeadm', clusterTypes(MAP, MAP, ['duration apiServer.timeoutForControlPlane'])),
  configuration(V1BETA3, 'InitConfiguration', 'kubeadm', [...INIT, ...OLD_ARGUMENTS]),
  configuration(V1BETA3, 'JoinConfiguration', 'kubeadm', [...JOIN, ...OLD_ARGUMENTS, 'duration discovery.timeout']),
  configuration(V1BETA4, 'ClusterConfiguration', 'kubeadm', clusterTypes([...LIST, ...VARIABLES], [...LIST, ...VARIABLES], [
    'bool dns.disabled proxy.disabled', 'string encryptionAlgorithm etcd.external.httpEndpoints[]', 'duration certificateValidityPeriod caCertificateValidityPeriod',
  ])),
  configuration(V1BETA4, 'InitConfiguration', 'kubeadm', [...INIT, ...ARGUMENTS]),
  configuration(V1BETA4, 'JoinConfiguration', 'kubeadm', [...JOIN, ...ARGUMENTS]),
  configuration('kubeproxy.config.k8s.io/v1alpha1', 'KubeProxyConfiguration', 'kube-proxy', [
    'bool featureGates.* bindAddressHardFail enableProfiling windowsRunAsService',
    'string hostnameOverride bindAddress healthzBindAddress metricsBindAddress showHiddenMetricsForVersion mode detectLocalMode clusterCIDR nodePortAddresses[] portRange',
    'string detectLocal.bridgeInterface detectLocal.interfaceNamePrefix',
    'int oomScoreAdj', 'duration configSyncPeriod', 'any logging',
    'string clientConnection.kubeconfig clientConnection.acceptContentTypes clientConnection.contentType', 'number clientConnection.qps', 'int clientConnection.burst',
    ...below('iptables', PROXY_RULES), ...below('nftables', PROXY_RULES),
    ...below('ipvs', ['duration syncPeriod minSyncPeriod tcpTimeout tcpFinTimeout udpTimeout', 'string scheduler excludeCIDRs[]', 'bool strictARP']),
    ...below('conntrack', ['int maxPerCore min', 'duration tcpEstablishedTimeout tcpCloseWaitTimeout udpTimeout udpStreamTimeout', 'bool tcpBeLiberal']),
    ...below('winkernel', ['string networkName sourceVip rootHnsEndpointName', 'bool enableDSR forwardHealthCheckVip']),
  ]),
  configuration('apiserver.k8s.io/v1beta1', 'EgressSelectorConfiguration', 'kube-apiserver', below('egressSelections[]', [
    'string name connection.proxyProtocol',
    ...below('connection.transport', ['string tcp.url uds.udsName', ...below('tcp.tlsConfig', ['string caBundle clientKey clientCert tlsServerName'])]),
  ]), true),
];
