import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blueprintNames, pages } from '../../../scripts/blueprints/pages';
import { ManifestValidation } from '../../../src/constructs/app/validation/manifest-validation';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { goldenOutputs, parse } from '../../support/outputs';

const ROOT = join(__dirname, '../../..');
const FOLDER = join(ROOT, 'docs/blueprints');

const files = readdirSync(FOLDER);
const { blueprints } = jest.requireActual<{ blueprints: object }>('cdk8s-cluster-api');
const classes = Object.entries(blueprints).filter(([, type]) => isBlueprint(type)).map(([name]) => name);
const golden = Object.fromEntries(goldenOutputs());

test('each blueprint has an example and a page, and the index lists them all', () => {
  const names = classes.map((name) => name.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase()).sort();
  const index = readFileSync(join(FOLDER, 'index.md'), 'utf8');

  expect(blueprintNames()).toEqual(names);
  expect(files.sort()).toEqual([...names, 'index'].map((name) => `${name}.md`).sort());
  expect(names.filter((name) => !index.includes(`](${name}.md)`))).toEqual([]);
});

test.each([...pages()])('%s has the program of its example, and the tables of its output', (file, text) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toBe(text);
});

test.each(files)('links of %s lead to files and headings', (file) => {
  const links = [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g)];
  const broken = links.filter(([, target, anchor]) => {
    const path = join(FOLDER, target || file);
    return !existsSync(path) || (anchor !== undefined && !headings(path).includes(anchor));
  });

  expect(broken.map(([link]) => link)).toEqual([]);
});

function headings(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => `#${heading.toLowerCase().replaceAll(/[^a-z0-9 -]/g, '').replaceAll(' ', '-')}`);
}

test.each(blueprintNames())('%s breaks no rule of manifests', (name) => {
  const { management, tenants } = golden[`example-blueprint-${name}`];
  const groups = [parse(management), ...Object.values(tenants).map(parse)];

  expect(groups.flatMap((objects) => ManifestValidation.check(objects).findings.map(({ rule, message }) => `${rule} ${message}`))).toEqual([]);
});

function isBlueprint(type: unknown): boolean {
  return typeof type === 'function' && Object.getPrototypeOf(type) === TenantCluster;
}
