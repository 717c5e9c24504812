// Nifcloud, as the platform of a cluster on hosts.

export { NifcloudCredentials } from './credentials';
export { NifcloudNetworkInterfaces } from './guest-tools';
export { NifcloudLoadBalancer } from './nifcloud-load-balancer';
export { NifcloudCloudControllerManager, NifcloudCloudControllerManagerProps } from './nifcloud-cloud-controller-manager';
export { NifcloudCsiDriver, NifcloudCsiDriverProps } from './nifcloud-csi-driver';
export { NifcloudPlatform, NifcloudPlatformProps } from './nifcloud-platform';
export { NifcloudDiskAccountingType, NifcloudDiskType, NifcloudFileSystem, NifcloudStorageClass } from './nifcloud-storage-class';
