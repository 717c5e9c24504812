import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { delivering, manifestsOf, outputOf, refused } from './managed';
import { definitionText, deploymentText } from './operator-files';
import { ImageSources, ImageSourcesProps } from '../../../src/constructs/images/image-sources';
import { CdiInstallation } from '../../../src/constructs/management/cdi-installation';
import { ClusterApiInstallation } from '../../../src/constructs/management/cluster-api-installation';
import { FurtherProvider, ProviderKind } from '../../../src/constructs/management/cluster-api-provider';
import { KubevirtInstallation } from '../../../src/constructs/management/kubevirt-installation';
import { ManagementClusterProps } from '../../../src/constructs/management/management-cluster';
import { OperatorManifest } from '../../../src/constructs/management/operator-manifest';

const REGISTRY = 'registry.internal:5000/mirror';

let directory: string;

beforeAll(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'operators-'));
});

afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

const VULTR = { kind: ProviderKind.INFRASTRUCTURE, name: 'vultr-vultr', version: 'v0.3.0' };

/** Containers of Vultr's provider whose images are written. */
function vultrContainers(provider: Partial<FurtherProvider> = {}, props: Partial<ManagementClusterProps> = {}) {
  const clusterApi = ClusterApiInstallation.operator({ furtherProviders: [{ ...VULTR, ...provider }] });
  const found = manifestsOf(outputOf({ ...props, clusterApi }), 'cluster-api-providers').find(({ kind, metadata }) => kind === 'InfrastructureProvider' && metadata.name.startsWith('vultr'));
  return found.spec.deployment?.containers;
}

/** The file of an operator that is told its images by variables. */
function operatorFile(name: string, kind: string, image: string, variables: Record<string, string>): OperatorManifest {
  const file = path.join(directory, `${name}.yaml`);
  fs.writeFileSync(file, [definitionText('things', `${name}.example.com`, kind), deploymentText(name, 'a', image, variables)].join('---\n'));
  return OperatorManifest.file(file);
}

/** A management cluster all of whose images are known. */
function mirrored(images: ImageSourcesProps = { imageRegistry: REGISTRY }): Partial<ManagementClusterProps> {
  return {
    images: new ImageSources(images),
    kubevirt: KubevirtInstallation.operator({
      operator: operatorFile('virt-operator', 'KubeVirt', 'quay.io/kubevirt/virt-operator:v1.9.0', { VIRT_OPERATOR_IMAGE: 'quay.io/kubevirt/virt-operator:v1.9.0' }),
    }),
    cdi: CdiInstallation.operator({
      operator: operatorFile('cdi-operator', 'CDI', 'quay.io/kubevirt/cdi-operator:v1.66.0', { IMPORTER_IMAGE: 'quay.io/kubevirt/cdi-importer:v1.66.0', VERBOSITY: '1' }),
    }),
  };
}

test('an override reaches a provider, which then is named', () => {
  const output = outputOf({ images: new ImageSources({ overrides: { 'quay.io/capk/capk-manager': 'registry.internal:5000/capk' } }) });
  const images = manifestsOf(output, 'cluster-api-providers').flatMap(({ spec }) => spec?.deployment?.containers ?? []).map(({ imageUrl }) => imageUrl);

  expect(images).toContain('registry.internal:5000/capk:v0.11.2');
});

test('one registry reaches charts, providers, operators, and what operators are told to install', () => {
  const output = outputOf(mirrored());
  const releases = delivering(output, 'HelmRelease');
  const [virt] = manifestsOf(output, 'kubevirt-operator').filter(({ kind }) => kind === 'Deployment');
  const [cdi] = manifestsOf(output, 'cdi-operator').filter(({ kind }) => kind === 'Deployment');
  const text = JSON.stringify(output);

  expect(releases['management-kamaji'].spec.values.image).toMatchObject({ repository: `${REGISTRY}/clastix/kamaji`, tag: '26.8.2-edge' });
  expect(releases['management-cluster-api-operator'].spec.values.image.manager).toEqual({ repository: `${REGISTRY}/capi-operator/cluster-api-operator` });
  expect(manifestsOf(output, 'cluster-api-providers').flatMap(({ spec }) => spec?.deployment?.containers ?? []).map(({ name, imageUrl }) => [name, imageUrl])).toEqual([
    ['manager', `${REGISTRY}/cluster-api/cluster-api-controller:v1.14.2`],
    ['manager', `${REGISTRY}/cluster-api/kubeadm-bootstrap-controller:v1.14.2`],
    ['controller', `${REGISTRY}/clastix/cluster-api-control-plane-provider-kamaji:v0.20.0`],
    ['manager', `${REGISTRY}/capk/capk-manager:v0.11.2`],
    ['manager', `${REGISTRY}/cluster-api-helm/cluster-api-helm-controller:v0.6.4`],
  ]);
  expect(virt.spec.template.spec.containers[0]).toMatchObject({ image: `${REGISTRY}/kubevirt/virt-operator:v1.9.0`, env: [{ value: `${REGISTRY}/kubevirt/virt-operator:v1.9.0` }] });
  expect(cdi.spec.template.spec.containers[0].env).toEqual([
    { name: 'IMPORTER_IMAGE', value: `${REGISTRY}/kubevirt/cdi-importer:v1.66.0` }, { name: 'VERBOSITY', value: '1' },
  ]);
  for (const host of ['quay.io/', 'registry.k8s.io/', 'docker.io/']) expect(text).not.toContain(host);
});

test('an image that was deleted from its registry is replaced', () => {
  const proxy = { name: 'kube-rbac-proxy', imageUrl: 'quay.io/brancz/kube-rbac-proxy:v0.15.0' };

  expect(vultrContainers()).toEqual([proxy]);
  expect(vultrContainers({ name: 'vultr', url: 'https://github.com/vultr/cluster-api-provider-vultr/releases/v0.3.0/infrastructure-components.yaml' })).toEqual([proxy]);
  expect(vultrContainers({ sidecarImages: { 'kube-rbac-proxy': 'registry.internal/proxy:v0.21.2' } })).toEqual([{ ...proxy, imageUrl: 'registry.internal/proxy:v0.21.2' }]);
  expect(vultrContainers({ resources: { limits: { memory: '1Gi' } } })).toEqual([{ name: 'manager', resources: { limits: { memory: '1Gi' } } }, proxy]);
  expect(vultrContainers({}, mirrored())).toEqual([
    { name: 'manager', imageUrl: `${REGISTRY}/vultr/cluster-api-provider-vultr:v0.3.0` },
    { name: 'kube-rbac-proxy', imageUrl: `${REGISTRY}/brancz/kube-rbac-proxy:v0.15.0` },
  ]);
  // The operator refuses an image for a container that a release may not have.
  expect(vultrContainers({ version: 'v0.5.0' })).toBeUndefined();
});

test('without sources nothing is written about images that nobody asked for', () => {
  const output = outputOf();

  expect(JSON.stringify(output)).not.toContain('imageUrl');
  expect(delivering(output, 'HelmRelease')['management-cluster-api-operator'].spec.values).toEqual({ enableHelmHook: false });
});

test.each([
  ['TC-MANAGEMENT-OPERATOR-MANIFEST', 'kubevirt.operator', { ...mirroredProps(), kubevirt: KubevirtInstallation.operator({ operator: OperatorManifest.release() }) }],
  ['TC-MANAGEMENT-OPERATOR-MANIFEST', 'cdi.operator', { ...mirroredProps(), cdi: CdiInstallation.operator({ operator: OperatorManifest.release() }) }],
  ['TC-MANAGEMENT-IMAGE', 'clusterApi.furtherProviders[0].image', {
    ...mirroredProps(),
    clusterApi: ClusterApiInstallation.operator({ furtherProviders: [{ ...VULTR, name: 'metal3', version: 'v1.11.0' }] }),
  }],
])('%s: what cannot be moved is refused: %s', (id, property, props) => {
  expect(refused(props).map((problem) => [problem.id, problem.text])).toEqual([[id, expect.stringContaining(`${property}:`)]]);
});

/** As `mirrored`, with operators that somebody else installs. */
function mirroredProps(): Partial<ManagementClusterProps> {
  return {
    images: new ImageSources({ imageRegistry: REGISTRY }),
    kubevirt: KubevirtInstallation.operator({ operator: OperatorManifest.existing() }),
    cdi: CdiInstallation.operator({ operator: OperatorManifest.existing() }),
  };
}

test('charts come from their mirrors', () => {
  const output = outputOf({ images: new ImageSources({ chartRepositories: { 'https://charts.jetstack.io': 'https://charts.internal/jetstack' } }) });

  expect(Object.values(delivering(output, 'HelmRepository')).map(({ spec }) => spec.url)).toContain('https://charts.internal/jetstack');
});
