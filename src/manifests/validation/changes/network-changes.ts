import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { isKept } from '../../objects/prune-annotations';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { CLUSTER, CLUSTER_NAME_LABEL } from '../../rules/cluster-api/cluster-api-kinds';
import { documents, edited } from '../../rules/example-text';
import { Lookup, ManifestIndex } from '../../rules/manifest-index';
import { HELM_RELEASE_TEXT } from '../../systems/flux/rules/examples';
import { stringAt } from '../../values/fields';
import { deliveryFacts, providers } from '../providers';

const CLUSTERS = new Lookup([CLUSTER], (cluster) => [nameOf(cluster)]);

/** True if an object says by its label to which cluster it belongs, and there is no such Cluster, wherever it may be. */
function isClusterGone(object: ManifestObject, index: ManifestIndex): boolean {
  const name = stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  return name !== undefined && CLUSTERS.find(index, name).length === 0;
}

/** Charts of networks of pods: cilium/cilium install/kubernetes/cilium, projectcalico/calico charts, flannel-io/flannel chart. */
const NETWORKS: ReadonlySet<string> = new Set(['cilium', 'tigera-operator', 'flannel']);

/** What a cluster lives by. */
export const NETWORK_CHANGE: TransitionRule = {
  id: 'TC-CHANGE-CNI',
  title: 'The pod network must stay as long as the cluster runs: without its release, pods cannot reach each other.',
  source: 'fluxcd/helm-controller docs/spec/v2/helmreleases.md; kubernetes-sigs/cluster-api-addon-provider-helm controllers/helmchartproxy',
  get kinds() {
    return providers().flatMap(({ deliveries = [] }) => deliveries.filter(({ installsChart }) => installsChart).map(({ kind }) => kind));
  },
  trap: true,
  example: {
    before: networkRelease('cilium'),
    failing: networkRelease('flannel'),
    corrected: documents(networkRelease('cilium'), HELM_RELEASE_TEXT),
  },
  check: ({ before, after, old, now }) => {
    const chart = before && deliveryFacts(before)?.read?.(before, old).chart;
    if (!before || after || chart === undefined || !NETWORKS.has(chart) || isKept(before)) return [];
    // With the cluster, the network goes as well.
    if (isClusterGone(before, now)) return [];
    return [{ path: [], message: `it is gone, and with it the chart "${chart}", which is the network of the pods`, fix: 'put it back; another network takes a new Cluster, or a plan for moving node by node' }];
  },
};

function networkRelease(chart: string): string {
  return edited(HELM_RELEASE_TEXT, { 'cert-manager': chart, 'jetstack': chart, 'v1.20.0': '1.20.0' });
}
