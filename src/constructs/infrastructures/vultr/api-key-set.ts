import { Construct } from 'constructs';
import { VultrApiKey } from './api-key';
import {
  ClusterResourceSet, ClusterResourceSetSpecResourcesKind, ClusterResourceSetSpecStrategy,
} from '../../../../imports/addons.cluster.x-k8s.io';
import { ClusterContext } from '../../contracts/cluster-context';

const WHAT = 'vultr-api-keys';
const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';

/** Makes what carries API keys into the tenant, if any are to be carried. Deliveries could not: they put what they carry into the output. */
export function addApiKeySet(scope: Construct, { name }: ClusterContext, apiKeys: readonly VultrApiKey[]): void {
  const secrets = new Set(apiKeys.flatMap(({ _carrier }) => (_carrier ? [_carrier.secretName ?? `${name}-${WHAT}`] : [])));
  if (secrets.size === 0) return;
  new ClusterResourceSet(scope, 'ApiKeys', {
    // With a dot, which no set of a delivery has behind the name of the cluster.
    metadata: { name: `${name}.${WHAT}` },
    spec: {
      clusterSelector: { matchLabels: { [CLUSTER_LABEL]: name } },
      resources: [...secrets].sort().map((secret) => ({ kind: ClusterResourceSetSpecResourcesKind.SECRET, name: secret })),
      strategy: ClusterResourceSetSpecStrategy.RECONCILE,
    },
  });
}
