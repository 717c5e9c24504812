import { isIP } from 'node:net';
import { CORE_WEBHOOKS } from './cluster-api-kinds';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { fieldAt, numberAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { ADDRESS_BITS } from '../../values/ip-address';
import { replaced } from '../example-text';
import { ManifestIndex } from '../manifest-index';
import { ManifestRule } from '../manifest-rule';

const IP_ADDRESS = 'ipam.cluster.x-k8s.io/IPAddress';
const IP_ADDRESS_CLAIM = 'ipam.cluster.x-k8s.io/IPAddressClaim';
const SOURCE = `${CORE_WEBHOOKS}/ipaddress.go`;
const POOL_FIELDS: readonly string[] = ['apiGroup', 'kind', 'name'];

const ADDRESS_TEXT = `apiVersion: ipam.cluster.x-k8s.io/v1beta2
kind: IPAddress
metadata:
  name: acme-general-0
  namespace: tenant-acme
spec:
  address: 192.0.2.10
  prefix: 24
  gateway: 192.0.2.1
  claimRef: {name: acme-general-0}
  poolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: nodes}
`;
const CLAIM_TEXT = `apiVersion: ipam.cluster.x-k8s.io/v1beta2
kind: IPAddressClaim
metadata:
  name: acme-general-0
  namespace: tenant-acme
spec:
  poolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: nodes}
`;

const ADDRESS: ManifestRule = {
  id: 'TC-ADMIT-IP-ADDRESS',
  title: 'An IPAddress must have an IP address, a prefix length that fits its family, and an IP address as gateway.',
  source: SOURCE,
  kinds: [IP_ADDRESS],
  example: replaced(ADDRESS_TEXT, 'prefix: 24', 'prefix: 64'),
  check: checkAddress,
};

const POOL: ManifestRule = {
  id: 'TC-ADMIT-IP-POOL',
  title: 'An IPAddress must belong to the pool of its claim.',
  source: SOURCE,
  kinds: [IP_ADDRESS],
  example: replaced(ADDRESS_TEXT, 'name: nodes', 'name: services', CLAIM_TEXT),
  check: (object, index: ManifestIndex) => {
    const claim = index.find(IP_ADDRESS_CLAIM, namespaceOf(object), stringAt(object, 'spec', 'claimRef', 'name'));
    const [own, asked] = [object, claim].map((one) => POOL_FIELDS.map((field) => stringAt(one, 'spec', 'poolRef', field)));
    if (!claim || [...own, ...asked].includes(undefined) || own.join('/') === asked.join('/')) return [];
    return [{ path: ['spec', 'poolRef'], message: `the address is of the pool ${own.slice(1).join(' ')}, and its claim asks ${asked.slice(1).join(' ')}`, fix: 'name the pool of the claim' }];
  },
};

/** Addresses that an IPAM provider gives to machines. */
export const IP_ADDRESSES: readonly ManifestRule[] = [ADDRESS, POOL];

function checkAddress(object: ManifestObject): Finding[] {
  const address = stringAt(object, 'spec', 'address');
  const prefix = numberAt(object, 'spec', 'prefix');
  // Go reads zones, which addresses of machines never have.
  const version = isIP(address ?? '');
  const odd = ['address', 'gateway'].filter((field) => typeof fieldAt(object, 'spec', field) === 'string')
    .filter((field) => isIP(stringAt(object, 'spec', field) ?? '') === 0)
    .map((field) => ({ path: ['spec', field], message: `${JSON.stringify(fieldAt(object, 'spec', field))} is no IP address`, accepted: 'addresses such as "192.0.2.10"', fix: 'write the address alone' }));
  const most = ADDRESS_BITS[version === 6 ? 'IPv6' : 'IPv4'];
  return [
    ...odd,
    ...(version === 0 || prefix === undefined || prefix <= most ? [] : [{
      path: ['spec', 'prefix'], message: `an address of IPv${version} has no prefix of ${prefix} bits`, accepted: `up to ${most}`, fix: 'write the prefix length of the network',
    }]),
  ];
}
