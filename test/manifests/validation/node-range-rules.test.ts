import { documents } from '../../../src/manifests/rules/example-text';
import { NODE_RANGE_RULES } from '../../../src/manifests/validation/node-range-rules';
import { CLUSTER_TEXT, CONTROL_PLANE_TEXT, RELEASE_TEXT } from '../../../src/manifests/validation/pod-network-examples';
import { detailsIn, testRules } from '../rules/rules-under-test';

testRules(NODE_RANGE_RULES);

const found = (...texts: string[]) => detailsIn(NODE_RANGE_RULES, documents(...texts)).map(({ id, path, message }) => `${id} ${path.join('.')} ${message}`);
const cluster = (range: string) => CLUSTER_TEXT.replace('10.243.0.0/16', range);
const kubeadm = (range: string, args = '', replicas = 3) => [cluster(range).replace('KamajiControlPlane', 'KubeadmControlPlane'), `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec:
  replicas: ${replicas}
  version: v1.35.4
  kubeadmConfigSpec: {clusterConfiguration: {controllerManager: {extraArgs: [${args}]}}}
`];
const pool = (size: string) => `apiVersion: cluster.x-k8s.io/v1beta2\nkind: MachineDeployment\nmetadata: {name: a, namespace: tenant-acme}\nspec: {clusterName: acme, ${size}}\n`;

test.each<[what: string, documents: string[], rule: string | undefined]>([
  ['a range of one node', kubeadm('10.243.0.0/24'), undefined],
  ['half of one', kubeadm('10.243.0.0/25'), '10.243.0.0/25 is smaller than the range of a node, which is a /24'],
  ['half of one, with smaller ones for nodes', kubeadm('10.243.0.0/25', '{name: node-cidr-mask-size, value: "26"}'), undefined],
  ['smaller ones for nodes that are still too large', kubeadm('10.243.0.0/27', '{name: node-cidr-mask-size, value: "26"}'), 'which is a /26'],
  ['no ranges for nodes', kubeadm('10.243.0.0/25', '{name: allocate-node-cidrs, value: "false"}'), undefined],
  ['IPv6', kubeadm('fd00::/72'), 'which is a /64'],
  ['flags of Kamaji that are not read', [cluster('10.243.0.0/25'), `${CONTROL_PLANE_TEXT}  controllerManager: {extraArgs: [--node-cidr-mask-size=26]}\n`], undefined],
  ['a control plane that is not there', [cluster('10.243.0.0/25')], undefined],
])('%s', (_, texts, message) => {
  expect(found(...texts)).toEqual(message === undefined ? [] : [expect.stringContaining('TC-TRAP-CLUSTER-NODE-RANGE spec.clusterNetwork.pods.cidrBlocks.0 ')]);
  if (message !== undefined) expect(found(...texts)[0]).toContain(message);
});

test.each<[what: string, release: string, documents: string[], nodes: string | undefined]>([
  ['machines of the control plane count', RELEASE_TEXT, [...kubeadm('10.243.0.0/22'), pool('replicas: 2')], 'ranges for 4 nodes of "acme", which may have 5'],
  ['machines that fit', RELEASE_TEXT, [...kubeadm('10.243.0.0/22'), pool('replicas: 1')], undefined],
  ['pools of other clusters', RELEASE_TEXT, [...kubeadm('10.243.0.0/22'), pool('replicas: 2').replace('clusterName: acme', 'clusterName: beta')], undefined],
  [
    'a pool of its own', RELEASE_TEXT.replace('ipam: {mode: kubernetes}', 'ipam: {mode: cluster-pool, operator: {clusterPoolIPv4PodCIDRList: [10.243.0.0/25], clusterPoolIPv4MaskSize: 27}}'),
    [...kubeadm('10.243.0.0/16'), pool('replicas: 2')], 'ranges for 4 nodes',
  ],
  ['addresses that no range holds', RELEASE_TEXT.replace('ipam: {mode: kubernetes}', 'ipam: {mode: eni}'), [...kubeadm('10.243.0.0/22'), pool('replicas: 9')], undefined],
])('room for nodes: %s', (_, release, texts, message) => {
  expect(found(release, ...texts)).toEqual(message === undefined ? [] : [expect.stringContaining(message)]);
});
