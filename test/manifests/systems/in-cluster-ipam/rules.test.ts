import { inClusterAddresses } from '../../../../src/manifests/systems/in-cluster-ipam/in-cluster-pools';
import { IN_CLUSTER_FACTS } from '../../../../src/manifests/systems/in-cluster-ipam/rules';
import { formatAddressRange } from '../../../../src/manifests/values/address-ranges';
import { findings, testRules } from '../../rules/rules-under-test';

const RULES = IN_CLUSTER_FACTS.rules!;

testRules(RULES);

const pool = (spec: string, kind = 'InClusterIPPool', version = 'v1alpha2') => (
  `apiVersion: ipam.cluster.x-k8s.io/${version}\nkind: ${kind}\nmetadata: {name: nodes${kind.startsWith('Global') ? '' : ', namespace: tenant-acme'}}\nspec: ${spec}\n`
);

test.each<[what: string, text: string, found: string[]]>([
  ['addresses of all forms', pool('{addresses: [192.0.2.10, 192.0.2.20-192.0.2.30, 192.0.2.64/27], prefix: 24}'), []],
  ['IPv6 with a link-local router', pool('{addresses: ["2001:db8::10-2001:db8::20"], prefix: 64, gateway: "fe80::1"}'), []],
  ['an address that is none', pool('{addresses: [192.0.2.300], prefix: 24}'), ['TC-ADMIT-IN-CLUSTER-ADDRESSES spec.addresses.0: "192.0.2.300" is not an address, a range or a block']],
  ['a range with spaces', pool('{addresses: [192.0.2.10 - 192.0.2.20], prefix: 24}'), ['TC-ADMIT-IN-CLUSTER-ADDRESSES spec.addresses.0: "192.0.2.10 - 192.0.2.20" is not an address, a range or a block']],
  ['an exception that is none', pool('{addresses: [192.0.2.10], prefix: 24, excludedAddresses: [host]}'), ['TC-ADMIT-IN-CLUSTER-ADDRESSES spec.excludedAddresses.0: "host" is not an address, a range or a block']],
  ['two families', pool('{addresses: [192.0.2.10, "2001:db8::1"], prefix: 24}'), ['TC-ADMIT-IN-CLUSTER-ADDRESSES spec.addresses.1: "2001:db8::1" is IPv6, and other addresses of the pool are IPv4']],
  ['a gateway of another family', pool('{addresses: [192.0.2.10], prefix: 24, gateway: "2001:db8::1"}'), ['TC-ADMIT-IN-CLUSTER-ADDRESSES spec.gateway: "2001:db8::1" is IPv6, and other addresses of the pool are IPv4']],
  ['a gateway that is a block', pool('{addresses: [192.0.2.10], prefix: 24, gateway: 192.0.2.1/24}'), ['TC-ADMIT-IN-CLUSTER-ADDRESSES spec.gateway: "192.0.2.1/24" is not an address']],
  ['no addresses', pool('{addresses: [], prefix: 24}'), ['TC-ADMIT-IN-CLUSTER-SUBNET spec.addresses: there are no addresses']],
  ['no spec, which the definition does not require', pool('').replace('spec: ', ''), ['TC-ADMIT-IN-CLUSTER-SUBNET spec.addresses: there are no addresses']],
  ['a spec without addresses, of which the definition says so', pool('{prefix: 24}'), []],
  ['a prefix of IPv6', pool('{addresses: [192.0.2.10], prefix: 64}'), ['TC-ADMIT-IN-CLUSTER-SUBNET spec.prefix: 64 is not the prefix length of an IPv4 subnet']],
  ['an address of another subnet', pool('{addresses: [192.0.2.10, 192.0.2.130], prefix: 25}', 'GlobalInClusterIPPool'), ['TC-ADMIT-IN-CLUSTER-SUBNET spec.addresses.1: "192.0.2.130" is not in 192.0.2.0/25, the subnet of the lowest address with prefix 25']],
  ['a gateway of another subnet', pool('{addresses: [192.0.2.10], prefix: 24, gateway: 192.0.3.1}'), ['TC-TRAP-IN-CLUSTER-GATEWAY spec.gateway: "192.0.3.1" is not in 192.0.2.0/24, the subnet of the machines']],
  ['the addresses that are left are those of the subnet itself', pool('{addresses: [192.0.2.0, 192.0.2.255], prefix: 24}'), ['TC-TRAP-IN-CLUSTER-EMPTY spec.addresses: no address is left for machines']],
  ['the only address is that of the router', pool('{addresses: [192.0.2.10], prefix: 24, gateway: 192.0.2.10}'), ['TC-TRAP-IN-CLUSTER-EMPTY spec.addresses: no address is left for machines']],
  ['an older version', pool('{subnet: 192.0.2.0/24, gateway: 198.51.100.1}', 'InClusterIPPool', 'v1alpha1'), []],
])('%s', (_, text, found) => {
  expect(findings(RULES, text)).toEqual(found);
});

test.each<[object, string[]]>([
  [{ addresses: ['192.0.2.0/29'], prefix: 29, gateway: '192.0.2.1' }, ['192.0.2.2-192.0.2.6']],
  [{ addresses: ['192.0.2.0/29'], prefix: 29, allocateReservedIPAddresses: true }, ['192.0.2.0-192.0.2.7']],
  [{ addresses: ['192.0.2.16/28'], prefix: 24, excludedAddresses: ['192.0.2.20/31'] }, ['192.0.2.16-192.0.2.19', '192.0.2.22-192.0.2.31']],
  [{ addresses: ['2001:db8::/125'], prefix: 125 }, ['2001:db8::1-2001:db8::7']],
])('%j gives %j', (spec, ranges) => {
  expect(inClusterAddresses({ spec })?.map(formatAddressRange)).toEqual(ranges);
});
