import { ManifestObject, nameOf, namespaceOf } from '../../../objects/manifest-object';
import { changed, fieldValues, isUpdate, keeps } from '../../../rules/changes/kept-fields';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { CLUSTER } from '../../../rules/cluster-api/cluster-api-kinds';
import { CLUSTER_PARTS, clusterYaml } from '../../../rules/cluster-api/example-manifests';
import { changedText, documents, edited } from '../../../rules/example-text';
import { SelectedObjects } from '../../../rules/label-selectors';
import { Lookup, ManifestIndex } from '../../../rules/manifest-index';
import { fieldAt, isFields, sameValue, stringAt } from '../../../values/fields';

export const HELM_CHART_PROXY = 'addons.cluster.x-k8s.io/HelmChartProxy';
const HELM_RELEASE_PROXY = 'addons.cluster.x-k8s.io/HelmReleaseProxy';
const PROXY_PROVIDER = 'kubernetes-sigs/cluster-api-addon-provider-helm';

const PROXY_TEXT = `apiVersion: addons.cluster.x-k8s.io/v1alpha1
kind: HelmChartProxy
metadata:
  name: acme-cert-manager
  namespace: tenant-acme
spec:
  clusterSelector:
    matchLabels:
      example.com/team: core
  chartName: cert-manager
  repoURL: https://charts.jetstack.io
  releaseName: cert-manager
  namespace: cert-manager
  version: v1.20.0
  reconcileStrategy: Continuous
  options:
    timeout: 10m0s
`;

const LABELLED_CLUSTER = clusterYaml(CLUSTER_PARTS, 'labels:\n  example.com/team: core');
const UPGRADE = { 'v1.20.0': 'v1.20.1' };

/** True if a HelmChartProxy installs its chart in each Cluster once, and changes nothing of it later. */
export function installsOnce(proxy: ManifestObject | undefined): boolean {
  return proxy !== undefined && stringAt(proxy, 'spec', 'reconcileStrategy') === 'InstallOnce';
}

const STRATEGY: TransitionRule = {
  id: 'TC-CHANGE-HELMCHART',
  title: 'The reconcile strategy of a HelmChartProxy cannot be changed.',
  source: `${PROXY_PROVIDER} api/v1alpha1/helmchartproxy_webhook.go`,
  kinds: [HELM_CHART_PROXY],
  example: changedText(PROXY_TEXT, { Continuous: 'InstallOnce' }, UPGRADE),
  // Nothing means the same as Continuous, and is another value all the same.
  check: keeps([{ path: ['spec', 'reconcileStrategy'], byDefault: '' }], 'keep it, or make another HelmChartProxy'),
};

const GENERATED: TransitionRule = {
  id: 'TC-CHANGE-HELMRELEASE-PROXY',
  title: 'Chart, repository, namespace and strategy of a HelmReleaseProxy cannot be changed.',
  source: `${PROXY_PROVIDER} api/v1alpha1/helmreleaseproxy_webhook.go`,
  kinds: [HELM_RELEASE_PROXY],
  example: changedText(edited(PROXY_TEXT, {
    'HelmChartProxy': 'HelmReleaseProxy', '  clusterSelector:\n    matchLabels:\n      example.com/team: core\n': '  clusterRef:\n    name: acme\n    namespace: tenant-acme\n',
  }), { 'chartName: cert-manager': 'chartName: certificates' }, UPGRADE),
  check: keeps(['repoURL', 'chartName', 'namespace', 'reconcileStrategy'].map((field) => ({ path: ['spec', field], byDefault: '' })), 'leave it to the HelmChartProxy, which makes it'),
};

const REINSTALLED: TransitionRule = {
  id: 'TC-CHANGE-HELMCHART-PLACE',
  title: 'Chart, release and namespace of a HelmChartProxy must not change: the provider uninstalls the release and installs it again.',
  source: `${PROXY_PROVIDER} controllers/helmchartproxy/helmchartproxy_controller_phases.go`,
  kinds: [HELM_CHART_PROXY],
  trap: true,
  example: changedText(PROXY_TEXT, { '  namespace: cert-manager': '  namespace: certificates' }, UPGRADE),
  check: (change) => (installsOnce(change.after) ? [] : ['chartName', 'repoURL', 'releaseName', 'namespace'].flatMap((field) => (
    changed(change, ['spec', field], 'keep it, or plan that what the chart installs goes and comes back', field === 'namespace' ? 'default' : undefined)))),
};

const OPTIONS: TransitionRule = {
  id: 'TC-CHANGE-HELMCHART-OPTIONS',
  title: 'Options and credentials of a HelmChartProxy must change together with its version or values: existing releases do not get them otherwise.',
  source: `${PROXY_PROVIDER} controllers/helmchartproxy/helmchartproxy_controller_phases.go`,
  kinds: [HELM_CHART_PROXY],
  trap: true,
  example: changedText(PROXY_TEXT, { '10m0s': '20m0s' }, { '10m0s': '20m0s', ...UPGRADE }),
  check: (change) => {
    const isSame = (field: string): boolean => {
      const { before, after } = fieldValues(change, ['spec', field]);
      return sameValue(before, after);
    };
    if (!isUpdate(change) || installsOnce(change.after) || !['version', 'valuesTemplate', 'chartName', 'repoURL', 'releaseName', 'namespace'].every(isSame)) return [];
    return ['options', 'credentials', 'tlsConfig'].filter((field) => !isSame(field)).map((field) => ({
      path: ['spec', field], message: 'what is in it changed, and neither the version nor the values did', fix: 'change it together with the next version',
    }));
  },
};

/** Clusters by namespace; of thousands, those that a selector selects are found by their labels. */
const CLUSTERS = new Lookup([CLUSTER], (cluster) => [namespaceOf(cluster)]);
const SELECTED = new SelectedObjects((cluster) => {
  const labels = fieldAt(cluster, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
});

const SELECTION: TransitionRule = {
  id: 'TC-CHANGE-HELMCHART-SELECTION',
  title: 'A HelmChartProxy must keep selecting its Clusters: their release is uninstalled otherwise.',
  source: `${PROXY_PROVIDER} controllers/helmchartproxy/helmchartproxy_controller.go`,
  kinds: [HELM_CHART_PROXY],
  trap: true,
  example: changedText(documents(PROXY_TEXT, LABELLED_CLUSTER), { 'labels:\n    example.com/team: core': 'labels:\n    example.com/team: web' }, { 'labels:\n': 'labels:\n    example.com/tier: gold\n' }),
  check: ({ before, after, old, now }) => {
    if (!before || !after || installsOnce(after)) return [];
    const selected = new Set(selectedBy(after, now).map(nameOf));
    const isLeft = (cluster: ManifestObject) => !selected.has(nameOf(cluster)) && now.find(CLUSTER, namespaceOf(cluster), nameOf(cluster));
    return selectedBy(before, old).filter(isLeft).map((cluster) => ({
      path: ['spec', 'clusterSelector'],
      message: `it selected the Cluster "${nameOf(cluster) ?? ''}", and does not any more`,
      fix: 'keep the label of the Cluster and the selector, or plan that what the chart installs goes',
    }));
  },
};

const SELECTED_MORE: TransitionRule = {
  id: 'TC-CHANGE-HELMCHART-SELECTS-MORE',
  title: 'The selector of a HelmChartProxy should not come to select further Clusters that exist: the chart is installed there, over a release of that name.',
  source: `${PROXY_PROVIDER} controllers/helmchartproxy/helmchartproxy_controller.go`,
  kinds: [HELM_CHART_PROXY],
  warning: true,
  example: changedText(
    documents(PROXY_TEXT, LABELLED_CLUSTER.replace('team: core', 'team: web')), { '      example.com/team: core\n': '      example.com/team: web\n' }, UPGRADE,
  ),
  check: ({ before, after, old, now }) => {
    if (!before || !after || sameValue(fieldAt(before, 'spec', 'clusterSelector'), fieldAt(after, 'spec', 'clusterSelector'))) return [];
    const selected = new Set(selectedBy(before, old).map(nameOf));
    const more = selectedBy(after, now).map((cluster) => nameOf(cluster) ?? '').filter((name) => !selected.has(name) && old.find(CLUSTER, namespaceOf(after), name));
    return more.length === 0 ? [] : [{
      path: ['spec', 'clusterSelector'],
      message: `it selects ${more.length === 1 ? 'the Cluster' : `${more.length} more Clusters, such as`} ${JSON.stringify(more[0])} now, and installs the chart there`,
      fix: 'make sure that none of them has a release of this name',
    }];
  },
};

/** Charts that Cluster API's provider of Helm installs. */
export const CHART_PROXY_CHANGES: readonly TransitionRule[] = [STRATEGY, GENERATED, REINSTALLED, OPTIONS, SELECTION, SELECTED_MORE];

/** The Clusters that a HelmChartProxy selects. */
export function selectedBy(proxy: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  return SELECTED.of(CLUSTERS.find(index, namespaceOf(proxy)), fieldAt(proxy, 'spec', 'clusterSelector'));
}
