// The contract of infrastructures: what their classes are written with. Packages of other providers have it from the public names of the library
// and its module `extension`.

export { unlessEmpty } from '../../manifests/values/fields';
export { Problem, Rule } from '../../manifests/values/problem';
export { ProviderAddons, releasedChart } from '../addons/provider-addons';
export { ProviderPrograms, ProviderStorageClass, ProviderStorageClassOptions } from '../addons/provider-chart';
export { TenantSecret } from '../addons/tenant-secret';
export { Problems } from '../app/problems/problems';
export { FieldSources } from '../app/synth/field-sources';
export { TypedApiObject } from '../app/synth/typed-api-object';
export { Addon, AddonCapability } from '../contracts/addon';
export { API_SERVER_PORT } from '../contracts/api-server-address';
export { ApiServerAddresses, ClusterContext, ClusterIdentity } from '../contracts/cluster-context';
export { Infrastructure, InfrastructureConfig, infrastructureOf } from '../contracts/infrastructure';
export { InfrastructureCapabilities } from '../contracts/infrastructure-capabilities';
export { MachineConfig, ProviderMachine } from '../contracts/machine';
export { ExtendedResource, MachineCapacity, StatedCapacity } from '../contracts/machine-capacity';
export { AddressPool, AddressPoolReference, devicePools, MachineAddressPool, poolsOnce } from '../contracts/network/address-pool';
export { CniPort } from '../contracts/network/cni-port';
export { NodeName } from '../contracts/node-name';
export { PoolContext } from '../contracts/node-pool/pool-context';
export { IgnitionSetup, NodeSetup } from '../contracts/node-setup';
export { objectFields } from '../contracts/object-fields';
export { checkInstead, endpointOwner, filled, ProviderObjects, setFields } from '../contracts/provider-object';
