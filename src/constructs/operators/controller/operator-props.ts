import { OperatorNetworkPolicy } from './network-policy';
import { OperatorContainerOptions } from './operator-container';
import { OperatorMetrics } from './operator-metrics';
import { OperatorWebhooks } from './operator-webhook-props';
import { Permission } from './permission';
import { Toleration } from '../../../manifests/values/taints';

/** Leader election, by which the instances of a controller agree on the active one. */
export interface OperatorLeaderElection {
  /**
   * Name of the Lease, to which the rights are then limited.
   *
   * @default - any Lease in the operator's namespace
   */
  readonly leaseName?: string;

  /**
   * Arguments that enable it.
   *
   * @default ['--leader-elect'] - the flag of kubebuilder's programs
   */
  readonly args?: string[];
}

/** Health endpoint of a controller. */
export interface OperatorHealth {
  /**
   * Port of the endpoint (`TC-OPERATOR-PORT`).
   *
   * @default 8081
   */
  readonly port?: number;

  /**
   * Path of the liveness probe: the program is restarted if it fails.
   *
   * @default /healthz
   */
  readonly livenessPath?: string;

  /**
   * Path of the readiness probe.
   *
   * @default /readyz
   */
  readonly readinessPath?: string;

  /**
   * Arguments that enable it.
   *
   * @default - the flag of kubebuilder's programs: --health-probe-bind-address with the port
   */
  readonly args?: string[];
}

/** The endpoint with its defaults. */
export function healthOf({ port = 8081, livenessPath = '/healthz', readinessPath = '/readyz', args }: OperatorHealth): Required<OperatorHealth> {
  return { port, livenessPath, readinessPath, args: args ?? [`--health-probe-bind-address=:${port}`] };
}

/**
 * Properties of a controller of custom resources. Everything else of its pod, such as affinity, spread and further containers, is a patch of
 * `operator.deployment`; a PodDisruptionBudget of cdk8s-plus selects its pods by `operator.podSelector`.
 */
export interface OperatorProps extends OperatorContainerOptions {
  /**
   * Activities of the controller, from which its roles follow. Without any it gets no token of the API server.
   *
   * Rules: `TC-OPERATOR-PERMISSION`, `TC-OPERATOR-WILDCARD`, `TC-OPERATOR-STATUS`.
   */
  readonly permissions: Permission[];

  /**
   * Name of the operator and of its objects, a DNS label (`TC-OPERATOR-NAME`, `TC-OPERATOR-NAME-TAKEN`).
   *
   * @default - the construct id
   */
  readonly name?: string;

  /**
   * Namespace that the operator runs in (`TC-OPERATOR-NAME`).
   *
   * @default - the namespace of the chart
   */
  readonly namespace?: string;

  /**
   * True if the `Namespace` object is made here, with the Pod Security Standard `restricted` enforced, which the operator's pod keeps.
   *
   * @default false
   */
  readonly createNamespace?: boolean;

  /**
   * True if the operator works on objects in all namespaces, as programs without a flag for namespaces do. Its rights are then a
   * ClusterRole's (`TC-OPERATOR-SCOPE`).
   *
   * @default false
   */
  readonly watchAllNamespaces?: boolean;

  /**
   * Namespaces that the operator works in, each with a Role of its own. The program needs them too, such as by an argument or a
   * variable (`TC-OPERATOR-SCOPE`).
   *
   * @default - the operator's own namespace
   */
  readonly watchNamespaces?: string[];

  /**
   * Number of pods (`TC-OPERATOR-REPLICAS`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * Leader election of the pods, for programs that support it. Without it there is one pod, and an update stops the old one before the
   * new one starts.
   *
   * @default - no leader election
   */
  readonly leaderElection?: OperatorLeaderElection;

  /**
   * Health endpoint of the program (`TC-OPERATOR-PORT`).
   *
   * @default - none: the container has no probes
   */
  readonly health?: OperatorHealth;

  /**
   * Metrics endpoint of the program (`TC-OPERATOR-PORT`, `TC-OPERATOR-CERTIFICATE`, `TC-OPERATOR-SERVICE-MONITOR`).
   *
   * @default - none
   */
  readonly metrics?: OperatorMetrics;

  /**
   * Its webhooks (`TC-OPERATOR-WEBHOOK`, `TC-OPERATOR-CERTIFICATE`, `TC-OPERATOR-PORT`).
   *
   * @default - none
   */
  readonly webhooks?: OperatorWebhooks;

  /**
   * Access to the pods. Without metrics and webhooks no client may (`TC-OPERATOR-NETWORK-POLICY`).
   *
   * @default - all clients that the policies of the namespace allow
   */
  readonly networkPolicy?: OperatorNetworkPolicy;

  /**
   * Number of the user that the container runs as; never 0 (`TC-OPERATOR-USER`).
   *
   * @default 65532 - `nonroot` of distroless images
   */
  readonly runAsUser?: number;

  /**
   * Tolerations of the pod (`TC-ADMIT-KUBERNETES-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Labels that the pod's node must have (`TC-ADMIT-KUBERNETES-POD`).
   *
   * @default - any node
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Name of the PriorityClass (`TC-ADMIT-KUBERNETES-POD`).
   *
   * @default - the cluster's default
   */
  readonly priorityClassName?: string;

  /**
   * Names of Secrets, in the operator's namespace, with the credentials of registries (`TC-CONTROLLER-OBJECT-NAME`).
   *
   * @default - none
   */
  readonly imagePullSecrets?: string[];

  /**
   * Further labels of the pod (`TC-ADMIT-FIELD-METADATA`, `TC-CONTROLLER-LABEL`).
   *
   * @default - the operator's own
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * Annotations of the pod (`TC-ADMIT-FIELD-METADATA`).
   *
   * @default - none
   */
  readonly podAnnotations?: { [key: string]: string };
}
