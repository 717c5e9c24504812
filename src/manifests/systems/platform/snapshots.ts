import { oneOf } from './one-of';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, isSet, objectsAt, stringsAt } from '../../values/fields';

const SNAPSHOT = 'snapshot.storage.k8s.io/VolumeSnapshot';
const SNAPSHOT_CONTENT = 'snapshot.storage.k8s.io/VolumeSnapshotContent';
const SOURCE = 'kubernetes-csi/external-snapshotter client/config/crd (x-kubernetes-validations)';
const ACCESS_MODES: readonly string[] = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];

/** What each kind is made from. */
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
const PROFILE_TEXT = `apiVersion: cdi.kubevirt.io/v1beta1
kind: StorageProfile
metadata:
  name: fast
spec:
  claimPropertySets:
    - accessModes: [ReadWriteMany]
      volumeMode: Block
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

const accessModes: ManifestRule = {
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

/** Snapshots, and how volumes are made. */
export const SNAPSHOTS: readonly ManifestRule[] = [source, owner, snapshotClass, accessModes];
