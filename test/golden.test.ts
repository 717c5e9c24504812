import * as fs from 'node:fs';
import * as path from 'node:path';
import { SchemaValidator } from './schema/validate';
import { Manifest } from './support/clusters';
import { OUTPUTS, parse } from './support/outputs';

const GOLDEN = path.join(__dirname, 'golden');

/** What goes to tenants from files: apart, for it is nothing that a management cluster would take. */
const GOLDEN_TENANTS = path.join(__dirname, 'golden-tenants');

/** What goes to hosts: files of many kinds, and programs. */
const GOLDEN_HOSTS = path.join(__dirname, 'golden-hosts');

const withObjects: string[] = [];
const withTenants: string[] = [];
const withHosts: string[] = [];

const validator = SchemaValidator.load();

describe.each(Object.keys(OUTPUTS))('%s', (name) => {
  const { management, tenants, hosts, files } = OUTPUTS[name]();
  const objects = parse(management);
  if (objects.length > 0) withObjects.push(name);
  if (Object.keys(tenants).length > 0) withTenants.push(name);
  if (Object.keys(hosts).length > 0) withHosts.push(name);

  test('is what it was', () => {
    if (objects.length > 0) expectGolden(GOLDEN, `${name}.yaml`, management);
    const delivered = Object.entries(tenants).map(([file, text]) => `# ${file}\n${text}`);
    if (delivered.length > 0) expectGolden(GOLDEN_TENANTS, `${name}.yaml`, delivered.join('---\n'));
    const bundle = Object.entries(hosts).map(([file, { text, executable }]) => `==> ${file} ${executable ? '0755' : '0644'}\n${text}`);
    if (bundle.length > 0) expectGolden(GOLDEN_HOSTS, `${name}.txt`, bundle.join('\n'));
  });

  test('GitOps tools find manifests wherever they are told to read', () => {
    const folders = new Set(files.filter((file) => /\/(kustomization|manifests)\.yaml$/.test(file)).map((file) => `dist/${path.posix.dirname(file)}`));
    const readPaths = objects.flatMap(pathsOf);

    // Scenarios do not write to the folder that their paths name.
    if (name.startsWith('example-')) expect(readPaths.filter((read) => !folders.has(read))).toEqual([]);
    if (files.some((file) => /^(flux|argocd)\//.test(file))) expect(readPaths.length).toBeGreaterThan(0);
  });

  test('is accepted by the schemas', () => {
    expect(objects.length + Object.keys(hosts).length).toBeGreaterThan(3);
    expect(objects.flatMap((object) => validator.validate(object).map((fault) => `${object.kind} ${object.metadata.name} ${fault}`))).toEqual([]);
  });

  test('gets nothing added by the server\'s defaults', () => {
    expect(objects.flatMap((object) => validator.missingDefaults(object).map((fault) => `${object.kind} ${object.metadata.name} ${fault}`))).toEqual([]);
  });

  test('has each object once, and each reference resolves', () => {
    const keys = objects.map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
    for (const deployment of objects.filter(({ kind }) => kind === 'MachineDeployment')) {
      const { bootstrap, infrastructureRef } = deployment.spec.template.spec;
      for (const reference of [bootstrap.configRef, infrastructureRef]) {
        expect(keys).toContain(`${reference.apiGroup} ${reference.kind} ${deployment.metadata.namespace}/${reference.name}`);
      }
      expect(deployment.spec.template.metadata.labels).toMatchObject(deployment.spec.selector.matchLabels);
    }
  });
});

test('no golden file is left over', () => {
  const filesOf = (names: readonly string[], extension = 'yaml') => names.map((name) => `${name}.${extension}`).sort();
  expect(fs.readdirSync(GOLDEN).sort()).toEqual(filesOf(withObjects));
  expect(fs.readdirSync(GOLDEN_TENANTS).sort()).toEqual(filesOf(withTenants));
  expect(fs.readdirSync(GOLDEN_HOSTS).sort()).toEqual(filesOf(withHosts, 'txt'));
});

function expectGolden(folder: string, file: string, text: string): void {
  const golden = path.join(folder, file);
  if (process.env.WRITE_GOLDEN) fs.writeFileSync(golden, text);
  expect(text).toBe(fs.readFileSync(golden, 'utf8'));
}

/** Folders of its own repository that an object of Flux or Argo CD reads. */
function pathsOf({ apiVersion, kind, spec }: Manifest): string[] {
  if (kind === 'Kustomization' && apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') && spec.sourceRef.name === 'flux-system') {
    return [path.posix.normalize(spec.path)];
  }
  return kind === 'Application' && spec.source.path !== undefined && spec.source.chart === undefined ? [path.posix.normalize(spec.source.path)] : [];
}

function keyOf({ apiVersion, kind, metadata }: Manifest): string {
  return `${apiVersion.split('/')[0]} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
