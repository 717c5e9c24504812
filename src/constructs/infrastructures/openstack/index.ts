// OpenStack, as the infrastructure of tenant clusters.

export { OpenStackApiServer, OpenStackLoadBalancerOptions } from './openstack-api-server';
export { OpenStackIdentity, OpenStackIdentityOptions } from './openstack-identity';
export { OpenStackInfrastructure, OpenStackInfrastructureProps } from './openstack-infrastructure';
export { OpenStackMachine, OpenStackMachineProps, OpenStackPort, OpenStackRootVolume } from './openstack-machine';
export { OpenStackExistingNetwork, OpenStackManagedNetwork, OpenStackNetwork } from './openstack-network';
export { OpenStackResource } from './openstack-resource';
export {
  OpenStackManagedGroup, OpenStackManagedSecurityGroupsOptions, OpenStackSecurityGroupRule, OpenStackSecurityGroups,
} from './openstack-security-groups';
