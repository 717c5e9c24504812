import { METAL3_IP_POOL, POOL_TEXT } from './metal3-pools';
import { groupKind } from '../../objects/manifest-object';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { Cidr } from '../../values/cidr';
import { fieldAt, Fields, isFields, isSet, numberAt, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { IpAddress, parseIp } from '../../values/ip-address';

const IP_POOL_WEBHOOK = 'metal3-io/ip-address-manager internal/webhooks/v1alpha1/ippool_webhook.go';

const IP_POOL: ManifestRule = {
  id: 'TC-ADMIT-METAL3-IP-POOL',
  title: 'An IPPool must have a spec, and its ranges must not end before they start.',
  source: `${IP_POOL_WEBHOOK} (validatePoolRanges)`,
  kinds: [METAL3_IP_POOL],
  example: replaced(POOL_TEXT, 'end: 192.0.2.60', 'end: 192.0.2.6'),
  check: (object) => [
    ...(isSet(object, 'spec') ? [] : [{ path: ['spec'], message: 'the pool has no spec', fix: 'write namePrefix, pools and prefix' }]),
    ...objectsAt(object, 'spec', 'pools').flatMap(([pool, index]): Finding[] => {
      const [start, end] = [parseIp(stringAt(pool, 'start') ?? ''), parseIp(stringAt(pool, 'end') ?? '')];
      return !start || !end || sortValue(start) <= sortValue(end) ? [] : [{
        path: ['spec', 'pools', index], message: `${stringAt(pool, 'start')} comes after ${stringAt(pool, 'end')}, the end of the range`, fix: 'exchange start and end',
      }];
    }),
  ],
};

const CLAIM_TEXT = `apiVersion: ipam.metal3.io/v1alpha1
kind: IPClaim
metadata: {name: host-1-nodes, namespace: tenant-acme}
spec:
  pool: {name: nodes}
`;

/** The references that must have a name, by kind. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = { 'ipam.metal3.io/IPClaim': ['pool'], 'ipam.metal3.io/IPAddress': ['pool', 'claim'] };

const CLAIM: ManifestRule = {
  id: 'TC-ADMIT-METAL3-CLAIM',
  title: 'Claims and addresses of Metal3 must name their pool and claim.',
  source: 'metal3-io/ip-address-manager internal/webhooks/v1alpha1/ipclaim_webhook.go, ipaddress_webhook.go',
  kinds: Object.keys(REFERENCES),
  example: replaced(CLAIM_TEXT, '{name: nodes}', '{namespace: tenant-acme}'),
  // The definitions require the field in a spec, but no spec.
  check: (object) => REFERENCES[groupKind(object)].filter((reference) => !isSet(object, 'spec') || isSet(object, 'spec', reference))
    .flatMap((reference) => unnamed(object, reference)),
};

/** Finds a reference in a spec without a name. */
export function unnamed(object: object, reference: string): Finding[] {
  const path = ['spec', reference, 'name'];
  return stringAt(object, ...path) !== undefined ? [] : [{ path, message: `no ${reference} is named`, fix: `write the name of the ${reference}` }];
}

/** The place of an address in the order of the webhook, in which IPv4 addresses are IPv6 addresses. */
function sortValue({ family, value }: IpAddress): bigint {
  return family === 'IPv4' ? 0xffff00000000n + value : value;
}

const PREALLOCATION: ManifestRule = {
  id: 'TC-TRAP-METAL3-PREALLOCATION',
  title: 'Preallocated addresses of an IPPool must be in one of its ranges: each later change of the pool is refused otherwise, and the claim stays without an address.',
  source: `${IP_POOL_WEBHOOK} (checkPoolBonds), metal3-io/ip-address-manager ipam/ippool_manager.go (allocateAddress)`,
  trap: true,
  kinds: [METAL3_IP_POOL],
  example: replaced(`${POOL_TEXT}  preAllocations: {host-1-nodes: 192.0.2.30}\n`, '192.0.2.30}', '192.0.2.70}'),
  check: (object) => {
    const pools = objectsAt(object, 'spec', 'pools').map(([pool]) => pool);
    const allocations = fieldAt(object, 'spec', 'preAllocations');
    return Object.entries(isFields(allocations) ? allocations : {}).flatMap(([name, address]): Finding[] => {
      const given = typeof address === 'string' ? parseIp(address) : undefined;
      return !given || pools.some((pool) => isWithin(pool, given)) ? [] : [{
        path: ['spec', 'preAllocations', name], message: `${String(address)} is in none of the ranges of the pool`, fix: 'choose an address of a range, or add a range that has it',
      }];
    });
  },
};

function isWithin(pool: Fields, address: IpAddress): boolean {
  const [start, end, subnet] = ['start', 'end', 'subnet'].map((field) => stringAt(pool, field));
  const [first, last, block] = [parseIp(start ?? ''), parseIp(end ?? ''), subnet === undefined ? undefined : Cidr.parse(subnet)];
  if ((first && sortValue(first) > sortValue(address)) || (last && sortValue(last) < sortValue(address))) return false;
  return !block || (block.family === address.family && block.first <= address.value && address.value <= block.last);
}

const PREFIX: ManifestRule = {
  id: 'TC-TRAP-METAL3-POOL-PREFIX',
  title: 'The ranges of an IPPool must have a prefix length: machines take all addresses for those of their subnet otherwise.',
  source: 'metal3-io/ip-address-manager ipam/ippool_manager.go (allocateAddress), metal3-io/cluster-api-provider-metal3 baremetal/metal3data_manager.go (translateMask)',
  trap: true,
  kinds: [METAL3_IP_POOL],
  example: replaced(POOL_TEXT, '  prefix: 24\n', ''),
  check: (object) => (hasPrefix(object.spec) ? [] : objectsAt(object, 'spec', 'pools').filter(([pool]) => !hasPrefix(pool)).map(([, index]) => ({
    path: ['spec', 'pools', index, 'prefix'], message: 'the range has no prefix length', fix: 'write the prefix length of the subnet',
  }))),
};

/** A string stands for a number that a tool fills in; the schema reports others. */
function hasPrefix(fields: unknown): boolean {
  return isSet(fields, 'prefix') && numberAt(fields, 'prefix') !== 0;
}

/** Rules of pools of addresses. */
export const METAL3_POOLS: readonly ManifestRule[] = [IP_POOL, CLAIM, PREALLOCATION, PREFIX];
