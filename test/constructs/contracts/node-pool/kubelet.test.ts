import { Duration, Size } from 'cdk8s';
import * as fc from 'fast-check';
import { allocatableOf, checkKubelet, kubeletConfigurationOf, KubeletOptions } from '../../../../src/constructs/contracts/node-pool/kubelet';
import { examplePool } from '../../../support/clusters';
import { ExampleMachine } from '../../../support/strategies';

const HARD = {
  'imagefs.available': '15%', 'imagefs.inodesFree': '5%', 'memory.available': '7%', 'nodefs.available': '10%', 'nodefs.inodesFree': '5%',
};

// The vectors of Cozystack's chart, from whose formula the defaults come (packages/apps/kubernetes/templates/cluster.yaml).
test.each([
  [1, 4, '50m', '256Mi', 900, 3297],
  [2, 4, '100m', '256Mi', 1800, 3297],
  [16, 64, '500m', '1024Mi', 15000, 58900],
])('a machine of %i CPUs and %i GiB keeps %s and %s twice, and offers %im and %iMi', (cpu, gibibytes, reservedCpu, reservedMemory, cpuMillis, memoryMebibytes) => {
  const capacity = { cpu, memory: Size.gibibytes(gibibytes) };
  const reserved = { cpu: reservedCpu, memory: reservedMemory };

  expect(kubeletConfigurationOf({}, capacity)).toEqual({ systemReserved: reserved, kubeReserved: reserved, evictionHard: HARD });
  expect(allocatableOf({}, capacity)).toEqual({ cpuMillis, memoryMebibytes });
});

test('without defaults, only what is said is written, and the kubelet keeps its own thresholds', () => {
  const capacity = { cpu: 4, memory: Size.gibibytes(16) };

  expect(kubeletConfigurationOf({ defaults: false }, capacity, 60)).toEqual({});
  expect(kubeletConfigurationOf({ defaults: false, kubeReserved: { cpu: '1' }, maxPods: 50 }, capacity)).toEqual({ kubeReserved: { cpu: '1' }, maxPods: 50 });
  expect(allocatableOf({ defaults: false }, capacity)).toEqual({ cpuMillis: 4000, memoryMebibytes: 16384 - 100 });
  expect(allocatableOf({ defaults: false, evictionHard: { 'memory.available': '500Mi' } }, capacity)).toMatchObject({ memoryMebibytes: 16384 - 500 });
});

test('what is not said is computed, what is said wins', () => {
  const options: KubeletOptions = {
    systemReserved: { memory: '1Gi' },
    kubeReserved: { 'cpu': '1', 'ephemeral-storage': '2Gi' },
    evictionHard: { 'memory.available': '500Mi', 'pid.available': '10%' },
    maxPods: 60,
  };
  const capacity = { cpu: 4, memory: Size.gibibytes(16), ephemeralStorage: Size.gibibytes(20) };

  expect(kubeletConfigurationOf(options, capacity)).toEqual({
    systemReserved: { cpu: '200m', memory: '1Gi' },
    kubeReserved: { 'cpu': '1', 'memory': '819Mi', 'ephemeral-storage': '2Gi' },
    evictionHard: { ...HARD, 'memory.available': '500Mi', 'pid.available': '10%' },
    maxPods: 60,
  });
  expect(allocatableOf(options, capacity)).toEqual({
    cpuMillis: 2800,
    memoryMebibytes: 16384 - 1024 - 819 - 500,
    ephemeralStorageMebibytes: 20480 - 2048 - 2048,
  });
});

test('soft thresholds come with their grace period', () => {
  const options = { evictionSoft: { 'memory.available': { threshold: '10%', gracePeriod: Duration.seconds(90) } } };

  expect(kubeletConfigurationOf(options, undefined)).toEqual({
    evictionHard: HARD,
    evictionSoft: { 'memory.available': '10%' },
    evictionSoftGracePeriod: { 'memory.available': '1m30s' },
  });
});

test('nothing is reserved of a machine of unknown size, unless asked', () => {
  expect(kubeletConfigurationOf({}, undefined)).toEqual({ evictionHard: HARD });
  expect(kubeletConfigurationOf({ kubeReserved: { cpu: '100m' } }, undefined)).toEqual({ evictionHard: HARD, kubeReserved: { cpu: '100m' } });
});

test('a part of a MiB counts for nothing', () => {
  expect(allocatableOf({}, { cpu: 4, memory: Size.gibibytes(8.0001) })).toEqual(allocatableOf({}, { cpu: 4, memory: Size.gibibytes(8) }));
});

test('a threshold that makes no sense does not stop the rendering', () => {
  const evictionHard = { 'memory.available': `${'9'.repeat(400)}%` };

  expect(allocatableOf({ evictionHard }, { cpu: 4, memory: Size.gibibytes(8) }).memoryMebibytes).toBeLessThan(0);
});

test('the bootstrap strategy gets the configuration', () => {
  const pool = examplePool({ kubelet: { configuration: { serializeImagePulls: false }, maxPods: 50 } });

  expect(pool.bootstrapTemplate.toJson().spec.kubeletConfiguration).toMatchObject({ serializeImagePulls: false, maxPods: 50, evictionHard: HARD });
});

test('what is offered is less than the machine, and never more on a smaller one', () => {
  const machines = fc.record({ cpu: fc.integer({ min: 1, max: 512 }), gibibytes: fc.integer({ min: 1, max: 8192 }) });
  fc.assert(fc.property(machines, machines, (one, other) => {
    const [small, large] = [one, other]
      .sort((a, b) => a.gibibytes - b.gibibytes)
      .map(({ cpu, gibibytes }) => ({ cpu, memory: Size.gibibytes(gibibytes) }));
    const offered = allocatableOf({}, small);
    expect(offered.memoryMebibytes).toBeLessThan(small.memory.toMebibytes());
    expect(offered.cpuMillis).toBeLessThan(small.cpu * 1000);
    expect(offered.memoryMebibytes).toBeLessThanOrEqual(allocatableOf({}, large).memoryMebibytes);
    expect(checkKubelet({}, small, '1.35')).toEqual([]);
  }));
});

test('a machine is told apart from one of another size only by what follows from the size', () => {
  const [small, large] = [8, 16].map((gibibytes) => examplePool({ machine: new ExampleMachine({ cpu: 64, memory: Size.gibibytes(gibibytes) }) }));

  expect(small.machineTemplate.toJson().spec).toEqual(large.machineTemplate.toJson().spec);
  expect(small.machineTemplate.name).toBe(large.machineTemplate.name);
  expect(small.bootstrapTemplate.name).not.toBe(large.bootstrapTemplate.name);
});
