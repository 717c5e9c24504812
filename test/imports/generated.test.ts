import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App, Chart, GroupVersionKind } from 'cdk8s';
import { TypeGenerator } from 'json2jsii';
import { stringify } from 'yaml';
import { CRD_SOURCES, CrdSource } from '../../scripts/crds/crd-source';
import { CustomResourceDefinition } from '../../scripts/crds/definition';
import { loadCrds, specHash } from '../../scripts/crds/load';
import { TypedApiObject } from '../../src/constructs/app/synth/typed-api-object';
import { CrdSchemas, KindSchema } from '../manifests/schema/crd-schemas';
import { StructuralSchema } from '../manifests/schema/structural-schema';

const IMPORTS = resolve(__dirname, '../../imports');

/** A generated class, whatever its props are. */
interface GeneratedClass {
  readonly GVK: GroupVersionKind;
  new (scope: Chart, id: string, props: object): TypedApiObject;
  manifest(props: object): Record<string, unknown>;
}

/** The definitions that have a class. */
const TYPED = CrdSchemas.load().all().filter((schema) => schema.stored && classOf(schema) !== undefined);

function classOf({ apiVersion, kind }: KindSchema): GeneratedClass | undefined {
  const file = join(IMPORTS, `${apiVersion.split('/')[0]}.ts`);
  return existsSync(file) ? jest.requireActual<Record<string, GeneratedClass>>(file)[TypeGenerator.normalizeTypeName(kind)] : undefined;
}

/** An id for an object of a kind, unlike that of any other kind. */
function idOf({ apiVersion, kind }: KindSchema): string {
  return `${apiVersion}-${kind}`.replace(/\W/g, '-');
}

test('each definition that the sources give a version has a class with its group, stored version, kind and scope', () => {
  const chart = new Chart(new App(), 'chart', { namespace: 'tenant-acme' });
  expect(TYPED).toHaveLength(CRD_SOURCES.flatMap(({ crds }) => crds).filter(({ version }) => version !== undefined).length);
  for (const definition of TYPED) {
    const type = classOf(definition)!;
    const expected = { apiVersion: definition.apiVersion, kind: definition.kind };

    expect(type.GVK).toEqual(expected);
    expect(type.manifest({ spec: { some: 'field' } })).toEqual({ ...expected, spec: { some: 'field' } });
    expect(new type(chart, idOf(definition), { metadata: { name: 'x' } }).toJson()).toEqual({
      ...expected,
      metadata: definition.scope === 'Cluster' ? { name: 'x' } : { name: 'x', namespace: 'tenant-acme' },
    });
  }
});

test('each definition is written as it was given when every field has the name of the API', () => {
  const chart = new Chart(new App(), 'chart');
  for (const definition of TYPED) {
    const type = classOf(definition)!;
    const { apiVersion, kind, metadata, ...fields } = definition.schema.properties!;
    const sample = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, sampleOf(schema)]));

    expect(new type(chart, idOf(definition), { metadata: { name: 'x' }, ...sample }).toJson()).toEqual({ ...type.GVK, metadata: { name: 'x' }, ...sample });
    expect(type.manifest(sample)).toEqual({ ...type.GVK, ...sample });
  }
});

describe('loading', () => {
  const widgets = sampleDefinition('widgets');
  const gadgets = sampleDefinition('gadgets');
  const source: CrdSource = {
    project: 'example/widgets',
    version: 'v1.0.0',
    docs: 'https://example.org',
    file: 'widgets.yaml',
    urls: [],
    crds: [gadgets, widgets].map(crd => ({ name: crd.metadata.name, version: 'v1', sha256: specHash(crd) })),
  };
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'crds-'));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  function write(...crds: readonly CustomResourceDefinition[]): void {
    writeFileSync(join(directory, source.file), crds.map(crd => stringify(crd)).join('---\n'));
  }

  test('reads definitions from another directory', async () => {
    write(widgets, gadgets);
    expect((await loadCrds({ directory, sources: [source] })).map(crd => crd.metadata.name)).toEqual(source.crds.map(crd => crd.name));
  });

  test('reads the directory that CRDS_DIR names', async () => {
    write({ ...widgets, spec: { ...widgets.spec, scope: 'Cluster' } });
    const before = process.env.CRDS_DIR;
    process.env.CRDS_DIR = directory;
    try {
      await expect(loadCrds({ sources: [source] })).rejects.toThrow(directory);
    } finally {
      if (before === undefined) { delete process.env.CRDS_DIR; } else { process.env.CRDS_DIR = before; }
    }
  });

  test('accepts other labels', async () => {
    write(widgets, { ...gadgets, metadata: { ...gadgets.metadata, labels: { any: 'label' } } });
    await expect(loadCrds({ directory, sources: [source] })).resolves.toHaveLength(2);
  });

  test('names each definition that differs or is missing', async () => {
    write({ ...gadgets, spec: { ...gadgets.spec, scope: 'Cluster' } });
    const message = await loadCrds({ directory, sources: [source] }).then(() => '', (error: Error) => error.message);
    const file = join(directory, source.file);

    expect(message).toMatch(new RegExp(`gadgets\\.example\\.org in ${file} differs from example/widgets v1\\.0\\.0: expected sha256 ${specHash(gadgets)}, found [0-9a-f]{64}`));
    expect(message).toContain(`widgets.example.org is missing in ${file}`);
    expect(message).toContain('CRDS_DIR');
  });

  test('says how to help when the file is missing', async () => {
    await expect(loadCrds({ directory, sources: [source] })).rejects.toThrow(/widgets\.yaml is missing.*Set CRDS_DIR/);
  });
});

function sampleDefinition(plural: string): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.org` },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { kind: plural, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
}

/** A value with every field that a schema knows. */
function sampleOf(schema: StructuralSchema): unknown {
  if (schema.properties) { return Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, sampleOf(property)])); }
  if (typeof schema.additionalProperties === 'object') { return { 'some.key/of-a_map': sampleOf(schema.additionalProperties) }; }
  return schema.items ? [sampleOf(schema.items), sampleOf(schema.items)] : schema.enum?.[0] ?? schema.type ?? 1;
}
