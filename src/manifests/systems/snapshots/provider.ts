import { namespaceOf } from '../../objects/manifest-object';
import { keeps } from '../../rules/changes/kept-fields';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { changedText, documents, replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { oneOf } from '../../rules/one-of';
import { Provider } from '../../rules/provider';
import { missing } from '../../rules/references/missing-references';
import { fieldAt, isSet, stringAt } from '../../values/fields';

const SNAPSHOT = 'snapshot.storage.k8s.io/VolumeSnapshot';
const SNAPSHOT_CONTENT = 'snapshot.storage.k8s.io/VolumeSnapshotContent';
const SOURCE = 'kubernetes-csi/external-snapshotter client/config/crd (x-kubernetes-validations)';

/** Sources of each kind. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  VolumeSnapshot: ['persistentVolumeClaimName', 'volumeSnapshotContentName'],
  VolumeSnapshotContent: ['snapshotHandle', 'volumeHandle'],
};

const SNAPSHOT_TEXT = `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata:
  name: data
  namespace: shop
spec:
  volumeSnapshotClassName: fast
  source:
    persistentVolumeClaimName: data
`;
const CONTENT_TEXT = `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata:
  name: data
spec:
  deletionPolicy: Retain
  driver: csi.kubevirt.io
  source:
    snapshotHandle: data
  volumeSnapshotRef:
    name: data
    namespace: shop
`;
const source: ManifestRule = {
  id: 'TC-ADMIT-SNAPSHOT-SOURCE',
  title: 'A snapshot must have exactly one source: a volume or an existing snapshot.',
  source: SOURCE,
  kinds: [SNAPSHOT, SNAPSHOT_CONTENT],
  example: replaced(SNAPSHOT_TEXT, '    persistentVolumeClaimName: data', '    persistentVolumeClaimName: data\n    volumeSnapshotContentName: data'),
  check: (object) => (isSet(object, 'spec', 'source') ? oneOf(object, ['spec', 'source'], SOURCES[String(object.kind)]) : []),
};

const owner: ManifestRule = {
  id: 'TC-ADMIT-SNAPSHOT-REFERENCE',
  title: 'A VolumeSnapshotContent must refer to its VolumeSnapshot by name and namespace.',
  source: SOURCE,
  kinds: [SNAPSHOT_CONTENT],
  example: replaced(CONTENT_TEXT, '    namespace: shop\n', ''),
  check: (object) => (isSet(object, 'spec', 'volumeSnapshotRef') ? ['name', 'namespace'] : [])
    .filter((field) => !isSet(object, 'spec', 'volumeSnapshotRef', field)).map((field) => ({
      path: ['spec', 'volumeSnapshotRef', field], message: `there is no ${field}`, fix: `write the ${field} of the VolumeSnapshot`,
    })),
};

const snapshotClass: ManifestRule = {
  id: 'TC-ADMIT-SNAPSHOT-CLASS',
  title: 'The class of a VolumeSnapshot must not be empty; if the field is unset, the default class applies.',
  source: SOURCE,
  kinds: [SNAPSHOT],
  example: replaced(SNAPSHOT_TEXT, 'volumeSnapshotClassName: fast', 'volumeSnapshotClassName: ""'),
  check: (object) => (fieldAt(object, 'spec', 'volumeSnapshotClassName') === '' ? [{
    path: ['spec', 'volumeSnapshotClassName'], message: 'it is empty', fix: 'name a VolumeSnapshotClass, or remove the field',
  }] : []),
};

const SNAPSHOT_CLASS = 'snapshot.storage.k8s.io/VolumeSnapshotClass';
const STORAGE_CLASS = 'storage.k8s.io/StorageClass';
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

const DRIVERS_TEXT = documents(`apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: fast
provisioner: csi.kubevirt.io
`, `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
  namespace: shop
spec:
  storageClassName: fast
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 6Gi}}
`, `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata:
  name: fast
driver: csi.kubevirt.io
deletionPolicy: Delete
`, SNAPSHOT_TEXT);

const drivers: ManifestRule = {
  id: 'TC-TRAP-SNAPSHOT-DRIVER',
  title: 'The class of a VolumeSnapshot must be of the driver that made its volume: no snapshot is taken otherwise.',
  source: 'kubernetes-csi/external-snapshotter pkg/common-controller/snapshot_controller.go (createSnapshotContent, getCreateSnapshotInput), v8.6.0, issue 1484',
  kinds: [SNAPSHOT],
  trap: true,
  example: replaced(DRIVERS_TEXT, 'driver: csi.kubevirt.io', 'driver: file.csi.example.com'),
  check: (object, index) => {
    const path = ['spec', 'volumeSnapshotClassName'];
    const claim = index.find('/PersistentVolumeClaim', namespaceOf(object), stringAt(object, 'spec', 'source', 'persistentVolumeClaimName'));
    const [storage, snapshots] = [
      index.find(STORAGE_CLASS, undefined, stringAt(claim, 'spec', 'storageClassName')), index.find(SNAPSHOT_CLASS, undefined, stringAt(object, ...path)),
    ];
    const volume = index.find('/PersistentVolume', undefined, stringAt(claim, 'spec', 'volumeName'));
    const provisioner = stringAt(storage, 'provisioner');
    // A volume that the user makes may be of any driver.
    const made = stringAt(volume, 'spec', 'csi', 'driver') ?? (provisioner === NO_PROVISIONER ? undefined : provisioner);
    const taken = stringAt(snapshots, 'driver');
    return made === undefined || taken === undefined || made === taken ? [] : [{
      path, message: `the class is of the driver ${taken}, and the volume is made by ${made}`, fix: `name a VolumeSnapshotClass whose driver is ${made}`,
    }];
  },
};

const missingClass: ManifestRule = {
  id: 'TC-TRAP-SNAPSHOT-CLASS',
  title: 'The class of a VolumeSnapshot should be among the manifests where others are: no snapshot is taken otherwise.',
  source: 'kubernetes-csi/external-snapshotter pkg/common-controller/snapshot_controller.go (getCreateSnapshotInput, getSnapshotClass), v8.6.0',
  kinds: [SNAPSHOT],
  trap: true,
  warning: true,
  elsewhere: true,
  example: replaced(DRIVERS_TEXT, 'volumeSnapshotClassName: fast', 'volumeSnapshotClassName: quick'),
  check: (object, index) => {
    const path = ['spec', 'volumeSnapshotClassName'];
    const name = stringAt(object, ...path);
    return name === undefined || name === '' ? [] : missing(object, index, { kind: SNAPSHOT_CLASS, name, path, clusterScoped: true });
  },
};

const TAKEN_TEXT = `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata:
  name: before-upgrade
  namespace: tenant-acme
spec:
  source:
    persistentVolumeClaimName: data
`;

const sourceChange: TransitionRule = {
  id: 'TC-CHANGE-SNAPSHOT',
  title: 'The source of a VolumeSnapshot or of its content cannot be changed.',
  source: 'x-kubernetes-validations of the definition: kubernetes-csi/external-snapshotter client/config/crd',
  kinds: [SNAPSHOT, SNAPSHOT_CONTENT],
  example: changedText(TAKEN_TEXT, { 'Name: data': 'Name: other' }, { 'Name: data': 'Name: other', 'before': 'after' }),
  check: keeps([
    ...['persistentVolumeClaimName', 'volumeSnapshotContentName', 'volumeHandle', 'snapshotHandle'].map((field) => ({ path: ['spec', 'source', field], maySet: true })),
    { path: ['spec', 'sourceVolumeMode'], maySet: true },
  ], 'keep it, or give the object another name'),
};

/** Snapshots of volumes. */
export const SNAPSHOTS: Provider = {
  name: 'snapshots',
  title: 'Snapshots of volumes',
  kinds: [{ kind: SNAPSHOT }, { kind: SNAPSHOT_CONTENT }, { kind: SNAPSHOT_CLASS }],
  groups: { 'snapshot.storage.k8s.io': [] },
  rules: [source, owner, snapshotClass, drivers, missingClass],
  changes: [sourceChange],
};
