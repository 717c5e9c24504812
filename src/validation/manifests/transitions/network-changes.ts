import { documents, edited } from './change-examples';
import { HELM_CHART_PROXY } from './chart-proxy-changes';
import { isClusterGone, isKept } from './gone-objects';
import { TransitionRule } from './transition-rule';
import { textAt } from '../../../images/manifest-object';
import { HELM_RELEASE_TEXT } from '../flux/examples';
import { HELM_RELEASE } from '../flux/flux-kinds';

const APPLICATION = 'argoproj.io/Application';

/** Charts of networks of pods: cilium/cilium install/kubernetes/cilium, projectcalico/calico charts, flannel-io/flannel chart. */
const NETWORKS: ReadonlySet<string> = new Set(['cilium', 'tigera-operator', 'flannel']);

/** Fields that name the chart, by kind. */
const CHART_FIELDS: readonly (readonly string[])[] = [['spec', 'chart', 'spec', 'chart'], ['spec', 'chartName'], ['spec', 'source', 'chart']];

/** What a cluster lives by. */
export const NETWORK_CHANGE: TransitionRule = {
  id: 'TC-CHANGE-CNI',
  title: 'The network of the pods stays as long as the cluster runs: when its release goes, no pod of the cluster reaches another one.',
  source: 'fluxcd/helm-controller docs/spec/v2/helmreleases.md; kubernetes-sigs/cluster-api-addon-provider-helm controllers/helmchartproxy',
  kinds: [HELM_RELEASE, HELM_CHART_PROXY, APPLICATION],
  trap: true,
  example: {
    before: networkRelease('cilium'),
    failing: networkRelease('flannel'),
    corrected: documents(networkRelease('cilium'), HELM_RELEASE_TEXT),
  },
  check: ({ before, after, now }) => {
    const chart = before && CHART_FIELDS.map((path) => textAt(before, ...path)).find((name) => name !== undefined);
    if (!before || after || chart === undefined || !NETWORKS.has(chart) || isKept(before)) return [];
    // With the cluster, the network goes as well.
    if (isClusterGone(before, now)) return [];
    return [{ path: [], message: `it is gone, and with it the chart "${chart}", which is the network of the pods`, fix: 'put it back; another network takes a new Cluster, or a plan for moving node by node' }];
  },
};

function networkRelease(chart: string): string {
  return edited(HELM_RELEASE_TEXT, { 'cert-manager': chart, 'jetstack': chart, 'v1.20.0': '1.20.0' });
}
