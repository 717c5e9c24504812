import { InfraClusterCapabilities, rangesOf } from './infra-cluster-capabilities';
import { IsolationPeer } from './isolation-peer';
import { Cidr } from '../../../manifests/values/cidr';
import { CompanyNetwork } from '../company-network/company-network';
import { InfrastructureCapabilities } from '../infrastructure-capabilities';

/** A management cluster, defined in this app or elsewhere. */
export interface IManagementCluster {
  /**
   * Name of the cluster: that of its folder if the app writes one for each management cluster (`folderPerManagementCluster`).
   *
   * @default - it has none
   */
  readonly name?: string;

  /** Capabilities for its tenants. */
  readonly capabilities: ManagementCapabilities;
}

/** Facts about a management cluster that the app does not make. */
export interface ImportedManagementClusterProps extends ManagementCapabilities {
  /**
   * Name of the cluster, a DNS label: that of its folder if the app writes one for each management cluster (`folderPerManagementCluster`).
   *
   * @default - it has none
   */
  readonly name?: string;
}

/**
 * A management cluster that this app does not make. Give one instance to all tenant clusters in it: those that share an instance share its
 * `totalLimit`.
 *
 * @example
 * const hall = new ImportedManagementCluster({
 *   podCidrs: ['10.244.0.0/16'],
 *   serviceCidrs: ['10.96.0.0/16'],
 *   nodeCidrs: ['192.168.100.0/24'],
 *   networkPlugin: ManagementNetworkPlugin.CALICO,
 * });
 */
export class ImportedManagementCluster implements IManagementCluster {
  /** Name of the cluster. */
  public readonly name?: string;

  /** Capabilities for its tenants. */
  public readonly capabilities: ManagementCapabilities;

  public constructor(capabilities: ImportedManagementClusterProps) {
    const { name, ...offered } = capabilities;
    this.name = name;
    this.capabilities = offered;
  }
}

/**
 * Capabilities of a management cluster for its tenants, as data: facts that the library cannot read at synthesis, and that a tenant only learns
 * an hour after the merge otherwise.
 *
 * Everything is optional, and what is not stated is not checked; a list that is stated is complete. What machines use is looked up here
 * if they run in the management cluster; if they run in another one, in the capabilities of the infrastructure for that cluster.
 */
export interface ManagementCapabilities extends InfraClusterCapabilities {
  /**
   * Kubernetes versions that tenants may have: minor releases such as `1.35`, or full versions such as `1.35.4` where only these have
   * machine images (`TC-MANAGEMENT-KUBERNETES-VERSION`).
   *
   * @default - every version that the library knows
   */
  readonly kubernetesVersions?: string[];

  /**
   * Version of Cluster API, such as `v1.14.2`. From 1.12 on, health checks watch machine conditions.
   *
   * Rule: `TC-MANAGEMENT-CAPABILITIES-ENTRY`.
   *
   * @default - that of this app, where it installs Cluster API; else not known
   */
  readonly clusterApiVersion?: string;

  /**
   * Release of Kamaji, as its tags are written: `edge-26.2.4`, `26.8.2-edge`. Control planes without a release of their own are checked
   * against it; another release is an error.
   *
   * Rules: `TC-KAMAJI-VERSION`, `TC-KAMAJI-VERSION-OTHER`.
   *
   * @default - the release that a control plane names
   */
  readonly kamajiVersion?: string;

  /**
   * Infrastructure providers of Cluster API: name, as clusterctl knows it, to version, such as `vultr-vultr` to `v0.3.0`. With more than
   * one, an autoscaler before 1.35.1 may wait for ever.
   *
   * Rules: `TC-MANAGEMENT-CAPABILITIES-ENTRY`, `TC-MANAGEMENT-INFRASTRUCTURE-PROVIDER`, `TC-VULTR-PROVIDER`, `TC-AUTOSCALER-PROVIDERS`.
   *
   * @default - those that this app installs, where it installs Cluster API; else not known
   */
  readonly infrastructureProviders?: { [name: string]: string };

  /**
   * Control plane providers of Cluster API: name, as clusterctl knows it, to version, such as `kubeadm` to `v1.14.2`. The release of
   * `kamaji` decides whether two address families are passed on.
   *
   * Rules: `TC-MANAGEMENT-CAPABILITIES-ENTRY`, `TC-MANAGEMENT-CONTROL-PLANE-PROVIDER`, `TC-NETWORK-DUAL-STACK`.
   *
   * @default - those that this app installs, where it installs Cluster API; else not known
   */
  readonly controlPlaneProviders?: { [name: string]: string };

  /**
   * Names of Kamaji's `DataStore` objects (`TC-KAMAJI-DATA-STORE-UNKNOWN`).
   *
   * @default - not known
   */
  readonly dataStores?: string[];

  /**
   * Endpoints of each `DataStore`: its name to the pods or addresses behind them. The isolation of a tenant lets the control
   * plane through to its own data store only. A data store outside the ranges of the management cluster has an empty list.
   *
   * Rules: `TC-ISOLATION-DATA-STORE-UNKNOWN`, `TC-ISOLATION-PEER`, `TC-ISOLATION-PORT`, `TC-ISOLATION-RANGE`.
   *
   * @default - the etcds and external data stores that this app makes; else not known
   */
  readonly dataStorePeers?: { [dataStore: string]: IsolationPeer[] };

  /**
   * Largest number of tenant clusters of each `DataStore`: its name to a whole number from 1. Tenants share the quota of a data store: one
   * that fills it makes all of them read-only.
   *
   * Rules: `TC-MANAGEMENT-DATA-STORE-LIMIT`, `TC-MANAGEMENT-DATA-STORE-FULL`.
   *
   * @default - `maxTenants` of the etcds that this app installs; no limit for others
   */
  readonly dataStoreLimits?: { [dataStore: string]: number };

  /**
   * Pods or addresses of the webhook that the API servers of hosted control planes call: Kamaji's, with which it rejects writes while a
   * control plane moves to another data store. The isolation of a tenant lets the control plane through to it.
   *
   * Rules: `TC-ISOLATION-PEER`, `TC-ISOLATION-PORT`, `TC-ISOLATION-RANGE`.
   *
   * @default - those of this app's installation of Kamaji; else those that the control plane expects: the pods of Kamaji's chart in
   * `kamaji-system`, port 9443
   */
  readonly controlPlaneWebhookPeers?: IsolationPeer[];

  /**
   * The network plug-in, which decides whether the isolation of a tenant consists of NetworkPolicies or CiliumNetworkPolicies,
   * and whether machines can be live-migrated.
   *
   * Rules: `TC-ISOLATION-NETWORK-PLUGIN`, `TC-KUBEVIRT-NETWORK-MIGRATION`.
   *
   * @default - not known: NetworkPolicies, with a warning (`TC-ISOLATION-NETWORK-PLUGIN-UNKNOWN`)
   */
  readonly networkPlugin?: ManagementNetworkPlugin;

  /**
   * Names of the IngressClasses (`TC-KAMAJI-CLASS-UNKNOWN`).
   *
   * @default - not known
   */
  readonly ingressClasses?: string[];

  /**
   * Classes of load balancers, as `loadBalancerClass` of a Service (`TC-KAMAJI-CLASS-UNKNOWN`).
   *
   * @default - not known
   */
  readonly loadBalancerClasses?: string[];

  /**
   * The most that one tenant cluster may ask for: entry of a ResourceQuota to Kubernetes quantity, such as `requests.memory` to `200Gi`.
   * It must have room for pools at their largest during a rollout, the control plane and the controllers, and the quota of the tenant's
   * isolation must not be larger. Machines that run in another cluster do not count. Those of a third party in the management cluster count as
   * its provider reads them (`Provider.machinePods`), or with the `capacity` of their class.
   *
   * Rules: `TC-ISOLATION-QUOTA-ENTRY`, `TC-ISOLATION-TENANT-LIMIT`, `TC-ISOLATION-MACHINE-SIZE`.
   *
   * @default - no limit
   */
  readonly tenantLimit?: { [resource: string]: string };

  /**
   * The most that all tenant clusters of the app together may ask for, counted in the same way. State here how many node ports
   * (`services.nodeports`) and addresses of load balancers (`services.loadbalancers`) there are: the quotas of all tenants should not grant
   * more, which gives a warning.
   *
   * Rules: `TC-ISOLATION-TOTAL-LIMIT`, `TC-ISOLATION-MACHINE-SIZE`, `TC-ISOLATION-SHARED-PORTS`.
   *
   * @default - no limit; 2,768 node ports, those of the default range
   */
  readonly totalLimit?: { [resource: string]: string };

  /**
   * Number of tenants that it is meant for. Above 50, autoscalers of tenants scan every 20 seconds by default, and above 100 every 30 seconds.
   *
   * @default - a few
   */
  readonly tenants?: number;

  /**
   * The network of the company that the management cluster and its tenants are in. A tenant with a `companyNetwork` of its own uses that.
   *
   * @default - that of the app
   */
  readonly companyNetwork?: CompanyNetwork;
}

/** Enforcement of policies by a network plug-in. */
interface Enforcement {
  /** The policies that it enforces best; absent if it enforces none. */
  readonly policies?: 'networking.k8s.io' | 'cilium.io';

  /** True if ranges of addresses in NetworkPolicies match nodes. */
  readonly rangesMatchNodes: boolean;
}

const NETWORK_POLICIES: Enforcement = { policies: 'networking.k8s.io', rangesMatchNodes: true };

/**
 * The network plug-in of a management cluster. It decides which policies keep tenants apart there: Cilium identifies nodes and pods by
 * identity, and ranges of addresses in NetworkPolicies do not match them; other plug-ins do not know `CiliumNetworkPolicy`. It decides, too,
 * whether a virtual machine on the pod network keeps its address when it moves to another host.
 *
 * @example
 * const hall = new ImportedManagementCluster({ networkPlugin: ManagementNetworkPlugin.CILIUM });
 */
export class ManagementNetworkPlugin {
  /** Antrea. */
  public static readonly ANTREA = new ManagementNetworkPlugin('Antrea', NETWORK_POLICIES);

  /**
   * Calico. From 3.32 on it keeps the addresses of virtual machines with `kubeVirtVMAddressPersistence: Enabled` in its IPAM configuration:
   * state `ManagementNetworkPlugin.CALICO.keepingAddresses()` (docs.tigera.io/calico/latest/reference/resources/ipamconfig).
   */
  public static readonly CALICO = new ManagementNetworkPlugin('Calico', NETWORK_POLICIES);

  /**
   * Cilium, alone or chained to another plug-in that leaves policies to it. In place of kube-proxy it needs `socketLB.hostNamespaceOnly: true`
   * in its values: virtual machines reach no Service otherwise, not the DNS and not the API server of their tenant (docs.cilium.io,
   * "Socket LoadBalancer Bypass in Pod Namespace"). A machine that moves gets another address.
   */
  public static readonly CILIUM = new ManagementNetworkPlugin('Cilium', { policies: 'cilium.io', rangesMatchNodes: false }, false);

  /** Cilium with `nodes` in its option `policy-cidr-match-mode`: ranges of addresses match nodes as well. */
  public static readonly CILIUM_MATCHING_NODES = new ManagementNetworkPlugin('Cilium', { policies: 'cilium.io', rangesMatchNodes: true }, false);

  /** Flannel, which enforces no policies (`TC-ISOLATION-NETWORK-PLUGIN`). */
  public static readonly FLANNEL = new ManagementNetworkPlugin('Flannel', { rangesMatchNodes: false }, false);

  /** Kube-OVN without Cilium. Virtual machines keep their addresses when they move (kubeovn.github.io, live migration of KubeVirt). */
  public static readonly KUBE_OVN = new ManagementNetworkPlugin('Kube-OVN', NETWORK_POLICIES, true);

  /** kube-router. */
  public static readonly KUBE_ROUTER = new ManagementNetworkPlugin('kube-router', NETWORK_POLICIES, false);

  /** OVN-Kubernetes. Virtual machines keep their addresses when they move (ovn-kubernetes.io/features/live-migration). */
  public static readonly OVN_KUBERNETES = new ManagementNetworkPlugin('OVN-Kubernetes', NETWORK_POLICIES, true);

  /**
   * Another plug-in that enforces NetworkPolicies for ingress and egress, with ranges of addresses that match nodes.
   *
   * @param name name of the plug-in, for messages
   */
  public static of(name: string): ManagementNetworkPlugin {
    return new ManagementNetworkPlugin(name, NETWORK_POLICIES);
  }

  private constructor(
    /** Name of the plug-in. */
    public readonly name: string,
    /** @internal */
    public readonly _enforcement: Enforcement,
    /** True if a virtual machine on the pod network keeps its address when it moves to another host, false if not; undefined if that is not known. */
    public readonly keepsAddresses?: boolean,
  ) {}

  /** The same plug-in, set up so that a virtual machine keeps its address when it moves to another host. */
  public keepingAddresses(): ManagementNetworkPlugin {
    return new ManagementNetworkPlugin(this.name, this._enforcement, true);
  }
}

/** Surroundings of a tenant cluster, for its context. */
export interface Surroundings {
  readonly infrastructure: InfrastructureCapabilities;
  readonly management?: ManagementCapabilities;
  readonly infraCluster?: InfraClusterCapabilities;
}

/** Finds out which cluster runs the machines, what it offers, and which ranges the tenant must not use. */
export function resolveSurroundings(infrastructure: InfrastructureCapabilities, cluster: IManagementCluster | undefined): Surroundings {
  const management = cluster?.capabilities;
  const infraCluster = infrastructure.inManagementCluster ? management : infrastructure.infraCluster;
  const ranges = infraCluster ? rangesOf(infraCluster).filter((text) => Cidr.parse(text) !== undefined) : [];
  if (ranges.length === 0) return { infrastructure, management, infraCluster };
  const reservedCidrs = [...new Set([...(infrastructure.reservedCidrs ?? []), ...ranges])];
  return { infrastructure: { ...infrastructure, reservedCidrs }, management, infraCluster };
}
