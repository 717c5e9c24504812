import { CniPort, setFields } from '../contract';

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
   * Two groups that the provider creates, one for control plane machines and one for the others.
   *
   * @param options their rules, beside those that Kubernetes needs
   */
  public static managed(options: OpenStackManagedSecurityGroupsOptions = {}): OpenStackSecurityGroups {
    const { allowAllInClusterTraffic = true, allNodes, controlPlane, workers } = options;
    return new OpenStackSecurityGroups({
      allowAllInClusterTraffic,
      ...(allNodes && { allNodesSecurityGroupRules: allNodes.map(render) }),
      ...(controlPlane && { controlPlaneNodesSecurityGroupRules: controlPlane.map(render) }),
      ...(workers && { workerNodesSecurityGroupRules: workers.map(render) }),
    });
  }

  /** None: machines have the groups that they name (`OpenStackMachineProps.securityGroups`), or the default group of the project. */
  public static unmanaged(): OpenStackSecurityGroups {
    return new OpenStackSecurityGroups();
  }

  private constructor(
    /** @internal */
    public readonly _spec?: { readonly [field: string]: any },
  ) {}

  /** @internal */
  public _withPorts(ports: readonly CniPort[]): object | undefined {
    if (!this._spec || this._spec.allowAllInClusterTraffic || ports.length === 0) return this._spec;
    const remoteManagedGroups = [OpenStackManagedGroup.CONTROL_PLANE, OpenStackManagedGroup.WORKER];
    // The server refuses two rules of one name, and a purpose may have several ports.
    const rules = ports.map(({ protocol, port, purpose }) => render({
      name: `${purpose}, ${protocol.toLowerCase()} ${port}`, protocol: protocol.toLowerCase(), portRangeMin: port, portRangeMax: port, remoteManagedGroups,
    }));
    return { ...this._spec, allNodesSecurityGroupRules: [...this._spec.allNodesSecurityGroupRules ?? [], ...rules] };
  }
}

function render({ ipv6 = false, remoteIpPrefix, ...same }: OpenStackSecurityGroupRule): object {
  // The client of the provider refuses to create a rule without etherType (gophercloud/gophercloud networking/v2/extensions/security/rules/requests.go).
  return setFields({ ...same, direction: 'ingress', etherType: ipv6 ? 'IPv6' : 'IPv4', remoteIPPrefix: remoteIpPrefix });
}
