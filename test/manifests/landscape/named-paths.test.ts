import { namedPaths } from '../../../src/manifests/landscape/named-paths';

const stateOf = (text: string) => ({
  objects: [{ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { text } }, place: { file: 'a.yaml', document: 0 } }],
}) as unknown as Parameters<typeof namedPaths>[0];

test('paths are found in texts, alone or after the name of a field for paths', () => {
  expect([...namedPaths(stateOf('see deploy/app, path: [ shop ], and /srv/x'))]).toEqual(expect.arrayContaining(['deploy/app', 'shop', 'srv/x']));
});

test.each([
  ['a long word', `/ ${'a'.repeat(300_000)} deploy/app`],
  ['many blanks after the name of a field', `path=${' '.repeat(300_000)}! deploy/app`],
])('%s does not hold it up', (_, text) => {
  expect([...namedPaths(stateOf(text))]).toContain('deploy/app');
});
