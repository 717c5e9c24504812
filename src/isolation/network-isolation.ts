import { IsolationPeer } from './isolation-peer';

/** What the network policies of a tenant let through. */
export interface NetworkIsolationOptions {
  /**
   * Pod, Service and node ranges of the management cluster (`TC-ISOLATION-RANGE`): machines reach nothing in them but what they need.
   * They are added to those that the infrastructure names. Leave no node range out: the management cluster's API server is in it.
   *
   * NetworkPolicies need them where machines run in the management cluster (`TC-ISOLATION-RANGES-UNKNOWN`). Cilium knows pods and nodes
   * of its own cluster apart from the world without them; ranges of other management networks are worth giving there, too.
   *
   * @default - those that the infrastructure names, e.g. `infraClusterCidrs` of `KubevirtInfrastructure`, and those that the cluster's
   * `managementCluster` states
   */
  readonly managementCidrs?: string[];

  /**
   * Who may reach machines, on all their ports. With a list, machines and control plane of the cluster itself stay allowed, and the port of
   * an API server that runs on machines stays open to everybody; what comes in
   * through a load balancer or a node port has the address of a client or of a management node, so name those.
   *
   * @default - everybody
   */
  readonly machineSources?: IsolationPeer[];

  /**
   * What machines may reach in the management cluster beside their own kind, their control plane and DNS: an Ingress or Gateway controller
   * that leads to the API server (`TC-ISOLATION-API-ROUTE`), a registry mirror, a time server. Disk images are imported from there, too.
   *
   * @default - nothing
   */
  readonly machineDestinations?: IsolationPeer[];

  /**
   * What the hosted control plane may reach in the management cluster beside machines and DNS; the world outside stays allowed. Its data
   * store must be in the list.
   *
   * Worth giving: whoever administers a tenant can make its API server call any URL, for example by a webhook configuration, and so look
   * around in the management cluster.
   *
   * @default - everything
   */
  readonly controlPlaneDestinations?: IsolationPeer[];

  /**
   * TCP ports of the control plane's pods that are let through beside the API server's, from anywhere (`TC-ISOLATION-PORT`): konnectivity's
   * and those of `additionalServicePorts` (`TC-ISOLATION-CONTROL-PLANE-PORT`).
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
   * What the controllers beside the control plane (cloud controller manager, autoscaler, CSI controller) may reach beside the tenant's API
   * server, the management cluster's and DNS.
   *
   * @default - nothing; the world outside the management cluster where machines live there
   */
  readonly controllerDestinations?: IsolationPeer[];

  /**
   * The API servers of the management cluster, for the controllers. Behind the Service `kubernetes` they listen on their nodes, so give
   * the nodes' addresses (`TC-ISOLATION-API-SERVERS-UNKNOWN`).
   *
   * Without this, state `nodeCidrs` and `serviceCidrs` in the capabilities of the `managementCluster`. Ranges that do not say what they are
   * for, such as `managementCidrs`, are all let through on the ports of API servers: those of pods too, and with them the API servers of
   * other tenants.
   *
   * @default - TCP ports 443 and 6443 of the `nodeCidrs` and `serviceCidrs` of the `managementCluster`; of all ranges of the management
   * cluster where it states no `nodeCidrs`; Cilium's entity `kube-apiserver`
   */
  readonly managementApiServers?: IsolationPeer[];

  /**
   * The DNS servers of the management cluster. Machines ask them too: KubeVirt hands the pod's name servers to the guest.
   *
   * @default - pods labelled `k8s-app: kube-dns` in `kube-system`, port 53 of UDP and TCP
   */
  readonly dns?: IsolationPeer[];

  /**
   * Whether pods of the namespace that no other policy selects are cut off from the network altogether. Importers of disk images get a
   * policy of their own then; a data store in the namespace needs one from you.
   *
   * @default false
   */
  readonly defaultDeny?: boolean;
}

/**
 * How the network of the management cluster keeps a tenant apart.
 *
 * Machines on KubeVirt are pods there: without policies they reach every other tenant's pods and the management API server. What they reach
 * is limited at their own side; they may be reached from everywhere unless `machineSources` says otherwise. The cloud metadata
 * service (169.254.169.254) is out of their reach. The world outside is let through in the address families that the cluster or the
 * management cluster's ranges have.
 *
 * To know beforehand:
 *
 * - The management cluster's network plug-in must enforce policies (Calico, Cilium, kube-router, OVN-Kubernetes do; flannel does not), for
 *   egress and with exceptions in IP blocks. One that does not takes the objects and ignores them.
 * - Policies hold on the pod network only. Interfaces that Multus attaches bypass them.
 * - Connections to a load balancer address of the same management cluster count as connections to the pods behind it with most plug-ins:
 *   machines do not reach what other tenants publish there, unless `machineDestinations` says so. Plug-ins differ; try it with yours.
 * - Where another cluster runs the machines, policies for them belong there and are not made here.
 */
export class NetworkIsolation {
  /**
   * NetworkPolicies (`networking.k8s.io/v1`).
   *
   * Where Cilium enforces them, ranges match no node unless its option `policy-cidr-match-mode` has `nodes` in it, so that controllers do not
   * get through to the management cluster's API servers: use `ciliumNetworkPolicies` there
   * (docs.cilium.io/en/stable/security/policy/language, CIDR based).
   *
   * @param options what they let through
   */
  public static networkPolicies(options: NetworkIsolationOptions = {}): NetworkIsolation {
    return new NetworkIsolation('networking.k8s.io', options);
  }

  /**
   * CiliumNetworkPolicies (`cilium.io/v2`), for management clusters with Cilium. They tell pods and nodes of the cluster from the
   * world by identity.
   *
   * @param options what they let through
   */
  public static ciliumNetworkPolicies(options: NetworkIsolationOptions = {}): NetworkIsolation {
    return new NetworkIsolation('cilium.io', options);
  }

  /** No policies, where somebody else takes care of it. */
  public static none(): NetworkIsolation {
    return new NetworkIsolation(undefined, {});
  }

  /** @internal */
  public readonly _engine?: 'networking.k8s.io' | 'cilium.io';

  /** @internal */
  public readonly _options: NetworkIsolationOptions;

  private constructor(engine: 'networking.k8s.io' | 'cilium.io' | undefined, options: NetworkIsolationOptions) {
    this._engine = engine;
    this._options = options;
  }
}
