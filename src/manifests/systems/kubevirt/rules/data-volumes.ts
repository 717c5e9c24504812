import { keeps } from '../../../rules/changes/kept-fields';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { changedText, replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { objectsAt, stringsAt } from '../../../values/fields';

const ACCESS_MODES: readonly string[] = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];

const PROFILE_TEXT = `apiVersion: cdi.kubevirt.io/v1beta1
kind: StorageProfile
metadata:
  name: fast
spec:
  claimPropertySets:
    - accessModes: [ReadWriteMany]
      volumeMode: Block
`;

/** Rule for what CDI knows of a StorageClass. */
export const ACCESS_MODE_OF_PROFILE: ManifestRule = {
  id: 'TC-ADMIT-CDI-ACCESS-MODE',
  title: 'The access modes of a StorageProfile must be access modes of Kubernetes.',
  source: 'kubevirt/containerized-data-importer staging/src/kubevirt.io/containerized-data-importer-api (StorageProfile, x-kubernetes-validations)',
  kinds: ['cdi.kubevirt.io/StorageProfile'],
  example: replaced(PROFILE_TEXT, '[ReadWriteMany]', '[RWX]'),
  check: (object) => objectsAt(object, 'spec', 'claimPropertySets').flatMap(([set, at]) => (
    stringsAt(set, 'accessModes').filter(([mode]) => !ACCESS_MODES.includes(mode)).map(([mode, index]) => ({
      path: ['spec', 'claimPropertySets', at, 'accessModes', index], message: `${JSON.stringify(mode)} is no access mode`, accepted: ACCESS_MODES.join(', '), fix: 'write one of these',
    }))
  )),
};

const DATA_VOLUME_TEXT = `apiVersion: cdi.kubevirt.io/v1beta1
kind: DataVolume
metadata:
  name: golden
  namespace: images
spec:
  source:
    registry:
      url: docker://registry.example.com/images/node:v1.35.4
  storage:
    resources:
      requests:
        storage: 20Gi
`;

/** Rule for volumes that CDI imports. */
export const DATA_VOLUME_CHANGE: TransitionRule = {
  id: 'TC-CHANGE-DATA-VOLUME',
  title: 'The spec of a DataVolume cannot be changed.',
  source: 'kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-validate.go',
  kinds: ['cdi.kubevirt.io/DataVolume'],
  example: changedText(DATA_VOLUME_TEXT, { 'v1.35.4': 'v1.35.5' }, { 'v1.35.4': 'v1.35.5', 'golden': 'golden-2' }),
  // Imports in several stages add to their checkpoints.
  check: (change) => ['source', 'sourceRef', 'pvc', 'storage', 'contentType', 'preallocation', 'priorityClassName'].flatMap((field) => (
    keeps([{ path: ['spec', field] }], 'keep it, or give the object another name')(change))),
};
