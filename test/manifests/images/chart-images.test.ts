import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import CHART_CATALOGUE from '../../../data/charts.json';
import { CHART_IMAGE_KEYS } from '../../../scripts/charts/image-keys';
import { CHART_IMAGES } from '../../../src/manifests/images/chart-image-entry';
import { chartImages } from '../../../src/manifests/images/chart-images';
import { parseImageName } from '../../../src/manifests/images/image-lock-file';

type Tree = { readonly [key: string]: Tree | string };
const KEYS = JSON.parse(readFileSync(join(__dirname, '../../constructs/addons/chart-keys.generated.json'), 'utf8')) as { [chart: string]: Tree };
type Values = { readonly [key: string]: unknown };
const imagesOf = (chart: string, values: Values = {}) => chartImages({ chart, version: CHART_IMAGES[chart].version!, values })!;

/** Keys of a chart that name images, going by what charts usually call them. */
function imageKeys(tree: Tree | string, path: readonly string[] = []): string[] {
  if (typeof tree === 'string') return [];
  return Object.entries(tree).flatMap(([key, below]) => {
    const here = [...path, key];
    const names = /^(image|repository|registry|defaultRegistry|imageRegistry)$/.test(key) && typeof below === 'string' && below !== 'l';
    return [...(names ? [here.join('.')] : []), ...imageKeys(below, here)];
  });
}

describe('the table', () => {
  test('has every chart of the catalogue in its version, and those of the management cluster', () => {
    expect(Object.entries(CHART_CATALOGUE).filter(([chart, { version }]) => CHART_IMAGES[chart]?.version !== version)).toEqual([]);
    expect(['kamaji', 'kamaji-etcd', 'cluster-api-operator'].filter((chart) => !CHART_IMAGES[chart])).toEqual([]);
  });

  test.each(Object.keys(CHART_IMAGES))('%s: each key of an image is in the table, or left alone with a reason', (chart) => {
    const { images, globalRegistry, unknown = [] } = CHART_IMAGES[chart];
    const skipped = Object.entries(CHART_IMAGE_KEYS[chart].skipped ?? {});
    expect(skipped.filter(([, reason]) => reason.length < 10)).toEqual([]);
    const keys = images.flatMap(({ repositoryKey, registryKey }) => [repositoryKey, registryKey]);
    const known = new Set([globalRegistry, ...unknown.map(({ registryKey }) => registryKey), ...keys]);
    const missing = imageKeys(KEYS[chart]).filter((key) => !known.has(key) && !skipped.some(([skip]) => key === skip || key.startsWith(`${skip}.`)));
    expect(missing).toEqual([]);
  });

  test.each(Object.keys(CHART_IMAGES))('%s: each image has a place for a digest', (chart) => {
    expect(CHART_IMAGES[chart].images.filter(({ whole, tagKey, digestKey }) => !whole && (tagKey ?? digestKey) === undefined)).toEqual([]);
  });

  test.each(Object.keys(CHART_IMAGES))('%s: images of the default values have names', (chart) => {
    for (const image of imagesOf(chart).images) expect(parseImageName(image)).toMatchObject({ host: expect.stringMatching(/\./) });
  });
});

describe('images of a chart', () => {
  const cilium = ['quay.io/cilium/cilium-envoy', 'quay.io/cilium/cilium', 'quay.io/cilium/operator-generic'];
  const names = (chart: string, values?: Values) => imagesOf(chart, values).images.map((image) => image.split(':')[0]);

  test.each<[what: string, chart: string, values: Values, images: string[]]>([
    ['what is on by default', 'cilium', {}, cilium],
    ['Hubble with its parts', 'cilium', { hubble: { relay: { enabled: true }, ui: { enabled: true } } }, [...cilium, 'quay.io/cilium/hubble-relay', 'quay.io/cilium/hubble-ui', 'quay.io/cilium/hubble-ui-backend']],
    ['Hubble off, its parts on', 'cilium', { hubble: { enabled: false, relay: { enabled: true } } }, cilium],
    ['certificates by a Job', 'cilium', { hubble: { tls: { auto: { method: 'cronJob' } } } }, [...cilium, 'quay.io/cilium/certgen']],
    ['FRR', 'metallb', { frrk8s: { enabled: true } }, ['quay.io/frrouting/frr', 'quay.io/metallb/controller', 'quay.io/metallb/frr-k8s', 'quay.io/metallb/speaker']],
    ['no envoy', 'cilium', { envoy: { enabled: false } }, cilium.slice(1)],
    ['another repository', 'coredns', { image: { repository: 'quay.io/team/coredns' } }, ['quay.io/team/coredns']],
    ['containers of the user', 'coredns', { extraContainers: [{ name: 'x', image: 'quay.io/team/x:v1' }] }, ['coredns/coredns', 'quay.io/team/x']],
  ])('%s', (_, chart, values, images) => {
    expect(names(chart, values).sort()).toEqual([...images].sort());
  });

  test.each<[chart: string, values: Values, image: string]>([
    ['cert-manager', {}, 'quay.io/jetstack/cert-manager-controller:v1.21.1'],
    ['external-dns', {}, 'registry.k8s.io/external-dns/external-dns:v0.21.0'],
    ['kyverno', {}, 'reg.kyverno.io/kyverno/kyverno:v1.19.0'],
    ['traefik', {}, 'docker.io/traefik:v3.7.11'],
    ['gpu-operator', {}, 'nvcr.io/nvidia/k8s/container-toolkit:v1.20.0'],
    ['metrics-server', { image: { tag: 'v9' } }, 'registry.k8s.io/metrics-server/metrics-server:v9'],
    ['vector', { image: { sha: 'a'.repeat(64) } }, `docker.io/timberio/vector:0.56.0-distroless-libc@sha256:${'a'.repeat(64)}`],
    ['kube-prometheus-stack', { global: { imageRegistry: 'registry.internal/mirror' } }, 'registry.internal/mirror/prometheus/prometheus:v3.14.0-distroless'],
    ['gateway-helm', {}, 'docker.io/envoyproxy/ratelimit:17b1956c'],
    ['gateway-helm', {}, 'docker.io/envoyproxy/envoy:distroless-v1.39.0'],
    ['gateway-helm', { global: { images: { envoyProxy: { image: 'quay.io/team/envoy:v1' } } } }, 'quay.io/team/envoy:v1'],
    ['kube-prometheus-stack', {}, 'docker.io/grafana/grafana:13.2.0'],
    ['kube-prometheus-stack', { grafana: { image: { sha: 'a'.repeat(64) } } }, `docker.io/grafana/grafana:13.2.0@sha256:${'a'.repeat(64)}`],
    ['kube-prometheus-stack', {}, 'registry.k8s.io/kube-state-metrics/kube-state-metrics:v2.20.0'],
    ['kube-prometheus-stack', {}, 'quay.io/prometheus/node-exporter:v1.12.1-distroless'],
    ['tigera-operator', { installation: { kubernetesProvider: 'openshift' } }, 'quay.io/calico/ctl:v3.32.1'],
    ['gpu-operator', { gpuCluster: { deployCR: true } }, 'nvcr.io/nvidia/dra-driver-nvidia-gpu:v0.5.0'],
    ['tigera-operator', {}, 'quay.io/tigera/operator:v1.42.3'],
  ])('%s with %j: %s', (chart, values, image) => {
    expect(imagesOf(chart, values).images).toContain(image);
  });

  test('what nobody knows is said', () => {
    expect(imagesOf('kube-prometheus-stack').unknown).toEqual([]);
    expect(imagesOf('kube-prometheus-stack', { windowsMonitoring: { enabled: true } }).unknown).toEqual(['the images of the subchart prometheus-windows-exporter']);
    expect(imagesOf('velero').unknown).toEqual([]);
    expect(imagesOf('velero', { namespace: { labels: { a: 'b' } } }).unknown).toEqual([expect.stringContaining('registry.k8s.io/kubectl: ')]);
    expect(imagesOf('cluster-api-operator').unknown).toEqual([expect.stringContaining('image.manager.repository')]);
    expect(imagesOf('crd.projectcalico.org.v1')).toEqual({ images: [], tagOnly: [], unknown: [] });
  });

  test('the operator of Calico names images behind one registry, as long as no value changes their names', () => {
    const calico = (values: Values = {}) => imagesOf('tigera-operator', values).tagOnly.map((image) => image.replace('quay.io/calico/', ''));
    const everywhere = ['cni:v3.32.1', 'kube-controllers:v3.32.1', 'node:v3.32.1', 'pod2daemon-flexvol:v3.32.1', 'typha:v3.32.1'];
    const optional = { apiServer: { enabled: false }, goldmane: { enabled: false }, whisker: { enabled: false } };
    const withInstallation = (installation: Values) => ({ ...optional, installation });

    expect(calico()).toEqual(['apiserver:v3.32.1', 'goldmane:v3.32.1', ...everywhere, 'whisker-backend:v3.32.1', 'whisker:v3.32.1'].sort());
    expect(calico(optional)).toEqual(everywhere);
    expect(calico(withInstallation({ flexVolumePath: 'None' }))).not.toContain('pod2daemon-flexvol:v3.32.1');
    expect(calico(withInstallation({ kubeletVolumePluginPath: '/var/lib/kubelet' }))).toEqual([...everywhere, 'csi:v3.32.1', 'node-driver-registrar:v3.32.1'].sort());
    expect(calico(withInstallation({ registry: 'registry.internal/mirror/' }))).toContain('registry.internal/mirror/calico/node:v3.32.1');
    expect(imagesOf('tigera-operator', optional)).toMatchObject({ images: [...everywhere.map((image) => `quay.io/calico/${image}`), 'quay.io/tigera/operator:v1.42.3'], unknown: [] });
    for (const installation of [{ imagePath: 'team' }, { imagePrefix: 'a-' }, { fipsMode: 'Enabled' }, { variant: 'TigeraSecureEnterprise' }, { calicoNetwork: { windowsDataplane: 'HNS' } }]) {
      expect(imagesOf('tigera-operator', { installation })).toMatchObject({ tagOnly: [], unknown: ['the images of Calico itself, whose images the operator knows'] });
    }
    expect(calico({ installation: { enabled: false } })).toEqual([]);
  });

  test('the digest that a chart adds is part of the name, as long as it is that of the tag', () => {
    const agent = (image: Values) => imagesOf('cilium', { image }).images.find((name) => /\/cilium[:@]/.test(name));
    const digest = 'sha256:383968cd5e8873f7976fa76aa6196045643558f4cc9518a207b9335cb24a0e93';

    expect(agent({})).toBe(`quay.io/cilium/cilium:v1.20.0@${digest}`);
    expect(agent({ repository: 'registry.internal/cilium/cilium' })).toBe(`registry.internal/cilium/cilium:v1.20.0@${digest}`);
    expect(agent({ tag: 'v1.20.1' })).toBe('quay.io/cilium/cilium:v1.20.1');
    expect(agent({ useDigest: false })).toBe('quay.io/cilium/cilium:v1.20.0');
    expect(agent({ digest: `sha256:${'a'.repeat(64)}` })).toBe(`quay.io/cilium/cilium:v1.20.0@sha256:${'a'.repeat(64)}`);
  });

  test('another version, or another chart, is not known', () => {
    expect(chartImages({ chart: 'cilium', version: '1.19.0' })).toBeUndefined();
    expect(chartImages({ chart: 'toString', version: '1.19.0' })).toBeUndefined();
  });
});
