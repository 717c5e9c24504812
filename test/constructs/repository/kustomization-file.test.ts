import * as fc from 'fast-check';
import { kustomizationFiles } from '../../../src/constructs/repository/kustomization-file';

function listed(...args: Parameters<typeof kustomizationFiles>): { [file: string]: string[] } {
  return Object.fromEntries([...kustomizationFiles(...args)].map(([file, { resources }]) => [file, resources]));
}

test('each folder lists its files and the folders below it, in order', () => {
  expect(listed('clusters/a/b', ['clusters/a/b/pools/x.yaml', 'clusters/a/b/cluster.yaml', 'clusters/a/b/pools/c.yaml'])).toEqual({
    'clusters/a/b/kustomization.yaml': ['cluster.yaml', 'pools'],
    'clusters/a/b/pools/kustomization.yaml': ['c.yaml', 'x.yaml'],
  });
});

test('a folder that is applied by itself is not listed above, and has its own list', () => {
  expect(listed('a', ['a/cluster.yaml', 'a/addons/cilium.yaml'], ['a/addons'])).toEqual({
    'a/kustomization.yaml': ['cluster.yaml'],
    'a/addons/kustomization.yaml': ['cilium.yaml'],
  });
});

test('a folder without files has a list all the same: kustomize would take none for an error', () => {
  expect(listed('a', [])).toEqual({ 'a/kustomization.yaml': [] });
});

test('following the lists from the top finds every file once', () => {
  const segment = fc.constantFrom('a', 'b', 'c');
  const file = fc.array(segment, { minLength: 1, maxLength: 4 }).map((path) => `top/${path.map((id) => `${id}.d`).join('/')}/${path[0]}.yaml`);
  fc.assert(fc.property(fc.uniqueArray(file, { maxLength: 20 }), (files) => {
    const lists = listed('top', files);
    const follow = (folder: string): string[] => lists[`${folder}/kustomization.yaml`].flatMap((entry) => (
      `${folder}/${entry}/kustomization.yaml` in lists ? follow(`${folder}/${entry}`) : [`${folder}/${entry}`]));
    expect(follow('top').sort()).toEqual([...files].sort());
  }));
});
