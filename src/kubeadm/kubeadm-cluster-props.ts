import { Duration } from 'cdk8s';
import { Cni } from '../addons/cni/cni';
import { JoinTimeouts } from '../bootstrap/kubeadm/join-timeouts';
import { KubeadmCoreDns } from '../control-plane/kubeadm/addons';
import { KubeadmEncryptionAlgorithm } from '../control-plane/kubeadm/certificates';
import { KubeadmComponent } from '../control-plane/kubeadm/components';
import { KubeadmEtcd } from '../control-plane/kubeadm/etcd';
import { KubeadmControlPlaneTimeouts } from '../control-plane/kubeadm/kubeadm-control-plane-props';
import { Delivery } from '../delivery/delivery';
import { ImageSources } from '../images/image-sources';
import { KubeletOptions } from '../node-pool/kubelet';
import { HostFile } from './hosts/host-file';
import { KubeadmNode } from './kubeadm-node';
import { KubeadmPlatform } from './kubeadm-platform';
import { KubeadmLoadBalancer } from './load-balancer/kubeadm-load-balancer';

/**
 * A cluster on machines that are there already. Options that a `KubeadmControlPlane` has too are held to the same rules; where these speak of
 * Cluster API, here a person does the work.
 */
export interface KubeadmClusterProps {
  /**
   * Kubernetes version of all nodes, `1.35.4` or `v1.35.4`, which their kubeadm and kubelet have (`TC-CLUSTER-VERSION`). It is what a new node
   * starts with; a living cluster is raised with `kubeadm upgrade`.
   */
  readonly kubernetesVersion: string;

  /**
   * Host and port that everybody reaches the control plane at: the virtual address, or a DNS name that leads to it
   * (`TC-KUBEADM-CLUSTER-ENDPOINT`). It cannot change later; a name outlives the address.
   */
  readonly controlPlaneEndpoint: string;

  /** How the API servers get that address. */
  readonly loadBalancer: KubeadmLoadBalancer;

  /** Nodes of the control plane, an odd number with etcd on them (`TC-KUBEADM-CLUSTER-NODE-COUNT`). The cluster starts on the first one. */
  readonly controlPlaneNodes: KubeadmNode[];

  /**
   * Nodes for workloads.
   *
   * @default - none
   */
  readonly workers?: KubeadmNode[];

  /**
   * Where the machines are.
   *
   * @default - in no cloud: no cloud controller manager initializes the nodes
   */
  readonly platform?: KubeadmPlatform;

  /**
   * Name of the cluster, a DNS label; the folder of its files is named so (`TC-KUBEADM-CLUSTER-NAME`).
   *
   * @default - the construct id
   */
  readonly name?: string;

  /**
   * Ranges that pods get their addresses from: one, or one for each address family. Each node gets a part of it (`nodeCidrMaskSizes`), so
   * that it has to hold one for every node (`TC-NETWORK-POD-CAPACITY`). It cannot change later.
   *
   * @default - 10.244.0.0/16
   */
  readonly podCidrs?: string[];

  /**
   * Prefix lengths of what one node gets of `podCidrs`, one for each of these and in their order: `--node-cidr-mask-size-ipv4` and its
   * like of kube-controller-manager (`TC-NETWORK-NODE-MASK`). With fewer addresses than 110 pods need, `kubelet.maxPods` has to be lower, too
   * (`TC-POOL-MAX-PODS`). Nodes that are there keep what they have.
   *
   * @default - 24 (IPv4), 64 (IPv6)
   */
  readonly nodeCidrMaskSizes?: number[];

  /**
   * Ranges that Services get their addresses from, in the address families and order of `podCidrs`. It cannot change later.
   *
   * @default - 10.96.0.0/16
   */
  readonly serviceCidrs?: string[];

  /**
   * DNS domain of the cluster, with at least one dot. It cannot change later.
   *
   * @default cluster.local
   */
  readonly serviceDomain?: string;

  /**
   * Ranges of the machines' own networks, which pods and Services must not overlap with.
   *
   * @default - not known; only the hosts' addresses are checked
   */
  readonly machineCidrs?: string[];

  /**
   * Port that the API servers listen on (`TC-KUBEADM-CLUSTER-LB-PORT`).
   *
   * @default 6443
   */
  readonly apiServerPort?: number;

  /**
   * Further names in the API server's certificate: IP addresses, DNS names, wildcard DNS names, without a port
   * (`TC-KUBEADM-CP-CERTIFICATE-NAME`). Endpoint, virtual address and the nodes' addresses are in it anyway.
   *
   * @default - none
   */
  readonly certSans?: string[];

  /**
   * Flags, feature gates, volumes and environment of the API server. No `cloud-provider`: that is the kubelets' (`TC-KUBEADM-CP-ARGUMENT`).
   *
   * @default - kubeadm's own
   */
  readonly apiServer?: KubeadmComponent;

  /**
   * Flags, feature gates, volumes and environment of the controller manager. No `cloud-provider`: that is the kubelets'
   * (`TC-KUBEADM-CP-ARGUMENT`).
   *
   * @default - kubeadm's own
   */
  readonly controllerManager?: KubeadmComponent;

  /**
   * Flags, feature gates, volumes and environment of the scheduler.
   *
   * @default - kubeadm's own
   */
  readonly scheduler?: KubeadmComponent;

  /**
   * Who keeps the state of the cluster. The certificates of an external etcd must be on the nodes of the control plane, where it says.
   *
   * @default KubeadmEtcd.stacked()
   */
  readonly etcd?: KubeadmEtcd;

  /**
   * Feature gates of kubeadm itself (`TC-KUBEADM-CP-KUBEADM-FEATURE-GATE`).
   *
   * @default - kubeadm's defaults
   */
  readonly kubeadmFeatureGates?: { [name: string]: boolean };

  /**
   * Registry, with a path if there is one, that the images of the control plane, of etcd, CoreDNS and kube-proxy are pulled from
   * (`TC-KUBEADM-CP-IMAGE`).
   *
   * @default - registry.k8s.io (kubeadm)
   */
  readonly imageRepository?: string;

  /**
   * The cluster's DNS server.
   *
   * @default KubeadmCoreDns.managed()
   */
  readonly coreDns?: KubeadmCoreDns;

  /**
   * Whether kubeadm installs kube-proxy; a pod network may do its work, and one of them has to (`TC-KUBEADM-CP-KUBE-PROXY`).
   *
   * @default - true, unless `cni` replaces it
   */
  readonly kubeProxy?: boolean;

  /**
   * How long certificates are valid, in whole days from 1 to 1095 (`TC-KUBEADM-CP-CERTIFICATE-VALIDITY`).
   *
   * @default - 365 days (kubeadm)
   */
  readonly certificateValidity?: Duration;

  /**
   * How long the certificates of authorities are valid, in whole days from 1 to 36500 (`TC-KUBEADM-CP-CERTIFICATE-VALIDITY`).
   *
   * @default - 3650 days (kubeadm)
   */
  readonly caCertificateValidity?: Duration;

  /**
   * Algorithm of the keys that certificates are made for (`TC-KUBEADM-CP-ENCRYPTION-ALGORITHM`).
   *
   * @default - RSA-2048 (kubeadm)
   */
  readonly encryptionAlgorithm?: KubeadmEncryptionAlgorithm;

  /**
   * How the kubelets of all nodes run. The sizes of the machines are not known: say what to reserve for the system.
   *
   * @default - eviction thresholds of the library, see `KubeletOptions`
   */
  readonly kubelet?: KubeletOptions;

  /**
   * Socket of the container runtime (`TC-KUBEADM-CRI-SOCKET`).
   *
   * @default unix:///var/run/containerd/containerd.sock
   */
  readonly criSocket?: string;

  /**
   * Preflight checks of kubeadm whose failure is only a warning, e.g. `NumCPU` (`TC-KUBEADM-JOIN-OPTION`).
   *
   * @default - none
   */
  readonly ignorePreflightErrors?: string[];

  /**
   * Phases of `kubeadm init` that are left out (`TC-KUBEADM-JOIN-OPTION`).
   *
   * @default - none
   */
  readonly initSkipPhases?: string[];

  /**
   * Phases of `kubeadm join` that are left out (`TC-KUBEADM-JOIN-OPTION`).
   *
   * @default - none
   */
  readonly skipPhases?: string[];

  /**
   * How long kubeadm waits.
   *
   * @default - kubeadm's own
   */
  readonly timeouts?: JoinTimeouts;

  /**
   * How long kubeadm waits for the control plane.
   *
   * @default - kubeadm's own
   */
  readonly controlPlaneTimeouts?: KubeadmControlPlaneTimeouts;

  /**
   * Further files of every node (`TC-KUBEADM-CLUSTER-FILE`, `TC-KUBEADM-CLUSTER-FILE-TAKEN`).
   *
   * @default - none
   */
  readonly files?: HostFile[];

  /**
   * The pod network.
   *
   * @default - none, and addons with pods are refused (`TC-ADDON-REQUIREMENT`); `Cni.none()` accepts them
   */
  readonly cni?: Cni;

  /**
   * What keeps addons up to date inside the cluster, once Helm and kubectl have installed them for the first time: `FluxDelivery` or
   * `ArgoCdDelivery` with a `manifestSource`, for Flux or Argo CD in this very cluster (`TC-DELIVERY-OWN-CLUSTER`). Flux takes over Helm
   * releases that are there already (fluxcd.io/flux/components/helm/helmreleases).
   *
   * @default - addons are installed, and updated, by the script in the cluster's folder
   */
  readonly delivery?: Delivery;

  /**
   * Namespace of the objects that deliver, which is there already.
   *
   * @default 'flux-system'
   */
  readonly deliveryNamespace?: string;

  /**
   * Where the images of addons, and charts, come from (`TC-IMAGE-NAME`, `TC-IMAGE-UNPINNED`, `TC-IMAGE-DIGEST`). Those of the control plane
   * come from `imageRepository`.
   *
   * @default - from where their projects publish them
   */
  readonly images?: ImageSources;
}
