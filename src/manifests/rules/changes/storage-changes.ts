import { changedText } from './change-examples';
import { isUpdate, keeps } from './kept-fields';
import { TransitionRule } from './transition-rule';
import { stringAt } from '../../values/fields';
import { parseQuantity } from '../../values/quantity';

const SNAPSHOT_GROUP = 'snapshot.storage.k8s.io';
const SNAPSHOT_SOURCE = 'x-kubernetes-validations of the definition: kubernetes-csi/external-snapshotter client/config/crd';
const RENAME = 'keep it, or give the object another name';

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
], `${RENAME}, and move what is stored`);

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

const SNAPSHOT_TEXT = `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata:
  name: before-upgrade
  namespace: tenant-acme
spec:
  source:
    persistentVolumeClaimName: data
`;

const SNAPSHOT: TransitionRule = {
  id: 'TC-CHANGE-SNAPSHOT',
  title: 'The source of a VolumeSnapshot or of its content cannot be changed.',
  source: SNAPSHOT_SOURCE,
  kinds: [`${SNAPSHOT_GROUP}/VolumeSnapshot`, `${SNAPSHOT_GROUP}/VolumeSnapshotContent`],
  example: changedText(SNAPSHOT_TEXT, { 'Name: data': 'Name: other' }, { 'Name: data': 'Name: other', 'before': 'after' }),
  check: keeps([
    ...['persistentVolumeClaimName', 'volumeSnapshotContentName', 'volumeHandle', 'snapshotHandle'].map((field) => ({ path: ['spec', 'source', field], maySet: true })),
    { path: ['spec', 'sourceVolumeMode'], maySet: true },
  ], RENAME),
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

const DATA_VOLUME: TransitionRule = {
  id: 'TC-CHANGE-DATA-VOLUME',
  title: 'The spec of a DataVolume cannot be changed.',
  source: 'kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-validate.go',
  kinds: ['cdi.kubevirt.io/DataVolume'],
  example: changedText(DATA_VOLUME_TEXT, { 'v1.35.4': 'v1.35.5' }, { 'v1.35.4': 'v1.35.5', 'golden': 'golden-2' }),
  // Imports in several stages add to their checkpoints.
  check: (change) => ['source', 'sourceRef', 'pvc', 'storage', 'contentType', 'preallocation', 'priorityClassName'].flatMap((field) => (
    keeps([{ path: ['spec', field] }], RENAME)(change))),
};

const PEER_TEXT = `apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata:
  name: rack
  namespace: metallb-system
spec:
  myASN: 64512
  peerASN: 64513
  peerAddress: 192.0.2.1
  enableGracefulRestart: false
`;

const BGP_PEER: TransitionRule = {
  id: 'TC-CHANGE-BGP-PEER',
  title: 'Graceful restart of a BGPPeer of MetalLB cannot be switched on or off.',
  source: 'x-kubernetes-validations of the definition: metallb/metallb config/crd/bases/metallb.io_bgppeers.yaml',
  kinds: ['metallb.io/BGPPeer'],
  example: changedText(PEER_TEXT, { 'Restart: false': 'Restart: true' }, { 'Restart: false': 'Restart: true', 'name: rack': 'name: rack-2' }),
  check: keeps([{ path: ['spec', 'enableGracefulRestart'], maySet: true, mayUnset: true }], RENAME),
};

/** What is refused of volumes, and of a few others whose definitions say it. */
export const STORAGE_CHANGES: readonly TransitionRule[] = [STORAGE_CLASS, CSI_DRIVER, CLAIM, SNAPSHOT, DATA_VOLUME, BGP_PEER];
