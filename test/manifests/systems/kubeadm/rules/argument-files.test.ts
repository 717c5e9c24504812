import { ARGUMENT_FILES } from '../../../../../src/manifests/systems/kubeadm/rules/argument-files';
import { clusterConfigurationYaml } from '../../../../../src/manifests/systems/kubeadm/rules/kubeadm-spec';
import { findings } from '../../../rules/rules-under-test';

const VOLUMES = 'extraVolumes: [{name: a, hostPath: /etc/acme, mountPath: /etc/kubernetes/acme, readOnly: true, pathType: Directory}]';
const WRITING = 'files: [{path: /etc/acme/a.yaml, content: a}]';

function found(component: string, settings: string, of: string, more = '', version = 'v1beta2'): string[] {
  const text = clusterConfigurationYaml(`${component}:\n  extraArgs: ${settings}\n  ${of}`).replace('  kubeadmConfigSpec:\n', `  kubeadmConfigSpec:\n${more === '' ? '' : `    ${more}\n`}`);
  return findings(ARGUMENT_FILES, text.replace('cluster.x-k8s.io/v1beta2', `cluster.x-k8s.io/${version}`)).map((finding) => finding.split(' ')[0].replace('TC-TRAP-KUBEADM-', ''));
}

const flag = (name: string, value: string) => `[{name: ${name}, value: ${value}}]`;

test.each<[what: string, component: string, settings: string, of: string, more: string, found: readonly string[]]>([
  ['a file in no volume', 'apiServer', flag('audit-policy-file', '/etc/kubernetes/audit.yaml'), '', '', ['ARGUMENT-FILE']],
  ['a file beside a volume', 'apiServer', flag('encryption-provider-config', '/etc/kubernetes/acme-2/a.yaml'), VOLUMES, '', ['ARGUMENT-FILE']],
  ['a file in a volume, at the place of the host', 'apiServer', flag('oidc-ca-file', '/etc/acme/a.yaml'), VOLUMES, WRITING, ['ARGUMENT-FILE']],
  ['a file of the image', 'apiServer', flag('audit-policy-file', '/etc/kubernetes/acme/a.yaml'), VOLUMES, '', ['HOST-FILE']],
  ['a file of the machine', 'apiServer', flag('audit-policy-file', '/etc/kubernetes/acme/a.yaml'), VOLUMES, WRITING, []],
  ['a file that a command may write', 'apiServer', flag('audit-policy-file', '/etc/kubernetes/acme/a.yaml'), VOLUMES, 'preKubeadmCommands: ["curl -o /etc/acme/a.yaml https://example.com"]', []],
  ['a file of kubeadm', 'apiServer', flag('client-ca-file', '/etc/kubernetes/pki/ca.crt'), '', '', []],
  ['a certificate of the machine', 'controllerManager', flag('root-ca-file', '/etc/ssl/certs/ca.pem'), '', '', []],
  ['a certificate for the scheduler, which has none', 'scheduler', flag('tls-cert-file', '/etc/kubernetes/pki/a.crt'), '', '', ['ARGUMENT-FILE']],
  ['a configuration of the scheduler', 'scheduler', flag('config', '/etc/kubernetes/scheduler.yaml'), '', '', ['ARGUMENT-FILE']],
  ['a log', 'apiServer', flag('audit-log-path', '/var/log/audit.log'), '', '', []],
  ['no file', 'apiServer', flag('audit-policy-file', '"{{ ds.meta_data.policy }}"'), '', '', []],
  ['a pod that a command changes', 'apiServer', flag('audit-policy-file', '/etc/a.yaml'), '', 'postKubeadmCommands: ["sed -i s/a/b/ /etc/kubernetes/manifests/kube-apiserver.yaml"]', []],
])('arguments with %s', (_, component, settings, of, more, expected) => {
  expect(found(component, settings, of, more)).toEqual(expected);
});

test('arguments of v1beta1 are judged, too', () => {
  expect(found('apiServer', '{cloud-config: /etc/kubernetes/cloud.conf}', '', '', 'v1beta1')).toEqual(['ARGUMENT-FILE']);
});

test('patches of a ClusterClass may add volumes to a template', () => {
  const [failing] = ARGUMENT_FILES.map(({ example }) => example.failing);
  const template = failing.replace('kind: KubeadmControlPlane\n', 'kind: KubeadmControlPlaneTemplate\n').replace('  version: v1.35.4\n', '')
    .replace(/^spec:\n([^]*)/m, (_, body: string) => `spec:\n  template:\n    spec:\n${body.replace(/^(?=.)/gm, '    ')}`);
  const clusterClass = (patches: string) => `${template}---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: ClusterClass\nmetadata: {name: a, namespace: tenant-acme}\nspec: {patches: ${patches}}\n`;
  expect([template, clusterClass('[{name: a}]'), clusterClass('[]')].map((text) => findings(ARGUMENT_FILES, text).length)).toEqual([0, 0, 1]);
});
