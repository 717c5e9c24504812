import { CHART_IMAGES } from '../../../src/manifests/images/chart-image-entry';
import { entryOf } from '../../../src/manifests/images/chart-images';
import { imageLikeStrings, imageLikeValues } from '../../../src/manifests/images/image-like-strings';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { Fields, pointerTo } from '../../../src/manifests/values/fields';
import { object, PODS } from '../../constructs/images/objects';

const found = (given: ManifestObject) => imageLikeStrings(given).map(({ path, image }) => `${pointerTo(path)} ${image}`);
const deployment = (container: object) => object('apps/v1', 'Deployment', { spec: { template: { spec: { containers: [{ name: 'a', image: 'quay.io/x/y:v1', ...container }] } } } });
const AT = '/spec/template/spec/containers/0';
const DIGEST = `sha256:${'a'.repeat(64)}`;

test.each<[what: string, object: ManifestObject, found: string[]]>([
  ['a field of a kind that is not known', object('postgresql.cnpg.io/v1', 'Cluster', { spec: { imageName: 'ghcr.io/cnpg/postgresql:17.2' } }), ['/spec/imageName ghcr.io/cnpg/postgresql:17.2']],
  ['a flag', deployment({ args: ['--v=2', '--acme-http01-solver-image=quay.io/x/solver:v1'] }), [`${AT}/args/1 quay.io/x/solver:v1`]],
  ['a flag whose value is the next word', deployment({ command: ['run', '--sidecar-image', `quay.io/x/s@${DIGEST}`] }), [`${AT}/command/2 quay.io/x/s@${DIGEST}`]],
  ['an environment variable', deployment({ env: [{ name: 'RELATED_IMAGE_X', value: 'quay.io/x/z:v1' }, { name: 'X', value: 'quay.io/x/z:v2' }] }), [`${AT}/env/0/value quay.io/x/z:v1`]],
  ['an argument of kubeadm', object('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfig', {
    spec: { joinConfiguration: { nodeRegistration: { kubeletExtraArgs: [{ name: 'pod-infra-container-image', value: 'registry.k8s.io/pause:3.10' }] } } },
  }), ['/spec/joinConfiguration/nodeRegistration/kubeletExtraArgs/0/value registry.k8s.io/pause:3.10']],
  ['a list', object('example.com/v1', 'X', { spec: { images: ['quay.io/x/y:v1', 'quay.io/x/y'] } }), ['/spec/images/0 quay.io/x/y:v1']],
  ['an annotation', { apiVersion: 'v1', kind: 'Pod', metadata: { annotations: { 'sidecar.istio.io/proxyImage': 'docker.io/istio/proxyv2:1.27.0' } } }, ['/metadata/annotations/sidecar.istio.io~1proxyImage docker.io/istio/proxyv2:1.27.0']],
  ['a scheme', object('example.com/v1', 'X', { spec: { imageUrl: 'docker://quay.io/x/y:v1' } }), ['/spec/imageUrl quay.io/x/y:v1']],
  ['an item of a list of objects', { apiVersion: 'v1', kind: 'List', items: [object('example.com/v1', 'X', { image: 'quay.io/x/y:v1' })] }, ['/items/0/image quay.io/x/y:v1']],
])('%s may name an image', (_, given, expected) => {
  expect(found(given)).toEqual(expected);
});

test.each<[what: string, object: ManifestObject]>([
  ['places that are known', object('apps/v1', 'Deployment', { spec: { template: { spec: PODS } } })],
  ['the repository of a controller', object('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', { spec: { kubeadmConfigSpec: { clusterConfiguration: { imageRepository: 'registry.internal:5000' } } } })],
  ['a registry with a port', object('example.com/v1', 'X', { spec: { imageRegistry: 'registry.internal:5000' } })],
  ['what has neither tag nor digest', deployment({ imagePullPolicy: 'IfNotPresent', args: ['--image-gc-high-threshold=85', '--image-dir=/var/lib'] })],
  ['a definition', object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { spec: { image: 'quay.io/x/y:v1' } })],
  ['values of a chart', object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { spec: { values: { image: 'quay.io/x/y:v1' } } })],
])('%s: no string looks like an image', (_, given) => {
  expect(found(given)).toEqual([]);
});

test.each<[chart: string, values: Fields, found: string[]]>([
  ['cilium', { image: { override: 'quay.io/x/y:v1', tag: 'v1' } }, ['image.override quay.io/x/y:v1']],
  ['cilium', { standaloneDnsProxy: { image: { repository: 'quay.io/x/y', tag: 'v1', useDigest: false } } }, ['standaloneDnsProxy.image quay.io/x/y:v1']],
  ['external-dns', { provider: { name: 'webhook', webhook: { image: { repository: 'ghcr.io/x/y', tag: 'v1' } } } }, ['provider.webhook.image ghcr.io/x/y:v1']],
  ['coredns', { image: { repository: 'quay.io/x/y', tag: 'v1' }, extraContainers: [{ image: 'quay.io/x/y:v1' }], env: [{ name: 'SIDE_IMAGE', value: 'quay.io/x/s:v1' }] }, ['env.0.value quay.io/x/s:v1']],
  ['kube-prometheus-stack', { thanos: { image: { registry: 'quay.io', repository: 'x/thanos' } } }, ['thanos.image quay.io/x/thanos']],
])('values of %s: %j', (chart, values, expected) => {
  expect(imageLikeValues(entryOf(chart, CHART_IMAGES[chart].version!)!, values).map(({ path, image }) => `${path.join('.')} ${image}`)).toEqual(expected);
});
