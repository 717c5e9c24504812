import { Duration } from 'cdk8s';
import { TenantControllerOptions } from '../controllers/tenant-controller-options';

/** Strategy of the autoscaler to choose among suitable pools. */
export enum AutoscalerExpander {
  /** The pool that wastes the least CPU and memory. */
  LEAST_WASTE = 'least-waste',

  /** The pool that needs the fewest new nodes. */
  LEAST_NODES = 'least-nodes',

  /** The pool that lets the most pods be scheduled. */
  MOST_PODS = 'most-pods',

  /**
   * The pool with the highest priority. The priorities are in the ConfigMap `cluster-autoscaler-priority-expander` in the tenant's
   * namespace `kube-system`: its key `priorities` holds a YAML object with positive numbers as keys and lists of regular expressions as
   * values, which the autoscaler matches against `MachineDeployment/<namespace>/<name>`. The library does not create the ConfigMap: create
   * it before the autoscaler starts (kubernetes/autoscaler cluster-autoscaler/expander/priority/readme.md).
   */
  PRIORITY = 'priority',

  /** A random pool; no expander can follow it (`TC-AUTOSCALER-EXPANDER`). */
  RANDOM = 'random',
}

/** CPU architecture of nodes, as in their label `kubernetes.io/arch`. */
export enum NodeArchitecture {
  /** 64-bit x86. */
  AMD64 = 'amd64',

  /** 64-bit Arm. */
  ARM64 = 'arm64',

  /** 64-bit PowerPC, little-endian. */
  PPC64LE = 'ppc64le',

  /** IBM Z. */
  S390X = 's390x',
}

/** Options of the autoscaler of a tenant cluster. Unset options keep the autoscaler's defaults. */
export interface ClusterAutoscalerOptions extends TenantControllerOptions {
  /**
   * Expanders in their order: each chooses among the pools that the expander before it rates equal (`TC-AUTOSCALER-EXPANDER`).
   *
   * @default [AutoscalerExpander.LEAST_WASTE]
   */
  readonly expanders?: AutoscalerExpander[];

  /**
   * Interval between two scans of the cluster; more than 0.
   *
   * Each scan sends the management cluster's API server about 20 requests for each autoscaled pool, and 40 more for an empty pool. With
   * hundreds of tenant clusters, a longer interval reduces that load, but pods wait longer for a node.
   *
   * Rule: `TC-AUTOSCALER-DURATION`.
   *
   * @default - 10 seconds; 20 where the management cluster states more than 50 `tenants`, 30 where it states more than 100
   */
  readonly scanInterval?: Duration;

  /**
   * Maximum number of requests per second of each client of the autoscaler to an API server, 1 or more.
   *
   * A low limit delays every decision: the autoscaler waits without a log line.
   *
   * Rule: `TC-AUTOSCALER-COUNT`.
   *
   * @default - 10, and 10 more for each autoscaled pool, up to 100; a further pool therefore restarts the autoscaler
   */
  readonly kubeClientQps?: number;

  /**
   * Maximum burst of requests of each client above `kubeClientQps`, 1 or more (`TC-AUTOSCALER-COUNT`).
   *
   * @default - twice `kubeClientQps`
   */
  readonly kubeClientBurst?: number;

  /**
   * Assumed architecture of the nodes of an empty pool. A pool of another architecture needs the label `kubernetes.io/arch` in its
   * `labels`: otherwise pods that require that architecture never scale up the empty pool.
   *
   * @default NodeArchitecture.AMD64
   */
  readonly architecture?: NodeArchitecture;

  /**
   * True if the autoscaler keeps pools with similar nodes at the same size.
   *
   * @default false
   */
  readonly balanceSimilarNodeGroups?: boolean;

  /**
   * Keys of further labels that the comparison of nodes ignores; only with `balanceSimilarNodeGroups` (`TC-AUTOSCALER-IGNORED-LABEL`).
   *
   * @default - the labels that Kubernetes sets for each node, zone, or host
   */
  readonly balancingIgnoredLabels?: string[];

  /**
   * Time that pods must wait before they count as unschedulable.
   *
   * @default Duration.seconds(0)
   */
  readonly newPodScaleUpDelay?: Duration;

  /**
   * Maximum number of nodes of the cluster, 0 for no limit besides those of the pools (`TC-AUTOSCALER-COUNT`).
   *
   * @default 0
   */
  readonly maxNodesTotal?: number;

  /**
   * True if nodes are removed.
   *
   * @default true
   */
  readonly scaleDown?: boolean;

  /**
   * Time that a node must be unneeded before it is removed. Pools may differ (`AutoscalingOptions`).
   *
   * @default Duration.minutes(10)
   */
  readonly scaleDownUnneededTime?: Duration;

  /**
   * Time that an unready node must be unneeded before it is removed. Pools may differ (`AutoscalingOptions`).
   *
   * @default Duration.minutes(20)
   */
  readonly scaleDownUnreadyTime?: Duration;

  /**
   * Time for which the autoscaler removes no node after it added one.
   *
   * @default Duration.minutes(10)
   */
  readonly scaleDownDelayAfterAdd?: Duration;

  /**
   * Time for which the autoscaler removes no node after it removed one.
   *
   * @default Duration.seconds(0)
   */
  readonly scaleDownDelayAfterDelete?: Duration;

  /**
   * Time for which the autoscaler removes no node after a removal failed.
   *
   * @default Duration.minutes(3)
   */
  readonly scaleDownDelayAfterFailure?: Duration;

  /**
   * Share of requested CPU or memory below which a node is unneeded, 0 to 1. Pools may differ (`AutoscalingOptions`).
   *
   * Rule: `TC-AUTOSCALER-SHARE`.
   *
   * @default 0.5
   */
  readonly scaleDownUtilizationThreshold?: number;

  /**
   * The same threshold for the GPUs of a node with GPUs. Pools may differ (`AutoscalingOptions`).
   *
   * Rule: `TC-AUTOSCALER-SHARE`.
   *
   * @default 0.5
   */
  readonly scaleDownGpuUtilizationThreshold?: number;

  /**
   * Maximum number of nodes that are removed at the same time, at least 1 (`TC-AUTOSCALER-COUNT`).
   *
   * @default 10
   */
  readonly maxScaleDownParallelism?: number;

  /**
   * Maximum time for a pod to terminate when its node is removed, in whole seconds (`TC-AUTOSCALER-DURATION`).
   *
   * @default Duration.minutes(10)
   */
  readonly maxGracefulTermination?: Duration;

  /**
   * True if the requests of DaemonSet pods are left out of a node's utilization.
   *
   * @default false
   */
  readonly ignoreDaemonSetsUtilization?: boolean;

  /**
   * True if nodes are never removed while they run a pod with local storage: a `hostPath`, or an `emptyDir` that is not in memory.
   *
   * With the default, one such pod keeps its node forever, even if the node is otherwise empty. To exempt single pods, annotate them with
   * `cluster-autoscaler.kubernetes.io/safe-to-evict: "true"`, or list volumes in
   * `cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes`. With `false`, what pods stored in an `emptyDir` is lost when a node is
   * removed. Pods of a DaemonSet never keep a node.
   *
   * Source: kubernetes/autoscaler cluster-autoscaler/utils/drain/drain.go.
   *
   * @default true
   */
  readonly skipNodesWithLocalStorage?: boolean;

  /**
   * True if pods of the namespace `kube-system` without a DaemonSet and a PodDisruptionBudget, such as CoreDNS, keep their node: for one
   * hour from the start of the pod. A PodDisruptionBudget for such pods, or the annotation
   * `cluster-autoscaler.kubernetes.io/safe-to-evict: "true"`, makes their nodes removable at once.
   *
   * Source: kubernetes/autoscaler cluster-autoscaler/simulator/drainability/rules/system/rule.go; flag
   * `blocking-system-pod-distruption-timeout`.
   *
   * @default true
   */
  readonly skipNodesWithSystemPods?: boolean;
}

/**
 * The cluster autoscaler, which scales the pools of a tenant cluster.
 *
 * It runs in the management cluster, beside the control plane, if the cluster has a pool with `PoolSize.between`. Its version matches the
 * tenant's Kubernetes minor. The library configures it to raise sizes below a pool's minimum, which is not its default.
 *
 * An autoscaler before 1.35.1 looks for machine templates in the version that the management cluster prefers for the whole API group
 * `infrastructure.cluster.x-k8s.io`. With several infrastructure providers, the templates of a provider may not have that version, and the
 * autoscaler waits forever: its pod is ready, and the ConfigMap `cluster-autoscaler-status` in the tenant's namespace `kube-system` stays
 * at `Initializing`. `CAPI_VERSION` does not help: it applies to both groups. `TC-AUTOSCALER-PROVIDERS` warns if the capabilities of the
 * management cluster list several.
 *
 * Source: kubernetes/autoscaler issue 6490.
 *
 * @example
 * ClusterAutoscaler.of({ scaleDownUnneededTime: Duration.minutes(30), maxNodesTotal: 20 });
 */
export class ClusterAutoscaler {
  /**
   * Runs an autoscaler if the cluster has a pool for it.
   *
   * @param options its options
   */
  public static of(options: ClusterAutoscalerOptions = {}): ClusterAutoscaler {
    return new ClusterAutoscaler(true, options);
  }

  /** Runs no autoscaler: pools with bounds keep their size until another actor changes it. */
  public static none(): ClusterAutoscaler {
    return new ClusterAutoscaler(false, {});
  }

  private constructor(
    /** True if an autoscaler runs. */
    public readonly enabled: boolean,
    /** Its options. */
    public readonly options: ClusterAutoscalerOptions,
  ) {}
}
