import * as fs from 'node:fs';
import * as path from 'node:path';
import { Testing } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { SCENARIOS } from './scenarios';
import { SchemaValidator } from './schema/validate';
import { Manifest } from './support/clusters';
import { exampleNames, runExample } from './support/examples';

const GOLDEN = path.join(__dirname, 'golden');

/** Golden files by name; those of examples are what `npm run example` writes. */
const OUTPUTS: { readonly [file: string]: () => string } = {
  ...Object.fromEntries(exampleNames().map((name) => [`example-${name}.yaml`, () => Object.values(runExample(name)).join('---\n')])),
  ...Object.fromEntries(Object.entries(SCENARIOS).map(([name, build]) => [`${name}.yaml`, () => {
    const app = Testing.app();
    build(app);
    return app.synthYaml();
  }])),
};

let validator: SchemaValidator;

beforeAll(async () => {
  validator = await SchemaValidator.load();
});

describe.each(Object.keys(OUTPUTS))('%s', (file) => {
  const text = OUTPUTS[file]();
  const objects = parseAllDocuments(text).map((document) => document.toJS() as Manifest);

  test('is what it was', () => {
    const golden = path.join(GOLDEN, file);
    if (process.env.WRITE_GOLDEN) fs.writeFileSync(golden, text);

    expect(text).toBe(fs.readFileSync(golden, 'utf8'));
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
  expect(fs.readdirSync(GOLDEN).sort()).toEqual(Object.keys(OUTPUTS).sort());
});

function keyOf({ apiVersion, kind, metadata }: Manifest): string {
  return `${apiVersion.split('/')[0]} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
