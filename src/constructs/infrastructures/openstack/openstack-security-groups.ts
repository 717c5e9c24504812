import { Cidr } from '../../../manifests/values/cidr';
import { API_SERVER_PORT, ClusterContext, setFields } from '../contract';

/** A security group that the provider manages. */
export enum OpenStackManagedGroup {
  /** Security group of the control plane machines. */
  CONTROL_PLANE = 'controlplane',

  /** Security group of the other machines. */
  WORKER = 'worker',

  /** Security group of the bastion, which only exists beside an enabled bastion (`TC-TRAP-OPENSTACK-BASTION-GROUP`). */
  BASTION = 'bastion',
}

/** Traffic that a security group lets in, from one kind of remote end; what leaves machines is open (`TC-ADMIT-OPENSTACK-SECURITY-GROUP-RULE`). */
export interface OpenStackSecurityGroupRule {
  /** Name of the rule in the list, which OpenStack does not get. */
  readonly name: string;

  /**
   * True for IPv6, false for IPv4.
   *
   * @default false
   */
  readonly ipv6?: boolean;

  /**
   * Name or number of the protocol, e.g. `tcp`, `udp`, `icmp`, `4`.
   *
   * @default - any
   */
  readonly protocol?: string;

  /**
   * The first port.
   *
   * @default - any
   */
  readonly portRangeMin?: number;

  /**
   * The last port.
   *
   * @default - any
   */
  readonly portRangeMax?: number;

  /**
   * Managed groups at the other end.
   *
   * @default - any address, unless another remote end is given
   */
  readonly remoteManagedGroups?: OpenStackManagedGroup[];

  /**
   * Range of addresses at the other end.
   *
   * @default - any address, unless another remote end is given
   */
  readonly remoteIpPrefix?: string;
}

/** Security groups that the provider creates. All of this can be changed later. */
export interface OpenStackManagedSecurityGroupsOptions {
  /**
   * True if machines of the cluster may reach each other at all ports. False opens those of API server, etcd, kubelets, node ports and the pod network only;
   * what a pod network needs beside ports, such as IP in IP, or one of yours, needs rules then.
   *
   * @default true
   */
  readonly allowAllInClusterTraffic?: boolean;

  /**
   * Further rules for all machines.
   *
   * @default - none
   */
  readonly allNodes?: OpenStackSecurityGroupRule[];

  /**
   * Further rules for control plane machines.
   *
   * @default - none
   */
  readonly controlPlane?: OpenStackSecurityGroupRule[];

  /**
   * Further rules for the other machines.
   *
   * @default - none
   */
  readonly workers?: OpenStackSecurityGroupRule[];
}

/**
 * Security groups of the machines.
 *
 * Source: kubernetes-sigs/cluster-api-provider-openstack pkg/cloud/services/networking/securitygroups.go.
 *
 * @example
 * const securityGroups = openstack.OpenStackSecurityGroups.managed({
 *   workers: [{ name: 'HTTPS', protocol: 'tcp', portRangeMin: 443, portRangeMax: 443 }],
 * });
 */
export class OpenStackSecurityGroups {
  /**
   * Two groups that the provider creates, one for control plane machines and one for the others. Its own rules are of IPv4. Where pods have IPv6
   * addresses and the network exists already, the same rules are written for IPv6, except for node ports from the ranges of its subnets, which a page
   * does not know: load balancers of Services with IPv6 need a rule in `workers`.
   *
   * @param options their rules, beside those that Kubernetes needs
   */
  public static managed(options: OpenStackManagedSecurityGroupsOptions = {}): OpenStackSecurityGroups {
    return new OpenStackSecurityGroups(options);
  }

  /** None: machines have the groups that they name (`OpenStackMachineProps.securityGroups`), or the default group of the project. */
  public static unmanaged(): OpenStackSecurityGroups {
    return new OpenStackSecurityGroups();
  }

  private constructor(private readonly options?: OpenStackManagedSecurityGroupsOptions) {}

  /**
   * The groups of a cluster.
   *
   * @param context the cluster
   * @param isIpv4 true if machines have IPv4 addresses alone
   *
   * @internal
   */
  public _render({ network, podNetworkPorts = [] }: ClusterContext, isIpv4: boolean): object | undefined {
    if (!this.options) return undefined;
    const { allowAllInClusterTraffic = true, allNodes, controlPlane, workers } = this.options;
    const families = network.podCidrs.map((text) => Cidr.parse(text)?.family === 'IPv6');
    const ports = allowAllInClusterTraffic ? [] : podNetworkPorts;
    // The server refuses two rules of one name, and a purpose may have several ports.
    const isIpv6 = [...new Set(isIpv4 ? [false] : families)];
    const portRules = isIpv6.flatMap((ipv6) => ports.map(({ protocol, port, purpose }): OpenStackSecurityGroupRule => ({
      name: `${purpose}, ${protocol.toLowerCase()} ${port}${ipv6 ? ', IPv6' : ''}`,
      ipv6,
      protocol: protocol.toLowerCase(),
      portRangeMin: port,
      portRangeMax: port,
      remoteManagedGroups: MACHINES,
    })));
    const own = isIpv4 || !families.includes(true) ? {} : ownRules(allowAllInClusterTraffic);
    return setFields({
      allowAllInClusterTraffic,
      allNodesSecurityGroupRules: rulesOf(allNodes, [...portRules, ...own.allNodes ?? []]),
      controlPlaneNodesSecurityGroupRules: rulesOf(controlPlane, own.controlPlane),
      workerNodesSecurityGroupRules: rulesOf(workers, own.workers),
    });
  }
}

const MACHINES = [OpenStackManagedGroup.CONTROL_PLANE, OpenStackManagedGroup.WORKER];

/** The rules of the provider, which are of IPv4 alone, for IPv6 (pkg/cloud/services/networking/securitygroups_rules.go). */
function ownRules(allowAllInClusterTraffic: boolean): Pick<OpenStackManagedSecurityGroupsOptions, 'allNodes' | 'controlPlane' | 'workers'> {
  const tcp = (portRangeMin: number, portRangeMax = portRangeMin) => ({ ipv6: true, protocol: 'tcp', portRangeMin, portRangeMax });
  const apiServer = { name: 'API server, IPv6', ...tcp(API_SERVER_PORT) };
  if (allowAllInClusterTraffic) {
    return { allNodes: [{ name: 'machines of the cluster, IPv6', ipv6: true, remoteManagedGroups: MACHINES }], controlPlane: [apiServer] };
  }
  const nodePorts = { ...tcp(30000, 32767), remoteManagedGroups: MACHINES };
  return {
    allNodes: [{ name: 'kubelet, IPv6', ...tcp(10250), remoteManagedGroups: MACHINES }],
    controlPlane: [apiServer, { name: 'etcd, IPv6', ...tcp(2379, 2380), remoteManagedGroups: [OpenStackManagedGroup.CONTROL_PLANE] }],
    workers: [{ name: 'node ports, tcp, IPv6', ...nodePorts }, { name: 'node ports, udp, IPv6', ...nodePorts, protocol: 'udp' }],
  };
}

/** The rules of a list: those of the user, and further ones; undefined if neither is given. */
function rulesOf(given: OpenStackSecurityGroupRule[] | undefined, further: readonly OpenStackSecurityGroupRule[] = []): object[] | undefined {
  return given || further.length > 0 ? [...given ?? [], ...further].map(render) : undefined;
}

function render({ ipv6 = false, remoteIpPrefix, ...same }: OpenStackSecurityGroupRule): object {
  // The client of the provider refuses to create a rule without etherType (gophercloud/gophercloud networking/v2/extensions/security/rules/requests.go).
  return setFields({ ...same, direction: 'ingress', etherType: ipv6 ? 'IPv6' : 'IPv4', remoteIPPrefix: remoteIpPrefix });
}
