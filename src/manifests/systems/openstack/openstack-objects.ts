import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { FieldPath } from '../../values/fields';

const GROUP = 'infrastructure.cluster.x-k8s.io';

export const OPENSTACK_CLUSTER = `${GROUP}/OpenStackCluster`;
export const OPENSTACK_CLUSTER_TEMPLATE = `${GROUP}/OpenStackClusterTemplate`;

/** The path of the fields that describe a cluster: of a template, those that its objects get. */
export function clusterPath(object: ManifestObject): FieldPath {
  return groupKind(object) === OPENSTACK_CLUSTER_TEMPLATE ? ['spec', 'template', 'spec'] : ['spec'];
}

/** A cluster of an example. */
export function clusterText(fields: string): string {
  return `apiVersion: ${GROUP}/v1beta1
kind: OpenStackCluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  identityRef: {name: acme-cloud-config, cloudName: openstack}
${fields}`;
}

/** A template of machines of an example. */
export function machineTemplateText(fields: string, name = 'acme-workers'): string {
  return `apiVersion: ${GROUP}/v1beta1
kind: OpenStackMachineTemplate
metadata:
  name: ${name}
  namespace: tenant-acme
spec:
  template:
    spec:
      flavor: m1.large
      image: {filter: {name: ubuntu-2404}}
${fields}`;
}
