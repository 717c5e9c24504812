import { CLUSTER_API_RULES } from '../../../../src/manifests/rules/cluster-api/cluster-api-rules';
import { findings } from '../rules-under-test';

const RULES = CLUSTER_API_RULES.filter(({ id }) => /^TC-TRAP-(?:MACHINE-FILE|POOL-BOOTSTRAP)/.test(id));
const lines = (text: string) => findings(RULES, text).map((line) => line.replace(/: .*/, ''));
const machine = (path: string, content: string, fields = '') => `apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata: {name: a, namespace: t}
spec: {template: {spec: {files: [{path: ${path}, ${fields}content: ${JSON.stringify(content)}}]}}}
`;
const AT = 'spec.template.spec.files.0.content';

test.each([
  ['YAML of several documents', machine('/a.yaml', 'a: 1\n---\nb: 2\n'), []],
  ['YAML of a template', machine('/a.yaml', 'a: {{ ds.meta_data.name }}\n{% if a %}\n'), []],
  ['YAML with a variable', machine('/a.yaml', 'a: [${LIST}]\n'), []],
  ['a part of a file', machine('/a.toml', '"\n', 'append: true, '), []],
  ['another file', machine('/a.sh', '"\n'), []],
  ['YAML with tabs', machine('/a.yml', 'a:\n\tb: 1\n'), [`TC-TRAP-MACHINE-FILE ${AT}`]],
  ['JSON', machine('/a.json', '{"a": 1}\n'), []],
  ['YAML in a file of JSON', machine('/a.json', 'a:\n  b: 1\n'), []],
  ['JSON with a comma', machine('/a.json', '{"a": 1,}\n'), [`TC-TRAP-MACHINE-FILE ${AT}`]],
  ['a file in base64', machine('/a.json', Buffer.from('{').toString('base64'), 'encoding: base64, '), [`TC-TRAP-MACHINE-FILE ${AT}`]],
  ['an empty folder of registries', machine('/etc/containerd/config.toml', '[plugins."io.containerd.grpc.v1.cri".registry]\nconfig_path = ""\n[plugins."io.containerd.grpc.v1.cri".registry.mirrors."a"]\nendpoint = ["https://b"]\n'), []],
  ['mirrors in the form of containerd 2', machine('/etc/containerd/config.toml', '[plugins.\'io.containerd.cri.v1.images\'.registry]\nconfig_path = "/a"\nmirrors.a.endpoint = ["https://b"]\n'), [`TC-TRAP-MACHINE-FILE-REGISTRY ${AT}`]],
])('%s', (_, text, expected) => expect(lines(text)).toEqual(expected));

const cluster = (controlPlane: string, bootstrap: string, kind = 'MachineDeployment') => `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: t}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: ${controlPlane}, name: acme}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: ${kind}
metadata: {name: general, namespace: t}
spec: {clusterName: acme, template: {spec: {clusterName: acme, bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: ${bootstrap}, name: general}}}}}
`;

test.each([
  ['kubeadm for Kamaji', cluster('KamajiControlPlane', 'KubeadmConfigTemplate'), []],
  ['kubeadm for a pool of kubeadm', cluster('KubeadmControlPlane', 'KubeadmConfig', 'MachinePool'), []],
  ['nodeadm for EKS', cluster('AWSManagedControlPlane', 'NodeadmConfigTemplate'), []],
  ['kubeadm for EKS', cluster('AWSManagedControlPlane', 'KubeadmConfigTemplate'), ['TC-TRAP-POOL-BOOTSTRAP spec.template.spec.bootstrap.configRef']],
  ['Clusters of one name', cluster('KubeadmControlPlane', 'RKE2ConfigTemplate') + '---\n' + cluster('RKE2ControlPlane', 'RKE2ConfigTemplate'), []],
  ['a bootstrap of another package', cluster('KubeadmControlPlane', 'OwnConfigTemplate'), []],
  ['K3s for RKE2', cluster('RKE2ControlPlane', 'KThreesConfigTemplate'), ['TC-TRAP-POOL-BOOTSTRAP spec.template.spec.bootstrap.configRef']],
])('%s', (_, text, expected) => expect(lines(text)).toEqual(expected));
