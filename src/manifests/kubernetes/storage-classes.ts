import { clusterObjectText } from './examples';
import { replaced } from '../rules/example-text';
import { ManifestRule } from '../rules/manifest-rule';
import { PROVISIONER_PREFIX, STORAGE_CLASS } from '../rules/storage-parameters';
import { fieldAt, isFields, stringAt } from '../values/fields';
import { nearestName } from '../values/nearest-name';

/** Parts of a driver that get a Secret of their own. */
const PARTS: readonly string[] = [
  '', 'provisioner-', 'controller-publish-', 'node-stage-', 'node-publish-', 'controller-expand-', 'node-expand-', 'controller-modify-',
];

/** Names that the provisioner knows in its own namespace. */
const NAMES: readonly string[] = ['fstype', ...PARTS.flatMap((part) => [`${part}secret-name`, `${part}secret-namespace`])]
  .map((name) => `${PROVISIONER_PREFIX}${name}`);

const parameter: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-STORAGE-PARAMETER',
  title: 'A parameter of a StorageClass with the prefix csi.storage.k8s.io/ must be one of the provisioner\'s: it makes no volumes otherwise.',
  source: 'kubernetes-csi/external-provisioner pkg/controller/controller.go (removePrefixedParameters)',
  kinds: [STORAGE_CLASS],
  trap: true,
  example: replaced(
    clusterObjectText('storage.k8s.io/v1', 'StorageClass', 'provisioner: csi.example.com\nparameters: {csi.storage.k8s.io/fstype: xfs}\n', 'fast'),
    'csi.storage.k8s.io/fstype', 'csi.storage.k8s.io/fs-type',
  ),
  check: (object) => {
    const parameters = stringAt(object, 'provisioner')?.startsWith('kubernetes.io/') ? undefined : fieldAt(object, 'parameters');
    const names = Object.keys(isFields(parameters) ? parameters : {});
    return names.filter((name) => name.startsWith(PROVISIONER_PREFIX) && !NAMES.includes(name)).map((name) => {
      const near = nearestName(name, NAMES);
      return {
        path: ['parameters', name],
        message: `the provisioner knows no parameter ${JSON.stringify(name)}, and makes no volumes of this class`,
        fix: near === undefined ? 'remove it' : `write ${near}`,
      };
    });
  },
};

/** Rules over classes of storage. */
export const STORAGE_CLASSES: readonly ManifestRule[] = [parameter];
