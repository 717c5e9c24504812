import { Duration } from 'cdk8s';
import { TenantControllerOptions } from '../tenant-controller-options';

/** How the autoscaler chooses among pools that would all help. */
export enum AutoscalerExpander {
  /** The pool that wastes the least CPU and memory. */
  LEAST_WASTE = 'least-waste',

  /** The pool that needs the fewest new nodes. */
  LEAST_NODES = 'least-nodes',

  /** The pool that lets the most pods be scheduled. */
  MOST_PODS = 'most-pods',

  /**
   * The pool with the highest priority. The priorities are in the ConfigMap `cluster-autoscaler-priority-expander` in the tenant's namespace
   * `kube-system`: its key `priorities` holds a map in YAML, from positive numbers to lists of regular expressions, which are looked for in
   * `MachineDeployment/<namespace>/<name>`. The library does not make it; somebody else does, before the autoscaler starts
   * (kubernetes/autoscaler cluster-autoscaler/expander/priority/readme.md).
   */
  PRIORITY = 'priority',

  /** Any of them; no expander can come after it (`TC-AUTOSCALER-EXPANDER`). */
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

/** What the autoscaler of a tenant cluster does differently from its defaults. What is left out is the autoscaler's own default. */
export interface ClusterAutoscalerOptions extends TenantControllerOptions {
  /**
   * How a pool is chosen; each expander chooses among those that the one before it found equally good (`TC-AUTOSCALER-EXPANDER`).
   *
   * @default [AutoscalerExpander.LEAST_WASTE]
   */
  readonly expanders?: AutoscalerExpander[];

  /**
   * How often the autoscaler looks at the cluster; more than 0 (`TC-AUTOSCALER-DURATION`).
   *
   * Each time it sends the management cluster's API server about 20 requests for each autoscaled pool, and 40 more for one that is empty. With
   * hundreds of tenant clusters, a longer interval reduces that load; pods then wait as much longer for a node.
   *
   * @default Duration.seconds(10)
   */
  readonly scanInterval?: Duration;

  /**
   * Requests a second that each client of the autoscaler sends to an API server at most, 1 or more (`TC-AUTOSCALER-COUNT`).
   *
   * Too few make every decision late: the autoscaler waits without a log line.
   *
   * @default - 10, and 10 more for each autoscaled pool, up to 100; a further pool therefore restarts the autoscaler
   */
  readonly kubeClientQps?: number;

  /**
   * Requests that each client may send at once before `kubeClientQps` limits it, 1 or more (`TC-AUTOSCALER-COUNT`).
   *
   * @default - twice `kubeClientQps`
   */
  readonly kubeClientBurst?: number;

  /**
   * Architecture that the autoscaler expects of the nodes of an empty pool. A pool of another architecture needs the label
   * `kubernetes.io/arch` in its `labels`, else pods that ask for that architecture never make an empty pool grow.
   *
   * @default NodeArchitecture.AMD64
   */
  readonly architecture?: NodeArchitecture;

  /**
   * Whether pools whose nodes are alike are kept at the same size.
   *
   * @default false
   */
  readonly balanceSimilarNodeGroups?: boolean;

  /**
   * Keys of further labels in which nodes may differ and still be alike; only with `balanceSimilarNodeGroups`
   * (`TC-AUTOSCALER-IGNORED-LABEL`).
   *
   * @default - none beside those that Kubernetes sets for each node, zone, or host
   */
  readonly balancingIgnoredLabels?: string[];

  /**
   * How long pods must wait before they count as unschedulable.
   *
   * @default Duration.seconds(0)
   */
  readonly newPodScaleUpDelay?: Duration;

  /**
   * Most nodes that the cluster may have, 0 for no limit beside those of the pools (`TC-AUTOSCALER-COUNT`).
   *
   * @default 0
   */
  readonly maxNodesTotal?: number;

  /**
   * Whether nodes are removed.
   *
   * @default true
   */
  readonly scaleDown?: boolean;

  /**
   * How long a node must be unneeded before it is removed. Pools may differ (`AutoscalingOptions`).
   *
   * @default Duration.minutes(10)
   */
  readonly scaleDownUnneededTime?: Duration;

  /**
   * How long an unready node must be unneeded before it is removed. Pools may differ (`AutoscalingOptions`).
   *
   * @default Duration.minutes(20)
   */
  readonly scaleDownUnreadyTime?: Duration;

  /**
   * How long nothing is removed after a node was added.
   *
   * @default Duration.minutes(10)
   */
  readonly scaleDownDelayAfterAdd?: Duration;

  /**
   * How long nothing is removed after a node was removed.
   *
   * @default Duration.seconds(0)
   */
  readonly scaleDownDelayAfterDelete?: Duration;

  /**
   * How long nothing is removed after a removal has failed.
   *
   * @default Duration.minutes(3)
   */
  readonly scaleDownDelayAfterFailure?: Duration;

  /**
   * Share of a node's CPU or memory that must be requested for it to be needed, 0 to 1 (`TC-AUTOSCALER-SHARE`). Pools may differ
   * (`AutoscalingOptions`).
   *
   * @default 0.5
   */
  readonly scaleDownUtilizationThreshold?: number;

  /**
   * The same share of the GPUs of a node that has any (`TC-AUTOSCALER-SHARE`). Pools may differ (`AutoscalingOptions`).
   *
   * @default 0.5
   */
  readonly scaleDownGpuUtilizationThreshold?: number;

  /**
   * Most nodes that are removed at the same time, at least 1 (`TC-AUTOSCALER-COUNT`).
   *
   * @default 10
   */
  readonly maxScaleDownParallelism?: number;

  /**
   * How long a pod may take to end when its node is removed, in whole seconds (`TC-AUTOSCALER-DURATION`).
   *
   * @default Duration.minutes(10)
   */
  readonly maxGracefulTermination?: Duration;

  /**
   * Whether the requests of DaemonSet pods are left out of a node's utilization.
   *
   * @default false
   */
  readonly ignoreDaemonSetsUtilization?: boolean;

  /**
   * Whether nodes are never removed while they run a pod with local storage: a `hostPath`, or an `emptyDir` that is not in memory.
   *
   * With the default, one such pod keeps its node for good, however empty that is. To exempt single pods, annotate them with
   * `cluster-autoscaler.kubernetes.io/safe-to-evict: "true"`, or list volumes in `cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes`
   * (kubernetes/autoscaler cluster-autoscaler/utils/drain/drain.go). With `false`, what pods stored in an `emptyDir` is lost when a node is
   * removed. Pods of a DaemonSet never keep a node.
   *
   * @default true
   */
  readonly skipNodesWithLocalStorage?: boolean;

  /**
   * Whether nodes are kept that run pods of the namespace `kube-system` which belong to no DaemonSet and have no PodDisruptionBudget, such as
   * CoreDNS: for one hour from the start of the pod (kubernetes/autoscaler
   * cluster-autoscaler/simulator/drainability/rules/system/rule.go; flag `blocking-system-pod-distruption-timeout`). A PodDisruptionBudget
   * for such pods, or the annotation `cluster-autoscaler.kubernetes.io/safe-to-evict: "true"`, lets their nodes go at once.
   *
   * @default true
   */
  readonly skipNodesWithSystemPods?: boolean;
}

/**
 * Whether and how the cluster autoscaler runs that sizes the pools of a tenant cluster.
 *
 * It runs in the management cluster, beside the control plane, once the cluster has a pool with `PoolSize.between`, in the version that
 * belongs to the tenant's Kubernetes minor. Sizes below a pool's minimum are raised to it, which the autoscaler does not do by itself.
 *
 * An autoscaler before 1.35.1 looks for machine templates in the version that the management cluster prefers for the whole API group
 * `infrastructure.cluster.x-k8s.io`. Where several infrastructure providers are installed, that may be a version which the templates of
 * this one do not have, and the autoscaler waits for ever (kubernetes/autoscaler issue 6490): its pod is ready, and the ConfigMap
 * `cluster-autoscaler-status` in the tenant's namespace `kube-system` stays at `Initializing`. `CAPI_VERSION` does not help: it applies to
 * both groups. `TC-AUTOSCALER-PROVIDERS` warns where the management cluster is stated to have several.
 */
export class ClusterAutoscaler {
  /**
   * Runs an autoscaler where there is a pool for it.
   *
   * @param options what differs from its defaults
   */
  public static of(options: ClusterAutoscalerOptions = {}): ClusterAutoscaler {
    return new ClusterAutoscaler(true, options);
  }

  /** Runs none: pools with bounds keep their size unless somebody else changes it. */
  public static none(): ClusterAutoscaler {
    return new ClusterAutoscaler(false, {});
  }

  private constructor(
    /** Whether an autoscaler runs. */
    public readonly enabled: boolean,
    /** What differs from its defaults. */
    public readonly options: ClusterAutoscalerOptions,
  ) {}
}
