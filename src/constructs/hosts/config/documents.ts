/** kubeadm's configuration API from Kubernetes 1.31 on. */
export const KUBEADM_API = 'kubeadm.k8s.io/v1beta4';

/** A flag of a program. */
export interface Argument {
  readonly name: string;
  readonly value: string;
}

/** `nodeRegistration`: how a machine becomes a node. */
export interface NodeRegistration {
  readonly name: string;
  readonly criSocket: string;
  readonly ignorePreflightErrors?: readonly string[];
  readonly kubeletExtraArgs?: readonly Argument[];
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

/** Where an API server listens. */
export interface ApiEndpoint {
  readonly advertiseAddress: string;
  readonly bindPort: number;
}

/** Fields that init and join share. */
export interface NodeDocument {
  readonly apiVersion: typeof KUBEADM_API;
  readonly nodeRegistration: NodeRegistration;
  readonly patches?: { readonly directory: string };
  readonly skipPhases?: readonly string[];
  readonly timeouts?: Readonly<Record<string, string>>;
}

/** How the first node starts the cluster. */
export interface InitConfiguration extends NodeDocument {
  readonly kind: 'InitConfiguration';
  readonly bootstrapTokens: readonly { readonly ttl: string }[];
  readonly localAPIEndpoint: ApiEndpoint;
}

/** How every other node joins. */
export interface JoinConfiguration extends NodeDocument {
  readonly kind: 'JoinConfiguration';
  readonly discovery: {
    readonly bootstrapToken: { readonly apiServerEndpoint: string; readonly token: string; readonly caCertHashes: readonly string[] };
  };
  readonly controlPlane?: { readonly localAPIEndpoint: ApiEndpoint; readonly certificateKey: string };
}

/** How a component of the control plane runs. */
export interface ControlPlaneComponent {
  readonly extraArgs?: readonly Argument[];
  readonly extraEnvs?: readonly Argument[];
  readonly extraVolumes?: readonly HostPathMount[];
}

/** A file or folder of the host that a component sees. */
export interface HostPathMount {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly pathType?: string;
}

/** The etcd of the cluster. */
export interface Etcd {
  readonly local?: {
    readonly dataDir?: string;
    readonly extraArgs?: readonly Argument[];
    readonly imageRepository?: string;
    readonly imageTag?: string;
    readonly peerCertSANs?: readonly string[];
    readonly serverCertSANs?: readonly string[];
  };
  readonly external?: { readonly endpoints: readonly string[]; readonly caFile: string; readonly certFile: string; readonly keyFile: string };
}

/** Configuration that all control plane nodes share. */
export interface ClusterConfiguration {
  readonly apiVersion: typeof KUBEADM_API;
  readonly kind: 'ClusterConfiguration';
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  readonly controlPlaneEndpoint: string;
  readonly networking: { readonly dnsDomain: string; readonly podSubnet: string; readonly serviceSubnet: string };
  readonly apiServer?: ControlPlaneComponent & { readonly certSANs?: readonly string[] };
  readonly controllerManager?: ControlPlaneComponent;
  readonly scheduler?: ControlPlaneComponent;
  readonly etcd?: Etcd;
  readonly dns?: { readonly disabled?: boolean; readonly imageRepository?: string; readonly imageTag?: string };
  readonly proxy?: { readonly disabled: boolean };
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly imageRepository?: string;
  readonly certificateValidityPeriod?: string;
  readonly caCertificateValidityPeriod?: string;
  readonly encryptionAlgorithm?: string;
}

/** How kubelets run (kubelet.config.k8s.io/v1beta1). */
export interface KubeletConfiguration {
  readonly apiVersion: 'kubelet.config.k8s.io/v1beta1';
  readonly kind: 'KubeletConfiguration';
  readonly [field: string]: unknown;
}
