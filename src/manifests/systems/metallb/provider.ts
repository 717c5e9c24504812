import { ADDRESSES, poolRange } from './addresses';
import { ADVERTISED_POOLS, IP_ADDRESS_POOL } from './advertised-pools';
import { METALLB_ANNOTATIONS } from './annotations';
import { BGP_ADVERTISEMENTS } from './bgp-advertisements';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { AddressPoolFacts } from '../../rules/address-pools';
import { keeps } from '../../rules/changes/kept-fields';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { changedText, replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { fieldAt, listAt, stringAt, stringsAt } from '../../values/fields';
import { parseGoDuration } from '../../values/go-duration';

const SOURCE = 'metallb/metallb config/crd/bases (x-kubernetes-validations)';
const SECOND = 1_000_000_000n;
const LONGEST_SECONDS = 65_535n;

/** The lengths that stand for one address, which are the defaults. */
const WHOLE: Readonly<Record<string, number>> = { aggregationLength: 32, aggregationLengthV6: 128 };

const PEER_TEXT = `apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata:
  name: rack-7
  namespace: metallb-system
spec:
  myASN: 64500
  peerASN: 64501
  peerAddress: 192.0.2.1
  connectTime: 10s
`;
const ADVERTISEMENT_TEXT = `apiVersion: metallb.io/v1beta1
kind: BGPAdvertisement
metadata:
  name: tenants
  namespace: metallb-system
spec:
  serviceSelectors:
    - matchLabels: {example.com/advertised: "true"}
`;

const connectTime: ManifestRule = {
  id: 'TC-ADMIT-METALLB-CONNECT-TIME',
  title: 'The connect time of a BGPPeer of MetalLB must be 1 to 65535 whole seconds.',
  source: SOURCE,
  kinds: ['metallb.io/BGPPeer'],
  example: replaced(PEER_TEXT, '10s', '1500ms'),
  check: (object) => {
    const path = ['spec', 'connectTime'];
    const time = stringAt(object, ...path);
    const duration = time === undefined ? undefined : parseGoDuration(time);
    const isRight = duration !== undefined && duration % SECOND === 0n && duration >= SECOND && duration <= LONGEST_SECONDS * SECOND;
    return time === undefined || isRight ? [] : [{ path, message: `${JSON.stringify(time)} is not such a time`, accepted: '"1s" to "65535s"', fix: 'write whole seconds, such as "10s"' }];
  },
};

const aggregation: ManifestRule = {
  id: 'TC-ADMIT-METALLB-AGGREGATION',
  title: 'A BGPAdvertisement with service selectors announces single addresses, and cannot have an aggregation length.',
  source: SOURCE,
  kinds: ['metallb.io/BGPAdvertisement'],
  example: replaced(ADVERTISEMENT_TEXT, 'spec:\n', 'spec:\n  aggregationLength: 24\n'),
  check: (object) => (listAt(object, 'spec', 'serviceSelectors').length === 0 ? [] : Object.entries(WHOLE)
    .filter(([field, whole]) => (fieldAt(object, 'spec', field) ?? whole) !== whole).map(([field, whole]) => ({
      path: ['spec', field], message: `${JSON.stringify(fieldAt(object, 'spec', field))} bits stand for several addresses, and serviceSelectors select some of them`, accepted: `${whole}`, fix: `remove ${field}, or serviceSelectors`,
    }))),
};

const RESTARTING_PEER_TEXT = `apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata:
  name: rack
  namespace: metallb-system
spec:
  myASN: 64512
  peerASN: 64513
  peerAddress: 192.0.2.1
  enableGracefulRestart: false
`;

const gracefulRestart: TransitionRule = {
  id: 'TC-CHANGE-BGP-PEER',
  title: 'Graceful restart of a BGPPeer of MetalLB cannot be switched on or off.',
  source: 'x-kubernetes-validations of the definition: metallb/metallb config/crd/bases/metallb.io_bgppeers.yaml',
  kinds: ['metallb.io/BGPPeer'],
  example: changedText(RESTARTING_PEER_TEXT, { 'Restart: false': 'Restart: true' }, { 'Restart: false': 'Restart: true', 'name: rack': 'name: rack-2' }),
  check: keeps([{ path: ['spec', 'enableGracefulRestart'], maySet: true, mayUnset: true }], 'keep it, or give the object another name'),
};

function poolFacts(object: ManifestObject): readonly AddressPoolFacts[] {
  const name = nameOf(object);
  const ranges = stringsAt(object, 'spec', 'addresses').map(([text]) => poolRange(text)).filter((range) => range !== undefined);
  return name === undefined ? [] : [{
    kind: IP_ADDRESS_POOL, name, namespace: namespaceOf(object), path: ['spec', 'addresses'], ranges, receivers: 'Services',
  }];
}

/** MetalLB. */
export const METALLB: Provider = {
  name: 'metallb',
  title: 'MetalLB',
  kinds: ['BGPAdvertisement', 'BGPPeer', 'IPAddressPool', 'L2Advertisement'].map((kind) => ({ kind: `metallb.io/${kind}` })),
  namespaces: { 'metallb-system': 'MetalLB runs there' },
  annotations: METALLB_ANNOTATIONS,
  rules: [connectTime, aggregation, ...ADVERTISED_POOLS, ...ADDRESSES, ...BGP_ADVERTISEMENTS],
  addressPools: { [IP_ADDRESS_POOL]: poolFacts },
  changes: [gracefulRestart],
};
