import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { fieldAt, pathOf } from '../../../src/manifests/values/fields';
import { namedImages } from '../../constructs/images/named-images';
import { KAMAJI_CONTROL_PLANE, MACHINE, object, PODS } from '../../constructs/images/objects';

const POD_IMAGES = ['ghcr.io/team/app:v1.0.0', 'quay.io/team/side:v2.0.0', 'busybox:1.37.0', 'quay.io/team/debug:v3.0.0', 'quay.io/team/data:v4.0.0'];
const MACHINE_IMAGES = ['quay.io/team/disk:v1', 'quay.io/team/kernel:6.1', 'quay.io/team/node:v1.35.4'];

test.each<[kind: string, object: ManifestObject, images: string[]]>([
  ['Pod', object('v1', 'Pod', { spec: PODS }), POD_IMAGES],
  ['PodTemplate', object('v1', 'PodTemplate', { template: { spec: PODS } }), POD_IMAGES],
  ...['Deployment', 'DaemonSet', 'StatefulSet', 'ReplicaSet'].map((kind): [string, ManifestObject, string[]] => (
    [kind, object('apps/v1', kind, { spec: { template: { spec: PODS } } }), POD_IMAGES])),
  ['Job', object('batch/v1', 'Job', { spec: { template: { spec: PODS } } }), POD_IMAGES],
  ['CronJob', object('batch/v1', 'CronJob', { spec: { jobTemplate: { spec: { template: { spec: PODS } } } } }), POD_IMAGES],
  ['a kind of others with a pod template', object('argoproj.io/v1alpha1', 'Rollout', { spec: { template: { spec: PODS } } }), POD_IMAGES],
  ['VirtualMachine', object('kubevirt.io/v1', 'VirtualMachine', { spec: MACHINE }), MACHINE_IMAGES],
  ['VirtualMachineInstance', object('kubevirt.io/v1', 'VirtualMachineInstance', { spec: MACHINE.template.spec }), MACHINE_IMAGES.slice(0, 2)],
  [
    'KubevirtMachineTemplate', object('infrastructure.cluster.x-k8s.io/v1alpha1', 'KubevirtMachineTemplate', {
      spec: { template: { spec: { virtualMachineTemplate: { spec: MACHINE } } } },
    }), MACHINE_IMAGES,
  ],
  ['KubevirtMachine', object('infrastructure.cluster.x-k8s.io/v1alpha1', 'KubevirtMachine', { spec: { virtualMachineTemplate: { spec: MACHINE } } }), MACHINE_IMAGES],
  ['DataVolume', object('cdi.kubevirt.io/v1beta1', 'DataVolume', MACHINE.dataVolumeTemplates[0]), ['quay.io/team/node:v1.35.4']],
  ['DataVolume from VMware', object('cdi.kubevirt.io/v1beta1', 'DataVolume', { spec: { source: { vddk: { initImageURL: 'quay.io/team/vddk:8' } } } }), ['quay.io/team/vddk:8']],
  [
    'KamajiControlPlane', KAMAJI_CONTROL_PLANE,
    ['quay.io/team/log:v1', 'registry.k8s.io/kas-network-proxy/proxy-server:v0.34.0', 'registry.k8s.io/kas-network-proxy/proxy-agent:v0.34.0'],
  ],
  [
    'a provider of the Cluster API Operator',
    object('operator.cluster.x-k8s.io/v1alpha2', 'CoreProvider', { spec: { deployment: { containers: [{ name: 'manager', imageUrl: 'registry.k8s.io/x/y:v1' }] } } }),
    ['registry.k8s.io/x/y:v1'],
  ],
  ['KubeVirt', object('kubevirt.io/v1', 'KubeVirt', { spec: { configuration: { network: { binding: { passt: { sidecarImage: 'quay.io/team/passt:v1' } } } } } }), ['quay.io/team/passt:v1']],
  [
    'Prometheus', object('monitoring.coreos.com/v1', 'Prometheus', { spec: { image: 'quay.io/prometheus/prometheus:v3.14.0', thanos: { image: 'quay.io/thanos/thanos:v0.39.0' } } }),
    ['quay.io/prometheus/prometheus:v3.14.0', 'quay.io/thanos/thanos:v0.39.0'],
  ],
  ['PodList', { apiVersion: 'v1', kind: 'PodList', items: [{ metadata: { name: 'a' }, spec: PODS }] }, POD_IMAGES],
  [
    'Kustomization', object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', {
      spec: { images: [{ name: 'app', newName: 'ghcr.io/team/app', newTag: 'v2' }, { name: 'side', digest: `sha256:${'a'.repeat(64)}` }] },
    }), ['ghcr.io/team/app:v2', `side@sha256:${'a'.repeat(64)}`],
  ],
  ['List', object('v1', 'List', { items: [object('v1', 'Pod', { spec: PODS }), object('v1', 'Service', {})] }), POD_IMAGES],
])('images of a %s', (_, given, images) => {
  const found = namedImages(given);
  expect(found.map(({ image }) => image)).toEqual(images);
  for (const { pointer, image } of found) {
    const text = fieldAt(given, ...pathOf(pointer));
    if (text !== undefined) expect(image).toContain(String(text).replace('docker://', '').split(/[:@]/)[0]);
  }
});

test.each<[what: string, object: ManifestObject]>([
  ['a Service', object('v1', 'Service', { spec: { ports: [] } })],
  ['a policy that speaks of containers', object('kyverno.io/v1', 'ClusterPolicy', { spec: { rules: [{ validate: { pattern: { spec: { containers: [{ image: '*:*' }] } } } }] } })],
  ['containers without images', object('v1', 'Pod', { spec: { containers: [{ name: 'app' }] } })],
  ['an object without kind', {}],
  ['another kind with the name of one', object('example.com/v1', 'Pod', { spec: PODS })],
])('no image is found in %s', (_, given) => {
  expect(namedImages(given)).toEqual([]);
});

test('a pointer names the field, with the characters that pointers spell otherwise', () => {
  const provider = object('operator.cluster.x-k8s.io/v1alpha2', 'CoreProvider', {
    spec: { additionalDeployments: { 'a/b~c': { deployment: { containers: [{ name: 'x', imageUrl: 'x:1' }] } } } },
  });
  expect(namedImages(provider)).toEqual([{ pointer: '/spec/additionalDeployments/a~1b~0c/deployment/containers/0/imageUrl', image: 'x:1' }]);
});
