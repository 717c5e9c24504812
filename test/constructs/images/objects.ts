import { ManifestObject } from '../../../src/manifests/objects/manifest-object';

/** A pod template with images in every place that it has. */
export const PODS = {
  initContainers: [{ name: 'wait', image: 'busybox:1.37.0' }],
  containers: [{ name: 'app', image: 'ghcr.io/team/app:v1.0.0' }, { name: 'side', image: 'quay.io/team/side:v2.0.0' }],
  ephemeralContainers: [{ name: 'debug', image: 'quay.io/team/debug:v3.0.0' }],
  volumes: [{ name: 'data', image: { reference: 'quay.io/team/data:v4.0.0' } }, { name: 'tmp', emptyDir: {} }],
};

/** The spec of a virtual machine with images in every place that it has. */
export const MACHINE = {
  dataVolumeTemplates: [
    { metadata: { name: 'root' }, spec: { source: { registry: { url: 'docker://quay.io/team/node:v1.35.4' } } } },
    { metadata: { name: 'web' }, spec: { source: { http: { url: 'https://example.com/image.qcow2' } } } },
    { metadata: { name: 'stream' }, spec: { source: { registry: { imageStream: 'node' } } } },
  ],
  template: {
    spec: {
      domain: { firmware: { kernelBoot: { container: { image: 'quay.io/team/kernel:6.1' } } } },
      volumes: [{ name: 'boot', containerDisk: { image: 'quay.io/team/disk:v1' } }, { name: 'init', cloudInitNoCloud: {} }],
    },
  },
};

/** A control plane of Kamaji with all of its addons. */
export const KAMAJI_CONTROL_PLANE: ManifestObject = {
  apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2',
  kind: 'KamajiControlPlane',
  metadata: { name: 'acme', namespace: 'tenant-acme' },
  spec: {
    version: 'v1.35.4',
    registry: 'registry.k8s.io',
    apiServer: {},
    addons: {
      coreDNS: { dnsServiceIPs: ['10.95.0.10'] },
      kubeProxy: {},
      konnectivity: {
        server: { image: 'registry.k8s.io/kas-network-proxy/proxy-server', version: 'v0.34.0', port: 8132 },
        agent: { image: 'registry.k8s.io/kas-network-proxy/proxy-agent', version: 'v0.34.0' },
      },
    },
    deployment: { extraContainers: [{ name: 'log', image: 'quay.io/team/log:v1' }] },
  },
};

/** An object of a kind. */
export function object(apiVersion: string, kind: string, rest: object): ManifestObject {
  return { apiVersion, kind, metadata: { name: 'some', namespace: 'team' }, ...rest };
}
