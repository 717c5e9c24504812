/**
 * A port that traffic goes to, in the pod that receives it.
 *
 * @example
 * const etcd = IsolationPeer.pods({ namespace: 'kamaji-system', ports: [IsolationPort.tcp(2379)] });
 */
export class IsolationPort {
  /**
   * A TCP port.
   *
   * @param port 1 to 65535 (`TC-ISOLATION-PORT`)
   */
  public static tcp(port: number): IsolationPort {
    return new IsolationPort('TCP', port);
  }

  /**
   * A UDP port.
   *
   * @param port 1 to 65535 (`TC-ISOLATION-PORT`)
   */
  public static udp(port: number): IsolationPort {
    return new IsolationPort('UDP', port);
  }

  /**
   * An SCTP port.
   *
   * @param port 1 to 65535 (`TC-ISOLATION-PORT`)
   */
  public static sctp(port: number): IsolationPort {
    return new IsolationPort('SCTP', port);
  }

  private constructor(
    /** `TCP`, `UDP` or `SCTP`. */
    public readonly protocol: string,
    /** Number of the port. */
    public readonly port: number,
  ) {}
}

/** Exceptions and ports of a range of addresses. */
export interface IsolationCidrOptions {
  /**
   * Ranges inside it that are not meant (`TC-ISOLATION-RANGE`).
   *
   * @default - none
   */
  readonly except?: string[];

  /**
   * Ports that the traffic goes to.
   *
   * @default - all
   */
  readonly ports?: IsolationPort[];
}

/** Selection of pods of the management cluster, and of their ports. */
export interface IsolationPodsOptions {
  /**
   * Name of their namespace (`TC-ISOLATION-PEER`).
   *
   * @default - the tenant's namespace, or the namespaces of `namespaceLabels`
   */
  readonly namespace?: string;

  /**
   * Labels of their namespace, which it must have beside the name `namespace`. An empty map without `namespace` means every namespace.
   *
   * Rule: `TC-ISOLATION-PEER`.
   *
   * @default - the tenant's namespace, or `namespace`
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * Labels of the pods (`TC-ISOLATION-PEER`).
   *
   * @default - all pods of the namespaces
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * Ports that the traffic goes to: those that the receiving pods listen on, not those of a Service before them.
   *
   * @default - all
   */
  readonly ports?: IsolationPort[];
}

/** The remote end that a peer stands for. Without namespace labels pods are those of the policy's own namespace. */
export interface PeerChoice {
  readonly anything?: true;
  readonly cidr?: { readonly cidr: string; readonly except: readonly string[] };
  readonly pods?: { readonly namespaceLabels?: { readonly [key: string]: string }; readonly podLabels: { readonly [key: string]: string } };
  readonly entity?: string;
}

const NAMESPACE_NAME = 'kubernetes.io/metadata.name';

/**
 * The other side of a connection that is let through.
 *
 * @example
 * const monitoring = IsolationPeer.pods({ namespace: 'monitoring', ports: [IsolationPort.tcp(9100)] });
 * const office = IsolationPeer.cidr('192.0.2.0/24', { ports: [IsolationPort.tcp(22)] });
 */
export class IsolationPeer {
  /**
   * A range of addresses.
   *
   * For addresses outside the management cluster and of its nodes: plug-ins differ in whether a range means pods, too.
   *
   * @param cidr the range, e.g. `192.0.2.0/24`, or `192.0.2.7/32` for one address (`TC-ISOLATION-RANGE`)
   * @param options exceptions and ports
   */
  public static cidr(cidr: string, options: IsolationCidrOptions = {}): IsolationPeer {
    return new IsolationPeer({ cidr: { cidr, except: options.except ?? [] } }, options.ports ?? []);
  }

  /**
   * Pods of the management cluster.
   *
   * @param options which ones, and ports
   */
  public static pods(options: IsolationPodsOptions): IsolationPeer {
    const { namespace, namespaceLabels, podLabels = {} } = options;
    const labels = namespace === undefined ? namespaceLabels : { ...namespaceLabels, [NAMESPACE_NAME]: namespace };
    return new IsolationPeer({ pods: { namespaceLabels: labels, podLabels } }, options.ports ?? []);
  }

  /**
   * One of Cilium's entities, such as `ingress` for its own Ingress and Gateway implementation. Only with
   * `NetworkIsolation.ciliumNetworkPolicies` (`TC-ISOLATION-PEER`).
   *
   * @param entity name of the entity (docs.cilium.io/en/stable/security/policy/language, entities)
   * @param ports ports that the traffic goes to; all if none is given
   */
  public static ciliumEntity(entity: string, ...ports: IsolationPort[]): IsolationPeer {
    return new IsolationPeer({ entity }, ports);
  }

  /**
   * Everything, inside and outside the management cluster: no limit.
   *
   * @param ports ports that the traffic goes to; all if none is given
   */
  public static anything(...ports: IsolationPort[]): IsolationPeer {
    return new IsolationPeer({ anything: true }, ports);
  }

  /** @internal */
  public readonly _choice: PeerChoice;

  private constructor(
    choice: PeerChoice,
    /** Ports that the traffic goes to; all if empty. */
    public readonly ports: IsolationPort[],
  ) {
    this._choice = choice;
  }
}
