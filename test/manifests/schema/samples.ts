import { Json, JsonObject } from './structural-schema';

/** A copy of an object with other values at some paths, such as `{ 'spec.replicas': 1 }`; undefined takes a field away. */
export function changed(object: JsonObject, changes: Readonly<Record<string, Json | undefined>>): JsonObject {
  const copy = structuredClone(object);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop()!;
    const parent = keys.reduce((node, key) => (node[key] ??= {}) as JsonObject, copy);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return copy;
}

const metadata = { name: 'acme', namespace: 'tenant-acme' };

export const CLUSTER: JsonObject = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata,
  spec: {
    clusterNetwork: { pods: { cidrBlocks: ['10.244.0.0/16'] }, services: { cidrBlocks: ['10.96.0.0/16'] }, apiServerPort: 6443 },
    controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KamajiControlPlane', name: 'acme' },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtCluster', name: 'acme' },
  },
};

export const KAMAJI_CONTROL_PLANE: JsonObject = {
  apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2',
  kind: 'KamajiControlPlane',
  metadata,
  spec: {
    version: '1.35.4',
    replicas: 2,
    dataStoreName: 'default',
    registry: 'registry.k8s.io',
    addons: { coreDNS: {}, kubeProxy: {}, konnectivity: { agent: { mode: 'DaemonSet', extraArgs: ['--sync-interval=1s'] }, server: { port: 8132 } } },
    apiServer: { resources: { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '1Gi' } } },
    deployment: {
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 100, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { a: 'b' } } } },
          ],
        },
      },
      extraVolumes: [{ name: 'audit', configMap: { name: 'audit-policy', items: [{ key: 'policy.yaml', path: 'policy.yaml' }] } }],
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: 0 } },
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    },
    kubelet: { cgroupfs: 'systemd', preferredAddressTypes: ['InternalIP', 'ExternalIP', 'Hostname'] },
    network: {
      serviceType: 'LoadBalancer',
      certSANs: ['acme.example.org'],
      loadBalancerConfig: { loadBalancerClass: 'metallb', loadBalancerSourceRanges: ['192.0.2.0/24'] },
    },
  },
};

export const KUBEADM_CONFIG_TEMPLATE: JsonObject = {
  apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmConfigTemplate',
  metadata,
  spec: {
    template: {
      spec: {
        joinConfiguration: {
          nodeRegistration: { kubeletExtraArgs: [{ name: 'node-labels', value: 'a=b' }, { name: 'cloud-provider', value: 'external' }], taints: [] },
        },
        files: [{ path: '/etc/motd', content: 'hello', permissions: '0644' }],
        preKubeadmCommands: ['modprobe br_netfilter'],
      },
    },
  },
};

export const MACHINE_HEALTH_CHECK: JsonObject = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineHealthCheck',
  metadata,
  spec: {
    clusterName: 'acme',
    selector: { matchLabels: { pool: 'general' } },
    checks: {
      nodeStartupTimeoutSeconds: 1200,
      unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 300 }],
      unhealthyMachineConditions: [{ type: 'NodeReady', status: 'False', timeoutSeconds: 300 }],
    },
    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '40%' } },
  },
};

export const HELM_RELEASE: JsonObject = {
  apiVersion: 'helm.toolkit.fluxcd.io/v2',
  kind: 'HelmRelease',
  metadata,
  spec: {
    interval: '30m',
    chartRef: { kind: 'OCIRepository', name: 'cilium' },
    kubeConfig: { secretRef: { name: 'acme-kubeconfig', key: 'value' } },
    install: { strategy: { name: 'RetryOnFailure', retryInterval: '5m' } },
    values: { operator: { replicas: 1 }, tolerations: null },
  },
};

export const ETCD_DATA_STORE: JsonObject = {
  apiVersion: 'kamaji.clastix.io/v1alpha1',
  kind: 'DataStore',
  metadata: { name: 'default' },
  spec: {
    driver: 'etcd',
    endpoints: ['etcd-0.etcd:2379'],
    tlsConfig: {
      certificateAuthority: { certificate: secret('ca.crt'), privateKey: secret('ca.key') },
      clientCertificate: { certificate: secret('tls.crt'), privateKey: secret('tls.key') },
    },
  },
};

export const TENANT_CONTROL_PLANE: JsonObject = {
  apiVersion: 'kamaji.clastix.io/v1alpha1',
  kind: 'TenantControlPlane',
  metadata,
  spec: {
    controlPlane: { service: { serviceType: 'LoadBalancer' } },
    kubernetes: { version: 'v1.35.4', kubelet: { cgroupfs: 'systemd' } },
    networkProfile: { podCidrs: ['10.244.0.0/16', 'fd00:10:244::/56'], serviceCidrs: ['10.96.0.0/16'] },
  },
};

export const BGP_PEER: JsonObject = {
  apiVersion: 'metallb.io/v1beta2',
  kind: 'BGPPeer',
  metadata,
  spec: { myASN: 64512, peerASN: 64512, peerAddress: '192.0.2.1', connectTime: '10s' },
};

export const KUBEVIRT_MACHINE_TEMPLATE: JsonObject = {
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
  kind: 'KubevirtMachineTemplate',
  metadata,
  spec: {
    template: {
      spec: {
        virtualMachineBootstrapCheck: { checkStrategy: 'none' },
        virtualMachineTemplate: {
          metadata: { labels: { pool: 'general' } },
          spec: {
            runStrategy: 'Always',
            dataVolumeTemplates: [{
              metadata: { name: 'root' },
              spec: {
                source: { registry: { url: 'docker://example.org/ubuntu@sha256:00' } },
                pvc: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '20Gi' } }, storageClassName: 'replicated' },
              },
            }],
            template: {
              metadata: { labels: { pool: 'general' } },
              spec: {
                domain: {
                  cpu: { cores: 4 },
                  memory: { guest: '16Gi' },
                  devices: {
                    disks: [{ name: 'root', disk: { bus: 'virtio' } }],
                    interfaces: [{ name: 'default', bridge: {} }],
                    networkInterfaceMultiqueue: true,
                  },
                },
                evictionStrategy: 'External',
                networks: [{ name: 'default', pod: {} }],
                volumes: [{ name: 'root', dataVolume: { name: 'root' } }],
              },
            },
          },
        },
      },
    },
  },
};

function secret(keyPath: string): JsonObject {
  return { secretReference: { name: 'etcd', namespace: 'kamaji-system', keyPath } };
}
