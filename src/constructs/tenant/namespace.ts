import { Chart } from 'cdk8s';
import { CLUSTER_RULES } from './rules';
import type { TenantClusterProps } from './tenant-cluster-props';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { Problem } from '../../manifests/values/problem';
import { Problems } from '../app/problems/problems';
import { claimName } from '../app/synth/claims';
import { TypedApiObject } from '../app/synth/typed-api-object';

const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';

/** Makes the Namespace object of a cluster, unless somebody else does. */
export function addNamespace(cluster: Chart, props: TenantClusterProps): void {
  const { namespace, createNamespace = true, namespaceLabels } = props;
  const owner = createNamespace ? claimName(cluster, 'Namespace', namespace) : undefined;
  [...checkTaken(namespace, owner), ...checkMade(props)].forEach((problem) => Problems.of(cluster).add(problem));
  if (!createNamespace) return;
  new TypedApiObject(cluster, 'Namespace', { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, {
    // Several clusters may share the namespace, so it does not carry the label of one.
    metadata: { name: namespace, labels: { ...namespaceLabels, [CLUSTER_LABEL]: undefined }, annotations: keepOnPrune() },
  });
}

/** Checks that no other cluster of the app makes the Namespace object. */
function checkTaken(namespace: string, owner: string | undefined): Problem[] {
  return owner === undefined ? [] : [{
    rule: CLUSTER_RULES.namespaceTaken,
    property: 'namespace',
    message: `the Namespace "${namespace}" is made by ${owner} already`,
    fix: 'give the cluster a namespace of its own, or set createNamespace: false on all clusters of the namespace but one',
  }];
}

/** Checks that labels of the Namespace object are given to the cluster that makes it. */
function checkMade({ createNamespace = true, namespaceLabels = {} }: TenantClusterProps): Problem[] {
  return createNamespace || Object.keys(namespaceLabels).length === 0 ? [] : [{
    rule: CLUSTER_RULES.namespaceLabels,
    property: 'namespaceLabels',
    message: 'the cluster does not make its Namespace, so that these labels would be nowhere',
    fix: 'set them where the Namespace is created, or remove createNamespace',
  }];
}
