import { documents, indented } from '../../../../src/manifests/rules/example-text';
import { KUBE_VIP } from '../../../../src/manifests/systems/kube-vip/provider';
import { findings, testRules } from '../../rules/rules-under-test';

const RULES = KUBE_VIP.rules!;

testRules(RULES);

const ON = { vip_arp: 'true', cp_enable: 'true', vip_leaderelection: 'true', address: '192.0.2.10' };

function pod(env: Record<string, string>, { file = '/etc/kubernetes/admin.conf', args = '[manager]', spec = 'hostNetwork: true' } = {}): string {
  const list = Object.entries(env).map(([name, value]) => `{name: ${name}, value: "${value}"}`).join(', ');
  return `apiVersion: v1
kind: Pod
metadata: {name: kube-vip, namespace: kube-system}
spec:
  ${spec}
  containers: [{name: kube-vip, image: 'ghcr.io/kube-vip/kube-vip:v1.2.3', args: ${args}, env: [${list}]}]
  volumes: [{name: kubeconfig, hostPath: {path: ${file}}}]
`;
}

function controlPlane(content: string, { commands = '[]', version = 'v1.34.1', encoding = '' } = {}): string {
  return `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  version: ${version}
  kubeadmConfigSpec:
    preKubeadmCommands: ${commands}
    files:
      - path: /etc/kubernetes/manifests/kube-vip.yaml
${encoding === '' ? '' : `        encoding: ${encoding}\n`}        content: |
${indented(content, 10)}`;
}

function found(text: string): string[] {
  return findings(RULES, text).map((line) => line.replace(/^TC-TRAP-KUBE-VIP-(\S+) .*$/, '$1'));
}

const BARE = pod(ON).replace(/ {2}volumes:.*\n/, '');

describe('a static pod of the control plane', () => {
  test.each<[string, string, string[]]>([
    ['with admin.conf', controlPlane(pod(ON)), ['ADMIN-CONF']],
    ['in base64', controlPlane(Buffer.from(pod(ON)).toString('base64'), { encoding: 'base64' }), ['ADMIN-CONF']],
    ['whose leader is elected by argument', controlPlane(pod({ address: '192.0.2.10' }, { args: '[manager, --arp, --controlplane, --leaderElection]' })), ['ADMIN-CONF']],
    ['that a command changes', controlPlane(pod(ON), { commands: '["sed -i s/admin.conf/super-admin.conf/ /etc/kubernetes/manifests/kube-vip.yaml"]' }), []],
    ['without leader election', controlPlane(pod({ ...ON, vip_leaderelection: 'false' })), []],
    ['of Kubernetes 1.28', controlPlane(pod(ON), { version: 'v1.28.3' }), []],
    ['with super-admin.conf on each machine', controlPlane(pod(ON, { file: '/etc/kubernetes/super-admin.conf' })), ['ADMIN-CONF']],
    ['with a kubeconfig of its own', controlPlane(pod(ON, { file: '/etc/kube-vip/kubeconfig' })), []],
    ['without a kubeconfig', controlPlane(BARE), ['KUBECONFIG']],
    ['whose leader is elected in etcd, without a kubeconfig', controlPlane(BARE.replace('[manager]', '[manager, --leaderElectionType=etcd]')), []],
    ['that is no YAML', controlPlane('kube-vip: {{ x }'), []],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test.each<[string, string, number, string[]]>([
    ['192.0.2.10', '192.0.2.10', 6443, []],
    ['192.0.2.10', '192.0.2.11', 6443, ['ENDPOINT']],
    ['api.example.com', '192.0.2.11', 6443, []],
    ['192.0.2.10', '192.0.2.10', 8443, ['ENDPOINT']],
  ])('for the endpoint %s, with the address %s and the port %s', (host, address, port, expected) => {
    const cluster = `apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: KubeadmControlPlane, name: acme}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: VSphereCluster, name: acme}
`;
    const infrastructure = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereCluster
metadata: {name: acme, namespace: tenant-acme}
spec: {controlPlaneEndpoint: {host: ${host}, port: 6443}}
`;
    const static_ = controlPlane(pod({ ...ON, address, port: `${port}` }), { commands: '[use super-admin.conf]' });

    expect(found(documents(static_, cluster, infrastructure))).toEqual(expected);
  });
});

test.each<[Record<string, string>, string[]]>([
  [ON, []],
  [{ ...ON, vip_leaderelecton: 'true' }, ['VARIABLE']],
  [{ ...ON, vip_arp: 'yes' }, ['VARIABLE', 'MODE']],
  [{ ...ON, port: 'https' }, ['VARIABLE']],
  [{ ...ON, HTTPS_PROXY: 'http://proxy.example.com' }, []],
  [{ ...ON, vip_cidr: '32' }, []],
  [{ cp_enable: 'true', address: '192.0.2.10' }, ['MODE']],
  [{ vip_arp: 'true' }, ['MODE']],
  [{ bgp_enable: 'true', svc_enable: '1' }, []],
  [{ ...ON, vip_arp: '$(MODE)' }, []],
  [{ ...ON, vip_leaseduration: '5', vip_renewdeadline: '3', vip_retryperiod: '1' }, []],
  [{ ...ON, vip_leaseduration: '5', vip_renewdeadline: '10' }, ['LEASE']],
  [{ ...ON, vip_renewdeadline: '3', vip_retryperiod: '3' }, ['LEASE']],
])('%j', (env, expected) => {
  expect(found(pod(env))).toEqual(expected);
});

test('in the network of its pod', () => {
  expect(found(pod(ON, { spec: 'priorityClassName: system-node-critical' }))).toEqual(['HOST-NETWORK']);
});
