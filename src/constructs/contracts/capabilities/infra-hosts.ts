import { Finding } from '../../../manifests/values/finding';
import { checkLabelValue } from '../../../manifests/values/labels';

/** Label of the nodes of a cluster with their zone. */
export const ZONE_LABEL = 'topology.kubernetes.io/zone';

/** Label of the nodes of a cluster with their host name. */
export const HOST_LABEL = 'kubernetes.io/hostname';

/**
 * Hosts of a cluster that run machines: those that the scheduler may choose for virtual machines when none is drained.
 *
 * @example
 * const hall = new ImportedManagementCluster({ hosts: InfraHosts.perZone({ 'hall-a': 3, 'hall-b': 3, 'hall-c': 2 }) });
 */
export class InfraHosts {
  /**
   * Hosts without zones.
   *
   * @param hosts number of hosts, from 1
   */
  public static count(hosts: number): InfraHosts {
    return new InfraHosts(hosts, {});
  }

  /**
   * Hosts in zones.
   *
   * @param hosts number of hosts, from 1, by the value of their label `topology.kubernetes.io/zone`
   */
  public static perZone(hosts: { [zone: string]: number }): InfraHosts {
    return new InfraHosts(Object.values(hosts).reduce((sum, count) => sum + count, 0), hosts);
  }

  private constructor(
    /** Number of hosts in all. */
    public readonly total: number,
    /** Number of hosts by zone; empty without zones. */
    public readonly zones: { [zone: string]: number },
  ) {}

  /**
   * Number of hosts that a node selector can choose.
   *
   * @returns undefined if it is about other labels than the zone and the host name, or names an unknown zone
   * @internal
   */
  public _selectedBy(selector: { readonly [label: string]: string }): number | undefined {
    const { [ZONE_LABEL]: zone, [HOST_LABEL]: host, ...others } = selector;
    if (Object.keys(others).length > 0) return undefined;
    if (host !== undefined) return 1;
    if (zone === undefined) return this.total;
    return Object.hasOwn(this.zones, zone) ? this.zones[zone] : undefined;
  }

  /**
   * Faults of the statement; the path is that of the zone.
   *
   * @internal
   */
  public _faults(): Finding[] {
    const isCount = (hosts: number) => Number.isSafeInteger(hosts) && hosts >= 1;
    const zones = Object.entries(this.zones);
    if (zones.length === 0) {
      return isCount(this.total) ? [] : [{ path: [], message: `${this.total} is not a number of hosts`, accepted: 'a whole number from 1', fix: 'count the hosts that run machines' }];
    }
    return zones.flatMap(([zone, hosts]): Finding[] => {
      const fault = zone === '' ? 'a zone has no name' : checkLabelValue(zone);
      if (fault !== undefined) return [{ path: [], message: fault, fix: `write the value of the label ${ZONE_LABEL}` }];
      return isCount(hosts) ? [] : [{ path: [zone], message: `${hosts} is not a number of hosts`, accepted: 'a whole number from 1', fix: 'count the hosts of the zone that run machines' }];
    });
  }
}

/**
 * Fencing of hosts: the program that makes sure that a host without an answer is off, and lets its virtual machines and volumes go.
 *
 * Without it, KubeVirt keeps the virtual machines of a dead host, and a volume that one node may use at a time is attached nowhere else until
 * an operator has made sure that the host is off and given it the taint `node.kubernetes.io/out-of-service`: docs/guides/a-host-is-lost.md.
 *
 * @example
 * const hall = new ImportedManagementCluster({ hosts: InfraHosts.count(6), fencing: HostFencing.NODE_HEALTH_CHECK });
 */
export class HostFencing {
  /** Nothing fences: a person does it. */
  public static readonly NONE = new HostFencing('nothing', false);

  /**
   * NodeHealthCheck of medik8s, with a remediation whose strategy is `OutOfServiceTaint`: Fence Agents Remediation, which turns the host off
   * through its BMC, or Self Node Remediation, by which a host without contact restarts itself.
   */
  public static readonly NODE_HEALTH_CHECK = new HostFencing('NodeHealthCheck', true);

  /**
   * Another program.
   *
   * @param name its name, for messages
   * @param freesVolumes true if it gives the host the taint `node.kubernetes.io/out-of-service`, or deletes its Node, once it is off. A restart
   * alone frees nothing before the host is back
   */
  public static of(name: string, freesVolumes: boolean): HostFencing {
    return new HostFencing(name, freesVolumes);
  }

  private constructor(
    /** Name of the program. */
    public readonly name: string,
    /** True if virtual machines and volumes of a lost host are free for other hosts. */
    public readonly freesVolumes: boolean,
  ) {}
}
