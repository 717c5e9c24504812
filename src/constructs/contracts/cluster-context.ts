import { ApiServerAddress } from './api-server-address';
import { InfraClusterCapabilities } from './capabilities/infra-cluster-capabilities';
import { ManagementCapabilities } from './capabilities/management-cluster';
import { CompanyNetwork } from './company-network/company-network';
import { ControlPlaneCapabilities } from './control-plane-capabilities';
import { TimeWindow } from './delivery/time-window';
import { InfrastructureCapabilities } from './infrastructure-capabilities';
import { CniPort } from './network/cni-port';
import { Versions } from './versions';
import { KubernetesVersion } from '../../manifests/values/kubernetes-version';
import { SecretKeyRef } from '../../manifests/values/secret-ref';

/** The networks of a tenant cluster, with what follows from them. */
export interface ClusterNetwork {
  /** Ranges that pods get their addresses from, one per address family. */
  readonly podCidrs: string[];

  /** Prefix length of the part of each pod range that one node gets, in the order of `podCidrs`: 24 for 10.243.7.0/24. */
  readonly nodeCidrMaskSizes: number[];

  /**
   * Number of pods on one node that can have addresses of their own.
   *
   * @default - not limited: the pod network gives each node as many addresses as it needs
   */
  readonly podsPerNode?: number;

  /** Ranges that Services get their addresses from, one per address family, in the order of `podCidrs`. */
  readonly serviceCidrs: string[];

  /** DNS domain of the cluster, e.g. `cluster.local`. */
  readonly serviceDomain: string;

  /** Address of the cluster's DNS Service in each Service range: the tenth address, as kubeadm assigns it. */
  readonly dnsServiceIps: string[];

  /** Port of the API server. */
  readonly apiServerPort: number;
}

/**
 * Facts about the whole cluster for each of its parts, resolved once, read-only.
 *
 * A strategy builds its objects from this and from its own props, never from what another strategy built.
 */
export interface ClusterContext {
  /** Name of the `Cluster` object, and of the control plane and infrastructure objects. */
  readonly name: string;

  /** Namespace in the management cluster that holds the tenant cluster's objects. */
  readonly namespace: string;

  /** Kubernetes version of the control plane. */
  readonly kubernetesVersion: KubernetesVersion;

  /** The versions of charts, images and controllers where nothing else is said. */
  readonly versions: Versions;

  /** Networks of the tenant cluster. */
  readonly network: ClusterNetwork;

  /**
   * The network of the company that the cluster is in.
   *
   * @default - nothing is known of it
   */
  readonly companyNetwork?: CompanyNetwork;

  /** Kubeconfigs of the tenant, as they will be found. */
  readonly kubeconfigs: Kubeconfigs;

  /** Addresses of the API server, as far as they are known. */
  readonly apiServer: ApiServerAddresses;

  /**
   * Name of the pod network that is delivered, e.g. `cilium`.
   *
   * @default - none: the user installs one
   */
  readonly podNetwork?: string;

  /**
   * Ports of the pod network at which the nodes reach each other, for infrastructures that make firewalls or security groups.
   *
   * @default - none are known
   */
  readonly podNetworkPorts?: CniPort[];

  /**
   * True if the pod network does the work of kube-proxy, which is then left out.
   *
   * @default - not known: no pod network is delivered
   */
  readonly kubeProxyReplaced?: boolean;

  /**
   * Port at which each node answers `/healthz` with 200 while Services work on it: kube-proxy's, or that of a pod network that replaces it.
   *
   * @default - not known
   */
  readonly serviceProxyHealthPort?: number;

  /**
   * Keys of annotations with which Services of type LoadBalancer in the tenant are published: with others they stay pending, because the
   * tenant's isolation refuses them in the management cluster.
   *
   * @default - any
   */
  readonly publishedAnnotations?: string[];

  /** Capabilities and requirements of the control plane. */
  readonly controlPlane: ControlPlaneCapabilities;

  /** Capabilities and requirements of the infrastructure. */
  readonly infrastructure: InfrastructureCapabilities;

  /**
   * Capabilities of the management cluster.
   *
   * @default - not known, and not checked
   */
  readonly management?: ManagementCapabilities;

  /**
   * Capabilities of the cluster that runs the machines: the management cluster, or another one that the infrastructure describes.
   *
   * @default - not known, and not checked; or the machines run in no cluster
   */
  readonly infraCluster?: InfraClusterCapabilities;

  /**
   * True if the cluster is being decommissioned.
   *
   * @default false
   */
  readonly decommission?: boolean;

  /**
   * Hibernation of the cluster. The cluster itself empties pools and stops what strategies made: the control plane and Deployments.
   *
   * @default - it is awake
   */
  readonly hibernation?: Hibernation;

  /**
   * Times at which the cluster may change.
   *
   * @default - at any time
   */
  readonly changeWindows?: TimeWindow[];
}

/**
 * The kubeconfigs that a control plane offers to those who manage the tenant cluster from outside: keys of Secrets in the namespace of the
 * cluster, which exist once the control plane is up.
 */
export interface Kubeconfigs {
  /**
   * For programs in the management cluster: reaches the API server without leaving that cluster,
   * where the control plane runs there.
   */
  readonly internal: SecretKeyRef;

  /** For all other clients: reaches the API server at its published endpoint. */
  readonly external: SecretKeyRef;
}

/** Addresses of a tenant's API server, as far as they are known before it exists. */
export interface ApiServerAddresses {
  /**
   * Published address.
   *
   * @default - not known before the control plane is up
   */
  readonly published?: ApiServerAddress;

  /**
   * Address inside the management cluster, by a name that resolves there.
   *
   * @default - the control plane has no such name
   */
  readonly internal?: ApiServerAddress;
}

/** A tenant cluster by name, before anything else of it is known. */
export interface ClusterIdentity {
  /** Name of the `Cluster` object. */
  readonly name: string;

  /** Namespace in the management cluster that holds the tenant cluster's objects. */
  readonly namespace: string;
}

/** Degree of hibernation of a cluster. */
export enum Hibernation {
  /**
   * The pools have no machines, the autoscaler is stopped, health checks are paused and deliveries are suspended. The API server answers, and
   * cloud controller manager and CSI driver run, so that nodes are drained and volumes detached before machines are deleted.
   */
  POOLS = 'pools',

  /**
   * The control plane and the controllers beside it are stopped as well. The second step: without an API server no node can be drained, so
   * the machines must be gone before.
   */
  FULL = 'full',
}
