import { joinName } from '../../../manifests/values/object-name';
import { ClusterIdentity } from '../../contracts/cluster-context';

/** Value of `app.kubernetes.io/component` on the pods of all controllers that work on a tenant from the management cluster. */
export const TENANT_CONTROLLER_COMPONENT = 'tenant-controller';

/** Name of a controller's objects in the namespace of its cluster. */
export function controllerName(cluster: ClusterIdentity, controller: string): string {
  return joinName(cluster.name, controller);
}

/**
 * Name of a controller's cluster-scoped objects.
 *
 * Namespaces and clusters are DNS labels without dots, so the name is unique. Both have at most 63 characters of the 253 that such a name
 * may have.
 */
export function clusterScopedName(cluster: ClusterIdentity, controller: string): string {
  return `${cluster.namespace}.${cluster.name}.${controller}`;
}

/** Selector labels of a controller's Deployment. They are immutable. */
export function selectorLabels(cluster: ClusterIdentity, controller: string): { [key: string]: string } {
  return { 'app.kubernetes.io/name': controller, 'app.kubernetes.io/instance': cluster.name };
}

/** Labels of a controller's objects and of its pod. */
export function controllerLabels(cluster: ClusterIdentity, controller: string): { [key: string]: string } {
  return {
    ...selectorLabels(cluster, controller),
    'app.kubernetes.io/component': TENANT_CONTROLLER_COMPONENT,
    'cluster.x-k8s.io/cluster-name': cluster.name,
  };
}
