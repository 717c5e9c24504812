// Whole tenant clusters, each for one purpose.

export { BlueprintOptions, BlueprintPool } from './blueprint-options';
export { DiyCloud, DiyCloudOptions, DiyCloudProps } from './diy-cloud';
export { KubevirtBlueprintOptions, KubevirtBlueprintPool } from './kubevirt-blueprint-options';
