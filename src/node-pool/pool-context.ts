import { ClusterContext } from '../cluster-context';
import { KubernetesVersion } from '../kubernetes/kubernetes-version';
import { Taint } from '../kubernetes/taints';

/** What the machine and the bootstrap strategy of a pool may know about it, resolved once, read-only. */
export interface PoolContext {
  /** The cluster that the pool belongs to. */
  readonly cluster: ClusterContext;

  /** Name of the pool's `MachineDeployment`: `<cluster>-<pool>`. Machines and nodes are named after it. */
  readonly name: string;

  /** Kubernetes version of the pool's nodes. */
  readonly kubernetesVersion: KubernetesVersion;

  /** Labels that the kubelet gives its node when it registers; the others travel through Cluster API. */
  readonly nodeLabels: { [key: string]: string };

  /** Taints that the kubelet gives its node when it registers. */
  readonly taints: Taint[];

  /**
   * Fields of `KubeletConfiguration` (kubelet.config.k8s.io/v1beta1) in which the pool's kubelets differ from
   * the cluster's: reservations, eviction thresholds, pod limit and what the user added.
   */
  readonly kubeletConfiguration: { [field: string]: any };
}
