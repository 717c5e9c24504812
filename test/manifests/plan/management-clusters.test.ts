import { CLUSTER, controlPlane, Fields, newPool, ObjectFiles, plannedObjects, stateOfObjects } from './foreign-objects';
import { managementClusters } from '../../../src/manifests/landscape/management-clusters';
import { readLandscape } from '../../../src/manifests/landscape/read-landscape';
import { planMarkdown } from '../../../src/manifests/plan/plan-markdown';
import { planText } from '../../../src/manifests/plan/plan-text';

const textOf = (before: ObjectFiles, after: ObjectFiles) => planText(plannedObjects(before, after), { colors: false, objects: false });
const namesOf = (...states: readonly ObjectFiles[]) => managementClusters(states.map((files) => stateOfObjects(files))).map(({ name }) => name);

const acme = (version = 'v1.34.1'): readonly Fields[] => [CLUSTER, controlPlane({ version }), newPool()];
const namespace = (name: string, labels: Fields = {}): Fields => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
const folder = (name: string, path: string): Fields => ({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name, namespace: 'flux-system' },
  spec: { path, prune: true, sourceRef: { kind: 'GitRepository', name: 'flux-system' } },
});

test('a cluster that two management clusters have is removed from one of them', () => {
  expect(textOf({ 'staging/acme.yaml': acme(), 'prod/acme.yaml': acme() }, { 'staging/acme.yaml': acme() })).toBe(`DESTROYS: 1 of 2 clusters differs (1 removed); 3 objects; 0 machines replaced; 5 machines deleted.
LOST: prod: default/acme: the cluster with 5 machines

prod: default/acme: removed
  cluster          5 machines are deleted: Cluster acme
                  lost: all objects in the API server
                  nodes are not drained; load balancers and volumes that its controllers made may stay behind; a revert creates the same without data
  control plane    deleted: KubeadmControlPlane acme
  pool acme-md-0   deleted: MachineDeployment acme-md-0
  3 objects
`.replace(/^ {2}(\S+(?: \S+)?) {2,}/gm, (_, name: string) => `  ${name.padEnd(14)}  `));
});

test('what two management clusters swap changes in both', () => {
  const { clusters, clusterCount } = plannedObjects(
    { 'staging/acme.yaml': acme('v1.35.0'), 'prod/acme.yaml': acme() }, { 'staging/acme.yaml': acme(), 'prod/acme.yaml': acme('v1.35.0') },
  );
  expect(clusterCount).toBe(2);
  const reasons = clusters.map(({ managementCluster, parts }) => (
    [managementCluster, ...parts.flatMap(({ effects }) => effects.flatMap((one) => one.reasons))]));
  expect(reasons).toEqual([
    ['prod', 'version v1.34.1 -> v1.35.0'], ['staging', 'version v1.35.0 -> v1.34.1'],
  ]);
});

test('a management cluster is the topmost folder in which names are unique, or a file', () => {
  expect(namesOf({ 'a/acme.yaml': acme() })).toEqual([undefined]);
  expect(namesOf({ 'hall-a/clusters/x/acme.yaml': acme(), 'hall-b/clusters/x/acme.yaml': acme() })).toEqual(['hall-a', 'hall-b']);
  expect(namesOf({ 'apps/eu/prod/acme.yaml': acme(), 'apps/us/prod/acme.yaml': acme(), 'apps/eu/test/acme.yaml': acme() })).toEqual(['prod', 'test', 'us']);
  expect(namesOf({ 'prod.yaml': acme(), 'staging.yaml': acme() })).toEqual(['prod.yaml', 'staging.yaml']);
  expect(namesOf({ 'all.yaml': [...acme(), ...acme()] })).toEqual([undefined]);
  expect(namesOf({ 'a/all.yaml': [...acme(), ...acme()], 'b/all.yaml': acme() })).toEqual(['all.yaml', 'b']);
});

test('both states are split at the same folders, so that a file that moves inside of one changes nothing', () => {
  const before = { 'staging/acme.yaml': acme(), 'prod/acme.yaml': acme() };
  expect(textOf(before, { 'staging/acme.yaml': acme(), 'prod/tenants/acme/all.yaml': acme() })).toBe('Nothing changes.\n');
  expect(namesOf({ 'prod/acme.yaml': acme() }, before)).toEqual(['prod', 'staging']);
});

test('a folder under another name may be the same management cluster', () => {
  const { clusters } = plannedObjects({ 'staging/acme.yaml': acme(), 'prod/acme.yaml': acme() }, { 'stage/acme.yaml': acme(), 'prod/acme.yaml': acme() });
  expect(clusters.map(({ managementCluster, change, notes }) => [managementCluster, change, notes])).toEqual([
    ['stage', 'created', []],
    ['staging', 'removed', ['the same as the new stage: default/acme: it stays if that is applied to the same management cluster']],
  ]);
});

test('what Flux applies belongs to the management cluster of its Kustomization', () => {
  const files = (place: string): ObjectFiles => ({
    'clusters/hall-a/tenants.yaml': [folder('tenants', './apps/first')],
    'clusters/hall-b/tenants.yaml': [folder('tenants', `./apps/${place}`)],
    'apps/first/acme.yaml': acme(),
    [`apps/${place}/acme.yaml`]: acme(),
  });
  expect(namesOf(files('second'))).toEqual(['hall-a', 'hall-b']);
  // The folder gets another name along with the path of the Kustomization.
  expect(plannedObjects(files('second'), files('third'))).toMatchObject({ clusters: [], clusterCount: 2, shared: [{ managementCluster: 'hall-b', name: 'tenants' }] });
  const one = { 'flux/all.yaml': [folder('a', './apps/a'), folder('b', './apps/b')], 'apps/a/acme.yaml': acme(), 'apps/b/acme.yaml': acme() };
  expect(namesOf(one)).toEqual(['a', 'b']);
});

test('files beside belong to the folder that their path names, or to all', () => {
  const files = (label: string): ObjectFiles => ({
    'clusters/staging/acme.yaml': acme(),
    'clusters/prod/acme.yaml': acme(),
    'addons/prod/web.yaml': [namespace('web', { label })],
    'shared/all.yaml': [namespace('shared', { label })],
  });
  expect(plannedObjects(files('a'), files('b')).shared.map(({ managementCluster, name, objects }) => [managementCluster, name, objects.map((object) => object.name)])).toEqual([
    ['prod', 'Namespace', ['web', 'shared']], ['staging', 'Namespace', ['shared']],
  ]);
});

test('an object that two files of one management cluster have is compared in each, and is not dropped', () => {
  const before = { 'a/ns.yaml': [namespace('flux-system')], 'b/ns.yaml': [namespace('flux-system', { tier: 'gold' })], 'acme.yaml': acme() };
  const [part] = plannedObjects(before, { 'a/ns.yaml': [namespace('flux-system')], 'acme.yaml': acme() }).shared;
  expect(part.effects).toEqual([{ effect: 'unknown', reasons: ['Namespace flux-system is removed here, and still in a/ns.yaml'] }]);
  const swapped = { 'b/ns.yaml': [namespace('flux-system')], 'a/ns.yaml': [namespace('flux-system', { tier: 'gold' })], 'acme.yaml': acme() };
  expect(plannedObjects(before, swapped).shared[0].objects).toHaveLength(2);
  expect(plannedObjects(before, { ...before, 'c/ns.yaml': before['b/ns.yaml'], 'b/ns.yaml': [] })).toMatchObject({ clusters: [], shared: [] });
});

test('management clusters that are bootstrapped alike are told apart by their deliveries', () => {
  const files = (place: string): ObjectFiles => ({
    'clusters/staging/flux-system/sync.yaml': [folder('flux-system', './clusters/staging')],
    'clusters/prod/flux-system/sync.yaml': [folder('flux-system', './clusters/prod')],
    'clusters/staging/web.yaml': [namespace('web')],
    'clusters/prod/web.yaml': [namespace('web')],
    [`clusters/${place}/acme.yaml`]: acme(),
  });
  expect(namesOf(files('staging'))).toEqual(['prod', 'staging']);
  expect(plannedObjects(files('staging'), files('prod')).clusters.map(({ managementCluster, change, notes }) => [managementCluster, change, notes])).toEqual([
    ['prod', 'created', ['the same as staging: default/acme, which is removed: it begins without data, with other machines and addresses']],
    ['staging', 'removed', ['the same as the new prod: default/acme: Cluster API moves nothing, and deletes this one with its data']],
  ]);
  const { 'clusters/prod/flux-system/sync.yaml': _, ...one } = files('prod');
  expect(plannedObjects(files('prod'), one).clusters.map(({ managementCluster, change, notes }) => [managementCluster, change, notes])).toEqual([
    ['prod', 'removed', ['Kustomization flux-system, which applied it, is removed']],
  ]);
});

test('a base that two management clusters apply is in both', () => {
  const list = (...resources: readonly string[]): Fields => ({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources });
  const files = (version?: string): ObjectFiles => ({
    'flux/staging/t.yaml': [folder('tenants', './envs/staging')],
    'flux/prod/t.yaml': [folder('tenants', './envs/prod')],
    'envs/staging/kustomization.yaml': [list('../../base')],
    'envs/prod/kustomization.yaml': [list('../../base')],
    'base/kustomization.yaml': [list('acme.yaml')],
    'base/acme.yaml': acme(version),
  });
  expect(plannedObjects(files(), files('v1.34.2')).clusters.map(({ managementCluster, change }) => [managementCluster, change])).toEqual([['prod', 'changed'], ['staging', 'changed']]);
});

test('an environment has a folder in that of each tenant', () => {
  const tenant = (name: string) => [{ ...CLUSTER, metadata: { name, namespace: name } }];
  const files: ObjectFiles = {
    'tenants/acme/staging/c.yaml': tenant('acme'),
    'tenants/acme/prod/c.yaml': tenant('acme'),
    'tenants/beta/staging/c.yaml': tenant('beta'),
    'tenants/beta/prod/c.yaml': tenant('beta'),
    'tenants/gamma/prod/c.yaml': tenant('gamma'),
    'shared/prod/ns.yaml': [namespace('shared')],
  };
  expect(namesOf(files)).toEqual(['prod', 'staging']);
  expect(readLandscape(stateOfObjects(files)).clusters.map(({ id }) => id)).toEqual(['prod: acme/acme', 'prod: beta/beta', 'prod: gamma/gamma', 'staging: acme/acme', 'staging: beta/beta']);
});

test('the landscape has each of them', () => {
  const { clusters, otherAddons } = readLandscape(stateOfObjects({
    'staging/acme.yaml': [...acme(), folder('apps', './elsewhere')], 'prod/acme.yaml': [...acme('v1.35.0'), folder('apps', './elsewhere')],
  }));
  expect(clusters.map(({ id, managementCluster, version }) => [id, managementCluster, version])).toEqual([
    ['prod: default/acme', 'prod', 'v1.35.0'], ['staging: default/acme', 'staging', 'v1.34.1'],
  ]);
  expect(otherAddons.map(({ id, managementCluster }) => [id.slice(0, id.indexOf(':')), managementCluster])).toEqual([['prod', 'prod'], ['staging', 'staging']]);
});

test('objects of no cluster that change in the same way in several management clusters are told once, and those of another one apart', () => {
  const files = (labels: Fields, last: Fields = labels): ObjectFiles => ({
    'prod/all.yaml': [...acme(), namespace('x', labels)], 'staging/all.yaml': [...acme(), namespace('x', labels)], 'test/all.yaml': [...acme(), namespace('x', last)],
  });
  const changes = plannedObjects(files({ a: 'b' }), files({ a: 'c' }, { a: 'd' }));
  expect(planText(changes, { colors: false, objects: true }).match(/^.*Objects of no cluster.*\n.*$/gm)).toEqual([
    'prod: Objects of no cluster, or of several clusters; the same for staging\n  all: prod, staging',
    expect.stringMatching(/^test: Objects of no cluster, or of several clusters\n  Namespace /),
  ]);
  expect(planMarkdown(changes)).toContain('### prod: Objects of no cluster, or of several clusters; the same for staging\n');
});
