import { CLUSTER, controlPlane, Fields, newPool, ObjectFiles, plannedObjects } from './foreign-objects';

const flux = (name: string, path: string): Fields => (
  { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata: { name, namespace: 'flux-system' }, spec: { path, prune: true } });

const FLAT: Fields = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'more', namespace: 'argocd' },
  spec: { destination: { server: 'https://kubernetes.default.svc' }, source: { repoURL: 'https://git.example.com/a', path: 'more' } },
};

/** A cluster that is delivered, beside deliveries that its kustomization lists or leaves out. */
const files = (listed: readonly string[], more: ObjectFiles): ObjectFiles => ({
  'flux/all.yaml': [flux('all', './tenants/acme')],
  'tenants/acme/kustomization.yaml': [{ resources: listed }],
  'tenants/acme/cluster.yaml': [CLUSTER, controlPlane()],
  ...more,
});

const partsOf = (before: ObjectFiles, after: ObjectFiles) => (
  plannedObjects(before, after).clusters.flatMap(({ parts }) => parts.map(({ name, change }) => `${change} ${name}`)));

const [OFF, ON] = [['cluster.yaml'], ['cluster.yaml', 'ks.yaml']];

test('a delivery that the kustomization of a delivered folder leaves out applies nothing', () => {
  const pool = (listed: readonly string[], version = 'v1.34.1') => (
    files(listed, { 'tenants/acme/ks.yaml': [flux('own', './tenants/acme'), flux('more', './more')], 'more/pool.yaml': [newPool({ version })] }));
  expect(plannedObjects(pool(OFF), pool(OFF))).toMatchObject({ clusters: [], shared: [], unread: [] });
  expect(plannedObjects(pool(OFF), pool(OFF, 'v1.34.2'))).toMatchObject({ clusters: [], unread: [{ file: 'more/pool.yaml', what: 'no kustomization or delivery applies it' }] });
  expect(partsOf(pool(OFF), pool(ON))).toEqual(['created acme-md-0']);
  expect(partsOf(pool(ON), pool(OFF))).toEqual(['removed acme-md-0']);
});

test('a delivery in the folder of such a delivery applies nothing, either', () => {
  const pool = (listed: readonly string[], version: string) => files(listed, {
    'tenants/acme/ks.yaml': [flux('more', './more')], 'more/ks.yaml': [flux('inner', './inner')], 'inner/pool.yaml': [newPool({ version })],
  });
  expect(partsOf(pool(ON, 'v1.34.1'), pool(ON, 'v1.34.2'))).toEqual(['changed acme-md-0']);
  expect(partsOf(pool(OFF, 'v1.34.1'), pool(OFF, 'v1.34.2'))).toEqual([]);
});

test('a folder below one that such a delivery applies alone counts as before', () => {
  const pool = (version: string) => files(OFF, { 'tenants/acme/ks.yaml': [FLAT], 'more/below/pool.yaml': [newPool({ version })] });
  expect(partsOf(pool('v1.34.1'), pool('v1.34.2'))).toEqual(['changed acme-md-0']);
});
