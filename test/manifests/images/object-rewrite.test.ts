import { ImageResolver } from '../../../src/manifests/images/image-resolver';
import { rewriteObjectImages } from '../../../src/manifests/images/object-rewrite';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { fieldAt } from '../../../src/manifests/values/fields';
import { KAMAJI_CONTROL_PLANE, MACHINE, object, PODS } from '../../constructs/images/objects';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const REGISTRY = 'registry.internal/mirror';
const mirror = new ImageResolver({ imageRegistry: REGISTRY });
const rewritten = (given: ManifestObject, sources = mirror): ManifestObject => rewriteObjectImages(given, sources).object;

const OBJECTS: [string, ManifestObject][] = [
  ['Deployment', object('apps/v1', 'Deployment', { spec: { template: { spec: PODS } } })],
  ['VirtualMachine', object('kubevirt.io/v1', 'VirtualMachine', { spec: MACHINE })],
  ['KamajiControlPlane', KAMAJI_CONTROL_PLANE],
  ['KubeadmControlPlane', object('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', { spec: { version: 'v1.35.4', kubeadmConfigSpec: {} } })],
  ['TenantControlPlane', object('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', { spec: { kubernetes: { version: 'v1.35.4' }, addons: { coreDNS: {} } } })],
  ['Kustomization', object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { spec: { images: [{ name: 'ghcr.io/team/app', newTag: 'v2' }] } })],
  ['KubeVirt', object('kubevirt.io/v1', 'KubeVirt', { spec: { imageRegistry: 'quay.io/kubevirt' } })],
];

test.each(OBJECTS)('%s: every image comes from the registry, and twice is the same as once', (_, given) => {
  const before = JSON.stringify(given);
  const once = rewriteObjectImages(given, mirror);
  expect(once.images.length).toBeGreaterThan(0);
  expect(once.images.filter(({ image, fault }) => fault !== undefined || !image.startsWith(`${REGISTRY}/`))).toEqual([]);
  expect(rewritten(once.object)).toEqual(once.object);
  expect(rewriteObjectImages(once.object, mirror).images.map(({ image }) => image)).toEqual(once.images.map(({ image }) => image));
  expect(JSON.stringify(given)).toBe(before);
});

test.each(OBJECTS)('%s: without sources nothing changes', (_, given) => {
  expect(rewriteObjectImages(given, undefined).object).toBe(given);
  expect(rewriteObjectImages(given, new ImageResolver({})).object).toBe(given);
});

test('images of machines keep their scheme', () => {
  const { spec } = rewritten(OBJECTS[1][1]);
  expect(fieldAt(spec, 'dataVolumeTemplates', '0', 'spec', 'source', 'registry', 'url')).toBe(`docker://${REGISTRY}/team/node:v1.35.4`);
  expect(fieldAt(spec, 'dataVolumeTemplates', '1')).toEqual(MACHINE.dataVolumeTemplates[1]);
  expect(fieldAt(spec, 'template', 'spec', 'volumes', '0')).toEqual({ name: 'boot', containerDisk: { image: `${REGISTRY}/team/disk:v1` } });
});

test('Kamaji is told the registries of its components and of each addon', () => {
  expect(rewritten(KAMAJI_CONTROL_PLANE).spec).toEqual({
    version: 'v1.35.4',
    registry: REGISTRY,
    apiServer: {},
    addons: {
      coreDNS: { dnsServiceIPs: ['10.95.0.10'], imageRepository: `${REGISTRY}/coredns` },
      kubeProxy: { imageRepository: REGISTRY },
      konnectivity: {
        server: { image: `${REGISTRY}/kas-network-proxy/proxy-server`, version: 'v0.34.0', port: 8132 },
        agent: { image: `${REGISTRY}/kas-network-proxy/proxy-agent`, version: 'v0.34.0' },
      },
    },
    deployment: { extraContainers: [{ name: 'log', image: `${REGISTRY}/team/log:v1` }] },
  });
});

test('kubeadm is told that of DNS, too, which has a path of its own', () => {
  expect(fieldAt(rewritten(OBJECTS[3][1]), 'spec', 'kubeadmConfigSpec')).toEqual({
    clusterConfiguration: { imageRepository: REGISTRY, dns: { imageRepository: `${REGISTRY}/coredns` } },
  });
});

test('kustomize gets the new name beside the one that it looks for', () => {
  expect(fieldAt(rewritten(OBJECTS[5][1]), 'spec', 'images')).toEqual([{ name: 'ghcr.io/team/app', newName: `${REGISTRY}/team/app`, newTag: 'v2' }]);
  const digests = new Map(Object.entries({ 'ghcr.io/team/app:v2': DIGEST }));
  expect(fieldAt(rewritten(OBJECTS[5][1], new ImageResolver({ digestOf: (name, tag) => digests.get(`${name}:${tag}`) })), 'spec', 'images', '0')).toEqual({
    name: 'ghcr.io/team/app', newName: 'ghcr.io/team/app', newTag: 'v2', digest: DIGEST,
  });
});

describe('names that a controller puts together', () => {
  const konnectivity = (overrides: { [image: string]: string }) => rewriteObjectImages(KAMAJI_CONTROL_PLANE, new ImageResolver({ overrides }));

  test('an override of konnectivity is written in two parts', () => {
    const { object: result } = konnectivity({ 'registry.k8s.io/kas-network-proxy/proxy-agent': 'quay.io/team/agent:v9' });
    expect(fieldAt(result, 'spec', 'addons', 'konnectivity', 'agent')).toEqual({ image: 'quay.io/team/agent', version: 'v9' });
  });

  test('a lock does not reach them', () => {
    const digests = new Map(Object.entries({ 'registry.k8s.io/kas-network-proxy/proxy-agent:v0.34.0': DIGEST, 'registry.k8s.io/kube-apiserver:v1.35.4': DIGEST }));
    expect(fieldAt(rewritten(KAMAJI_CONTROL_PLANE, new ImageResolver({ digestOf: (name, tag) => digests.get(`${name}:${tag}`) })), 'spec', 'addons')).toEqual(fieldAt(KAMAJI_CONTROL_PLANE, 'spec', 'addons'));
    expect(fieldAt(rewritten(KAMAJI_CONTROL_PLANE, new ImageResolver({ digestOf: (name, tag) => digests.get(`${name}:${tag}`) })), 'spec', 'registry')).toBe('registry.k8s.io');
  });

  test.each<[what: string, image: string, instead: string, faults: number]>([
    ['a digest for konnectivity', 'registry.k8s.io/kas-network-proxy/proxy-agent', `quay.io/team/agent@${DIGEST}`, 1],
    ['another registry for one component of several', 'registry.k8s.io/kube-apiserver', 'quay.io/team/kube-apiserver', 1],
    ['another name for a component', 'registry.k8s.io/kube-apiserver', 'quay.io/team/apiserver', 1],
    ['another tag for kube-proxy', 'registry.k8s.io/kube-proxy', 'quay.io/team/kube-proxy:v9', 1],
    ['another registry for kube-proxy', 'registry.k8s.io/kube-proxy', 'quay.io/team/kube-proxy', 0],
  ])('%s', (_, image, instead, faults) => {
    expect(konnectivity({ [image]: instead }).images.filter(({ fault }) => fault !== undefined)).toHaveLength(faults);
  });
});
