import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, isSet, objectsAt, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

const MACHINE_TEXT = `apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  name: bastion
  namespace: shop
spec:
  domain:
    devices: {}
  volumes:
    - name: token
      containerPath: {path: /var/run/secrets, readOnly: true}
`;

const containerPath: ManifestRule = {
  id: 'TC-ADMIT-VM-CONTAINER-PATH',
  title: 'A container path of a virtual machine must be absolute, must not contain "..", and must be read-only.',
  source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/schema.go (ContainerPathVolumeSource, x-kubernetes-validations)',
  kinds: ['kubevirt.io/VirtualMachine', 'kubevirt.io/VirtualMachineInstance'],
  example: replaced(MACHINE_TEXT, 'path: /var/run/secrets', 'path: var/run/secrets'),
  check: (object) => {
    const list = object.kind === 'VirtualMachine' ? ['spec', 'template', 'spec', 'volumes'] : ['spec', 'volumes'];
    return objectsAt(object, ...list).flatMap(([volume, index]) => checkPath(volume.containerPath, [...list, index]));
  },
};

/** Virtual machines of KubeVirt that are written out. */
export const VIRTUAL_MACHINES: readonly ManifestRule[] = [containerPath];

function checkPath(source: unknown, path: Finding['path']): Finding[] {
  const given = fieldAt(source, 'path') === '' ? '' : stringAt(source, 'path');
  const at = [...path, 'containerPath'];
  return [
    ...(given === undefined || given.startsWith('/') ? [] : [{ path: [...at, 'path'], message: `${JSON.stringify(given)} is not absolute`, fix: 'write the path from "/" on' }]),
    ...(given?.includes('..') ? [{ path: [...at, 'path'], message: `${JSON.stringify(given)} has ".." in it`, fix: 'write the path without it' }] : []),
    ...(isSet(source, 'readOnly') && fieldAt(source, 'readOnly') !== true ? [{ path: [...at, 'readOnly'], message: 'nothing can be written there', accepted: 'true', fix: 'write readOnly: true' }] : []),
  ];
}
