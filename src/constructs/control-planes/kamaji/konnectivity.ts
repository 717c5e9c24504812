import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { Toleration } from '../../../manifests/values/tolerations';

/** How konnectivity's agents run in the tenant cluster. */
export enum KamajiKonnectivityAgentMode {
  /** One on every node. */
  DAEMON_SET = 'DaemonSet',

  /** A fixed number of them. */
  DEPLOYMENT = 'Deployment',
}

/** Options of konnectivity. */
export interface KamajiKonnectivityOptions {
  /**
   * Port of the server, in the pod and on the Service. Behind a NodePort Service `konnectivityPort` of the exposure says it.
   *
   * Rules: `TC-KAMAJI-KONNECTIVITY`, `TC-TRAP-KAMAJI-PORT-CLASH`.
   *
   * @default 8132
   */
  readonly port?: number;

  /**
   * Version of server and agent, an image tag such as `v0.34.0` (`TC-KAMAJI-IMAGE`).
   *
   * @default - v0.<minor>.0 of the Kubernetes version, as Kamaji chooses too, and where there is no such image the last one before it: v0.34.0
   * for Kubernetes 1.35 (cozystack/cozystack commit 3d89d3732), v0.36.0 for 1.37
   */
  readonly version?: string;

  /**
   * Image of the server, without a tag (`TC-KAMAJI-IMAGE`).
   *
   * @default 'registry.k8s.io/kas-network-proxy/proxy-server'
   */
  readonly serverImage?: string;

  /**
   * Image of the agent, without a tag (`TC-KAMAJI-IMAGE`).
   *
   * @default 'registry.k8s.io/kas-network-proxy/proxy-agent'
   */
  readonly agentImage?: string;

  /**
   * CPU and memory of the server (`TC-KAMAJI-RESOURCES`).
   *
   * @default - requests of 50m CPU and 256Mi memory, limit of 256Mi memory (cozystack/cozystack packages/apps/kubernetes/values.yaml)
   */
  readonly serverResources?: ResourceRequirements;

  /**
   * Further flags of the server. Kamaji's own win silently, so those are refused (`TC-KAMAJI-KONNECTIVITY-ARGUMENT`).
   *
   * @default - none
   */
  readonly serverExtraArgs?: ComponentArgument[];

  /**
   * How the agents run.
   *
   * @default KamajiKonnectivityAgentMode.DAEMON_SET
   */
  readonly agentMode?: KamajiKonnectivityAgentMode;

  /**
   * Number of agents in mode Deployment; not for mode DaemonSet (`TC-KAMAJI-KONNECTIVITY`).
   *
   * @default 2 in mode Deployment
   */
  readonly agentReplicas?: number;

  /**
   * True if the agents use the node's network, so that they work before the cluster's network plug-in does.
   *
   * @default true
   */
  readonly agentHostNetwork?: boolean;

  /**
   * Taints that the agents tolerate (`TC-KAMAJI-TOLERATION`).
   *
   * @default - all, so that they run on nodes that are not initialized yet
   */
  readonly agentTolerations?: Toleration[];

  /**
   * Further flags of the agents; they win over Kamaji's (`TC-KAMAJI-KONNECTIVITY-ARGUMENT` for flags that do not exist).
   *
   * @default - none
   */
  readonly agentExtraArgs?: ComponentArgument[];
}

/**
 * The tunnel through which the API server reaches nodes and pods that the management cluster has no route to.
 *
 * @example
 * new KamajiControlPlane({ konnectivity: KamajiKonnectivity.managed({ agentHostNetwork: true }) });
 */
export class KamajiKonnectivity {
  /**
   * Kamaji runs the server beside the API server and the agents in the tenant cluster.
   *
   * @param options port, version, images, agents
   */
  public static managed(options: KamajiKonnectivityOptions = {}): KamajiKonnectivity {
    return new KamajiKonnectivity(options);
  }

  /**
   * No tunnel. Logs, exec, port forwarding, admission webhooks and aggregated APIs of the tenant work only if the management cluster
   * has routes to its nodes, pods and Services.
   */
  public static none(): KamajiKonnectivity {
    return new KamajiKonnectivity(undefined);
  }

  /** @internal */
  public readonly _options?: KamajiKonnectivityOptions;

  private constructor(options: KamajiKonnectivityOptions | undefined) {
    this._options = options;
  }
}
