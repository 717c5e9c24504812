import { DEVICES, domainWith, INSTANCE, machineDeployment, machineExample, machineTemplate, persistentMachine } from './examples';
import { diskType, instance, MACHINE_KINDS, PlacedFields, virtualMachine } from './kubevirt-objects';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { keeps } from '../../../rules/changes/kept-fields';
import { TransitionRule } from '../../../rules/changes/transition-rule';
import { KUBEADM_CONTROL_PLANE } from '../../../rules/cluster-api/cluster-api-kinds';
import { healthCheckYaml } from '../../../rules/cluster-api/example-manifests';
import { changedText, replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { machineOwners } from '../../../rules/references/object-references';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, numberAt, objectsAt, stringAt, stringsAt } from '../../../values/fields';
import { allOf, Finding } from '../../../values/finding';
import { nearestName } from '../../../values/nearest-name';

/** A part of a machine that is found by its name. */
export interface NamedPart {
  readonly fields: Fields;
  readonly path: FieldPath;
}

/** The parts of a machine in a list. */
export function partsIn({ fields, path }: PlacedFields, ...list: readonly string[]): NamedPart[] {
  return objectsAt(fields, ...list).map(([item, index]) => ({ fields: item, path: [...path, ...list, index] }));
}

/**
 * Parts that have no partner of their name, or a name that another one has.
 *
 * @param parts the parts
 * @param partners what they go together with
 * @param what what a partner is
 */
export function unpaired(parts: readonly NamedPart[], partners: readonly NamedPart[], what: string): Finding[] {
  const names = new Set(partners.map(({ fields }) => fields.name));
  const seen = new Set<string>();
  return parts.flatMap(({ fields, path }) => {
    const name = stringAt(fields, 'name');
    if (name === undefined) return [];
    if (!names.has(name)) {
      const near = nearestName(name, [...names].filter((other) => typeof other === 'string'));
      const fix = near === undefined ? `add the ${what}, or remove this` : `write "${near}" if that ${what} is meant, or add the ${what}`;
      return [{ path: [...path, 'name'], message: `there is no ${what} named "${name}"`, fix }];
    }
    return seen.size < seen.add(name).size ? [] : [{ path: [...path, 'name'], message: `the name "${name}" is there twice`, fix: 'choose another name' }];
  });
}

/** Volumes that are as in their image again after each start. */
const EPHEMERAL: Readonly<Record<string, string>> = { containerDisk: 'a container disk', ephemeral: 'an ephemeral volume' };

const CONTAINER_DISK = INSTANCE.replace('dataVolume: {name: root}', 'containerDisk: {image: "quay.io/capk/ubuntu-2404-container-disk:v1.35.4"}');

/** The disk that a machine starts from. A warning: the provider's own templates have such disks, for clusters that are thrown away. */
export const BOOT_DISK: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-EPHEMERAL-ROOT',
  title: 'A machine that is always restarted must start from a persistent disk: a container disk is reset to its state before the join, so that neither node nor etcd member comes back.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt issue 70, docs/faq.md, kubevirt.io/user-guide/storage/disks_and_volumes',
  kinds: MACHINE_KINDS,
  trap: true,
  warning: true,
  example: {
    failing: machineTemplate({ machine: '          runStrategy: Always\n', instance: CONTAINER_DISK }) + machineDeployment('acme-general'),
    corrected: `${machineTemplate({ machine: '          runStrategy: Once\n', instance: CONTAINER_DISK })}${machineDeployment('acme-general')}---\n${healthCheckYaml('')}`,
  },
  check: (object, index) => {
    const { fields, path } = virtualMachine(object);
    const always = stringAt(fields, 'runStrategy') === 'Always' || fieldAt(fields, 'running') === true;
    const volume = always ? bootVolume(instance(object)) : undefined;
    const kind = volume && Object.keys(EPHEMERAL).find((source) => isSet(volume, source));
    if (kind === undefined) return [];
    return [lostMachine([...path, isSet(fields, 'runStrategy') ? 'runStrategy' : 'running'], EPHEMERAL[kind], servesControlPlane(object, index))];
  },
};

function lostMachine(path: FieldPath, disk: string, controlPlane: boolean): Finding {
  const persistent = 'put its first disk on a DataVolume, in dataVolumeTemplates';
  return {
    path,
    message: controlPlane
      ? `the machine is started again after every end, each time from ${disk}: the member of etcd that it was, and the certificates, are gone`
      : `the machine is started again after every end, each time from ${disk}: the node that it was never comes back`,
    fix: controlPlane ? persistent : `set runStrategy to Once, so that a health check replaces the machine, or ${persistent}`,
  };
}

/**
 * The volume that a machine starts from: that of the lowest bootOrder, or else of the first disk; KubeVirt adds disks for volumes that have
 * none. Undefined if it starts over the network, or if it cannot be determined.
 */
export function bootVolume({ fields }: PlacedFields): Fields | undefined {
  const inOrder = (list: string) => objectsAt(fields, 'domain', 'devices', list).map(([item]) => item);
  const [disks, interfaces, fileSystems] = ['disks', 'interfaces', 'filesystems'].map(inOrder);
  const volumes = objectsAt(fields, 'volumes').map(([volume]) => volume);
  const ordered = [...disks, ...interfaces].filter((device) => numberAt(device, 'bootOrder') !== undefined)
    .sort((one, other) => numberAt(one, 'bootOrder')! - numberAt(other, 'bootOrder')!);
  const added = volumes.filter(({ name }) => ![...disks, ...fileSystems].some((device) => device.name === name));
  const first = ordered[0] ?? [...disks.filter((disk) => diskType(disk) !== 'cdrom'), ...added][0];
  return first && !interfaces.includes(first) ? volumes.find(({ name }) => name === first.name) : undefined;
}

function servesControlPlane(object: ManifestObject, index: ManifestIndex): boolean {
  return isSet(object, 'metadata', 'labels', 'cluster.x-k8s.io/control-plane')
    || machineOwners(object, index).some((owner) => groupKind(owner) === KUBEADM_CONTROL_PLANE);
}

const DISK_WEBHOOK = 'kubevirt/kubevirt pkg/storage/admitters/disks.go';
const INSTANCE_WEBHOOK = 'kubevirt/kubevirt pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go';
const DATA_VOLUME_WEBHOOK = 'kubevirt/kubevirt pkg/storage/admitters/data-volume-template.go';
const PROVIDER = 'kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/utils.go';

/** The volume and the disk that the provider adds. */
const BOOTSTRAP_VOLUME = 'cloudinitvolume';
const CLOUD_INIT: readonly string[] = ['cloudInitConfigDrive', 'cloudInitNoCloud'];
const MIN_BLOCK_SIZE = 512;
const MAX_BLOCK_SIZE = 2 * 1024 * 1024;
const BUSES: readonly string[] = ['virtio', 'sata', 'scsi', 'usb'];

const cloudInit: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-CLOUD-INIT',
  title: 'Machines must not have a cloud-init volume or a volume named cloudinitvolume: the provider adds one under that name.',
  source: PROVIDER,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({
    domain: domainWith(DEVICES.replace('                  interfaces', '                    - {name: init, disk: {bus: virtio}}\n                  interfaces')),
    instance: `${INSTANCE}                - {name: init, cloudInitNoCloud: {userData: "#cloud-config"}}\n`,
  }),
  check: (object) => {
    const { fields, path } = instance(object);
    return allOf(
      objectsAt(fields, 'volumes').flatMap(([volume, index]) => {
        const kind = CLOUD_INIT.find((source) => isSet(volume, source));
        if (kind === undefined) return volume.name === BOOTSTRAP_VOLUME ? [reservedName([...path, 'volumes', index])] : [];
        return [{
          path: [...path, 'volumes', index],
          message: `the provider adds the only ${kind.slice(0, 9)} volume that a machine can have`,
          fix: 'remove the volume, and bring what is in it through the bootstrap configuration',
        }];
      }),
      objectsAt(fields, 'domain', 'devices', 'disks').filter(([disk]) => disk.name === BOOTSTRAP_VOLUME)
        .map(([, index]) => reservedName([...path, 'domain', 'devices', 'disks', index])),
    );
  },
};

const pairs: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-DISKS',
  title: 'Every disk of a machine must have a unique name and a volume of that name: KubeVirt refuses the machine otherwise. It adds disks for volumes without one.',
  source: `${DISK_WEBHOOK}, ${INSTANCE_WEBHOOK}, pkg/defaults/defaults.go (default disks)`,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({
    domain: domainWith(DEVICES.replace('                  interfaces', '                    - {name: data, disk: {bus: virtio}}\n                  interfaces')),
  }),
  check: checkPairs,
};

const bus: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-DISK-BUS',
  title: 'The bus of a machine\'s disk must be one that KubeVirt knows.',
  source: DISK_WEBHOOK,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({ domain: domainWith(DEVICES.replace('bus: virtio', 'bus: nvme')) }),
  check: (object) => {
    const { fields, path } = instance(object);
    return objectsAt(fields, 'domain', 'devices', 'disks').flatMap(([disk, index]) => {
      const type = diskType(disk);
      const given = type === undefined ? undefined : stringAt(disk, type, 'bus');
      return given === undefined || BUSES.includes(given) ? [] : [{
        path: [...path, 'domain', 'devices', 'disks', index, type!, 'bus'], message: `there is no bus "${given}"`, accepted: BUSES.join(', '), fix: 'write virtio',
      }];
    });
  },
};

const blockSize: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-BLOCK-SIZE',
  title: 'Block sizes must be powers of two from 512 to 2097152 bytes, and the logical size must not exceed the physical size.',
  source: DISK_WEBHOOK,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({ domain: domainWith(DEVICES.replace('bus: virtio}', 'bus: virtio}, blockSize: {custom: {logical: 512, physical: 3000}}')) }),
  check: (object) => {
    const { fields, path } = instance(object);
    return objectsAt(fields, 'domain', 'devices', 'disks')
      .flatMap(([disk, index]) => checkBlockSize(fieldAt(disk, 'blockSize', 'custom'), [...path, 'domain', 'devices', 'disks', index, 'blockSize', 'custom']));
  },
};

const unused: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-DATA-VOLUME-UNUSED',
  title: 'A volume must use every template of a DataVolume: KubeVirt refuses the machine otherwise.',
  source: DATA_VOLUME_WEBHOOK,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({ instance: INSTANCE.replace('dataVolume: {name: root}', 'ephemeral: {persistentVolumeClaim: {claimName: images}}') }),
  check: (object) => {
    const { fields, path } = virtualMachine(object);
    const used = volumesOf(fields).map(({ claim }) => claim);
    return templatesOf(fields).filter(({ name }) => !used.includes(name)).map(({ name, index }) => ({
      path: [...path, 'dataVolumeTemplates', index, 'metadata', 'name'], message: `no volume uses the DataVolume "${name}"`, fix: 'name it in a volume, or remove it',
    }));
  },
};

const shared: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-DATA-VOLUME-SHARED',
  title: 'The DataVolumes of a machine must come from templates: all machines would share an existing one.',
  source: PROVIDER,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({ machine: '          runStrategy: RerunOnFailure\n' }),
  check: (object) => {
    const { fields, path } = virtualMachine(object);
    const names = templatesOf(fields).map(({ name }) => name);
    return volumesOf(fields).filter(({ claim, field }) => field === 'dataVolume' && claim !== undefined && !names.includes(claim)).map(({ claim, index }) => ({
      path: [...path, 'template', 'spec', 'volumes', index, 'dataVolume', 'name'],
      message: `no template makes the DataVolume "${claim}", so that all machines have the same one`,
      fix: 'add it to dataVolumeTemplates',
    }));
  },
};

const source: ManifestRule = {
  id: 'TC-TRAP-KUBEVIRT-DATA-VOLUME-SPEC',
  title: 'A DataVolume must have one source, and either storage or pvc.',
  source: `${DATA_VOLUME_WEBHOOK}, kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-validate.go`,
  kinds: MACHINE_KINDS,
  trap: true,
  example: machineExample({
    machine: persistentMachine().replace('                storage:', '                pvc: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 20Gi}}}\n                storage:'),
  }),
  check: (object) => {
    const { fields, path } = virtualMachine(object);
    return objectsAt(fields, 'dataVolumeTemplates').flatMap(([template, index]) => (
      isFields(template.spec) ? checkDataVolume(template.spec, [...path, 'dataVolumeTemplates', index, 'spec']) : []
    ));
  },
};

/** Rules of KubeVirt for the disks of any virtual machine. */
export const REFUSED_DISKS: readonly ManifestRule[] = [pairs, bus, blockSize];

/** Rules of KubeVirt for the DataVolumes of any virtual machine. */
export const REFUSED_DATA_VOLUMES: readonly ManifestRule[] = [unused, source];

/** Disks and what is on them. */
export const DISKS: readonly ManifestRule[] = [cloudInit, pairs, bus, blockSize, unused, shared, source];

function reservedName(path: FieldPath): Finding {
  return {
    path: [...path, 'name'],
    message: `the provider adds a disk and volume named "${BOOTSTRAP_VOLUME}" with the bootstrap data itself`,
    fix: 'choose another name, such as "data", or remove it',
  };
}

function checkPairs(object: ManifestObject): readonly Finding[] {
  const placed = instance(object);
  const isOwn = ({ fields }: NamedPart): boolean => fields.name !== BOOTSTRAP_VOLUME || !MACHINE_KINDS.includes(groupKind(object));
  const [disks, volumes] = [['domain', 'devices', 'disks'], ['volumes']].map((list) => partsIn(placed, ...list).filter(isOwn));
  // Two volumes of one name are refused as two disks are.
  return allOf(unpaired(disks, volumes, 'volume'), unpaired(volumes, volumes, 'volume'));
}

function checkBlockSize(custom: unknown, path: FieldPath): readonly Finding[] {
  const sizes = ['logical', 'physical'].map((name) => ({ name, size: numberAt(custom, name) ?? MIN_BLOCK_SIZE }));
  const [logical, physical] = sizes.map(({ size }) => size);
  // Other rules refuse numbers below 0 and fractions.
  const wrong = sizes.filter(({ size }) => Number.isInteger(size) && size >= 0)
    .filter(({ size }) => !Number.isInteger(Math.log2(size)) || size < MIN_BLOCK_SIZE || size > MAX_BLOCK_SIZE);
  if (wrong.length > 0) {
    return wrong.map(({ name, size }) => ({
      path: [...path, name], message: `${size} bytes is no block size`, accepted: `powers of two from ${MIN_BLOCK_SIZE} to ${MAX_BLOCK_SIZE}`, fix: 'write 512 or 4096',
    }));
  }
  return logical <= physical ? [] : [{
    path: [...path, 'logical'],
    message: `the logical block size of ${logical} bytes is larger than the physical one of ${physical}`,
    fix: 'write a logical size up to the physical one, such as 512 and 4096',
  }];
}

function templatesOf(machine: unknown): { readonly name: string; readonly index: number }[] {
  return objectsAt(machine, 'dataVolumeTemplates').flatMap(([template, index]) => {
    const name = stringAt(template, 'metadata', 'name');
    return name === undefined ? [] : [{ name, index }];
  });
}

/** The volumes that stand for claims, and by which field they do. */
function volumesOf(machine: unknown): { readonly claim: string | undefined; readonly field: string; readonly index: number }[] {
  return objectsAt(machine, 'template', 'spec', 'volumes').flatMap(([volume, index]) => (isSet(volume, 'dataVolume')
    ? [{ claim: stringAt(volume, 'dataVolume', 'name'), field: 'dataVolume', index }]
    : [{ claim: stringAt(volume, 'persistentVolumeClaim', 'claimName'), field: 'persistentVolumeClaim', index }]));
}

function checkDataVolume(spec: unknown, path: FieldPath): readonly Finding[] {
  const claims = ['storage', 'pvc'].filter((field) => isSet(spec, field));
  const populated = claims.some((field) => isSet(spec, field, 'dataSource') || isSet(spec, field, 'dataSourceRef'));
  const given = fieldAt(spec, 'source');
  const sources = [...(isFields(given) ? Object.keys(given) : []), ...(isSet(spec, 'sourceRef') ? ['sourceRef'] : []), ...(populated ? ['a data source of its claim'] : [])];
  return allOf(
    claims.length === 1 ? [] : [{ path, message: claims.length === 0 ? 'it has neither storage nor pvc' : 'it has both storage and pvc', fix: 'keep one of the two' }],
    claims.length === 1 && isSet(spec, 'pvc') && listAt(spec, 'pvc', 'accessModes').length !== 1
      ? [{ path: [...path, 'pvc', 'accessModes'], message: 'a pvc has exactly one access mode', accepted: ACCESS_MODES.join(', '), fix: 'write one, or storage in the place of pvc, which takes the modes of the class' }] : [],
    sources.length === 1 ? [] : [{ path, message: sources.length === 0 ? 'it has no source' : `it has ${sources.length} sources: ${sources.join(', ')}`, fix: 'give one source' }],
  );
}

const ACCESS_MODES: readonly string[] = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod'];

const PROFILE_TEXT = `apiVersion: cdi.kubevirt.io/v1beta1
kind: StorageProfile
metadata:
  name: fast
spec:
  claimPropertySets:
    - accessModes: [ReadWriteMany]
      volumeMode: Block
`;

/** Rule for what CDI knows of a StorageClass. */
export const ACCESS_MODE_OF_PROFILE: ManifestRule = {
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

/** Rule for the spec of volumes that CDI imports. */
export const DATA_VOLUME_SPEC: ManifestRule = {
  id: 'TC-ADMIT-CDI-DATA-VOLUME',
  title: 'A DataVolume must have one source, and either storage or pvc; a pvc must have one access mode.',
  source: 'kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-validate.go (validateDataVolumeSpec), v1.66.0',
  kinds: ['cdi.kubevirt.io/DataVolume'],
  example: replaced(DATA_VOLUME_TEXT.replace('storage:\n', 'pvc:\n    accessModes: [ReadWriteOnce]\n'), '    accessModes: [ReadWriteOnce]\n', ''),
  check: (object) => (isFields(object.spec) ? checkDataVolume(object.spec, ['spec']) : []),
};

/** Rule for changes of volumes that CDI imports. */
export const DATA_VOLUME_CHANGE: TransitionRule = {
  id: 'TC-CHANGE-DATA-VOLUME',
  title: 'The spec of a DataVolume cannot be changed.',
  source: 'kubevirt/containerized-data-importer pkg/apiserver/webhooks/datavolume-validate.go',
  kinds: ['cdi.kubevirt.io/DataVolume'],
  example: changedText(DATA_VOLUME_TEXT, { 'v1.35.4': 'v1.35.5' }, { 'v1.35.4': 'v1.35.5', 'golden': 'golden-2' }),
  // Imports in several stages add to their checkpoints.
  check: (change) => ['source', 'sourceRef', 'pvc', 'storage', 'contentType', 'preallocation', 'priorityClassName'].flatMap((field) => (
    keeps([{ path: ['spec', field] }], 'keep it, or give the object another name')(change))),
};
