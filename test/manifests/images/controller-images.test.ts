import { controllerImages, unknownImages } from '../../../src/manifests/images/controller-images';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { KAMAJI_CONTROL_PLANE, object } from '../../constructs/images/objects';

const images = (given: ManifestObject) => controllerImages(given).map(({ image }) => image);
const unknown = (given: ManifestObject) => unknownImages(given).map((entry) => entry.unknown.split(':')[0]);
const kubeadm = (clusterConfiguration?: object) => object('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', {
  spec: { version: 'v1.35.4', kubeadmConfigSpec: { clusterConfiguration } },
});
const components = (registry: string) => ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => `${registry}/${name}:v1.35.4`);

describe('Kamaji', () => {
  test('its components have the version of Kubernetes, its DNS the one that Kamaji is built with', () => {
    expect(images(KAMAJI_CONTROL_PLANE)).toEqual([...components('registry.k8s.io'), 'registry.k8s.io/kube-proxy:v1.35.4']);
    expect(unknown(KAMAJI_CONTROL_PLANE)).toEqual(['registry.k8s.io/coredns/coredns', 'kine']);
  });

  test('a tag counts beside a repository only', () => {
    const withDns = (coreDNS: object) => object('controlplane.cluster.x-k8s.io/v1alpha2', 'KamajiControlPlane', { spec: { addons: { coreDNS } } });
    expect(images(withDns({ imageRepository: 'quay.io/team', imageTag: 'v1.14.2' }))).toEqual(['quay.io/team/coredns:v1.14.2']);
    expect(images(withDns({ imageRepository: 'registry.k8s.io', imageTag: 'v1.14.2' }))).toEqual(['registry.k8s.io/coredns/coredns:v1.14.2']);
    expect(images(withDns({ imageTag: 'v1.14.2' }))).toEqual([]);
  });

  test('a version without its "v" has the same images: the provider adds it', () => {
    const given = object('controlplane.cluster.x-k8s.io/v1alpha2', 'KamajiControlPlane', {
      spec: { version: '1.35.4', addons: { kubeProxy: {} }, scheduler: { containerImageName: 'team/scheduler' }, registry: 'quay.io/k8s' },
    });
    expect(images(given)).toEqual([
      'quay.io/k8s/kube-apiserver:v1.35.4', 'quay.io/k8s/kube-controller-manager:v1.35.4', 'quay.io/k8s/team/scheduler:v1.35.4', 'registry.k8s.io/kube-proxy:v1.35.4',
    ]);
  });

  test('the control plane behind it has the tag as it is written, of which Kubernetes has none without a "v"', () => {
    const tenant = (deployment: object) => object('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', {
      spec: { kubernetes: { version: '1.35.4' }, controlPlane: { deployment }, addons: { kubeProxy: { imageTag: 'v1.35.4' } } },
    });
    expect(images(tenant({}))).toEqual(['registry.k8s.io/kube-proxy:v1.35.4']);
    expect(unknown(tenant({}))).toEqual(['registry.k8s.io/kube-apiserver', 'registry.k8s.io/kube-controller-manager', 'registry.k8s.io/kube-scheduler', 'kine']);
    expect(images(tenant({ registrySettings: { registry: 'quay.io/k8s' } }))).toContain('quay.io/k8s/kube-apiserver:1.35.4');
  });

  test('the control plane behind it', () => {
    const tenant = object('kamaji.clastix.io/v1alpha1', 'TenantControlPlane', {
      spec: {
        kubernetes: { version: 'v1.35.4' },
        controlPlane: { deployment: { registrySettings: { registry: 'quay.io/k8s', tagSuffix: '-fips', schedulerImage: 'scheduler' } } },
        addons: { konnectivity: {} },
      },
    });
    expect(images(tenant)).toEqual(['quay.io/k8s/kube-apiserver:v1.35.4-fips', 'quay.io/k8s/kube-controller-manager:v1.35.4-fips', 'quay.io/k8s/scheduler:v1.35.4-fips']);
    expect(unknown(tenant)).toEqual(['registry.k8s.io/kas-network-proxy/proxy-server', 'registry.k8s.io/kas-network-proxy/proxy-agent', 'kine']);
  });
});

describe('kubeadm', () => {
  test('the versions of DNS, etcd and pause are those of kubeadm on the machine', () => {
    expect(images(kubeadm())).toEqual([...components('registry.k8s.io'), 'registry.k8s.io/kube-proxy:v1.35.4']);
    expect(unknown(kubeadm())).toEqual(['registry.k8s.io/etcd', 'registry.k8s.io/coredns/coredns', 'pause']);
  });

  test.each([['1.35.4', 'v1.35.4'], ['v1.35.4+acme.1', 'v1.35.4_acme.1'], ['v1.35', undefined], ['${VERSION}', undefined]])('the tag of version %s is %s', (version, tag) => {
    const given = object('controlplane.cluster.x-k8s.io/v1beta1', 'KubeadmControlPlane', { spec: { version, kubeadmConfigSpec: {} } });
    expect(images(given)).toEqual(tag === undefined ? [] : ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'].map((name) => `registry.k8s.io/${name}:${tag}`));
  });

  test('a repository of its own, as kubeadm appends to it', () => {
    const given = kubeadm({ imageRepository: 'quay.io/k8s', dns: { imageRepository: 'quay.io/dns', imageTag: 'v1.14.2' }, etcd: { local: { imageTag: '3.6.6-0' } } });
    expect(images(given)).toEqual([...components('quay.io/k8s'), 'quay.io/k8s/kube-proxy:v1.35.4', 'quay.io/k8s/etcd:3.6.6-0', 'quay.io/dns/coredns:v1.14.2']);
  });

  test('the tag of DNS counts without a repository, too', () => {
    expect(images(kubeadm({ dns: { imageTag: 'v1.14.2' } }))).toContain('registry.k8s.io/coredns/coredns:v1.14.2');
  });

  test.each([[['addon'], [], ['registry.k8s.io/etcd', 'pause']], [['addon/kube-proxy'], [], ['registry.k8s.io/etcd', 'registry.k8s.io/coredns/coredns', 'pause']],
    [['addon/coredns'], ['registry.k8s.io/kube-proxy:v1.35.4'], ['registry.k8s.io/etcd', 'pause']]])('phases that are left out: %j', (skipPhases, proxy, open) => {
    const given = object('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', {
      spec: { version: 'v1.35.4', kubeadmConfigSpec: { initConfiguration: { skipPhases } } },
    });
    expect(images(given)).toEqual([...components('registry.k8s.io'), ...proxy]);
    expect(unknown(given)).toEqual(open);
  });

  test('no etcd of its own where there is another', () => {
    expect(unknown(kubeadm({ etcd: { external: { endpoints: [] } } }))).toEqual(['registry.k8s.io/coredns/coredns', 'pause']);
  });

  test('its own files say the same, without what they switch off', () => {
    const file = (fields: object) => object('kubeadm.k8s.io/v1beta4', 'ClusterConfiguration', { kubernetesVersion: 'v1.35.4', ...fields });
    expect(images(file({ imageRepository: 'quay.io/k8s' }))).toEqual([...components('quay.io/k8s'), 'quay.io/k8s/kube-proxy:v1.35.4']);
    expect(unknown(file({}))).toEqual(['registry.k8s.io/etcd', 'registry.k8s.io/coredns/coredns', 'pause']);
    expect(images(file({ proxy: { disabled: true } }))).toEqual(components('registry.k8s.io'));
    expect(unknown(file({ dns: { disabled: true } }))).toEqual(['registry.k8s.io/etcd', 'pause']);
  });

  test('joining machines say nothing about the control plane', () => {
    const config = object('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfigTemplate', { spec: { template: { spec: { joinConfiguration: {} } } } });
    expect(images(config)).toEqual([]);
    expect(unknown(config)).toEqual(['pause']);
  });
});

test.each<[what: string, object: ManifestObject, images: string[], unknown: string[]]>([
  ['KubeVirt', object('kubevirt.io/v1', 'KubeVirt', { spec: {} }), [], ['KubeVirt\'s components']],
  [
    'KubeVirt from a registry', object('kubevirt.io/v1', 'KubeVirt', { spec: { imageRegistry: 'quay.io/kubevirt', imageTag: 'v1.9.0' } }),
    ['virt-api', 'virt-controller', 'virt-handler', 'virt-launcher'].map((name) => `quay.io/kubevirt/${name}:v1.9.0`), ['KubeVirt\'s components'],
  ],
  ['CDI', object('cdi.kubevirt.io/v1beta1', 'CDI', {}), [], ['CDI\'s components']],
  ['a provider', object('operator.cluster.x-k8s.io/v1alpha2', 'CoreProvider', { spec: { version: 'v1.14.0' } }), [], ['the CoreProvider "some" v1.14.0']],
  ['a Deployment', object('apps/v1', 'Deployment', {}), [], []],
])('%s', (_, given, known, open) => {
  expect(images(given)).toEqual(known);
  expect(unknown(given)).toEqual(open);
  const { apiVersion, kind, ...item } = given;
  for (const list of [object('v1', 'List', { items: [given] }), object(String(apiVersion), `${String(kind)}List`, { items: [item] })]) {
    expect([images(list), unknown(list)]).toEqual([known, open]);
  }
});
