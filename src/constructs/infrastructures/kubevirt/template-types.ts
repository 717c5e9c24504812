import {
  KubevirtMachineTemplateSpecTemplateSpecVirtualMachineTemplateSpec,
} from '../../../../imports/infrastructure.cluster.x-k8s.io';

/** The virtual machine of a `KubevirtMachineTemplate`, and the parts of it that are made one by one. */
export type VirtualMachineFields = KubevirtMachineTemplateSpecTemplateSpecVirtualMachineTemplateSpec;
export type InstanceFields = NonNullable<VirtualMachineFields['template']['spec']>;
export type DataVolumeTemplate = NonNullable<VirtualMachineFields['dataVolumeTemplates']>[number];
export type DataVolumeFields = DataVolumeTemplate['spec'];
export type DomainFields = InstanceFields['domain'];
export type DeviceFields = DomainFields['devices'];
export type DiskFields = NonNullable<DeviceFields['disks']>[number];
export type VolumeFields = NonNullable<InstanceFields['volumes']>[number];
export type InterfaceFields = NonNullable<DeviceFields['interfaces']>[number];
export type NetworkFields = NonNullable<InstanceFields['networks']>[number];
