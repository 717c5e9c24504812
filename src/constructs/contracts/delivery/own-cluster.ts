import { Problem, Rule } from '../../../manifests/values/problem';

const DELIVERY_OWN_CLUSTER_RULE: Rule = {
  id: 'TC-DELIVERY-OWN-CLUSTER',
  title: 'What goes into the management cluster itself is delivered by Flux or Argo CD: Cluster API delivers to its clusters only.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/tasks/cluster-resource-set.md, kubernetes-sigs/cluster-api-addon-provider-helm docs/quick-start.md',
};

/**
 * The problem of a delivery that cannot deliver into the cluster that its own objects are in.
 *
 * @param property what was to be delivered
 * @param deliverer what delivers, e.g. `a ClusterResourceSet`
 * @param better what can do it
 */
export function ownCluster(property: string, deliverer: string, better: string): Problem {
  return {
    rule: DELIVERY_OWN_CLUSTER_RULE,
    property,
    message: `${deliverer} reaches clusters that Cluster API has made, and not the management cluster itself`,
    fix: `give it ${better}`,
  };
}
