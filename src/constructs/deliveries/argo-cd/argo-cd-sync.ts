import { SYNC_RETRY } from './sync-retry';
import { ApplicationSpecIgnoreDifferences } from '../../../../imports/argoproj.io';
import { MAX_SIZE } from '../../../manifests/rules/cluster-api/autoscaler-annotations';
import { EntryTarget } from '../../contracts/delivery/entry-points';

const CLUSTER_API = 'cluster.x-k8s.io';
const ENDPOINT = ['/spec/controlPlaneEndpoint'];

/** Selects the same objects in the manifests and in the cluster: pools that are not autoscaled are left out. */
const AUTOSCALED_REPLICAS = `select(.metadata.annotations["${MAX_SIZE}"]) | .spec.replicas`;

/** The cluster that Argo CD runs in, which it knows without registration. */
export const OWN_SERVER = 'https://kubernetes.default.svc';

/** The finalizer that has everything go with an Application (argoproj/argo-cd docs/user-guide/app_deletion.md). */
export const CASCADE = 'resources-finalizer.argocd.argoproj.io';

/** Policy that keeps a folder applied: for ever, and without undoing the fields of controllers. */
export const SYNC_POLICY = {
  automated: { prune: true, selfHeal: true },
  retry: SYNC_RETRY,
  syncOptions: ['ServerSideApply=true', 'RespectIgnoreDifferences=true'],
};

/**
 * Fields of controllers: machines by the autoscaler, and the endpoint of the API server. The machines of other pools are the repository's.
 *
 * Sources: argoproj/argo-cd docs/user-guide/diffing.md; docs/user-guide/sync-options.md: without `RespectIgnoreDifferences=true` a sync
 * overwrites it all the same.
 */
export function filledIn(targets: readonly EntryTarget[]): ApplicationSpecIgnoreDifferences[] {
  const kinds = [...new Set(targets.flatMap(({ infrastructureKinds }) => infrastructureKinds))].sort();
  return [
    { group: CLUSTER_API, kind: 'Cluster', jsonPointers: ENDPOINT },
    { group: CLUSTER_API, kind: 'MachineDeployment', jqPathExpressions: [AUTOSCALED_REPLICAS] },
    ...kinds.map((kind) => ({ group: `infrastructure.${CLUSTER_API}`, kind, jsonPointers: ENDPOINT })),
  ];
}
