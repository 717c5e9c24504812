import { FieldPath } from '../../src/manifests/values/fields';

/** Objects that a provider needs for a cluster, and what is often wrong with them. */
export interface ProviderTemplate {
  readonly provider: string;

  /** YAML. */
  readonly objects: string;

  /** Mistakes, each that of one object: what is written at the path, or undefined for what is missing. */
  readonly mistakes: readonly (readonly [kind: string, path: FieldPath, value: unknown])[];
}

/** Small templates of ours, in the words of each provider's definitions. */
export const TEMPLATES: readonly ProviderTemplate[] = [
  {
    provider: 'openstack',
    objects: `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  identityRef: {name: acme-cloud, cloudName: openstack}
  externalNetwork: {id: 0f9b7a52-4ae6-4b0f-8a0c-1f2d3c4b5a69}
  managedSubnets: [{cidr: 10.6.0.0/24, dnsNameservers: [10.6.0.2]}]
  managedSecurityGroups: {allowAllInClusterTraffic: true}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      flavor: m1.large
      image: {filter: {name: ubuntu-2404}}
      rootVolume: {sizeGiB: 60}
`,
    mistakes: [
      ['OpenStackCluster', ['spec', 'managedSecurityGroups', 'nodesSecurityGroupRules'], []],
      ['OpenStackCluster', ['spec', 'externalNetwork', 'id'], 'public'],
      ['OpenStackCluster', ['spec', 'identityRef', 'cloudName'], undefined],
      ['OpenStackMachineTemplate', ['spec', 'template', 'spec', 'image'], {}],
      ['OpenStackMachineTemplate', ['spec', 'template', 'spec', 'rootVolume', 'sizeGiB'], '60'],
    ],
  },
  {
    provider: 'metal3',
    objects: `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3Cluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  cloudProviderEnabled: false
  controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3MachineTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      automatedCleaningMode: metadata
      dataTemplate: {name: acme-workers}
      hostSelector: {matchLabels: {rack: r1}}
      image:
        url: https://images.example.com/ubuntu.qcow2
        checksum: https://images.example.com/ubuntu.qcow2.sha256
        checksumType: sha256
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: Metal3DataTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  clusterName: acme
  metaData:
    ipAddressesFromPool: [{key: address, name: acme, apiGroup: ipam.metal3.io, kind: IPPool}]
---
apiVersion: ipam.metal3.io/v1alpha1
kind: IPPool
metadata: {name: acme, namespace: tenant-acme}
spec:
  clusterName: acme
  namePrefix: acme
  prefix: 24
  gateway: 192.0.2.1
  pools: [{start: 192.0.2.100, end: 192.0.2.200}]
`,
    mistakes: [
      ['Metal3DataTemplate', ['spec', 'metaData', 'ipAddressesFromIPPool'], []],
      ['Metal3MachineTemplate', ['spec', 'template', 'spec', 'automatedCleaningMode'], 'full'],
      ['Metal3MachineTemplate', ['spec', 'template', 'spec', 'image', 'url'], 'images.example.com/ubuntu.qcow2'],
      ['Metal3MachineTemplate', ['spec', 'template', 'spec', 'image', 'format'], 'qcow2'],
      ['Metal3Cluster', ['spec', 'controlPlaneEndpoint', 'port'], '6443'],
      ['IPPool', ['spec', 'gateway'], '192.0.2.300'],
      ['IPPool', ['spec', 'namePrefix'], undefined],
    ],
  },
  {
    provider: 'vsphere',
    objects: `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  server: vcenter.example.com
  thumbprint: AA:BB
  identityRef: {kind: Secret, name: acme-vcenter}
  controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereMachineTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      cloneMode: linkedClone
      datacenter: dc1
      datastore: ds1
      diskGiB: 40
      memoryMiB: 8192
      network: {devices: [{dhcp4: true, networkName: VM Network}]}
      numCPUs: 4
      template: ubuntu-2404
`,
    mistakes: [
      ['VSphereCluster', ['spec', 'identityRef', 'kind'], 'ConfigMap'],
      ['VSphereMachineTemplate', ['spec', 'template', 'spec', 'network', 'devices', 0, 'networkName'], undefined],
      ['VSphereMachineTemplate', ['spec', 'template', 'spec', 'numCpus'], 4],
      ['VSphereMachineTemplate', ['spec', 'template', 'spec', 'memoryMiB'], '8Gi'],
    ],
  },
  {
    provider: 'proxmox',
    objects: `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: ProxmoxCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}
  dnsServers: [192.0.2.2]
  ipv4Config: {addresses: [192.0.2.20-192.0.2.40], gateway: 192.0.2.1, prefix: 24}
  allowedNodes: [pve1]
---
apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: ProxmoxMachineTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      sourceNode: pve1
      templateID: 100
      format: qcow2
      full: true
      numCores: 4
      memoryMiB: 8192
      disks: {bootVolume: {disk: scsi0, sizeGb: 60}}
      network: {default: {bridge: vmbr0, model: virtio}}
`,
    mistakes: [
      ['ProxmoxCluster', ['spec', 'dnsServers'], undefined],
      ['ProxmoxCluster', ['spec', 'ipv4Config', 'prefix'], '24'],
      ['ProxmoxMachineTemplate', ['spec', 'template', 'spec', 'network', 'default', 'model'], 'e1000x'],
      ['ProxmoxMachineTemplate', ['spec', 'template', 'spec', 'disks', 'bootVolume', 'sizeGb'], 1],
      ['ProxmoxMachineTemplate', ['spec', 'template', 'spec', 'numCore'], 4],
    ],
  },
  {
    provider: 'nutanix',
    objects: `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: NutanixCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}
  prismCentral:
    address: prism.example.com
    port: 9440
    credentialRef: {kind: Secret, name: acme-prism}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: NutanixMachineTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      vcpusPerSocket: 1
      vcpuSockets: 4
      memorySize: 8Gi
      systemDiskSize: 40Gi
      bootType: legacy
      image: {type: name, name: ubuntu-2404}
      cluster: {type: name, name: pe1}
      subnet: [{type: name, name: vlan1}]
`,
    mistakes: [
      ['NutanixMachineTemplate', ['spec', 'template', 'spec', 'memorySize'], '8 GB'],
      ['NutanixMachineTemplate', ['spec', 'template', 'spec', 'bootType'], 'bios'],
      ['NutanixMachineTemplate', ['spec', 'template', 'spec', 'image', 'type'], 'id'],
      ['NutanixCluster', ['spec', 'prismCentral', 'credentialRef', 'name'], undefined],
    ],
  },
  {
    provider: 'aws',
    objects: `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: AWSCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  region: eu-central-1
  controlPlaneLoadBalancer: {loadBalancerType: nlb, scheme: internal}
  network: {vpc: {cidrBlock: 10.20.0.0/16}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: AWSMachineTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      instanceType: m6i.large
      iamInstanceProfile: nodes.cluster-api-provider-aws.sigs.k8s.io
      rootVolume: {size: 60, type: gp3}
      instanceMetadataOptions: {httpTokens: required}
`,
    mistakes: [
      ['AWSCluster', ['spec', 'controlPlaneLoadBalancer', 'loadBalancerType'], 'network'],
      ['AWSMachineTemplate', ['spec', 'template', 'spec', 'instanceType'], undefined],
      ['AWSMachineTemplate', ['spec', 'template', 'spec', 'rootVolume', 'size'], 4],
      ['AWSMachineTemplate', ['spec', 'template', 'spec', 'instanceMetadataOptions', 'httpTokens'], 'yes'],
      ['AWSMachineTemplate', ['spec', 'template', 'spec', 'rootVolumes'], []],
    ],
  },
  {
    provider: 'azure',
    objects: `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureClusterIdentity
metadata: {name: acme, namespace: tenant-acme}
spec:
  type: WorkloadIdentity
  clientID: 11111111-2222-3333-4444-555555555555
  tenantID: 66666666-7777-8888-9999-000000000000
  allowedNamespaces: {}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  location: westeurope
  subscriptionID: 11111111-2222-3333-4444-555555555555
  identityRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: AzureClusterIdentity, name: acme}
  networkSpec:
    vnet: {name: acme}
    subnets: [{name: nodes, role: node}, {name: control-plane, role: control-plane}]
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureMachineTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      vmSize: Standard_D4s_v5
      osDisk: {diskSizeGB: 128, osType: Linux}
`,
    mistakes: [
      ['AzureCluster', ['spec', 'networkSpec', 'subnets', 0, 'role'], 'worker'],
      ['AzureCluster', ['spec', 'location'], undefined],
      ['AzureClusterIdentity', ['spec', 'type'], 'ManagedIdentity'],
      ['AzureMachineTemplate', ['spec', 'template', 'spec', 'osDisk', 'diskSizeGb'], 128],
      ['AzureMachineTemplate', ['spec', 'template', 'spec', 'osDisk'], undefined],
    ],
  },
  {
    provider: 'gcp',
    objects: `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: GCPCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  project: acme-123456
  region: europe-west3
  network: {name: default}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: GCPMachineTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      instanceType: n2-standard-4
      image: projects/acme-123456/global/images/ubuntu-2404
      rootDeviceSize: 60
      onHostMaintenance: Migrate
`,
    mistakes: [
      ['GCPCluster', ['spec', 'region'], undefined],
      ['GCPMachineTemplate', ['spec', 'template', 'spec', 'onHostMaintenance'], 'MIGRATE'],
      ['GCPMachineTemplate', ['spec', 'template', 'spec', 'rootDeviceSize'], '60Gi'],
      ['GCPMachineTemplate', ['spec', 'template', 'spec', 'machineType'], 'n2-standard-4'],
    ],
  },
  {
    provider: 'hetzner',
    objects: `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: HetznerCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneRegions: [fsn1]
  controlPlaneLoadBalancer: {enabled: true, region: fsn1, type: lb11}
  hetznerSecretRef: {name: hetzner, key: {hcloudToken: token}}
  sshKeys: {hcloud: [{name: acme}]}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: HCloudMachineTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      type: cpx31
      imageName: ubuntu-2404
`,
    mistakes: [
      ['HetznerCluster', ['spec', 'controlPlaneRegions'], ['frankfurt']],
      ['HetznerCluster', ['spec', 'controlPlaneLoadBalancer', 'type'], 'lb1'],
      ['HCloudMachineTemplate', ['spec', 'template', 'spec', 'type'], undefined],
      ['HCloudMachineTemplate', ['spec', 'template', 'spec', 'image'], 'ubuntu-2404'],
    ],
  },
  {
    provider: 'rke2',
    objects: `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: RKE2ControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  replicas: 3
  version: v1.35.4+rke2r1
  registrationMethod: control-plane-endpoint
  rolloutStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: RKE2ConfigTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      agentConfig: {kubelet: {extraArgs: [max-pods=200]}}
`,
    mistakes: [
      ['RKE2ControlPlane', ['spec', 'registrationMethod'], 'address-list'],
      ['RKE2ControlPlane', ['spec', 'version'], 'v1.35.4'],
      ['RKE2ConfigTemplate', ['spec', 'template', 'spec', 'agentConfig', 'kubelet', 'extraArgs'], { 'max-pods': '200' }],
    ],
  },
  {
    provider: 'k0smotron',
    objects: `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: K0smotronControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  replicas: 1
  version: v1.35.4-k0s.0
  service: {type: LoadBalancer, apiPort: 6443}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: K0sWorkerConfigTemplate
metadata: {name: acme-workers, namespace: tenant-acme}
spec:
  template:
    spec:
      version: v1.35.4+k0s.0
`,
    mistakes: [
      ['K0smotronControlPlane', ['spec', 'service', 'type'], 'Ingress'],
      ['K0smotronControlPlane', ['spec', 'service', 'port'], 6443],
      ['K0sWorkerConfigTemplate', ['spec', 'template', 'spec', 'k0sVersion'], 'v1.35.4+k0s.0'],
    ],
  },
  {
    provider: 'talos',
    objects: `apiVersion: controlplane.cluster.x-k8s.io/v1alpha3
kind: TalosControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  replicas: 3
  version: v1.35.4
  infrastructureTemplate: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: Metal3MachineTemplate, name: acme-control-plane}
  controlPlaneConfig: {controlplane: {generateType: controlplane, talosVersion: v1.12}}
`,
    mistakes: [
      ['TalosControlPlane', ['spec', 'version'], '1.35.4'],
      ['TalosControlPlane', ['spec', 'controlPlaneConfig', 'controlplane', 'generateType'], undefined],
      ['TalosControlPlane', ['spec', 'controlPlaneConfig', 'controlplane', 'talosversion'], 'v1.12'],
    ],
  },
];
