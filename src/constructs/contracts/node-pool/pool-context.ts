import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Taint } from '../../../manifests/values/taints';
import { ClusterContext } from '../cluster-context';
import { NodeSetup } from '../node-setup';

/**
 * A pool as its machine and bootstrap strategies see it: resolved once, read-only.
 *
 * A control plane that runs on machines hands them the same, as if its machines were a pool.
 */
export interface PoolContext {
  /** The cluster that the pool belongs to. */
  readonly cluster: ClusterContext;

  /**
   * Name of the pool's `MachineDeployment`: `<cluster>-<pool>`; `<cluster>-control-plane` for the machines of a control plane. Machines and
   * nodes are named after it.
   */
  readonly name: string;

  /**
   * True if the machines run the cluster's control plane, and have no `MachineDeployment`.
   *
   * @default false
   */
  readonly controlPlane?: boolean;

  /**
   * Failure domain of the pool, as the infrastructure names it.
   *
   * @default - the infrastructure chooses one for each machine
   */
  readonly failureDomain?: string;

  /**
   * True if each machine should have a host of its own, and there are enough hosts for that. A machine that can be put on hosts obeys it unless
   * its properties say otherwise.
   *
   * @default false
   */
  readonly separateHosts?: boolean;

  /** Kubernetes version of the pool's nodes. */
  readonly kubernetesVersion: KubernetesVersion;

  /** Labels that the kubelet gives its node when it registers; the others travel through Cluster API. */
  readonly nodeLabels: { [key: string]: string };

  /** Taints that the kubelet gives its node when it registers. */
  readonly taints: Taint[];

  /**
   * Fields of `KubeletConfiguration` (kubelet.config.k8s.io/v1beta1) in which the pool's kubelets differ from
   * the cluster's: reservations, eviction thresholds, pod limit and further fields of the user.
   */
  readonly kubeletConfiguration: { [field: string]: any };

  /**
   * Setup that infrastructure and machines need on each node (`InfrastructureCapabilities.nodeSetup`, `Machine.nodeSetup`), including
   * `--cloud-provider=external` where a cloud controller manager initializes the nodes. A bootstrap applies it (`Bootstrap.appliedNodeSetup`).
   *
   * @default - nothing
   */
  readonly nodeSetup?: NodeSetup;
}
