import { CLUSTER, Fields, ObjectFiles, plannedObjects } from './foreign-objects';

const folder = (name: string, spec: Fields = {}): Fields => (
  { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata: { name, namespace: 'flux-system' }, spec: { path: `./${name}`, prune: true, ...spec } });
const after = (...names: readonly string[]): Fields => ({ dependsOn: names.map((name) => ({ name })) });
const cluster = (name: string, paused: boolean): Fields => ({ ...CLUSTER, metadata: { name, namespace: 'web' }, spec: { ...CLUSTER.spec as Fields, paused } });

/** Notes of clusters that all change, by their names: those on what they come after. */
function waits(folders: readonly Fields[], clusters: { readonly [folder: string]: readonly string[] }): { [cluster: string]: string | undefined } {
  const files = (paused: boolean): ObjectFiles => ({
    'flux.yaml': folders,
    ...Object.fromEntries(Object.entries(clusters).map(([name, own]) => [`${name}/clusters.yaml`, own.map((one) => cluster(one, paused))])),
  });
  return Object.fromEntries(plannedObjects(files(false), files(true)).clusters.map(({ name, notes }) => [name, notes.find((note) => note.startsWith('applied after'))]));
}

test('clusters come after those that their Kustomization depends on', () => {
  expect(waits([folder('a'), folder('b', after('a')), folder('c', after('b'))], { a: ['ash', 'birch'], b: ['cedar'], c: ['elm'] })).toEqual({
    ash: undefined,
    birch: undefined,
    cedar: 'applied after web/ash, web/birch: Kustomization b depends on a',
    elm: 'applied after web/cedar: Kustomization c depends on b',
  });
});

test('a Kustomization between two clusters that applies none of them passes the wait on', () => {
  expect(waits([folder('a'), folder('gate', after('a')), folder('b', after('base', 'gate'))], { a: ['ash'], b: ['birch'], gate: [] }))
    .toEqual({ ash: undefined, birch: 'applied after web/ash: Kustomization b depends on gate' });
});

test('a cluster of two Kustomizations waits for what both depend on', () => {
  const both = [folder('a'), folder('b', { path: './c', ...after('a') })];
  expect(waits([...both, folder('c', after('a'))], { a: ['ash'], c: ['cedar'] })).toMatchObject({ cedar: 'applied after web/ash: Kustomization b depends on a' });
  expect(waits([...both, folder('c')], { a: ['ash'], c: ['cedar'] })).toEqual({ ash: undefined, cedar: undefined });
});

test.each<[what: string, folders: readonly Fields[]]>([
  ['depend on each other', [folder('a', after('b')), folder('b', after('a'))]],
  ['depend on one that does not exist', [folder('a', after('z')), folder('b')]],
  ['depend on themselves', [folder('a', after('a')), folder('b')]],
])('Kustomizations that %s have no order', (_, folders) => {
  expect(waits(folders, { a: ['ash'], b: ['birch'] })).toEqual({ ash: undefined, birch: undefined });
});

test('common labels of a Kustomization are those of what it applies', () => {
  const files = (labels: Fields): ObjectFiles => ({ 'flux.yaml': [folder('a', { commonMetadata: { labels } })], 'a/clusters.yaml': [cluster('ash', false)] });
  const { clusters: [{ parts }], shared } = plannedObjects(files({ ring: 'early' }), files({ ring: 'late' }));
  expect(parts.flatMap(({ objects }) => objects.flatMap(({ fields }) => fields))).toEqual([{ path: ['metadata', 'labels', 'ring'], before: 'early', after: 'late' }]);
  expect(shared.flatMap(({ effects }) => effects.map(({ effect }) => effect))).toEqual(['in place']);
});
