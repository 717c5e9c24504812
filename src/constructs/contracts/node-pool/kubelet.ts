import { Duration } from 'cdk8s';

/** A soft eviction threshold: pods are evicted when it has been passed for a while. */
export interface SoftEvictionThreshold {
  /** Quantity such as `500Mi`, or percentage such as `10%`. */
  readonly threshold: string;

  /** Time that the threshold must be passed before pods are evicted. The kubelet refuses a soft threshold without it. */
  readonly gracePeriod: Duration;
}

/** How the kubelets of a pool share their machine between the system and pods. */
export interface KubeletOptions {
  /**
   * Resources kept for the operating system, by resource name (`cpu`, `memory`, `ephemeral-storage`, `pid`).
   *
   * @default - 5 % of the machine's CPU, between 50m and 500m, and 5 % of its memory, between 256Mi and 1Gi
   * (cozystack/cozystack packages/apps/kubernetes/templates/cluster.yaml); nothing where the machine's size is unknown
   */
  readonly systemReserved?: { [resource: string]: string };

  /**
   * Resources kept for the kubelet and the container runtime, by resource name.
   *
   * @default - the same as for the operating system
   */
  readonly kubeReserved?: { [resource: string]: string };

  /**
   * Thresholds at which pods are evicted at once, by signal (`memory.available`, `nodefs.available`, …), as a quantity
   * or a percentage. They are merged with the defaults, since a kubelet that is given one forgets all of its own
   * (kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction).
   *
   * @default - memory.available 7%, nodefs.available 10%, nodefs.inodesFree 5%, imagefs.available 15%, imagefs.inodesFree 5%
   */
  readonly evictionHard?: { [signal: string]: string };

  /**
   * Thresholds at which pods are evicted after a grace period, by signal.
   *
   * @default - none
   */
  readonly evictionSoft?: { [signal: string]: SoftEvictionThreshold };

  /**
   * Most pods that one node runs: no more than it has addresses for, which is 253 where it gets a /24 of the pod range.
   * `nodeCidrMaskSizes` of the cluster gives each node more.
   *
   * Rule: `TC-POOL-MAX-PODS`.
   *
   * @default - 110, or as many as a node has addresses for, if these are fewer
   */
  readonly maxPods?: number;

  /**
   * Further fields of `KubeletConfiguration` (kubelet.config.k8s.io/v1beta1), in its own spelling.
   *
   * Fields with a property of their own here, and those that every kubelet of the cluster shares (`clusterDNS`,
   * `clusterDomain`, `cgroupDriver`), are refused (`TC-POOL-KUBELET-FIELD`).
   *
   * @default - none
   */
  readonly configuration?: { [field: string]: any };
}
