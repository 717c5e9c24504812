import { CLUSTER, controlPlane, Fields, newPool, ObjectFiles, plannedObjects } from './foreign-objects';
import { planTotals } from '../../../src/manifests/plan/plan-totals';

/** The change of the first cluster, and how many machines are deleted. */
function outcome(before: ObjectFiles, after: ObjectFiles): unknown[] {
  const changes = plannedObjects(before, after);
  return [changes.clusters[0]?.change, planTotals(changes).machinesDeleted.maximum];
}

function marked(object: Fields, annotations: Fields, place = 'annotations'): Fields {
  return { ...object, metadata: { ...object.metadata as Fields, [place]: annotations } };
}

const CONFIG: Fields = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'web' } };
const OPTIONS = 'argocd.argoproj.io/sync-options';
const FLUX = 'kustomize.toolkit.fluxcd.io';

function kustomization(spec: Fields = {}): Fields {
  return {
    apiVersion: `${FLUX}/v1`,
    kind: 'Kustomization',
    metadata: { name: 'acme', namespace: 'flux-system' },
    spec: { path: './tenants/acme', prune: true, ...spec },
  };
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

function files(entry: Fields | undefined, ...objects: readonly Fields[]): ObjectFiles {
  return { 'entries/x.yaml': [CONFIG, ...entry ? [entry] : []], 'tenants/acme/all.yaml': [...objects, CONFIG] };
}

describe('a Cluster whose file goes', () => {
  const rest = [controlPlane(), newPool()];
  const without = (entry: Fields, cluster: Fields) => outcome(files(entry, cluster, ...rest), files(entry, ...rest));

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

test.each<[what: string, entry: Fields, cluster: Fields, isRemoved: boolean]>([
  ['is pruned, by an annotation', application(), marked(CLUSTER, { [OPTIONS]: 'Prune=confirm,Delete=confirm' }), false],
  ['is pruned, by an option of the Application', application(['Prune=confirm']), CLUSTER, false],
  ['is deleted with its Application', application(), marked(CLUSTER, { [OPTIONS]: 'Prune=confirm,Delete=confirm' }), true],
])('Argo CD asks before a Cluster %s', (_, entry, cluster, isRemoved) => {
  const rest = [controlPlane(), newPool()];
  const { clusters: [{ change, notes }] } = plannedObjects(files(entry, cluster, ...rest), isRemoved ? files(undefined) : files(entry, ...rest));

  expect([change, notes]).toEqual(['removed', ['Application acme asks a user to confirm the removal, and waits until then']]);
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

test.each<[what: string, entry: Fields, effects: readonly string[]]>([
  ['fails by force of Flux, which only counts a dry run', kustomization({ force: true }), ['refused']],
  ['makes Argo CD delete the object by force', application(), []],
])('a change that a server accepts in a dry run alone %s', (_, entry, effects) => {
  const template = (instancetype: string): Fields => marked({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'KubevirtMachineTemplate',
    metadata: { name: 'web', namespace: 'web' },
    spec: { template: { spec: { virtualMachineTemplate: { spec: { instancetype: { name: instancetype }, runStrategy: 'Always', template: { spec: { domain: { devices: {} } } } } } } } },
  }, { [OPTIONS]: 'Force=true' });
  const { shared } = plannedObjects(files(entry, template('u1.large')), files(entry, template('u1.xlarge')));
  expect(shared.flatMap((part) => part.effects.map(({ effect }) => String(effect))).filter((effect) => effect === 'refused')).toEqual(effects);
});

describe('fewer machines of a pool', () => {
  const IGNORED = { ignoreDifferences: [{ group: 'cluster.*', kind: 'MachineDeployment', jsonPointers: ['/spec/replicas'] }] };
  const ignoring = (...options: readonly string[]): Fields => {
    const entry = application(options);
    return { ...entry, spec: { ...entry.spec as Fields, ...IGNORED } };
  };
  const FEWER = newPool({}, { replicas: 1 });
  const LABELLED = marked(CLUSTER, { a: 'b' }, 'labels');
  const ssa = (value: string) => ({ [`${FLUX}/ssa`]: value });

  test.each<[what: string, entry: Fields, before: Fields, after: Fields, deleted: number, cluster?: Fields]>([
    ['are applied by Flux', kustomization(), newPool(), FEWER, 1],
    ['are not applied over an object that is there', kustomization(), newPool(), marked(FEWER, ssa('IfNotPresent')), 0],
    ['are not applied to an object that is left alone', kustomization(), newPool(), marked(FEWER, { [`${FLUX}/reconcile`]: 'disabled' }), 0],
    ['are not applied to an object with the mark in the cluster', kustomization(), marked(newPool(), ssa('Ignore')), FEWER, 0],
    ['are applied where they are merged', kustomization(), newPool(), marked(FEWER, ssa('Merge')), 1],
    ['are ignored by a Kustomization', kustomization({ ignore: [{ paths: ['/spec/replicas'], target: { kind: 'MachineDeployment' } }] }), newPool(), FEWER, 0],
    ['are not ignored for others', kustomization({ ignore: [{ paths: ['/spec/replicas'], target: { kind: 'MachinePool' } }] }), newPool(), FEWER, 1],
    ['are skipped by Argo CD', application(), newPool(), marked(FEWER, { 'argocd.argoproj.io/hook': 'Skip' }), 0],
    ['do not make an Application sync that ignores them', ignoring(), newPool(), FEWER, 0],
    ['are applied when it syncs for another reason', ignoring(), newPool(), FEWER, 1, LABELLED],
    ['are not applied when it applies what is out of sync', ignoring('ApplyOutOfSyncOnly=true'), newPool(), FEWER, 0, LABELLED],
    ['are not applied when it respects what it ignores', ignoring('RespectIgnoreDifferences=true'), newPool(), FEWER, 0, LABELLED],
  ])('%s', (_, entry, before, after, deleted, cluster = CLUSTER) => {
    expect(outcome(files(entry, CLUSTER, before), files(entry, cluster, after))).toEqual(['changed', deleted]);
  });

  test('do not come with another version, which is applied', () => {
    const entry = ignoring('RespectIgnoreDifferences=true');
    const [part] = plannedObjects(files(entry, CLUSTER, newPool()), files(entry, CLUSTER, newPool({ version: 'v1.34.2' }, { replicas: 1 }))).clusters[0].parts;

    expect([part.effects, part.notes]).toEqual([
      [{ effect: 'machines replaced', reasons: ['version v1.34.1 -> v1.34.2'], count: { minimum: 2, maximum: 2 }, atATime: 1 }],
      ['Application acme ignores differences in /spec/replicas'],
    ]);
  });
});
