import { CLUSTER, controlPlane, Fields, newPool, ObjectFiles, plannedObjects } from './foreign-objects';
import { PlannedChanges } from '../../../src/manifests/plan/plan-objects';
import { planTotals } from '../../../src/manifests/plan/plan-totals';
import { partLines, partName } from '../../../src/manifests/plan/plan-words';
import { verdictLines } from '../../../src/manifests/plan/verdict';
import { SILENCE_ANNOTATION } from '../../../src/manifests/validation/silences';

const linesOf = ({ clusters, shared }: PlannedChanges): Record<string, string[]> => (
  Object.fromEntries([...clusters.flatMap(({ parts }) => parts), ...shared].map((part) => [partName(part), partLines(part)])));

const kustomization = (name: string): Fields => ({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name, namespace: 'flux-system' },
  spec: { interval: '10m', path: `./${name}`, prune: true, sourceRef: { kind: 'GitRepository', name: 'fleet' } },
});

const SKIPPED = controlPlane({ version: 'v1.36.1' });
const REFUSED = 'REFUSED by the server: spec.version: it was "v1.34.1", and is "v1.36.1" now: that leaves out a minor (TC-CHANGE-KCP-VERSION)';
const ZONE = newPool({ failureDomain: 'b' });
const ZONE_LINE = '2 machines are replaced, 1 at a time: failureDomain b added';

test('machines of a change that the server refuses are not counted, and others are', () => {
  const changes = plannedObjects({ 'all.yaml': [CLUSTER, controlPlane(), newPool()] }, { 'all.yaml': [CLUSTER, SKIPPED, ZONE] });
  expect(linesOf(changes)).toMatchObject({ 'control plane': [REFUSED], 'pool acme-md-0': [ZONE_LINE] });
  expect(planTotals(changes)).toMatchObject({ refused: 1, heldParts: 0, machinesReplaced: { minimum: 2, maximum: 2 } });
});

test('a pool does not get a version that its control plane is refused', () => {
  const changes = plannedObjects({ 'all.yaml': [CLUSTER, controlPlane(), newPool()] }, { 'all.yaml': [CLUSTER, SKIPPED, newPool({ version: 'v1.36.1' })] });
  expect(linesOf(changes)['pool acme-md-0']).toEqual(['once KubeadmControlPlane acme can be applied: 2 machines are replaced, 1 at a time: version v1.34.1 -> v1.36.1']);
  expect(planTotals(changes)).toMatchObject({ heldParts: 1, machinesReplaced: { minimum: 0, maximum: 0 } });
});

test('a Kustomization applies nothing of a stage in which one change is refused, and prunes nothing', () => {
  const namespace = (color: string): Fields => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', labels: { color } } });
  const old = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'old', namespace: 'web' } };
  const state = (color: string, ...objects: readonly Fields[]): ObjectFiles => ({ 'flux/a.yaml': [kustomization('a')], 'a/all.yaml': [CLUSTER, namespace(color), ...objects] });
  const changes = plannedObjects(state('red', controlPlane(), newPool(), old), state('blue', SKIPPED, ZONE));
  const lines = linesOf(changes);
  expect(lines['control plane']).toEqual([REFUSED]);
  expect(lines['pool acme-md-0']).toEqual(['once Kustomization a can be applied: 2 machines are replaced, 1 at a time: failureDomain b added']);
  expect(lines.Namespace).toEqual(['changed in place: metadata.labels.color']);
  expect(lines.ConfigMap).toEqual(['once Kustomization a can be applied: deleted: ConfigMap old']);
  expect(changes.clusters[0].parts.flatMap(({ refusals = [] }) => refusals)).toMatchObject([{ rule: 'TC-CHANGE-KCP-VERSION', path: ['spec', 'version'], holds: ['Kustomization a'] }]);
  expect(planTotals(changes)).toMatchObject({ refused: 1, heldParts: 2, machinesReplaced: { minimum: 0, maximum: 0 } });
});

test('what another Kustomization applies is not held back', () => {
  const state = (plane: Fields, pool: Fields): ObjectFiles => ({ 'flux/all.yaml': [kustomization('a'), kustomization('b')], 'a/all.yaml': [CLUSTER, plane], 'b/all.yaml': [pool] });
  const lines = linesOf(plannedObjects(state(controlPlane(), newPool()), state(SKIPPED, ZONE)));
  expect(lines['pool acme-md-0']).toEqual([ZONE_LINE]);
});

describe('an Application, of which one change is refused,', () => {
  const application: Fields = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'a', namespace: 'argocd' },
    spec: {
      project: 'default', source: { repoURL: 'https://git.example.com/fleet', path: 'a' }, destination: { server: 'https://kubernetes.default.svc' }, syncPolicy: { automated: { prune: true } },
    },
  };
  const annotated = (object: Fields, annotations: Fields): Fields => ({ ...object, metadata: { ...object.metadata as Fields, annotations } });
  const old: Fields = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'old', namespace: 'web' } };
  const outcome = (annotations: Fields, spec: Fields = {}) => {
    const app = { ...application, spec: { ...application.spec as Fields, ...spec } };
    const state = (...objects: readonly Fields[]): ObjectFiles => ({ 'argo/a.yaml': [app], 'a/all.yaml': [CLUSTER, ...objects] });
    const changes = plannedObjects(state(controlPlane(), annotated(newPool(), annotations), old), state(SKIPPED, annotated(ZONE, annotations)));
    return { lines: linesOf(changes), holds: changes.clusters[0].parts.flatMap(({ refusals = [] }) => refusals)[0].holds };
  };
  const WAIT = `once Application a can be applied: ${ZONE_LINE}`;

  test.each<[what: string, annotations: Fields, line: string]>([
    ['applies the others of its wave', {}, ZONE_LINE],
    ['has applied those of earlier waves', { 'argocd.argoproj.io/sync-wave': '-1' }, ZONE_LINE],
    ['does not apply those of later waves', { 'argocd.argoproj.io/sync-wave': '1' }, WAIT],
    ['does not apply those of a later phase', { 'argocd.argoproj.io/hook': 'PostSync', 'argocd.argoproj.io/hook-delete-policy': 'HookFailed' }, WAIT],
    ['has applied those of an earlier phase', { 'helm.sh/hook': 'pre-upgrade,pre-install', 'helm.sh/hook-weight': '5', 'argocd.argoproj.io/hook-delete-policy': 'HookFailed' }, ZONE_LINE],
  ])('%s', (_, annotations, line) => {
    const { lines, holds } = outcome(annotations);
    expect([lines['control plane'], lines['pool acme-md-0'], holds]).toEqual([[REFUSED], [line], []]);
  });

  test('prunes before it applies, unless it prunes last', () => {
    expect(outcome({}).lines.ConfigMap).toEqual(['deleted: ConfigMap old']);
    expect(outcome({}, { syncPolicy: { automated: { prune: true }, syncOptions: ['PruneLast=true'] } }).lines.ConfigMap).toEqual(['once Application a can be applied: deleted: ConfigMap old']);
  });
});

test('an object that is wrong by itself is refused, unless it was wrong before', () => {
  const even = controlPlane({ replicas: 2 });
  expect(linesOf(plannedObjects({ 'a.yaml': [CLUSTER, controlPlane()] }, { 'a.yaml': [CLUSTER, even] }))['control plane']).toEqual([
    'REFUSED by the server: spec.replicas: 2 members of etcd survive no more failures than 1 would (TC-ADMIT-KCP-REPLICAS)',
  ]);
  expect(linesOf(plannedObjects({ 'a.yaml': [CLUSTER, even] }, { 'a.yaml': [CLUSTER, { ...even, metadata: { ...even.metadata as Fields, labels: { a: 'b' } } }] }))['control plane'])
    .toEqual([expect.stringMatching(/^changed in place/)]);
});

test('a cluster that a refused change names does not come into being', () => {
  const { clusters } = plannedObjects({ 'a.yaml': [CLUSTER, newPool()] }, { 'a.yaml': [CLUSTER, newPool({}, { clusterName: 'other' })] });
  expect(clusters.map(({ name, change }) => [name, change])).toEqual([['acme', 'changed']]);
});

test('an object silences the rule that refuses it', () => {
  const silenced = { ...SKIPPED, metadata: { ...SKIPPED.metadata as Fields, annotations: { [SILENCE_ANNOTATION]: 'TC-CHANGE-KCP-VERSION: nothing runs there yet' } } };
  expect(linesOf(plannedObjects({ 'a.yaml': [CLUSTER, controlPlane()] }, { 'a.yaml': [CLUSTER, silenced] }))['control plane'][0]).toMatch(/^3 machines are replaced/);
});

test('what is refused for objects of one name in several management clusters is told once in the verdict', () => {
  const clusters = (controlPlaneOf: Fields) => Object.fromEntries(['prod', 'staging', 'test'].map((name) => [`${name}/all.yaml`, [CLUSTER, controlPlaneOf, newPool()]]));
  const refused = verdictLines(plannedObjects(clusters(controlPlane()), clusters(SKIPPED))).filter((text) => text.startsWith('REFUSED'));
  expect(refused).toEqual([expect.stringMatching(/ \(TC-CHANGE-KCP-VERSION\), 3 times$/)]);
});
