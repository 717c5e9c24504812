import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import * as fc from 'fast-check';
import { placePart } from '../../../src/constructs/app/synth/output-place';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { entryFiles, folderEntries } from '../../../src/constructs/repository/entry-files';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import {
  checkFolderOrder, checkFolders, FileLayout, foldersBefore, layOut, outputFolders,
} from '../../../src/constructs/repository/output-folders';
import { exampleCluster } from '../../support/clusters';
import { addCompleteTenant } from '../../support/complete-tenant';
import { manage } from '../management/managed';

function files(app: App): { [file: string]: string[] } {
  app.node.findAll().forEach(({ node }) => node.validate());
  return Object.fromEntries(outputFolders(app, FileLayout.FILE_PER_PART)
    .flatMap((folder) => [...folder.files].map(([file, objects]) => [file, objects.map(({ kind, name }) => `${kind} ${name}`)])));
}

function configMap(scope: Construct, id: string): ApiObject {
  return new ApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id } });
}

test('a tenant cluster is a dozen files: control plane, each pool, each controller, each addon', () => {
  const app = Testing.app();
  addCompleteTenant(app, 'acme', { delivery: new FluxDelivery(), charts: true });
  const written = files(app);
  const folder = 'clusters/tenant-acme/acme';
  expect(Object.keys(written)).toEqual([
    ...['cert-manager', 'cilium', 'kubevirt-csi-driver', 'metrics-server', 'sources', 'team-settings', 'traefik', 'workloads'].map((id) => `${folder}/addons/${id}.yaml`),
    `${folder}/cluster.yaml`,
    ...['cloud-controller-manager', 'cluster-autoscaler', 'csi-driver'].map((id) => `${folder}/controllers/${id}.yaml`),
    `${folder}/isolation.yaml`,
    ...['batch', 'general', 'ingress'].map((id) => `${folder}/pools/${id}.yaml`),
  ]);
  expect(written[`${folder}/cluster.yaml`]).toEqual([
    'Namespace tenant-acme', 'KubevirtCluster acme', 'KamajiControlPlane acme', 'PodDisruptionBudget acme', 'Cluster acme',
  ]);
  expect(written[`${folder}/pools/general.yaml`].map((text) => text.split(' ')[0])).toEqual([
    'KubevirtMachineTemplate', 'KubeadmConfigTemplate', 'MachineDeployment', 'MachineHealthCheck',
  ]);
  expect(written[`${folder}/addons/workloads.yaml`]).toEqual(['ClusterResourceSet acme-workloads', 'ConfigMap acme-workloads.1']);
});

test('a chart without a place of its own has a folder by its path', () => {
  const app = Testing.app();
  const chart = new Chart(app, 'platform');
  configMap(chart, 'one');
  configMap(new Chart(chart, 'inner one'), 'two');
  expect(files(app)).toEqual({ 'charts/platform/platform.yaml': ['ConfigMap one'], 'charts/platform.inner-one/inner-one.yaml': ['ConfigMap two'] });
});

test('the innermost part counts', () => {
  const app = Testing.app();
  const outer = placePart(new Construct(new Chart(app, 'c'), 'outer'), 'outer');
  configMap(outer, 'one');
  configMap(placePart(new Construct(outer, 'inner'), 'deep/inner'), 'two');
  expect(files(app)).toEqual({ 'charts/c/outer.yaml': ['ConfigMap one'], 'charts/c/deep/inner.yaml': ['ConfigMap two'] });
});

test('neither order nor number of other charts shows', () => {
  const made = (ids: string[]) => {
    const app = Testing.app();
    ids.forEach((id) => configMap(new Chart(app, id), `of-${id}`));
    return files(app);
  };
  const all = made(['a', 'b', 'c']);
  expect(Object.keys(made(['c', 'a', 'b']))).toEqual(Object.keys(all));
  expect(made(['c', 'a'])).toEqual({ 'charts/a/a.yaml': all['charts/a/a.yaml'], 'charts/c/c.yaml': all['charts/c/c.yaml'] });
});

test('TC-GITOPS-FOLDER: ids that are one path are refused', () => {
  const app = Testing.app();
  new Chart(app, 'a b');
  new Chart(app, 'a?b');
  expect(checkFolders(app)).toEqual([expect.objectContaining({
    rule: expect.objectContaining({ id: 'TC-GITOPS-FOLDER' }), message: 'the charts "a b" and "a?b" are both written to charts/a-b',
  })]);
});

function objectsOf(...given: [apiVersion: string, kind: string, name: string, namespace?: string][]): ApiObject[] {
  const parent = new Chart(Testing.app(), 'test');
  return given.map(([apiVersion, kind, name, namespace], index) => new ApiObject(parent, `${index}`, { apiVersion, kind, metadata: { name, namespace } }));
}

function layout(fileLayout: FileLayout, given: ApiObject[]): { [file: string]: string[] } {
  return Object.fromEntries([...layOut(fileLayout, 'pools/general', given)].map(([file, held]) => [file, held.map(({ kind, name }) => `${kind} ${name}`)]));
}

const POOL = objectsOf(['cluster.x-k8s.io/v1beta2', 'MachineDeployment', 'acme-general'], ['cluster.x-k8s.io/v1beta2', 'MachineHealthCheck', 'acme-general']);

test('a file for the part holds its objects in their order', () => {
  expect(layout(FileLayout.FILE_PER_PART, POOL)).toEqual({
    'pools/general.yaml': ['MachineDeployment acme-general', 'MachineHealthCheck acme-general'],
  });
});

test('a file for each object is named after it', () => {
  expect(layout(FileLayout.FILE_PER_OBJECT, POOL)).toEqual({
    'pools/general/machinedeployment-acme-general.yaml': ['MachineDeployment acme-general'],
    'pools/general/machinehealthcheck-acme-general.yaml': ['MachineHealthCheck acme-general'],
  });
});

test('objects of one name in two namespaces, or of two groups, do not share a file', () => {
  expect(layout(FileLayout.FILE_PER_OBJECT, objectsOf(['v1', 'Secret', 'x', 'a'], ['v1', 'Secret', 'x', 'b'], ['v1', 'ConfigMap', 'x', 'a']))).toEqual({
    'pools/general/secret-core-a-x.yaml': ['Secret x'],
    'pools/general/secret-core-b-x.yaml': ['Secret x'],
    'pools/general/configmap-x.yaml': ['ConfigMap x'],
  });
});

test('names that no file can have are written with hyphens, and nothing is lost where that makes two equal', () => {
  expect(layout(FileLayout.FILE_PER_OBJECT, objectsOf(
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'system:a'], ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'system-a'],
  ))).toEqual({ 'pools/general/clusterrole-rbac.authorization.k8s.io-system-a.yaml': ['ClusterRole system:a', 'ClusterRole system-a'] });
});

const FLUX = new FluxEntryPoints({ sourceName: 'flux-system' });

/** Kustomizations of Flux: names of those that come before, and true if it waits for the objects that it applies. */
function entries(app: App): { [name: string]: unknown } {
  app.node.findAll().forEach(({ node }) => node.validate());
  const objects = [...entryFiles(FLUX, folderEntries(outputFolders(app, FileLayout.FILE_PER_PART), true)).values()].flat();
  return Object.fromEntries(objects.map((object) => object.toJson()).map(({ metadata, spec }) => (
    [metadata.name, { ...(spec.wait && { wait: true }), after: (spec.dependsOn ?? []).map(({ name }: { name: string }) => name) }])));
}

function chartIn(app: App, id: string): Chart {
  const made = new Chart(app, id);
  ['one', 'two'].forEach((name) => new ApiObject(made, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${id}-${name}` } }));
  return made;
}

test('a chart comes after one that it depends on, when that is ready', () => {
  const app = Testing.app();
  const [crds, program] = ['crds', 'program'].map((id) => chartIn(app, id));
  program.addDependency(crds);
  expect(entries(app)).toEqual({ 'charts.crds': { wait: true, after: [] }, 'charts.program': { after: ['charts.crds'] } });
});

test('dependencies of objects are those of their folders, and inside a folder they are none', () => {
  const app = Testing.app();
  const [crds, program] = ['crds', 'program'].map((id) => chartIn(app, id));
  program.node.findChild('one').node.addDependency(crds.node.findChild('two'));
  program.node.findChild('one').node.addDependency(program.node.findChild('two'));
  expect(entries(app)).toEqual({ 'charts.crds': { wait: true, after: [] }, 'charts.program': { after: ['charts.crds'] } });
});

test('a cluster comes after a chart, and a chart after a cluster, whose machines it does not wait for', () => {
  const app = Testing.app();
  const [crds, program] = ['crds', 'program'].map((id) => chartIn(app, id));
  const tenant = addCompleteTenant(app, 'acme', { delivery: new FluxDelivery(), charts: true });
  tenant.addDependency(crds);
  program.addDependency(tenant);
  expect(entries(app)).toEqual({
    'charts.crds': { wait: true, after: [] },
    'charts.program': { after: ['tenant-acme.acme'] },
    'tenant-acme.acme': { after: ['charts.crds'] },
    'tenant-acme.acme.addons': { after: ['tenant-acme.acme'] },
  });
});

test('a tenant does not wait for its management cluster to be ready, unless it depends on it', () => {
  const written = (depends: boolean) => {
    const app = Testing.app();
    const hall = manage(app);
    const tenant = exampleCluster(app, { managementCluster: hall });
    if (depends) tenant.addDependency(hall);
    return entries(app);
  };
  expect(written(false)).toEqual({ 'flux-system.management': { after: [] }, 'tenant-acme.acme': { after: [] } });
  expect(written(true)).toEqual({ 'flux-system.management': { wait: true, after: [] }, 'tenant-acme.acme': { after: ['flux-system.management'] } });
});

test('TC-GITOPS-ORDER: folders that depend on each other are applied in no order, with a warning', () => {
  const app = new GitOpsApp({ entryPoints: FLUX });
  const [a, b, first, last] = ['a', 'b', 'first', 'last'].map((id) => chartIn(app, id));
  a.node.findChild('one').node.addDependency(b.node.findChild('one'));
  b.node.findChild('two').node.addDependency(a.node.findChild('two'));
  a.addDependency(first);
  last.addDependency(b);
  expect(checkFolderOrder(app)).toEqual([expect.objectContaining({
    rule: expect.objectContaining({ id: 'TC-GITOPS-ORDER', warning: true }),
    message: 'the folders charts/a, charts/b depend on each other, and are applied in no order',
  })]);
  expect(entries(app)).toEqual({
    'charts.a': { after: ['charts.first'] },
    'charts.b': { wait: true, after: [] },
    'charts.first': { wait: true, after: [] },
    'charts.last': { after: ['charts.b'] },
  });
});

test('whatever depends on whatever, folders have an order', () => {
  const folders = ['a', 'b', 'c', 'd', 'e', 'f'];
  fc.assert(fc.property(fc.uniqueArray(fc.tuple(fc.nat(5), fc.nat(5), fc.boolean()), { maxLength: 12 }), (pairs) => {
    const app = Testing.app();
    const charts = folders.map((id) => chartIn(app, id));
    for (const [one, other, second] of pairs) {
      if (one !== other) charts[one].node.findChild(second ? 'two' : 'one').node.addDependency(charts[other].node.findChild('one'));
    }
    const before = foldersBefore(app);
    for (let left = folders.map((id) => `charts/${id}`); left.length > 0;) {
      const waiting = left.filter((folder) => [...before.get(folder) ?? []].some((other) => left.includes(other)));
      expect(waiting.length).toBeLessThan(left.length);
      left = waiting;
    }
    // Nothing is left out without a warning.
    const wanted = new Set(pairs.filter(([one, other]) => one !== other).map(([one, other]) => `${one} ${other}`)).size;
    const found = [...before.values()].flatMap((others) => [...others]).length;
    expect(checkFolderOrder(app)).toHaveLength(found < wanted ? 1 : 0);
  }));
});
