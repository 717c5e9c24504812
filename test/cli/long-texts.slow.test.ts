import { Workplace } from './run';

const LONG = 100_000;

/** Texts that take quadratic time or more where a regular expression looks for their end from each of their characters. */
const TEXTS = ['/', '-', '@', ':', '{', '{{', '{%', ' ', '\n', '=', '.', 'a.', 'a-', '"', '\\'].map((text) => [JSON.stringify(text), text.repeat(LONG / text.length)] as const);

function manifests(text: string): string {
  const object = (apiVersion: string, kind: string, spec: object, name = 'acme') => ({ apiVersion, kind, metadata: { name, namespace: 'tenant-acme' }, spec });
  return [
    object('cluster.x-k8s.io/v1beta2', 'Cluster', { topology: { classRef: { name: text }, version: `${text}!`, variables: [{ name: text, value: text }] } }),
    object('cluster.x-k8s.io/v1beta2', 'MachineDeployment', { clusterName: 'acme', machineNaming: { template: `${text}!` }, template: { spec: { version: `${text}!` } } }),
    object('cluster.x-k8s.io/v1beta2', 'ClusterClass', { controlPlane: { naming: { template: `${text}!` } } }),
    object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { interval: `${text}!`, chartRef: { kind: 'OCIRepository', name: 'a' }, values: { a: `${text}!`, image: `${text}!`, registry: `${text}!` } }),
    object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { chart: { spec: { chart: `${text}!`, version: `${text}!`, sourceRef: { kind: 'HelmRepository', name: 'a' } } } }, 'b'),
    object('source.toolkit.fluxcd.io/v1', 'OCIRepository', { url: `oci://a${text}!`, ref: { tag: text } }, 'a'),
    object('source.toolkit.fluxcd.io/v1', 'HelmRepository', { url: `https://a${text}!` }, 'a'),
    object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { path: `a${text}!`, postBuild: { substitute: { a: `${text}!` } } }),
    object('argoproj.io/v1alpha1', 'Application', { source: { repoURL: `https://a${text}!`, path: `a${text}!`, targetRevision: text, helm: { values: `${text}!` } } }),
    object('addons.cluster.x-k8s.io/v1alpha1', 'HelmChartProxy', { valuesTemplate: `a: "${text.replaceAll('\\', '').replaceAll('"', '')}!"`, repoURL: `https://a${text}!`, chartName: `${text}!` }),
    object('v1', 'Pod', { containers: [{ name: `${text}!`, image: `${text}!\n`, args: [`${text}!`, `--a=${text}!`], command: ['sh', '-c', `${text}!`], env: [{ name: text, value: `${text}!` }] }] }),
    object('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', {
      kubeadmConfigSpec: {
        files: [{ path: `/${text}!`, content: `${text}!` }],
        preKubeadmCommands: [`${text}!`],
        users: [{ name: text, sshAuthorizedKeys: [`${text}!`] }],
        clusterConfiguration: { apiServer: { extraArgs: [{ name: text, value: `${text}!` }] } },
        joinConfiguration: { nodeRegistration: { kubeletExtraArgs: [{ name: 'node-labels', value: `${text}!` }] } },
      },
    }),
  ].map((one) => JSON.stringify(one)).join('\n---\n');
}

test.each(TEXTS)('commands end on long texts of %s', async (_, text) => {
  const workplace = new Workplace();
  workplace.write({ 'old/a.yaml': manifests('a'), 'new/a.yaml': manifests(text) });
  for (const args of [['validate', 'new'], ['plan', '--format', 'markdown', 'old', 'new'], ['inventory', 'new'], ['images', 'new']]) {
    expect([0, 1, 2]).toContain((await workplace.run(args)).code);
  }
}, 120_000);
