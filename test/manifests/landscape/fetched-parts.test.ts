import { withoutFetched, withSelectingPatches } from '../../../src/manifests/landscape/fetched-parts';

const files = (contents: Readonly<Record<string, string>>) => (
  new Map(Object.entries(contents).map(([file, text]) => [file, { bytes: Buffer.from(text) }])));

test('charts and addresses are apart, with values and what changes them', () => {
  const kustomization = {
    resources: ['a.yaml', 'https://example.com/x.yaml'],
    images: [{ name: 'a', newTag: '1' }],
    helmCharts: [{ name: 'x', version: '1.0.0', valuesFile: 'values.yaml' }],
    helmGlobals: { chartHome: 'charts' },
  };
  expect(withoutFetched('apps', kustomization, files({ 'apps/values.yaml': 'a: 1' }))).toEqual({
    local: { resources: ['a.yaml'], images: kustomization.images },
    fetched: {
      images: kustomization.images,
      resources: ['https://example.com/x.yaml'],
      helmCharts: [{ name: 'x', version: '1.0.0', valuesFile: 'values.yaml', values: [{ a: 1 }] }],
    },
    files: ['apps/values.yaml'],
  });
  expect(withoutFetched('apps', { helmCharts: [{ name: 'x' }] }, new Map())).toMatchObject({ local: { resources: [] } });
  expect(withoutFetched('apps', { resources: ['a.yaml'], components: ['../b'] }, new Map())).toBeUndefined();
});

test('patches select the objects that they name, each document for itself', () => {
  const patch = (kind: string, name: string) => ({ apiVersion: 'apps/v1', kind, metadata: { name } });
  const text = [patch('Deployment', 'a'), patch('DaemonSet', 'b')].map((one) => JSON.stringify(one)).join('\n---\n');
  const selecting = withSelectingPatches('apps', { patches: [{ path: 'p.yaml', options: { allowNameChange: true } }], patchesStrategicMerge: ['q.yaml'] }, files({
    'apps/p.yaml': text, 'apps/q.yaml': JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'c.d', namespace: 'e' } }),
  }));
  expect(selecting).toEqual({
    patches: [
      ...[patch('Deployment', 'a'), patch('DaemonSet', 'b')].map((one) => (
        { options: { allowNameChange: true }, patch: JSON.stringify(one), target: { group: 'apps', kind: one.kind, name: one.metadata.name } })),
      // Fields of a target are regular expressions, and an empty one is for all groups.
      { patch: expect.stringContaining('"c.d"'), target: { group: '^$', kind: 'Service', name: 'c\\.d', namespace: 'e' } },
    ],
  });
  const selected = { patches: [{ path: 'p.yaml', target: { kind: 'Deployment' } }, { path: 'missing.yaml' }, { path: 5 }, { patch: '{"kind": 5, "metadata": {"name": "a"}}' }] };
  expect(withSelectingPatches('apps', selected, files({ 'apps/p.yaml': text }))).toEqual(selected);
});

test('values of other types are left as they are', () => {
  for (const value of [5, 'a', null, [null, 5, [], {}], { a: 1 }]) {
    const kustomization = { resources: value, bases: value, helmCharts: value, patches: value, patchesStrategicMerge: value };
    expect(() => withoutFetched('apps', kustomization, new Map())).not.toThrow();
    expect(() => withSelectingPatches('apps', kustomization, new Map())).not.toThrow();
  }
  const odd = { helmCharts: [{ name: 5, valuesFile: 5, additionalValuesFiles: [null, '../../outside.yaml'] }] };
  expect(withoutFetched('apps', odd, files({ 'outside.yaml': 'a: 1' }))?.files).toEqual([]);
});
