import { ApiObject, App, Chart, JsonPatch, Lazy, Yaml } from 'cdk8s';
import * as fc from 'fast-check';
import { plainManifest } from '../../src/synth/plain-manifest';
import { TypedApiObject } from '../../src/synth/typed-api-object';
import { writtenManifest } from '../../src/synth/written-manifest';

type Props = ConstructorParameters<typeof ApiObject>[2];

function object(props: object, app = new App()): ApiObject {
  return new ApiObject(new Chart(app, 'chart', { namespace: 'around', labels: { chart: 'yes' } }), 'object', {
    apiVersion: 'example.com/v1', kind: 'Sample', ...props,
  } as Props);
}

/** Plain data, with what gets lost when it is written, in any order. */
const DATA = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' }, fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null), fc.constant(undefined),
    fc.array(tie('value').filter((value) => value !== undefined && value !== null), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('b', 'a', '10', '9', 'toString')), tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value;

const TEXTS = fc.dictionary(fc.string(), fc.string(), { noNullPrototype: true });

const METADATA = fc.record({
  name: fc.constant('name'),
  labels: TEXTS,
  annotations: TEXTS,
  finalizers: fc.array(fc.string()),
  ownerReferences: fc.array(TEXTS),
  odd: DATA,
  toString: fc.string(),
}, { requiredKeys: ['name'] });

test('what is plain is written byte for byte as cdk8s writes it', () => {
  let plain = 0;
  fc.assert(fc.property(fc.dictionary(fc.constantFrom('spec', 'data', 'zone', '1'), DATA, { noNullPrototype: true }), METADATA, (fields, metadata) => {
    const one = object({ ...fields, metadata });
    const manifest = plainManifest(one);
    if (manifest === undefined) return;
    plain++;
    expect(JSON.stringify(manifest)).toBe(JSON.stringify(one.toJson()));
  }), { numRuns: 1000 });
  expect(plain).toBeGreaterThan(300);
});

test.each<readonly [string, (app: App) => ApiObject]>([
  ['a token', () => object({ spec: { field: Lazy.any({ produce: () => 1 }) } })],
  ['a token of another class', () => object({ spec: { field: { resolve: () => 1 } } })],
  ['an object of a class', () => object({ spec: { time: new Date(0) } })],
  ['a gap in a list', () => object({ spec: { list: [1, null, undefined] } })],
  ['a number that JSON has not', () => object({ spec: { number: NaN } })],
  ['minus zero', () => object({ spec: { number: -0 } })],
  ['a field that maps have by themselves', () => object({ spec: JSON.parse('{"__proto__":{"a":1}}') })],
  ['a field called constructor', () => object({ spec: { constructor: 'a' } })],
  ['items, which are told apart by identity', () => object({ items: [] })],
  ['a patch', () => {
    const patched = object({ spec: { a: 1 } });
    patched.addJsonPatch(JsonPatch.replace('/spec/a', 2));
    return patched;
  }],
  ['a token in the metadata', () => object({ metadata: { name: 'name', annotations: { a: Lazy.any({ produce: () => 'b' }) } } })],
  ['a resolver of the app', () => object({ spec: { a: 1 } }, new App({ resolvers: [{ resolve: (context) => { if (context.value === 1) context.replaceValue(2); } }] }))],
])('%s is left to cdk8s', (_, make) => {
  const one = make(new App());
  expect(plainManifest(one)).toBeUndefined();
});

test('nothing is sorted where cdk8s sorts nothing', () => {
  process.env.CDK8S_DISABLE_SORT = '1';
  try {
    const one = object({ spec: { b: 1, a: 2 } });
    expect(JSON.stringify(writtenManifest(one))).toBe(JSON.stringify(one.toJson()));
    expect(JSON.stringify(one.toJson())).toContain('{"b":1,"a":2}');
  } finally {
    delete process.env.CDK8S_DISABLE_SORT;
  }
});

test('a class that writes itself is asked', () => {
  class Own extends ApiObject {
    public override toJson(): unknown {
      return { ...super.toJson() as object, own: true };
    }
  }
  const own = new Own(new Chart(new App(), 'chart'), 'object', { apiVersion: 'v1', kind: 'Own' });
  expect(writtenManifest(own)).toMatchObject({ own: true });
});

test('what somebody does to a manifest that he got changes no other', () => {
  const typed = new TypedApiObject(new Chart(new App(), 'chart'), 'object', { apiVersion: 'v1', kind: 'Kind' }, { spec: { list: [{ a: 1 }], map: { b: 2 } } });
  const before = JSON.stringify(typed.toJson());
  const got = typed.toJson() as { spec: { list: { a: number }[]; map: { b: number } } };
  got.spec.list[0].a = 3;
  got.spec.map.b = 4;
  expect(JSON.stringify(typed.toJson())).toBe(before);
  expect(JSON.stringify(writtenManifest(typed))).toBe(before);
});

test('what an object holds twice is written twice', () => {
  const shared = { a: [1] };
  const props = { spec: { one: shared, two: shared } };
  const typed = new TypedApiObject(new Chart(new App(), 'chart'), 'object', { apiVersion: 'v1', kind: 'Kind' }, props);
  expect(Yaml.stringify(typed.toJson())).not.toMatch(/[&*]a1/);
});

test('what is written without a need to copy is not copied', () => {
  const typed = new TypedApiObject(new Chart(new App(), 'chart'), 'object', { apiVersion: 'v1', kind: 'Kind' }, {
    spec: { z: { b: [1, { y: 1, x: undefined }], a: 1 }, later: Lazy.any({ produce: () => 'now' }) },
  });
  const [one, other] = [writtenManifest(typed), writtenManifest(typed)] as { spec: { z: object; later: string } }[];
  expect(one.spec).toEqual({ later: 'now', z: { a: 1, b: [1, { y: 1 }] } });
  expect(one.spec.z).toBe(other.spec.z);
});
