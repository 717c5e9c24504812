import { Chart } from 'cdk8s';
import { TenantClusterProps } from './tenant-cluster-props';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { CLUSTER_NAME_LABEL } from '../../manifests/rules/cluster-api/cluster-api-kinds';
import { Problem, Rule } from '../../manifests/values/problem';
import { Problems } from '../app/problems/problems';
import { claimName } from '../app/synth/claims';
import { TypedApiObject } from '../app/synth/typed-api-object';

/** Creates the Namespace object of a cluster, unless `createNamespace` is false. */
export function addNamespace(cluster: Chart, props: TenantClusterProps): void {
  const { namespace, createNamespace = true, namespaceLabels } = props;
  const owner = createNamespace ? claimName(cluster, 'Namespace', namespace) : undefined;
  [...checkNamespaceTaken(namespace, owner), ...checkNamespaceLabels(props)].forEach((problem) => Problems.of(cluster).add(problem));
  if (!createNamespace) return;
  new TypedApiObject(cluster, 'Namespace', { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, {
    // Several clusters may share the namespace, so it does not carry the label of one.
    metadata: { name: namespace, labels: { ...namespaceLabels, [CLUSTER_NAME_LABEL]: undefined }, annotations: keepOnPrune() },
  });
}

const NAMESPACE_TAKEN_RULE: Rule = {
  id: 'TC-CLUSTER-NAMESPACE-TAKEN',
  title: 'A Namespace object must be created by one cluster only.',
};

/** Checks that no other cluster of the app makes the Namespace object. */
function checkNamespaceTaken(namespace: string, owner: string | undefined): Problem[] {
  return owner === undefined ? [] : [{
    rule: NAMESPACE_TAKEN_RULE,
    property: 'namespace',
    message: `the Namespace "${namespace}" is made by ${owner} already`,
    fix: 'give the cluster a namespace of its own, or set createNamespace: false on all clusters of the namespace but one',
  }];
}

const NAMESPACE_LABELS_RULE: Rule = {
  id: 'TC-CLUSTER-NAMESPACE-LABELS',
  title: 'Labels of the Namespace object must be given to the cluster that creates it.',
};

/** Checks that labels of the Namespace object are given to the cluster that makes it. */
function checkNamespaceLabels({ createNamespace = true, namespaceLabels = {} }: TenantClusterProps): Problem[] {
  return createNamespace || Object.keys(namespaceLabels).length === 0 ? [] : [{
    rule: NAMESPACE_LABELS_RULE,
    property: 'namespaceLabels',
    message: 'the cluster does not make its Namespace, so that these labels would be nowhere',
    fix: 'set them where the Namespace is created, or remove createNamespace',
  }];
}
