import { ManifestObject } from '../../objects/manifest-object';
import { AddressRange, parseAddressRange, remainingRanges } from '../../values/address-ranges';
import { Cidr } from '../../values/cidr';
import { numberAt, stringAt, stringsAt } from '../../values/fields';
import { formatIp, parseIp } from '../../values/ip-address';

/** API group of the pools, which is that of Cluster API's claims of addresses. */
export const IPAM_GROUP = 'ipam.cluster.x-k8s.io';

/** Version of the API that is stored. */
export const IN_CLUSTER_API_VERSION = `${IPAM_GROUP}/v1alpha2`;

/** Kind of a pool in a namespace. */
export const IN_CLUSTER_POOL = 'InClusterIPPool';

/** Kind of a pool for claims from all namespaces. */
export const GLOBAL_POOL = 'GlobalInClusterIPPool';

/** The ranges of a list of a pool's `spec`; texts that are none are left out. */
function rangesAt(pool: ManifestObject, list: string): AddressRange[] {
  return stringsAt(pool, 'spec', list).map(([text]) => parseAddressRange(text)).filter((range) => range !== undefined);
}

/**
 * The addresses that a pool gives to machines: those of `addresses`, without `excludedAddresses`, the gateway, and the first and last address of
 * the subnet (with IPv6 the first one alone).
 *
 * Source: kubernetes-sigs/cluster-api-ipam-provider-in-cluster internal/poolutil/pool.go (PoolSpecToIPSet).
 *
 * @returns the ranges; undefined if a range cannot be read
 */
export function inClusterAddresses(pool: ManifestObject): AddressRange[] | undefined {
  const texts = stringsAt(pool, 'spec', 'addresses').map(([text]) => parseAddressRange(text));
  const ranges = texts.filter((range) => range !== undefined);
  if (ranges.length < texts.length || ranges.length === 0) return undefined;
  const subnet = subnetOf(pool, remainingRanges(ranges)[0]);
  const router = stringAt(pool, 'spec', 'gateway') ?? '';
  const gateway = parseIp(router) ? parseAddressRange(router) : undefined;
  const reserved = subnet && (pool.spec as { readonly allocateReservedIPAddresses?: unknown }).allocateReservedIPAddresses !== true
    ? [subnet.first, ...(subnet.family === 'IPv4' ? [subnet.last] : [])].map((value) => ({ family: subnet.family, first: value, last: value })) : [];
  return remainingRanges(ranges, [...rangesAt(pool, 'excludedAddresses'), ...reserved, ...(gateway ? [gateway] : [])]);
}

/** The subnet of a pool whose gateway is outside of it, so that machines do not reach it; undefined if they do, or it is not known. */
export function subnetWithoutGateway(pool: ManifestObject): Cidr | undefined {
  const texts = stringsAt(pool, 'spec', 'addresses').map(([text]) => parseAddressRange(text));
  const ranges = texts.filter((range) => range !== undefined);
  const block = ranges.length > 0 && ranges.length === texts.length ? subnetOf(pool, remainingRanges(ranges)[0]) : undefined;
  const gateway = stringAt(pool, 'spec', 'gateway') ?? '';
  // Routers of IPv6 often have link-local addresses.
  const isOutside = block && parseIp(gateway)?.family === block.family && !block.contains(gateway) && !Cidr.parse('fe80::/10')!.contains(gateway);
  return isOutside ? block : undefined;
}

/** The subnet that a pool is in: that of its lowest address, with its prefix length. */
export function subnetOf(pool: ManifestObject, { family, first }: AddressRange): Cidr | undefined {
  return Cidr.parse(`${formatIp({ family, value: first })}/${numberAt(pool, 'spec', 'prefix') ?? ''}`);
}
