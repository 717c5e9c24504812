import { groupKind } from '../../../src/manifests/objects/manifest-object';

test.each<[unknown, unknown, string]>([
  ['v1', 'Pod', '/Pod'],
  ['apps/v1', 'Pod', 'apps/Pod'],
  ['/v1', 'Pod', '/Pod'],
  ['apps/v1', 'constructor', 'apps/constructor'],
  ['apps/v1/x', 'Deployment', 'apps/Deployment'],
  [undefined, undefined, '/undefined'],
  [7, ['Pod'], '/Pod'],
])('group and kind of %j and %j are %s, each time', (apiVersion, kind, expected) => {
  expect([1, 2].map(() => groupKind({ apiVersion, kind }))).toEqual([expected, expected]);
});

test('more kinds than are memoized still have texts of their own', () => {
  const kinds = Array.from({ length: 1500 }, (_, number) => ({ apiVersion: `g${number % 1200}.io/v1`, kind: `K${number}` }));
  for (const _round of [1, 2]) expect(kinds.map(groupKind)).toEqual(kinds.map(({ kind }, number) => `g${number % 1200}.io/${kind}`));
});
