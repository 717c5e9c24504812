import { METAL3_POOLS } from './ip-pools';
import { METAL3_IP_POOL, POOL_TEXT } from './metal3-pools';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { AddressPoolFacts } from '../../rules/address-pools';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { AddressRange, parseAddressRange, rangesOverlap, remainingRanges } from '../../values/address-ranges';
import { Cidr } from '../../values/cidr';
import { fieldAt, Fields, isFields, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { ADDRESS_BITS, parseIp } from '../../values/ip-address';

const MANAGER = 'metal3-io/ip-address-manager ipam/ippool_manager.go';

/**
 * The addresses of one range of an IPPool: from `start`, or after the address in `subnet`, to `end` or the end of the subnet.
 *
 * Source: metal3-io/ip-address-manager api/v1alpha1/utils.go (GetIPAddress).
 *
 * @returns the range; undefined if there is none that can be read
 */
function rangeOf(pool: Fields): AddressRange | undefined {
  const [start, end, subnet] = ['start', 'end', 'subnet'].map((field) => stringAt(pool, field));
  const block = subnet === undefined ? undefined : Cidr.parse(subnet);
  const from = parseIp(start ?? subnet?.split('/')[0] ?? '');
  if (!from || (subnet !== undefined && !block) || (block && block.family !== from.family)) return undefined;
  const most = block?.last ?? 2n ** BigInt(ADDRESS_BITS[from.family]) - 1n;
  const to = start === undefined ? undefined : parseIp(end ?? '');
  if (end !== undefined && start !== undefined && to?.family !== from.family) return undefined;
  const [first, last] = [start === undefined ? from.value + 1n : from.value, to && to.value < most ? to.value : most];
  return first > last ? undefined : { family: from.family, first, last };
}

/** Addresses that claims of certain names get, and no others. */
function preallocated(object: ManifestObject): AddressRange[] {
  const allocations = fieldAt(object, 'spec', 'preAllocations');
  return Object.values(isFields(allocations) ? allocations : {})
    .map((text) => (typeof text === 'string' ? parseAddressRange(text) : undefined)).filter((range) => range !== undefined);
}

function poolFacts(object: ManifestObject): readonly AddressPoolFacts[] {
  const name = nameOf(object);
  const pools = objectsAt(object, 'spec', 'pools').map(([pool]) => rangeOf(pool));
  const ranges = pools.filter((range) => range !== undefined);
  return name === undefined ? [] : [{
    kind: METAL3_IP_POOL,
    name,
    namespace: namespaceOf(object),
    path: ['spec', 'pools'],
    // Preallocated addresses among them: claims of machines may have their names.
    ranges: ranges.length === pools.length ? remainingRanges(ranges) : undefined,
  }];
}

const gateway: ManifestRule = {
  id: 'TC-TRAP-METAL3-POOL-GATEWAY',
  title: 'The gateway of an IPPool must not be in its ranges, unless it is preallocated: a machine gets the address of the router otherwise.',
  source: `${MANAGER} (selectIPFromPool), api/v1alpha1/utils.go (GetIPAddress), neither of which leaves it out`,
  kinds: [METAL3_IP_POOL],
  trap: true,
  example: replaced(POOL_TEXT, 'start: 192.0.2.10', 'start: 192.0.2.1'),
  check: (object) => {
    const reserved = preallocated(object);
    const ranges = objectsAt(object, 'spec', 'pools').map(([pool]) => rangeOf(pool)).filter((range) => range !== undefined);
    const left = remainingRanges(ranges, reserved);
    return [['spec'], ...objectsAt(object, 'spec', 'pools').map(([, index]) => ['spec', 'pools', index])].flatMap((place): Finding[] => {
      const path = [...place, 'gateway'];
      const text = stringAt(object, ...path);
      const address = text === undefined || !parseIp(text) ? undefined : parseAddressRange(text);
      if (!address || !left.some((range) => rangesOverlap(range, address))) return [];
      return [{ path, message: `"${text}" is in the ranges, and machines get it`, fix: 'let the range begin after it, or add the address to preAllocations' }];
    });
  },
};

/** Facts of Metal3's address manager that its table does not hold. */
export const METAL3_IPAM_FACTS: Partial<Provider> = { rules: [...METAL3_POOLS, gateway], addressPools: { [METAL3_IP_POOL]: poolFacts } };
