import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { STORAGE_CLASS } from '../../rules/storage-parameters';
import { fieldAt, isSet, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

export const BLOCK_POOL = 'ceph.rook.io/CephBlockPool';
export const FILE_SYSTEM = 'ceph.rook.io/CephFilesystem';

const CLASS_TEXT = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: block}
provisioner: rook-ceph.rbd.csi.ceph.com
parameters: {clusterID: rook-ceph, pool: metadata, dataPool: data, imageFeatures: layering}
`;
const POOLS_TEXT = ['metadata', 'data'].map((name) => `apiVersion: ceph.rook.io/v1
kind: CephBlockPool
metadata: {name: ${name}, namespace: rook-ceph}
spec: ${name === 'data' ? '{failureDomain: host, erasureCoded: {dataChunks: 2, codingChunks: 1}}' : '{failureDomain: host, replicated: {size: 3}}'}
`);

const pools: ManifestRule = {
  id: 'TC-TRAP-ROOK-POOL',
  title: 'The pool of a StorageClass of Ceph must hold its metadata: a replicated pool of block devices, or a pool of the file system. It makes no volumes otherwise.',
  source: 'rook/rook pkg/operator/ceph/file/filesystem.go (generateDataPoolNames), issue 7188 (pools of metadata are replicated); replicatedhq/kURL issue 3541',
  kinds: [STORAGE_CLASS],
  trap: true,
  example: replaced(documents(CLASS_TEXT, ...POOLS_TEXT), 'pool: metadata, dataPool: data', 'pool: data'),
  check: (object, index) => {
    const driver = stringAt(object, 'provisioner') ?? '';
    // The cluster's identifier is the namespace that Rook made it in.
    if (driver.endsWith('.rbd.csi.ceph.com')) return blockPool(object, index);
    return driver.endsWith('.cephfs.csi.ceph.com') ? filePool(object, index) : [];
  },
};

const POOL = ['parameters', 'pool'] as const;

function blockPool(storage: ManifestObject, index: ManifestIndex): Finding[] {
  const name = stringAt(storage, ...POOL);
  const pool = index.find(BLOCK_POOL, stringAt(storage, 'parameters', 'clusterID'), name);
  return !pool || !isSet(pool, 'spec', 'erasureCoded') || isSet(pool, 'spec', 'replicated') ? [] : [{
    path: POOL, message: `the pool "${name}" is erasure coded, and holds data alone`, fix: 'name a replicated pool here, and this one in dataPool',
  }];
}

function filePool(storage: ManifestObject, index: ManifestIndex): Finding[] {
  const name = stringAt(storage, ...POOL);
  const fileSystem = index.find(FILE_SYSTEM, stringAt(storage, 'parameters', 'clusterID'), stringAt(storage, 'parameters', 'fsName'));
  if (name === undefined || !fileSystem) return [];
  const prefix = fieldAt(fileSystem, 'spec', 'preservePoolNames') === true ? '' : `${nameOf(fileSystem)}-`;
  const names = objectsAt(fileSystem, 'spec', 'dataPools').map(([pool], at) => `${prefix}${stringAt(pool, 'name') ?? `data${at}`}`);
  return names.length === 0 || names.includes(name) ? [] : [{
    path: POOL, message: `the file system "${nameOf(fileSystem)}" has no pool "${name}"`, accepted: names.join(', '), fix: names.length === 1 ? `write ${names[0]}` : 'write one of its pools',
  }];
}

/** Rules over classes of storage in pools of Rook. */
export const CLASSES: readonly ManifestRule[] = [pools];
