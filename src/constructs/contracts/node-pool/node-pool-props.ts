import { Duration } from 'cdk8s';
import { HealthCheck } from './health-check';
import { KubeletOptions } from './kubelet';
import { PoolSize } from './pool-size';
import { RolloutStrategy } from './rollout-strategy';
import { Taint } from '../../../manifests/values/taints';
import { Bootstrap } from '../bootstrap';
import { Machine } from '../machine';

/** What is decided for a node pool beyond its machines and their number; all of it has a default. */
export interface NodePoolSettings {
  /**
   * Labels of the nodes.
   *
   * Those of the domains `node-role.kubernetes.io`, `node-restriction.kubernetes.io` and `node.cluster.x-k8s.io` reach living nodes
   * through Cluster API; all others are given to the kubelet, so that a change replaces the pool's machines. Of the `kubernetes.io` and
   * `k8s.io` domains only what a kubelet may set is accepted.
   *
   * Nodes of an autoscaled pool with `nvidia.com/gpu` have `cluster-api/accelerator: nvidia-gpu`, too: the autoscaler waits until they
   * offer their GPUs, and makes no further machines meanwhile. Set another value to distinguish kinds of GPUs in limits of the autoscaler.
   *
   * Rule: `TC-POOL-LABEL`.
   *
   * @default - none beyond those that Kubernetes and the infrastructure give
   */
  readonly labels?: { [key: string]: string };

  /**
   * Taints that nodes register with. A change replaces the pool's machines.
   *
   * @default - none
   */
  readonly taints?: Taint[];

  /**
   * Kubernetes version of the nodes, `1.35.4` or `v1.35.4`. With kubeadm it may differ from the cluster's in the patch only: with another
   * minor version Cluster API never makes a machine (`TC-TRAP-REF-VERSION-SKEW`, `TC-MANAGEMENT-KUBERNETES-VERSION`).
   *
   * @default - the cluster's version
   */
  readonly kubernetesVersion?: string;

  /**
   * How a machine becomes a node.
   *
   * @default - as the cluster's other pools
   */
  readonly bootstrap?: Bootstrap;

  /**
   * Reservations and configuration of the kubelets.
   *
   * @default - reservations and eviction thresholds computed from the machine's size
   */
  readonly kubelet?: KubeletOptions;

  /**
   * Replacement of unhealthy machines.
   *
   * @default HealthCheck.of()
   */
  readonly healthCheck?: HealthCheck;

  /**
   * How machines are replaced when the pool changes.
   *
   * @default RolloutStrategy.rollingUpdate()
   */
  readonly rollout?: RolloutStrategy;

  /**
   * Failure domain that the machines are placed in, as the infrastructure names it. It is refused where the provider does not read it
   * (`TC-TRAP-KUBEVIRT-FAILURE-DOMAIN`, `TC-TRAP-VULTR-FAILURE-DOMAIN`).
   *
   * @default - the infrastructure decides
   */
  readonly failureDomain?: string;

  /**
   * Time that a node may take to give up its pods before its machine is deleted all the same, past PodDisruptionBudgets.
   * `Duration.seconds(0)` waits for ever.
   *
   * @default Duration.minutes(10)
   */
  readonly nodeDrainTimeout?: Duration;

  /**
   * Time that a node's volumes may take to be detached before its machine is deleted all the same. `Duration.seconds(0)`
   * waits for ever.
   *
   * @default Duration.minutes(10)
   */
  readonly nodeVolumeDetachTimeout?: Duration;

  /**
   * Time that Cluster API tries to delete the `Node` of a machine that is gone. `Duration.seconds(0)` tries for ever.
   *
   * @default Duration.minutes(5)
   */
  readonly nodeDeletionTimeout?: Duration;

  /**
   * The reason why nothing of the pool may change. A `GitOpsApp` then refuses what `cdk8s-cluster-api plan` would show for it, and the
   * error says what that is. Not empty.
   *
   * Rules: `TC-CLUSTER-FROZEN`, `TC-CLUSTER-FREEZE-REASON`.
   *
   * @default - it may change
   */
  readonly freeze?: string;
}

/** Properties of a node pool. */
export interface NodePoolProps extends NodePoolSettings {
  /** The machines of the nodes. Their `capacity` must be valid (`TC-POOL-CAPACITY`). */
  readonly machine: Machine;

  /** The number of machines: fixed, or set by the autoscaler. */
  readonly size: PoolSize;
}
