import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrdSource } from '../../scripts/crds/crd-source';
import { CustomResourceDefinition, OpenApiSchema } from '../../scripts/crds/definition';
import { download } from '../../scripts/crds/download';
import { generateImports } from '../../scripts/import/generate';

function definition(kind: string, properties: Record<string, OpenApiSchema>, required?: string[]): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.toLowerCase()}s.example.org` },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { kind, plural: `${kind.toLowerCase()}s` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties, required } } }],
    },
  };
}

const SOURCE: CrdSource = {
  project: 'example/widgets', version: 'v1.0.0', docs: 'https://example.org', file: 'widgets.yaml', urls: ['https://example.org/widgets'], crds: [],
};

/** The text that is generated for some definitions. */
function textOf(...crds: CustomResourceDefinition[]): string {
  const pins = crds.map(crd => ({ name: crd.metadata.name, version: 'v1', sha256: '' }));
  return generateImports(crds, [{ ...SOURCE, crds: pins }]).get('example.org.ts')!;
}

/** The text for one kind whose spec has some properties. */
function specText(properties: Record<string, OpenApiSchema>, required?: string[]): string {
  return textOf(definition('Widget', { spec: { type: 'object', properties, required } }));
}

describe('what cannot be expressed is an error', () => {
  test('two fields with one TypeScript name', () => {
    expect(() => specText({ sourceLabels: { type: 'string' }, source_labels: { type: 'string' } })).toThrow(
      'Widget.spec: no TypeScript name is left for source_labels');
  });

  test('two types with one name', () => {
    const bar = { type: 'object', properties: { baz: { type: 'object', properties: { a: { type: 'string' } } } } };
    const barBaz = { type: 'object', properties: { b: { type: 'string' } } };
    expect(() => specText({ bar, barBaz })).toThrow('two types of one API group would be called WidgetSpecBarBaz');
  });

  test('types of two kinds with one name', () => {
    const nested = { type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } };
    expect(() => textOf(definition('Widget', { set: nested }), definition('WidgetSet', { spec: nested.properties.spec }))).toThrow(
      'two types of one API group would be called WidgetSet');
  });

  test('a version that is not served', () => {
    const crd = definition('Widget', {});
    expect(() => generateImports([crd], [{ ...SOURCE, crds: [{ name: crd.metadata.name, version: 'v2', sha256: '' }] }])).toThrow('serves no version v2; it has v1');
  });
});

describe('types', () => {
  test('hold no description of upstream', () => {
    const text = specText({
      mode: { type: 'string', description: 'How widgets turn.' },
      box: { type: 'object', description: 'Where they lie.', properties: { a: { type: 'string' } } },
    });
    expect(text).not.toMatch(/widgets turn|they lie/);
    expect(text).toContain('readonly mode?: string;');
  });

  test('objects without known fields take anything', () => {
    const text = specText({ values: { 'x-kubernetes-preserve-unknown-fields': true }, bare: { type: 'object' }, none: { type: 'object', properties: {} } });
    expect(text).toContain('readonly values?: any;');
    expect(text).toContain('readonly bare?: any;');
    expect(text).toContain('readonly none?: any;');
  });

  test('a spec without known fields takes anything', () => {
    expect(textOf(definition('Widget', { spec: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } }))).toContain('readonly spec?: any;');
  });

  test('choices that differ in case only are strings', () => {
    expect(specText({ mode: { type: 'string', enum: ['HEAD', 'head'] } })).toContain('readonly mode?: string;');
  });

  test('choices are enums without the empty one', () => {
    expect(specText({ mode: { type: 'string', enum: ['', 'Once', "It's"] } })).toContain(
      "export enum WidgetSpecMode {\n  /** `Once`. */\n  ONCE = 'Once',\n  /** `It's`. */\n  IT_APOSTROPHE_S = 'It\\'s',\n}");
  });

  test('numbers or strings are quantities when they look like one', () => {
    const text = specText({
      memory: { 'x-kubernetes-int-or-string': true, 'pattern': '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))$' },
      surge: { 'x-kubernetes-int-or-string': true },
      list: { type: 'array', items: { 'x-kubernetes-int-or-string': true } },
    });
    expect(text).toContain('readonly memory?: Quantity;');
    expect(text).toContain('readonly surge?: IntOrString;');
    expect(text).toContain('readonly list?: IntOrString[];');
    expect(text.match(/export class (\w+)/g)).toEqual(['export class Widget', 'export class IntOrString', 'export class Quantity']);
  });

  test('kinds with equal fields share all types but their props', () => {
    const spec = { type: 'object', properties: { size: { type: 'object', properties: { a: { type: 'string' } } } } };
    const text = textOf(definition('RedWidget', { spec }), definition('BlueWidget', { spec }), definition('Gadget', { spec: { type: 'object', properties: { b: { type: 'string' } } } }));
    expect(text.match(/export (?:class|interface) (\w+)/g)!.map((line) => line.split(' ')[2])).toEqual(
      ['BlueWidget', 'BlueWidgetProps', 'RedWidget', 'RedWidgetProps', 'WidgetSpec', 'WidgetSpecSize', 'Gadget', 'GadgetProps', 'GadgetSpec']);
    expect(text).toContain('/** `RedWidget`. */\nexport interface RedWidgetProps {\n  /** API field `metadata`. */\n  readonly metadata?: ApiObjectMetadata;\n  /** API field `spec`. */\n  readonly spec?: WidgetSpec;\n}');
  });

  test('fields with a default are not required', () => {
    const text = specText({ a: { type: 'string', default: 'x' }, b: { type: 'string' } }, ['a', 'b']);
    expect(text).toContain('readonly a?: string;');
    expect(text).toContain('readonly b: string;');
  });

  test('renamed fields are listed below maps, lists and renamed fields', () => {
    const struct = { type: 'object', properties: { podIP: { type: 'string' } } };
    const text = specText({
      map: { type: 'object', additionalProperties: struct },
      list: { type: 'array', items: struct },
      hostURL: struct,
      build: { type: 'string' },
    });
    const names = /names: (\{[^]*?\n {4}\})/.exec(text)![1].replace(/\s+/g, ' ');
    expect(names).toBe("{ spec: { build_: 'build', hostUrl: ['hostURL', { podIp: 'podIP', }], list: { podIp: 'podIP', }, map: { '*': { podIp: 'podIP', }, }, }, }");
  });
});

describe('downloads', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'crds-'));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
    jest.restoreAllMocks();
  });

  test('are kept', async () => {
    const fetching = jest.spyOn(globalThis, 'fetch').mockImplementation(async url => new Response(`text: ${String(url)}`));
    const source = { ...SOURCE, urls: ['https://example.org/a', 'https://example.org/b'] };
    const path = await download(source, join(directory, 'cache'));

    expect(readFileSync(path, 'utf8')).toBe('text: https://example.org/a\n---\ntext: https://example.org/b');
    expect(await download(source, join(directory, 'cache'))).toBe(path);
    expect(fetching).toHaveBeenCalledTimes(2);
  });

  test('are taken out of a Go map', async () => {
    jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('package x\nvar M = map[string]string{\n\t"one": `a: ` + "`" + `b` + "`" + `\n`,\n\t"two-x": `c: 1\n`,\n}\n'));
    const path = await download({ ...SOURCE, format: 'go-string-map' }, directory);
    expect(readFileSync(path, 'utf8')).toBe('a: `b`\n\n---\nc: 1\n');
  });

  test('that fail say how to help and leave nothing', async () => {
    jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('', { status: 404 }));
    await expect(download(SOURCE, join(directory, 'cache'))).rejects.toThrow(
      'https://example.org/widgets cannot be downloaded: the server answered 404. Set CRDS_DIR to a directory that has widgets.yaml, or allow network access.');
    expect(existsSync(join(directory, 'cache'))).toBe(false);
  });

  test('of what upstream does not publish are refused', async () => {
    await expect(download({ ...SOURCE, urls: [], note: 'Nothing is published.' }, directory)).rejects.toThrow('example/widgets v1.0.0: Nothing is published.');
  });
});
