import { clusterObjectText } from './examples';
import { ManifestObject, nameOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { stringAt } from '../values/fields';
import { DEFAULT_CLASS_ANNOTATION } from '../values/storage-class';

const CLASS = 'storage.k8s.io/StorageClass';

/** The annotation, and the one that it had as a beta (kubernetes/kubernetes pkg/apis/storage/util/helpers.go, IsDefaultAnnotation). */
const ANNOTATIONS: readonly string[] = [DEFAULT_CLASS_ANNOTATION, 'storageclass.beta.kubernetes.io/is-default-class'];

const classText = (name: string, isDefault: boolean) => clusterObjectText('storage.k8s.io/v1', 'StorageClass',
  `  annotations: {${DEFAULT_CLASS_ANNOTATION}: "${isDefault}"}\nprovisioner: csi.example.com\n`, name);

const defaultClasses: ManifestRule = {
  id: 'TC-TRAP-STORAGE-CLASS-DEFAULTS',
  title: 'A cluster should have one default StorageClass: of several, claims get the one that was created last.',
  source: 'kubernetes/kubernetes pkg/volume/util/storageclass.go (GetDefaultClass)',
  kinds: [CLASS],
  trap: true,
  warning: true,
  example: replaced(documents(classText('fast', true), classText('slow', false)), 'is-default-class: "false"', 'is-default-class: "true"'),
  check: (object, index) => {
    const annotation = defaultAnnotation(object);
    if (annotation === undefined) return [];
    const name = nameOf(object);
    // The first one by name has no finding.
    const first = firstDefault(index);
    return first === undefined || first === name ? [] : [{
      path: ['metadata', 'annotations', annotation],
      message: `"${first}" is a default StorageClass, too: claims without a class get the one that was created last`,
      fix: 'write "false" for all but one',
    }];
  },
};

const FIRST = new WeakMap<ManifestIndex, { readonly name: string | undefined }>();

/** The first name of a default StorageClass. */
function firstDefault(index: ManifestIndex): string | undefined {
  let first = FIRST.get(index);
  if (!first) {
    const [name] = index.all(CLASS).filter((other) => defaultAnnotation(other) !== undefined).map((other) => nameOf(other) ?? '').sort();
    FIRST.set(index, first = { name });
  }
  return first.name;
}

function defaultAnnotation(object: ManifestObject): string | undefined {
  return ANNOTATIONS.find((name) => stringAt(object, 'metadata', 'annotations', name) === 'true');
}

/** Rules over the default classes of a cluster. */
export const DEFAULT_CLASSES: readonly ManifestRule[] = [defaultClasses];
