// vSphere, as the infrastructure of tenant clusters.

export { VSphereIdentity } from './vsphere-identity';
export { VSphereInfrastructure, VSphereInfrastructureProps } from './vsphere-infrastructure';
export { VSphereDataDisk, VSphereMachine, VSphereMachineProps, VSphereNetworkDevice, VSpherePciDevice } from './vsphere-machine';
export { VSphereStorageClass } from './vsphere-charts';
export { VSphereHosts, VSpherePlace, VSphereTag, VSphereZone, VSphereZoneProps } from './vsphere-zone';
