import { indented } from '../../../../../src/manifests/rules/example-text';
import { KUBEADM_VALIDATION } from '../../../../../src/manifests/systems/kubeadm/rules/kubeadm-validation';
import { findings } from '../../../rules/rules-under-test';

function controlPlane(spec: string, version = 'v1.34.1'): string {
  return `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  version: ${version}
  kubeadmConfigSpec:
${indented(spec, 4)}`;
}

test.each<[string, string[]]>([
  ['clusterConfiguration: {featureGates: {NodeLocalCRISocket: true}}', []],
  ['clusterConfiguration: {featureGates: {EtcdLearnerMode: true}}', ['FEATURE-GATE clusterConfiguration.featureGates.EtcdLearnerMode']],
  ['clusterConfiguration: {apiServer: {certSANs: [api.example.com, "*.example.com", 192.0.2.1, "${API}", a_b]}}', ['CONFIGURATION clusterConfiguration.apiServer.certSANs.4']],
  ['clusterConfiguration: {imageRepository: "registry.example.com:5000/k8s"}', []],
  ['clusterConfiguration: {imageRepository: "https://registry.example.com"}', ['CONFIGURATION clusterConfiguration.imageRepository']],
  ['clusterConfiguration: {controlPlaneEndpoint: "api.example.com:6443"}', []],
  ['clusterConfiguration: {controlPlaneEndpoint: "api.example.com:99999"}', ['CONFIGURATION clusterConfiguration.controlPlaneEndpoint']],
  ['clusterConfiguration: {etcd: {local: {dataDir: var/etcd}}}', ['CONFIGURATION clusterConfiguration.etcd.local.dataDir']],
  ['clusterConfiguration: {etcd: {external: {endpoints: ["https://192.0.2.1:2379"], certFile: /a.crt}}}', ['CONFIGURATION clusterConfiguration.etcd.external']],
  ['clusterConfiguration: {etcd: {external: {endpoints: ["192.0.2.1:2379", "http://192.0.2.1:2379"]}}}', ['CONFIGURATION clusterConfiguration.etcd.external.endpoints.0']],
  ['clusterConfiguration: {etcd: {external: {endpoints: ["http://192.0.2.1:2379", "https://192.0.2.2:2379", "${ETCD}"], caFile: /a.crt}}}', [
    'CONFIGURATION clusterConfiguration.etcd.external.endpoints.0',
  ]],
  ['initConfiguration: {localAPIEndpoint: {advertiseAddress: host, bindPort: 70000}}', [
    'CONFIGURATION initConfiguration.localAPIEndpoint.advertiseAddress', 'CONFIGURATION initConfiguration.localAPIEndpoint.bindPort',
  ]],
  ["initConfiguration: {localAPIEndpoint: {advertiseAddress: '{{ ds.meta_data.local_ipv4 }}', bindPort: 0}}", []],
  ['joinConfiguration: {caCertPath: /etc/kubernetes/pki/ca.pem}', ['CONFIGURATION joinConfiguration.caCertPath']],
  ['files: [{path: /etc/a, content: a, permissions: "0644", owner: "root:root"}, {path: "c:/k/a.json", content: a}]', []],
  ['files: [{path: etc/a, content: a, permissions: rw-r--r--, owner: "root:"}]', ['FILE files.0.path', 'FILE files.0.permissions', 'FILE files.0.owner']],
  ['files: [{path: /a, content: "%%", encoding: base64}, {path: /b, content: YQ==, encoding: base64}]', ['FILE files.0.content']],
  ['users: [{name: ops, sshAuthorizedKeys: ["ssh-ed25519 AAAA ops"]}, {name: Ops User}, {name: ci, sshAuthorizedKeys: [ssh-rsa]}]', [
    'USER users.1.name', 'USER users.2.sshAuthorizedKeys.0',
  ]],
  ['ntp: {servers: [time.example.com, "http://time.example.com"]}', ['USER ntp.servers.1']],
])('%s', (spec, expected) => {
  expect(findings(KUBEADM_VALIDATION, controlPlane(spec)).map((line) => line.replace(/^TC-TRAP-KUBEADM-(\S+) spec\.kubeadmConfigSpec\.([^:]*): .*$/, '$1 $2'))).toEqual(expected);
});

test('a gate that came later', () => {
  expect(findings(KUBEADM_VALIDATION, controlPlane('clusterConfiguration: {featureGates: {PublicKeysECDSA: true}}', 'v1.37.2'))).toHaveLength(1);
  expect(findings(KUBEADM_VALIDATION, controlPlane('clusterConfiguration: {featureGates: {PublicKeysECDSA: true}}'))).toEqual([]);
});
