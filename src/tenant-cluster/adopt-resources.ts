import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterContext } from '../cluster-context';
import { CLUSTER_RULES } from './rules';
import { keepOnPrune } from '../delivery/marks';
import { Problem } from '../validation/problem';
import { Problems } from '../validation/problems';

/** The objects that strategies made for the parts of a cluster. */
interface Resources {
  readonly controlPlane: ApiObject;
  readonly infrastructure: ApiObject;
}

/**
 * Takes the objects of control plane and infrastructure into a cluster, whoever made them: marks them against pruning, since Cluster API
 * still needs them when `decommission` leaves them out, and checks that they are those that others look for.
 */
export function adoptResources(cluster: Construct, context: ClusterContext, { controlPlane, infrastructure }: Resources): void {
  [controlPlane, infrastructure].forEach(keep);
  Problems.of(cluster)._addCheck(() => [
    ...checkResource('controlPlane', controlPlane, controlPlane.kind, context),
    ...checkResource('infrastructure', infrastructure, context.infrastructure.clusterKind, context),
  ]);
}

/** What the strategy says itself stays. */
function keep(object: ApiObject): void {
  const { annotations = {} } = object.metadata.toJson() as { annotations?: { [key: string]: string } };
  Object.entries(keepOnPrune()).filter(([key]) => annotations[key] === undefined)
    .forEach(([key, value]) => object.metadata.addAnnotation(key, value));
}

function checkResource(property: string, object: ApiObject, kind: string, { name, namespace }: ClusterContext): Problem[] {
  const { namespace: own = '' } = object.metadata;
  return object.kind === kind && object.name === name && own === namespace ? [] : [{
    rule: CLUSTER_RULES.resource,
    property,
    message: `the strategy made the ${object.kind} "${object.name}" in namespace "${own}", `
      + `and the cluster has the ${kind} "${name}" in namespace "${namespace}"`,
    fix: 'correct what bind of the strategy makes, or what its capabilities say',
  }];
}
