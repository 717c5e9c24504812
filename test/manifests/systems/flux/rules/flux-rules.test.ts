import { FLUX_MANIFEST_RULES } from '../../../../../src/manifests/systems/flux/provider';
import { HELM_RELEASE_TEXT, KUSTOMIZATION_TEXT } from '../../../../../src/manifests/systems/flux/rules/examples';
import { ManifestValidator } from '../../../../../src/manifests/validation/validate-manifests';
import { findings, objectsIn, testRules } from '../../../rules/rules-under-test';
import { SchemaValidator } from '../../../schema/validate';

testRules(FLUX_MANIFEST_RULES);

function found(...texts: string[]): string[] {
  return findings(FLUX_MANIFEST_RULES, texts.join('---\n')).map((finding) => finding.split(':')[0]);
}

const ETCD = FLUX_MANIFEST_RULES.find(({ id }) => id === 'TC-TRAP-FLUX-INSTALL-HOOKS')!.example.corrected;
const RETRYING = '    strategy: {name: RetryOnFailure, retryInterval: 30s}\n';

const uninstalling = (remediation: string): string => `${HELM_RELEASE_TEXT}  upgrade:\n    remediation: ${remediation}\n`;
const UNINSTALLS = ['TC-TRAP-FLUX-HELM-UNINSTALL spec.upgrade.remediation.strategy'];

test.each<[string, string, string[]]>([
  ['neither chart nor chartRef', HELM_RELEASE_TEXT.replace(/ {2}chart:[^]*?(?= {2}kubeConfig)/, ''), ['TC-ADMIT-FLUX-CHART spec.chart']],
  ['a kubeconfig from nowhere', HELM_RELEASE_TEXT.replace('kubeConfig:\n    secretRef: {name: acme-kubeconfig, key: value}', 'kubeConfig: {}'), ['TC-ADMIT-FLUX-KUBECONFIG spec.kubeConfig']],
  ['remediation for ever', HELM_RELEASE_TEXT.replace(RETRYING, '    remediation: {retries: -1}\n'), []],
  ['no retries', HELM_RELEASE_TEXT.replace(RETRYING, '    remediation: {retries: 0}\n'), ['TC-TRAP-FLUX-INSTALL-RETRIES spec.install']],
  ['no retries in the cluster of Flux', HELM_RELEASE_TEXT.replace(RETRYING, '').replace('  kubeConfig:\n    secretRef: {name: acme-kubeconfig, key: value}\n', ''), []],
  ['a chart of a Git repository', HELM_RELEASE_TEXT.replace('      version: v1.20.0\n', '').replace('HelmRepository', 'GitRepository'), []],
  ['namespaces that every cluster has', HELM_RELEASE_TEXT.replace('  namespace: tenant-acme', '  namespace: kube-system').replace('  storageNamespace: cert-manager\n', ''), []],
  ['an upgrade with the default strategy', `${HELM_RELEASE_TEXT}  upgrade: {strategy: {name: RemediateOnFailure, retryInterval: 1m}}\n`, ['TC-ADMIT-FLUX-RETRY-INTERVAL spec.upgrade.strategy.retryInterval']],
  ['a version that was never served', HELM_RELEASE_TEXT.replace('fluxcd.io/v2', 'fluxcd.io/v1'), ['TC-ADMIT-FLUX-API-VERSION apiVersion']],
  ['the chart kamaji-etcd from a folder, retried as an upgrade', ETCD.replace('RemediateOnFailure', 'RetryOnFailure').replace('chart: kamaji-etcd', 'chart: ./charts/kamaji-etcd'), ['TC-TRAP-FLUX-INSTALL-HOOKS spec.install.strategy.name']],
  ['the chart kamaji-etcd without hooks', ETCD.replace('strategy: {name: RemediateOnFailure}', 'strategy: {name: RetryOnFailure}\n    disableHooks: true'), []],
  ['a release that forces', `${HELM_RELEASE_TEXT}  upgrade: {force: true}\n  rollback: {force: true}\n`, ['TC-TRAP-FLUX-HELM-FORCE spec.upgrade.force', 'TC-TRAP-FLUX-HELM-FORCE spec.rollback.force']],
  ['objects that all force', `${KUSTOMIZATION_TEXT}  commonMetadata: {annotations: {kustomize.toolkit.fluxcd.io/force: Enabled}}\n`, ['TC-TRAP-FLUX-FORCE spec.commonMetadata.annotations.kustomize.toolkit.fluxcd.io/force']],
  ['objects that all force by a label', `${KUSTOMIZATION_TEXT}  commonMetadata: {labels: {kustomize.toolkit.fluxcd.io/force: enabled}}\n`, ['TC-TRAP-FLUX-FORCE spec.commonMetadata.labels.kustomize.toolkit.fluxcd.io/force']],
  ['other common annotations', `${KUSTOMIZATION_TEXT}  commonMetadata: {annotations: {kustomize.toolkit.fluxcd.io/force: Disabled}}\n`, []],
  ['an upgrade that uninstalls, for ever', uninstalling('{retries: -1, strategy: uninstall}'), UNINSTALLS],
  ['an upgrade that uninstalls at last', uninstalling('{remediateLastFailure: true, strategy: uninstall}'), UNINSTALLS],
  ['an upgrade that would uninstall without retries', uninstalling('{strategy: uninstall}'), []],
  ['an upgrade that is tried again instead', `${uninstalling('{retries: 3, strategy: uninstall}')}    strategy: {name: RetryOnFailure}\n`, []],
  ['an upgrade that is rolled back', uninstalling('{retries: 3}'), []],
  ['a dependency on itself', `${KUSTOMIZATION_TEXT}  dependsOn: [{name: acme-addons}]\n`, ['TC-TRAP-FLUX-DEPENDENCY-CYCLE spec.dependsOn']],
  ['health of a kind that is Ready', `${KUSTOMIZATION_TEXT}  healthCheckExprs: [{apiVersion: cert-manager.io/v1, kind: Certificate, current: "status.conditions.exists(c, c.type == 'Ready')"}]\n`, []],
])('%s', (_, text, expected) => {
  expect(found(text)).toEqual(expected);
});

test.each([
  ['a Deployment', 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: a}\n', false],
  ['a volume', 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a, namespace: a}\n', true],
  ['a template of machines', 'apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: DockerMachineTemplate\nmetadata: {name: a, namespace: a}\n', true],
  ['another delivery', HELM_RELEASE_TEXT, true],
  ['a Namespace', 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n', true],
])('force beside %s', (_, text, isFound) => {
  expect(found(`${KUSTOMIZATION_TEXT}  force: true\n`, text)).toEqual(isFound ? ['TC-TRAP-FLUX-FORCE spec.force'] : []);
});

test('a dependency of the same name in another namespace is another object', () => {
  expect(found(`${KUSTOMIZATION_TEXT}  dependsOn: [{name: acme-addons, namespace: other}]\n`, KUSTOMIZATION_TEXT.replace('namespace: tenant-acme', 'namespace: other'))).toEqual([]);
});

test('a chain of dependencies that leads into a cycle is none itself', () => {
  const kustomization = (name: string, after: string): string => `${KUSTOMIZATION_TEXT.replace('acme-addons', name)}  dependsOn: [{name: ${after}}]\n`;

  expect(found(kustomization('a', 'b'), kustomization('b', 'c'), kustomization('c', 'b'))).toEqual(Array(2).fill('TC-TRAP-FLUX-DEPENDENCY-CYCLE spec.dependsOn'));
});

describe('substitution', () => {
  const script = (text: string): string => `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata: {name: acme}
spec: {template: {spec: {preKubeadmCommands: ['${text}']}}}
`;
  const substituting = (build: string): string => `${KUSTOMIZATION_TEXT}  postBuild: ${build}\n`;
  const LOST = ['TC-TRAP-FLUX-SUBSTITUTION spec.template.spec.preKubeadmCommands.0'];

  test('takes variables that nobody knows', () => {
    expect(found(script('echo ${HOST}'), substituting('{substitute: {region: eu}}'))).toEqual(LOST);
    expect(found(script('echo ${HOST} ${region}'), substituting('{substitute: {HOST: a}}'))).toEqual(LOST);
  });

  test.each(['echo $HOST', 'echo $${HOST}', 'echo ${region}', 'echo $(hostname)'])('leaves %s', (text) => {
    expect(found(script(text), substituting('{substitute: {region: eu}}'))).toEqual([]);
  });

  test('is not judged where variables come from elsewhere, and not without it', () => {
    expect(found(script('echo ${HOST}'), substituting('{substituteFrom: [{kind: ConfigMap, name: a}]}'))).toEqual([]);
    expect(found(script('echo ${HOST}'), KUSTOMIZATION_TEXT)).toEqual([]);
    expect(found(script('echo ${HOST}'))).toEqual([]);
  });
});

describe('what the definitions refuse by their rules is refused here', () => {
  const validator = SchemaValidator.load();

  test.each([
    HELM_RELEASE_TEXT.replace(RETRYING, '    strategy: {name: RemediateOnFailure, retryInterval: 30s}\n'),
    `${HELM_RELEASE_TEXT}  upgrade: {strategy: {name: RemediateOnFailure, retryInterval: 1m}}\n`,
    HELM_RELEASE_TEXT.replace('    secretRef: {name: acme-kubeconfig, key: value}', '    secretRef: {name: a}\n    configMapRef: {name: b}'),
    KUSTOMIZATION_TEXT.replace('kubeConfig:\n    secretRef: {name: acme-kubeconfig, key: value}', 'kubeConfig: {}'),
  ])('%s', (text) => {
    expect(objectsIn(text).flatMap((object) => validator.validate(object))).not.toEqual([]);
    expect(found(text).filter((id) => id.startsWith('TC-ADMIT-'))).toHaveLength(1);
  });
});

test.each([
  ['apiVersion: v1\nkind: PersistentVolumeClaim', 'annotations', 'enabled', true],
  ['apiVersion: v1\nkind: Namespace', 'labels', 'Enabled', true],
  ['apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition', 'annotations', 'Enabled', true],
  ['apiVersion: kamaji.clastix.io/v1alpha1\nkind: TenantControlPlane', 'annotations', 'Enabled', true],
  ['apiVersion: kubevirt.io/v1\nkind: VirtualMachine', 'annotations', 'Enabled', true],
  ['apiVersion: cdi.kubevirt.io/v1beta1\nkind: DataVolume', 'annotations', 'Enabled', true],
  ['apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: DockerMachineTemplate', 'annotations', 'Enabled', true],
  ['apiVersion: cluster.x-k8s.io/v1beta2\nkind: MachineDeployment', 'annotations', 'disabled', false],
  ['apiVersion: batch/v1\nkind: Job', 'annotations', 'Enabled', false],
])('%s with %s of force: %s', (kind, map, value, isFound) => {
  const [object] = objectsIn(`${kind}\nmetadata: {name: a, namespace: a, ${map}: {kustomize.toolkit.fluxcd.io/force: ${value}}}\n`);
  const { found: all } = new ManifestValidator().validate([[object]], { silences: [], strict: false });

  expect(all.map(({ finding }) => finding).filter(({ rule }) => rule.id === 'TC-TRAP-FLUX-FORCE-OBJECT').map(({ path }) => path))
    .toEqual(isFound ? [['metadata', map, 'kustomize.toolkit.fluxcd.io/force']] : []);
});

describe('flags of the controllers of Flux', () => {
  const ACROSS = KUSTOMIZATION_TEXT.replace('name: fleet}', 'name: fleet, namespace: flux-system}');
  const controller = (args: string, image = 'ghcr.io/fluxcd/kustomize-controller:v1.9.4', name = 'kustomize-controller') => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: flux-system}
spec: {template: {spec: {containers: [{name: manager, image: '${image}', args: [${args}]}]}}}
`;
  const modes = (text: string) => found(text).map((finding) => finding.split(' ')[0]).filter((id) => ['TC-TRAP-FLUX-CROSS-NAMESPACE', 'TC-TRAP-FLUX-DEFAULT-ACCOUNT'].includes(id));

  test.each([
    ['none among the manifests', ACROSS, []],
    ['others', ACROSS + controller('--concurrent=20'), []],
    ['references across namespaces', ACROSS + controller('--no-cross-namespace-refs'), ['TC-TRAP-FLUX-CROSS-NAMESPACE']],
    ['another namespace that is the same', ACROSS.replace('namespace: flux-system', 'namespace: tenant-acme') + controller('--no-cross-namespace-refs=true'), []],
    ['set back', ACROSS + controller('--no-cross-namespace-refs=true, --no-cross-namespace-refs=false'), []],
    ['of another controller', ACROSS + controller('--no-cross-namespace-refs=true', 'ghcr.io/fluxcd/helm-controller:v1.6.3'), []],
    ['of one shard of two', ACROSS + controller('--no-cross-namespace-refs=true') + controller('--concurrent=4', undefined, 'shard'), []],
    ['of both shards', ACROSS + controller('--no-cross-namespace-refs=true') + controller('--no-cross-namespace-refs=true', undefined, 'shard'), ['TC-TRAP-FLUX-CROSS-NAMESPACE']],
    ['a default account', ACROSS + controller('--default-service-account=default'), ['TC-TRAP-FLUX-DEFAULT-ACCOUNT']],
    ['a default account, in the cluster of Flux', ACROSS.replace(/ {2}kubeConfig:\n.*\n/, '') + controller('--default-service-account=default'), []],
  ])('%s', (_, text, ids) => {
    expect(modes(text)).toEqual(ids);
  });
});
