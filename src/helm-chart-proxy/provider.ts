import { CHART_PROXY_CHANGES, HELM_CHART_PROXY } from './rules/chart-proxy-changes';
import { HELM_CHART_PROXY_MANIFEST_RULES } from './rules/helm-chart-proxy-rules';
import { Provider } from '../rules/provider';
import { fieldAt, stringAt } from '../values/fields';

/** Cluster API's addon provider for Helm. */
export const HELM_CHART_PROXIES: Provider = {
  name: 'helm-chart-proxy',
  title: 'HelmChartProxy',
  kinds: [{ kind: HELM_CHART_PROXY, managementOnly: true }, { kind: 'addons.cluster.x-k8s.io/HelmReleaseProxy' }],
  rules: HELM_CHART_PROXY_MANIFEST_RULES,
  deliveries: [{
    kind: HELM_CHART_PROXY,
    installsChart: 'always',
    isForTenant: () => true,
    target: (object) => ({ by: 'selector', selector: fieldAt(object, 'spec', 'clusterSelector'), emptySelectsNone: false }),
    read: (object) => ({
      chart: stringAt(object, 'spec', 'chartName'), version: stringAt(object, 'spec', 'version'), targetNamespace: stringAt(object, 'spec', 'namespace'),
    }),
  }],
  elsewhere: {
    [HELM_CHART_PROXY]: (object, { hasValues }) => (stringAt(object, 'spec', 'valuesTemplate') === undefined || hasValues ? []
      : ['has a template of values that only its provider renders, and they may name other images']),
  },
  changes: CHART_PROXY_CHANGES,
};
