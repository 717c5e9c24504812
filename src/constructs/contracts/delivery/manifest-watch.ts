import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterDeliveries } from './cluster-deliveries';
import { ManifestDelivery } from './delivery';
import { DeliveryTarget } from './delivery-target';
import { apiObjects, renderManifests } from './tenant-manifests';
import { Problems } from '../../app/problems/problems';
import { keepIf } from '../../app/synth/child-order';
import { onPrepare } from '../../app/synth/synthesis';

/**
 * Keeps the object that makes others read the manifests from a repository for as long as there are any: a folder without files is not
 * in a repository.
 *
 * @param scope where problems are reported
 * @param object the object
 * @param delivery the manifests
 * @param target the cluster they go to
 */
export function carryWhenFilled(scope: Construct, object: ApiObject, { name, manifests }: ManifestDelivery, target: DeliveryTarget): void {
  const filled = () => apiObjects(manifests).length > 0;
  ClusterDeliveries.of(scope, target).fill(name, filled);
  onPrepare(object, () => keepIf(object, filled()));
  Problems.of(scope)._addCheck(() => [...renderManifests(manifests, `manifests["${name}"]`).problems]);
}
