import { changedText } from '../example-text';
import { isUpdate, keeps } from './kept-fields';
import { TransitionRule } from './transition-rule';
import { stringAt } from '../../values/fields';
import { parseQuantity } from '../../values/quantity';

const STORAGE_CLASS_TEXT = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: fast
provisioner: csi.kubevirt.io
parameters:
  infraStorageClassName: replicated
allowVolumeExpansion: true
`;

const STORAGE_CLASS: TransitionRule = {
  id: 'TC-CHANGE-STORAGE-CLASS',
  title: 'Provisioner, parameters, reclaim policy and binding mode of a StorageClass cannot be changed.',
  source: 'kubernetes/kubernetes pkg/apis/storage/validation/validation.go',
  kinds: ['storage.k8s.io/StorageClass'],
  example: changedText(STORAGE_CLASS_TEXT, { replicated: 'local' }, { 'allowVolumeExpansion: true': 'allowVolumeExpansion: false' }),
  check: keeps([
    { path: ['provisioner'] },
    { path: ['parameters'], byDefault: {} },
    { path: ['reclaimPolicy'], byDefault: 'Delete' },
    { path: ['volumeBindingMode'], byDefault: 'Immediate' },
  ], 'keep it, and add a class of another name'),
};

const CSI_DRIVER_TEXT = `apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: csi.kubevirt.io
spec:
  attachRequired: true
  podInfoOnMount: true
`;

const CSI_DRIVER: TransitionRule = {
  id: 'TC-CHANGE-CSI-DRIVER',
  title: 'The fields attachRequired and volumeLifecycleModes of a CSIDriver cannot be changed.',
  source: 'kubernetes/kubernetes pkg/apis/storage/validation/validation.go',
  kinds: ['storage.k8s.io/CSIDriver'],
  example: changedText(CSI_DRIVER_TEXT, { 'attachRequired: true': 'attachRequired: false' }, { 'podInfoOnMount: true': 'podInfoOnMount: false' }),
  check: keeps([
    { path: ['spec', 'attachRequired'], byDefault: true },
    { path: ['spec', 'volumeLifecycleModes'], byDefault: ['Persistent'] },
  ], 'keep it, or delete the CSIDriver before the new one is applied'),
};

const CLAIM_TEXT = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: tenant-acme
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: fast
  resources:
    requests:
      storage: 20Gi
`;

const checkClaim = keeps([
  { path: ['spec', 'accessModes'] },
  { path: ['spec', 'selector'] },
  { path: ['spec', 'storageClassName'], maySet: true, mayUnset: true },
  { path: ['spec', 'volumeMode'], byDefault: 'Filesystem' },
  { path: ['spec', 'volumeName'], maySet: true, mayUnset: true },
  { path: ['spec', 'dataSource'], maySet: true, mayUnset: true },
  { path: ['spec', 'dataSourceRef'], maySet: true, mayUnset: true },
], 'keep it, or give the object another name, and move what is stored');

const CLAIM: TransitionRule = {
  id: 'TC-CHANGE-CLAIM',
  title: 'Access modes, selector, class, volume mode, volume and source of a PersistentVolumeClaim cannot be changed, and its request cannot shrink.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  kinds: ['/PersistentVolumeClaim'],
  example: changedText(CLAIM_TEXT, { '20Gi': '10Gi' }, { '20Gi': '30Gi' }),
  check: (change) => {
    if (!isUpdate(change)) return [];
    const path = ['spec', 'resources', 'requests', 'storage'];
    const [before, after] = [change.before, change.after].map((object) => stringAt(object, ...path));
    const [old, now] = [before, after].map((text) => (text === undefined ? undefined : parseQuantity(text)));
    const shrinks = old !== undefined && now !== undefined && now < old;
    return [...checkClaim(change), ...(shrinks ? [{ path, message: `it was "${before}", and is "${after}" now: a claim does not shrink`, fix: `ask for ${before} or more` }] : [])];
  },
};

/** Rules for changes of volumes and their classes. */
export const STORAGE_CHANGES: readonly TransitionRule[] = [STORAGE_CLASS, CSI_DRIVER, CLAIM];
