import { EXAMPLES, METAL3_API_VERSION, METAL3_IP_POOL } from './metal3-kinds';
import { groupKind, namespaceOf } from '../../objects/manifest-object';
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
  example: replaced(EXAMPLES.pool, 'end: 192.0.2.60', 'end: 192.0.2.6'),
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

const METAL3_DATA_CLAIM = 'infrastructure.cluster.x-k8s.io/Metal3DataClaim';

/** The references that must have a name, by kind. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  [METAL3_DATA_CLAIM]: ['template'], 'ipam.metal3.io/IPClaim': ['pool'], 'ipam.metal3.io/IPAddress': ['pool', 'claim'],
};

const CLAIM: ManifestRule = {
  id: 'TC-ADMIT-METAL3-CLAIM',
  title: 'Claims and addresses of Metal3 must name their pool, claim or template, and a Metal3DataClaim a template in its namespace.',
  source: 'metal3-io/ip-address-manager internal/webhooks/v1alpha1/ipclaim_webhook.go, ipaddress_webhook.go, '
    + 'metal3-io/cluster-api-provider-metal3 internal/webhooks/v1beta2/metal3dataclaim_webhook.go',
  kinds: Object.keys(REFERENCES),
  example: replaced(CLAIM_TEXT, '{name: nodes}', '{namespace: tenant-acme}'),
  check: (object) => {
    const kind = groupKind(object);
    return REFERENCES[kind].flatMap((reference): Finding[] => {
      const path = ['spec', reference];
      // The definitions require the field in a spec, but no spec; that of v1beta2 does not.
      if (isSet(object, 'spec') && !isSet(object, ...path) && object.apiVersion !== METAL3_API_VERSION) return [];
      const [namespace, own] = [stringAt(object, ...path, 'namespace'), namespaceOf(object)];
      return [
        ...(stringAt(object, ...path, 'name') !== undefined ? [] : [{ path: [...path, 'name'], message: `no ${reference} is named`, fix: `write the name of the ${reference}` }]),
        ...(kind === METAL3_DATA_CLAIM && namespace !== undefined && own !== undefined && namespace !== own ? [{
          path: [...path, 'namespace'], message: `"${namespace}" is not the namespace of the claim`, fix: 'leave it out',
        }] : []),
      ];
    });
  },
};

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
  example: replaced(`${EXAMPLES.pool}  preAllocations: {host-1-nodes: 192.0.2.30}\n`, '192.0.2.30}', '192.0.2.70}'),
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
  example: replaced(EXAMPLES.pool, '  prefix: 24\n', ''),
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
