import { InfraClusterCapabilities } from './capabilities/infra-cluster-capabilities';
import { NodeSetup } from './node-setup';

/** A string that user data must not contain. */
export interface ForbiddenUserData {
  /** The string. */
  readonly text: string;

  /** Consequence, and its source. */
  readonly reason: string;
}

/** Labels of the pods that machines bring into the management cluster. */
export interface MachinePodLabels {
  /** Labels of the pods of all machines, which have `cluster.x-k8s.io/cluster-name` besides. */
  readonly machines: { [key: string]: string };

  /**
   * Labels that pods of control plane machines have besides.
   *
   * @default - they cannot be told apart
   */
  readonly controlPlane?: { [key: string]: string };

  /**
   * Labels of pods in the cluster's namespace that fetch the images of disks.
   *
   * @default - there are none
   */
  readonly importers?: { [key: string]: string };
}

/** Capabilities of an infrastructure, declared before its objects are made. */
export interface InfrastructureCapabilities {
  /** Kind of its infrastructure object, e.g. `KubevirtCluster`. Machines refer to it as `infrastructureKind`. */
  readonly clusterKind: string;

  /**
   * Its provider of Cluster API, as clusterctl calls it, e.g. `openstack`. The management cluster must have it.
   *
   * Rule: `TC-MANAGEMENT-INFRASTRUCTURE-PROVIDER`.
   *
   * @default - not known, and not checked
   */
  readonly provider?: string;

  /**
   * Networks that machines see beside the tenant cluster's own, e.g. the pod, Service and node ranges of the
   * management cluster that virtual machines run in. The tenant's ranges must not overlap with them.
   *
   * @default - none known
   */
  readonly reservedCidrs?: string[];

  /**
   * True if the machines run in the management cluster, so that its Service names resolve there.
   *
   * @default false
   */
  readonly inManagementCluster?: boolean;

  /**
   * True if machines run as pods of another cluster than the management cluster, which may run machines of other tenants, too. What keeps the
   * tenant apart there is not made here, so that its isolation must state it.
   *
   * Rule: `TC-ISOLATION-INFRA-CLUSTER`.
   *
   * @default false
   */
  readonly inOtherCluster?: boolean;

  /**
   * Labels of the pods that machines bring into the management cluster, by which network policies of the tenant's isolation select them.
   *
   * @default - no pods, or they cannot be told apart: no policies
   */
  readonly machinePods?: MachinePodLabels;

  /**
   * Resources of the infrastructure in the management cluster, as `resources.group`, e.g. `hcloudmachines.infrastructure.cluster.x-k8s.io`.
   * Users with a view of the tenant may read them.
   *
   * @default - none
   */
  readonly viewableResources?: string[];

  /**
   * Subresources that operators of a tenant may update to restart machines, as `resources/subresource.group`.
   *
   * @default - none
   */
  readonly restartResources?: string[];

  /**
   * Controller beside the control plane that makes Services from those of the tenant: in the cluster's namespace of the management cluster,
   * where its ServiceAccount is called `<cluster>-<controller>` and the tenant's isolation limits what it may write, or in the other cluster
   * that runs the machines (`inOtherCluster`).
   *
   * @default - there is none
   */
  readonly servicePublisher?: string;

  /**
   * Ranges of the addresses of machines, where the `servicePublisher` writes these into EndpointSlices of its Services. An empty list stands for
   * the pod ranges of the management cluster. The tenant's isolation refuses other addresses (`TC-ISOLATION-ENDPOINTS-UNKNOWN`).
   *
   * @default - it writes no EndpointSlices
   */
  readonly publishedEndpointCidrs?: string[];

  /**
   * Capabilities of the cluster that runs the machines, where it is another one than the management cluster.
   *
   * @default - not known, and not checked
   */
  readonly infraCluster?: InfraClusterCapabilities;

  /**
   * True if a cloud controller manager initializes the nodes. Kubelets then register with `--cloud-provider=external`, and pods wait
   * until it has been there.
   *
   * @default false
   */
  readonly externalCloudProvider?: boolean;

  /**
   * Setup that all nodes of the cluster need: arguments of the kubelet, labels, name and address of the node, files, commands and users.
   * `Machine.nodeSetup` is for the needs of one kind of machine.
   *
   * @default - nothing
   */
  readonly nodeSetup?: NodeSetup;

  /**
   * Failure domains that pools may name, as the infrastructure names them. A pool with another one is refused (`TC-POOL-FAILURE-DOMAIN`).
   *
   * @default - not known: the failure domain of a pool is passed on
   */
  readonly failureDomains?: string[];

  /**
   * Address families, `IPv4` or `IPv6`, in which the `InternalIP` of each node is the address at which the other nodes reach it. Calico then
   * sends the traffic between nodes there, also if machines have other interfaces.
   *
   * @default - not known: the pod network chooses an interface
   */
  readonly internalIpFamilies?: string[];

  /**
   * Address of one node in the network at which nodes reach each other: an IPv4 one if pods have IPv4 addresses. A pod network that takes
   * the interface of the default route otherwise, such as Flannel, finds the right one by it.
   *
   * @default - none is known at synthesis
   */
  readonly knownNodeAddress?: string;

  /**
   * Capabilities that it brings to the tenant without an addon, of `AddonCapability` or names of your own: an addon that brings the same
   * is refused where there can be one only (`TC-ADDON-EXCLUSIVE`).
   *
   * @default - none
   */
  readonly addonCapabilities?: string[];

  /**
   * Namespaces of the tenant, beside those of the system, whose pods its nodes and volumes need to recover. Admission webhooks of bundled addons
   * leave them out.
   *
   * @default - none
   */
  readonly recoveryNamespaces?: string[];

  /**
   * Strings at which the infrastructure's provider splits user data. Files and boot commands of machines,
   * and kubeadm's configuration, must not contain them.
   *
   * @default - none
   */
  readonly forbiddenUserData?: ForbiddenUserData[];
}
