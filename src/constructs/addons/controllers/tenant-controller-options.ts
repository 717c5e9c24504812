import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { fieldText } from '../../../manifests/values/fields';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { Toleration } from '../../../manifests/values/taints';

/**
 * Options of the pod of a controller. The pod runs in the management cluster, beside the control plane of the tenant that it serves.
 *
 * The pod runs as user 65532 without privileges, with a read-only root file system and a minimal Role. It waits up to ten minutes for the
 * kubeconfig of a new tenant, so that it does not crash while the control plane starts.
 */
export interface TenantControllerPodOptions {
  /**
   * Tolerations for taints of the management cluster's nodes (`TC-ADMIT-KUBERNETES-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Node selector in the management cluster (`TC-ADMIT-KUBERNETES-POD`).
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Name of the PriorityClass (`TC-ADMIT-KUBERNETES-POD`, `TC-CONTROLLER-PRIORITY-CLASS`).
   *
   * @default - the management cluster's default
   */
  readonly priorityClassName?: string;

  /**
   * Further labels of the pod, e.g. those that a network policy selects by (`TC-ADMIT-FIELD-METADATA`, `TC-CONTROLLER-LABEL`).
   *
   * @default - the name of the controller and of the cluster
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * Annotations of the pod (`TC-ADMIT-FIELD-METADATA`).
   *
   * @default - none
   */
  readonly podAnnotations?: { [key: string]: string };

  /**
   * Names of Secrets, in the cluster's namespace, with the credentials of registries (`TC-CONTROLLER-OBJECT-NAME`).
   *
   * @default - those of the cluster's `companyNetwork`, else none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Image in which the pod waits for the tenant's kubeconfig. It needs a POSIX shell, `date`, `sleep`, and an `nc` with the options `-z` and
   * `-w`: busybox only has `-z` if it is built with `NC_110_COMPAT`, which Debian's is not (`TC-CONTROLLER-IMAGE`,
   * `TC-CONTROLLER-IMAGE-UNPINNED`).
   *
   * @default - registry.k8s.io/e2e-test-images/busybox:1.37.0-2, a copy of docker.io/library/busybox:1.37.0
   */
  readonly waitImage?: string;
}

/** Options of a container of a controller. */
export interface ControllerContainerOptions {
  /**
   * Image of the program, with a tag or a digest (`TC-CONTROLLER-IMAGE`, `TC-CONTROLLER-IMAGE-UNPINNED`).
   *
   * @default - the release that this library supports
   */
  readonly image?: string;

  /**
   * CPU and memory of the container. The value replaces the whole default.
   *
   * Rule: `TC-CONTROLLER-RESOURCES`.
   *
   * @default - requests and a memory limit that suit a cluster of some dozens of nodes
   */
  readonly resources?: ResourceRequirements;

  /**
   * Further flags of the program. The installed version must know them, and no other property or the library may set them.
   *
   * Rule: `TC-CONTROLLER-ARGUMENT`.
   *
   * @default - none
   */
  readonly extraArgs?: ComponentArgument[];
}

/** Options of a controller, its program and its pod, that serves one tenant cluster from the management cluster. */
export interface TenantControllerOptions extends TenantControllerPodOptions, ControllerContainerOptions {}

/**
 * The sources of the fields of a Deployment or DaemonSet that options of its pods set.
 *
 * @param options the options
 * @param at the property that holds them, e.g. `clusterAutoscaler.`; empty if they are properties of the construct
 */
export function podSources({ podLabels = {}, podAnnotations = {} }: TenantControllerPodOptions, at = ''): { [field: string]: string } {
  const metadata = Object.entries({ labels: podLabels, annotations: podAnnotations }).flatMap(([field, entries]) => (
    Object.keys(entries).map((key) => [`spec.template.metadata.${field}["${key}"]`, at + fieldText([field === 'labels' ? 'podLabels' : 'podAnnotations', key])])));
  return {
    ...Object.fromEntries(metadata) as { [field: string]: string },
    'spec.template.spec.nodeSelector.**': `${at}nodeSelector.**`,
    'spec.template.spec.tolerations.**': `${at}tolerations.**`,
    'spec.template.spec.priorityClassName': `${at}priorityClassName`,
  };
}
