import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App, Chart, GroupVersionKind } from 'cdk8s';
import { TypeGenerator } from 'json2jsii';
import { stringify } from 'yaml';
import { CRD_SOURCES } from '../../scripts/crds/crd-source';
import { CustomResourceDefinition, OpenApiSchema } from '../../scripts/crds/definition';
import { loadCrds } from '../../scripts/crds/load';
import { absentGroups, obtainableSources } from '../../scripts/crds/obtainable';
import { generateImports } from '../../scripts/import/generate';
import { TypedApiObject } from '../../src/synth/typed-api-object';

const IMPORTS = resolve(__dirname, '../../imports');

/** A generated class, whatever its props are. */
interface GeneratedClass {
  readonly GVK: GroupVersionKind;
  new (scope: Chart, id: string, props: object): TypedApiObject;
  manifest(props: object): Record<string, unknown>;
}

const sources = obtainableSources();
let crds: CustomResourceDefinition[];
let committed: Map<string, string>;

beforeAll(async () => {
  crds = await loadCrds({ sources });
  const absent = absentGroups().map(group => `${group}.ts`);
  committed = new Map(readdirSync(IMPORTS).sort().filter(name => !absent.includes(name)).map(name => [name, readFileSync(join(IMPORTS, name), 'utf8')]));
});

test('the committed files are what the pinned definitions give', () => {
  const generated = generateImports(crds, sources);
  expect([...committed.keys()]).toEqual([...generated.keys()]);
  expect([...generated].filter(([name, text]) => committed.get(name) !== text).map(([name]) => name)).toEqual([]);
});

test('each definition has a class with its group, version, kind and scope', () => {
  const chart = new Chart(new App(), 'chart', { namespace: 'tenant-acme' });
  for (const pin of sources.flatMap(source => source.crds)) {
    const { group, names, scope } = crds.find(crd => crd.metadata.name === pin.name)!.spec;
    const types = jest.requireActual<Record<string, GeneratedClass>>(join(IMPORTS, `${group}.ts`));
    const type = types[TypeGenerator.normalizeTypeName(names.kind)];
    const expected = { apiVersion: `${group}/${pin.version}`, kind: names.kind };

    expect(type.GVK).toEqual(expected);
    expect(type.manifest({ spec: { some: 'field' } })).toEqual({ ...expected, spec: { some: 'field' } });
    expect(new type(chart, pin.name, { metadata: { name: 'x' } }).toJson()).toEqual({
      ...expected,
      metadata: scope === 'Cluster' ? { name: 'x' } : { name: 'x', namespace: 'tenant-acme' },
    });
  }
});

test('each definition is written as it was given when every field has the name of the API', () => {
  const chart = new Chart(new App(), 'chart');
  for (const crd of crds) {
    const { group, names, versions } = crd.spec;
    const types = jest.requireActual<Record<string, GeneratedClass>>(join(IMPORTS, `${group}.ts`));
    const type = types[TypeGenerator.normalizeTypeName(names.kind)];
    const { apiVersion, kind, metadata, ...fields } = versions.find(version => version.storage)!.schema.openAPIV3Schema.properties!;
    const sample = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, sampleOf(schema)]));

    expect(new type(chart, crd.metadata.name, { metadata: { name: 'x' }, ...sample }).toJson()).toEqual({ ...type.GVK, metadata: { name: 'x' }, ...sample });
    expect(type.manifest(sample)).toEqual({ ...type.GVK, ...sample });
  }
});

test('each pinned version is the one that is stored', () => {
  const versions = new Map(crds.map(crd => [crd.metadata.name, crd.spec.versions.find(version => version.storage)?.name]));
  for (const pin of sources.flatMap(source => source.crds)) { expect([pin.name, versions.get(pin.name)]).toEqual([pin.name, pin.version]); }
});

test('no description of upstream is in the files', () => {
  const text = [...committed.values()].join('\n').replace(/\s+/g, ' ');
  const sentences = new Set(crds.flatMap(crd => descriptionsIn(crd)).flatMap(description => description.replace(/\s+/g, ' ').split(/(?<=\.) /)));
  const copied = [...sentences].filter(sentence => sentence.length >= 40 && text.includes(sentence.slice(0, 60)));
  expect(sentences.size).toBeGreaterThan(1000);
  expect(copied).toEqual([]);
});

describe('loading', () => {
  const source = CRD_SOURCES.find(candidate => candidate.file === 'metallb.yaml')!;
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'crds-'));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  /** The definitions of the source, changed by a function, in a file of the directory. */
  function write(change: (crd: CustomResourceDefinition) => CustomResourceDefinition | undefined = crd => crd): void {
    const names = new Set(source.crds.map(crd => crd.name));
    const documents = crds.filter(crd => names.has(crd.metadata.name)).map(change).filter(crd => crd !== undefined);
    writeFileSync(join(directory, source.file), documents.map(crd => stringify(crd)).join('---\n'));
  }

  test('reads definitions from another directory', async () => {
    write();
    expect((await loadCrds({ directory, sources: [source] })).map(crd => crd.metadata.name)).toEqual(source.crds.map(crd => crd.name));
  });

  test('reads the directory that CRDS_DIR names', async () => {
    write(crd => ({ ...crd, spec: { ...crd.spec, scope: 'Cluster' } }));
    const before = process.env.CRDS_DIR;
    process.env.CRDS_DIR = directory;
    try {
      await expect(loadCrds({ sources: [source] })).rejects.toThrow(directory);
    } finally {
      if (before === undefined) { delete process.env.CRDS_DIR; } else { process.env.CRDS_DIR = before; }
    }
  });

  test('accepts other labels', async () => {
    write(crd => ({ ...crd, metadata: { ...crd.metadata, labels: { any: 'label' } } }));
    await expect(loadCrds({ directory, sources: [source] })).resolves.toHaveLength(source.crds.length);
  });

  test('names each definition that differs or is missing', async () => {
    const [first, second] = source.crds;
    write(crd => {
      if (crd.metadata.name === second.name) { return undefined; }
      return crd.metadata.name === first.name ? { ...crd, spec: { ...crd.spec, scope: 'Cluster' } } : crd;
    });
    const message = await loadCrds({ directory, sources: [source] }).then(() => '', (error: Error) => error.message);
    const file = join(directory, source.file);

    expect(message).toMatch(new RegExp(`${first.name} in ${file} differs from metallb/metallb ${source.version}: expected sha256 ${first.sha256}, found [0-9a-f]{64}`));
    expect(message).toContain(`${second.name} is missing in ${file}`);
    expect(message).toContain('CRDS_DIR');
  });

  test('says how to help when the file is missing', async () => {
    await expect(loadCrds({ directory, sources: [source] })).rejects.toThrow(/metallb\.yaml is missing.*Set CRDS_DIR/);
  });
});

/** A value with every field that a schema knows. */
function sampleOf(schema: OpenApiSchema): unknown {
  if (schema.properties) { return Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, sampleOf(property)])); }
  if (typeof schema.additionalProperties === 'object') { return { 'some.key/of-a_map': sampleOf(schema.additionalProperties) }; }
  return schema.items ? [sampleOf(schema.items), sampleOf(schema.items)] : schema.enum?.[0] ?? schema.type ?? 1;
}

function descriptionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) { return []; }
  return Object.entries(value).flatMap(([key, child]) => (key === 'description' && typeof child === 'string' ? [child] : descriptionsIn(child)));
}
