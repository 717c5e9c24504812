import { ApiObject, App, Chart, Lazy } from 'cdk8s';
import { TypedApiObject } from '../../../../src/constructs/app/synth/typed-api-object';

const KIND = { apiVersion: 'v1', kind: 'ConfigMap' };

function typedObject(metadata: ApiObject['metadata'] | object): ApiObject {
  const chart = new Chart(new App(), 'chart', { namespace: 'tenants', labels: { team: 'red' } });
  return new TypedApiObject(chart, 'object', KIND, { metadata });
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
    const object = typedObject(metadata);
    expect(JSON.stringify(object.toJson().metadata)).toBe(JSON.stringify(object.metadata.toJson()));
  });

  it('include what is added to them', () => {
    const object = typedObject({ name: 'settings' });
    object.metadata.addLabel('tier', 'front');
    object.metadata.addAnnotation('example.com/note', 'kept');
    object.metadata.addFinalizers('example.com/cleanup');
    object.metadata.add('generation', 2);
    expect(JSON.stringify(object.toJson().metadata)).toBe(JSON.stringify(object.metadata.toJson()));
    expect(object.toJson().metadata).toMatchObject({ labels: { tier: 'front', team: 'red' }, generation: 2 });
  });

  it('are asked of cdk8s where it keeps them elsewhere', () => {
    const object = typedObject({ name: 'settings' });
    Object.assign(object, { metadata: { toJson: () => ({ name: 'asked' }) } });
    expect(object.toJson().metadata).toEqual({ name: 'asked' });
  });
});
