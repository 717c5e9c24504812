import { ComponentArgument } from '../kubernetes/component-arguments';
import { ResourceRequirements } from '../kubernetes/resource-requirements';
import { Toleration } from '../kubernetes/tolerations';

/**
 * Where and how the pod of a controller runs that works on one tenant cluster from the management cluster, beside its control plane.
 *
 * Such a pod runs as user 65532 without any privilege, with a read-only root file system and a Role of exactly the rights that it
 * uses. It waits up to ten minutes for the kubeconfig of a new tenant, so that it does not crash while the control plane starts.
 */
export interface TenantControllerPodOptions {
  /**
   * Taints of the management cluster's nodes that the pod puts up with (`TC-CONTROLLER-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Labels that a node of the management cluster must have (`TC-CONTROLLER-LABEL`).
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Name of the PriorityClass (`TC-CONTROLLER-OBJECT-NAME`, `TC-CONTROLLER-PRIORITY-CLASS`).
   *
   * @default - the management cluster's default
   */
  readonly priorityClassName?: string;

  /**
   * Further labels of the pod, e.g. those that a network policy selects by (`TC-CONTROLLER-LABEL`).
   *
   * @default - the name of the controller and of the cluster
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * Annotations of the pod (`TC-CONTROLLER-LABEL`).
   *
   * @default - none
   */
  readonly podAnnotations?: { [key: string]: string };

  /**
   * Names of Secrets, in the cluster's namespace, with the credentials of registries (`TC-CONTROLLER-OBJECT-NAME`).
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Image in which the pod waits for the tenant's kubeconfig. It needs a POSIX shell, `date`, `sleep`, and an `nc` with the options `-z` and
   * `-w`: busybox only has `-z` if it is built with `NC_110_COMPAT`, which Debian's is not (`TC-CONTROLLER-IMAGE`,
   * `TC-CONTROLLER-IMAGE-UNPINNED`).
   *
   * @default - docker.io/library/busybox:1.37.0 (cozystack/cozystack packages/apps/kubernetes/templates)
   */
  readonly waitImage?: string;
}

/** How one container of a controller runs. */
export interface ControllerContainerOptions {
  /**
   * Image of the program, with a tag or a digest (`TC-CONTROLLER-IMAGE`, `TC-CONTROLLER-IMAGE-UNPINNED`).
   *
   * @default - the released version that this library knows
   */
  readonly image?: string;

  /**
   * CPU and memory of the container (`TC-CONTROLLER-RESOURCES`). What is given replaces the default as a whole.
   *
   * @default - requests and a memory limit that suit a cluster of some dozens of nodes
   */
  readonly resources?: ResourceRequirements;

  /**
   * Further flags of the program. They are checked against the flags of the version that is installed, and against those that
   * another property or the library sets (`TC-CONTROLLER-ARGUMENT`).
   *
   * @default - none
   */
  readonly extraArgs?: ComponentArgument[];
}

/** How a controller runs, its program and its pod, that works on one tenant cluster from the management cluster. */
export interface TenantControllerOptions extends TenantControllerPodOptions, ControllerContainerOptions {}
