import { App, Testing } from 'cdk8s';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane-props';
import { KamajiSize } from '../../../../src/constructs/control-planes/kamaji/size';
import { expectedMemory } from '../../../../src/manifests/systems/kamaji/control-plane-memory';
import { parseQuantity } from '../../../../src/manifests/values/quantity';
import { exampleCluster, poolProps } from '../../../support/clusters';

function memoryOf(sizes: readonly PoolSize[], props: Partial<KamajiControlPlaneProps> = {}): string[] {
  const app: App = Testing.app();
  const acme = exampleCluster(app, { podCidrs: ['10.128.0.0/12'], controlPlane: new KamajiControlPlane({ dataStore: 'default', additionalInfrastructureKinds: ['ExampleCluster'], ...props }) });
  sizes.forEach((size, index) => acme.addNodePool(`pool-${index}`, poolProps({ size })));
  const { spec } = Testing.synth(acme).find(({ kind }) => kind === 'KamajiControlPlane');
  return ['apiServer', 'controllerManager', 'scheduler'].map((component) => spec[component].resources.limits.memory);
}

test.each<[what: string, sizes: PoolSize[], memory: string[]]>([
  ['no pool', [], ['1Gi', '256Mi', '256Mi']],
  ['ten nodes in two pools', [PoolSize.fixed(3), PoolSize.between(0, 7)], ['1Gi', '256Mi', '256Mi']],
  ['eleven nodes', [PoolSize.fixed(3), PoolSize.between(0, 8)], ['2Gi', '512Mi', '256Mi']],
  ['101 nodes', [PoolSize.between(1, 101)], ['4Gi', '768Mi', '512Mi']],
  ['251 nodes', [PoolSize.between(1, 251)], ['8Gi', '1536Mi', '1Gi']],
  ['a thousand nodes', [PoolSize.between(1, 1000)], ['8Gi', '1536Mi', '1Gi']],
])('the size follows from the largest number of nodes: %s', (_, sizes, memory) => {
  expect(memoryOf(sizes)).toEqual(memory);
});

test('a size that is stated does not follow, and resources of a component replace its part', () => {
  expect(memoryOf([PoolSize.fixed(1)], { size: KamajiSize.LARGE })).toEqual(['4Gi', '768Mi', '512Mi']);
  expect(memoryOf([PoolSize.fixed(1)], { size: KamajiSize.LARGE, scheduler: { resources: { limits: { memory: '300Mi' } } } })).toEqual(['4Gi', '768Mi', '300Mi']);
});

test.each([KamajiSize.SMALL, KamajiSize.MEDIUM, KamajiSize.LARGE, KamajiSize.EXTRA_LARGE])('$name has room for what was measured with $nodes nodes', (size) => {
  for (const [component, field] of [['kube-apiserver', 'apiServer'], ['kube-controller-manager', 'controllerManager'], ['kube-scheduler', 'scheduler']] as const) {
    const { requests, limits } = size._resources(component);
    const mebibytes = Number(parseQuantity(limits!.memory)! / parseQuantity('1Mi')!);

    expect(requests!.memory).toBe(limits!.memory);
    expect(mebibytes).toBeGreaterThan(1.25 * expectedMemory(field, size.nodes));
  }
});
