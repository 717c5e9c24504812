import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { providerYaml } from '../../rules/cluster-api/example-manifests';
import { indented } from '../../rules/example-text';
import { FieldPath } from '../../values/fields';

const GROUP = 'infrastructure.cluster.x-k8s.io';

/** The API version that the library writes. */
export const API_VERSION = `${GROUP}/v1beta1`;

export const OPENSTACK_CLUSTER = `${GROUP}/OpenStackCluster`;
export const OPENSTACK_CLUSTER_TEMPLATE = `${GROUP}/OpenStackClusterTemplate`;
export const OPENSTACK_MACHINE_TEMPLATE = `${GROUP}/OpenStackMachineTemplate`;

/** The path of the fields that describe a cluster: of a template, those that its objects get. */
export function clusterPath(object: ManifestObject): FieldPath {
  return groupKind(object) === OPENSTACK_CLUSTER_TEMPLATE ? ['spec', 'template', 'spec'] : ['spec'];
}

/** A cluster of an example. */
export function clusterText(fields: string): string {
  return providerYaml(API_VERSION, 'OpenStackCluster', `identityRef: {name: acme-cloud-config, cloudName: openstack}\n${fields}`);
}

/** A template of machines of an example. */
export function machineTemplateText(fields: string, name = 'acme-workers'): string {
  return providerYaml(API_VERSION, 'OpenStackMachineTemplate', `template:\n  spec:\n${indented(`${MACHINE_TEXT}${fields}`, 4)}`, name);
}

/** A machine of an example. */
export const MACHINE_TEXT = 'flavor: m1.large\nimage: {filter: {name: ubuntu-2404}}\n';
