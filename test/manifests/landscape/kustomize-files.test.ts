import { kustomizationFault } from '../../../src/manifests/landscape/kustomization-form';
import { placedObjects } from '../../../src/manifests/landscape/placed-objects';

const files = (content: Readonly<Record<string, string>>) => Object.entries(content).map(([file, text]) => ({ file, bytes: Buffer.from(text) }));
const KUSTOMIZATION = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n';
const PATCH = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {color: blue}\n';

test('a patch by its name that no kustomization lists is named', () => {
  const { objects, patches, notRead } = placedObjects(files({
    'web/kustomization.yaml': `${KUSTOMIZATION}resources: [web.yaml]\n`, 'web/web.yaml': PATCH, 'web/web-patch.yaml': PATCH,
  }));

  expect([objects.length, patches.length]).toEqual([1, 1]);
  expect(notRead).toContainEqual({
    place: { file: 'web/web-patch.yaml' }, message: 'is a patch by its name that no kustomization lists: it is not read as manifests',
  });
});

test('a patch that a kustomization lists is no news', () => {
  const { notRead } = placedObjects(files({
    'web/kustomization.yaml': `${KUSTOMIZATION}resources: [web.yaml]\npatches: [{path: web-patch.yaml}]\n`, 'web/web.yaml': PATCH, 'web/web-patch.yaml': PATCH,
  }));

  expect(notRead.map(({ place }) => place.file)).toEqual(['web/kustomization.yaml']);
});

test.each<[object, string | undefined]>([
  [{ resources: ['web.yaml'], patches: [{ path: 'patch.yaml' }], images: [{ name: 'web', newTag: 'v1' }] }, undefined],
  [{ resources: null, namespace: 'shop' }, undefined],
  [{ Resources: ['web.yaml'] }, undefined],
  [{ patches: ['patch.yaml'] }, 'patches must be a list of objects'],
  [{ patches: { path: 'patch.yaml' } }, 'patches must be a list of objects'],
  [{ resources: [{ path: 'web.yaml' }] }, 'resources must be a list of strings'],
  [{ commonLabels: { replicas: 3 } }, 'commonLabels must be an object of strings'],
  [{ spec: { path: './web' } }, 'there is no field "spec"'],
  [{ resource: ['web.yaml'] }, 'there is no field "resource": did you mean resources?'],
])('kustomize reads %j, or says why not', (kustomization, fault) => {
  expect(kustomizationFault(kustomization as Record<string, unknown>)).toBe(fault);
});
