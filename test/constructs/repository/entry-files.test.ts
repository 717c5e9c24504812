import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { Hibernation } from '../../../src/constructs/contracts/cluster-context';
import { EntryPoints } from '../../../src/constructs/contracts/delivery/entry-points';
import { ArgoCdApplicationSet } from '../../../src/constructs/deliveries/argo-cd/argo-cd-application-set';
import { ArgoCdEntryPoints } from '../../../src/constructs/deliveries/argo-cd/argo-cd-entry-points';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { checkEntryNames, entryFiles, folderEntries } from '../../../src/constructs/repository/entry-files';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { FileLayout, outputFolders } from '../../../src/constructs/repository/output-folders';
import { celEnvironment } from '../../../src/manifests/cel/environment';
import { celMap } from '../../../src/manifests/cel/values';
import { SchemaValidator } from '../../manifests/schema/validate';
import { Manifest } from '../../support/clusters';
import { addCompleteTenant, CompleteTenantOptions } from '../../support/complete-tenant';

const GIT = { repoUrl: 'https://git.example.com/platform/tenants.git', targetRevision: 'main', path: 'out' };
const FLUX = new FluxEntryPoints({ sourceName: 'flux-system', path: 'out' });

function entries(entryPoints: EntryPoints, app: App): { [file: string]: Manifest[] } {
  app.node.findAll().forEach(({ node }) => node.validate());
  const files = entryFiles(entryPoints, folderEntries(outputFolders(app, FileLayout.FILE_PER_PART), entryPoints.addonsApart));
  return Object.fromEntries([...files].map(([file, objects]) => [file, objects.map((object) => object.toJson())]));
}

function tenant(props: CompleteTenantOptions['props'] = {}): App {
  const app = Testing.app();
  addCompleteTenant(app, 'acme', { delivery: new FluxDelivery(), charts: true, props });
  return app;
}

test('Flux applies a cluster, and its addons when the control plane is available', () => {
  const shared = {
    deletionPolicy: 'Orphan',
    force: false,
    interval: '10m0s',
    prune: true,
    retryInterval: '1m0s',
    timeout: '30s',
    sourceRef: { kind: 'GitRepository', name: 'flux-system' },
  };
  expect(entries(FLUX, tenant())).toEqual({
    'flux/tenant-acme.acme.yaml': [
      {
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { name: 'tenant-acme.acme', namespace: 'flux-system' },
        spec: {
          ...shared,
          path: './out/clusters/tenant-acme/acme',
          healthChecks: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', namespace: 'tenant-acme', name: 'acme' }],
          healthCheckExprs: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', current: expect.any(String) }],
        },
      },
      {
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { name: 'tenant-acme.acme.addons', namespace: 'flux-system' },
        spec: { ...shared, path: './out/clusters/tenant-acme/acme/addons', dependsOn: [{ name: 'tenant-acme.acme' }] },
      },
    ],
  });
});

test('the health of a cluster is that of its control plane, whatever else its status holds', () => {
  const [expression] = entries(FLUX, tenant())['flux/tenant-acme.acme.yaml'][0].spec.healthCheckExprs;
  const current = (status: { [key: string]: unknown }) => celEnvironment().registerVariable('status', 'dyn')
    .evaluate(expression.current, { status: celMap(Object.entries(status)) });
  const conditions = (...all: [type: string, status: string][]) => all.map(([type, status]) => celMap([['type', type], ['status', status]]));
  expect(current({ conditions: conditions(['Available', 'False'], ['ControlPlaneAvailable', 'True']) })).toBe(true);
  expect(current({ conditions: conditions(['ControlPlaneAvailable', 'Unknown']) })).toBe(false);
  expect(current({ conditions: conditions() })).toBe(false);
  expect(current({})).toBe(false);
});

test('nothing waits for a cluster that is taken down, and what is left of it goes with its entries', () => {
  const [cluster, addons] = entries(FLUX, tenant({ decommission: true }))['flux/tenant-acme.acme.yaml'];
  expect(cluster.spec).not.toHaveProperty('healthChecks');
  expect(addons.spec).not.toHaveProperty('dependsOn');
  expect([cluster, addons].map(({ spec }) => spec.deletionPolicy)).toEqual(['MirrorPrune', 'MirrorPrune']);
});

test('nothing waits for a control plane that is stopped, and addons wait for it when it starts again', () => {
  const specs = (hibernation?: Hibernation) => entries(FLUX, tenant({ hibernation }))['flux/tenant-acme.acme.yaml'].map(({ spec }) => spec);
  const [cluster, addons] = specs(Hibernation.FULL);

  expect(cluster).not.toHaveProperty('healthChecks');
  expect(addons).toHaveProperty('dependsOn');
  expect(specs(Hibernation.POOLS)).toEqual(specs());
});

test('without waiting there is one Kustomization for all of a cluster', () => {
  const [cluster, ...others] = entries(new FluxEntryPoints({ sourceName: 'fleet', waitForControlPlane: false }), tenant())['flux/tenant-acme.acme.yaml'];
  expect(others).toEqual([]);
  expect(cluster.spec).not.toHaveProperty('healthChecks');
  expect(cluster.spec.path).toBe('./clusters/tenant-acme/acme');
});

test('Argo CD applies each folder, and leaves alone what controllers fill in', () => {
  const [application, ...others] = entries(new ArgoCdEntryPoints(GIT), tenant())['argocd/tenant-acme.acme.yaml'];
  expect(others).toEqual([]);
  expect(application.metadata).toEqual({
    name: 'tenant-acme.acme', namespace: 'argocd', annotations: { 'argocd.argoproj.io/manifest-generate-paths': '.' },
  });
  expect(application.spec).toMatchObject({
    destination: { server: 'https://kubernetes.default.svc' },
    project: 'default',
    source: { repoURL: GIT.repoUrl, targetRevision: 'main', path: 'out/clusters/tenant-acme/acme' },
    syncPolicy: { syncOptions: ['ServerSideApply=true', 'RespectIgnoreDifferences=true'] },
  });
  expect(application.spec.ignoreDifferences).toEqual([
    { group: 'cluster.x-k8s.io', kind: 'Cluster', jsonPointers: ['/spec/controlPlaneEndpoint'] },
    // The machines of a pool that is not autoscaled are the repository's.
    {
      group: 'cluster.x-k8s.io',
      kind: 'MachineDeployment',
      jqPathExpressions: ['select(.metadata.annotations["cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"]) | .spec.replicas'],
    },
    { group: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtCluster', jsonPointers: ['/spec/controlPlaneEndpoint'] },
  ]);
  // A commit that mends another one is not waited for behind it.
  expect(application.spec.syncPolicy.retry).toMatchObject({ limit: -1, refresh: true });
  const [leaving] = entries(new ArgoCdEntryPoints(GIT), tenant({ decommission: true }))['argocd/tenant-acme.acme.yaml'];
  expect(leaving.metadata.finalizers).toEqual(['resources-finalizer.argocd.argoproj.io']);
});

test('one ApplicationSet finds the folders of all clusters', () => {
  const files = entries(new ArgoCdApplicationSet(GIT), tenant());
  expect(Object.keys(files)).toEqual(['argocd/all.yaml']);
  const [set] = files['argocd/all.yaml'];
  expect(set.spec.generators).toEqual([{ git: { repoURL: GIT.repoUrl, revision: 'main', directories: [{ path: 'out/clusters/*/*' }] } }]);
  // `out/clusters/tenant-acme/acme` in segments.
  expect(set.spec.template.metadata).toEqual({
    annotations: { 'argocd.argoproj.io/manifest-generate-paths': '.' }, name: '{{ index .path.segments 2 }}.{{ index .path.segments 3 }}',
  });
  expect(set.spec.syncPolicy).toEqual({ applicationsSync: 'create-update', preserveResourcesOnDeletion: true });
});

test('what others come after counts as applied when it is ready', () => {
  const app = tenant();
  app.node.findAll().forEach(({ node }) => node.validate());
  const platform = new Chart(app, 'platform');
  new ApiObject(platform, 'object', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'object' } });
  const folders = outputFolders(app, FileLayout.FILE_PER_PART);
  const after = folders.map((filled) => (filled.folder.tenant ? { ...filled, before: ['charts/platform'] } : filled));
  const files = entryFiles(FLUX, folderEntries(after, true));
  const specs = [...files.values()].flat().map((object) => object.toJson()).map(({ metadata, spec }) => [metadata.name, spec.wait, spec.dependsOn]);
  expect(specs).toEqual([
    ['charts.platform', true, undefined],
    ['tenant-acme.acme', undefined, [{ name: 'charts.platform' }]],
    ['tenant-acme.acme.addons', undefined, [{ name: 'tenant-acme.acme' }]],
  ]);
});

test('servers take what is written', () => {
  const schemas = SchemaValidator.load();
  for (const entryPoints of [FLUX, new ArgoCdEntryPoints(GIT)]) {
    const objects = Object.values(entries(entryPoints, tenant())).flat();
    expect(objects.flatMap((object) => [...schemas.validate(object), ...schemas.missingDefaults(object)])).toEqual([]);
  }
});

test.each<[string, EntryPoints, string[]]>([
  ['Flux', new FluxEntryPoints({ sourceName: 'A b', namespace: 'x.y', path: '../up' }), ['sourceName', 'namespace', 'path']],
  ['Argo CD', new ArgoCdEntryPoints({ repoUrl: 'nowhere', targetRevision: '', path: 'a b', namespace: 'A', project: '?' }),
    ['repoUrl', 'targetRevision', 'path', 'namespace', 'project']],
  ['an ApplicationSet', new ArgoCdApplicationSet({ ...GIT, path: '..' }), ['path']],
])('TC-GITOPS-ENTRY: what %s is told is checked', (_, entryPoints, properties) => {
  const problems = entryPoints._check();
  expect(problems.map(({ rule }) => rule.id)).toEqual(properties.map(() => 'TC-GITOPS-ENTRY'));
  expect(problems.map(({ property }) => property)).toEqual(properties.map((property) => `entryPoints.${property}`));
});

describe('TC-GITOPS-ENTRY-NAME', () => {
  const chart = (app: App, id: string) => new ApiObject(new Chart(app, id), 'object', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'object' } });
  const cluster = (app: App, id: string, props: CompleteTenantOptions['props']) => addCompleteTenant(app, id, { delivery: new FluxDelivery(), charts: true, props });

  test.each<[string, (app: App) => void, string]>([
    ['a dot and a dash', (app) => { chart(app, 'x.y'); chart(app, 'x-y'); }, 'the folders charts/x-y and charts/x.y would both have the entry "charts.x-y"'],
    ['capital letters', (app) => { chart(app, 'Foo'); chart(app, 'foo'); }, 'the folders charts/Foo and charts/foo would both have the entry "charts.foo"'],
    ['a chart, and a cluster in the namespace "charts"', (app) => { chart(app, 'foo'); cluster(app, 'tenant', { name: 'foo', namespace: 'charts' }); },
      'the folders charts/foo and clusters/charts/foo would both have the entry "charts.foo"'],
    ['two clusters', (app) => { cluster(app, 'one', { name: 'foo-bar' }); cluster(app, 'other', { name: 'foo.bar' }); },
      'the folders clusters/tenant-acme/foo-bar and clusters/tenant-acme/foo.bar would both have the entry "tenant-acme.foo-bar"'],
  ])('%s are refused', (_, build, message) => {
    const app = new GitOpsApp({ entryPoints: FLUX });
    build(app);
    app.node.findAll().forEach(({ node }) => node.validate());
    const [problem, ...others] = checkEntryNames(app).filter((one) => one.message === message);
    expect(problem).toMatchObject({ rule: { id: 'TC-GITOPS-ENTRY-NAME' } });
    expect(others).toEqual([]);
  });

  test.each<[EntryPoints | undefined, boolean]>([[FLUX, true], [undefined, false]])('%#: only where a tool is told of folders', (entryPoints, refused) => {
    const outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'entries-'));
    const app = new GitOpsApp({ outdir, quiet: true, entryPoints });
    ['x.y', 'x-y'].forEach((id) => chart(app, id));
    if (refused) expect(() => app.synth()).toThrow('TC-GITOPS-ENTRY-NAME');
    else expect(() => app.synth()).not.toThrow();
    fs.rmSync(outdir, { recursive: true });
  });

  test('folders of their own names are none', () => {
    const app = tenant();
    ['acme-addons', 'tenant-acme.acme', 'addons'].forEach((id) => chart(app, id));
    app.node.findAll().forEach(({ node }) => node.validate());
    expect(checkEntryNames(app)).toEqual([]);
  });
});
