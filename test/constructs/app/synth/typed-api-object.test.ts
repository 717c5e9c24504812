import { ApiObject, App, Chart, JsonPatch, Lazy, Yaml } from 'cdk8s';
import { writtenManifest } from '../../../../src/constructs/app/synth/synthesis';
import { TypedApiObject } from '../../../../src/constructs/app/synth/typed-api-object';

type Props = ConstructorParameters<typeof ApiObject>[2];

function sampleObject(props: object, app = new App()): ApiObject {
  return new ApiObject(new Chart(app, 'chart', { namespace: 'around', labels: { chart: 'yes' } }), 'object', {
    apiVersion: 'example.com/v1', kind: 'Sample', ...props,
  } as Props);
}

test.each([undefined, '1'])('objects of other classes are written as cdk8s writes them, sorted or not (CDK8S_DISABLE_SORT=%s)', (disabled) => {
  process.env.CDK8S_DISABLE_SORT = disabled ?? '';
  try {
    const patched = sampleObject({ spec: { b: 1, a: Lazy.any({ produce: () => 2 }), c: null } });
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

function objectWith(metadata: ApiObject['metadata'] | object): ApiObject {
  const chart = new Chart(new App(), 'chart', { namespace: 'tenants', labels: { team: 'red' } });
  return new TypedApiObject(chart, 'object', { apiVersion: 'v1', kind: 'ConfigMap' }, { metadata });
}

describe('The metadata of an object', () => {
  const labels = { zone: 'a', app: Lazy.any({ produce: () => 'web' }) };

  it.each([
    ['a name', { name: 'settings' }],
    ['labels, some of them tokens', { name: 'settings', labels }],
    ['finalizers and owners', { finalizers: ['example.com/cleanup'], ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'b8f1' }] }],
    ['empty fields', { annotations: {}, labels: {}, finalizers: [], managedFields: [], deletionGracePeriodSeconds: null }],
    ['fields that cdk8s has no methods for', { generateName: 'settings-', zeta: { b: [{ d: 1, c: {} }], a: undefined } }],
  ])('with %s are those that cdk8s writes', (_, metadata) => {
    const object = objectWith(metadata);
    expect(JSON.stringify(object.toJson().metadata)).toBe(JSON.stringify(object.metadata.toJson()));
  });

  it('include what is added to them', () => {
    const object = objectWith({ name: 'settings' });
    object.metadata.addLabel('tier', 'front');
    object.metadata.addAnnotation('example.com/note', 'kept');
    object.metadata.addFinalizers('example.com/cleanup');
    object.metadata.add('generation', 2);
    expect(JSON.stringify(object.toJson().metadata)).toBe(JSON.stringify(object.metadata.toJson()));
    expect(object.toJson().metadata).toMatchObject({ labels: { tier: 'front', team: 'red' }, generation: 2 });
  });

  it('are asked of cdk8s where it keeps them elsewhere', () => {
    const object = objectWith({ name: 'settings' });
    Object.assign(object, { metadata: { toJson: () => ({ name: 'asked' }) } });
    expect(object.toJson().metadata).toEqual({ name: 'asked' });
  });
});
