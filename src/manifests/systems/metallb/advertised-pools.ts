import { PREFIXES } from './annotations';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { SelectedObjects } from '../../rules/label-selectors';
import { Lookup, ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { missing } from '../../rules/references/missing-references';
import { fieldAt, isFields, listAt, stringAt, stringsAt } from '../../values/fields';

export const IP_ADDRESS_POOL = 'metallb.io/IPAddressPool';
const ADVERTISEMENTS: readonly string[] = ['metallb.io/BGPAdvertisement', 'metallb.io/L2Advertisement'];

/** Annotations of Services that name a pool. */
const POOL_ANNOTATIONS: readonly string[] = PREFIXES.map((prefix) => `${prefix}address-pool`);

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
      return name === undefined || POOLS_BY_NAME.find(index, name).length > 0 ? [] : [{ name, path, namespace: namespaceOf(pools[0]) }];
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
    const all = ADVERTISED.find(index, namespaceOf(object));
    return all.length === 0 || advertisedBy(all, namespaceOf(object), index).has(object) ? [] : [{
      path: ['metadata', 'name'],
      message: `none of the advertisements that were read (${all.map((one) => nameOf(one)).join(', ')}) is for this pool`,
      fix: 'add an L2Advertisement or a BGPAdvertisement that names the pool',
    }];
  },
};

const POOLS_BY_NAME = new Lookup([IP_ADDRESS_POOL], (pool) => [nameOf(pool)]);
const ADVERTISED = new Lookup(ADVERTISEMENTS, (one) => [namespaceOf(one)]);
const BY_LABELS = new SelectedObjects((pool) => {
  const labels = fieldAt(pool, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
});

/** The pools of the advertisements of a namespace. */
const ADVERTISED_BY = new WeakMap<readonly ManifestObject[], ReadonlySet<ManifestObject>>();

/** The pools that advertisements of a namespace name or select; all of them, if one has neither names nor selectors. */
function advertisedBy(advertisements: readonly ManifestObject[], namespace: string | undefined, index: ManifestIndex): ReadonlySet<ManifestObject> {
  let found = ADVERTISED_BY.get(advertisements);
  if (!found) {
    const all = index.allIn(IP_ADDRESS_POOL, namespace);
    const isForAll = advertisements.some((one) => namesNone(one) || namesMissing(one, namespace, index));
    ADVERTISED_BY.set(advertisements, found = new Set(isForAll ? all : advertisements.flatMap((one) => [
      ...stringsAt(one, 'spec', 'ipAddressPools').flatMap(([name]) => POOLS_BY_NAME.find(index, name)),
      ...listAt(one, 'spec', 'ipAddressPoolSelectors').flatMap((selector) => BY_LABELS.of(all, selector)),
    ])));
  }
  return found;
}

/** The pools of one advertisement. */
export function poolsOf(advertisement: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  const all = index.allIn(IP_ADDRESS_POOL, namespaceOf(advertisement));
  if (namesNone(advertisement)) return all;
  const names = new Set(stringsAt(advertisement, 'spec', 'ipAddressPools').map(([name]) => name));
  const selected = listAt(advertisement, 'spec', 'ipAddressPoolSelectors').flatMap((selector) => BY_LABELS.of(all, selector));
  return all.filter((pool) => names.has(nameOf(pool) ?? '') || selected.includes(pool));
}

function namesNone(advertisement: ManifestObject): boolean {
  return listAt(advertisement, 'spec', 'ipAddressPools').length === 0 && listAt(advertisement, 'spec', 'ipAddressPoolSelectors').length === 0;
}

/** True if an advertisement names a pool that is missing. Such a name is reported where it is. */
function namesMissing(advertisement: ManifestObject, namespace: string | undefined, index: ManifestIndex): boolean {
  return stringsAt(advertisement, 'spec', 'ipAddressPools').some(([name]) => !index.find(IP_ADDRESS_POOL, namespace, name));
}

/** Rules over the pools that Services get addresses of. */
export const ADVERTISED_POOLS: readonly ManifestRule[] = [named, advertised];
