import { CLUSTER, kustomization, planned, replaced } from './texts-of-plans';

function source(kind: string, spec: string, name = 'flux-system'): string {
  return `apiVersion: source.toolkit.fluxcd.io/v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {interval: 1m, ${spec}}\n---\n`;
}

function release(spec: string): string {
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: flux-system}\nspec: {interval: 1m, ${spec}}\n`;
}

const GIT = 'url: "https://git.example.com/fleet"';
const INFRA = kustomization('infra', 'path: ./infra');

// fluxcd/source-controller docs/spec/v1/gitrepositories.md (reference); fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (prune).
describe('another revision of a source', () => {
  test.each([
    ['a tag', 'GitRepository', `${GIT}, ref: {tag: v1}`, 'tag: v1', 'tag: v2', 'tag v2'],
    ['a branch', 'GitRepository', `${GIT}, ref: {branch: main}`, 'branch: main', 'branch: production', 'branch production'],
    ['a commit', 'GitRepository', `${GIT}, ref: {branch: main}`, 'branch: main', 'branch: main, commit: 0123abc', 'commit 0123abc'],
    ['versions', 'GitRepository', `${GIT}, ref: {semver: 1.x}`, 'semver: 1.x', 'semver: 2.x', 'semver 2.x'],
    ['a tag of an artifact', 'OCIRepository', 'url: "oci://registry.example.com/fleet", ref: {tag: v1}', 'tag: v1', 'tag: v2', 'tag v2'],
    ['an address', 'GitRepository', `${GIT}, ref: {tag: v1}`, 'example.com/fleet', 'example.com/other', 'another repository'],
    ['what is ignored', 'GitRepository', `${GIT}, ignore: /a`, 'ignore: /a', 'ignore: /b', 'other content'],
  ])('by %s is not read, and what applies it is named', (_, kind, spec, was, is, revision) => {
    const text = replaced(source(kind, spec) + INFRA.replace('GitRepository', kind), was, is);
    expect(text).toContain(`Kustomization infra applies ${revision}, which is not read, and deletes what it does not have`);
    expect(text).toMatch(/^DISRUPTS \(if what is unknown does\)/);
  });

  test('counts for what includes it', () => {
    const including = source('GitRepository', `${GIT}, ref: {branch: main}, include: [{repository: {name: shared}}]`);
    expect(replaced(source('GitRepository', `${GIT}, ref: {tag: v1}`, 'shared') + including + INFRA, 'tag: v1', 'tag: v2')).toContain('Kustomization infra applies tag v2');
  });

  test('that was read says that the manifests are those of another one', () => {
    const files = { 'flux.yaml': source('GitRepository', `${GIT}, ref: {branch: main}`) + INFRA, 'infra/all.yaml': CLUSTER };
    expect(planned(files, { ...files, 'flux.yaml': files['flux.yaml'].replace('branch: main', 'tag: v1') }))
      .toContain('the manifests here are in effect only if it has them');
  });

  test('of nothing that is among the manifests is unknown', () => {
    expect(replaced(source('GitRepository', `${GIT}, ref: {tag: v1}`), 'tag: v1', 'tag: v2')).toContain('what reads tag v2 of it is not among the manifests');
  });

  test('is not read of a chart in a repository, and upgrades the release of an artifact', () => {
    const chart = release('chart: {spec: {chart: ./web, sourceRef: {kind: GitRepository, name: flux-system}}}');
    expect(replaced(source('GitRepository', `${GIT}, ref: {tag: v1}`) + chart, 'tag: v1', 'tag: v2')).toContain('HelmRelease web has the chart of tag v2, which is not read');
    const artifact = release('chartRef: {kind: OCIRepository, name: flux-system}');
    expect(replaced(source('OCIRepository', 'url: "oci://registry.example.com/web", ref: {tag: 1.0.0}') + artifact, '1.0.0', '1.1.0'))
      .toContain('upgraded: version.tag 1.0.0 -> 1.1.0, HelmRelease web has its chart from it');
  });
});

// fluxcd/kustomize-controller internal/controller/kustomization_controller.go: kustomization path not found; argoproj/argo-cd util/app/path/path.go.
describe('a folder that is not in the repository that was read', () => {
  const files = { 'flux/shop.yaml': kustomization('shop', 'path: ./clusters/shop'), 'clusters/shop/all.yaml': CLUSTER };

  test.each([
    ['of a Kustomization with another path', { 'flux/shop.yaml': kustomization('shop', 'path: ./clusters/shopp') }, 'Kustomization shop finds no folder ./clusters/shopp'],
    ['of a new Kustomization', { 'flux/apps.yaml': kustomization('apps', 'path: ./apps') }, 'Kustomization apps finds no folder ./apps'],
  ])('%s makes it fail later', (_, changed, fails) => {
    const text = planned(files, { ...files, ...changed });
    expect(text).toContain(`accepted, and fails later: ${fails}: it fails, applies nothing and deletes nothing until the folder is there`);
    expect(text).toMatch(/^DISRUPTS: /);
    expect(text).not.toContain('is deleted');
  });

  test('of a Kustomization of another source is not missed', () => {
    const other = kustomization('apps', 'path: ./apps').replace('name: flux-system}, path', 'name: other}, path');
    expect(planned(files, { ...files, 'flux/apps.yaml': other })).toMatch(/^SAFE: /);
  });

  test('of an Application makes it fail, whether it may delete everything or not', () => {
    const application = (path: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: team-shop}
  source: {repoURL: "https://git.example.com/fleet", path: ${path}}
  syncPolicy: {automated: {prune: true, allowEmpty: true}}
`;
    const applied = { 'apps/shop.yaml': application('clusters/shop'), 'clusters/shop/all.yaml': CLUSTER };
    const fails = 'Application shop finds no folder';
    expect(planned(applied, { ...applied, 'apps/shop.yaml': application('clusters/shopp') })).toContain(`${fails} clusters/shopp`);
    const text = planned(applied, { 'apps/shop.yaml': application('clusters/shop') });
    expect(text).toContain(`${fails} clusters/shop`);
    expect(text).not.toContain('LOST');
  });
});

describe('a variable that nothing has replaced', () => {
  const port = (value: string) => CLUSTER.replaceAll('DockerCluster', 'OpenStackCluster') + `---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: shop, namespace: team-shop}
spec: {apiServerPort: ${value}, identityRef: {name: cloud, cloudName: openstack}}
`;

  test('with another default may stand for the same value, which no server refuses', () => {
    expect(planned(port('6443'), port('7443'))).toMatch(/^BLOCKED: /);
    const text = planned(port('"${PORT:=6443}"'), port('"${PORT:=null}"'));
    expect(text).not.toContain('REFUSED');
    expect(text).toContain('changed, effect unknown: apiServerPort');
  });

  test('as the replicas of a control plane leaves its number of machines open', () => {
    const example = CLUSTER.replaceAll('KubeadmControlPlane', 'ExampleControlPlane').replace('replicas: 1', 'replicas: "${N}"').replace('controlplane.cluster.x-k8s.io/v1beta2', 'controlplane.cluster.x-k8s.io/v1beta1');
    const text = planned(example, example.replace('v1.33.4', 'v1.34.1'));
    expect(text).toContain('machines of 1 part not counted, because their number is not known');
    expect(text).toContain('machines are replaced, 1 at a time: version v1.33.4 -> v1.34.1');
  });
});

// argoproj/argo-cd docs/user-guide/multiple_sources.md, docs/user-guide/directory.md.
describe('an Application', () => {
  const application = (sources: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec: {project: default, destination: {server: "https://kubernetes.default.svc", namespace: team-shop}, syncPolicy: {automated: {prune: true}}, ${sources}}
`;
  const one = (path: string, more = '') => `{repoURL: "https://git.example.com/fleet", path: ${path}, targetRevision: main${more}}`;
  const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: team-shop}\n';
  const files = { 'shop/all.yaml': CLUSTER, 'more/settings.yml': settings };
  const changed = (before: string, after: string) => planned({ ...files, 'app.yaml': application(before) }, { ...files, 'app.yaml': application(after) });

  test('that leaves files of its folder out from now on prunes what is in them', () => {
    for (const directory of ['exclude: all.*', 'exclude: "{all.yaml,x}"', 'include: "*.yml"']) {
      const text = changed(`source: ${one('shop')}`, `source: ${one('shop', `, directory: {${directory}}`)}`);
      expect(text).toContain('LOST: team-shop/shop: the cluster with 1 machine');
      expect(text).not.toContain('unknown');
    }
    expect(changed(`source: ${one('shop')}`, `source: ${one('shop', ', directory: {exclude: other.yaml}')}`)).toMatch(/^SAFE: /);
  });

  test('with one source less prunes what is in it, and the others are the same', () => {
    const text = changed(`sources: [${one('shop')}, ${one('more')}]`, `sources: [${one('more')}]`);
    expect(text).toContain('LOST: team-shop/shop: the cluster with 1 machine');
    expect(text).toContain('delivery shop  changed in place: source shop removed');
  });

  test('with another revision of one of its sources has content that is not read', () => {
    expect(changed(`sources: [${one('shop')}, ${one('more')}]`, `sources: [${one('shop').replace('main', 'v2')}, ${one('more')}]`))
      .toContain('effect unknown: shop: version main -> v2, other content is applied, which is not read, and the manifests here are in effect only if it has them');
  });
});

// kubernetes-sigs/cluster-api exp/runtime/internal/client: hooks are called for the namespaces that an extension selects.
test('hooks of an extension that are called for other clusters', () => {
  const extension = (namespace: string) => `---
apiVersion: runtime.cluster.x-k8s.io/v1beta2
kind: ExtensionConfig
metadata: {name: hooks}
spec:
  clientConfig: {service: {name: hooks, namespace: hooks, port: 443}}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ${namespace}}}
`;
  expect(planned(CLUSTER + extension('team-shop'), CLUSTER + extension('other'))).toContain('its hooks are called no more for team-shop/shop: what they held back goes on');
  expect(planned(CLUSTER + extension('other'), CLUSTER + extension('team-shop'))).toContain('its hooks are called for team-shop/shop from now on');
  expect(planned(CLUSTER + extension('team-shop'), CLUSTER)).toContain('its hooks are called no more for team-shop/shop');
});

// k0sproject/k0smotron internal/controller/k0smotron.io/k0smotroncluster_statefulset.go: claims of a StatefulSet cannot change.
test('the data folder of a control plane of k0smotron', () => {
  const hosted = (persistence: string) => CLUSTER.replace('KubeadmControlPlane', 'K0smotronControlPlane').replace(/kind: KubeadmControlPlane[^]*/, `kind: K0smotronControlPlane
metadata: {name: shop, namespace: team-shop}
spec: {version: v1.34.1-k0s.0, replicas: 1, persistence: ${persistence}}
`).replace('controlplane.cluster.x-k8s.io/v1beta2', 'controlplane.cluster.x-k8s.io/v1beta1');
  expect(planned(hosted('{type: emptyDir}'), hosted('{type: pvc, persistentVolumeClaim: {spec: {accessModes: [ReadWriteOnce]}}}')))
    .toContain('accepted, and fails later: persistence.type emptyDir -> pvc (claims of a StatefulSet cannot change');
  expect(planned(hosted('{type: hostPath, hostPath: /a}'), hosted('{type: hostPath, hostPath: /b}'))).toContain('its pods begin with another data folder');
});

test('a template whose variables change may be refused, and is not safe', () => {
  const template = (image: string) => `${CLUSTER.replaceAll('DockerMachineTemplate', 'OpenStackMachineTemplate')}---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: shop, namespace: team-shop}
spec: {template: {spec: {flavor: small, image: {filter: {name: ${image}}}}}}
`;
  const text = planned(template('"${IMAGE}"'), template('"${IMAGE_UPGRADE_FROM}"'));
  expect(text).toMatch(/^DISRUPTS \(if what is unknown does\)/);
  expect(text).toContain('changed, effect unknown: image.filter.name');
});

test('a file of jsonnet, which Argo CD evaluates, is not read', () => {
  const files = { 'app/policy.jsonnet': '{ a: 1 }', 'app/all.yaml': CLUSTER };
  expect(planned(files, { ...files, 'app/policy.jsonnet': '{ a: 2 }' })).toContain('changed, not read: app/policy.jsonnet: file of jsonnet');
});

// kubernetes-sigs/kustomize api/konfig/general.go (RecognizedKustomizationFileNames).
test('a kustomization of another name lists nothing', () => {
  const list = (file: string) => `apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [${file}]\n`;
  const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: team-shop}\n';
  const files = { 'shop/kustomization.yaml': list('settings.yaml'), 'shop/kustomization-full.yaml': list('all.yaml'), 'shop/settings.yaml': settings, 'shop/all.yaml': CLUSTER };
  const text = planned(files, { ...files, 'shop/all.yaml': CLUSTER.replace('v1.33.4', 'v1.34.1') });
  expect(text).toContain('changed, not applied: shop/all.yaml: no kustomization or delivery applies it');
  expect(text).toContain('0 machines replaced');
});
