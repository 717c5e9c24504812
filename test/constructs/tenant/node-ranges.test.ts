import { Size, Testing } from 'cdk8s';
import { Calico } from '../../../src/constructs/addons/cni/calico';
import { Flannel } from '../../../src/constructs/addons/cni/flannel';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubeadmControlPlane } from '../../../src/constructs/control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { TenantClusterProps } from '../../../src/constructs/tenant/tenant-cluster-props';
import { byKind, exampleCluster, poolProps, problemsOfCluster } from '../../support/clusters';
import { problemsOf, ReportedProblem } from '../../support/problems';
import { ExampleMachine } from '../../support/strategies';

/** Problems of a cluster with one pool of 10 nodes. */
function problemsWith(props: Partial<TenantClusterProps>, maxPods?: number): ReportedProblem[] {
  const app = Testing.app();
  exampleCluster(app, props).addNodePool('general', poolProps({ size: PoolSize.between(1, 10), kubelet: { maxPods } }));
  return problemsOf(app);
}

test('the pods of all nodes must fit into ranges of the size that nodes get', () => {
  expect(problemsWith({ podCidrs: ['10.243.0.0/22'], nodeCidrMaskSizes: [26] })).toEqual([]);
  expect(problemsWith({ podCidrs: ['10.243.0.0/22'] })).toMatchObject([{ id: 'TC-NETWORK-POD-CAPACITY', text: expect.stringContaining('a range with a /24 for each node') }]);
  expect(problemsWith({ podCidrs: ['10.243.0.0/20'], nodeCidrMaskSizes: [23] }))
    .toMatchObject([{ id: 'TC-NETWORK-POD-CAPACITY', text: expect.stringContaining('has room for 8') }]);
});

test('a node runs no more pods than it has addresses for', () => {
  expect(problemsWith({}, 254)).toMatchObject([{ path: 'acme/general', id: 'TC-POOL-MAX-PODS', text: expect.stringContaining('254 pods, and what it gets of the pod range has addresses for 253') }]);
  expect(problemsWith({}, 253)).toEqual([]);
  expect(problemsWith({ nodeCidrMaskSizes: [22] }, 500)).toEqual([]);
  expect(problemsWith({ nodeCidrMaskSizes: [26] }, 110)).toMatchObject([{ id: 'TC-POOL-MAX-PODS' }]);
});

test('a pod network that gives addresses out by itself sets no limit', () => {
  const delivery = new FluxDelivery();

  expect(problemsWith({ cni: new Calico(), delivery }, 500)).toEqual([]);
  expect(problemsWith({ cni: new Flannel(), delivery }, 500)).toMatchObject([{ id: 'TC-POOL-MAX-PODS' }]);
});

test('kubelets and the autoscaler follow a smaller range, and know nothing of one that is large enough', () => {
  const pool = (nodeCidrMaskSizes?: number[]) => {
    const made = exampleCluster(Testing.app(), { nodeCidrMaskSizes }).addNodePool('general', poolProps({ size: PoolSize.between(0, 3) }));
    const { kubeletConfiguration } = made.bootstrapTemplate.toJson().spec;
    return [kubeletConfiguration.maxPods, made.machineDeployment.toJson().metadata.annotations['capacity.cluster-autoscaler.kubernetes.io/maxPods']];
  };

  expect(pool([26])).toEqual([61, '61']);
  expect(pool([25])).toEqual([undefined, '110']);
  expect(pool()).toEqual([undefined, '110']);
});

test('Kamaji tells the controller manager', () => {
  const controlPlane = new KamajiControlPlane({ additionalInfrastructureKinds: ['ExampleCluster'] });
  const args = (nodeCidrMaskSizes?: number[]) => byKind(exampleCluster(Testing.app(), { nodeCidrMaskSizes, controlPlane }))
    .KamajiControlPlane.spec.controllerManager.extraArgs;

  expect(args([26])).toEqual(['--node-cidr-mask-size-ipv4=26']);
  expect(args()).toEqual([]);
});

test('kubeadm tells the controller manager, and its own kubelets', () => {
  const machine = new ExampleMachine({ cpu: 4, memory: Size.gibibytes(8) });
  const controlPlane = new KubeadmControlPlane({ machine });
  const spec = (props: Partial<TenantClusterProps>) => byKind(exampleCluster(Testing.app(), { ...props, controlPlane }))
    .KubeadmControlPlane.spec.kubeadmConfigSpec;
  const dual = spec({ podCidrs: ['10.1.0.0/16', 'fd00:1::/104'], serviceCidrs: ['10.2.0.0/16', 'fd00:2::/112'], nodeCidrMaskSizes: [26, 112] });

  expect(dual.clusterConfiguration.controllerManager.extraArgs).toEqual([
    { name: 'node-cidr-mask-size-ipv4', value: '26' }, { name: 'node-cidr-mask-size-ipv6', value: '112' },
  ]);
  expect(JSON.parse(dual.files[0].content)).toMatchObject({ kind: 'KubeletConfiguration', maxPods: 61 });
  expect(spec({}).clusterConfiguration).not.toHaveProperty('controllerManager');
});

test.each([
  ['Kamaji', new KamajiControlPlane({
    additionalInfrastructureKinds: ['ExampleCluster'], controllerManager: { extraArgs: [{ name: 'node-cidr-mask-size', value: '26' }] },
  }), 'TC-KAMAJI-ARGUMENT'],
  ['kubeadm', new KubeadmControlPlane({
    machine: new ExampleMachine({ cpu: 4, memory: Size.gibibytes(8) }), controllerManager: { extraArgs: [{ name: 'node-cidr-mask-size-ipv4', value: '26' }] },
  }), 'TC-KUBEADM-CP-ARGUMENT'],
])('%s takes the flag from nowhere else', (_who, controlPlane, id) => {
  const problems = problemsOfCluster({ controlPlane });

  expect(problems).toMatchObject([{ id, text: expect.stringContaining('nodeCidrMaskSizes of the cluster sets it') }]);
});
