import { CONFIGURATION_FILES } from '../../../../../src/manifests/systems/kubeadm/rules/configuration-files';
import { findings } from '../../../rules/rules-under-test';

const lines = (text: string) => findings(CONFIGURATION_FILES.filter(({ id }) => id === 'TC-TRAP-KUBEADM-CONFIG-FIELD'), text).map((line) => line.replace('TC-TRAP-KUBEADM-CONFIG-FIELD ', ''));
const configMap = (text: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: t}\ndata: {kubeadm.yaml: ${JSON.stringify(text)}}\n`;
const kubeadm = (version: string, kind: string, fields: string) => `apiVersion: kubeadm.k8s.io/${version}\nkind: ${kind}\n${fields}`;

test.each([
  ['arguments of v1beta4', kubeadm('v1beta4', 'JoinConfiguration', 'nodeRegistration: {kubeletExtraArgs: [{name: a, value: b}], taints: []}\ntimeouts: {discovery: 5m0s}\n'), []],
  ['arguments of v1beta3', kubeadm('v1beta3', 'InitConfiguration', 'nodeRegistration: {kubeletExtraArgs: {a: b}}\nlocalAPIEndpoint: {bindPort: 6443}\n'), []],
  ['a version that is not known', kubeadm('v1beta2', 'ClusterConfiguration', 'etc: {}\n'), []],
  ['a placeholder', configMap(kubeadm('v1beta4', 'InitConfiguration', 'localAPIEndpoint: {bindPort: "${PORT}", advertiseAddress: "{{ address }}"}\n')), []],
  ['a text of another kind', configMap('kind: ClusterConfiguration\nfoo: 1\n'), []],
  ['a port that is a text', kubeadm('v1beta4', 'InitConfiguration', 'localAPIEndpoint: {bindPort: "6443"}\n'), ['localAPIEndpoint.bindPort: "6443" is of the wrong type']],
  ['a misspelled field', configMap(kubeadm('v1beta4', 'ClusterConfiguration', 'networking: {podSubnets: 10.0.0.0/8}\n')), [
    'data.kubeadm.yaml: ClusterConfiguration: networking.podSubnets: ClusterConfiguration of kubeadm.k8s.io/v1beta4 has no field podSubnets here, and kubeadm skips it',
  ]],
  ['kube-proxy', 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: nftables\nconntrack: {maxPerCore: 0}\nipvs: {strictARP: true}\nlogging: {format: json}\n', []],
])('%s', (_, text, expected) => expect(lines(text)).toEqual(expected));

const join = (labels: string) => kubeadm('v1beta4', 'JoinConfiguration', `nodeRegistration: {kubeletExtraArgs: [{name: node-labels, value: ${labels}}]}\n`);

test.each([
  ['labels of its own', join('acme.example/pool=a,tier=b'), []],
  ['no value', join('acme.example/pool='), []],
  ['a value with a slash', join('acme.example/pool=a/b'), ['nodeRegistration.kubeletExtraArgs.0']],
  ['a role', configMap(join('node-role.kubernetes.io/worker=')), ['data.kubeadm.yaml']],
  ['a placeholder', configMap(join('"acme.example/pool={{ pool }}/b"')), []],
  ['a flag that is not known', kubeadm('v1beta3', 'ClusterConfiguration', 'apiServer: {extraArgs: {auditlog: "1"}}\n'), ['apiServer.extraArgs.auditlog']],
  ['another kind', 'apiVersion: acme.example/v1\nkind: ClusterConfiguration\napiServer: {extraArgs: {auditlog: "1"}}\n', []],
])('arguments with %s', (_, text, expected) => expect(
  findings(CONFIGURATION_FILES, text).filter((line) => line.includes('FILE-ARGUMENT')).map((line) => line.split(' ')[1].replace(/:$/, '')),
).toEqual(expected));
