import { CLOUD_INIT } from './cloud-init';
import { REFUSED_DATA_VOLUMES, REFUSED_DISKS } from './disks';
import { VIRTUAL_MACHINE, VIRTUAL_MACHINE_INSTANCE } from './kubevirt-objects';
import { missingMemory, REFUSED_MACHINES } from './machines';
import { REFUSED_NETWORKS } from './network';
import { groupKind } from '../../../objects/manifest-object';
import { replaced } from '../../../rules/example-text';
import { ManifestRule } from '../../../rules/manifest-rule';
import { fieldAt, isSet, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const KINDS = [VIRTUAL_MACHINE, VIRTUAL_MACHINE_INSTANCE];

const INSTANCE_TEXT = `apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  name: bastion
  namespace: shop
spec:
  domain:
    memory: {guest: 1Gi}
    devices: {}
  volumes:
    - name: token
      containerPath: {path: /var/run/secrets, readOnly: true}
`;

const containerPath: ManifestRule = {
  id: 'TC-ADMIT-VM-CONTAINER-PATH',
  title: 'A container path of a virtual machine must be absolute, must not contain "..", and must be read-only.',
  source: 'kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/schema.go (ContainerPathVolumeSource, x-kubernetes-validations)',
  kinds: KINDS,
  example: replaced(INSTANCE_TEXT, 'path: /var/run/secrets', 'path: var/run/secrets'),
  check: (object) => {
    const list = object.kind === 'VirtualMachine' ? ['spec', 'template', 'spec', 'volumes'] : ['spec', 'volumes'];
    return objectsAt(object, ...list).flatMap(([volume, index]) => checkPath(volume.containerPath, [...list, index]));
  },
};

const MACHINE_TEXT = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: bastion
  namespace: shop
spec:
  runStrategy: Always
  dataVolumeTemplates:
    - metadata: {name: root}
      spec:
        source: {registry: {url: "docker://registry.example.com/images/bastion:v1"}}
        storage: {resources: {requests: {storage: 20Gi}}}
  template:
    spec:
      domain:
        memory: {guest: 1Gi}
        devices:
          disks:
            - {name: root, disk: {bus: virtio}}
          interfaces:
            - {name: default, masquerade: {}}
      networks:
        - {name: default, pod: {}}
      volumes:
        - {name: root, dataVolume: {name: root}}
`;

const disks: ManifestRule = {
  id: 'TC-ADMIT-VM-DISKS',
  title: 'Every disk of a virtual machine must have a unique name, a volume of that name, a known bus, and block sizes that are powers of two.',
  source: sourcesOf(REFUSED_DISKS),
  kinds: KINDS,
  example: replaced(MACHINE_TEXT, 'bus: virtio', 'bus: nvme'),
  // KubeVirt accepts an empty CD drive.
  check: (object, index) => REFUSED_DISKS.flatMap((rule) => rule.check(object, index))
    .filter(({ path }) => path.at(-1) !== 'name' || !isSet(fieldAt(object, ...path.slice(0, -1)), 'cdrom')),
};

const dataVolumes: ManifestRule = {
  id: 'TC-ADMIT-VM-DATA-VOLUMES',
  title: 'Every template of a DataVolume must have a volume that uses it, one source, and either storage or pvc.',
  source: sourcesOf(REFUSED_DATA_VOLUMES),
  kinds: [VIRTUAL_MACHINE],
  example: replaced(MACHINE_TEXT, 'dataVolume: {name: root}', 'dataVolume: {name: rot}'),
  check: (object, index) => REFUSED_DATA_VOLUMES.flatMap((rule) => rule.check(object, index)),
};

const networks: ManifestRule = {
  id: 'TC-ADMIT-VM-NETWORKS',
  title: 'Every interface of a virtual machine must have a valid name, a network of that name and one binding that fits it, and every network an interface.',
  source: sourcesOf(REFUSED_NETWORKS),
  kinds: KINDS,
  example: replaced(MACHINE_TEXT, 'networks:\n        - {name: default', 'networks:\n        - {name: pod'),
  check: (object, index) => REFUSED_NETWORKS.flatMap((rule) => rule.check(object, index)),
};

const settings: ManifestRule = {
  id: 'TC-ADMIT-VM-SETTINGS',
  title: 'A VirtualMachine must have either runStrategy or running, and a size from either an instance type or its domain; secure boot requires SMM, and an instance memory.',
  source: sourcesOf(REFUSED_MACHINES),
  kinds: KINDS,
  example: replaced(MACHINE_TEXT, '  runStrategy: Always\n', ''),
  check: (object, index) => [
    ...REFUSED_MACHINES.flatMap((rule) => rule.check(object, index)),
    ...groupKind(object) === VIRTUAL_MACHINE_INSTANCE ? missingMemory(object) : [],
  ],
};

/** Virtual machines of KubeVirt that are written out: what the provider's templates are refused for later is refused at once here. */
export const VIRTUAL_MACHINES: readonly ManifestRule[] = [containerPath, disks, dataVolumes, networks, settings, ...CLOUD_INIT];

function sourcesOf(rules: readonly ManifestRule[]): string {
  return [...new Set(rules.map(({ source }) => source))].join('; ');
}

function checkPath(source: unknown, path: Finding['path']): Finding[] {
  const given = fieldAt(source, 'path') === '' ? '' : stringAt(source, 'path');
  const at = [...path, 'containerPath'];
  return [
    ...(given === undefined || given.startsWith('/') ? [] : [{ path: [...at, 'path'], message: `${JSON.stringify(given)} is not absolute`, fix: 'write the path from "/" on' }]),
    ...(given?.includes('..') ? [{ path: [...at, 'path'], message: `${JSON.stringify(given)} has ".." in it`, fix: 'write the path without it' }] : []),
    ...(isSet(source, 'readOnly') && fieldAt(source, 'readOnly') !== true ? [{ path: [...at, 'readOnly'], message: 'nothing can be written there', accepted: 'true', fix: 'write readOnly: true' }] : []),
  ];
}
