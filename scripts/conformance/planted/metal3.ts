import { PlantedMistakes } from './planted-mistake';

const MACHINE = 'spec.template.spec';
const KUBELET = 'spec.template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs';
const NETWORK = 'spec.networkData';
const HOSTS = ['control-plane', 'storage', 'worker'].map((role, index) => `apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: {name: host-${index}, namespace: tenant-acme, labels: {example.com/role: ${role}}}
spec: {online: true, bootMACAddress: '52:54:00:12:34:5${index}', bmc: {address: 'redfish://192.0.2.10${index}/redfish/v1/Systems/1', credentialsName: host-${index}}}
`).join('---\n');
const HOSTS_IN_A_RACK = HOSTS.replaceAll('labels: {', 'labels: {infrastructure.cluster.x-k8s.io/failure-domain: rack-1, ');

/** Mistakes in clusters of Metal3 (metal3-io/cluster-api-provider-metal3 v1.13.2: definitions, internal/webhooks, baremetal; metal3-io/ip-address-manager v1.13.2). */
export const METAL3_MISTAKES: PlantedMistakes = {
  provider: 'metal3',
  example: 'example-metal3',
  mistakes: [
    {
      words: 'an image by a URL without a scheme',
      object: 'Metal3MachineTemplate acme-general',
      at: `${MACHINE}.image.url`,
      value: 'images.example.com/node.raw',
      found: ['TC-ADMIT-FIELD-VALUE'],
    },
    {
      words: 'an image without a checksum',
      object: 'Metal3MachineTemplate acme-general',
      at: `${MACHINE}.image.checksum`,
      found: ['TC-ADMIT-FIELD-REQUIRED'],
    },
    {
      words: 'an empty checksum',
      object: 'Metal3MachineTemplate acme-general',
      at: `${MACHINE}.image.checksum`,
      value: '',
      found: ['TC-ADMIT-METAL3-IMAGE'],
    },
    {
      words: 'a field of the older version of the API',
      object: 'Metal3MachineTemplate acme-general',
      at: `${MACHINE}.image.format`,
      value: 'raw',
      found: ['TC-ADMIT-FIELD-UNKNOWN'],
    },
    {
      words: 'neither an image nor a deploy method',
      object: 'Metal3MachineTemplate acme-general',
      at: `${MACHINE}.image`,
      found: ['TC-ADMIT-METAL3-IMAGE'],
    },
    { words: 'no address of the API server', object: 'Metal3Cluster acme', at: 'spec.controlPlaneEndpoint', found: ['TC-ADMIT-METAL3-ENDPOINT'] },
    {
      words: 'an address that kube-vip does not carry',
      object: 'Metal3Cluster acme',
      at: 'spec.controlPlaneEndpoint.host',
      value: '192.0.2.12',
      found: ['TC-TRAP-KUBE-VIP-ENDPOINT'],
    },
    {
      words: 'a host selector that no BareMetalHost has',
      object: 'Metal3MachineTemplate acme-general',
      at: `${MACHINE}.hostSelector.matchLabels`,
      value: { 'example.com/role': 'wroker' },
      found: ['TC-TRAP-METAL3-NO-HOST'],
      beside: HOSTS,
    },
    {
      words: 'an operator of a LabelSelector',
      object: 'Metal3MachineTemplate acme-general',
      at: `${MACHINE}.hostSelector.matchExpressions`,
      value: [{ key: 'example.com/rack', operator: 'DoesNotExist', values: [] }],
      found: ['TC-TRAP-METAL3-HOST-SELECTOR'],
    },
    {
      words: 'a Metal3DataTemplate that is not there',
      object: 'Metal3MachineTemplate acme-general',
      at: `${MACHINE}.dataTemplate.name`,
      value: 'acme-generl',
      found: ['TC-TRAP-METAL3-DATA-TEMPLATE'],
    },
    {
      words: 'a reference to a Metal3DataTemplate without its name',
      object: 'Metal3MachineTemplate beta-general',
      at: `${MACHINE}.dataTemplate`,
      value: {},
      found: ['TC-TRAP-METAL3-DATA-NAME'],
    },
    {
      words: 'a Metal3DataTemplate of another cluster',
      object: 'Metal3DataTemplate acme-general',
      at: 'spec.clusterName',
      value: 'beta',
      found: ['TC-TRAP-METAL3-DATA-TEMPLATE'],
    },
    {
      words: 'a pool that is not there',
      object: 'Metal3DataTemplate acme-general',
      at: `${NETWORK}.networks.ipv4.0.fromPoolRef.name`,
      value: 'acme-node',
      found: ['TC-TRAP-ADDRESS-POOL-MISSING'],
    },
    {
      words: 'a pool without enough addresses',
      object: 'IPPool acme-nodes',
      at: 'spec.pools.0.end',
      value: '192.0.2.25',
      found: ['TC-TRAP-ADDRESS-POOL-EXHAUSTED'],
    },
    {
      words: 'a pool with the address of the API server',
      object: 'IPPool acme-nodes',
      at: 'spec.pools.0.start',
      value: '192.0.2.11',
      found: ['TC-TRAP-ADDRESS-POOL-ENDPOINT'],
    },
    {
      words: 'a pool with the address of its router',
      object: 'IPPool acme-nodes',
      at: 'spec.gateway',
      value: '192.0.2.30',
      found: ['TC-TRAP-METAL3-POOL-GATEWAY'],
    },
    { words: 'a pool without a prefix length', object: 'IPPool acme-nodes', at: 'spec.prefix', found: ['TC-TRAP-METAL3-POOL-PREFIX'] },
    {
      words: 'a range that ends before it starts',
      object: 'IPPool acme-nodes',
      at: 'spec.pools.0.end',
      value: '192.0.2.19',
      found: ['TC-ADMIT-METAL3-IP-POOL'],
    },
    {
      words: 'a network of a link that is not there',
      object: 'Metal3DataTemplate acme-general',
      at: `${NETWORK}.networks.ipv4.0.link`,
      value: 'eno2',
      found: ['TC-TRAP-METAL3-NETWORK-DATA'],
    },
    {
      words: 'a VLAN of a link that is not there',
      object: 'Metal3DataTemplate acme-general',
      at: `${NETWORK}.links.vlans.0.vlanLink`,
      value: 'bond1',
      found: ['TC-TRAP-METAL3-NETWORK-DATA'],
    },
    {
      words: 'a VLAN that cannot be',
      object: 'Metal3DataTemplate acme-general',
      at: `${NETWORK}.links.vlans.0.vlanID`,
      value: 5000,
      found: ['TC-ADMIT-FIELD-VALUE'],
    },
    {
      words: 'a static network without a pool',
      object: 'Metal3DataTemplate acme-general',
      at: `${NETWORK}.networks.ipv4.0.fromPoolRef`,
      found: ['TC-ADMIT-METAL3-DATA'],
    },
    {
      words: 'a route without a gateway',
      object: 'Metal3DataTemplate acme-general',
      at: `${NETWORK}.networks.ipv4.0.routes.0.gateway`,
      value: {},
      found: ['TC-TRAP-METAL3-NETWORK-DATA'],
    },
    {
      words: 'a pool of another provider in the metadata',
      object: 'Metal3DataTemplate acme-general',
      at: 'spec.metaData.ipAddressesFromPool.0',
      value: { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'acme-nodes', key: 'node_address' },
      found: ['TC-TRAP-METAL3-DATA-POOL'],
    },
    {
      words: 'a provider ID of another scheme',
      object: 'KubeadmConfigTemplate acme-general',
      at: `${KUBELET}.0`,
      value: { name: 'provider-id', value: 'baremetal://{{ ds.meta_data.uuid }}' },
      found: ['TC-TRAP-KUBEADM-PROVIDER-ID'],
    },
    {
      words: 'nodes without the label of their host',
      object: 'KubeadmConfigTemplate acme-general',
      at: KUBELET,
      found: ['TC-TRAP-METAL3-NODE-LABEL'],
    },
    {
      words: 'a provider ID in a template',
      object: 'Metal3MachineTemplate acme-general',
      at: `${MACHINE}.providerID`,
      value: 'metal3://tenant-acme/host-1/acme-1',
      found: ['TC-TRAP-METAL3-PROVIDER-ID'],
    },
    {
      words: 'a failure domain that no host has',
      object: 'MachineDeployment acme-storage',
      at: 'spec.template.spec.failureDomain',
      value: 'rack-9',
      found: ['TC-TRAP-METAL3-FAILURE-DOMAIN'],
      beside: HOSTS_IN_A_RACK,
    },
    {
      words: 'hosts that are reused, and a rollout that needs others',
      object: 'MachineDeployment acme-storage',
      at: 'spec.rollout.strategy.rollingUpdate',
      value: { maxSurge: 1, maxUnavailable: 0 },
      found: ['TC-TRAP-METAL3-NODE-REUSE'],
    },
    {
      words: 'a reboot in ten seconds',
      object: 'Metal3RemediationTemplate acme-general',
      at: 'spec.template.spec.strategy.timeoutSeconds',
      value: 10,
      found: ['TC-ADMIT-FIELD-VALUE'],
    },
    {
      words: 'a Secret of another namespace',
      object: 'Metal3MachineTemplate acme-general',
      at: `${MACHINE}.userData`,
      value: { name: 'user-data', namespace: 'default' },
      found: ['TC-TRAP-METAL3-SECRET-NAMESPACE'],
    },
    {
      words: 'data that changes in place',
      object: 'Metal3DataTemplate acme-general',
      at: 'spec.metaData.fromLabels.0.label',
      value: 'example.com/row',
      found: ['TC-CHANGE-METAL3-FIELD'],
      isChange: true,
    },
  ],
};
