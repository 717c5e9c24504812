import { imagesIn, isExact } from './images';
import { everyOutput, findings, PlacedObject } from './placed-objects';

const outputs = everyOutput();

function inexact({ object }: PlacedObject): string[] {
  return imagesIn(object).filter(({ image }) => !isExact(image)).map(({ path, image }) => `${path}: ${image} is no exact version`);
}

test('every image has an exact version', () => {
  expect(findings(outputs, inexact)).toEqual([]);
});

test('images are found', () => {
  const images = new Set(outputs.flatMap(([, objects]) => objects.flatMap(({ object }) => imagesIn(object).map(({ image }) => image))));
  expect([...images]).toEqual(expect.arrayContaining([
    expect.stringMatching(/cluster-autoscaler:v/), expect.stringMatching(/proxy-server:v/), expect.stringMatching(/^docker:\/\//), expect.stringMatching(/shop\/web:/),
  ]));
});

test.each<[string, object, string[]]>([
  ['latest', { spec: { containers: [{ image: 'registry.example.com/a:latest' }] } }, ['registry.example.com/a:latest']],
  ['no tag, and a registry with a port', { image: 'registry.example.com:5000/a' }, ['registry.example.com:5000/a']],
  ['a branch', { containerDisk: { image: 'quay.io/a:main' } }, ['quay.io/a:main']],
  ['a name without a number', { image: 'a:release' }, ['a:release']],
  ['a source of a disk', { registry: { url: 'docker://quay.io/a' } }, ['docker://quay.io/a']],
  ['an image and a version beside it', { image: 'a', version: 'latest' }, ['a:latest']],
  ['values of a chart', { values: { image: { repository: 'a', tag: 'latest' } } }, ['a:latest']],
  ['a template of values', { valuesTemplate: 'image:\n  repository: a\n  tag: edge\n' }, ['a:edge']],
  ['a short digest', { image: 'a@sha256:abc' }, ['a@sha256:abc']],
  ['a version', { image: 'registry.example.com:5000/a:v1.2.3' }, []],
  ['a digest', { image: `a@sha256:${'0'.repeat(64)}` }, []],
  ['an image in a registry with a port, and its version', { image: 'registry.example.com:5000/a', version: 'v0.34.0' }, []],
  ['an image and its version', { image: 'registry.k8s.io/a', version: 'v0.34.0' }, []],
  ['a chart\'s own image in another place', { values: { image: { repository: 'mirror.example.com/a' } } }, []],
])('%s', (_what, object, refused) => {
  expect(imagesIn(object).map(({ image }) => image).filter((image) => !isExact(image))).toEqual(refused);
});
