import { CapacityOptions, PodNumbers } from './capacity-model';
import { neededHosts } from './find-capacity';
import { HostList } from './hosts-file';
import { PlacedPods, PodGroup } from './pod-group';
import { Prices, requestCost } from './prices';

/** Hosts of a kind that are needed before and after a change; undefined where no number of them was found that suffices. */
export interface NeededHosts {
  readonly kind: string;
  readonly given: number;
  readonly before?: number;
  readonly after?: number;
}

/** The costs of a change. */
export interface CapacityChange {
  /** By kind, with the hosts of other kinds as they are. */
  readonly hosts: readonly NeededHosts[];

  /** The costs of the requests before and after, where they have prices. */
  readonly requests?: { readonly before: PodNumbers; readonly after: PodNumbers };

  /** Amounts that are requested at the largest size, by resource. */
  readonly requested: ReadonlyMap<string, readonly [before: number, after: number]>;
}

/**
 * Finds what a change costs in hosts, and in money.
 *
 * @param list the hosts
 * @param before what needs room on them before the change
 * @param after what needs room on them afterwards
 */
export function capacityChange(list: HostList, before: PlacedPods, after: PlacedPods, options: CapacityOptions, prices?: Prices): CapacityChange {
  const kinds = [...new Set(list.hosts.map(({ kind }) => kind))];
  const hosts = kinds.map((kind): NeededHosts => {
    const needed = [before, after].map((pods) => neededHosts(list, kind, pods, options));
    return {
      kind,
      given: list.hosts.filter((host) => host.kind === kind).length,
      ...(needed[0] !== undefined && { before: needed[0] }),
      ...(needed[1] !== undefined && { after: needed[1] }),
    };
  });
  const resources = [...new Set([...before.groups, ...after.groups].flatMap(({ requests }) => [...requests.keys()]))].sort();
  const requested = (groups: readonly PodGroup[], resource: string) => (
    groups.reduce((sum, { requests, maximum }) => sum + (requests.get(resource) ?? 0) * maximum, 0));
  return {
    hosts,
    requested: new Map(resources.map((resource) => [resource, [requested(before.groups, resource), requested(after.groups, resource)]])),
    ...(prices && prices.requests.size > 0 && { requests: { before: requestCost(before.groups, prices), after: requestCost(after.groups, prices) } }),
  };
}
