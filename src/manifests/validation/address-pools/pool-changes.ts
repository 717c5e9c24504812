import { machinesOfPool, PlacedPool, poolKinds, poolsIn } from './pool-index';
import { POOL_EXAMPLES } from './pool-rules';
import { ManifestObject, nameOf, objectName } from '../../objects/manifest-object';
import { isKept } from '../../objects/prune-annotations';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { documents, edited } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { addressCount, formatAddressRange, remainingRanges } from '../../values/address-ranges';
import { Finding } from '../../values/finding';

const { pool: POOL_TEXT, template: TEMPLATE_TEXT, machines: MACHINES_TEXT } = POOL_EXAMPLES;
const LARGE = edited(POOL_TEXT, { '192.0.2.13': '192.0.2.60' });

const WEBHOOKS = 'kubernetes-sigs/cluster-api-ipam-provider-in-cluster internal/webhooks/inclusterippool.go (ValidateUpdate), '
  + 'metal3-io/ip-address-manager internal/webhooks/v1alpha1/ippool_webhook.go (ValidateUpdate)';

/** Number of ranges that a finding names. */
const MOST_NAMED = 3;

const shrunk: TransitionRule = {
  id: 'TC-CHANGE-ADDRESS-POOL-SHRUNK',
  title: 'A pool that machines use must keep their addresses: the webhook refuses to take away one that a machine has.',
  source: WEBHOOKS,
  get kinds() { return poolKinds(); },
  warning: true,
  example: {
    before: documents(LARGE, TEMPLATE_TEXT, MACHINES_TEXT),
    failing: documents(edited(LARGE, { '.10-': '.30-' }), TEMPLATE_TEXT, MACHINES_TEXT),
    corrected: documents(edited(LARGE, { '192.0.2.60': '192.0.2.90' }), TEMPLATE_TEXT, MACHINES_TEXT),
  },
  check: ({ before, after, old }) => {
    if (!before || !after) return [];
    return poolsIn(after).flatMap((pool): Finding[] => {
      const lost = lostRanges(poolsIn(before).find((one) => one.name === pool.name), pool);
      const machines = lost.length > 0 ? machinesOfPool(pool, old) : [];
      if (machines.every(({ machines: most }) => most === 0) || keptTooFew(before, pool, old)) return [];
      const names = lost.slice(0, MOST_NAMED).map(formatAddressRange).join(', ');
      const more = lost.length > MOST_NAMED ? ` and ${lost.length - MOST_NAMED} more ranges` : '';
      return [{
        path: pool.path,
        message: `it loses ${names}${more}, and the change is refused if one of the machines of ${machines.map(({ name }) => name).join(', ')} has such an address`,
        fix: 'replace the machines that have these addresses before, by a pool of another name, or keep the addresses',
      }];
    });
  },
};

const tooSmall: TransitionRule = {
  id: 'TC-CHANGE-ADDRESS-POOL-USED',
  title: 'A pool must keep as many of its addresses as it has machines at least: the webhook refuses the change otherwise.',
  source: WEBHOOKS,
  get kinds() { return poolKinds(); },
  trap: true,
  example: {
    before: documents(LARGE, TEMPLATE_TEXT, MACHINES_TEXT),
    failing: documents(edited(LARGE, { '192.0.2.10-192.0.2.60': '192.0.2.60-192.0.2.90' }), TEMPLATE_TEXT, MACHINES_TEXT),
    corrected: documents(edited(LARGE, { '192.0.2.60': '192.0.2.90' }), TEMPLATE_TEXT, MACHINES_TEXT),
  },
  check: ({ before, after, old }) => {
    if (!before || !after) return [];
    return poolsIn(after).flatMap((pool): Finding[] => {
      const few = keptTooFew(before, pool, old);
      return few ? [{
        path: pool.path,
        message: `it keeps ${few.kept} of its addresses, and ${few.names} have ${few.fewest} at least`,
        fix: 'add addresses, and take others away when no machine has them',
      }] : [];
    });
  },
};

/** The numbers of a pool that keeps fewer of its addresses than it has machines. */
interface KeptAddresses {
  readonly kept: bigint;
  readonly fewest: number;

  /** The machines. */
  readonly names: string;
}

/** Compares what a pool keeps with its machines; undefined if it keeps enough. */
function keptTooFew(before: ManifestObject, pool: PlacedPool, old: ManifestIndex): KeptAddresses | undefined {
  const former = poolsIn(before).find(({ name }) => name === pool.name);
  if (!former?.ranges || !pool.ranges) return undefined;
  const kept = addressCount(former.ranges) - addressCount(lostRanges(former, pool));
  const machines = machinesOfPool(pool, old);
  const fewest = machines.reduce((sum, { fewest: count, each }) => sum + count * each, 0);
  return BigInt(fewest) <= kept ? undefined : { kept, fewest, names: machines.map(({ name }) => name).join(', ') };
}

/** Addresses that a pool gave away, and does not any more. */
function lostRanges(before: PlacedPool | undefined, after: PlacedPool) {
  return before?.ranges && after.ranges ? remainingRanges(before.ranges, after.ranges) : [];
}

const removed: TransitionRule = {
  id: 'TC-CHANGE-ADDRESS-POOL-REMOVED',
  title: 'A pool must stay as long as machines take addresses from it: new machines get none otherwise, and the removal hangs or is refused.',
  source: 'kubernetes-sigs/cluster-api-ipam-provider-in-cluster internal/webhooks/inclusterippool.go (ValidateDelete), '
    + 'internal/controllers/inclusterippool.go (finalizer), metal3-io/ip-address-manager controllers/ippool_controller.go (finalizer)',
  get kinds() { return poolKinds(); },
  trap: true,
  example: {
    before: documents(LARGE, TEMPLATE_TEXT, MACHINES_TEXT),
    failing: documents(TEMPLATE_TEXT, MACHINES_TEXT),
    corrected: LARGE,
  },
  check: ({ before, old, now, after }) => {
    // One that is marked to stay is still in the cluster.
    if (!before || (!after && isKept(before))) return [];
    const left = new Set(after ? poolsIn(after).map(({ name }) => name) : []);
    return poolsIn(before).filter(({ name }) => !left.has(name)).flatMap((pool): Finding[] => {
      const [user] = machinesStill(pool, old, now);
      return user === undefined ? [] : [{
        path: after ? pool.path : [],
        message: `the pool "${pool.name}" is gone, and ${user} takes addresses from it`,
        fix: 'put it back until no machine has an address of it',
      }];
    });
  },
};

/** The groups of machines that took addresses from a pool and still do. */
function machinesStill(pool: PlacedPool, old: ManifestIndex, now: ManifestIndex): string[] {
  const before = machinesOfPool(pool, old).map(({ owner }) => nameOf(owner));
  return machinesOfPool(pool, now).filter(({ owner, machines }) => machines > 0 && before.includes(nameOf(owner)))
    .map(({ owner }) => objectName(owner));
}

/** Rules over changes of pools of addresses of any system. */
export const ADDRESS_POOL_CHANGES: readonly TransitionRule[] = [shrunk, tooSmall, removed];
