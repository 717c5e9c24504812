import { Duration, Size, Testing } from 'cdk8s';
import { HealthCheck } from '../../../../src/constructs/contracts/node-pool/health-check';
import { MachineCount } from '../../../../src/constructs/contracts/node-pool/machine-count';
import { NodePoolProps } from '../../../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../../src/constructs/contracts/node-pool/rollout-strategy';
import { KubeadmBootstrap } from '../../../../src/constructs/control-planes/kubeadm/bootstrap/kubeadm-bootstrap';
import { TaintEffect } from '../../../../src/manifests/values/taints';
import { exampleCluster, poolProps, problemsOfPool } from '../../../support/clusters';
import { problemsOf } from '../../../support/problems';
import { ExampleMachine } from '../../../support/strategies';

const GPU_MACHINE = new ExampleMachine({
  cpu: 4, memory: Size.gibibytes(16), gpus: [{ resourceName: 'nvidia.com/gpu', count: 1 }, { resourceName: 'amd.com/gpu', count: 1 }],
});

const CASES: [name: string, props: Partial<NodePoolProps>, id: string, text: string[]][] = [
  ['size that is no number of machines', { size: PoolSize.fixed(1.5) }, 'TC-ADMIT-FIELD-TYPE', ['size: 1.5 is not a whole number']],
  ['negative size', { size: PoolSize.fixed(-1) }, 'TC-ADMIT-FIELD-VALUE', ['size: -1 is too small']],
  ['minimum above maximum', { size: PoolSize.between(5, 2) }, 'TC-TRAP-POOL-AUTOSCALER-ORDER', ['size: ', 'minimum 5', 'maximum 2', '2 as the minimum']],
  ['maximum of 0', { size: PoolSize.between(0, 0) }, 'TC-TRAP-POOL-AUTOSCALER-ORDER', ['size: ', 'never adds a machine', 'fixed size']],
  ['threshold in percent', { size: PoolSize.between(1, 2, { scaleDownUtilizationThreshold: 50 }) }, 'TC-POOL-AUTOSCALING-OPTION', ['scaleDownUtilizationThreshold', '50', '0.5']],
  ['autoscaler that gives up before the health check', { size: PoolSize.between(1, 2, { maxNodeProvisionTime: Duration.minutes(15) }) }, 'TC-TRAP-POOL-PROVISION-TIME', ['size.options.maxNodeProvisionTime', '15m0s', '1200s']],
  ['autoscaling without a capacity', { size: PoolSize.between(1, 2), machine: new ExampleMachine() }, 'TC-POOL-CAPACITY-UNKNOWN', ['machine.capacity']],
  ['autoscaling with two kinds of GPU', { size: PoolSize.between(1, 2), machine: GPU_MACHINE }, 'TC-POOL-GPU-KINDS', ['nvidia.com/gpu, amd.com/gpu']],
  ['version without patch', { kubernetesVersion: '1.35' }, 'TC-POOL-VERSION', ['"1.35"', 'X.Y.Z']],
  ['older minor', { kubernetesVersion: '1.34.1', bootstrap: new KubeadmBootstrap() }, 'TC-TRAP-REF-VERSION-SKEW', ['kubernetesVersion: ', '1.34', '1.35', 'preflight', 'OnDelete']],
  ['newer minor', { kubernetesVersion: '1.36.0' }, 'TC-TRAP-REF-VERSION-SKEW', ['kubernetesVersion: ', '1.36']],
  ['label that no kubelet may set', { labels: { 'kubernetes.io/role': 'web' } }, 'TC-POOL-LABEL', ['labels["kubernetes.io/role"]', 'does not start']],
  ['label with a bad value', { labels: { tier: 'not allowed' } }, 'TC-POOL-LABEL', ['labels.tier', 'not allowed']],
  ['taint twice', { taints: [{ key: 'a', effect: TaintEffect.NO_SCHEDULE }, { key: 'a', value: 'b', effect: TaintEffect.NO_SCHEDULE }] }, 'TC-POOL-TAINT', ['taints[1]', 'twice']],
  ['taint of a controller', { taints: [{ key: 'node.kubernetes.io/unreachable', effect: TaintEffect.NO_SCHEDULE }] }, 'TC-POOL-TAINT', ['taints[0]', 'node controllers']],
  ['rollout of half a machine', { rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(0.5) }) }, 'TC-ADMIT-FIELD-TYPE', ['rollout.maxSurge', '0.5']],
  ['rollout of more than 32 bits', { rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(2 ** 31) }) }, 'TC-ADMIT-FIELD-VALUE', ['rollout.maxSurge: 2147483648']],
  ['rollout above the pool', { rollout: RolloutStrategy.rollingUpdate({ maxUnavailable: MachineCount.percent(101) }) }, 'TC-TRAP-POOL-COUNT', ['rollout.maxUnavailable: "101%"']],
  ['rollout of half a percent', { rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(0.5) }) }, 'TC-ADMIT-POOL-COUNT', ['rollout.maxSurge: "0.5%"']],
  ['rollout of a negative number', { rollout: RolloutStrategy.rollingUpdate({ maxUnavailable: MachineCount.absolute(-1) }) }, 'TC-TRAP-POOL-COUNT', ['rollout.maxUnavailable: -1']],
  ['rollout that cannot move', { rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(0) }) }, 'TC-ADMIT-POOL-ROLLOUT', ['rollout: maxSurge 0', 'maxUnavailable 0']],
  ['rollout that cannot move, in percent', { rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(0) }) }, 'TC-TRAP-POOL-ROLLOUT', ['rollout: maxSurge 0%']],
  ['timeout that is no number', { nodeDrainTimeout: Duration.seconds(NaN) }, 'TC-POOL-TIMEOUT', ['nodeDrainTimeout: NaN seconds']],
  ['timeout below a millisecond', { nodeDeletionTimeout: Duration.millis(0.5) }, 'TC-ADMIT-FIELD-TYPE', ['nodeDeletionTimeout: 0.0005 is not']],
  ['timeout without end', { nodeVolumeDetachTimeout: Duration.seconds(Infinity) }, 'TC-POOL-TIMEOUT', ['nodeVolumeDetachTimeout: Infinity']],
  ['start-up time that is no number', { size: PoolSize.between(1, 2), healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.seconds(NaN) }) }, 'TC-POOL-TIMEOUT', ['healthCheck.nodeStartupTimeout: NaN']],
  ['start-up time of half a second more', { size: PoolSize.between(1, 2), healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.millis(1_200_500) }) }, 'TC-ADMIT-FIELD-TYPE', ['healthCheck.nodeStartupTimeout: 1200.5']],
  ['scale-down time that is no number', { size: PoolSize.between(1, 2, { scaleDownUnneededTime: Duration.minutes(NaN) }) }, 'TC-POOL-TIMEOUT', ['size.options.scaleDownUnneededTime: NaN']],
  ['scale-down time of centuries', { size: PoolSize.between(1, 2, { scaleDownUnreadyTime: Duration.days(365_000) }) }, 'TC-POOL-TIMEOUT', ['size.options.scaleDownUnreadyTime', '2147483647']],
  ['grace period below a millisecond', { kubelet: { evictionSoft: { 'memory.available': { threshold: '10%', gracePeriod: Duration.millis(0.5) } } } }, 'TC-POOL-TIMEOUT', ['kubelet.evictionSoft["memory.available"].gracePeriod']],
  ['machine with no number of CPUs', { machine: new ExampleMachine({ cpu: NaN, memory: Size.gibibytes(16) }), size: PoolSize.between(1, 2) }, 'TC-POOL-CAPACITY', ['machine.capacity.cpu', '"NaN"']],
  ['machine with endless memory', { machine: new ExampleMachine({ cpu: 4, memory: Size.gibibytes(Infinity) }) }, 'TC-POOL-CAPACITY', ['machine.capacity.memory', '"InfinityMi"']],
  ['machine without a disk', { machine: new ExampleMachine({ cpu: 4, memory: Size.gibibytes(16), ephemeralStorage: Size.gibibytes(0) }) }, 'TC-POOL-CAPACITY', ['machine.capacity.ephemeralStorage', 'zero']],
  ['machine with half a GPU', { machine: new ExampleMachine({ cpu: 4, memory: Size.gibibytes(16), gpus: [{ resourceName: 'nvidia.com/gpu', count: 0.5 }] }) }, 'TC-POOL-CAPACITY', ['machine.capacity.gpus', '0.5']],
  ['timeout below a second', { nodeDrainTimeout: Duration.millis(1500) }, 'TC-ADMIT-FIELD-TYPE', ['nodeDrainTimeout: 1.5 is not']],
  ['empty failure domain', { failureDomain: '' }, 'TC-ADMIT-FIELD-VALUE', ['failureDomain: it is empty']],
  ['long failure domain', { failureDomain: 'z'.repeat(257) }, 'TC-ADMIT-FIELD-VALUE', ['failureDomain: it has 257 characters']],
  ['start-up time below the webhook\'s', { healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.seconds(29) }) }, 'TC-ADMIT-HEALTH-CHECK-STARTUP', ['healthCheck.nodeStartupTimeout: 29 seconds', '30 seconds']],
  ['condition without type', { healthCheck: HealthCheck.of({ unhealthyNodeConditions: [{ type: '', status: 'False', timeout: Duration.minutes(5) }] }) }, 'TC-ADMIT-FIELD-VALUE', ['unhealthyNodeConditions[0]: it is empty']],
  ['node condition that is no name', { healthCheck: HealthCheck.of({ unhealthyNodeConditions: [{ type: ' Ready', status: 'False', timeout: Duration.minutes(5) }] }) }, 'TC-TRAP-HEALTH-CHECK-NEVER', ['healthCheck.unhealthyNodeConditions[0]: no node has a condition " Ready"']],
  ['machine condition that is too long', { healthCheck: HealthCheck.of({ unhealthyMachineConditions: [{ type: 'a'.repeat(317), status: 'False', timeout: Duration.minutes(5) }] }) }, 'TC-ADMIT-FIELD-VALUE', ['unhealthyMachineConditions[0]: it has 317 characters', '316']],
  ['condition with a strange status', { healthCheck: HealthCheck.of({ unhealthyNodeConditions: [{ type: 'Ready', status: 'No', timeout: Duration.minutes(5) }] }) }, 'TC-TRAP-HEALTH-CHECK-NEVER', ['healthCheck.unhealthyNodeConditions[0]: "No"', 'True, False, Unknown']],
  ['condition without patience', { healthCheck: HealthCheck.of({ unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeout: Duration.minutes(0) }] }) }, 'TC-TRAP-HEALTH-CHECK-TIMEOUT', ['healthCheck.unhealthyNodeConditions[0]: a timeout of 0']],
  ['condition of healthy nodes', { healthCheck: HealthCheck.of({ unhealthyNodeConditions: [{ type: 'Ready', status: 'True', timeout: Duration.minutes(5) }] }) }, 'TC-TRAP-HEALTH-CHECK-HEALTHY', ['healthCheck.unhealthyNodeConditions[0]: healthy nodes have Ready True', 'the status "False"']],
  ['start-up time in which no machine starts', { healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.minutes(1) }) }, 'TC-TRAP-HEALTH-CHECK-SHORT', ['healthCheck.nodeStartupTimeout: a machine that is not a node after 60 seconds is replaced']],
  ['time in which no node is ready again', { healthCheck: HealthCheck.of({ unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeout: Duration.seconds(1) }] }) }, 'TC-TRAP-HEALTH-CHECK-SHORT', ['healthCheck.unhealthyNodeConditions[0]: Ready Unknown for 1 seconds']],
  ['condition of healthy machines', { healthCheck: HealthCheck.of({ unhealthyMachineConditions: [{ type: 'InfrastructureReady', status: 'True', timeout: Duration.minutes(5) }] }) }, 'TC-TRAP-HEALTH-CHECK-HEALTHY', ['healthCheck.unhealthyMachineConditions[0]: healthy machines have']],
  ['condition that follows from the check', { healthCheck: HealthCheck.of({ unhealthyMachineConditions: [{ type: 'Ready', status: 'False', timeout: Duration.minutes(5) }] }) }, 'TC-ADMIT-HEALTH-CHECK-CONDITION', ['unhealthyMachineConditions[0]', '"Ready"']],
  ['limit that rounds down to nothing', { size: PoolSize.fixed(2), healthCheck: HealthCheck.of({ maxUnhealthy: MachineCount.percent(40) }) }, 'TC-POOL-REMEDIATION-OFF', ['40% of 2 machines', 'MachineCount.absolute(1)']],
  ['limit of nothing', { healthCheck: HealthCheck.of({ maxUnhealthy: MachineCount.absolute(0) }) }, 'TC-POOL-REMEDIATION-OFF', ['0 of 3 machines', 'HealthCheck.none()']],
  ['no machine in flight', { healthCheck: HealthCheck.of({ maxInFlight: MachineCount.absolute(0) }) }, 'TC-TRAP-POOL-COUNT', ['healthCheck.maxInFlight: 0']],
  ['quarter of a percent in flight', { healthCheck: HealthCheck.of({ maxInFlight: MachineCount.percent(0.25) }) }, 'TC-ADMIT-POOL-COUNT', ['healthCheck.maxInFlight: "0.25%"']],
  ['pods of more than 32 bits', { kubelet: { maxPods: 1e21 } }, 'TC-POOL-MAX-PODS', ['kubelet.maxPods: 1e+21']],
  ['no pods', { kubelet: { maxPods: 0 } }, 'TC-POOL-MAX-PODS', ['kubelet.maxPods', '0']],
  ['reservation of something else', { kubelet: { systemReserved: { 'nvidia.com/gpu': '1' } } }, 'TC-POOL-RESERVATION', ['systemReserved["nvidia.com/gpu"]']],
  ['reservation that is no quantity', { kubelet: { kubeReserved: { memory: '1 GB' } } }, 'TC-POOL-RESERVATION', ['"1 GB"']],
  ['nothing reserved by number', { kubelet: { kubeReserved: { memory: '0' } } }, 'TC-POOL-RESERVATION', ['zero']],
  ['reserved memory above the machine', { machine: new ExampleMachine({ cpu: 1, memory: Size.mebibytes(512) }) }, 'TC-POOL-RESERVATION-TOO-LARGE', ['256Mi for the system', '512Mi']],
  ['reserved CPU above the machine', { kubelet: { systemReserved: { cpu: '4' } } }, 'TC-POOL-RESERVATION-TOO-LARGE', ['4 for the system', '4 CPUs']],
  ['unknown signal', { kubelet: { evictionHard: { 'memory.free': '5%' } } }, 'TC-POOL-EVICTION-THRESHOLD', ['"memory.free"', 'memory.available']],
  ['threshold of everything', { kubelet: { evictionHard: { 'memory.available': '100%' } } }, 'TC-POOL-EVICTION-THRESHOLD', ['100%']],
  ['threshold that is no quantity', { kubelet: { evictionHard: { 'memory.available': 'much' } } }, 'TC-POOL-EVICTION-THRESHOLD', ['"much"']],
  ['soft threshold below the hard one', { kubelet: { evictionSoft: { 'memory.available': { threshold: '5%', gracePeriod: Duration.minutes(1) } } } }, 'TC-POOL-EVICTION-ORDER', ['soft threshold 5%', 'hard one 7%']],
  ['soft quantity below the hard one', { kubelet: { evictionHard: { 'memory.available': '1Gi' }, evictionSoft: { 'memory.available': { threshold: '500Mi', gracePeriod: Duration.minutes(1) } } } }, 'TC-POOL-EVICTION-ORDER', ['500Mi', '1Gi']],
  ['kubelet field with a property', { kubelet: { configuration: { maxPods: 10 } } }, 'TC-POOL-KUBELET-FIELD', ['kubelet.configuration["maxPods"]', 'kubelet.maxPods']],
  ['kubelet field of the cluster', { kubelet: { configuration: { clusterDNS: ['10.0.0.10'] } } }, 'TC-POOL-KUBELET-FIELD', ['"clusterDNS"', 'control plane']],
  ['kubelet field that JSON cannot hold', { kubelet: { configuration: { maxParallelImagePulls: Infinity } } }, 'TC-POOL-KUBELET-FIELD', ['kubelet.configuration["maxParallelImagePulls"]', 'Infinity']],
  ['unknown kubelet field', { kubelet: { configuration: { serializeImagePull: false } } }, 'TC-POOL-KUBELET-FIELD', ['serializeImagePull', 'serializeImagePulls']],
  ['machine of another infrastructure', { machine: Object.assign(new ExampleMachine({ cpu: 4, memory: Size.gibibytes(16) }), { infrastructureKind: 'OtherCluster' }) }, 'TC-POOL-INFRASTRUCTURE', ['OtherCluster', 'ExampleCluster']],
];

test.each(CASES)('%s is refused', (_name, props, id, text) => {
  const problems = problemsOfPool(props);

  expect(problems.map((problem) => [problem.path, problem.id])).toEqual([['acme/general', id]]);
  text.forEach((part) => expect(problems[0].text).toContain(part));
  expect(problems[0].text).toMatch(/ Fix: .+[.?]$/);
});

test('a pool that breaks no rule is accepted', () => {
  expect(problemsOfPool({})).toEqual([]);
});

test.each([
  ['52 characters', 30, 'p'.repeat(21), [/^"c{30}-p{21}" has 52 characters, .* by 1\.$/]],
  ['71 characters', 40, 'p'.repeat(30), [/^"c{40}-p{30}" has 71 characters, .* by 20\.$/]],
  ['51 characters', 30, 'p'.repeat(20), []],
  ['an upper-case letter', 4, 'General', [/the name of the pool is not usable/]],
])('a pool whose MachineDeployment has a name of %s', (_, clusterLength, id, texts) => {
  const app = Testing.app();
  exampleCluster(app, { name: 'c'.repeat(clusterLength) }).addNodePool(id, poolProps());

  expect(problemsOf(app)).toEqual(texts.map((text) => ({ path: `acme/${id}`, id: 'TC-POOL-NAME', text: expect.stringMatching(text) })));
});

test('cluster a with pool b-c and cluster a-b with pool c would share a MachineDeployment', () => {
  const app = Testing.app();
  exampleCluster(app, {}, 'a').addNodePool('b-c', poolProps());
  exampleCluster(app, { createNamespace: false }, 'a-b').addNodePool('c', poolProps());
  const problems = problemsOf(app);

  expect(problems).toMatchObject([{ path: 'a-b/c', id: 'TC-POOL-NAME-TAKEN' }]);
  expect(problems[0].text).toContain('a/b-c');
});
