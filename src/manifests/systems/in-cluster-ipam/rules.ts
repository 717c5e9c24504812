import { GLOBAL_POOL, IN_CLUSTER_API_VERSION, IN_CLUSTER_POOL, inClusterAddresses, IPAM_GROUP, subnetOf, subnetWithoutGateway } from './in-cluster-pools';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { AddressPoolFacts } from '../../rules/address-pools';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { AddressRange, formatAddressRange, parseAddressRange, rangeCovers, rangesOverlap, remainingRanges } from '../../values/address-ranges';
import { Cidr } from '../../values/cidr';
import { FieldPath, isSet, numberAt, stringAt, stringsAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { ADDRESS_BITS, parseIp } from '../../values/ip-address';

const PROJECT = 'kubernetes-sigs/cluster-api-ipam-provider-in-cluster';
const WEBHOOK = `${PROJECT} internal/webhooks/inclusterippool.go`;
const ALLOCATION = `${PROJECT} internal/poolutil/pool.go`;
const KINDS = [IN_CLUSTER_POOL, GLOBAL_POOL].map((kind) => `${IPAM_GROUP}/${kind}`);
const LISTS = ['addresses', 'excludedAddresses'] as const;
const ACCEPTED = '"192.0.2.10", "192.0.2.10-192.0.2.20", "192.0.2.16/28", and the same in IPv6';

/** A pool in which nothing is wrong. */
export const POOL_TEXT = `apiVersion: ${IN_CLUSTER_API_VERSION}
kind: ${IN_CLUSTER_POOL}
metadata:
  name: nodes
  namespace: tenant-acme
spec:
  addresses: [192.0.2.10-192.0.2.60]
  prefix: 24
  gateway: 192.0.2.1
  excludedAddresses: [192.0.2.20]
`;

/** A text of a pool, its place, and what it stands for. */
interface Entry {
  readonly text: string;
  readonly path: FieldPath;
  readonly range?: AddressRange;
}

function entriesOf(pool: ManifestObject, list: string): Entry[] {
  return stringsAt(pool, 'spec', list).map(([text, index]) => ({ text, path: ['spec', list, index], range: parseAddressRange(text) }));
}

/** Older versions have other fields. */
function isCurrent({ apiVersion }: ManifestObject): boolean {
  return apiVersion === IN_CLUSTER_API_VERSION;
}

const grammar: ManifestRule = {
  id: 'TC-ADMIT-IN-CLUSTER-ADDRESSES',
  title: 'Addresses of a pool must be addresses, ranges or blocks, and those of its addresses, exceptions and gateway of one family.',
  source: `${WEBHOOK} (validate)`,
  kinds: KINDS,
  example: replaced(POOL_TEXT, '192.0.2.10-192.0.2.60', '192.0.2.60-192.0.2.10'),
  check: (pool) => {
    if (!isCurrent(pool)) return [];
    const entries = LISTS.flatMap((list) => entriesOf(pool, list));
    const gateway = stringAt(pool, 'spec', 'gateway');
    const router = { text: gateway ?? '', path: ['spec', 'gateway'], range: gateway !== undefined && parseIp(gateway) ? parseAddressRange(gateway) : undefined };
    const family = entries.find(({ range }) => range)?.range?.family;
    return [...entries, ...(gateway ? [router] : [])].flatMap(({ text, path, range }): Finding[] => {
      if (!range) return [{ path, message: `${JSON.stringify(text)} is not ${path.length > 2 ? 'an address, a range or a block' : 'an address'}`, accepted: path.length > 2 ? ACCEPTED : 'addresses such as "192.0.2.1"', fix: fixOf(text) }];
      return family === undefined || range.family === family ? [] : [{ path, message: `${JSON.stringify(text)} is ${range.family}, and other addresses of the pool are ${family}`, fix: 'make a pool for each family' }];
    });
  },
};

/** The most likely mistake in a range. */
function fixOf(text: string): string {
  const [from, to, ...more] = text.split('-').map((part) => part.trim());
  const isTurned = to !== undefined && more.length === 0 && parseAddressRange(`${to}-${from}`) !== undefined;
  if (isTurned) return `write "${to}-${from}"`;
  if (to !== undefined && parseAddressRange(`${from}-${to}`)) return `write "${from}-${to}", without spaces`;
  return 'write an address, the first and the last address with a hyphen between them, or an address and a prefix length';
}

const subnet: ManifestRule = {
  id: 'TC-ADMIT-IN-CLUSTER-SUBNET',
  title: 'The addresses of a pool must not be empty, and must all be in the subnet that the lowest of them and the prefix length make.',
  source: `${WEBHOOK} (validateAddressesAreWithinPrefix)`,
  kinds: KINDS,
  example: replaced(POOL_TEXT, '[192.0.2.10-192.0.2.60]', '[192.0.2.10-192.0.2.60, 198.51.100.10]'),
  check: (pool) => {
    const entries = entriesOf(pool, 'addresses');
    const prefix = numberAt(pool, 'spec', 'prefix');
    const ranges = entries.map(({ range }) => range).filter((range) => range !== undefined);
    if (!isCurrent(pool)) return [];
    // The definition requires addresses in spec, but no spec.
    if (isSet(pool, 'spec') && !isSet(pool, 'spec', 'addresses')) return [];
    if (entries.length === 0) return [{ path: ['spec', 'addresses'], message: 'there are no addresses', fix: 'write the addresses for machines' }];
    if (prefix === undefined || ranges.length < entries.length || new Set(ranges.map(({ family }) => family)).size > 1) return [];
    const [lowest] = remainingRanges(ranges);
    const most = ADDRESS_BITS[lowest.family];
    if (prefix < 0 || prefix > most) return [{ path: ['spec', 'prefix'], message: `${prefix} is not the prefix length of an ${lowest.family} subnet`, accepted: `0 to ${most}`, fix: 'write the prefix length of the subnet of the machines' }];
    const block = subnetOf(pool, lowest);
    return entries.filter(({ range }) => block && range && !rangeCovers(rangeOf(block), range)).map(({ text, path }) => ({
      path, message: `"${text}" is not in ${block}, the subnet of the lowest address with prefix ${prefix}`, fix: 'correct the address or prefix, or make a pool for each subnet',
    }));
  },
};

function rangeOf({ family, first, last }: Cidr): AddressRange {
  return { family, first, last };
}

const gateway: ManifestRule = {
  id: 'TC-TRAP-IN-CLUSTER-GATEWAY',
  title: 'The gateway of a pool must be in the subnet of its addresses: machines do not reach it otherwise.',
  source: `${WEBHOOK}, which checks the family alone; ${PROJECT} internal/controllers/ipaddressclaim.go (EnsureAddress)`,
  kinds: KINDS,
  trap: true,
  example: replaced(POOL_TEXT, 'gateway: 192.0.2.1', 'gateway: 198.51.100.1'),
  check: (pool) => {
    const block = isCurrent(pool) ? subnetWithoutGateway(pool) : undefined;
    return !block ? [] : [{ path: ['spec', 'gateway'], message: `"${stringAt(pool, 'spec', 'gateway')}" is not in ${block}, the subnet of the machines`, fix: 'write the address of the router in the subnet, or correct prefix' }];
  },
};

/** The subnet of a pool whose addresses can be read. */
function blockOf(pool: ManifestObject): Cidr | undefined {
  const entries = entriesOf(pool, 'addresses');
  const ranges = entries.map(({ range }) => range).filter((range) => range !== undefined);
  return isCurrent(pool) && ranges.length > 0 && ranges.length === entries.length ? subnetOf(pool, remainingRanges(ranges)[0]) : undefined;
}

const empty: ManifestRule = {
  id: 'TC-TRAP-IN-CLUSTER-EMPTY',
  title: 'A pool must have an address for machines: its exceptions, its gateway, and the first and last address of its subnet are none.',
  source: `${ALLOCATION} (PoolSpecToIPSet)`,
  kinds: KINDS,
  trap: true,
  example: replaced(POOL_TEXT, 'excludedAddresses: [192.0.2.20]', 'excludedAddresses: [192.0.2.0/24]'),
  check: (pool) => (isCurrent(pool) && blockOf(pool) && inClusterAddresses(pool)?.length === 0
    ? [{ path: ['spec', 'addresses'], message: 'no address is left for machines', fix: 'add addresses, or take exceptions away' }] : []),
};

const unused: ManifestRule = {
  id: 'TC-TRAP-IN-CLUSTER-EXCEPTION',
  title: 'An exception of a pool should be among its addresses: it has no effect otherwise.',
  source: `${ALLOCATION} (PoolSpecToIPSet)`,
  kinds: KINDS,
  trap: true,
  warning: true,
  example: replaced(POOL_TEXT, 'excludedAddresses: [192.0.2.20]', 'excludedAddresses: [192.0.2.200]'),
  check: (pool) => {
    if (!blockOf(pool)) return [];
    const ranges = entriesOf(pool, 'addresses').map(({ range }) => range).filter((range) => range !== undefined);
    return entriesOf(pool, 'excludedAddresses').filter(({ range }) => range && !ranges.some((one) => rangesOverlap(one, range))).map(({ text, path }) => ({
      path, message: `"${text}" is not among the addresses ${ranges.map(formatAddressRange).join(', ')}`, fix: 'correct it, or leave it out',
    }));
  },
};

function poolFacts(object: ManifestObject): readonly AddressPoolFacts[] {
  const name = nameOf(object);
  if (name === undefined) return [];
  const kind = String(object.kind);
  return [{
    kind: `${IPAM_GROUP}/${kind}`,
    name,
    namespace: kind === GLOBAL_POOL ? undefined : namespaceOf(object),
    path: ['spec', 'addresses'],
    ranges: isCurrent(object) ? inClusterAddresses(object) : undefined,
  }];
}

/** Facts of the in-cluster address provider that a table cannot hold. */
export const IN_CLUSTER_FACTS: Partial<Provider> = {
  rules: [grammar, subnet, gateway, empty, unused],
  addressPools: Object.fromEntries(KINDS.map((kind) => [kind, poolFacts])),
};
