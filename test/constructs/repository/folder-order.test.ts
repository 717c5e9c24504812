import { ApiObject, App, Chart, Testing } from 'cdk8s';
import * as fc from 'fast-check';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { entryFiles, folderEntries } from '../../../src/constructs/repository/entry-files';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { checkFolderOrder, FileLayout, foldersBefore, outputFolders } from '../../../src/constructs/repository/output-folders';
import { exampleCluster } from '../../support/clusters';
import { addCompleteTenant } from '../../support/complete-tenant';
import { manage } from '../management/managed';

const FLUX = new FluxEntryPoints({ sourceName: 'flux-system' });

/** What Flux is told: names of what comes before, and whether it waits for what is applied. */
function entries(app: App): { [name: string]: unknown } {
  app.node.findAll().forEach(({ node }) => node.validate());
  const objects = [...entryFiles(FLUX, folderEntries(outputFolders(app, FileLayout.FILE_PER_PART), true)).values()].flat();
  return Object.fromEntries(objects.map((object) => object.toJson()).map(({ metadata, spec }) => (
    [metadata.name, { ...(spec.wait && { wait: true }), after: (spec.dependsOn ?? []).map(({ name }: { name: string }) => name) }])));
}

function chart(app: App, id: string): Chart {
  const made = new Chart(app, id);
  ['one', 'two'].forEach((name) => new ApiObject(made, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${id}-${name}` } }));
  return made;
}

test('a chart comes after one that it depends on, when that is ready', () => {
  const app = Testing.app();
  const [crds, program] = ['crds', 'program'].map((id) => chart(app, id));
  program.addDependency(crds);
  expect(entries(app)).toEqual({ 'charts.crds': { wait: true, after: [] }, 'charts.program': { after: ['charts.crds'] } });
});

test('dependencies of objects are those of their folders, and inside a folder they are none', () => {
  const app = Testing.app();
  const [crds, program] = ['crds', 'program'].map((id) => chart(app, id));
  program.node.findChild('one').node.addDependency(crds.node.findChild('two'));
  program.node.findChild('one').node.addDependency(program.node.findChild('two'));
  expect(entries(app)).toEqual({ 'charts.crds': { wait: true, after: [] }, 'charts.program': { after: ['charts.crds'] } });
});

test('a cluster comes after a chart, and a chart after a cluster, whose machines it does not wait for', () => {
  const app = Testing.app();
  const [crds, program] = ['crds', 'program'].map((id) => chart(app, id));
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
  const [a, b, first, last] = ['a', 'b', 'first', 'last'].map((id) => chart(app, id));
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
    const charts = folders.map((id) => chart(app, id));
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
