import { Duration } from 'cdk8s';
import { HostFile } from './host-file';
import { KubeadmNode } from './kubeadm-node';
import { KubeadmPlatform } from './kubeadm-platform';
import { KubeadmLoadBalancer } from './load-balancer/kubeadm-load-balancer';
import { Cni } from '../addons/cni/cni';
import { Delivery } from '../contracts/delivery/delivery';
import { KubeletOptions } from '../contracts/node-pool/kubelet';
import { Versions } from '../contracts/versions';
import { JoinTimeouts } from '../control-planes/kubeadm/bootstrap/join-timeouts';
import { KubeadmCoreDns } from '../control-planes/kubeadm/control-plane/addons';
import { KubeadmEncryptionAlgorithm } from '../control-planes/kubeadm/control-plane/certificates';
import { KubeadmComponent } from '../control-planes/kubeadm/control-plane/components';
import { KubeadmEtcd } from '../control-planes/kubeadm/control-plane/etcd';
import { KubeadmControlPlaneTimeouts } from '../control-planes/kubeadm/control-plane/kubeadm-control-plane-props';
import { ImageSources } from '../images/image-sources';

/**
 * A cluster on existing machines. Options that `KubeadmControlPlane` also has follow the same rules; where these mention Cluster API, here
 * an administrator does the work.
 */
export interface KubeadmClusterProps {
  /**
   * Kubernetes version of all nodes, `1.35.4` or `v1.35.4`, which their kubeadm and kubelet have. New nodes start with it; upgrade a
   * running cluster with `kubeadm upgrade`.
   *
   * Rules: `TC-CLUSTER-VERSION`, `TC-CLUSTER-VERSION-NEWER`.
   */
  readonly kubernetesVersion: string;

  /**
   * Host and port of the control plane for all clients: the virtual address, or a DNS name that resolves to it. It cannot be changed
   * later; a DNS name lets you change the address.
   *
   * Rule: `TC-KUBEADM-CLUSTER-ENDPOINT`.
   */
  readonly controlPlaneEndpoint: string;

  /** Load balancer of the API servers. */
  readonly loadBalancer: KubeadmLoadBalancer;

  /**
   * Nodes of the control plane; with stacked etcd their number must be odd. The cluster starts on the first node.
   *
   * Rule: `TC-KUBEADM-CLUSTER-NODE-COUNT`.
   */
  readonly controlPlaneNodes: KubeadmNode[];

  /**
   * Nodes for workloads.
   *
   * @default - none
   */
  readonly workers?: KubeadmNode[];

  /**
   * Platform of the machines.
   *
   * @default - none: no cloud controller manager initializes the nodes
   */
  readonly platform?: KubeadmPlatform;

  /**
   * Name of the cluster and of the folder of its files, a DNS label (`TC-KUBEADM-CLUSTER-NAME`).
   *
   * @default - the construct id
   */
  readonly name?: string;

  /**
   * Address ranges of pods: one, or one for each address family. Each node gets a part (`nodeCidrMaskSizes`), so a range must have room
   * for all nodes. It cannot be changed later.
   *
   * Rule: `TC-NETWORK-POD-CAPACITY`.
   *
   * @default - 10.244.0.0/16
   */
  readonly podCidrs?: string[];

  /**
   * Prefix lengths of a node's part of `podCidrs`, one per range and in their order: `--node-cidr-mask-size-ipv4` and
   * `--node-cidr-mask-size-ipv6` of kube-controller-manager. With fewer addresses than 110 pods need, also lower `kubelet.maxPods`.
   * Existing nodes keep their ranges.
   *
   * Rules: `TC-NETWORK-NODE-MASK`, `TC-POOL-MAX-PODS`.
   *
   * @default - 24 (IPv4), 64 (IPv6)
   */
  readonly nodeCidrMaskSizes?: number[];

  /**
   * Address ranges of Services, in the address families and order of `podCidrs`. It cannot be changed later.
   *
   * @default - 10.96.0.0/16
   */
  readonly serviceCidrs?: string[];

  /**
   * DNS domain of the cluster, with at least one dot. It cannot be changed later.
   *
   * @default cluster.local
   */
  readonly serviceDomain?: string;

  /**
   * Address ranges of the machines' networks, which must not overlap with pods and Services.
   *
   * @default - none; only the hosts' addresses are checked
   */
  readonly machineCidrs?: string[];

  /**
   * Port that the API servers listen on (`TC-KUBEADM-CLUSTER-LB-PORT`).
   *
   * @default 6443
   */
  readonly apiServerPort?: number;

  /**
   * Further names in the API server's certificate: IP addresses, DNS names, wildcard DNS names, without a port. The endpoint, the virtual
   * address and the nodes' addresses are always included.
   *
   * Rule: `TC-KUBEADM-CP-CERTIFICATE-NAME`.
   *
   * @default - none
   */
  readonly certSans?: string[];

  /**
   * Flags, feature gates, volumes and environment of the API server. `cloud-provider` is rejected: only kubelets need it
   * (`TC-KUBEADM-CP-ARGUMENT`).
   *
   * @default - kubeadm's own
   */
  readonly apiServer?: KubeadmComponent;

  /**
   * Flags, feature gates, volumes and environment of the controller manager. `cloud-provider` is rejected: only kubelets need it
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
   * The etcd of the cluster. The certificates of an external etcd must be on the control plane nodes, at the given paths.
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
   * Registry, with an optional path, for the images of the control plane, etcd, CoreDNS and kube-proxy (`TC-KUBEADM-CP-IMAGE`).
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
   * True if kubeadm installs kube-proxy. Either kube-proxy or the pod network must implement Services (`TC-KUBEADM-CP-KUBE-PROXY`).
   *
   * @default - true, unless `cni` replaces it
   */
  readonly kubeProxy?: boolean;

  /**
   * Validity of certificates, at least a day and no longer than their authority (`TC-KUBEADM-CLUSTER-CERTIFICATE-VALIDITY`).
   *
   * @default - 365 days (kubeadm)
   */
  readonly certificateValidity?: Duration;

  /**
   * Validity of the certificates of authorities, at least a day (`TC-KUBEADM-CLUSTER-CERTIFICATE-VALIDITY`).
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
   * Kubelet options of all nodes. The library does not know the sizes of the machines: set the reservation for the system.
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
   * Time that kubeadm waits.
   *
   * @default - kubeadm's own
   */
  readonly timeouts?: JoinTimeouts;

  /**
   * Time that kubeadm waits for the control plane.
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
   * Delivery that updates addons inside the cluster, after Helm and kubectl have installed them for the first time. Use `FluxDelivery` or
   * `ArgoCdDelivery` with a `manifestSource`, for Flux or Argo CD in this cluster. Flux takes over existing Helm releases
   * (fluxcd.io/flux/components/helm/helmreleases).
   *
   * Rule: `TC-DELIVERY-OWN-CLUSTER`.
   *
   * @default - the script in the cluster's folder installs and updates addons
   */
  readonly delivery?: Delivery;

  /**
   * Namespace of the delivery objects, which must exist.
   *
   * @default 'flux-system'
   */
  readonly deliveryNamespace?: string;

  /**
   * The versions of the charts of addons, as of a month: `Versions.of('2026.08')` stays there until it is moved. A chart with a version of its
   * own keeps it.
   *
   * Rule: `TC-CLUSTER-CATALOG`.
   *
   * @default - the newest catalog of the package, so that a newer package moves them
   */
  readonly versions?: Versions;

  /**
   * Sources of charts and of the images of addons. The images of the control plane come from `imageRepository`.
   *
   * Rules: `TC-IMAGE-NAME`, `TC-IMAGE-UNPINNED`, `TC-IMAGE-DIGEST`.
   *
   * @default - the registries and repositories of their projects
   */
  readonly images?: ImageSources;
}
