import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { AddressPoolFacts, AddressPoolUse } from '../../rules/address-pools';
import { groupSize } from '../../rules/cluster-api/group-size';
import { ManifestIndex, namespacesFor } from '../../rules/manifest-index';
import { machineOwnersOf } from '../../rules/references/object-references';
import { providers } from '../../systems/providers';
import { AddressDemand } from '../../values/address-demand';
import { AddressRange } from '../../values/address-ranges';
import { IpFamily } from '../../values/ip-address';

/** A pool of addresses, and the object that states it. */
export interface PlacedPool extends AddressPoolFacts {
  readonly object: ManifestObject;
}

/** A template whose machines take addresses from a pool. */
export interface PoolUser {
  readonly template: ManifestObject;
  readonly use: AddressPoolUse;
}

/** Machines that take addresses from a pool. */
export interface PoolMachines extends AddressDemand {
  /** The pool of nodes or the control plane that makes them. */
  readonly owner: ManifestObject;

  /** Smallest number of machines. */
  readonly fewest: number;
}

/** The kinds of objects that state pools of addresses. */
export function poolKinds(): string[] {
  return distinct(providers().flatMap(({ addressPools = {} }) => Object.keys(addressPools)));
}

/** The kinds of templates whose machines take addresses from pools. */
export function userKinds(): string[] {
  return distinct(providers().flatMap(({ addressUses = {} }) => Object.keys(addressUses)));
}

/** The pools of addresses that an object states. */
export function poolsIn(object: ManifestObject): PlacedPool[] {
  const kind = groupKind(object);
  const read = providers().map(({ addressPools = {} }) => addressPools[kind]).find((one) => one !== undefined);
  return (read?.(object) ?? []).map((facts) => ({ ...facts, object }));
}

/** The pools that machines of a template take addresses from. */
export function poolUsesOf(template: ManifestObject, index: ManifestIndex): readonly AddressPoolUse[] {
  const kind = groupKind(template);
  return providers().map(({ addressUses = {} }) => addressUses[kind]).find((one) => one !== undefined)?.(template, index) ?? [];
}

const POOLS = new WeakMap<ManifestIndex, readonly PlacedPool[]>();

/** All pools of addresses of a management cluster. */
export function poolsOf(index: ManifestIndex): readonly PlacedPool[] {
  let pools = POOLS.get(index);
  if (!pools) POOLS.set(index, pools = poolKinds().flatMap((kind) => index.all(kind)).flatMap(poolsIn));
  return pools;
}

/** Ranges of the pools of an index, by their first addresses. */
interface SortedRanges {
  readonly ranges: readonly (AddressRange & { readonly position: number })[];

  /** The highest last address up to each range. */
  readonly highest: readonly bigint[];
}

const RANGES = new WeakMap<readonly PlacedPool[], ReadonlyMap<IpFamily, SortedRanges>>();

/** The pools of a list that have an address of some ranges, in the order of the list. */
export function poolsWithin(pools: readonly PlacedPool[], wanted: readonly AddressRange[] = []): readonly PlacedPool[] {
  let families = RANGES.get(pools);
  if (!families) RANGES.set(pools, families = sortedRanges(pools));
  const found = new Set<number>();
  for (const { family, first, last } of wanted) {
    const { ranges, highest } = families.get(family) ?? NO_RANGES;
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (ranges[middle].first <= last) low = middle + 1;
      else high = middle;
    }
    for (let at = low - 1; at >= 0 && highest[at] >= first; at--) {
      if (ranges[at].last >= first) found.add(ranges[at].position);
    }
  }
  return [...found].sort((one, other) => one - other).map((position) => pools[position]);
}

const NO_RANGES: SortedRanges = { ranges: [], highest: [] };

function sortedRanges(pools: readonly PlacedPool[]): ReadonlyMap<IpFamily, SortedRanges> {
  const all = pools.flatMap(({ ranges = [] }, position) => ranges.map((range) => ({ ...range, position })));
  all.sort((one, other) => (one.first < other.first ? -1 : Number(one.first > other.first)));
  return new Map([...new Set(all.map(({ family }) => family))].map((family) => {
    const ranges = all.filter((range) => range.family === family);
    let most = -1n;
    return [family, { ranges, highest: ranges.map(({ last }) => (most = last > most ? last : most)) }];
  }));
}

/** The pool that a template refers to, if it is among the manifests. */
export function poolOf({ kind, name }: AddressPoolUse, template: ManifestObject, index: ManifestIndex): PlacedPool | undefined {
  const namespaces = [...namespacesFor(namespaceOf(template)), undefined];
  const found = poolsOf(index).filter((pool) => pool.kind === kind && pool.name === name && namespaces.includes(pool.namespace));
  return found.find((pool) => pool.namespace === namespaceOf(template)) ?? found[0];
}

const USERS = new WeakMap<ManifestIndex, ReadonlyMap<string, readonly PoolUser[]>>();

/** The templates whose machines take addresses from a pool. */
function usersOfPool(pool: AddressPoolFacts, index: ManifestIndex): readonly PoolUser[] {
  let users = USERS.get(index);
  if (!users) USERS.set(index, users = collectUsers(index));
  return users.get(keyOf(pool)) ?? [];
}

function collectUsers(index: ManifestIndex): ReadonlyMap<string, readonly PoolUser[]> {
  const users = new Map<string, PoolUser[]>();
  for (const template of userKinds().flatMap((kind) => index.all(kind))) {
    for (const use of poolUsesOf(template, index)) {
      const pool = poolOf(use, template, index);
      const key = keyOf(pool ?? { ...use, namespace: namespaceOf(template) });
      users.set(key, [...users.get(key) ?? [], { template, use }]);
    }
  }
  return users;
}

function keyOf({ kind, name, namespace }: Pick<AddressPoolFacts, 'kind' | 'name' | 'namespace'>): string {
  return JSON.stringify([kind, name, namespace]);
}

/** The machines that take addresses from a pool, at the largest sizes of their groups. */
export function machinesOfPool(pool: AddressPoolFacts, index: ManifestIndex): PoolMachines[] {
  return usersOfPool(pool, index).flatMap(({ template, use: { each } }) => distinct(machineOwnersOf(template, index)).map((owner) => {
    return { owner, name: nameOf(owner) ?? '', ...groupSize(owner), each };
  }));
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
