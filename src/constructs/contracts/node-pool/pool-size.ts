import { Duration } from 'cdk8s';
import { allocatableOf, defaultMaxPods, KubeletOptions } from './kubelet';
import { checkDuration, durationText, secondsOf } from './timeouts';
import { GPU_LABEL, MAX_SIZE, MIN_SIZE, PROVISION_TIME } from '../../../manifests/rules/cluster-api/autoscaler-annotations';
import { Problem, Rule } from '../../../manifests/values/problem';
import { formatTaint, Taint } from '../../../manifests/values/taints';
import { MachineCapacity } from '../machine-capacity';

/** Options of the cluster autoscaler for one pool, in place of those of its command line. */
export interface AutoscalingOptions {
  /**
   * Share of a node's requested CPU or memory, 0 to 1, below which the node counts as unneeded.
   *
   * @default - the autoscaler's `--scale-down-utilization-threshold`
   */
  readonly scaleDownUtilizationThreshold?: number;

  /**
   * Share of a GPU node's requested GPUs, 0 to 1, below which the node counts as unneeded.
   *
   * @default - the autoscaler's `--scale-down-gpu-utilization-threshold`
   */
  readonly scaleDownGpuUtilizationThreshold?: number;

  /**
   * Time that a node must be unneeded before it is removed.
   *
   * @default - the autoscaler's `--scale-down-unneeded-time`
   */
  readonly scaleDownUnneededTime?: Duration;

  /**
   * Time that an unready node must be unneeded before it is removed.
   *
   * @default - the autoscaler's `--scale-down-unready-time`
   */
  readonly scaleDownUnreadyTime?: Duration;

  /**
   * Time that the autoscaler waits for a machine to become a node before it orders another.
   *
   * Never shorter than the health check's node start-up time: the autoscaler would order replacements for machines that are still joining.
   *
   * Rule: `TC-TRAP-POOL-PROVISION-TIME`.
   *
   * @default - ten minutes more than the health check's node start-up time
   */
  readonly maxNodeProvisionTime?: Duration;
}

/**
 * Number of machines in a pool: fixed, or set by the autoscaler between two bounds.
 *
 * @example
 * const fixed = PoolSize.fixed(3);
 * const autoscaled = PoolSize.between(1, 10);
 */
export class PoolSize {
  /**
   * Always the same number of machines, decided here.
   *
   * @param count whole number of machines, 0 or more
   */
  public static fixed(count: number): PoolSize {
    return new PoolSize(count, count, false, {});
  }

  /**
   * A number of machines that the cluster autoscaler sets, within bounds.
   *
   * The number itself is then the autoscaler's: `replicas` is never written, and the bounds are always both written,
   * since the autoscaler ignores a pool with only one of them
   * (kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md).
   *
   * @param minimum smallest number of machines, 0 or more
   * @param maximum largest number of machines, at least 1 and at least the minimum
   * @param options options of the autoscaler for this pool
   */
  public static between(minimum: number, maximum: number, options: AutoscalingOptions = {}): PoolSize {
    return new PoolSize(minimum, maximum, true, options);
  }

  private constructor(
    /** Smallest number of machines. */
    public readonly minimum: number,
    /** Largest number of machines. */
    public readonly maximum: number,
    /** True if the cluster autoscaler decides the number. */
    public readonly autoscaled: boolean,
    /** Options of the autoscaler; empty for a fixed size. */
    public readonly options: AutoscalingOptions,
  ) {}
}

// kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi: clusterapi_utils.go and README.md
const OPTION = 'cluster.x-k8s.io/autoscaling-options';
const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io';

const NVIDIA_GPU = 'nvidia.com/gpu';

/** A node of an empty pool. */
interface FutureNode {
  readonly capacity: MachineCapacity;
  readonly kubelet: KubeletOptions;
  readonly labels: { readonly [key: string]: string };
  readonly taints: readonly Taint[];
  /** Number of addresses that it has for pods, if it is limited. */
  readonly pods?: number;
}

/** The bounds and options of an autoscaled pool, as annotations of its MachineDeployment. */
export function autoscalingAnnotations(size: PoolSize, provisionTime: Duration): { [key: string]: string } {
  const { scaleDownUtilizationThreshold, scaleDownGpuUtilizationThreshold, scaleDownUnneededTime, scaleDownUnreadyTime } = size.options;
  return {
    [MIN_SIZE]: `${size.minimum}`,
    [MAX_SIZE]: `${size.maximum}`,
    [PROVISION_TIME]: durationText(provisionTime),
    ...(scaleDownUtilizationThreshold !== undefined && { [`${OPTION}-scaledownutilizationthreshold`]: `${scaleDownUtilizationThreshold}` }),
    ...(scaleDownGpuUtilizationThreshold !== undefined && { [`${OPTION}-scaledowngpuutilizationthreshold`]: `${scaleDownGpuUtilizationThreshold}` }),
    ...(scaleDownUnneededTime && { [`${OPTION}-scaledownunneededtime`]: durationText(scaleDownUnneededTime) }),
    ...(scaleDownUnreadyTime && { [`${OPTION}-scaledownunreadytime`]: durationText(scaleDownUnreadyTime) }),
  };
}

/**
 * Resources of a future node of the pool, with which the autoscaler plans while the pool is empty.
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

/** Checks the options of the autoscaler, and that it can plan with the machines. */
export function checkAutoscaling(size: PoolSize, capacity: MachineCapacity | undefined): Problem[] {
  return size.autoscaled ? [...checkAutoscalingOptions(size.options), ...checkCapacityKnown(capacity)] : [];
}

const POOL_AUTOSCALING_OPTION_RULE: Rule = {
  id: 'TC-POOL-AUTOSCALING-OPTION',
  title: 'Autoscaling thresholds must be shares between 0 and 1.',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md',
};

function checkAutoscalingOptions(options: AutoscalingOptions): Problem[] {
  const shares = [
    { property: 'scaleDownUtilizationThreshold', value: options.scaleDownUtilizationThreshold },
    { property: 'scaleDownGpuUtilizationThreshold', value: options.scaleDownGpuUtilizationThreshold },
  ];
  const problems: Problem[] = shares
    .filter(({ value }) => value !== undefined && !(value >= 0 && value <= 1))
    .map(({ property, value }) => ({
      rule: POOL_AUTOSCALING_OPTION_RULE, property: `size.options.${property}`, message: `${value} is not a share`, accepted: '0 to 1', fix: 'write 50 % as 0.5',
    }));
  const { scaleDownUnneededTime, scaleDownUnreadyTime, maxNodeProvisionTime } = options;
  for (const [property, duration] of Object.entries({ scaleDownUnneededTime, scaleDownUnreadyTime, maxNodeProvisionTime })) {
    if (duration) problems.push(...checkDuration(`size.options.${property}`, duration));
  }
  return problems;
}

const POOL_GPU_KINDS_RULE: Rule = {
  id: 'TC-POOL-GPU-KINDS',
  title: 'The machines of an autoscaled pool must have GPUs of one kind: the autoscaler plans with one only.',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md',
};

const POOL_CAPACITY_UNKNOWN_RULE: Rule = {
  id: 'TC-POOL-CAPACITY-UNKNOWN',
  title: 'The size of an autoscaled pool\'s machines must be known, so that the autoscaler can plan with machines that do not exist yet.',
  source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/README.md',
};

function checkCapacityKnown(capacity: MachineCapacity | undefined): Problem[] {
  if (!capacity) {
    return [{
      rule: POOL_CAPACITY_UNKNOWN_RULE,
      property: 'machine.capacity',
      message: 'an autoscaled pool needs the size of its machines, which an instance type does not tell',
      fix: 'state CPU and memory of the instance type in machine.capacity, or write PoolSize.fixed(n)',
    }];
  }
  const kinds = (capacity.gpus ?? []).map((gpu) => gpu.resourceName);
  return kinds.length < 2 ? [] : [{
    rule: POOL_GPU_KINDS_RULE,
    property: 'machine.gpus',
    message: `the machines have ${kinds.length} kinds of GPU (${kinds.join(', ')}), and the autoscaler plans with one`,
    accepted: 'GPUs of one resource name',
    fix: 'put each kind into a pool of its own, or write PoolSize.fixed(n)',
  }];
}
