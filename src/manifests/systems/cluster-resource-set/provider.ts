import { CLUSTER_RESOURCE_SETS } from './rules/cluster-resource-sets';
import { RESOURCE_SET_CHANGES } from './rules/resource-set-changes';
import { DeliveredPacks } from '../../objects/known-kinds';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { clusterTarget } from '../../objects/packed-manifests';
import { Effect, effectsOfFields } from '../../rules/changes/effects';
import { CLUSTER_RESOURCE_SET } from '../../rules/cluster-api/cluster-api-kinds';
import { Provider } from '../../rules/provider';
import { fieldAt, objectsAt, stringAt } from '../../values/fields';

/** ClusterResourceSets of Cluster API. */
export const RESOURCE_SETS: Provider = {
  name: 'cluster-resource-set',
  title: 'ClusterResourceSet',
  kinds: [{ kind: CLUSTER_RESOURCE_SET, managementOnly: true, packs }, { kind: 'addons.cluster.x-k8s.io/ClusterResourceSetBinding', validatedByWebhook: true }],
  rules: [...CLUSTER_RESOURCE_SETS],
  changes: RESOURCE_SET_CHANGES,
  effects: { [CLUSTER_RESOURCE_SET]: effectsOfFields({ 'metadata': Effect.IN_PLACE, 'spec.resources': { effect: Effect.IN_PLACE, word: 'contents' } }) },
  deliveries: [{
    kind: CLUSTER_RESOURCE_SET,
    isForTenant: () => true,
    // kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset/clusterresourceset_controller.go
    target: (object) => ({ by: 'selector', selector: fieldAt(object, 'spec', 'clusterSelector'), emptySelectsNone: true }),
    // kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset/clusterresourceset_scope.go (needsApply), v1.14.2; nothing is ever deleted.
    appliesOnce: (object) => stringAt(object, 'spec', 'strategy') !== 'Reconcile',
    keepsRemoved: () => true,
  }],
};

/** Cluster API reads every key of what a set refers to, in its own namespace. */
function packs(set: ManifestObject): DeliveredPacks {
  const namespace = namespaceOf(set);
  return {
    target: clusterTarget(namespace, fieldAt(set, 'spec', 'clusterSelector')),
    references: objectsAt(set, 'spec', 'resources').map(([resource]) => (
      { kind: stringAt(resource, 'kind') ?? '', namespace, name: stringAt(resource, 'name') ?? '' })),
  };
}
