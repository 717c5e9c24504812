import { ExitCode } from '../../../src/cli/command';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** A definition of widgets, with the schema of their spec. */
function definition(spec: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
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
      schema: {openAPIV3Schema: {type: object, properties: {spec: ${spec}}}}
`;
}

function widget(spec: string): string {
  return `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: a}\nspec: ${spec}\n`;
}

async function validated(schema: string, spec: string, before?: string): Promise<string> {
  workplace.write({ 'new/crd.yaml': definition(schema), 'new/w.yaml': widget(spec) });
  if (before !== undefined) workplace.write({ 'old/crd.yaml': definition(schema), 'old/w.yaml': widget(before) });
  const { out, err } = await workplace.run(['validate', ...before === undefined ? [] : ['--against', 'old'], 'new']);
  return out + err;
}

const RULE = 'TC-ADMIT-FIELD-RULE  Widget a/w';
const CHANGE = 'TC-CHANGE-FIELD-RULE  Widget a/w';
const BOUNDED = '{type: object, properties: {a: {type: integer, default: 5}, b: {type: integer}}, x-kubernetes-validations: [{rule: self.a <= self.b, message: b is less than a}]}';
const KEPT = '{type: object, properties: {a: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: a is immutable}]}, b: {type: string}}}';

describe('rules in CEL of definitions', () => {
  test('are evaluated with defaults', async () => {
    expect(await validated(BOUNDED, '{b: 4}')).toContain(`${RULE} spec\n                 it breaks a rule of the definition widgets.example.com: b is less than a.`);
    expect(await validated(BOUNDED, '{b: 5}')).toBe('nothing wrong in 2 objects\n');
  });

  test('are left out of objects with other faults', async () => {
    expect(await validated(BOUNDED, '{b: 4, c: 1}')).not.toContain(RULE);
  });

  test.each<[name: string, schema: string, spec: string, words: string]>([
    ['a message of its own', '{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: self < 3, messageExpression: \'"at most 3, not " + string(self)\'}]}}}', '{a: 4}', 'at most 3, not 4'],
    ['another field', '{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: self.a < 3, fieldPath: .a}]}', '{a: 4}', `${RULE} spec.a\n`],
    ['an entry of a list', '{type: object, properties: {a: {type: array, items: {type: string, x-kubernetes-validations: [{rule: self != "b"}]}}}}', '{a: [a, b]}', `${RULE} spec.a[1]\n`],
    ['a value of a map', '{type: object, additionalProperties: {type: string, x-kubernetes-validations: [{rule: self != "b"}]}}', '{k-1: b}', `${RULE} spec.k-1\n`],
    ['a missing field', '{type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: self.a == self.b}]}', '{a: a}', 'No such key: b'],
    ['patterns of Go', '{type: object, properties: {a: {type: string, x-kubernetes-validations: [{rule: \'self.matches("(?i)^x+$")\'}]}}}', '{a: z}', RULE],
    ['patterns that take long elsewhere', '{type: object, properties: {a: {type: string, x-kubernetes-validations: [{rule: \'self.matches("^(a+)+$")\'}]}}}', `{a: ${'a'.repeat(5000)}b}`, RULE],
    ['durations', '{type: object, properties: {a: {type: string, format: duration, x-kubernetes-validations: [{rule: \'self < duration("1h")\'}]}}}', '{a: 90m}', RULE],
    ['names that are no identifiers', '{type: object, properties: {a-b: {type: string}, in: {type: string}}, x-kubernetes-validations: [{rule: self.a__dash__b == self.__in__}]}', '{a-b: x, in: z}', RULE],
    ['functions that only servers have', '{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: "semver(self.a).major() == 1"}]}', '{a: 2.0.0}', 'only a server judges'],
  ])('see %s', async (_name, schema, spec, words) => {
    expect(await validated(schema, spec)).toContain(words);
  });

  test('that compare with the former value wait for one', async () => {
    expect(await validated(KEPT, '{a: x}')).toBe('nothing wrong in 2 objects\n');
    expect(await validated(KEPT, '{a: z}', '{a: x}')).toContain(`${CHANGE} spec.a\n                 it breaks a rule of the definition widgets.example.com: a is immutable.`);
    expect(await validated(KEPT, '{a: x, b: z}', '{a: x}')).toBe('nothing wrong in 2 objects\n');
    expect(await validated(KEPT, '{a: x}', '{b: x}')).toBe('nothing wrong in 2 objects\n');
  });

  test('find the former entry by its keys', async () => {
    const list = (type: string) => `{type: object, properties: {a: {type: array, ${type}, items: {type: object, required: [k], properties: {k: {type: string}, v: {type: string, x-kubernetes-validations: [{rule: self == oldSelf}]}}}}}}`;
    const keyed = list('x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k]');
    expect(await validated(keyed, '{a: [{k: 2, v: b}, {k: 1, v: c}]}'.replace(/\d/g, '"$&"'), '{a: [{k: "1", v: a}, {k: "2", v: b}]}')).toContain(`${CHANGE} spec.a[1].v`);
    expect(await validated(keyed, '{a: [{k: "2", v: b}, {k: "1", v: a}]}', '{a: [{k: "1", v: a}, {k: "2", v: b}]}')).toBe('nothing wrong in 2 objects\n');
  });

  test('do not count the order of sets and of lists with keys', async () => {
    const schema = '{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: string}, x-kubernetes-validations: [{rule: self == oldSelf}]}}}';
    expect(await validated(schema, '{a: [c, b]}', '{a: [b, c]}')).toBe('nothing wrong in 2 objects\n');
    expect(await validated(schema, '{a: [c, d]}', '{a: [b, c]}')).toContain(`${CHANGE} spec.a\n`);
  });

  test('compare fields that they do not see', async () => {
    const schema = '{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {v: {x-kubernetes-preserve-unknown-fields: true}}, x-kubernetes-validations: [{rule: self == oldSelf}]}';
    expect(await validated(schema, '{a: 1, v: {b: 1}}', '{v: {b: 1}, a: 1}')).toBe('nothing wrong in 2 objects\n');
    expect(await validated(schema, '{a: 2, v: {b: 1}}', '{v: {b: 1}, a: 1}')).toContain(`${CHANGE} spec\n`);
    expect(await validated(schema, '{a: 1, v: {b: 2}}', '{v: {b: 1}, a: 1}')).toContain(`${CHANGE} spec\n`);
  });

  test('count null as unset', async () => {
    const schema = '{type: object, properties: {a: {type: string, nullable: true}}, x-kubernetes-validations: [{rule: "!has(self.a)"}]}';
    expect(await validated(schema, '{a: null}')).toBe('nothing wrong in 2 objects\n');
  });

  test('say once what a rule of the library says', async () => {
    const template = (plan: string) => `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: AWSMachineTemplate\nmetadata: {name: w, namespace: a}\nspec: {template: {spec: {instanceType: ${plan}}}}\n`;
    const own = definition('{type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: self == oldSelf}]}')
      .replaceAll('widgets', 'awsmachinetemplates').replaceAll('Widget', 'AWSMachineTemplate').replaceAll('example.com', 'infrastructure.cluster.x-k8s.io').replace('name: v1\n', 'name: v1beta1\n');
    workplace.write({ 'old/w.yaml': template('m5.large'), 'new/w.yaml': template('m5.xlarge'), 'crd.yaml': own });
    const { out } = await workplace.run(['validate', '--crds', 'crd.yaml', '--against', 'old', 'new']);
    expect(out).toContain('TC-CHANGE-AWS-FIELD');
    expect(out).not.toContain(CHANGE.replace('Widget', 'AWSMachineTemplate'));
  });

  test('of values with variables are not judged', async () => {
    expect(await validated('{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [{rule: self.a == "b"}]}', '{a: "${NAME}"}')).not.toContain(RULE);
  });

  test('cannot hold it up', async () => {
    const many = `[${Array.from({ length: 3000 }, (_, index) => index).join(', ')}]`;
    const schema = '{type: object, properties: {a: {type: array, items: {type: integer}}}, x-kubernetes-validations: [{rule: "self.a.all(x, self.a.all(y, self.a.all(z, x + y + z >= 0)))"}]}';
    expect(await validated(schema, `{a: ${many}}`)).toContain('only a server judges (it takes too long)');
  });

  test('refuse the change in a plan', async () => {
    await validated(KEPT, '{a: z}', '{a: x}');
    const { code, out } = await workplace.run(['plan', 'old', 'new']);
    expect(code).toBe(ExitCode.OK);
    expect(out).toContain('a is immutable');

    const own = await workplace.run(['plan', '--crds', 'old/crd.yaml', 'old/w.yaml', 'new/w.yaml']);
    expect(own.out).toMatch(/^BLOCKED/);

    workplace.write({ 'new/w.yaml': widget('{a: x}').replace('example.com/v1', 'example.com/v2') });
    expect((await workplace.run(['plan', 'old', 'new'])).out).toMatch(/^BLOCKED/);
  });
});
