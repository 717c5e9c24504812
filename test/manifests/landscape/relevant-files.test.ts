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

/** The plan of all files, and that without those that can be left out. */
function plans(before: Files, after: Files): { readonly all: unknown; readonly some: unknown; readonly left: number } {
  const states = [before, after].map((files) => ({ root: '.', files: filesOf(files) })) as unknown as Parameters<typeof filesToLeaveOut>[0];
  const left = filesToLeaveOut(states, reader);
  const [all, some] = [undefined, left].map((leftOut) => {
    const read = states.map(({ root, files }): ManifestState => ({
      ...reader.read(files.filter((file) => !leftOut?.files.has(file)), files),
      root,
      ...(leftOut && left.files.size > 0 && { files: files.map(({ file }) => file), otherClusters: leftOut.clusters }),
    }));
    return planJson(planObjects(read[0], read[1]));
  });
  return { all, some, left: left.files.size };
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
