import { poolsOf } from './advertised-pools';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { Cidr } from '../../values/cidr';
import { fieldAt, isSet, listAt, numberAt, stringsAt } from '../../values/fields';

const ADVERTISEMENT = 'metallb.io/BGPAdvertisement';
const SOURCE = 'metallb/metallb internal/config/config.go (validateBGPAdvPerPool), v0.16.1';

/** Prefix lengths of the routes that an advertisement makes, by address family. */
const LENGTHS = { IPv4: ['aggregationLength', 32], IPv6: ['aggregationLengthV6', 128] } as const;

const POOL_TEXT = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: tenants, namespace: metallb-system}
spec:
  addresses: [192.0.2.0/26]
`;
const ADVERTISEMENT_TEXT = `apiVersion: metallb.io/v1beta1
kind: BGPAdvertisement
metadata: {name: tenants, namespace: metallb-system}
spec:
  ipAddressPools: [tenants]
  aggregationLength: 26
`;

const aggregate: ManifestRule = {
  id: 'TC-TRAP-METALLB-AGGREGATE',
  title: 'A BGPAdvertisement must not announce more addresses than a range of its pools has: MetalLB refuses its configuration.',
  source: SOURCE,
  kinds: [ADVERTISEMENT],
  trap: true,
  example: replaced(documents(ADVERTISEMENT_TEXT, POOL_TEXT), 'aggregationLength: 26', 'aggregationLength: 24'),
  check: (object, index) => poolsOf(object, index).flatMap((pool) => stringsAt(pool, 'spec', 'addresses').flatMap(([text]) => {
    // Of a range from one address to another, any block may do.
    const range = text.includes('/') ? Cidr.parse(text.trim()) : undefined;
    if (!range) return [];
    const [field, whole] = LENGTHS[range.family];
    const length = numberAt(object, 'spec', field) ?? whole;
    return length >= range.prefixLength ? [] : [{
      path: ['spec', field], message: `a route of /${length} has more addresses than ${text} of the pool "${nameOf(pool)}"`, accepted: `${range.prefixLength} to ${whole}`, fix: `write ${range.prefixLength}, or leave it out`,
    }];
  })),
};

const preference: ManifestRule = {
  id: 'TC-TRAP-METALLB-PREFERENCE',
  title: 'BGPAdvertisements of one pool must have one local preference for routes of one length: MetalLB refuses its configuration.',
  source: `${SOURCE}, BGPAdvertisementsHaveCompatibleLocalPref`,
  kinds: [ADVERTISEMENT],
  trap: true,
  example: replaced(
    documents(`${ADVERTISEMENT_TEXT}  localPref: 100\n`, `${ADVERTISEMENT_TEXT.replace('{name: tenants,', '{name: other,')}  localPref: 100\n`, POOL_TEXT), 'localPref: 100', 'localPref: 200',
  ),
  check: (object, index) => {
    const others = index.allIn(ADVERTISEMENT, namespaceOf(object));
    const before = others.slice(0, Math.max(0, others.indexOf(object)));
    const other = before.find((one) => (
      preferenceOf(one) !== preferenceOf(object) && [one, object].every(isForAll) && haveOneLength(one, object) && sharePeers(one, object)
      && poolsOf(one, index).some((pool) => poolsOf(object, index).includes(pool))));
    return other === undefined ? [] : [{
      path: ['spec', ...isSet(object, 'spec', 'localPref') ? ['localPref'] : []],
      message: `the BGPAdvertisement "${nameOf(other)}" has ${preferenceOf(other)} for routes of the same pool and length`,
      fix: 'write the same preference, or another aggregation length or other peers',
    }];
  },
};

function preferenceOf(advertisement: ManifestObject): number {
  return numberAt(advertisement, 'spec', 'localPref') ?? 0;
}

/** True if an advertisement is for all Services and all nodes: those of others are not known. */
function isForAll(advertisement: ManifestObject): boolean {
  return ['serviceSelectors', 'nodeSelectors'].every((field) => listAt(advertisement, 'spec', field).length === 0);
}

function haveOneLength(one: ManifestObject, other: ManifestObject): boolean {
  return Object.values(LENGTHS).every(([field, whole]) => (fieldAt(one, 'spec', field) ?? whole) === (fieldAt(other, 'spec', field) ?? whole));
}

function sharePeers(one: ManifestObject, other: ManifestObject): boolean {
  const [own, others] = [one, other].map((advertisement) => listAt(advertisement, 'spec', 'peers'));
  return own.length === 0 || others.length === 0 || own.some((peer) => others.includes(peer));
}

/** Rules over advertisements and their pools. */
export const BGP_ADVERTISEMENTS: readonly ManifestRule[] = [aggregate, preference];

