import { Construct } from 'constructs';
import { ClusterResourceSetSpecStrategy } from '../../../../imports/addons.cluster.x-k8s.io';
import { joinName } from '../../../manifests/values/object-name';
import { tenantChart } from '../../addons/tenant-chart';
import { placePart } from '../../app/synth/output-place';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { ClusterDeliveries } from '../../contracts/delivery/cluster-deliveries';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { deliverByResourceSet } from '../cluster-resource-set/resource-set';

const NAME = 'flux-access';
const GROUP = 'rbac.authorization.k8s.io';

/**
 * Gives the ServiceAccount that Flux impersonates its rights in a tenant. Cluster API applies the binding, since Flux has no rights before. In the
 * management cluster the account has none: without it, the kustomize-controller would prune nothing when a Kustomization is deleted.
 *
 * Source: fluxcd/pkg runtime/client/impersonator.go (CanImpersonate), v0.110.1.
 *
 * @param scope where to put the objects
 * @param serviceAccount the name of the account, in the namespace of the objects of Flux
 * @param target the tenant
 */
export function grantAccess(scope: Construct, serviceAccount: string, target: DeliveryTarget): void {
  // Another delivery of the cluster may have the same mode.
  if (ClusterDeliveries.of(scope, target).unknown([NAME]).length === 0) return;
  const account = placePart(new Construct(scope, 'FluxAccount'), `addons/${NAME}`);
  new TypedApiObject(account, 'ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount' }, {
    metadata: { name: serviceAccount }, automountServiceAccountToken: false,
  });
  const manifests = tenantChart(scope, NAME);
  new TypedApiObject(manifests, 'ClusterRoleBinding', { apiVersion: `${GROUP}/v1`, kind: 'ClusterRoleBinding' }, {
    metadata: { name: joinName('flux', target.namespace, serviceAccount) },
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: serviceAccount, namespace: target.namespace }],
  });
  deliverByResourceSet(scope, { name: NAME, manifests, after: { names: [] } }, target, ClusterResourceSetSpecStrategy.RECONCILE);
}
