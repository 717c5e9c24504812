import { ExitCode } from '../../../src/cli/command';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** A definition of widgets, with the given fields of their spec. */
function definition(fields: string, { version = 'v1', group = 'example.com', kind = 'Widget', more = '' } = {}): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.${group}}
spec:
  group: ${group}
  scope: Namespaced
  names: {kind: ${kind}, plural: ${kind.toLowerCase()}s}
  versions:
    - name: ${version}
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${fields}}${more}}}}}
`;
}

function widget(spec: string, version = 'v1'): string {
  return `apiVersion: example.com/${version}\nkind: Widget\nmetadata: {name: w, namespace: a}\nspec: {${spec}}\n`;
}

const SIZE = 'size: {type: integer, maximum: 3}';

describe('definitions', () => {
  test('among the manifests are what objects are checked against', async () => {
    workplace.write({ 'dist/crd.yaml': definition(SIZE), 'dist/w.yaml': widget('size: 4, colour: red') });
    const { code, out } = await workplace.run(['validate', '--strict']);

    expect(code).toBe(ExitCode.FINDINGS);
    expect(out).toContain('4  error    TC-ADMIT-FIELD-VALUE  Widget a/w spec.size\n                 4 is too large. Accepted: at most 3.');
    expect(out).toContain('4  error    TC-ADMIT-FIELD-UNKNOWN  Widget a/w spec.colour\n');
    expect(out).toMatch(/\n2 errors in 2 objects\n$/);
  });

  test('of files and folders beside the manifests are used, too', async () => {
    workplace.write({ 'crds/a.yaml': definition('size: {type: string}', { kind: 'Gadget' }), 'w.crd.yaml': definition(SIZE), 'dist/w.yaml': widget('size: 4') });
    const { out } = await workplace.run(['validate', '--crds', 'crds', '--crds', 'w.crd.yaml']);
    expect(out).toMatch(/Widget a\/w spec\.size\n(.*\n)*\n1 error in 1 object\n$/);

    const none = await workplace.run(['validate']);
    expect(none.code).toBe(ExitCode.OK);
    expect(none.out).toContain('not looked at, of kinds that are not known: example.com/v1 Widget; --crds names their definitions\n');
  });

  test('given by option count before those among the manifests', async () => {
    workplace.write({ 'new.yaml': definition('size: {type: integer}'), 'dist/crd.yaml': definition(SIZE), 'dist/w.yaml': widget('size: 4') });
    expect((await workplace.run(['validate', '--crds', 'new.yaml'])).out).toBe('nothing wrong in 2 objects\n');
  });

  test('count before what the library knows of a kind', async () => {
    const kind = { group: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtCluster', version: 'v1beta9' };
    const object = 'apiVersion: infrastructure.cluster.x-k8s.io/v1beta9\nkind: KubevirtCluster\nmetadata: {name: w, namespace: a}\nspec: {size: 3}\n';
    workplace.write({ 'dist/w.yaml': object });
    expect((await workplace.run(['validate'])).out).toContain('"v1beta9" of KubevirtCluster is not served by kubernetes-sigs/cluster-api-provider-kubevirt');

    workplace.write({ 'dist/crd.yaml': definition(SIZE, kind) });
    expect((await workplace.run(['validate'])).out).toBe('nothing wrong in 2 objects\n');
  });

  test('do not replace the kinds of Kubernetes', async () => {
    workplace.write({ 'dist/crd.yaml': definition(SIZE, { group: 'apps', kind: 'Deployment' }), 'dist/w.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w, namespace: a}\nspec: {size: 3}\n' });
    expect((await workplace.run(['validate'])).out).toContain('TC-ADMIT-FIELD-UNKNOWN  Deployment a/w spec.size');
  });

  test('that differ are those of different clusters: one of them is enough', async () => {
    workplace.write({ 'dist/a.yaml': definition('title: {type: string}'), 'dist/b.yaml': definition(SIZE), 'dist/w.yaml': widget('size: 3') });
    expect((await workplace.run(['validate'])).out).toBe('nothing wrong in 3 objects\n');

    workplace.write({ 'dist/w.yaml': widget('size: 4') });
    expect((await workplace.run(['validate'])).out).toContain('error    TC-ADMIT-FIELD-');
  });

  test('say which versions are served', async () => {
    workplace.write({ 'dist/crd.yaml': definition(SIZE), 'dist/w.yaml': widget('size: 4', 'v2') });
    const { out } = await workplace.run(['validate']);
    expect(out).toContain('TC-ADMIT-FIELD-VERSION  Widget a/w apiVersion\n                 "v2" of Widget is not served by the definition widgets.example.com. Accepted: example.com/v1.');
  });

  test('write defaults before values are compared, and drop the status', async () => {
    const versions = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: {a: {type: string, default: x}, b: {type: string}, replicas: {type: integer}}
              anyOf: [{required: [a]}, {required: [b]}]
            status: {type: object, properties: {replicas: {type: integer}}}
`;
    workplace.write({ 'dist/crd.yaml': versions, 'dist/w.yaml': `${widget('')}status: {replicas: many}\n` });
    expect((await workplace.run(['validate'])).out).toBe('nothing wrong in 2 objects\n');

    workplace.write({ 'dist/w.yaml': widget('replicas: -1') });
    expect((await workplace.run(['validate'])).out).toContain('-1 is too small');
  });

  test('limit names of objects', async () => {
    const named = definition(SIZE).replace('properties: {spec', 'properties: {metadata: {type: object, properties: {name: {type: string, maxLength: 3}}}, spec');
    workplace.write({ 'dist/crd.yaml': named, 'dist/w.yaml': widget('').replace('name: w', 'name: wide') });
    expect((await workplace.run(['validate'])).out).toContain('Widget a/wide metadata.name\n                 it has 4 characters. Accepted: at most 3 characters.');
  });

  test('make misspelled kinds of their groups known', async () => {
    workplace.write({ 'dist/crd.yaml': definition(SIZE), 'dist/w.yaml': widget('').replace('Widget', 'Widgt') });
    expect((await workplace.run(['validate'])).out).toContain('TC-ADMIT-KIND');
  });

  test('that servers refuse are named, and not used', async () => {
    workplace.write({ 'crd.yaml': definition('size: {type: text}'), 'dist/w.yaml': widget('size: 4') });
    const { code, out, err } = await workplace.run(['validate', '--crds', 'crd.yaml']);
    expect(code).toBe(ExitCode.OK);
    expect(out).toContain('the fields of 1 object not looked at');
    expect(err).toBe('note: crd.yaml:1: is a definition that API servers refuse, and objects are not checked against it: spec.versions[0].schema.openAPIV3Schema '
      + 'properties.spec.properties.size.type: "text" is no type\n');
    expect((await workplace.run(['validate', '--strict', '--crds', 'crd.yaml'])).out).toContain('API servers refuse the definition of Widget, so that its fields are not looked at: spec.versions[0]');
  });

  test('must be in what the option names', async () => {
    workplace.write({ 'dist/w.yaml': widget('') });
    const { code, err } = await workplace.run(['validate', '--crds', 'dist']);
    expect(code).toBe(ExitCode.FAILED);
    expect(err).toContain('there is no CustomResourceDefinition in dist');
  });
});

describe('definitions of strangers', () => {
  const deep = (levels: number) => `${'{type: object, properties: {a: '.repeat(levels)}{type: string}${'}}'.repeat(levels)}`;
  const junctors = (levels: number): string => (levels === 0 ? '{minLength: 9}' : `{oneOf: [${junctors(levels - 1)}, ${junctors(levels - 1)}]}`);

  test.each([
    ['deep schemas', `size: ${deep(150)}`, 'size: {a: {a: 1}}', 'TC-ADMIT-FIELD-TYPE'],
    ['schemas without end', `size: ${deep(240)}`, 'size: {a: {a: 1}}', 'not looked at'],
    ['alternatives in alternatives', `size: {type: string, allOf: [${junctors(7)}]}`, 'size: a', 'TC-ADMIT-FIELD-VALUE'],
    ['patterns that take long', 'size: {type: string, pattern: "^(a+)+$"}', `size: ${'a'.repeat(50_000)}b`, 'TC-ADMIT-FIELD-VALUE'],
    ['patterns that are large', 'size: {type: string, pattern: "(((a{1,90}){1,90}){1,90}){1,90}"}', 'size: b', 'nothing wrong'],
    ['many choices', `size: {type: array, items: {type: string, enum: [${Array.from({ length: 5000 }, (_, index) => `a${index}`).join()}]}}`, `size: [${'b, '.repeat(5000)}]`, 'TC-ADMIT-FIELD-VALUE'],
    ['names that mean something', '__proto__: {type: string}, constructor: {type: integer}', 'constructor: a, __proto__: 1', 'spec.constructor'],
  ])('cannot hold it up: %s', async (_name, fields, spec, words) => {
    workplace.write({ 'dist/crd.yaml': definition(fields), 'dist/w.yaml': widget(spec) });
    const { out, err } = await workplace.run(['validate']);
    expect(out + err).toContain(words);
  });
});
