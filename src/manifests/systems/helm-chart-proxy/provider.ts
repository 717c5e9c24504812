import { parse } from 'yaml';
import { CHART_PROXY_CHANGES, HELM_CHART_PROXY } from './rules/chart-proxy-changes';
import { HELM_CHART_PROXY_MANIFEST_RULES } from './rules/helm-chart-proxy-rules';
import { ManifestObject } from '../../objects/manifest-object';
import { Effect, effectsOfFields } from '../../rules/changes/effects';
import { chartIn } from '../../rules/image-facts';
import { Provider } from '../../rules/provider';
import { fieldAt, Fields, isFields, stringAt } from '../../values/fields';
import { ProviderRelease } from '../../values/provider-release';

/** Braces in a template that begin no action. */
const WRITTEN_BRACES = '{{"{{"}}';

/** Cluster API's addon provider for Helm. */
export const HELM_RELEASE: ProviderRelease = { kind: 'AddonProvider', name: 'helm', image: 'registry.k8s.io/cluster-api-helm/cluster-api-helm-controller' };

/** Cluster API's addon provider for Helm. */
export const HELM_CHART_PROXIES: Provider = {
  name: 'helm-chart-proxy',
  title: 'HelmChartProxy',
  kinds: [{ kind: HELM_CHART_PROXY, managementOnly: true }, { kind: 'addons.cluster.x-k8s.io/HelmReleaseProxy' }],
  namespaces: { 'caaph-system': 'Cluster API\'s add-on provider for Helm runs there' },
  rules: HELM_CHART_PROXY_MANIFEST_RULES,
  deliveries: [{
    kind: HELM_CHART_PROXY,
    installsChart: 'always',
    isForTenant: () => true,
    target: (object) => ({ by: 'selector', selector: fieldAt(object, 'spec', 'clusterSelector'), emptySelectsNone: false }),
    // controllers/helmchartproxy/helmchartproxy_controller.go (reconcileNormal), v0.6.4: it uninstalls elsewhere, unless it installs once.
    keepsRemoved: (object) => stringAt(object, 'spec', 'reconcileStrategy') === 'InstallOnce',
    read: (object) => ({
      chart: stringAt(object, 'spec', 'chartName'), version: stringAt(object, 'spec', 'version'), targetNamespace: stringAt(object, 'spec', 'namespace'),
    }),
  }],
  images: {
    [HELM_CHART_PROXY]: {
      charts: (object) => chartIn(stringAt(object, 'spec', 'repoURL'), stringAt(object, 'spec', 'chartName'), stringAt(object, 'spec', 'version'), {
        releaseName: stringAt(object, 'spec', 'releaseName'), values: templateValues(object),
      }),
      chartAddresses: (object) => {
        const repository = stringAt(object, 'spec', 'repoURL');
        return repository === undefined ? [] : [{ path: ['spec', 'repoURL'], repository }];
      },
    },
  },
  elsewhere: {
    [HELM_CHART_PROXY]: (object, { hasValues }) => (stringAt(object, 'spec', 'valuesTemplate') === undefined || hasValues ? []
      : ['has a template of values that only its provider renders, and they may name other images']),
  },
  changes: CHART_PROXY_CHANGES,
  // kubernetes-sigs/cluster-api-addon-provider-helm controllers/helmchartproxy/helmchartproxy_controller_phases.go
  effects: {
    [HELM_CHART_PROXY]: effectsOfFields({
      'metadata': Effect.IN_PLACE,
      'spec': Effect.IN_PLACE,
      'spec.chartName': { effect: Effect.RELEASE, word: 'chart' },
      'spec.clusterSelector': { effect: Effect.UNKNOWN, word: 'clusters' },
      'spec.namespace': { effect: Effect.UNKNOWN, word: 'namespace' },
      'spec.releaseName': { effect: Effect.UNKNOWN, word: 'release name' },
      'spec.repoURL': { effect: Effect.RELEASE, word: 'repository' },
      'spec.valuesTemplate': { effect: Effect.RELEASE, word: 'values' },
      'spec.version': { effect: Effect.RELEASE, word: 'version' },
    }),
  },
};

/** Values of a chart; undefined if their template has actions, which only the provider renders, other than those that write braces. */
function templateValues(object: ManifestObject): Fields | undefined {
  const template = stringAt(object, 'spec', 'valuesTemplate');
  if (template === undefined || template.replaceAll(WRITTEN_BRACES, '').includes('{{')) return undefined;
  try {
    const values: unknown = parse(template.replaceAll(WRITTEN_BRACES, '{{'));
    return isFields(values) ? values : undefined;
  } catch {
    return undefined;
  }
}
