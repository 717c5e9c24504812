import * as jsYaml from 'js-yaml';
import { ManifestState } from '../../../src/manifests/landscape/manifest-state';
import { ManifestFile, StateReader } from '../../../src/manifests/landscape/placed-objects';
import { filesToLeaveOut } from '../../../src/manifests/landscape/relevant-files';
import { planJson } from '../../../src/manifests/plan/plan-json';
import { planObjects } from '../../../src/manifests/plan/plan-objects';
import { written } from '../plan/tenant-pages';

const TENANTS = Array.from({ length: 80 }, (_, index) => `tenant${index}`);
const OBJECTS = written({});
const KUSTOMIZATION = 'kustomization.yaml';
const dump = (value: unknown): string => jsYaml.dump(value, { lineWidth: -1, noRefs: true });
const list = (resources: readonly string[]) => dump({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources });

type Files = ReadonlyMap<string, string>;

/** A folder for each tenant, with a file for each object and a list of them. */
const FLEET: Files = new Map([
  ...TENANTS.flatMap((name): [string, string][] => {
    const files = OBJECTS.map((object, index): [string, string] => [`${index}-${String(object.kind).toLowerCase()}.yaml`, dump(JSON.parse(JSON.stringify(object).replaceAll('acme', name)))]);
    return [...files.map(([file, text]): [string, string] => [`clusters/${name}/${file}`, text]), [`clusters/${name}/${KUSTOMIZATION}`, list(files.map(([file]) => file))]];
  }),
  [`clusters/${KUSTOMIZATION}`, list(TENANTS)],
  ['shared/source.yaml', dump({
    apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'HelmRepository', metadata: { name: 'charts', namespace: 'flux-system' }, spec: { url: 'https://charts.example.com' },
  })],
]);

/** Reads files as they were before, so that what is the same is one file. */
const known = new Map<string, ManifestFile>();
const filesOf = (files: Files): ManifestFile[] => [...files].map(([file, text]) => {
  const key = `${file}\n${text}`;
  if (!known.has(key)) known.set(key, { file, bytes: Buffer.from(text) });
  return known.get(key)!;
});
const reader = new StateReader();

interface Plans {
  readonly all: unknown;
  readonly some: unknown;
  readonly left: number;

  /** Lists of kustomize that are read. */
  readonly lists: readonly string[];
}

/** The plan of all files, and that without those that can be left out. */
function plans(before: Files, after: Files): Plans {
  const states = [before, after].map((files) => ({ root: '.', files: filesOf(files) })) as unknown as Parameters<typeof filesToLeaveOut>[0];
  const left = filesToLeaveOut(states, reader);
  const [all, some] = [undefined, left].map((leftOut) => {
    const read = states.map(({ root, files }): ManifestState => ({
      ...reader.read(files.filter((file) => !leftOut?.files.has(file)), files),
      root,
      ...(leftOut && left.files.size > 0 && { files: files.map(({ file }) => file), otherClusters: leftOut.clusters, otherTexts: leftOut.texts }),
    }));
    return planJson(planObjects(read[0], read[1]));
  });
  const lists = states[1].files.filter((file) => file.file.endsWith(KUSTOMIZATION) && !left.files.has(file)).map(({ file }) => file);
  return { all, some, left: left.files.size, lists };
}

const named = (kind: string) => `clusters/tenant7/${OBJECTS.findIndex((object) => object.kind === kind)}-${kind.toLowerCase()}.yaml`;

/** The fleet after a change of files; a file without a text is removed. */
function changed(change: { readonly [file: string]: string | undefined }): Files {
  const files = new Map(FLEET);
  for (const [file, text] of Object.entries(change)) {
    if (text === undefined) files.delete(file);
    else files.set(file, text);
  }
  return files;
}

function edited(file: string, from: string | RegExp, to: string): Files {
  const text = FLEET.get(file)!;
  expect(text).toMatch(from);
  return changed({ [file]: text.replace(from, to) });
}

const POOL = named('MachineDeployment');
const withoutPool = list(OBJECTS.map((object, index) => `${index}-${String(object.kind).toLowerCase()}.yaml`).filter((file) => !POOL.endsWith(file)));
const OF_ONE_TENANT: readonly (readonly [string, () => Files])[] = [
  ['nothing', () => FLEET],
  ['a number of machines', () => edited(POOL, 'replicas: 3', 'replicas: 5')],
  ['a template', () => edited(named('KubevirtMachineTemplate'), 'cores: 4', 'cores: 8')],
  ['an object less', () => changed({ [POOL]: undefined, [`clusters/tenant7/${KUSTOMIZATION}`]: withoutPool })],
  ['an object that is listed no longer', () => changed({ [`clusters/tenant7/${KUSTOMIZATION}`]: withoutPool })],
  ['a reference to another namespace', () => changed({
    'clusters/tenant7/more.yaml': dump({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'more', namespace: 'tenant-tenant7' }, data: { source: 'flux-system' } }),
  })],
  ['an object in another file', () => changed({ [POOL]: undefined, 'clusters/tenant7/moved.yaml': FLEET.get(POOL)! })],
];

const OF_ALL: readonly (readonly [string, () => Files])[] = [
  ['a cluster less, with its Namespace', () => new Map([...FLEET].filter(([file]) => !file.startsWith('clusters/tenant7/')).map(([file, text]) => (
    [file, file === `clusters/${KUSTOMIZATION}` ? list(TENANTS.filter((name) => name !== 'tenant7')) : text] as const)).filter(([file]) => !file.includes('tenant7/')))],
  ['a folder that is delivered', () => changed({
    'flux/tenants.yaml': dump({ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata: { name: 'tenants', namespace: 'flux-system' }, spec: { path: './clusters', prune: true } }),
  })],
  ['a StorageClass', () => changed({ 'shared/class.yaml': dump({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' }, provisioner: 'example.com' }) })],
  ['a kustomization that does more than list', () => changed({ [`clusters/tenant7/${KUSTOMIZATION}`]: `${withoutPool}namePrefix: a-\n` })],
  ['a file that is no YAML', () => changed({ [POOL]: 'a: b: c' })],
  ['an address', () => edited(named('KamajiControlPlane'), /^spec:$/m, 'spec:\n  address: 192.0.2.7')],
  ['many files', () => new Map([...FLEET].map(([file, text]) => [file, text.replace('replicas: 3', 'replicas: 5')]))],
];

describe('the plan is the same without files that decide nothing, where it changes', () => {
  test.each(OF_ONE_TENANT)('%s', (_, after) => {
    const { all, some, left } = plans(FLEET, after());
    expect(some).toEqual(all);
    expect(left).toBeGreaterThan(FLEET.size * 0.9);
  });

  test.each(OF_ALL)('%s, for which all files are read', (_, after) => {
    const { all, some, left } = plans(FLEET, after());
    expect(some).toEqual(all);
    expect(left).toBe(0);
  });
});

test('an object of no namespace that is the same in a file that differs concerns no other cluster', () => {
  const beside = `${dump({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' }, provisioner: 'example.com' })}---\n${FLEET.get(POOL)!}`;
  const { all, some, left } = plans(changed({ [POOL]: beside }), changed({ [POOL]: beside.replace('replicas: 3', 'replicas: 5') }));
  expect(some).toEqual(all);
  expect(left).toBeGreaterThan(FLEET.size * 0.9);
});

test('all files are read where two of the same are applied', () => {
  const twice = new Map([...FLEET, ...[...FLEET].map(([file, text]) => [`other/${file}`, text] as const)]);
  const { all, some, left } = plans(twice, new Map([...twice, [POOL, twice.get(POOL)!.replace('replicas: 3', 'replicas: 5')]]));
  expect([some, left]).toEqual([all, 0]);
});

test('all files of a small folder are read', () => {
  const few = new Map([...FLEET].slice(0, 100));
  expect(plans(few, new Map([...few, ['clusters/tenant0/more.yaml', few.get(POOL.replace('tenant7', 'tenant0'))!]])).left).toBe(0);
});

describe('lists of kustomize are left out with what they apply', () => {
  const beside = 'clusters/tenant3/beside.yaml';
  const namesOther = dump({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'beside', namespace: 'tenant-tenant3' }, data: { other: 'tenant-tenant7' } });
  const replicas = (files: Files): Files => new Map([...files, [POOL, FLEET.get(POOL)!.replace('replicas: 3', 'replicas: 5')]]);
  const around = [`clusters/${KUSTOMIZATION}`, `clusters/tenant7/${KUSTOMIZATION}`];
  const all3 = FLEET.get(`clusters/tenant3/${KUSTOMIZATION}`)!;
  const first = `clusters/tenant0/${KUSTOMIZATION}`;

  test('those around what differs stay, and one that shows that kustomizations apply files', () => {
    expect(plans(FLEET, replicas(FLEET)).lists).toEqual([first, around[1], around[0]]);
  });

  test('those around a file that stays do, too', () => {
    const before = changed({ [beside]: namesOther });
    const { all, some, lists } = plans(before, replicas(before));
    expect(some).toEqual(all);
    expect(lists).toEqual([first, `clusters/tenant3/${KUSTOMIZATION}`, around[1], around[0]]);
  });

  test('one that stands alone shows that kustomizations apply files', () => {
    const alone: Files = new Map([...[...FLEET].filter(([file]) => !around.includes(file)), ['clusters/tenant7/more.yaml', namesOther.replace('tenant-tenant3', 'tenant-tenant7')]]);
    const { all, some, lists } = plans(alone, replicas(alone));
    expect(some).toEqual(all);
    expect(lists).toEqual([first]);
  });

  test.each([
    ['a folder beside its own', `${all3}  - ../tenant4\n`],
    ['a file that is not there', `${all3}  - missing.yaml\n`],
    ['a namespace', `${all3}namespace: tenant-tenant3\n`],
    ['a number', `${all3}  - 1.5\n`],
  ])('one that names %s is read', (_, text) => {
    const before = changed({ [`clusters/tenant3/${KUSTOMIZATION}`]: text });
    const { all, some, lists } = plans(before, replicas(before));
    expect(some).toEqual(all);
    expect(lists).toContain(`clusters/tenant3/${KUSTOMIZATION}`);
  });
});

test.each([['nothing', () => FLEET], OF_ONE_TENANT[1]] as const)('a cluster that no kustomization lists does not count, where %s changes', (_, after) => {
  const ghost = dump(JSON.parse(JSON.stringify(OBJECTS.find((object) => object.kind === 'Cluster')).replaceAll('acme', 'ghost')));
  const [old, now] = [FLEET, after()].map((files) => new Map([...files, ['clusters/tenant9/ghost.yaml', ghost]]));
  const { all, some, left } = plans(old, now);

  expect(some).toEqual(all);
  expect(all).toMatchObject({ totals: { clusters: TENANTS.length } });
  expect(left).toBeGreaterThan(0);
});

test('a file that is left out may name a folder, so that it may be applied', () => {
  const delivery = (name: string, path: string) => dump({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata: { name, namespace: 'flux-system' }, spec: { path, prune: true },
  });
  const sync = dump({ apiVersion: 'sync.example.com/v1', kind: 'Sync', metadata: { name: 'a', namespace: 'flux-system' }, spec: { dir: 'drafts' } });
  const whole = changed({ 'flux/root.yaml': delivery('flux-system', './flux'), 'flux/tenants.yaml': delivery('tenants', './clusters'), 'flux/sync.yaml': sync });
  const draft = FLEET.get(POOL)!.replaceAll('tenant7', 'draft');
  const { all, some, left } = plans(new Map([...whole, ['drafts/pool.yaml', draft]]), new Map([...whole, ['drafts/pool.yaml', draft.replace('replicas: 3', 'replicas: 5')]]));
  expect(left).toBeGreaterThan(0);
  expect(some).toEqual(all);
  expect(JSON.stringify(some)).not.toContain('no kustomization or delivery applies it');
});
