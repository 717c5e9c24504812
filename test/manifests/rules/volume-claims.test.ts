import { findings } from './rules-under-test';
import { KUBEVIRT_MANIFEST_RULES } from '../../../src/manifests/systems/kubevirt/provider';
import { storageClass } from '../../../src/manifests/systems/kubevirt/rules/clusters';
import { VULTR_MANIFEST_RULES } from '../../../src/manifests/systems/vultr/provider';
import { vultrClass } from '../../../src/manifests/systems/vultr/rules/services';

const RULES = [...VULTR_MANIFEST_RULES, ...KUBEVIRT_MANIFEST_RULES];
const claim = (spec: string) => `---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data, namespace: shop}\nspec: {${spec}}\n`;
const statefulSet = (spec: string) => `---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: data, namespace: shop}\nspec: {volumeClaimTemplates: [{metadata: {name: a}, spec: {${spec}}}]}\n`;

function found(...texts: string[]): string[] {
  return findings(RULES, texts.join('')).map((line) => line.split(':')[0]);
}

test.each([
  ['block', 'nvme', 'ReadWriteOnce', true],
  ['block', 'nvme', 'ReadWriteOncePod', false],
  ['block', 'hdd', 'ReadWriteMany', false],
  ['vfs', 'nvme', 'ReadWriteMany', true],
  ['vfs', 'nvme', 'ReadWriteOnce', false],
])('volumes of %s on %s are %s: %s', (storage, disk, mode, isMade) => {
  const asked = `storageClassName: shared, accessModes: [${mode}]`;

  expect(found(vultrClass(storage, disk), claim(asked))).toEqual(isMade ? [] : ['TC-TRAP-VULTR-CLAIM spec.accessModes.0']);
  expect(found(vultrClass(storage, disk), statefulSet(asked))).toEqual(isMade ? [] : ['TC-TRAP-VULTR-CLAIM spec.volumeClaimTemplates.0.spec.accessModes.0']);
});

test.each([
  ['accessModes: [ReadWriteOnce]', true],
  ['accessModes: [ReadWriteMany]', false],
  ['accessModes: [ReadOnlyMany], volumeMode: Filesystem', false],
  ['accessModes: [ReadWriteMany], volumeMode: Block', true],
  ['accessModes: [ReadWriteMany], volumeName: old', true],
])('volumes of KubeVirt: %s', (spec, isMade) => {
  expect(found(storageClass('scsi'), claim(`storageClassName: fast, ${spec}`))).toEqual(isMade ? [] : ['TC-TRAP-KUBEVIRT-CLAIM spec.accessModes.0']);
});

test('claims of classes that nobody knows are not judged', () => {
  expect(found(claim('storageClassName: other, accessModes: [ReadWriteMany]'), claim('accessModes: [ReadWriteMany]').replace('name: data', 'name: b'))).toEqual([]);
});
