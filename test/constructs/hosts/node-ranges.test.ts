import { documents, filesOf, problems } from './clusters';
import { Calico } from '../../../src/constructs/addons/cni/calico';

const SMALL = { podCidrs: ['10.244.0.0/22'], nodeCidrMaskSizes: [26], kubelet: { maxPods: 61 } };

test('smaller ranges have room for more nodes, and kubeadm is told', () => {
  expect(problems(SMALL)).toEqual([]);

  const [cluster] = Object.values(filesOf(SMALL)).flatMap((file) => (file.text.includes('kind: ClusterConfiguration') ? documents(file) : []))
    .filter(({ kind }) => kind === 'ClusterConfiguration');
  expect(cluster.controllerManager).toEqual({ extraArgs: [{ name: 'node-cidr-mask-size-ipv4', value: '26' }] });
});

test('the flag comes from nowhere else', () => {
  expect(problems({ controllerManager: { extraArgs: [{ name: 'node-cidr-mask-size', value: '26' }] } })).toMatchObject([
    { id: 'TC-KUBEADM-CP-ARGUMENT', text: expect.stringContaining('nodeCidrMaskSizes of the cluster sets it') },
  ]);
});

test('a pod network that gives addresses out by itself sets no limit to pods', () => {
  expect(problems({ cni: new Calico(), kubelet: { maxPods: 500 } })).toEqual([]);
});
