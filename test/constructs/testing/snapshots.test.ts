import * as path from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import type { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { sample } from '../../support/sample';

const ROOT = path.join(__dirname, '../../..');
const TEMPLATES = ['diy-cloud', 'gpu-cluster', 'highly-available', 'platform-cluster', 'small-edge', 'vultr-starter'];

/** The files of the library with versions that a release raises. */
const VERSION_FILES = ['src/manifests/values/versions', 'data/charts.json'].map((file) => path.join(ROOT, file));

/** Classes of one release of the library, for pages. */
interface Release {
  readonly GitOpsApp: typeof import('../../../src/constructs/repository/gitops-app').GitOpsApp;
  readonly Snapshots: typeof import('../../../src/constructs/testing/snapshots').Snapshots;
  readonly deliveries: typeof import('../../support/deliveries').DELIVERIES;
  readonly addCompleteTenant: typeof import('../../support/complete-tenant').addCompleteTenant;
  readonly GatewayApi: typeof import('../../../src/constructs/addons/catalog/gateway-api').GatewayApi;
  readonly addons: typeof import('../addons/catalog/samples').SAMPLES;
  readonly addTenant: { readonly [template: string]: (app: App) => TenantCluster };
}

function release(): Release {
  let loaded: Release;
  const load = <T extends object>(file: string): T => jest.requireActual<T>(path.join(ROOT, file));
  jest.isolateModules(() => {
    loaded = {
      ...load<Pick<Release, 'GitOpsApp'>>('src/constructs/repository/gitops-app'),
      ...load<Pick<Release, 'GatewayApi'>>('src/constructs/addons/catalog/gateway-api'),
      ...load<Pick<Release, 'Snapshots'>>('src/constructs/testing/snapshots'),
      deliveries: load<{ DELIVERIES: Release['deliveries'] }>('test/support/deliveries').DELIVERIES,
      ...load<Pick<Release, 'addCompleteTenant'>>('test/support/complete-tenant'),
      addons: load<{ SAMPLES: Release['addons'] }>('test/constructs/addons/catalog/samples').SAMPLES,
      addTenant: Object.fromEntries(TEMPLATES.map((name) => [name, load<{ addTenant(app: App): TenantCluster }>(`templates/blueprints/${name}`).addTenant])),
    };
  });
  return loaded!;
}

/** The same table with later patches of all versions. */
function raised(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => raised(item));
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, raised(item, name)]));
  return ['version', 'appVersion'].includes(key) && typeof value === 'string' ? value.replace(/\d+(?=\D*$)/, (patch) => `${Number(patch) + 7}`) : value;
}

function laterRelease(): Release {
  for (const file of VERSION_FILES) jest.doMock(file, () => raised(jest.requireActual(file)));
  try {
    return release();
  } finally {
    for (const file of VERSION_FILES) jest.dontMock(file);
  }
}

const RELEASES = [release(), laterRelease()];

/** Output of each release, and its snapshot. */
function ofEach(page: (of: Release) => TenantCluster): { readonly written: string[]; readonly snapshots: string[] } {
  const clusters = RELEASES.map((one) => ({ cluster: page(one), snapshots: one.Snapshots }));
  return {
    written: clusters.map(({ cluster }) => JSON.stringify(cluster.toJson())),
    snapshots: clusters.map(({ cluster, snapshots }) => snapshots.yaml(cluster)),
  };
}

describe('a release of the library with other versions does not change the snapshot of', () => {
  test.each(sample(TEMPLATES, 2))('%s', (template) => {
    const { written, snapshots } = ofEach(({ GitOpsApp, addTenant }) => addTenant[template](new GitOpsApp({ quiet: true })));

    expect(written[1]).not.toBe(written[0]);
    expect(snapshots[1]).toBe(snapshots[0]);
  });

  test.each(sample(RELEASES[0].deliveries.map(({ name }, index) => [name, index] as const), 3))('a complete tenant by %s', (_, index) => {
    const { written, snapshots } = ofEach(({ GitOpsApp, deliveries, addCompleteTenant }) => {
      const { delivery, charts } = deliveries[index];
      return addCompleteTenant(new GitOpsApp({ quiet: true }), 'acme', { delivery, charts });
    });

    expect(written[1]).not.toBe(written[0]);
    expect(snapshots[1]).toBe(snapshots[0]);
  });
});

// Each addon by one delivery in turn; above, each delivers a complete tenant.
describe.each([...['flux', 'helm-chart-proxy', 'argo-cd'].entries()])('nor (%i) that of an addon of the catalog by %s', (turn, by) => {
  // The tenant has these, or what excludes or refuses them.
  const left = ['cert-manager', 'coredns', 'envoy-gateway', 'ingress-nginx', 'kube-prometheus-stack', 'metallb', 'metrics-server', 'traefik'];
  const names = Object.keys(RELEASES[0].addons).filter((name) => !left.includes(name)).filter((_, index) => index % 3 === turn);

  test.each(sample(names, 3))('%s', (name) => {
    const { written, snapshots } = ofEach(({ GitOpsApp, deliveries, addCompleteTenant, addons }) => {
      const { delivery, charts } = deliveries.find((one) => one.name === by)!;
      const acme = addCompleteTenant(new GitOpsApp({ quiet: true }), 'acme', { delivery, charts });
      acme.addAddon(addons[name].least());
      return acme;
    });

    expect(written[1]).not.toBe(written[0]);
    expect(snapshots[1]).toBe(snapshots[0]);
  });
});

describe('a snapshot', () => {
  const [{ GatewayApi, GitOpsApp, Snapshots, addCompleteTenant, deliveries, addTenant }] = RELEASES;
  const tenant = (app: App = new GitOpsApp({ quiet: true })) => addTenant['diy-cloud'](app);

  test('has no hash and no bundled version, and what the page states', () => {
    const text = Snapshots.yaml(tenant());

    expect(text).toContain('name: acme-general-<hash>\n');
    expect(text).toContain('image: quay.io/kubevirt/kubevirt-cloud-controller-manager:<version>\n');
    expect(text).toMatch(/ chart: cert-manager\n(.*\n){4,5} *version: <version>\n/);
    expect(text).toContain('checksum/cloud-config: <hash>\n');
    expect(text).toContain('version: v1.34.1\n');
    expect(text).toContain('image: quay.io/capk/ubuntu-2404-container-disk:v1.34.1\n');
    expect(text).toContain('image: registry.example.com/platform/kubevirt-csi-driver:27b52aa2\n');
  });

  test.each([['flux', 'ref:\n    tag: <version>\n'], ['argo-cd', '\n    targetRevision: <version>\n']])('by %s has no tag of manifests that addons bring', (by, tag) => {
    const { delivery, charts } = deliveries.find(({ name }) => name === by)!;
    const acme = addCompleteTenant(new GitOpsApp({ quiet: true }), 'acme', { delivery, charts });
    acme.addAddon(new GatewayApi({ envoyGateway: true }));
    const objects = Snapshots.yaml(acme).split('---\n');

    for (const source of ['https://github.com/kubernetes-sigs/gateway-api', 'https://github.com/envoyproxy/gateway']) {
      expect(objects.find((object) => object.includes(`: ${source}\n`))).toContain(tag);
    }
  });

  test('keeps an image that the page brings to a repository of the same name', () => {
    const { delivery, charts } = deliveries.find(({ name }) => name === 'flux-repository')!;
    const acme = addCompleteTenant(new GitOpsApp({ quiet: true }), 'acme', { delivery, charts });

    expect(Snapshots.yaml(acme)).toContain('registry.example.com/kubevirt/kubevirt-csi-driver:27b52aa2\n');
  });

  test.each([
    ['registry.k8s.io/e2e-test-images/busybox:1.37.0', 'registry.k8s.io/e2e-test-images/busybox:<version>'],
    ['mirror.example.com:5000/hub/e2e-test-images/busybox:1.37.0', 'mirror.example.com:5000/hub/e2e-test-images/busybox:<version>'],
    [`registry.k8s.io/e2e-test-images/busybox:1.37.0@sha256:${'0'.repeat(64)}`, 'registry.k8s.io/e2e-test-images/busybox:<version>'],
    [`registry.k8s.io/e2e-test-images/busybox@sha256:${'0'.repeat(64)}`, 'registry.k8s.io/e2e-test-images/busybox:<version>'],
    ['registry.k8s.io/e2e-test-images/busybox-more:1.37.0', 'registry.k8s.io/e2e-test-images/busybox-more:1.37.0'],
    ['docker.io/other/nginx:1.37.0', 'docker.io/other/nginx:1.37.0'],
  ])('of a container with the image %s', (image, shown) => {
    const app = new GitOpsApp({ quiet: true });
    new ApiObject(new Chart(app, 'pods'), 'pod', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image }] } });

    expect(Snapshots.objects(app)).toEqual([expect.objectContaining({ spec: { containers: [{ name: 'a', image: shown }] } })]);
  });

  test('changes with the page', () => {
    const [before, after] = [false, true].map((labelled) => {
      const acme = tenant();
      if (labelled) acme.cluster.metadata.addLabel('example.com/tier', 'gold');
      return Snapshots.yaml(acme);
    });

    expect(after).toContain('example.com/tier: gold\n');
    expect(after.replace('    example.com/tier: gold\n', '')).toBe(before);
  });

  test('has what a construct writes, and nothing of its neighbors', () => {
    const app = new GitOpsApp({ quiet: true });
    const acme = tenant(app);
    const alone = Snapshots.yaml(acme);
    addCompleteTenant(app, 'zenith', { ...deliveries[0], props: { namespace: 'tenant-zenith' } });

    expect(Snapshots.yaml(acme)).toBe(alone);
    expect(Snapshots.yaml(app)).toContain('name: zenith\n');
  });

  test('as objects has what it has as text, delivered objects among them', () => {
    const { delivery, charts } = deliveries.find(({ name }) => name === 'flux-repository')!;
    const acme = addCompleteTenant(new GitOpsApp({ quiet: true }), 'acme', { delivery, charts });
    const objects = Snapshots.objects(acme) as { kind: string; metadata: { name: string } }[];

    expect(Snapshots.yaml(acme).split('\n---\n')).toHaveLength(objects.length);
    expect(objects.filter(({ kind }) => kind === 'CSIDriver')).toHaveLength(1);
  });

  test('of a page that synthesis refuses is an error', () => {
    const acme = tenant();
    acme.cluster.metadata.addLabel('example.com/tier', 'not a label');

    expect(() => Snapshots.yaml(acme)).toThrow('Validation failed with the following errors:\n');
  });
});
