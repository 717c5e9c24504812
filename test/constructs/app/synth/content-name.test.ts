import { Chart, JsonPatch, Lazy, Testing } from 'cdk8s';
import * as fc from 'fast-check';
import { contentName, nameByContent } from '../../../../src/constructs/app/synth/content-name';
import { TypedApiObject } from '../../../../src/constructs/app/synth/typed-api-object';

const KIND = { apiVersion: 'example.com/v1', kind: 'Template' };

function template(spec: object, metadata: object = {}): TypedApiObject {
  const chart = new Chart(Testing.app(), 'chart');
  const object = new TypedApiObject(chart, 'template', KIND, { metadata, spec });
  nameByContent(object, 'acme-general');
  return object;
}

test('the name is pinned: a change of the algorithm would replace every machine', () => {
  expect(template({ cores: 4, disks: [{ name: 'root' }] }).name).toBe('acme-general-eca616dd');
  expect(contentName('acme-general', {})).toBe('acme-general-44136fa3');
});

test('object, metadata and manifest agree on the name', () => {
  const object = template({ cores: 4 });

  expect([object.metadata.name, object.toJson().metadata.name]).toEqual([object.name, object.name]);
});

test('a patch that changes the spec changes the name', () => {
  const object = template({ cores: 4 });
  const before = object.name;
  object.addJsonPatch(JsonPatch.replace('/spec/cores', 8));

  expect(object.name).not.toBe(before);
  expect(object.name).toBe(template({ cores: 8 }).name);
  expect(object.toJson().metadata.name).toBe(object.name);
});

test('labels, annotations and patches of them do not change the name', () => {
  const plain = template({ cores: 4 });
  const labelled = template({ cores: 4 }, { labels: { a: 'b' } });
  labelled.metadata.addAnnotation('c', 'd');
  labelled.addJsonPatch(JsonPatch.add('/metadata/labels/e', 'f'));

  expect(labelled.name).toBe(plain.name);
});

test('what a Lazy produces counts', () => {
  expect(template({ cores: Lazy.any({ produce: () => 4 }) }).name).toBe(template({ cores: 4 }).name);
});

test('undefined fields do not count, empty lists do', () => {
  expect(template({ cores: 4, model: undefined }).name).toBe(template({ cores: 4 }).name);
  expect(template({ cores: 4, disks: [] }).name).not.toBe(template({ cores: 4 }).name);
});

test('the order of keys does not matter, the order of lists does', () => {
  const json = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 });
  fc.assert(fc.property(json, (spec) => {
    const reversed = Object.fromEntries(Object.entries(spec).reverse());
    expect(contentName('p', { spec, list: [1, 2] })).toBe(contentName('p', { list: [1, 2], spec: reversed }));
    expect(contentName('p', { spec, list: [1, 2] })).not.toBe(contentName('p', { spec, list: [2, 1] }));
  }));
});

test('a long prefix is cut so that the name stays a DNS label', () => {
  const name = contentName('a'.repeat(80), { cores: 4 });

  expect(name).toMatch(/^[a-z0-9-]{1,63}$/);
  expect(name.endsWith(contentName('', { cores: 4 }).slice(-8))).toBe(true);
});
