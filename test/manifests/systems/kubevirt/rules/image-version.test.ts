import { Size, Testing } from 'cdk8s';
import { WARNINGS } from '../../../../../src/constructs/app/problems/warnings';
import { PoolSize } from '../../../../../src/constructs/contracts/node-pool/pool-size';
import { FluxDelivery } from '../../../../../src/constructs/deliveries/flux/flux-delivery';
import { KubevirtInfrastructure } from '../../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { INSTANCE, machineDeployment, machineTemplate, persistentMachine } from '../../../../../src/manifests/systems/kubevirt/rules/examples';
import { IMAGE_VERSION } from '../../../../../src/manifests/systems/kubevirt/rules/image-version';
import { exampleCluster } from '../../../../support/clusters';
import { problemsOf } from '../../../../support/problems';
import { findings } from '../../../rules/rules-under-test';

/** The release that is found in the image of a machine that must run 1.35.4. */
function found(image: string): string | undefined {
  const volumes = INSTANCE.replace('dataVolume: {name: root}', `containerDisk: {image: "${image}"}`);
  const texts = findings([IMAGE_VERSION], machineTemplate({ machine: '          runStrategy: Once\n', instance: volumes }) + machineDeployment('acme-general'));
  return texts.map((text) => /looks like an image of Kubernetes (1\.\d+(?:\.\d+)?), and the machines of acme-general must run v1\.35\.4/.exec(text)![1]).join() || undefined;
}

test.each([
  ['nodes/ubuntu-24.04:1.34.4', '1.34.4'],
  ['nodes/ubuntu-24.04:v1.34.4', '1.34.4'],
  ['nodes/ubuntu-24.04:v1.35.1', '1.35.1'],
  ['nodes/ubuntu-24.04:1.35.5', '1.35.5'],
  ['nodes/ubuntu-24.04:1.35.14', '1.35.14'],
  ['nodes/ubuntu-24.04:1.34', '1.34'],
  ['nodes/ubuntu-24.04:v1.36', '1.36'],
  ['nodes/ubuntu-24.04:1.34.4-20260101', '1.34.4'],
  ['nodes/ubuntu-24.04:1.34.20260101', '1.34'],
  ['nodes/ubuntu-24.04:v1.34-20260101', '1.34'],
  ['nodes/ubuntu-24.04:v1.34.4-2', '1.34.4'],
  ['nodes/ubuntu:24.04-v1.34.4', '1.34.4'],
  ['nodes/ubuntu:24.04-1.34.4', '1.34.4'],
  ['nodes/ubuntu:24.04_1.34.4_amd64', '1.34.4'],
  ['nodes/ubuntu-24.04-kubernetes-1.34:20260101', '1.34'],
  ['nodes/ubuntu-24.04-kubernetes:1.34.4', '1.34.4'],
  ['nodes/ubuntu-2404-kube-v1.34.4:20260101', '1.34.4'],
  ['nodes/ubuntu-2404-k8s-1-34-4:3', '1.34.4'],
  ['nodes/ubuntu-2404-k8s-1-34:3', '1.34'],
  ['nodes/ubuntu-2404:v1-34-4', '1.34.4'],
  ['nodes/bottlerocket-k8s-1.34:v1.40.0', '1.34'],
  ['nodes/rocky-9.1:v1.34.4-rke2r1', '1.34.4'],
  ['nodes/kairos:24.04-v3.5.3-k3sv1.34.4-k3s1', '1.34.4'],
  ['capk/ubuntu-2004-container-disk:v1.26.0', '1.26.0'],
  ['v1.30/ubuntu-24.04:v1.34.4', '1.34.4'],
  ['kubevirt-1.30/ubuntu-24.04:1.34.4', '1.34.4'],
  ['kubernetes-1.34/ubuntu:24.04', '1.34'],
  ['kubernetes-1.33/ubuntu-k8s-1.34.4:a', '1.34.4'],
  ['nodes/ubuntu-containerd-1.33.1:v1.34.4', '1.34.4'],
  [`nodes/ubuntu-24.04:1.34.4@sha256:${'a'.repeat(64)}`, '1.34.4'],
])('%s is an image of Kubernetes %s', (image, version) => {
  expect(found(`registry.example.com/${image}`)).toBe(version);
});

test.each([
  'nodes/ubuntu-24.04:1.35.4', 'nodes/ubuntu-24.04:v1.35.4', 'nodes/ubuntu-24.04:1.35', 'nodes/ubuntu-24.04:v1.35.4-20260101', 'nodes/ubuntu-kubernetes-1.35:7',
  'nodes/bottlerocket-k8s-1.35:v1.40.0', 'nodes/ubuntu-1.34:v1.35.4', 'nodes/ubuntu-kube-v1.35.4:1.34.0',
])('%s is the right one', (image) => {
  expect(found(`registry.example.com/${image}`)).toBeUndefined();
});

test.each([
  'nodes/ubuntu:24.04', 'nodes/ubuntu:v24.04.1', 'nodes/debian:12.5', 'nodes/debian-12.5:latest', 'nodes/rhel:9.1.30', 'nodes/fedora:41.30', 'siderolabs/talos:v1.11.3',
  'nodes/node:v1.2.3', 'nodes/node:1.0', 'nodes/node:1', 'nodes/node:stable', 'nodes/node:2026-1-25', 'nodes/node:20260134', 'nodes/node:1.34.1.5', 'nodes/node:v1.34.1.5',
  'nodes/node:1.85.2', 'nodes/go1.34.3:a', 'kubevirt/kubevirt-1.62:v1', 'v1.34/ubuntu:24.04', '1.34/nodes/ubuntu-24.04:20260101', 'images-1.34.4/ubuntu:a', 'kubevirt-1.34/ubuntu:24.04', 'nodes/kubevirt-1.34:24.04',
  'nodes/ubuntu-containerd-v1.34.4:24.04', 'nodes/ubuntu:24.04-containerd1.34.4', 'nodes/ubuntu:24.04-cri-o-1.34', `nodes/node@sha256:${'1'.repeat(64)}`,
])('%s names no release of Kubernetes', (image) => {
  expect(found(`registry.example.com/${image}`)).toBeUndefined();
});

test('the registry of an image is no release', () => {
  expect(found('10.1.34.4:5000/node:a')).toBeUndefined();
  expect(found('1.34.4.5:5000/node:a')).toBeUndefined();
});

test.each(['https://images.example.com/v1.34/node.qcow2', 'https://images.example.com/node.qcow2?version=v1.34.4'])('%s names no release', (url) => {
  const yaml = machineTemplate({ machine: persistentMachine().replace(/source: .*/, `source: {http: {url: "${url}"}}`) }) + machineDeployment('acme-general');

  expect(findings([IMAGE_VERSION], yaml)).toEqual([]);
});

test.each([
  ['registry: {url: "docker://registry.example.com/nodes/ubuntu-24.04:1.34.4"}', 'registry.url'],
  ['http: {url: "https://images.example.com/24.04/node-kube-v1.34.4.qcow2"}', 'http.url'],
  ['pvc: {namespace: images, name: ubuntu-2404-v1.34.4}', 'pvc.name'],
  ['snapshot: {namespace: images, name: ubuntu-k8s-1-34-4}', 'snapshot.name'],
])('a volume that is filled from %s', (source, field) => {
  const yaml = machineTemplate({ machine: persistentMachine().replace(/source: .*/, `source: {${source}}`) }) + machineDeployment('acme-general');

  expect(findings([IMAGE_VERSION], yaml)).toEqual([
    expect.stringContaining(`spec.template.spec.virtualMachineTemplate.spec.dataVolumeTemplates.0.spec.source.${field}: `),
  ]);
});

test('only the disk that the machine starts from is looked at', () => {
  const volumes = `${INSTANCE}                - {name: data, containerDisk: {image: "registry.example.com/data:1.34.4"}}\n`;

  expect(findings([IMAGE_VERSION], machineTemplate({ instance: volumes }) + machineDeployment('acme-general'))).toEqual([]);
});

test('the version is that of the pool, and without one nothing is compared', () => {
  const [template, pool] = [machineTemplate({ machine: persistentMachine().replace('v1.35.4', '1.34.4') }), machineDeployment('acme-general')];

  expect(findings([IMAGE_VERSION], template + pool.replace('v1.35.4', 'v1.34.4'))).toEqual([]);
  expect(findings([IMAGE_VERSION], template + pool.replace('v1.35.4', '1.35'))).toEqual([]);
  expect(findings([IMAGE_VERSION], template)).toEqual([]);
});

test('a page is warned', () => {
  const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
  const app = Testing.app();
  const rootDisk = RootDisk.registry({ url: 'docker://registry.example.com/nodes/ubuntu-24.04:1.35.1', size: Size.gibibytes(40) });
  exampleCluster(app, { infrastructure: new KubevirtInfrastructure(), delivery: new FluxDelivery() }).addNodePool('general', {
    machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk }), size: PoolSize.fixed(2),
  });

  expect(problemsOf(app)).toEqual([]);
  expect(emitted.mock.calls.map(([text]) => text)).toContainEqual(
    expect.stringMatching(/^\[acme\/general\] TC-TRAP-KUBEVIRT-IMAGE-VERSION machine\.rootDisk: .*ubuntu-24\.04:1\.35\.1" looks like an image of Kubernetes 1\.35\.1, .* must run v1\.35\.4/),
  );
  emitted.mockRestore();
});
