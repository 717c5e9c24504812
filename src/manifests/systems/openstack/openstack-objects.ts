import { providerYaml, templateYaml } from '../../rules/contract';

const GROUP = 'infrastructure.cluster.x-k8s.io';

/** The API version that the library writes. */
export const API_VERSION = `${GROUP}/v1beta1`;

export const OPENSTACK_CLUSTER_KIND = 'OpenStackCluster';
export const OPENSTACK_CLUSTER = `${GROUP}/${OPENSTACK_CLUSTER_KIND}`;
export const OPENSTACK_CLUSTER_TEMPLATE = `${GROUP}/OpenStackClusterTemplate`;
export const OPENSTACK_MACHINE = `${GROUP}/OpenStackMachine`;
export const OPENSTACK_MACHINE_TEMPLATE = `${GROUP}/OpenStackMachineTemplate`;
export const OPENSTACK_SERVER = `${GROUP}/OpenStackServer`;

/** A cluster of an example. */
export function clusterText(fields: string): string {
  return providerYaml(API_VERSION, 'OpenStackCluster', `identityRef: {name: acme-cloud-config, cloudName: openstack}\n${fields}`);
}

/** A template of machines of an example. */
export function machineTemplateText(fields: string, name = 'acme-workers'): string {
  return templateYaml(API_VERSION, 'OpenStackMachineTemplate', `${MACHINE_TEXT}${fields}`, name);
}

/** A machine of an example. */
export const MACHINE_TEXT = 'flavor: m1.large\nimage: {filter: {name: ubuntu-2404}}\n';
