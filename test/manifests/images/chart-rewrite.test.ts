import { HelmChart } from '../../../src/constructs/contracts/helm-chart';
import { CHART_IMAGES } from '../../../src/manifests/images/chart-image-entry';
import { chartImages } from '../../../src/manifests/images/chart-images';
import { rewriteChart } from '../../../src/manifests/images/chart-rewrite';
import { readLock } from '../../../src/manifests/images/image-lock-file';
import { ImageResolver, ResolverOptions } from '../../../src/manifests/images/image-resolver';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const lockOf = (images: Readonly<Record<string, string>>) => {
  const { digests } = readLock({ version: 1, images }, 'the lock');
  return (name: string, tag: string) => digests.get(`${name}:${tag}`);
};
const REGISTRY = 'registry.internal:5000/mirror';

const chartOf = (chart: string, values?: HelmChart['values']): HelmChart => ({
  chart, repository: 'https://charts.example.com', chartVersion: CHART_IMAGES[chart]?.version ?? '1.0.0', releaseName: chart, namespace: chart, values,
});
const move = (chart: string, props: ResolverOptions, values?: HelmChart['values']) => rewriteChart(chartOf(chart, values), new ImageResolver(props));
const imagesOf = (chart: string, values?: HelmChart['values']) => chartImages({ chart, version: chartOf(chart).chartVersion, values })!;
const valuesOf = (...args: Parameters<typeof move>) => move(...args).chart.values;

describe.each(Object.keys(CHART_IMAGES))('%s', (chart) => {
  test('every image comes from the registry, and twice is the same as once', () => {
    const sources = new ImageResolver({ imageRegistry: REGISTRY });
    const moved = rewriteChart(chartOf(chart), sources);
    const { images } = imagesOf(chart, moved.chart.values);
    expect(images.filter((image) => !image.startsWith(`${REGISTRY}/`))).toEqual([]);
    expect(images.length).toBe(imagesOf(chart).images.length);
    expect(rewriteChart(moved.chart, sources).chart).toBe(moved.chart);
  });

  test('every image that has room for it gets its digest from the lock', () => {
    const withDigest = (values: HelmChart['values']) => {
      const { images: all, tagOnly } = imagesOf(chart, values);
      return all.filter((image) => !tagOnly.includes(image));
    };
    const images = withDigest(undefined);
    const lock = lockOf(Object.fromEntries(images.map((image) => [image.replace(/@.*$/, ''), DIGEST])));
    const { values } = rewriteChart(chartOf(chart), new ImageResolver({ digestOf: lock })).chart;
    const locked = withDigest(values);
    expect(locked.filter((image) => !image.endsWith(`@${DIGEST}`))).toEqual([]);
    expect(locked.length).toBe(images.length);
  });

  test('without sources nothing changes', () => {
    const given = chartOf(chart);
    expect(rewriteChart(given, undefined).chart).toBe(given);
    expect(rewriteChart(given, new ImageResolver({})).chart).toBe(given);
  });
});

describe('values', () => {
  const imageRegistry = REGISTRY;

  test.each<[chart: string, given: HelmChart['values'], expected: HelmChart['values']]>([
    ['coredns', undefined, { image: { repository: `${REGISTRY}/coredns/coredns` } }],
    ['coredns', { image: { repository: 'quay.io/team/coredns' }, replicaCount: 2 }, { image: { repository: `${REGISTRY}/team/coredns` }, replicaCount: 2 }],
    ['coredns', { image: { repository: 'registry.internal:5000/own/coredns' } }, { image: { repository: 'registry.internal:5000/own/coredns' } }],
    ['victoria-metrics-agent', { image: { registry: 'quay.io', repository: 'team/vmagent' } }, { image: { registry: REGISTRY, repository: 'team/vmagent' } }],
    ['gateway-helm', { global: { imageRegistry: 'quay.io/team' } }, { global: { imageRegistry: `${REGISTRY}/team` } }],
    ['gateway-helm', { global: { imageRegistry: REGISTRY } }, { global: { imageRegistry: REGISTRY } }],
    ['coredns', { image: { tag: '1.14.0' } }, { image: { tag: '1.14.0', repository: `${REGISTRY}/coredns/coredns` } }],
    ['metrics-server', undefined, { image: { repository: `${REGISTRY}/metrics-server/metrics-server` } }],
    ['traefik', undefined, { image: { registry: `${REGISTRY}/library`, repository: 'traefik' } }],
    ['victoria-metrics-agent', undefined, { image: { registry: REGISTRY } }],
    ['node-feature-discovery', undefined, { image: { repository: `${REGISTRY}/nfd/node-feature-discovery` } }],
    ['tigera-operator', undefined, { tigeraOperator: { registry: REGISTRY }, installation: { registry: `${REGISTRY}/` } }],
    ['tigera-operator', { installation: { registry: 'quay.io/team/' } }, { tigeraOperator: { registry: REGISTRY }, installation: { registry: `${REGISTRY}/team/` } }],
    ['tigera-operator', { installation: { registry: 'registry.internal:5000/' } }, { tigeraOperator: { registry: REGISTRY }, installation: { registry: 'registry.internal:5000/' } }],
    ['gateway-helm', undefined, { global: { imageRegistry: REGISTRY } }],
    ['coredns', { extraContainers: [{ name: 'x', image: 'busybox:1' }] }, { image: { repository: `${REGISTRY}/coredns/coredns` }, extraContainers: [{ name: 'x', image: `${REGISTRY}/library/busybox:1` }] }],
  ])('%s with %j', (chart, given, expected) => {
    expect(valuesOf(chart, { imageRegistry }, given)).toEqual(expected);
  });

  test('the operator of Cilium gets its name without what the chart appends', () => {
    expect(valuesOf('cilium', { imageRegistry })).toMatchObject({ operator: { image: { repository: `${REGISTRY}/cilium/operator` } } });
    expect(move('cilium', { overrides: { 'quay.io/cilium/operator-generic': 'quay.io/team/operator' } }).images).toEqual(expect.arrayContaining([
      expect.objectContaining({ given: 'quay.io/cilium/operator-generic:v1.20.0', fault: expect.any(String) }),
    ]));
  });

  test('an override leaves the way that all others go', () => {
    const overrides = { 'quay.io/prometheus/prometheus': 'ghcr.io/team/prometheus' };
    const values = valuesOf('kube-prometheus-stack', { imageRegistry, overrides })!;
    expect(values.global).toBeUndefined();
    expect(values.prometheus).toEqual({ prometheusSpec: { image: { registry: 'ghcr.io', repository: 'team/prometheus' } } });
    expect(values.alertmanager).toEqual({ alertmanagerSpec: { image: { registry: REGISTRY } } });
    expect(move('kube-prometheus-stack', { imageRegistry, overrides }).unknown.filter(({ rewritten }) => rewritten)).toEqual([]);
    expect(move('kube-prometheus-stack', { imageRegistry }).unknown.filter(({ rewritten }) => !rewritten)).toEqual([]);
  });

  test('an override takes the place of an image that the values name, with all of its name', () => {
    const named = { image: { repository: 'docker.io/a/b', tag: 'v1' } };
    const overrides = (value: string) => ({ overrides: { 'docker.io/a/b': value } });
    expect(valuesOf('coredns', overrides('reg.int/c/d:v9'), named)).toEqual({ image: { repository: 'reg.int/c/d', tag: 'v9' } });
    expect(valuesOf('coredns', overrides('reg.int/c/d'), named)).toEqual({ image: { repository: 'reg.int/c/d', tag: 'v1' } });
    expect(valuesOf('coredns', overrides(`reg.int/c/d@${DIGEST}`), named)).toEqual({ image: { repository: 'reg.int/c/d', tag: `v1@${DIGEST}` } });
  });

  test('the digest of an image does not stay under the tag of another', () => {
    const other = `sha256:${'b'.repeat(64)}`;
    const overrides = { 'docker.io/velero/velero': 'reg.int/c/d:v9', 'coredns/coredns': 'reg.int/c/d:v9' };
    expect(valuesOf('velero', { overrides }, { image: { tag: 'v1', digest: other } })).toMatchObject({ image: { repository: 'reg.int/c/d', tag: 'v9', digest: '' } });
    expect(valuesOf('coredns', { overrides }, { image: { tag: `v9@${other}` } })).toEqual({ image: { repository: 'reg.int/c/d', tag: 'v9' } });
    expect(move('cilium', { overrides: { 'quay.io/cilium/cilium': 'reg.int/c/d:v1.20.0' } }, { image: { digest: other } }).images.filter(({ fault }) => fault)).toHaveLength(1);
  });

  test('what goes before every registry is no place for a single image', () => {
    const overrides = { 'registry.int/team/envoyproxy/gateway': 'reg.int/c/d' };
    const { images } = move('gateway-helm', { overrides }, { global: { imageRegistry: 'registry.int/team' } });
    expect(images.filter(({ fault }) => fault !== undefined)).toEqual([expect.objectContaining({ fault: 'the value global.imageRegistry goes before the registry of every image' })]);
  });

  test('whole names with digests are told their registry once', () => {
    const lock = lockOf({ 'docker.io/envoyproxy/ratelimit:17b1956c': DIGEST });
    const image = (values: HelmChart['values']) => imagesOf('gateway-helm', values).images.filter((name) => name.includes('ratelimit'));
    expect(image(valuesOf('gateway-helm', { imageRegistry, digestOf: lock }))).toEqual([`${REGISTRY}/envoyproxy/ratelimit:17b1956c@${DIGEST}`]);
    expect(image(valuesOf('gateway-helm', { imageRegistry, digestOf: lockOf({ [`${REGISTRY}/envoyproxy/ratelimit:17b1956c`]: DIGEST }) }, { global: { imageRegistry } })))
      .toEqual([`${REGISTRY}/envoyproxy/ratelimit:17b1956c@${DIGEST}`]);
  });

  test('a digest that is switched off pins nothing, and is switched on for one from the lock', () => {
    const pinned = (values?: HelmChart['values']) => move('cilium', {}, values).images.find(({ key }) => key === 'image.repository')!.pinned;
    expect([pinned(), pinned({ image: { useDigest: false } }), pinned({ image: { digest: '' } })]).toEqual([true, false, false]);
    const lock = lockOf({ 'quay.io/cilium/cilium:v1.20.0': DIGEST });
    expect(valuesOf('cilium', { digestOf: lock }, { image: { useDigest: false } })).toEqual({ image: { useDigest: true, digest: DIGEST } });
  });

  test('digests where the chart takes them', () => {
    const lock = (image: string) => ({ digestOf: lockOf({ [image]: DIGEST }) });
    expect(valuesOf('vector', lock('docker.io/timberio/vector:0.56.0-distroless-libc'))).toEqual({ image: { sha: 'a'.repeat(64) } });
    expect(valuesOf('velero', lock('docker.io/velero/velero:v1.18.1'))).toEqual({ image: { digest: DIGEST } });
    expect(valuesOf('coredns', lock('coredns/coredns:1.13.1'))).toEqual({ image: { tag: `1.13.1@${DIGEST}` } });
    expect(valuesOf('cert-manager', lock('quay.io/jetstack/cert-manager-webhook:v1.21.1'))).toEqual({
      webhook: { image: { repository: 'quay.io/jetstack/cert-manager-webhook', digest: DIGEST } },
    });
  });

  test('a tag that the chart knows a digest for changes together with it only', () => {
    expect(move('cilium', { overrides: { 'quay.io/cilium/cilium': 'quay.io/cilium/cilium:v1.20.1' } }).images.filter(({ fault }) => fault)).toHaveLength(1);
    expect(valuesOf('cilium', { overrides: { 'quay.io/cilium/cilium': `quay.io/cilium/cilium:v1.20.1@${DIGEST}` } })).toEqual({ image: { tag: 'v1.20.1', digest: DIGEST } });
  });
});

describe('a chart of the user', () => {
  const own = (images: HelmChart['images'], values?: HelmChart['values']): HelmChart => ({ ...chartOf('podinfo', values), images });
  const moved = (chart: HelmChart, props: ResolverOptions = { imageRegistry: REGISTRY }) => rewriteChart(chart, new ImageResolver(props));

  test('is known when it says which images it runs', () => {
    expect(moved(chartOf('podinfo')).known).toBe(false);
    expect(moved(own([]))).toMatchObject({ known: true, images: [], chart: own([]) });
    expect(moved(own([{ image: 'ghcr.io/x/y:6.9.0' }])).chart.values).toEqual({ image: { repository: `${REGISTRY}/x/y` } });
  });

  test('with a digest and no tag', () => {
    expect(moved(own([{ image: `ghcr.io/x/y@${DIGEST}` }])).images).toEqual([expect.objectContaining({ given: `ghcr.io/x/y@${DIGEST}`, image: `${REGISTRY}/x/y@${DIGEST}` })]);
  });

  test('with keys of its own', () => {
    const image = { image: 'ghcr.io/x/y:6.9.0', registryKey: 'a.host', repositoryKey: 'a.path', tagKey: 'a.version', digestKey: 'a.sha' };
    expect(moved(own([image])).chart.values).toEqual({ a: { host: REGISTRY } });
    expect(moved(own([image]), { digestOf: lockOf({ 'ghcr.io/x/y:6.9.0': DIGEST }) }).chart.values).toEqual({ a: { sha: 'a'.repeat(64) } });
  });

  test('what it says goes before what the library knows', () => {
    expect(moved({ ...chartOf('coredns'), chartVersion: '9.9.9', images: [{ image: 'quay.io/x/y:v1', repositoryKey: 'dns.image' }] }).chart.values).toEqual({ dns: { image: `${REGISTRY}/x/y` } });
  });
});

test('a chart comes from its mirror', () => {
  expect(move('coredns', { chartRepositories: { 'https://charts.example.com': 'oci://registry.internal/charts' } })).toMatchObject({
    chart: { repository: 'oci://registry.internal/charts' }, mirror: 'https://charts.example.com',
  });
  expect(rewriteChart({ ...chartOf('x'), gitPath: 'charts/x' }, new ImageResolver({ chartRegistry: 'oci://registry.internal/charts' })).chart.repository).toBe('https://charts.example.com');
});
