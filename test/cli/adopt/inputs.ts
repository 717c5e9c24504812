/** A tenant with a hosted control plane and virtual machines, as people write it by hand. */
export const HOSTED = `
apiVersion: v1
kind: Namespace
metadata: {name: tenant-acme}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  clusterNetwork: {pods: {cidrBlocks: [10.32.0.0/16]}, services: {cidrBlocks: [10.33.0.0/20]}, serviceDomain: cluster.local}
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtCluster, name: acme}
---
apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  version: v1.35.4
  replicas: 2
  dataStoreName: default
  dataStoreSchema: tenant_acme_acme
  dataStoreUsername: tenant_acme_acme
  addons: {coreDNS: {}, kubeProxy: {}, konnectivity: {}}
  network: {serviceType: LoadBalancer}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtCluster
metadata: {name: acme, namespace: tenant-acme, annotations: {cluster.x-k8s.io/managed-by: kamaji}}
spec: {}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtMachineTemplate
metadata: {name: acme-md-0, namespace: tenant-acme}
spec:
  template:
    spec:
      virtualMachineBootstrapCheck: {checkStrategy: none}
      virtualMachineTemplate:
        spec:
          runStrategy: Once
          template:
            spec:
              evictionStrategy: External
              domain:
                cpu: {cores: 4}
                memory: {guest: 16Gi}
                devices: {disks: [{name: root, disk: {bus: virtio}}], interfaces: [{name: default, bridge: {}}], networkInterfaceMultiqueue: true}
              networks: [{name: default, pod: {}}]
              volumes: [{name: root, containerDisk: {image: registry.example.com/nodes/ubuntu-24.04:v1.35.4}}]
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata: {name: acme-md-0, namespace: tenant-acme}
spec: {template: {spec: {joinConfiguration: {nodeRegistration: {criSocket: unix:///var/run/containerd/containerd.sock}}}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: acme-md-0, namespace: tenant-acme}
spec:
  clusterName: acme
  replicas: 3
  selector: {matchLabels: {cluster.x-k8s.io/cluster-name: acme, cluster.x-k8s.io/deployment-name: acme-md-0}}
  template:
    metadata: {labels: {cluster.x-k8s.io/cluster-name: acme, cluster.x-k8s.io/deployment-name: acme-md-0}}
    spec:
      clusterName: acme
      version: v1.35.4
      bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: acme-md-0}}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtMachineTemplate, name: acme-md-0}
`;

/** Objects of others beside it. */
export const BESIDE = `
apiVersion: v1
kind: ConfigMap
metadata: {name: notes, namespace: tenant-acme}
data: {owner: Farah Aziz}
---
apiVersion: v1
kind: Secret
metadata: {name: registry, namespace: tenant-acme}
stringData: {password: Hq7-this-is-a-secret}
`;

/** A cluster whose control plane runs on machines, in the versions of the API that most repositories have. */
export const MACHINES = `
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: hall, namespace: tenant-hall, labels: {team: storage}}
spec:
  clusterNetwork: {pods: {cidrBlocks: [10.40.0.0/16]}, serviceDomain: cluster.local}
  controlPlaneRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: KubeadmControlPlane, name: hall-control-plane}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: OpenStackCluster, name: hall}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: hall, namespace: tenant-hall}
spec:
  identityRef: {cloudName: openstack, name: hall-cloud-config}
  apiServerLoadBalancer: {enabled: true}
  externalNetwork: {id: 0f9b7a52-4ae6-4b0f-8a0c-1f2d3c4b5a69}
  managedSubnets: [{cidr: 10.6.0.0/24, dnsNameservers: [192.0.2.53]}]
  managedSecurityGroups: {allowAllInClusterTraffic: true}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
metadata: {name: hall-control-plane, namespace: tenant-hall}
spec:
  replicas: 3
  version: v1.35.4
  kubeadmConfigSpec:
    clusterConfiguration: {controllerManager: {extraArgs: {cloud-provider: external}}}
    initConfiguration: {nodeRegistration: {name: '{{ local_hostname }}', kubeletExtraArgs: {cloud-provider: external}}}
    joinConfiguration: {nodeRegistration: {name: '{{ local_hostname }}', kubeletExtraArgs: {cloud-provider: external}}}
  machineTemplate:
    infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: OpenStackMachineTemplate, name: hall-control-plane}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: hall-control-plane, namespace: tenant-hall}
spec: {template: {spec: {flavor: m1.medium, image: {filter: {name: ubuntu-2404-kube-v1.35.4}}, sshKeyName: platform}}}
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineDeployment
metadata: {name: hall-md-0, namespace: tenant-hall}
spec:
  clusterName: hall
  replicas: 4
  selector: {matchLabels: {}}
  strategy: {rollingUpdate: {maxSurge: 2}}
  template:
    spec:
      clusterName: hall
      version: v1.35.4
      nodeDrainTimeout: 15m
      bootstrap: {configRef: {apiVersion: bootstrap.cluster.x-k8s.io/v1beta1, kind: KubeadmConfigTemplate, name: hall-md-0}}
      infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: OpenStackMachineTemplate, name: hall-md-0}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: hall-md-0, namespace: tenant-hall}
spec: {template: {spec: {flavor: m1.large, image: {filter: {name: ubuntu-2404-kube-v1.35.4}}, sshKeyName: platform}}}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
kind: KubeadmConfigTemplate
metadata: {name: hall-md-0, namespace: tenant-hall}
spec: {template: {spec: {joinConfiguration: {nodeRegistration: {name: '{{ local_hostname }}', kubeletExtraArgs: {cloud-provider: external}}}}}}
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineHealthCheck
metadata: {name: hall-md-0-unhealthy, namespace: tenant-hall}
spec:
  clusterName: hall
  maxUnhealthy: 40%
  nodeStartupTimeout: 25m
  selector: {matchLabels: {cluster.x-k8s.io/deployment-name: hall-md-0}}
  unhealthyConditions: [{type: Ready, status: Unknown, timeout: 300s}]
`;

/** The same cluster, in the version of OpenStack's API that names flavors by filters. */
export const OPENSTACK_V1BETA2 = MACHINES.replaceAll(/(apiVersion: infrastructure\.cluster\.x-k8s\.io)\/v1beta1/g, '$1/v1beta2')
  .replaceAll(/flavor: (m1\.\w+)/g, 'flavor: {filter: {name: $1}}')
  .replace('apiServerLoadBalancer: {enabled: true}', 'apiServer: {managedLoadBalancer: {enabled: true}}');

const OPENSTACK_CLUSTER = /  identityRef: [^]*?allowAllInClusterTraffic: true}\n/;
const OPENSTACK_MACHINE = /spec: \{template: \{spec: \{flavor: .*/g;

/** The same cluster, of other providers. */
function ofProvider(kinds: string, version: string, cluster: string, machine: string): string {
  return MACHINES.replaceAll(/infrastructure\.cluster\.x-k8s\.io\/v1beta1/g, `infrastructure.cluster.x-k8s.io/${version}`).replaceAll('OpenStack', kinds)
    .replace(OPENSTACK_CLUSTER, `${cluster}\n`).replaceAll(OPENSTACK_MACHINE, `spec: {template: {spec: ${machine}}}`);
}

export const VSPHERE = ofProvider('VSphere', 'v1beta2', `  controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}
  server: vcenter.example.com
  identityRef: {kind: Secret, name: hall}`,
'{template: ubuntu-2404-kube-v1.35.4, cloneMode: linkedClone, datacenter: hall-1, numCPUs: 4, memoryMiB: 8192, network: {devices: [{networkName: nodes, dhcp4: true}]}, os: Linux, powerOffMode: trySoft}');

export const PROXMOX = ofProvider('Proxmox', 'v1alpha2', `  controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}
  ipv4Config: {addresses: [192.0.2.20-192.0.2.60], prefix: 24, gateway: 192.0.2.1}
  dnsServers: [192.0.2.53]`,
'{sourceNode: pve-1, templateID: 110, full: true, numSockets: 1, numCores: 4, memoryMiB: 8192, disks: {bootVolume: {disk: scsi0, sizeGb: 40}}, network: {networkDevices: [{bridge: vmbr0, model: virtio}]}}');

/** A cluster of a provider that no class makes. */
export const FOREIGN = MACHINES.replaceAll('OpenStack', 'Widget').replaceAll('hall', 'depot');

/** The hosted tenant with charts that Flux installs in it, by HelmReleases with names of their own. */
export const DELIVERED = `${HOSTED}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: {name: cilium, namespace: tenant-acme}
spec: {interval: 12h, url: 'https://helm.cilium.io/'}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: acme-cilium, namespace: tenant-acme}
spec:
  interval: 30m
  releaseName: cilium
  targetNamespace: kube-system
  storageNamespace: kube-system
  kubeConfig: {secretRef: {name: acme-admin-kubeconfig, key: super-admin.svc}}
  chart: {spec: {chart: cilium, version: 1.20.0, sourceRef: {kind: HelmRepository, name: cilium}}}
  install: {remediation: {retries: 3}}
  values: {ipam: {mode: kubernetes}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: podinfo, namespace: tenant-acme}
spec: {interval: 12h, url: 'oci://ghcr.io/stefanprodan/charts/podinfo', ref: {tag: 6.9.1}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: demo, namespace: tenant-acme}
spec:
  interval: 30m
  timeout: 3m
  targetNamespace: demo
  dependsOn: [{name: acme-cilium}]
  kubeConfig: {secretRef: {name: acme-admin-kubeconfig, key: super-admin.svc}}
  chartRef: {kind: OCIRepository, name: podinfo}
  valuesFrom: [{kind: ConfigMap, name: demo, valuesKey: values}]
`;

export const METAL3 = ofProvider('Metal3', 'v1beta1', `  controlPlaneEndpoint: {host: 192.0.2.10, port: 6443}
  noCloudProvider: true`,
'{image: {url: \'https://images.example.com/ubuntu.raw\', checksum: \'https://images.example.com/ubuntu.raw.sha256\', checksumType: sha256, format: raw}, hostSelector: {matchLabels: {rack: r1}}, dataTemplate: {name: hall-data}}');
