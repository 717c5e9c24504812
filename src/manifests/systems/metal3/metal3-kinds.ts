import { providerYaml, templateYaml } from '../../rules/contract';

export const METAL3_CLUSTER_KIND = 'Metal3Cluster';

/** Kinds of Metal3, as `group/Kind`. */
export const METAL3_CLUSTER = `infrastructure.cluster.x-k8s.io/${METAL3_CLUSTER_KIND}`;
export const METAL3_CLUSTER_TEMPLATE = 'infrastructure.cluster.x-k8s.io/Metal3ClusterTemplate';
export const METAL3_MACHINE = 'infrastructure.cluster.x-k8s.io/Metal3Machine';
export const METAL3_MACHINE_TEMPLATE = 'infrastructure.cluster.x-k8s.io/Metal3MachineTemplate';
export const METAL3_DATA_TEMPLATE = 'infrastructure.cluster.x-k8s.io/Metal3DataTemplate';

/** The API version of Metal3's infrastructure kinds that the library writes. */
export const METAL3_API_VERSION = 'infrastructure.cluster.x-k8s.io/v1beta2';

/** Label of nodes with the UID of their BareMetalHost, by which the provider finds the node of a machine. */
export const HOST_LABEL = 'metal3.io/uuid';

/** The UID of the BareMetalHost in the metadata of a machine (metal3-io/baremetal-operator pkg/provisioner/ironic/ironic.go). */
export const HOST_UID = '{{ ds.meta_data.uuid }}';

/** A template of data of an example. */
export const DATA_TEXT = providerYaml(METAL3_API_VERSION, 'Metal3DataTemplate', `clusterName: acme
metaData:
  fromHostInterfaces: [{key: mac, interface: eno1}]
  ipAddressesFromPool: [{key: address, name: nodes, apiGroup: ipam.metal3.io, kind: IPPool}]
networkData:
  links:
    ethernets: [{id: eno1, type: phy, macAddress: {fromHostInterface: eno1}}]
    vlans: [{id: storage, vlanID: 20, vlanLink: eno1, macAddress: {fromHostInterface: eno1}}]
  networks:
    ipv4: [{id: nodes, link: eno1, fromPoolRef: {name: nodes, apiGroup: ipam.metal3.io, kind: IPPool}}]
`);

/** A template of machines of an example. */
export function machineTemplateText(fields = '', name = 'acme'): string {
  return templateYaml(METAL3_API_VERSION, 'Metal3MachineTemplate', `hostSelector: {matchExpressions: [{key: rack, operator: in, values: [r1, r2]}]}
image:
  url: https://images.example.com/node.qcow2
  checksum: https://images.example.com/node.qcow2.sha256
${fields}`, name);
}
