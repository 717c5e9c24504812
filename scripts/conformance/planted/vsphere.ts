import { PlantedMistakes } from './planted-mistake';

const MACHINE = 'spec.template.spec';
const KUBELET = 'spec.template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs';
const OWN = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: VSphereCluster
metadata: {name: own, namespace: tenant-acme}
spec: {server: vcenter.example.com, identityRef: {kind: Secret, name: own-vsphere}}
---
apiVersion: v1
kind: Secret
metadata: {name: own-vsphere, namespace: tenant-acme}
stringData: {username: '', password: ''}
`;
const IDENTITY = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: VSphereClusterIdentity
metadata: {name: tenants}
spec: {secretName: tenants, allowedNamespaces: {selector: {matchLabels: {}}}}
`;

/** Mistakes in clusters of vSphere (kubernetes-sigs/cluster-api-provider-vsphere v1.16.1: definitions, internal/webhooks, controllers, pkg). */
export const VSPHERE_MISTAKES: PlantedMistakes = {
  provider: 'vsphere',
  example: 'example-vsphere',
  mistakes: [
    { words: 'no template to clone', object: 'VSphereMachineTemplate acme-room-1', at: `${MACHINE}.template`, found: ['TC-ADMIT-FIELD-REQUIRED'] },
    {
      words: 'a device without a network',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.network.devices.0.networkName`,
      found: ['TC-ADMIT-FIELD-REQUIRED'],
    },
    {
      words: 'a device without an address',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.network.devices.0.addressesFromPools`,
      found: ['TC-TRAP-VSPHERE-ADDRESS'],
    },
    {
      words: 'one address for all machines',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.network.devices.0.ipAddrs`,
      value: ['192.0.2.70/24'],
      found: ['TC-ADMIT-VSPHERE-MACHINE'],
    },
    {
      words: 'a pool that is not there',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.network.devices.0.addressesFromPools.0.name`,
      value: 'acme-node',
      found: ['TC-TRAP-ADDRESS-POOL-MISSING'],
    },
    {
      words: 'a pool without enough addresses',
      object: 'InClusterIPPool acme-nodes',
      at: 'spec.addresses',
      value: ['192.0.2.11-192.0.2.20'],
      found: ['TC-TRAP-ADDRESS-POOL-EXHAUSTED'],
    },
    {
      words: 'a pool with the address of the API server',
      object: 'InClusterIPPool acme-nodes',
      at: 'spec.addresses',
      value: ['192.0.2.10-192.0.2.50'],
      found: ['TC-TRAP-ADDRESS-POOL-ENDPOINT'],
    },
    {
      words: 'a gateway that machines do not reach',
      object: 'InClusterIPPool acme-nodes',
      at: 'spec.gateway',
      value: '198.51.100.1',
      found: ['TC-TRAP-IN-CLUSTER-GATEWAY'],
    },
    {
      words: 'the size of a disk of a linked clone',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.cloneMode`,
      value: 'linkedClone',
      found: ['TC-TRAP-VSPHERE-DISK'],
    },
    {
      words: 'a hardware version without its prefix',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.hardwareVersion`,
      value: '17',
      found: ['TC-ADMIT-VSPHERE-MACHINE'],
    },
    {
      words: 'cores that do not fill their sockets',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.numCoresPerSocket`,
      value: 3,
      found: ['TC-TRAP-VSPHERE-SOCKETS'],
    },
    {
      words: 'a datastore without a name',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.datastore`,
      value: '',
      found: ['TC-ADMIT-FIELD-VALUE'],
    },
    {
      words: 'a folder without a name',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.folder`,
      value: '',
      found: ['TC-ADMIT-FIELD-VALUE'],
    },
    {
      words: 'half a PCI device',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.pciDevices`,
      value: [{ deviceId: 7864 }],
      found: ['TC-ADMIT-VSPHERE-MACHINE'],
    },
    {
      words: 'a provider ID in a template',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.providerID`,
      value: 'vsphere://6c3fa683-bef9-4425-b413-eaa45a9d6191',
      found: ['TC-ADMIT-VSPHERE-MACHINE'],
    },
    {
      words: 'a thumbprint without colons',
      object: 'VSphereCluster acme',
      at: 'spec.thumbprint',
      value: '8AE73B6A2E0B5C3F524B0E6374950D58B09B2F11',
      found: ['TC-TRAP-VSPHERE-THUMBPRINT'],
    },
    {
      words: 'credentials of another kind',
      object: 'VSphereCluster acme',
      at: 'spec.identityRef.kind',
      value: 'ConfigMap',
      found: ['TC-ADMIT-FIELD-RELEASE'],
    },
    {
      words: 'an identity that is not there',
      object: 'VSphereCluster acme',
      at: 'spec.identityRef.name',
      value: 'tenant',
      found: ['TC-TRAP-VSPHERE-CLUSTER-IDENTITY'],
      beside: IDENTITY,
    },
    {
      words: 'an identity that no namespace may use',
      object: 'VSphereClusterIdentity tenants',
      at: 'spec.allowedNamespaces',
      found: ['TC-TRAP-VSPHERE-CLUSTER-IDENTITY'],
      beside: IDENTITY,
    },
    {
      words: 'a Secret with credentials without the password',
      object: 'Secret own-vsphere',
      at: 'stringData.password',
      found: ['TC-TRAP-VSPHERE-CREDENTIAL-KEYS'],
      beside: OWN,
    },
    {
      words: 'no endpoint, and nothing that provides it',
      object: 'VSphereCluster acme',
      at: 'spec.controlPlaneEndpoint',
      found: ['TC-TRAP-VSPHERE-ENDPOINT'],
    },
    {
      words: 'a failure domain that is no zone',
      object: 'MachineDeployment acme-room-1',
      at: 'spec.template.spec.failureDomain',
      value: 'room-9',
      found: ['TC-TRAP-VSPHERE-ZONE'],
    },
    { words: 'a zone without its failure domain', object: 'VSphereFailureDomain room-1', found: ['TC-TRAP-VSPHERE-ZONE'] },
    {
      words: 'a selector that selects no zone',
      object: 'VSphereCluster acme',
      at: 'spec.failureDomainSelector.matchLabels',
      value: { 'example.com/tenants': 'yes' },
      found: ['TC-TRAP-VSPHERE-ZONE-SELECTOR'],
    },
    {
      words: 'a failure domain without its compute cluster',
      object: 'VSphereFailureDomain room-1',
      at: 'spec.topology.computeCluster',
      found: ['TC-ADMIT-VSPHERE-FAILURE-DOMAIN'],
    },
    {
      words: 'a provider ID with three slashes',
      object: 'KubeadmConfigTemplate acme-room-1',
      at: `${KUBELET}.1`,
      value: { name: 'provider-id', value: 'vsphere:///{{ ds.meta_data.instance_id }}' },
      found: ['TC-TRAP-KUBEADM-PROVIDER-ID'],
    },
    {
      words: 'a template that changes in place',
      object: 'VSphereMachineTemplate acme-room-1',
      at: `${MACHINE}.numCPUs`,
      value: 4,
      found: ['TC-CHANGE-VSPHERE-FIELD'],
      isChange: true,
    },
    {
      words: 'a failure domain that changes in place',
      object: 'VSphereFailureDomain room-1',
      at: 'spec.topology.computeCluster',
      value: 'cluster-9',
      found: ['TC-CHANGE-VSPHERE-FIELD'],
      isChange: true,
    },
    {
      words: 'a CSI driver whose cloud controller manager goes',
      object: 'HelmRelease acme-vsphere-cpi',
      found: ['TC-CHANGE-CLOUD-CONTROLLER-CHART'],
      isChange: true,
    },
  ],
};
