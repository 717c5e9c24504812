import { nameOf, namespaceOf } from '../../../objects/manifest-object';
import { documents, replaced } from '../../../rules/example-text';
import { Lookup } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

export const IMAGE_AUTOMATION = 'image.toolkit.fluxcd.io/ImageUpdateAutomation';
export const IMAGE_POLICY = 'image.toolkit.fluxcd.io/ImagePolicy';
const IMAGE_REPOSITORY = 'image.toolkit.fluxcd.io/ImageRepository';
const GIT_REPOSITORY = 'source.toolkit.fluxcd.io/GitRepository';

const BY_NAME = new Lookup([GIT_REPOSITORY, IMAGE_REPOSITORY], (object) => [String(object.kind), nameOf(object)]);

const TEXT = documents(`apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageUpdateAutomation
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 30m
  sourceRef: {kind: GitRepository, name: fleet}
  git: {commit: {author: {email: flux@example.com}}}
  update: {path: ./clusters, strategy: Setters}
`, `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {interval: 5m, url: "https://git.example.com/fleet.git"}
`, `apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: {name: web, namespace: flux-system}
spec: {imageRepositoryRef: {name: web}, policy: {semver: {range: 1.x}}}
`);

const policies: ManifestRule = {
  id: 'TC-TRAP-FLUX-IMAGE-POLICIES',
  title: 'An ImageUpdateAutomation must be in the namespace of its ImagePolicies: it updates no images of others.',
  source: 'fluxcd/image-automation-controller internal/controller/imageupdateautomation_controller.go (getPolicies), docs/spec/v1/imageupdateautomations.md',
  kinds: [IMAGE_AUTOMATION],
  trap: true,
  elsewhere: true,
  example: replaced(TEXT, 'metadata: {name: web, namespace: flux-system}', 'metadata: {name: web, namespace: shop}'),
  check: (object, index) => {
    const namespace = namespaceOf(object);
    const all = index.all(IMAGE_POLICY).map((policy) => namespaceOf(policy));
    return namespace === undefined || all.length === 0 || all.includes(undefined) || all.includes(namespace) ? [] : [{
      path: ['metadata', 'namespace'],
      message: `no ImagePolicy is in the namespace "${namespace}"; those that were read are in ${[...new Set(all)].map((one) => `"${one}"`).join(', ')}`,
      fix: 'put the ImagePolicies into this namespace, or an ImageUpdateAutomation into theirs',
    }];
  },
};

const sources: ManifestRule = {
  id: 'TC-TRAP-FLUX-IMAGE-SOURCE',
  title: 'The repository of an ImageUpdateAutomation or an ImagePolicy must be in its namespace, or in the one that is named: nothing is updated otherwise.',
  source: 'fluxcd/image-automation-controller api/v1/reference.go (CrossNamespaceSourceReference); '
    + 'fluxcd/image-reflector-controller api/v1/imagepolicy_types.go (ImageRepositoryRef), internal/controller/imagepolicy_controller.go, v1.2.0',
  kinds: [IMAGE_AUTOMATION, IMAGE_POLICY],
  trap: true,
  elsewhere: true,
  example: replaced(TEXT, 'metadata: {name: fleet, namespace: flux-system}', 'metadata: {name: fleet, namespace: shop}'),
  check: (object, index) => [
    ['GitRepository', ['spec', 'sourceRef']] as const, ['ImageRepository', ['spec', 'imageRepositoryRef']] as const,
  ].flatMap(([kind, path]): Finding[] => {
    const [name, namespace] = [stringAt(object, ...path, 'name'), stringAt(object, ...path, 'namespace') ?? namespaceOf(object)];
    if (name === undefined || namespace === undefined || (stringAt(object, ...path, 'kind') ?? kind) !== kind) return [];
    const places = BY_NAME.find(index, kind, name).map((one) => namespaceOf(one));
    return places.length === 0 || places.includes(namespace) || places.includes(undefined) ? [] : [{
      path: [...path, 'namespace'], message: `no ${kind} "${name}" is in the namespace "${namespace}", and one is in "${places[0]}"`, fix: `write namespace: ${places[0]}`,
    }];
  }),
};

/** Rules over updates of images. */
export const IMAGE_AUTOMATIONS: readonly ManifestRule[] = [policies, sources];
