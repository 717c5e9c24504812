import { ApiObject, App, Chart, JsonPatch, Lazy, Yaml } from 'cdk8s';
import { TypedApiObject } from '../../../../src/constructs/app/synth/typed-api-object';
import { writtenManifest } from '../../../../src/constructs/app/synth/written-manifest';

type Props = ConstructorParameters<typeof ApiObject>[2];

function object(props: object, app = new App()): ApiObject {
  return new ApiObject(new Chart(app, 'chart', { namespace: 'around', labels: { chart: 'yes' } }), 'object', {
    apiVersion: 'example.com/v1', kind: 'Sample', ...props,
  } as Props);
}

test.each([undefined, '1'])('objects of other classes are written as cdk8s writes them, sorted or not (CDK8S_DISABLE_SORT=%s)', (disabled) => {
  process.env.CDK8S_DISABLE_SORT = disabled ?? '';
  try {
    const patched = object({ spec: { b: 1, a: Lazy.any({ produce: () => 2 }), c: null } });
    patched.addJsonPatch(JsonPatch.add('/spec/aa', 3));
    expect(JSON.stringify(writtenManifest(patched))).toBe(JSON.stringify(patched.toJson()));
    expect(JSON.stringify(writtenManifest(patched))).toContain(disabled ? '{"b":1,"a":2,"aa":3}' : '{"a":2,"b":1,"aa":3}');
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
