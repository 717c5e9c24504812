import { Duration } from 'cdk8s';
import { KubeletOptions } from './kubelet';
import { defaultMaxPods } from './kubelet-configuration';
import { AutoscalingOptions, PoolSize } from './pool-size';
import { allocatableOf } from './reservations';
import { POOL_RULES } from './rules';
import { checkDuration, durationText, secondsOf } from './timeouts';
import { GPU_LABEL, MAX_SIZE, MIN_SIZE } from '../../../manifests/rules/cluster-api/autoscaler-annotations';
import { Problem, problemIf } from '../../../manifests/values/problem';
import { formatTaint, Taint } from '../../../manifests/values/taints';
import { MachineCapacity } from '../machine-capacity';

// kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi: clusterapi_utils.go and README.md
const OPTION = 'cluster.x-k8s.io/autoscaling-options';
const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io';

const NVIDIA_GPU = 'nvidia.com/gpu';

/** What the autoscaler knows of the nodes of an empty pool. */
export interface FutureNode {
  readonly capacity: MachineCapacity;
  readonly kubelet: KubeletOptions;
  readonly labels: { readonly [key: string]: string };
  readonly taints: readonly Taint[];
  /** How many pods it has addresses for, if that is limited. */
  readonly pods?: number;
}

/** The bounds of an autoscaled pool, and how the autoscaler treats it, as annotations of its MachineDeployment. */
export function autoscalingAnnotations(size: PoolSize, provisionTime: Duration): { [key: string]: string } {
  const { scaleDownUtilizationThreshold, scaleDownGpuUtilizationThreshold, scaleDownUnneededTime, scaleDownUnreadyTime } = size.options;
  return {
    [MIN_SIZE]: `${size.minimum}`,
    [MAX_SIZE]: `${size.maximum}`,
    [`${OPTION}-maxnodeprovisiontime`]: durationText(provisionTime),
    ...(scaleDownUtilizationThreshold !== undefined && { [`${OPTION}-scaledownutilizationthreshold`]: `${scaleDownUtilizationThreshold}` }),
    ...(scaleDownGpuUtilizationThreshold !== undefined && { [`${OPTION}-scaledowngpuutilizationthreshold`]: `${scaleDownGpuUtilizationThreshold}` }),
    ...(scaleDownUnneededTime && { [`${OPTION}-scaledownunneededtime`]: durationText(scaleDownUnneededTime) }),
    ...(scaleDownUnreadyTime && { [`${OPTION}-scaledownunreadytime`]: durationText(scaleDownUnreadyTime) }),
  };
}

/**
 * What a node of the pool will offer, for the autoscaler to plan with while there is none.
 *
 * The autoscaler treats these figures as allocatable, so they do not include what the kubelet reserves.
 */
export function capacityAnnotations(node: FutureNode): { [key: string]: string } {
  const left = allocatableOf(node.kubelet, node.capacity);
  const gpu = node.capacity.gpus?.[0];
  const labels = Object.keys(node.labels).sort().map((key) => `${key}=${node.labels[key]}`);
  return {
    [`${CAPACITY}/cpu`]: `${left.cpuMillis}m`,
    [`${CAPACITY}/memory`]: `${left.memoryMebibytes}Mi`,
    [`${CAPACITY}/maxPods`]: `${node.kubelet.maxPods ?? defaultMaxPods(node.pods)}`,
    ...(left.ephemeralStorageMebibytes !== undefined && { [`${CAPACITY}/ephemeral-disk`]: `${left.ephemeralStorageMebibytes}Mi` }),
    ...(gpu && { [`${CAPACITY}/gpu-type`]: gpu.resourceName, [`${CAPACITY}/gpu-count`]: `${gpu.count}` }),
    ...(labels.length > 0 && { [`${CAPACITY}/labels`]: labels.join(',') }),
    ...(node.taints.length > 0 && { [`${CAPACITY}/taints`]: node.taints.map(formatTaint).join(',') }),
  };
}

/**
 * The labels of a pool's nodes: those that are given, and the one by which the autoscaler waits for GPUs. It waits for those of NVIDIA only,
 * and without end, so that no other node must have the label.
 */
export function nodeLabelsOf(
  size: PoolSize, labels: { readonly [key: string]: string }, capacity: MachineCapacity | undefined,
): { [key: string]: string } {
  const waits = size.autoscaled && capacity?.gpus?.some(({ resourceName }) => resourceName === NVIDIA_GPU);
  return { ...(waits && { [GPU_LABEL]: 'nvidia-gpu' }), ...labels };
}

/** Time that the autoscaler waits for a machine to become a node: longer than the health check does. */
export function provisionTimeOf(options: AutoscalingOptions, nodeStartupTimeout: Duration): Duration {
  return options.maxNodeProvisionTime ?? Duration.seconds(secondsOf(nodeStartupTimeout) + 600);
}

/** Checks the size of a pool and what it asks of the autoscaler. */
export function checkSize(size: PoolSize, nodeStartupTimeout: Duration, capacity: MachineCapacity | undefined): Problem[] {
  // The others are found in the manifest.
  const odd = [size.minimum, size.maximum].find((count) => !Number.isFinite(count));
  const problems = problemIf(POOL_RULES.sizeWhole, 'size', odd === undefined ? undefined : `${odd} is not a number of machines`, 'write a whole number');
  return size.autoscaled ? [...problems, ...checkOptions(size.options, nodeStartupTimeout), ...checkPlannable(capacity)] : problems;
}

function checkOptions(options: AutoscalingOptions, nodeStartupTimeout: Duration): Problem[] {
  const shares = [
    { property: 'scaleDownUtilizationThreshold', value: options.scaleDownUtilizationThreshold },
    { property: 'scaleDownGpuUtilizationThreshold', value: options.scaleDownGpuUtilizationThreshold },
  ];
  const problems: Problem[] = shares
    .filter(({ value }) => value !== undefined && !(value >= 0 && value <= 1))
    .map(({ property, value }) => ({
      rule: POOL_RULES.autoscalingOption, property: `size.options.${property}`, message: `${value} is not a share`, accepted: '0 to 1', fix: 'write 50 % as 0.5',
    }));
  const { scaleDownUnneededTime, scaleDownUnreadyTime, maxNodeProvisionTime } = options;
  for (const [property, duration] of Object.entries({ scaleDownUnneededTime, scaleDownUnreadyTime, maxNodeProvisionTime })) {
    if (duration) problems.push(...checkDuration(`size.options.${property}`, duration));
  }
  if (maxNodeProvisionTime && secondsOf(maxNodeProvisionTime) < secondsOf(nodeStartupTimeout)) {
    problems.push({
      rule: POOL_RULES.provisionTime,
      property: 'size.options.maxNodeProvisionTime',
      message: `the autoscaler gives up on a machine after ${durationText(maxNodeProvisionTime)}, while the health check lets it start for ${durationText(nodeStartupTimeout)}`,
      accepted: `at least ${durationText(nodeStartupTimeout)}`,
      fix: 'raise maxNodeProvisionTime, or lower the health check\'s nodeStartupTimeout',
    });
  }
  return problems;
}

function checkPlannable(capacity: MachineCapacity | undefined): Problem[] {
  if (!capacity) {
    return [{
      rule: POOL_RULES.capacityUnknown,
      property: 'machine.capacity',
      message: 'an autoscaled pool needs the size of its machines, which an instance type does not tell',
      fix: 'state CPU and memory of the instance type in machine.capacity, or write PoolSize.fixed(n)',
    }];
  }
  const kinds = (capacity.gpus ?? []).map((gpu) => gpu.resourceName);
  return kinds.length < 2 ? [] : [{
    rule: POOL_RULES.gpuKinds,
    property: 'machine.gpus',
    message: `the machines have ${kinds.length} kinds of GPU (${kinds.join(', ')}), and the autoscaler plans with one`,
    accepted: 'GPUs of one resource name',
    fix: 'put each kind into a pool of its own, or write PoolSize.fixed(n)',
  }];
}
