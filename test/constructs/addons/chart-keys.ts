import * as keys from './chart-keys.generated.json';
import { HelmChart } from '../../../src/constructs/contracts/helm-chart';
import { Values } from '../../../src/manifests/values/chart-values';

type Tree = { readonly [key: string]: Tree | string };

/** Keys, with all below them, that templates read and `values.yaml` has in comments only or as an example, or that belong to a subchart; with where they were seen. */
export const FURTHER_KEYS: Readonly<Record<string, readonly string[]>> = {
  // coredns/helm charts/coredns/templates/service.yaml, _helpers.tpl
  'coredns': ['service.clusterIP', 'service.clusterIPs', 'service.ipFamilyPolicy', 'k8sAppLabelOverride'],
  // projectcalico/calico charts/tigera-operator/templates/crs/configmap-felixconfiguration-templates.yaml: all but "enabled" is the spec
  'tigera-operator': ['defaultFelixConfiguration.vxlanPort'],
  // kubernetes-sigs/node-feature-discovery deployment/helm/node-feature-discovery/values.yaml
  'gpu-operator': ['node-feature-discovery.master.tolerations', 'node-feature-discovery.gc.tolerations'],
  // grafana-community/helm-charts charts/grafana, prometheus-community/helm-charts charts/kube-state-metrics (values.yaml of each)
  'kube-prometheus-stack': ['grafana.tolerations', 'kube-state-metrics.tolerations', 'prometheus-node-exporter.tolerations'],
  // metallb/frr-k8s charts/frr-k8s/templates/controller.yaml, status-cleaner.yaml
  'metallb': ['frr-k8s.frrk8s.tolerations'],
  // deliveryhero/helm-charts stable/node-local-dns/templates/service-upstream.yaml: any labels
  'node-local-dns': ['config.upstreamServiceSelector'],
  // prometheus.io/docs/prometheus/latest/configuration: `config` is Prometheus's configuration
  'victoria-metrics-agent': ['config.global.external_labels'],
};

/** Keys of values that the chart does not read, as dotted paths. */
export function unknownKeys({ chart, values }: HelmChart): string[] {
  const known = (keys as unknown as Record<string, Tree>)[chart];
  if (!known) return [`there is no chart ${chart}`];
  const further = FURTHER_KEYS[chart] ?? [];
  return unknown(values ?? {}, known, '').filter((path) => !further.some((key) => path === key || path.startsWith(`${key}.`)));
}

function unknown(values: Values, tree: Tree, prefix: string): string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    const known = tree[key];
    if (known === undefined) return leaves(value).map((below) => `${path}${below}`);
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (known === 'l') return Array.isArray(value) ? [] : [`${path} is a list`];
    if (known === 'v') return isMap || Array.isArray(value) ? [`${path} is one value`] : [];
    // A list may stand where values.yaml has null, and any map where it has an empty one.
    if (typeof known === 'string') return [];
    return isMap ? unknown(value as Values, known, `${path}.`) : [`${path} is an object`];
  });
}

function leaves(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [''];
  return Object.entries(value).flatMap(([key, below]) => leaves(below).map((rest) => `.${key}${rest}`));
}

