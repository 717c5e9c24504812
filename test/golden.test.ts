import * as fs from 'node:fs';
import * as path from 'node:path';
import { SchemaValidator } from './schema/validate';
import { Manifest } from './support/clusters';
import { OUTPUTS, parse } from './support/outputs';

const GOLDEN = path.join(__dirname, 'golden');

/** What goes to tenants from files: apart, for it is nothing that a management cluster would take. */
const GOLDEN_TENANTS = path.join(__dirname, 'golden-tenants');

const withTenants: string[] = [];

let validator: SchemaValidator;

beforeAll(async () => {
  validator = await SchemaValidator.load();
});

describe.each(Object.keys(OUTPUTS))('%s', (name) => {
  const { management, tenants } = OUTPUTS[name]();
  const objects = parse(management);
  if (Object.keys(tenants).length > 0) withTenants.push(name);

  test('is what it was', () => {
    expectGolden(GOLDEN, name, management);
    const files = Object.entries(tenants).map(([file, text]) => `# ${file}\n${text}`);
    if (files.length > 0) expectGolden(GOLDEN_TENANTS, name, files.join('---\n'));
  });

  test('is accepted by the schemas', () => {
    expect(objects.length).toBeGreaterThan(3);
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
  const filesOf = (names: readonly string[]) => names.map((name) => `${name}.yaml`).sort();
  expect(fs.readdirSync(GOLDEN).sort()).toEqual(filesOf(Object.keys(OUTPUTS)));
  expect(fs.readdirSync(GOLDEN_TENANTS).sort()).toEqual(filesOf(withTenants));
});

function expectGolden(folder: string, name: string, text: string): void {
  const golden = path.join(folder, `${name}.yaml`);
  if (process.env.WRITE_GOLDEN) fs.writeFileSync(golden, text);
  expect(text).toBe(fs.readFileSync(golden, 'utf8'));
}

function keyOf({ apiVersion, kind, metadata }: Manifest): string {
  return `${apiVersion.split('/')[0]} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
