import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { ofOneObject } from '../../../rules/of-one-object';
import { fieldAt, FieldPath } from '../../../values/fields';

export const KUBEVIRT_CLUSTER = 'infrastructure.cluster.x-k8s.io/KubevirtCluster';
export const KUBEVIRT_CLUSTER_TEMPLATE = 'infrastructure.cluster.x-k8s.io/KubevirtClusterTemplate';
export const KUBEVIRT_MACHINE = 'infrastructure.cluster.x-k8s.io/KubevirtMachine';
export const KUBEVIRT_MACHINE_TEMPLATE = 'infrastructure.cluster.x-k8s.io/KubevirtMachineTemplate';

/** Kinds from which virtual machines are made. */
export const MACHINE_KINDS: readonly string[] = [KUBEVIRT_MACHINE_TEMPLATE, KUBEVIRT_MACHINE];

export const VIRTUAL_MACHINE = 'kubevirt.io/VirtualMachine';
export const VIRTUAL_MACHINE_INSTANCE = 'kubevirt.io/VirtualMachineInstance';

const DISK_TYPES: readonly string[] = ['disk', 'cdrom', 'lun', 'floppy'];

/** A part of an object, and where it is. */
export interface PlacedFields {
  readonly fields: unknown;
  readonly path: FieldPath;
}

/** Fields of a machine; of a template, those of its machines. */
export const machineFields = ofOneObject((object: ManifestObject): PlacedFields => {
  return at(object, groupKind(object) === KUBEVIRT_MACHINE_TEMPLATE ? ['spec', 'template', 'spec'] : ['spec']);
});

/** `spec` of the VirtualMachine. */
export const virtualMachine = ofOneObject((object: ManifestObject): PlacedFields => {
  if (groupKind(object) === VIRTUAL_MACHINE) return at(object, ['spec']);
  const { fields, path } = machineFields(object);
  const inner = ['virtualMachineTemplate', 'spec'];
  return { fields: fieldAt(fields, ...inner), path: [...path, ...inner] };
});

/** `spec` of the VirtualMachineInstance. */
export const instance = ofOneObject((object: ManifestObject): PlacedFields => {
  if (groupKind(object) === VIRTUAL_MACHINE_INSTANCE) return at(object, ['spec']);
  const { fields, path } = virtualMachine(object);
  const inner = ['template', 'spec'];
  return { fields: fieldAt(fields, ...inner), path: [...path, ...inner] };
});

/** The type of a disk: a disk, a drive for images, … */
export function diskType(disk: unknown): string | undefined {
  return DISK_TYPES.find((type) => fieldAt(disk, type) !== undefined);
}

function at(object: ManifestObject, path: readonly string[]): PlacedFields {
  return { fields: fieldAt(object, ...path), path };
}
