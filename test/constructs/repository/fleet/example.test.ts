import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as ts from 'typescript';
import { readGolden, staleGolden, writeGolden } from '../../../../scripts/golden/golden-store';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { SchemaValidator } from '../../../manifests/schema/validate';
import { Manifest } from '../../../support/clusters';
import { readFiles } from '../../../support/examples';
import { parse } from '../../../support/outputs';

type Files = { readonly [file: string]: string };

const EXAMPLE = path.join(__dirname, '../../../../examples/fleet');
const GOLDEN = path.join(__dirname, 'golden');
const PROGRAM = fs.readFileSync(path.join(EXAMPLE, 'main.ts'), 'utf8');
const LIST = fs.readFileSync(path.join(EXAMPLE, 'clusters.csv'), 'utf8');
const [HEADER, ...ROWS] = LIST.trimEnd().split('\n');

/** Rows with every profile and ring, a version of its own and a cluster that leaves. The others differ from these in their names and addresses. */
const SAMPLE = ROWS.slice(0, 50);

/** A few rows, all profiles and rings among them. */
const FEW = ROWS.slice(0, 12);

/** Lists of what was written. */
const OWN = '.cdk8s-cluster-api/';

const folders: string[] = [];

afterAll(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fleet-'));
  folders.push(folder);
  return folder;
}

/** Runs the program with a list, and returns what it says. */
function run(outdir: string, rows: readonly string[], program = PROGRAM): { readonly printed: string; readonly warnings: string[] } {
  const folder = newFolder();
  fs.writeFileSync(path.join(folder, 'clusters.csv'), `${[HEADER, ...rows].join('\n')}\n`);
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  const { outputText } = ts.transpileModule(program, { compilerOptions });
  const printed: string[] = [];
  const warnings: string[] = [];
  const spies = [
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0),
    jest.spyOn(WARNINGS, 'emit').mockImplementation((warning) => { warnings.push(String(warning)); }),
  ];
  const previous = process.env.CDK8S_OUTDIR;
  process.env.CDK8S_OUTDIR = outdir;
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    new Function('require', 'exports', '__dirname', outputText)(require, {}, folder);
  } finally {
    if (previous === undefined) delete process.env.CDK8S_OUTDIR;
    else process.env.CDK8S_OUTDIR = previous;
    spies.forEach((spy) => spy.mockRestore());
  }
  return { printed: printed.join(''), warnings };
}

function changed(before: Files, after: Files): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((file) => before[file] !== after[file] && !file.startsWith(OWN)).sort();
}

/** The lines that are new in a file. */
function newLines(before: string, after: string): string[] {
  const old = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !old.has(line));
}

describe('fifty clusters', () => {
  const outdir = newFolder();
  const first = run(outdir, SAMPLE);
  const files = readFiles(outdir);

  test('are written without a complaint', () => {
    expect(first.warnings).toEqual([]);
    expect(first.printed).toMatch(/^50 clusters; \d+ objects; files: \d+ written, 0 unchanged, 0 removed; [\d.]+ s\n$/);
  });

  test('have a folder and an entry each, and nothing else is there', () => {
    const names = SAMPLE.map((row) => row.split(',')[0]);
    const roots = Object.keys(files).filter((file) => !file.startsWith(OWN)).map((file) => file.split('/').slice(0, file.startsWith('clusters/') ? 3 : 2).join('/'));
    expect([...new Set(roots)].sort()).toEqual([
      'charts/shared-sources', 'flux/charts.shared-sources.yaml',
      ...names.map((name) => `clusters/tenant-${name}/${name}`), ...names.map((name) => `flux/tenant-${name}.${name}.yaml`),
    ].sort());
  });

  test('share the sources of their charts, so that another tenant fetches nothing more', () => {
    const objects = Object.entries(files).filter(([file]) => file.endsWith('.yaml')).flatMap(([, text]) => parse(text));
    const of = (kind: string) => objects.filter((object) => object.kind === kind);
    expect(of('HelmRelease').length).toBeGreaterThan(2 * SAMPLE.length);
    expect(of('HelmRepository').map(({ spec }) => spec.url).sort()).toEqual([
      'https://charts.jetstack.io', 'https://helm.cilium.io', 'https://kubernetes-sigs.github.io/metrics-server',
    ]);
    expect(new Set(of('HelmRepository').map(({ spec }) => spec.interval))).toEqual(new Set(['24h0m0s']));
    expect(of('HelmRelease').filter(({ spec }) => !spec.install.disableWait || !spec.upgrade.disableWait)).toEqual([]);
    expect(new Set(of('HelmRelease').map(({ spec }) => spec.interval))).toEqual(new Set(['1h0m0s']));
  });

  test('are what the list says', () => {
    const objects = Object.entries(files).filter(([file]) => file.startsWith('clusters/')).flatMap(([, text]) => parse(text));
    const count = (kind: string, fits: (object: Manifest) => boolean = () => true) =>
      objects.filter((object) => object.kind === kind && fits(object)).length;
    const cells = SAMPLE.map((row) => row.split(','));
    const leaving = cells.filter((row) => row.includes('true')).length;
    const inRing = (ring: string) => cells.filter((row) => row[2] === ring && !row.includes('true')).length;
    expect(count('Cluster')).toBe(SAMPLE.length - leaving);
    expect(count('KamajiControlPlane', ({ spec }) => spec.version === 'v1.36.1')).toBe(inRing('canary'));
    expect(count('KamajiControlPlane', ({ spec }) => spec.version === 'v1.34.6')).toBe(1);
    expect(count('KamajiControlPlane', ({ spec }) => spec.replicas === 3)).toBe(cells.filter((row) => row[5] === 'gold').length);
    expect(count('MachineDeployment', ({ metadata }) => metadata.name.endsWith('-gpu'))).toBe(cells.filter((row) => row[1] === 'gpu').length);
  });

  test('are accepted by the schemas', () => {
    const validator = SchemaValidator.load();
    const manifests = Object.entries(files).filter(([file]) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'));
    const objects = manifests.flatMap(([, text]) => parse(text));
    expect(objects.length).toBeGreaterThan(1000);
    expect(objects.flatMap((object) => validator.validate(object).map((fault) => `${object.kind} ${object.metadata.name} ${fault}`))).toEqual([]);
  });

  test('are not written a second time', () => {
    expect(run(outdir, SAMPLE).printed).toMatch(/; files: 0 written, \d+ unchanged, 0 removed;/);
    expect(readFiles(outdir)).toEqual(files);
  });

  test('are what they were', () => {
    const written = Object.fromEntries(['small', 'standard', 'gpu'].map((profile) => {
      const name = SAMPLE.map((row) => row.split(',')).find((row) => row[1] === profile)![0];
      const own = Object.entries(files).filter(([file]) => file.startsWith(`clusters/tenant-${name}/`) || file === `flux/tenant-${name}.${name}.yaml`);
      return [profile, Object.fromEntries(own)];
    }));
    const base = readGolden();
    if (process.env.WRITE_GOLDEN) writeGolden(written, GOLDEN, base);
    expect(readGolden(GOLDEN, base)).toEqual(written);
    expect(staleGolden(written, GOLDEN, base)).toEqual([]);
  });
});

describe('a change of the list', () => {
  const outdir = newFolder();
  run(outdir, FEW);
  let files: Files = readFiles(outdir);

  /** Runs with another list; returns which files are others. */
  function change(rows: readonly string[], program = PROGRAM): { readonly files: string[]; readonly before: Files; readonly warnings: string[] } {
    const before = files;
    const { warnings } = run(outdir, rows, program);
    files = readFiles(outdir);
    return { files: changed(before, files), before, warnings };
  }

  const added = ROWS[12];
  const [name] = added.split(',');
  const folder = `clusters/tenant-${name}/${name}/`;

  test('that adds a cluster adds its files, and no line elsewhere', () => {
    const { files: touched, before } = change([added, ...FEW]);
    expect(touched.filter((file) => !file.startsWith(folder))).toEqual([`flux/tenant-${name}.${name}.yaml`]);
    expect(touched.filter((file) => file in before)).toEqual([]);
  });

  test('of one cell changes what follows from it', () => {
    const cells = added.split(',');
    const more = [...cells.slice(0, 5), 'platinum', ...cells.slice(6)].join(',');
    const { files: touched, before } = change([...FEW, more]);
    expect(touched.length).toBeGreaterThan(5);
    expect(touched.filter((file) => !file.startsWith(folder))).toEqual([]);
    const lines = touched.flatMap((file) => newLines(before[file], files[file]));
    expect([...new Set(lines.map((line) => line.trim()))]).toEqual(['tier: platinum']);
    change([...FEW, added]);
  });

  test('that removes a cluster at once is held up, and goes in two steps', () => {
    const kept = change(FEW);
    expect(kept.files).toEqual([]);
    expect(kept.warnings).toEqual([expect.stringContaining('TC-GITOPS-KEPT')]);

    const cells = added.split(',');
    const leaving = [...cells.slice(0, 13), 'true', ...cells.slice(14)].join(',');
    expect(change([...FEW, leaving]).files.filter((file) => !file.startsWith(folder) && file !== `flux/tenant-${name}.${name}.yaml`)).toEqual([]);
    const gone = change(FEW);
    expect(gone.warnings).toEqual([expect.stringContaining(`TC-CHANGE-KEPT-REMOVED Namespace tenant-${name}`)]);
    expect(Object.keys(files).filter((file) => file.includes(`tenant-${name}/`))).toEqual([]);
  });

  test('of the version of a ring changes versions, images and what is named after them, in the clusters of the ring', () => {
    const program = PROGRAM.replace(/(name: 'early', kubernetesVersion: )'1\.35\.4'/, '$1\'1.36.1\'').replace(/(name: 'canary', kubernetesVersion: )'1\.36\.1'/, '$1\'1.36.2\'');
    const { files: touched } = change(FEW, program);
    const rings = new Map(FEW.map((row) => [row.split(',')[0], row.split(',')[2]]));
    const touchedRings = new Set(touched.map((file) => rings.get(file.split('/')[2])));
    expect(touchedRings).toEqual(new Set(['canary', 'early']));
  });
});
