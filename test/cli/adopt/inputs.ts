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
