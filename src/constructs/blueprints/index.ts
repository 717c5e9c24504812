// Whole tenant clusters, each for one purpose.

export { BlueprintBackup } from './blueprint-backup';
export { BlueprintOptions, BlueprintPool } from './blueprint-options';
export { DiyCloud, DiyCloudOptions, DiyCloudProps } from './diy-cloud';
export { GpuCluster, GpuClusterOptions, GpuClusterProps } from './gpu-cluster';
export { HighlyAvailable, HighlyAvailableOptions, HighlyAvailableProps } from './highly-available';
export { KubevirtBlueprintOptions, KubevirtBlueprintPool } from './kubevirt-parts';
export { PlatformCluster, PlatformClusterOptions, PlatformClusterProps } from './platform-cluster';
export { SmallEdge, SmallEdgeOptions, SmallEdgeProps } from './small-edge';
export { VultrBlueprintPool, VultrStarter, VultrStarterOptions, VultrStarterProps } from './vultr-starter';
