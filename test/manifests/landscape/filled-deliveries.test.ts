import { filledDeliveries } from '../../../src/manifests/landscape/filled-deliveries';
import { placedObjects } from '../../../src/manifests/landscape/placed-objects';

const kustomization = (name: string, path: string, substitute?: object) => JSON.stringify({
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name, namespace: 'flux-system' },
  spec: { path, prune: true, sourceRef: { kind: 'GitRepository', name: 'flux-system' }, ...(substitute && { postBuild: { substitute } }) },
});

/** The paths of deliveries, as others fill them in. */
function pathsIn(files: Readonly<Record<string, string>>): unknown[] {
  const read = placedObjects(Object.entries(files).map(([file, text]) => ({ file, bytes: Buffer.from(text) })));
  return filledDeliveries(read).map(({ object }) => (object.spec as { readonly path: string }).path);
}

test('a delivery fills in the path of another one, which fills in that of a third', () => {
  expect(pathsIn({
    'flux/top.yaml': kustomization('top', './sets', { SET: 'east' }),
    'sets/set.yaml': kustomization('set', './sets-of/${SET}', { CLUSTER: 'main' }),
    'sets-of/east/apps.yaml': kustomization('apps', './clusters/${CLUSTER:=other}'),
    'clusters/main/a.yaml': kustomization('a', './a'),
  })).toEqual(['./sets', './sets-of/east', './clusters/main', './a']);
});

test('a path stays as it is where the value is not known, or is one of several', () => {
  const child = { 'apps/apps.yaml': kustomization('apps', './clusters/${CLUSTER}') };
  expect(pathsIn({ 'flux/top.yaml': kustomization('top', './apps', { OTHER: 'a' }), ...child })).toEqual(['./apps', './clusters/${CLUSTER}']);
  expect(pathsIn({
    'flux/east.yaml': kustomization('east', './apps', { CLUSTER: 'east' }), 'flux/west.yaml': kustomization('west', './apps', { CLUSTER: 'west' }), ...child,
  })).toEqual(['./apps', './apps', './clusters/${CLUSTER}']);
});
