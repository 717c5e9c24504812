import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ConfigMaps, hostCases, MachineCase, Providers, tenantCases } from '../../../scripts/conformance/nodes/machine-cases';
import { KUBERNETES_RELEASES, minorOf } from '../../../src/manifests/values/kubernetes-releases';

const INIT = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: v1.36.3
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
`;

/** Providers that write down what they are asked. */
function providers(asked: any[]): Providers {
  return {
    bootstrapData: (machines) => machines.map((machine) => {
      asked.push(machine);
      return `#cloud-config\nwrite_files:\n- path: /run/kubeadm/kubeadm.yaml\n  content: |\n${INIT.replace(/^/gm, '    ')}`;
    }),
    uploads: (controlPlanes) => controlPlanes.map(({ controlPlane }): ConfigMaps => (
      { 'kubelet-config': { patches: controlPlane.spec.kubelet.configurationJSONPatches.map((patch: any) => patch.path).join(' ') } })),
  };
}

const asked: any[] = [];
const cases = tenantCases(providers(asked));

function of(minor: string, who: string): MachineCase[] {
  return cases.filter(({ id, version }) => minorOf(version) === minor && id.includes(who));
}

test('each minor has machines of control planes of kubeadm, and of Kamaji where it runs the minor', () => {
  const counts = KUBERNETES_RELEASES.map(minorOf).map((minor) => [minor, of(minor, 'kubeadm').length, of(minor, 'Kamaji').length]);
  expect(counts).toEqual([['1.33', 2, 4], ['1.34', 2, 4], ['1.35', 2, 1], ['1.36', 2, 1], ['1.37', 2, 0]]);
});

test('each patch that corrects what Kamaji stores is left out once, and the kubelet has to refuse', () => {
  const [all, ...without] = of('1.34', 'Kamaji');
  const patches = all.configMaps!['kubelet-config'].patches.split(' ').filter((pointer) => pointer !== '/cgroupDriver');
  expect(all.refused).toBeUndefined();
  expect(without.map(({ id }) => id)).toEqual(patches.map((pointer) => `v1.34.4, Kamaji, without the patch of ${pointer}`));
  without.forEach(({ configMaps, refused }, index) => {
    expect(configMaps!['kubelet-config'].patches).not.toContain(patches[index]);
    expect(refused).toBeTruthy();
  });
});

test('the bootstrap provider is asked about what the page has', () => {
  const [kamaji, first, pool] = asked.filter(({ version }) => version === 'v1.36.3');
  expect(kamaji.spec.joinConfiguration.nodeRegistration.kubeletExtraArgs).toEqual(expect.arrayContaining([{ name: 'node-labels', value: 'tier=general' }]));
  expect([Object.keys(first.spec).includes('joinConfiguration'), Object.keys(pool.spec).includes('initConfiguration')]).toEqual([false, false]);
  expect(of('1.36', 'beside')[0].configMaps!['kubeadm-config'].ClusterConfiguration).toContain('kubernetesVersion: v1.36.3');
});

test('hosts have their files, with what the join script fills in', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hosts-'));
  try {
    const write = (file: string, text: string): void => {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      fs.writeFileSync(path.join(folder, file), text);
    };
    write('addons/install.sh', '');
    write('lb01/install.sh', 'systemctl enable haproxy');
    write('lb01/files/etc/haproxy/haproxy.cfg', '');
    write('master01/install.sh', 'kubeadm init');
    write('worker01/install.sh', 'kubeadm join');
    write('master01/files/etc/kubernetes/kubeadm/init.yaml', `${INIT}---\nkind: KubeletConfiguration\nmaxPods: 7\n`);
    write('worker01/files/etc/kubernetes/kubeadm/join.yaml', 'apiServerEndpoint: api.example.com:6443\ntoken: "@KUBEADM_TOKEN@"\n');
    const [first, worker, ...others] = hostCases('v1.36.3', folder);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ id: `v1.36.3, host master01 of ${path.basename(folder)}`, init: '/etc/kubernetes/kubeadm/init.yaml' });
    expect(worker).toMatchObject({
      version: 'v1.36.3',
      join: '/etc/kubernetes/kubeadm/join.yaml',
      files: { '/etc/kubernetes/kubeadm/join.yaml': 'apiServerEndpoint: cluster.invalid:6443\ntoken: "abcdef.0123456789abcdef"\n' },
      configMaps: { 'kubelet-config': { kubelet: expect.stringContaining('maxPods: 7') } },
    });
    write('worker02/install.sh', 'kubeadm join');
    expect(() => hostCases('v1.36.3', folder)).toThrow('host worker02');
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
