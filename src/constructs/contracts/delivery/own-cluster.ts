import { DELIVERY_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';

/**
 * The problem of a delivery that cannot deliver into the cluster that its own objects are in.
 *
 * @param property what was to be delivered
 * @param deliverer what delivers, e.g. `a ClusterResourceSet`
 * @param better what can do it
 */
export function ownCluster(property: string, deliverer: string, better: string): Problem {
  return {
    rule: DELIVERY_RULES.ownCluster,
    property,
    message: `${deliverer} reaches clusters that Cluster API has made, and not the management cluster itself`,
    fix: `give it ${better}`,
  };
}
