import * as fc from 'fast-check';
import { checkClaim, ClaimSpec } from '../../../../src/constructs/addons/csi/volume-claims';
import { VolumeAccessMode, VolumeClass } from '../../../../src/constructs/contracts/addon';

const DISK: VolumeClass = {
  name: 'disk',
  isDefault: true,
  accessModes: [VolumeAccessMode.READ_WRITE_ONCE],
  blockAccessModes: [VolumeAccessMode.READ_WRITE_ONCE, VolumeAccessMode.READ_WRITE_MANY],
  least: '10Gi',
  most: '1Ti',
  step: '1Gi',
  copies: false,
};
const SHARED: VolumeClass = { name: 'shared', accessModes: [VolumeAccessMode.READ_WRITE_MANY] };

function claim(spec: Partial<ClaimSpec> = {}, storage: string | number = '10Gi'): ClaimSpec {
  return { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec };
}

function found(spec: ClaimSpec): string[] {
  return checkClaim('spec', spec, [SHARED, DISK]).map(({ rule, property, message, accepted }) => `${rule.id} ${property}: ${message}. ${accepted ?? ''}`);
}

const CASES: [id: string, property: string, texts: string[], spec: ClaimSpec][] = [
  ['TC-STORAGE-CLAIM-ACCESS-MODE', 'spec.accessModes', ['volumes of the storage class "disk" cannot be ReadWriteMany', 'ReadWriteOnce'], claim({ accessModes: ['ReadWriteOnce', 'ReadWriteMany'] })],
  ['TC-STORAGE-CLAIM-ACCESS-MODE', 'spec.accessModes', ['raw block volumes', 'ReadOnlyMany', 'ReadWriteOnce, ReadWriteMany'], claim({ accessModes: ['ReadOnlyMany'], volumeMode: 'Block' })],
  ['TC-STORAGE-CLAIM-ACCESS-MODE', 'spec.accessModes', ['"shared" cannot be ReadWriteOnce'], claim({ storageClassName: 'shared' })],
  ['TC-STORAGE-CLAIM-SIZE', 'spec.resources.requests.storage', ['9Gi is less than the smallest volume', 'from 10Gi, up to 1Ti, in multiples of 1Gi'], claim({}, '9Gi')],
  ['TC-STORAGE-CLAIM-SIZE', 'spec.resources.requests.storage', ['1025Gi is more than the largest volume'], claim({}, '1025Gi')],
  ['TC-STORAGE-CLAIM-SIZE', 'spec.resources.requests.storage', ['100G is between two sizes'], claim({}, '100G')],
  ['TC-STORAGE-CLAIM-SIZE', 'spec.resources.requests.storage', ['"10 Gi" is not a quantity'], claim({}, '10 Gi')],
  ['TC-STORAGE-CLAIM-SIZE', 'spec.resources.requests.storage', ['10737418241 is between two sizes'], claim({}, 10737418241)],
  ['TC-STORAGE-CLAIM-SOURCE', 'spec.dataSource', ['but this claim is a copy of a VolumeSnapshot'], claim({ dataSource: { kind: 'VolumeSnapshot' } })],
  ['TC-STORAGE-CLAIM-SOURCE', 'spec.dataSourceRef', ['a PersistentVolumeClaim'], claim({ dataSourceRef: { kind: 'PersistentVolumeClaim' } })],
];

test.each(CASES)('%s at %s: %j', (id, property, texts, spec) => {
  const all = found(spec);

  expect(all).toHaveLength(1);
  for (const text of [`${id} ${property}: `, ...texts]) expect(all[0]).toContain(text);
});

test.each<[what: string, spec: ClaimSpec]>([
  ['a claim that names no class, and suits the default', claim()],
  ['raw blocks for many nodes', claim({ accessModes: ['ReadWriteMany'], volumeMode: 'Block' })],
  ['any size of a class that says nothing of it', claim({ accessModes: ['ReadWriteMany'], storageClassName: 'shared' }, '1500Mi')],
  ['a copy of a class that says nothing of it', claim({ accessModes: ['ReadWriteMany'], storageClassName: 'shared', dataSource: { kind: 'VolumeSnapshot' } })],
  ['a claim of a class that nobody knows', claim({ accessModes: ['ReadWriteMany'], storageClassName: 'other' })],
  ['a claim of no class', claim({ accessModes: ['ReadWriteMany'], storageClassName: '' })],
  ['a claim for a volume that is there', claim({ accessModes: ['ReadWriteMany'], volumeName: 'data' })],
  ['a claim without anything', {}],
])('accepted: %s', (_what, spec) => {
  expect(found(spec)).toEqual([]);
});

test('a claim that names no class is not looked at where no class is the default', () => {
  expect(checkClaim('spec', claim(), [SHARED])).toEqual([]);
});

test('of whole GiB exactly those between the smallest and the largest volume are accepted', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 2048 }), (size) => {
    expect(found(claim({}, `${size}Gi`)).length === 0).toBe(size >= 10 && size <= 1024);
  }));
});
