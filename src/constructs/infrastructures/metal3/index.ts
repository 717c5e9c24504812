// Metal3, as the infrastructure of tenant clusters on bare metal hosts.

export { Metal3AddressPool, Metal3AddressPoolProps } from '../metal3-ipam/metal3-address-pool';
export { Metal3FailureDomain, Metal3Infrastructure, Metal3InfrastructureProps } from './metal3-infrastructure';
export { Metal3HostRequirement, Metal3Image, Metal3Machine, Metal3MachineProps } from './metal3-machine';
export { Metal3Object, Metal3Value } from './metal3-metadata';
export {
  Metal3BondOptions, Metal3Link, Metal3LinkOptions, Metal3Network, Metal3NetworkData, Metal3NetworkOptions, Metal3Route, Metal3StaticNetworkOptions,
  Metal3VlanOptions,
} from './metal3-network-data';
export { Metal3RebootOptions, Metal3Remediation } from './metal3-remediation';
