import { CLUSTER, controlPlane, Fields, newPool } from './foreign-objects';
import { placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { planObjects } from '../../../src/manifests/plan/plan-objects';
import { planTotals } from '../../../src/manifests/plan/plan-totals';

/** Files with their objects. */
type Files = { readonly [file: string]: readonly Fields[] };

/** The change of the first cluster, and how many machines are deleted. */
function outcome(before: Files, after: Files): unknown[] {
  const [old, now] = [before, after].map((files) => ({
    ...placedObjects(Object.entries(files).map(([file, objects]) => (
      { file: `dist/${file}`, bytes: Buffer.from(objects.map((object) => JSON.stringify(object)).join('\n---\n')) }))),
    root: 'dist',
  }));
  const changes = planObjects(old, now);
  return [changes.clusters[0]?.change, planTotals(changes).machinesDeleted.maximum];
}

function marked(object: Fields, annotations: Fields, place = 'annotations'): Fields {
  return { ...object, metadata: { ...object.metadata as Fields, [place]: annotations } };
}

const CONFIG: Fields = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'web' } };
const OPTIONS = 'argocd.argoproj.io/sync-options';
const FLUX = 'kustomize.toolkit.fluxcd.io';

function kustomization(spec: Fields = {}): Fields {
  return { apiVersion: `${FLUX}/v1`, kind: 'Kustomization', metadata: { name: 'acme', namespace: 'flux-system' }, spec: { path: './tenants/acme', prune: true, ...spec } };
}

function application(syncOptions: readonly string[] = []): Fields {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'acme', namespace: 'argocd', finalizers: ['resources-finalizer.argocd.argoproj.io'] },
    spec: {
      destination: { server: 'https://kubernetes.default.svc' },
      source: { repoURL: 'https://git.example.com/a', path: 'tenants/acme' },
      syncPolicy: { automated: { prune: true }, syncOptions },
    },
  };
}

function files(entry: Fields | undefined, ...objects: readonly Fields[]): Files {
  return { 'entries/x.yaml': [CONFIG, ...entry ? [entry] : []], 'tenants/acme/all.yaml': [...objects, CONFIG] };
}

describe('a Cluster whose file goes', () => {
  const without = (entry: Fields, cluster: Fields) => outcome(files(entry, cluster, controlPlane(), newPool()), files(entry, controlPlane(), newPool()));

  test.each<[what: string, entry: Fields, cluster: Fields, isKept: boolean]>([
    ['a mark of Argo CD does not keep it from Flux', kustomization(), marked(CLUSTER, { [OPTIONS]: 'Prune=false' }), false],
    ['a mark of Helm does not keep it from Flux', kustomization(), marked(CLUSTER, { 'helm.sh/resource-policy': 'keep' }), false],
    ['an annotation keeps it from Flux', kustomization(), marked(CLUSTER, { [`${FLUX}/prune`]: 'disabled' }), true],
    ['Flux does not prune what it does not reconcile', kustomization(), marked(CLUSTER, { [`${FLUX}/reconcile`]: 'Disabled' }, 'labels'), true],
    ['Flux does not prune what it ignores', kustomization(), marked(CLUSTER, { [`${FLUX}/ssa`]: 'ignore' }), true],
    ['a mark of Flux does not keep it from Argo CD', application(), marked(CLUSTER, { [`${FLUX}/prune`]: 'disabled' }), false],
    ['an annotation keeps it from Argo CD', application(), marked(CLUSTER, { [OPTIONS]: 'Prune=false' }), true],
    ['an option of the Application keeps it', application(['Prune=false']), CLUSTER, true],
    ['its own option wins over that of the Application', application(['Prune=false']), marked(CLUSTER, { [OPTIONS]: 'Prune=true' }), false],
  ])('%s', (_, entry, cluster, isKept) => {
    expect(without(entry, cluster)[0]).toBe(isKept ? 'changed' : 'removed');
  });
});

describe('a Cluster whose Application goes', () => {
  const without = (entry: Fields, cluster: Fields) => outcome(files(entry, cluster, controlPlane(), newPool()), files(undefined));

  test.each<[what: string, entry: Fields, cluster: Fields, outcome: unknown[]]>([
    ['is deleted with it though it is not pruned', application(), marked(CLUSTER, { [OPTIONS]: 'Prune=false' }), ['removed', 5]],
    ['stays, with what it owns, by an annotation', application(), marked(CLUSTER, { [OPTIONS]: 'Prune=false,Delete=false' }), ['changed', 0]],
    ['stays by an annotation of Helm', application(), marked(CLUSTER, { 'helm.sh/resource-policy': 'keep' }), ['changed', 0]],
    ['stays by an option of the Application', application(['Delete=false']), CLUSTER, ['changed', 0]],
  ])('%s', (_, entry, cluster, expected) => {
    expect(without(entry, cluster)).toEqual(expected);
  });
});

describe('a change that the server refuses', () => {
  const SKIPPED = controlPlane({ version: 'v1.37.0' });
  const changed = (entry: Fields, plane = SKIPPED, former = controlPlane()) => (
    outcome(files(entry, CLUSTER, former, newPool()), files(entry, CLUSTER, plane, newPool())));

  test.each<[what: string, entry: Fields, annotations: Fields, deleted: number]>([
    ['fails with Flux', kustomization(), {}, 0],
    ['makes Flux delete the object by force', kustomization({ force: true }), {}, 3],
    ['makes Flux delete an object that is marked', kustomization(), { [`${FLUX}/force`]: 'enabled' }, 3],
    ['makes Argo CD delete an object by force', application(), { [OPTIONS]: 'Force=true' }, 3],
    ['fails with Argo CD on the side of the server', application(['ServerSideApply=true']), { [OPTIONS]: 'Force=true' }, 0],
  ])('%s', (_, entry, annotations, deleted) => {
    expect(changed(entry, marked(SKIPPED, annotations), marked(controlPlane(), annotations))).toEqual(['changed', deleted]);
  });

  test('fails by force, too, if the object cannot be created', () => {
    expect(changed(kustomization({ force: true }), controlPlane({ version: 'latest' }))).toEqual(['changed', 0]);
  });
});
