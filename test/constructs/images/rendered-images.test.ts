import { longName } from '../../../src/cli/images/lock-command';
import { GpuOperator } from '../../../src/constructs/addons/catalog/gpu-operator';
import { Calico, CalicoDataplane } from '../../../src/constructs/addons/cni/calico';
import { Cilium } from '../../../src/constructs/addons/cni/cilium';
import { Flannel } from '../../../src/constructs/addons/cni/flannel';
import { Addon } from '../../../src/constructs/contracts/addon';
import { HelmChart } from '../../../src/constructs/contracts/helm-chart';
import { chartImages } from '../../../src/manifests/images/chart-images';
import { chartsOf } from '../addons/bound';
import { SAMPLES } from '../addons/catalog/samples';
import { CHART_FACTS } from '../addons/chart-facts';
import { inside } from '../addons/cni/contexts';

/** Images that controllers of a chart start, and that no pod of a render names: repositories, by chart. */
const STARTED_LATER: Readonly<Record<string, readonly string[]>> = {
  // For challenges of ACME issuers.
  'cert-manager': ['quay.io/jetstack/cert-manager-acmesolver'],
  // For each Gateway, and for those that limit rates.
  'gateway-helm': ['docker.io/envoyproxy/envoy', 'docker.io/envoyproxy/ratelimit'],
  // The operands of a ClusterPolicy.
  'gpu-operator': [
    'nvcr.io/nvidia/cloud-native/k8s-driver-manager', 'nvcr.io/nvidia/cloud-native/k8s-mig-manager', 'nvcr.io/nvidia/k8s-device-plugin',
    'nvcr.io/nvidia/k8s/container-toolkit', 'nvcr.io/nvidia/k8s/dcgm-exporter',
  ],
  // For Prometheus and Alertmanager objects.
  'kube-prometheus-stack': [
    'quay.io/prometheus-operator/prometheus-config-reloader', 'quay.io/prometheus/alertmanager', 'quay.io/prometheus/prometheus',
  ],
  // For the Installation, the APIServer, Goldmane and Whisker.
  'tigera-operator': [
    'apiserver', 'cni', 'goldmane', 'kube-controllers', 'node', 'pod2daemon-flexvol', 'typha', 'whisker', 'whisker-backend',
  ].map((image) => `quay.io/calico/${image}`),
};

const ADDONS: Readonly<Record<string, { readonly least: () => Addon; readonly most: () => Addon }>> = {
  ...SAMPLES,
  'calico': { least: () => new Calico(), most: () => new Calico({ dataplane: CalicoDataplane.BPF, flowLogs: true, apiServer: false }) },
  'cilium': { least: () => new Cilium(), most: () => new Cilium({ hubble: true, gatewayApi: true }) },
  'gpu-operator': { least: SAMPLES['gpu-operator'].least, most: () => new GpuOperator({ driver: false, nodeFeatureDiscovery: false }) },
  'flannel': { least: () => new Flannel(), most: () => new Flannel({ networkPolicy: true }) },
};

function inventory({ chart, chartVersion: version, values }: HelmChart): string[] {
  const repositoryOf = (image: string) => image.replace(/[:@][^/]*$/, '');
  return longNames(chartImages({ chart, version, values })!.images).filter((image) => !(STARTED_LATER[chart] ?? []).includes(repositoryOf(image)));
}

/** Names with their registry, without the images that samples name themselves. */
function longNames(images: readonly string[]): string[] {
  return images.map(longName).filter((image) => !image.startsWith('registry.example.com')).sort();
}

describe.each(Object.entries(ADDONS))('%s', (_name, addon) => {
  test.each(['least', 'most'] as const)('has the images that its pods run in a real render, digests included, with the %s that can be said', (variant) => {
    for (const chart of chartsOf(addon[variant](), inside)) {
      expect(inventory(chart)).toEqual(longNames(CHART_FACTS[chart.chart].images[variant]));
    }
  });
});

test('what is started later is in the inventory of the chart', () => {
  const missing = Object.entries(STARTED_LATER).flatMap(([chart, repositories]) => {
    const addons = Object.values(ADDONS).flatMap(({ least, most }) => [least(), most()]);
    const images = addons.flatMap((addon) => chartsOf(addon, inside)).filter((one) => one.chart === chart)
      .flatMap(({ chartVersion: version, values }) => chartImages({ chart, version, values })!.images);
    return repositories.filter((repository) => !images.some((image) => image.startsWith(`${repository}:`)));
  });

  expect(missing).toEqual([]);
});
