import { PlantedMistakes } from './planted-mistake';

const MACHINE = 'spec.template.spec';
const KUBELET = 'spec.template.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs';
const CREDENTIALS = `apiVersion: v1
kind: Secret
metadata: {name: proxmox-credentials, namespace: tenant-acme}
stringData: {url: 'https://pve.example.com:8006', token: 'capmox@pve!capi', secret: ''}
`;

/** Mistakes in clusters of Proxmox VE (ionos-cloud/cluster-api-provider-proxmox v0.9.0: definitions, internal/webhook, internal/service, pkg). */
export const PROXMOX_MISTAKES: PlantedMistakes = {
  provider: 'proxmox',
  example: 'example-proxmox',
  mistakes: [
    {
      words: 'a template without its node',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.sourceNode`,
      found: ['TC-ADMIT-FIELD-RULE'],
    },
    {
      words: 'neither an ID nor tags of a template',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.templateID`,
      found: ['TC-ADMIT-FIELD-RULE'],
    },
    {
      words: 'a template by its ID and by its tags',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.templateSelector`,
      value: { matchTags: ['ubuntu'] },
      found: ['TC-TRAP-PROXMOX-TEMPLATE'],
    },
    {
      words: 'a linked clone on another storage',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.full`,
      value: false,
      found: ['TC-ADMIT-FIELD-RULE'],
    },
    {
      words: 'an amount of memory that is no multiple of 8',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.memoryMiB`,
      value: 1001,
      found: ['TC-ADMIT-FIELD-VALUE'],
    },
    {
      words: 'a disk that is too small',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.disks.bootVolume.sizeGb`,
      value: 4,
      found: ['TC-ADMIT-FIELD-VALUE'],
    },
    {
      words: 'a device of another number',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.network.networkDevices.0.name`,
      value: 'net5',
      found: ['TC-TRAP-PROXMOX-NETWORK'],
    },
    {
      words: 'a network of the older version of the API',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.network`,
      value: { default: { bridge: 'vmbr0' } },
      found: ['TC-ADMIT-FIELD-UNKNOWN', 'TC-ADMIT-FIELD-REQUIRED'],
    },
    {
      words: 'an MTU that breaks IPv6',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.network.networkDevices.1.mtu`,
      value: 900,
      found: ['TC-TRAP-PROXMOX-NETWORK'],
    },
    {
      words: 'a zone that the cluster does not have',
      object: 'ProxmoxMachineTemplate hosted-room-2',
      at: `${MACHINE}.network.zone`,
      value: 'room-3',
      found: ['TC-TRAP-PROXMOX-ZONE'],
    },
    {
      words: 'a pool that is not there',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.network.networkDevices.1.ipPoolRef.0.name`,
      value: 'acme-storge',
      found: ['TC-TRAP-ADDRESS-POOL-MISSING'],
    },
    {
      words: 'a pool of another provider',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.network.networkDevices.1.ipPoolRef.0`,
      value: { apiGroup: 'ipam.metal3.io', kind: 'IPPool', name: 'acme-storage' },
      found: ['TC-ADMIT-FIELD-RULE'],
    },
    {
      words: 'a cluster without enough addresses',
      object: 'ProxmoxCluster acme',
      at: 'spec.ipv4Config.addresses',
      value: ['192.0.2.11-192.0.2.15'],
      found: ['TC-TRAP-ADDRESS-POOL-EXHAUSTED'],
    },
    {
      words: 'a pool without enough addresses',
      object: 'InClusterIPPool acme-storage',
      at: 'spec.addresses',
      value: ['198.51.100.10-198.51.100.12'],
      found: ['TC-TRAP-ADDRESS-POOL-EXHAUSTED'],
    },
    {
      words: 'addresses that another cluster has',
      object: 'ProxmoxCluster acme',
      at: 'spec.ipv4Config.addresses',
      value: ['192.0.2.11-192.0.2.65'],
      found: ['TC-TRAP-ADDRESS-POOL-OVERLAP'],
    },
    {
      words: 'addresses of another family',
      object: 'ProxmoxCluster acme',
      at: 'spec.ipv4Config.addresses',
      value: ['2001:db8::10-2001:db8::60'],
      found: ['TC-TRAP-PROXMOX-ADDRESSES'],
    },
    {
      words: 'a gateway that machines do not reach',
      object: 'ProxmoxCluster acme',
      at: 'spec.ipv4Config.gateway',
      value: '198.51.100.1',
      found: ['TC-TRAP-PROXMOX-ADDRESSES'],
    },
    {
      words: 'an endpoint that a machine may get',
      object: 'ProxmoxCluster acme',
      at: 'spec.controlPlaneEndpoint.host',
      value: '192.0.2.20',
      found: ['TC-ADMIT-PROXMOX-ENDPOINT', 'TC-TRAP-KUBE-VIP-ENDPOINT'],
    },
    {
      words: 'no endpoint, and nothing that provides it',
      object: 'ProxmoxCluster acme',
      at: 'spec.controlPlaneEndpoint',
      found: ['TC-ADMIT-PROXMOX-ENDPOINT'],
    },
    { words: 'no DNS server', object: 'ProxmoxCluster acme', at: 'spec.dnsServers', value: [], found: ['TC-ADMIT-FIELD-VALUE'] },
    {
      words: 'credentials in another namespace',
      object: 'ProxmoxCluster acme',
      at: 'spec.credentialsRef.namespace',
      value: 'capmox-system',
      found: ['TC-TRAP-PROXMOX-CREDENTIALS'],
    },
    {
      words: 'a Secret with credentials without the token',
      object: 'Secret proxmox-credentials',
      at: 'stringData.token',
      found: ['TC-TRAP-PROXMOX-CREDENTIAL-KEYS'],
      beside: CREDENTIALS,
    },
    {
      words: 'a range of IDs that ends before it starts',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.vmIDRange`,
      value: { start: 300, end: 200 },
      found: ['TC-ADMIT-FIELD-RULE'],
    },
    {
      words: 'a range of IDs with fewer than there are machines',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.vmIDRange`,
      value: { start: 300, end: 305 },
      found: ['TC-TRAP-PROXMOX-ID-RANGE'],
    },
    {
      words: 'a provider ID of a key that machines do not have',
      object: 'KubeadmConfigTemplate acme-general',
      at: `${KUBELET}.1.value`,
      value: 'proxmox://{{ ds.meta_data.uuid }}',
      found: ['TC-TRAP-KUBEADM-INSTANCE-DATA'],
    },
    {
      words: 'a provider ID with three slashes',
      object: 'KubeadmConfigTemplate acme-general',
      at: `${KUBELET}.1.value`,
      value: 'proxmox:///{{ ds.meta_data.instance_id }}',
      found: ['TC-TRAP-KUBEADM-PROVIDER-ID'],
    },
    {
      words: 'a failure domain, which the provider does not have',
      object: 'MachineDeployment acme-general',
      at: 'spec.template.spec.failureDomain',
      value: 'pve1',
      found: ['TC-TRAP-PROXMOX-FAILURE-DOMAIN'],
    },
    {
      words: 'a tag with a space',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.tags`,
      value: ['Team A'],
      found: ['TC-ADMIT-FIELD-VALUE'],
    },
    {
      words: 'a template that changes in place',
      object: 'ProxmoxMachineTemplate acme-general',
      at: `${MACHINE}.numCores`,
      value: 9,
      found: ['TC-CHANGE-PROXMOX-FIELD'],
      isChange: true,
    },
    {
      words: 'a CSI driver whose cloud controller manager goes',
      object: 'HelmRelease acme-proxmox-cloud-controller-manager',
      found: ['TC-CHANGE-CLOUD-CONTROLLER-CHART'],
      isChange: true,
    },
  ],
};
