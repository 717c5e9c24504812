import { IsolationPeer } from '../../contracts/capabilities/isolation-peer';
import { ManagementCapabilities } from '../../contracts/capabilities/management-cluster';

/** The API group of policies. */
export type PolicyEngine = 'networking.k8s.io' | 'cilium.io';

/** Traffic that the network policies of a tenant allow. */
export interface NetworkIsolationOptions {
  /**
   * Pod, Service and node ranges of the management cluster: machines reach nothing in them but what they need. They are added to those
   * that the infrastructure names. Leave no node range out: the management cluster's API server is in it.
   *
   * NetworkPolicies need them where machines or control planes run in the management cluster, and must know which of them hold nodes:
   * state `nodeCidrs` in the capabilities of the `managementCluster`, or `managementApiServers` here. Cilium knows pods and nodes of its
   * own cluster apart from the world without ranges; those of other management networks are worth giving there, too.
   *
   * Rules: `TC-ISOLATION-RANGE`, `TC-ISOLATION-RANGES-UNKNOWN`, `TC-ISOLATION-API-SERVERS-UNKNOWN`.
   *
   * @default - those that the infrastructure names, e.g. `infraClusterCidrs` of `KubevirtInfrastructure`, and those that the cluster's
   * `managementCluster` states
   */
  readonly managementCidrs?: string[];

  /**
   * Peers that may reach machines, on all their ports. With a list, machines and control plane of the cluster itself stay allowed, and the port of
   * an API server that runs on machines stays open to all addresses; what comes in
   * through a load balancer or a node port has the address of a client or of a management node, so name those.
   *
   * @default - all addresses
   */
  readonly machineSources?: IsolationPeer[];

  /**
   * Peers that machines may reach in the management cluster beside their own kind, their control plane and DNS: an Ingress or Gateway controller
   * that leads to the API server, a registry mirror, a time server. Disk images are imported from there, too.
   *
   * Rule: `TC-ISOLATION-API-ROUTE`.
   *
   * @default - nothing
   */
  readonly machineDestinations?: IsolationPeer[];

  /**
   * Peers that the hosted control plane may reach in the management cluster beside its machines, DNS and the data stores that the
   * `managementCluster` states in `dataStorePeers`; the world outside stays allowed. Name what the API server connects to there: its data
   * store if it is not stated, an OIDC issuer, an audit or authorization webhook.
   *
   * The limit is there because an administrator of the tenant can make its API server call any URL, for example by a webhook
   * configuration: without it, kubelets, data stores and API servers of the management cluster and of other tenants are in reach.
   * `[IsolationPeer.anything()]` removes the limit.
   *
   * Rule: `TC-ISOLATION-DATA-STORE-UNKNOWN`.
   *
   * @default - nothing
   */
  readonly controlPlaneDestinations?: IsolationPeer[];

  /**
   * TCP ports of the control plane's pods that are let through beside the API server's, from anywhere: konnectivity's and those of
   * `additionalServicePorts`.
   *
   * Rules: `TC-ISOLATION-PORT`, `TC-ISOLATION-CONTROL-PLANE-PORT`.
   *
   * @default - the port of the control plane's tunnel
   */
  readonly controlPlanePorts?: number[];

  /**
   * Labels of the hosted control plane's pods in the tenant's namespace (`TC-ISOLATION-PEER`).
   *
   * @default - `kamaji.clastix.io/name: <cluster>` with Kamaji; else no control plane pods are known
   */
  readonly controlPlanePodLabels?: { [key: string]: string };

  /**
   * Peers of the controllers beside the control plane (cloud controller manager, autoscaler, CSI controller) beside the tenant's API
   * server, the management cluster's and DNS.
   *
   * @default - nothing; the world outside the management cluster where machines live there
   */
  readonly controllerDestinations?: IsolationPeer[];

  /**
   * Peers that may reach the controllers beside the control plane, and the pods of a hosted control plane, such as the Prometheus of the
   * management cluster. Name the ports of the metrics: 8085 of the autoscaler, 10257 and 10259 of controller manager and scheduler.
   *
   * Rule: `TC-ISOLATION-PEER`.
   *
   * @default - nothing
   */
  readonly metricsSources?: IsolationPeer[];

  /**
   * The API servers of the management cluster, for the controllers. Behind the Service `kubernetes` they listen on their nodes, so give
   * the nodes' addresses.
   *
   * Addresses and ranges among them are out of reach for machines and the control plane.
   *
   * Rule: `TC-ISOLATION-API-SERVERS-UNKNOWN`.
   *
   * @default - TCP ports 443 and 6443 of the `nodeCidrs` and `serviceCidrs` of the `managementCluster`, of every address where machines and
   * control plane run elsewhere and no ranges are known; Cilium's entity `kube-apiserver`
   */
  readonly managementApiServers?: IsolationPeer[];

  /**
   * The DNS servers of the management cluster. Machines ask them too: KubeVirt hands the pod's name servers to the guest.
   *
   * @default - port 53 of UDP and TCP: of pods labelled `k8s-app: kube-dns` in `kube-system`, of the usual addresses of a cache on the node
   * (169.254.20.10, and 169.254.25.10 of Kubespray), of the tenth address of each of the `serviceCidrs` of the `managementCluster`; in
   * Cilium's policies also of pods labelled `k8s-app: node-local-dns` and of the pod's own node, whose addresses a cache on the node has
   */
  readonly dns?: IsolationPeer[];

  /**
   * True if pods of the namespace that no other policy selects are cut off from the network altogether. Importers of disk images get a
   * policy of their own then; a data store in the namespace needs one from you.
   *
   * @default false
   */
  readonly defaultDeny?: boolean;
}

/**
 * Network policies of the management cluster that keep a tenant apart.
 *
 * Machines on KubeVirt are pods there: without policies they reach every other tenant's pods and the management API server. What they reach
 * is limited at their own side; they may be reached from everywhere unless `machineSources` says otherwise. Hosted control planes are
 * limited in the same way. Metadata services of clouds (169.254.0.0/16 and the like) are out of reach for both. The world outside is let through in the
 * address families of the management cluster's ranges: machines that have addresses of another one need its ranges, too
 * (`TC-ISOLATION-RANGES-UNKNOWN`).
 *
 * To know beforehand:
 *
 * - The management cluster's network plug-in must enforce policies (Calico, Cilium, kube-router, OVN-Kubernetes do; flannel does not), for
 *   egress and with exceptions in IP blocks. One that does not takes the objects and ignores them.
 * - Policies hold on the pod network only. Interfaces that Multus attaches bypass them.
 * - Connections to a load balancer address of the same management cluster count as connections to the pods behind it with most plug-ins:
 *   machines do not reach what other tenants publish there, unless `machineDestinations` says so. Plug-ins differ; try it with yours.
 * - Where another cluster runs the machines, policies for them belong there and are not made here (`infraCluster` of `TenantIsolation`).
 *
 * @example
 * new TenantIsolation({
 *   network: NetworkIsolation.byNetworkPlugin({ machineDestinations: [IsolationPeer.cidr('192.0.2.0/24')] }),
 * });
 */
export class NetworkIsolation {
  /**
   * The policies that the network plug-in of the management cluster enforces: CiliumNetworkPolicies where its capabilities state Cilium as
   * `networkPlugin`, NetworkPolicies otherwise. If none is stated, there is a warning (`TC-ISOLATION-NETWORK-PLUGIN-UNKNOWN`).
   *
   * @param options the traffic that they allow
   */
  public static byNetworkPlugin(options: NetworkIsolationOptions = {}): NetworkIsolation {
    return new NetworkIsolation('by plug-in', options);
  }

  /**
   * NetworkPolicies (`networking.k8s.io/v1`).
   *
   * If Cilium enforces them, ranges match no node unless its option `policy-cidr-match-mode` has `nodes` in it, so that controllers do not
   * get through to the management cluster's API servers: refused where `networkPlugin` states Cilium without it
   * (`TC-ISOLATION-NETWORK-PLUGIN`; docs.cilium.io/en/stable/security/policy/language, CIDR based).
   *
   * @param options the traffic that they allow
   */
  public static networkPolicies(options: NetworkIsolationOptions = {}): NetworkIsolation {
    return new NetworkIsolation('networking.k8s.io', options);
  }

  /**
   * CiliumNetworkPolicies (`cilium.io/v2`), for management clusters with Cilium. They tell pods and nodes of the cluster from the
   * world by identity.
   *
   * @param options the traffic that they allow
   */
  public static ciliumNetworkPolicies(options: NetworkIsolationOptions = {}): NetworkIsolation {
    return new NetworkIsolation('cilium.io', options);
  }

  /** No policies: the user writes them by other means. */
  public static none(): NetworkIsolation {
    return new NetworkIsolation(undefined, {});
  }

  private constructor(
    /** @internal */
    public readonly _choice: PolicyEngine | 'by plug-in' | undefined,
    /** @internal */
    public readonly _options: NetworkIsolationOptions,
  ) {}
}

/** The policies that are made; undefined for none, and for settings without types, which are refused. */
export function policyEngine({ _choice }: NetworkIsolation, management: ManagementCapabilities | undefined): PolicyEngine | undefined {
  if (_choice !== 'by plug-in') return _choice;
  return management?.networkPlugin?._enforcement?.policies ?? 'networking.k8s.io';
}
