import { CLUSTER, kustomization, planned } from './texts-of-plans';

const SETTINGS = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: default}\n';
const SELF = kustomization('flux-system', 'path: ./flux');
const DELIVERED = { 'flux/root.yaml': SELF, 'flux/shop.yaml': kustomization('shop', 'path: ./shop'), 'shop/settings.yaml': SETTINGS };
const NEWER = CLUSTER.replace('v1.33.4', 'v1.34.1');

const NOT_APPLIED = 'drafts/all.yaml: no kustomization or delivery applies it';

describe('a folder that nothing applies', () => {
  test('has no effects where a delivery applies itself, and is named', () => {
    const text = planned({ ...DELIVERED, 'drafts/all.yaml': CLUSTER }, { ...DELIVERED, 'drafts/all.yaml': NEWER });
    expect(text).toContain(`changed, not applied: ${NOT_APPLIED}`);
    expect(text).toMatch(/^SAFE: .* 0 machines replaced; 1 file not applied\.\nNOT APPLIED: Cluster team-shop\/shop in drafts\/all\.yaml\n/);
    expect(planned({ ...DELIVERED, 'drafts/all.yaml': CLUSTER }, DELIVERED)).toContain(`removed, not applied: ${NOT_APPLIED}`);
  });

  test.each([
    ['that was applied by hand is beside the first delivery', { 'start/root.yaml': kustomization('shop', 'path: ./shop'), 'shop/settings.yaml': SETTINGS }, 'start/all.yaml'],
    ['may be applied by hand, as Clusters are', { 'start/root.yaml': kustomization('shop', 'path: ./shop/addons'), 'shop/addons/settings.yaml': SETTINGS }, 'shop/all.yaml'],
    ['may be that of a path that is filled in later', { ...DELIVERED, 'flux/more.yaml': kustomization('more', 'path: "./${FOLDER}"') }, 'drafts/all.yaml'],
    ['may be that of a delivery that is not known', {
      ...DELIVERED, 'flux/set.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a, namespace: argocd}\nspec: {generators: [{clusters: {}}], template: {}}\n',
    }, 'drafts/all.yaml'],
    ['may be that of a delivery that is not known, beside one that is', {
      ...DELIVERED, 'flux/set.yaml': `${SELF}---\napiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: a, namespace: argocd}\nspec: {generators: [{clusters: {}}], template: {}}\n`,
    }, 'drafts/all.yaml'],
    ['may be that of another management cluster', { 'sites/a/sync.yaml': kustomization('flux-system', 'path: ./sites/a') }, 'sites/b/all.yaml'],
    ['may be applied by a controller of any kind that names it', {
      ...DELIVERED, 'flux/sync.yaml': 'apiVersion: sync.example.com/v1\nkind: Sync\nmetadata: {name: a, namespace: a}\nspec: {git: {dir: drafts}}\n',
    }, 'drafts/all.yaml'],
    ['may be applied by a delivery in a text', {
      ...DELIVERED, 'flux/packed.yaml': `${SETTINGS.replace('settings', 'packed')}data: {a.yaml: ${JSON.stringify(kustomization('drafts', 'path: ./drafts'))}}\n`,
    }, 'drafts/all.yaml'],
    ['may be that of a path in a patch', {
      ...DELIVERED, 'flux/kustomization.yaml': 'resources: [root.yaml, shop.yaml]\npatches: [{target: {kind: Kustomization, name: shop}, patch: "[{op: replace, path: /spec/path, value: ./drafts}]"}]\n',
    }, 'drafts/all.yaml'],
    ['may be a file that a generator of kustomize reads', {
      ...DELIVERED, 'shop/kustomization.yaml': 'resources: [settings.yaml]\nconfigMapGenerator: [{name: a, files: [a.yaml=../drafts/all.yaml]}]\n',
    }, 'drafts/all.yaml'],
    ['may be the definitions of a chart', {
      ...DELIVERED,
      'parts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
      'flux/db.yaml': 'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n'
        + 'metadata: {name: db, namespace: flux-system}\nspec: {interval: 1h, chart: {spec: {chart: ./parts/db, sourceRef: {kind: GitRepository, name: flux-system}}}}\n',
    }, 'parts/db/crds/all.yaml'],
  ])('%s', (_, files, file) => {
    expect(planned({ ...files, [file]: CLUSTER }, { ...files, [file]: NEWER })).toContain('machine replaced, at most');
  });

  test('is no other one where a name is that of something else, or a list of kustomize that nothing applies names it', () => {
    const files = { ...DELIVERED, 'shop/settings.yaml': `${SETTINGS}data: {team: drafts, url: "https://example.com/a/drafts"}\n`, 'old/kustomization.yaml': 'resources: [../drafts/all.yaml]\n' };
    expect(planned({ ...files, 'drafts/all.yaml': CLUSTER }, { ...files, 'drafts/all.yaml': NEWER })).toContain(NOT_APPLIED);
  });

  test('beside delivered ones has no effects, also where the first delivery was applied by hand', () => {
    const files = { 'start/root.yaml': kustomization('shop', 'path: ./apps/shop'), 'apps/shop/settings.yaml': SETTINGS };
    expect(planned({ ...files, 'apps/old/all.yaml': SETTINGS.replace('settings', 'old') }, files)).toContain('removed, not applied: apps/old/all.yaml');
  });
});

test('a component that no kustomization uses applies nothing', () => {
  const component = { 'parts/db/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [db.yaml]\n' };
  const db = { 'parts/db/db.yaml': SETTINGS.replace('settings', '"${APP}-db"') };
  const used = { 'shop/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\ncomponents: [../parts/db]\n' };
  expect(planned(component, { ...component, ...db })).toContain('created, not applied: parts/db/db.yaml');
  expect(planned({ ...component, ...used }, { ...component, ...used, ...db })).not.toContain('not applied');
});

test('manifests that a kustomization packs into a ConfigMap are not read, and no file that nothing applies', () => {
  const packing = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [shop.yaml]\nconfigMapGenerator: [{name: packed, files: [data.yaml=more.yaml]}]\n';
  const files = { 'shop/kustomization.yaml': packing, 'shop/shop.yaml': SETTINGS };
  const text = planned({ ...files, 'shop/more.yaml': CLUSTER }, { ...files, 'shop/more.yaml': NEWER });
  expect(text).toContain('changed, not read: shop/more.yaml: input of kustomize');
  expect(text).toMatch(/^DISRUPTS \(if what is unknown does\)/);
});

// fluxcd/kustomize-controller internal/controller/kustomization_controller.go: finalizerShouldDeleteResources, kustomization path not found.
test.each([
  ['leaves what it applied, by its policy', 'path: ./shop, deletionPolicy: Orphan', true, false],
  ['leaves what it applied while it is suspended', 'path: ./shop, suspend: true', true, false],
  ['may prune what is gone before, if its folder has other files', 'path: ./shop, deletionPolicy: Orphan', false, true],
  ['deletes what it applied', 'path: ./shop', true, true],
])('a Kustomization that is removed with its folder %s', (_, spec, isWhole, isLost) => {
  const files = { 'flux/root.yaml': SELF, 'flux/shop.yaml': kustomization('shop', spec), 'shop/all.yaml': CLUSTER, ...(!isWhole && { 'shop/settings.yaml': SETTINGS }) };
  const text = planned(files, { 'flux/root.yaml': SELF, ...(!isWhole && { 'shop/settings.yaml': SETTINGS }) });
  expect([/^DESTROYS/.test(text), text.includes('stays in the cluster: Cluster')]).toEqual([isLost, !isLost]);
});

test('a Kustomization that does not prune from now on may have pruned what goes in the same commit', () => {
  const files = (spec: string) => ({ 'flux/root.yaml': SELF, 'flux/shop.yaml': kustomization('shop', `path: ./shop, ${spec}`), 'shop/settings.yaml': SETTINGS });
  const [pruning, other] = ['force: false', 'deletionPolicy: Orphan'].map(files);
  expect(planned({ ...pruning, 'shop/more.yaml': SETTINGS.replace('settings', 'more') }, { ...other, 'flux/shop.yaml': other['flux/shop.yaml'].replace('prune: true', 'prune: false') }))
    .toContain('Kustomization shop does not prune from now on: it stays unless it is pruned before');
});

test('what a delivery applies from another folder from now on is what it was', () => {
  const files = (path: string) => ({ 'flux/root.yaml': SELF, 'flux/shop.yaml': kustomization('shop', `path: ./${path}`), 'shop/all.yaml': CLUSTER, 'next/all.yaml': NEWER });
  const text = planned(files('shop'), files('next'));
  expect(text).toContain('1 machine is replaced');
  expect(text).not.toContain('removed');
});

// argoproj/argo-cd controller/sync.go: validateSyncPermissions; pkg/apis/application/v1alpha1/app_project_types.go.
describe('an AppProject that permits less', () => {
  const application = 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: argocd}\nspec:\n  project: own\n'
    + '  source: {repoURL: "https://git.example.com/a", path: shop}\n  destination: {server: "https://kubernetes.default.svc"}\n  syncPolicy: {automated: {prune: true}}\n';
  const project = (spec: string) => ({
    'argo/project.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata: {name: own, namespace: argocd}\n'
      + `spec: {sourceRepos: ["*"], destinations: [{server: "*", namespace: "*"}], clusterResourceWhitelist: [{group: "*", kind: "*"}], ${spec}}\n`,
  });
  const files = { 'argo/shop.yaml': application, 'shop/all.yaml': CLUSTER };

  test.each([
    ['kinds', 'namespaceResourceBlacklist: [{group: "*", kind: "Kubeadm*"}]', 'the kind KubeadmControlPlane'],
    ['all but some kinds', 'namespaceResourceWhitelist: [{group: "", kind: Secret}]', 'the kind Cluster'],
    ['repositories', 'description: ""', 'its sources and destination', 'https://git.example.com/b'],
  ])('stops Applications: %s', (_, spec, what, repository = '*') => {
    const after = project(spec)['argo/project.yaml'].replace('sourceRepos: ["*"]', `sourceRepos: ["${repository}"]`);
    const text = planned({ ...files, ...project('') }, { 'argo/shop.yaml': application, 'shop/all.yaml': NEWER, 'argo/project.yaml': after });
    expect(text).toContain(`accepted, and fails later: Application shop syncs nothing: AppProject own permits ${what}`);
    expect(text).toContain('; 0 machines replaced.');
  });

  test('does so no more than before, or with what they do not have', () => {
    const [forbidden, other] = ['kind: "Kubeadm*"', 'kind: Secret'].map((kind) => project(`namespaceResourceBlacklist: [{group: "*", ${kind}}]`));
    expect(planned({ ...files, ...forbidden }, { ...files, ...forbidden, 'shop/all.yaml': NEWER })).toContain('machine replaced, at most');
    expect(planned({ ...files, ...project('') }, { ...files, ...other, 'shop/all.yaml': NEWER })).toContain('machine replaced, at most');
  });
});

// argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go: getSyncTasks.
test('a hook is not pruned, and a changed one is created anew', () => {
  const application = 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: shop, namespace: argocd}\nspec:\n'
    + '  source: {repoURL: "https://git.example.com/a", path: shop}\n  destination: {server: "https://kubernetes.default.svc"}\n  syncPolicy: {automated: {prune: true}}\n';
  const job = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: check, namespace: default, annotations: {argocd.argoproj.io/hook: PreSync}}\n'
    + 'spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "example.com/a:1"}]}}}\n';
  const files = { 'argo/shop.yaml': application, 'shop/settings.yaml': SETTINGS };
  expect(planned({ ...files, 'shop/job.yaml': job }, files)).toContain('stays in the cluster: Job check');
  expect(planned({ ...files, 'shop/job.yaml': job.replace('PreSync', 'Skip') }, files)).toContain('deleted: Job check');
  const changed = planned({ ...files, 'shop/job.yaml': job }, { ...files, 'shop/job.yaml': job.replace('a:1', 'a:2') });
  expect(changed).toContain('Application shop deletes Job check, and creates it anew');
  expect(changed).not.toContain('REFUSED');
});
