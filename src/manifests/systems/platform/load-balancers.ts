import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, listAt, stringAt } from '../../values/fields';
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

/** What MetalLB announces. */
export const LOAD_BALANCERS: readonly ManifestRule[] = [connectTime, aggregation];
