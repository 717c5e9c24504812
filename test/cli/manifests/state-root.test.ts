import * as fs from 'node:fs';
import * as path from 'node:path';
import { stateRoot } from '../../../src/cli/manifests/state-root';
import { placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { readLandscape } from '../../../src/manifests/landscape/read-landscape';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => {
  workplace = new Workplace();
  workplace.write({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': '', 'site/a.yaml': '' });
  for (const folder of ['objects', 'refs']) fs.mkdirSync(path.join(workplace.folder, '.git', folder));
});
afterEach(() => workplace.remove());

test('the root of a state has a place in its work tree', () => {
  const cwd = path.join(workplace.folder, 'site');
  expect(stateRoot(['.'], { cwd })).toEqual({ root: '.', within: 'site' });
  expect(stateRoot(['site'], { cwd: workplace.folder })).toEqual({ root: 'site', within: 'site' });
  expect(stateRoot(['-'], { cwd })).toEqual({ root: '-' });
  expect(stateRoot(['a.yaml', '.'], { cwd })).toEqual({});
});

test('a Kustomization names its folder from the top of the work tree', () => {
  const cwd = path.join(workplace.folder, 'site');
  const flux = 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: edge, namespace: flux-system}\nspec: {path: ./site/inner}\n';
  const cluster = 'apiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: edge, namespace: site}\nspec: {}\n';
  const state = placedObjects([{ file: 'flux.yaml', bytes: Buffer.from(flux) }, { file: 'inner/edge.yaml', bytes: Buffer.from(cluster) }]);
  const contents = (root: ReturnType<typeof stateRoot>) => (
    readLandscape({ ...state, ...root }).clusters.flatMap(({ entries }) => entries.map((entry) => [entry.name, ...entry.contents.keys()])));
  expect(contents(stateRoot(['.'], { cwd }))).toEqual([['edge', 'Cluster']]);
  expect(contents({ root: '.' })).toEqual([]);
});
