import { AddressPool } from './cluster-model';
import { compareTexts } from './place';
import { ManifestIndex } from '../rules/manifest-index';
import { machinesOfPool, poolsOf } from '../validation/address-pools/pool-index';
import { totalDemand } from '../values/address-demand';
import { addressCount } from '../values/address-ranges';

/** The pools of addresses for machines of a management cluster, with what machines take of them. */
export function addressPoolsOf(index: ManifestIndex): AddressPool[] {
  return poolsOf(index).filter(({ receivers }) => receivers === undefined).map((pool): AddressPool => {
    const machines = machinesOfPool(pool, index);
    return {
      kind: pool.kind.slice(pool.kind.indexOf('/') + 1),
      namespace: pool.namespace,
      name: pool.name,
      addresses: pool.ranges && addressCount(pool.ranges),
      taken: { minimum: machines.reduce((sum, { fewest, each }) => sum + fewest * each, 0), maximum: totalDemand(machines) },
      machines: machines.map(({ name }) => name).sort(compareTexts),
    };
  }).sort((one, other) => compareTexts(one.namespace ?? '', other.namespace ?? '') || compareTexts(one.name, other.name) || compareTexts(one.kind, other.kind));
}
