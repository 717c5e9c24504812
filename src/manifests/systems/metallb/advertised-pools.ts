import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { selects } from '../../rules/label-selectors';
import { ManifestRule } from '../../rules/manifest-rule';
import { missing } from '../../rules/references/missing-references';
import { fieldAt, isFields, listAt, stringAt, stringsAt } from '../../values/fields';

export const IP_ADDRESS_POOL = 'metallb.io/IPAddressPool';
const ADVERTISEMENTS: readonly string[] = ['metallb.io/BGPAdvertisement', 'metallb.io/L2Advertisement'];

/** Annotations of Services that name a pool; the second is the older one. */
const POOL_ANNOTATIONS: readonly string[] = ['metallb.io/address-pool', 'metallb.universe.tf/address-pool'];

const POOL_TEXT = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata:
  name: tenants
  namespace: metallb-system
spec:
  addresses: [192.0.2.20-192.0.2.40]
`;
const ADVERTISEMENT_TEXT = `apiVersion: metallb.io/v1beta1
kind: L2Advertisement
metadata:
  name: tenants
  namespace: metallb-system
spec:
  ipAddressPools: [tenants]
`;

const named: ManifestRule = {
  id: 'TC-TRAP-METALLB-POOL',
  title: 'The pools that an advertisement or a Service of MetalLB names should be among the manifests where others are: a Service gets no address of a pool that is missing.',
  source: 'metallb/metallb api/v1beta1/l2advertisement_types.go (IPAddressPools), controller/service.go (AnnotationAddressPool), '
    + 'internal/allocator/allocator.go (AllocateFromPool), v0.16.1',
  kinds: [...ADVERTISEMENTS, '/Service'],
  trap: true,
  warning: true,
  elsewhere: true,
  example: replaced(documents(POOL_TEXT, ADVERTISEMENT_TEXT), 'ipAddressPools: [tenants]', 'ipAddressPools: [tenants, hosts]'),
  check: (object, index) => {
    const pools = index.all(IP_ADDRESS_POOL);
    if (pools.length === 0) return [];
    const listed = stringsAt(object, 'spec', 'ipAddressPools').map(([name, position]) => ({ name, path: ['spec', 'ipAddressPools', position] }));
    // A Service may be in any namespace.
    const annotated = POOL_ANNOTATIONS.flatMap((annotation) => {
      const path = ['metadata', 'annotations', annotation];
      const name = stringAt(object, ...path);
      return name === undefined || pools.some((pool) => nameOf(pool) === name) ? [] : [{ name, path, namespace: namespaceOf(pools[0]) }];
    });
    return [...listed, ...annotated].flatMap((wanted) => missing(object, index, { kind: IP_ADDRESS_POOL, ...wanted }));
  },
};

const advertised: ManifestRule = {
  id: 'TC-TRAP-METALLB-UNADVERTISED',
  title: 'A pool of MetalLB should have an advertisement: no machine answers at the addresses that Services get otherwise.',
  source: 'metallb/metallb internal/config/config.go (setL2AdvertisementsToPools, setBGPAdvertisementsToPools), v0.16.1',
  kinds: [IP_ADDRESS_POOL],
  trap: true,
  warning: true,
  elsewhere: true,
  example: replaced(documents(POOL_TEXT, ADVERTISEMENT_TEXT), 'ipAddressPools: [tenants]', 'ipAddressPoolSelectors: [{matchLabels: {pool: tenants}}]'),
  check: (object, index) => {
    const all = ADVERTISEMENTS.flatMap((kind) => index.all(kind)).filter((one) => namespaceOf(one) === namespaceOf(object));
    const isKnown = (name: string) => index.find(IP_ADDRESS_POOL, namespaceOf(object), name) !== undefined;
    // A name that is wrong is reported where it is.
    const isWrong = (one: ManifestObject) => stringsAt(one, 'spec', 'ipAddressPools').some(([name]) => !isKnown(name));
    return all.length === 0 || all.some((one) => advertises(one, object) || isWrong(one)) ? [] : [{
      path: ['metadata', 'name'],
      message: `none of the advertisements that were read (${all.map((one) => nameOf(one)).join(', ')}) is for this pool`,
      fix: 'add an L2Advertisement or a BGPAdvertisement that names the pool',
    }];
  },
};

/** True if an advertisement is for a pool: it names or selects it, or has neither names nor selectors. */
function advertises(advertisement: ManifestObject, pool: ManifestObject): boolean {
  const names = listAt(advertisement, 'spec', 'ipAddressPools');
  const selectors = listAt(advertisement, 'spec', 'ipAddressPoolSelectors');
  const labels = fieldAt(pool, 'metadata', 'labels');
  return (names.length === 0 && selectors.length === 0) || names.includes(nameOf(pool))
    || selectors.some((selector) => selects(selector, isFields(labels) ? labels : {}));
}

/** Rules over the pools that Services get addresses of. */
export const ADVERTISED_POOLS: readonly ManifestRule[] = [named, advertised];
