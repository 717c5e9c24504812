import { SNAPSHOTS } from '../../../../src/manifests/systems/snapshots/provider';
import { findings } from '../../rules/rules-under-test';

const RULE = SNAPSHOTS.rules!.find(({ id }) => id === 'TC-TRAP-SNAPSHOT-DRIVER')!;
const FOUND = [expect.stringContaining('the class is of the driver file.csi.example.com, and the volume is made by')];

const volume = (driver: string) => `---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec: {csi: {driver: ${driver}, volumeHandle: data}}
`;
const bound = RULE.example.failing.replace('  storageClassName: fast', '  storageClassName: fast\n  volumeName: pv');
const manual = bound.replace('provisioner: csi.kubevirt.io', 'provisioner: kubernetes.io/no-provisioner');

test.each<[string, string, unknown[]]>([
  ['a class of another driver', bound, FOUND],
  ['a volume of the driver, though its StorageClass has changed', bound + volume('file.csi.example.com'), []],
  ['a volume that a user makes', manual, []],
  ['a volume that a user makes with another driver', manual + volume('csi.kubevirt.io'), FOUND],
])('a snapshot of %s', (_, text, expected) => {
  expect(text).toContain('volumeName: pv');
  expect(findings([RULE], text)).toEqual(expected);
});
