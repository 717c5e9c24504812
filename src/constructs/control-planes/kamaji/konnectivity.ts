import { checkImageName, checkImageTag, checkResources, resourceSpec } from './components';
import { TOLERATION_RULE } from './deployment';
import { KamajiExposure } from './exposure';
import {
  KamajiControlPlaneSpecAddonsKonnectivity as KonnectivitySpec, KamajiControlPlaneSpecAddonsKonnectivityAgentMode as AgentModeSpec,
} from '../../../../imports/controlplane.cluster.x-k8s.io';
import { KONNECTIVITY_PORT } from '../../../manifests/systems/kamaji/rules/kamaji-objects';
import { checkArguments, ComponentArgument, formatArgument } from '../../../manifests/values/component-arguments';
import { checkPort } from '../../../manifests/values/dns';
import { findingsAt } from '../../../manifests/values/finding';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Problem, problemIf, problemsOf, Rule } from '../../../manifests/values/problem';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { checkTolerations, Toleration, TolerationOperator } from '../../../manifests/values/taints';
import { KONNECTIVITY, releaseFor } from '../../../manifests/values/versions';

/** Workload of konnectivity's agents in the tenant cluster. */
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
   * Workload of the agents.
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

const SERVER_IMAGE = 'registry.k8s.io/kas-network-proxy/proxy-server';
const AGENT_IMAGE = 'registry.k8s.io/kas-network-proxy/proxy-agent';
const AGENT_REPLICAS = 2;
const SERVER_RESOURCES: ResourceRequirements = { requests: { cpu: '50m', memory: '256Mi' }, limits: { memory: '256Mi' } };

// clastix/kamaji internal/builders/controlplane/konnectivity_server.go: set after the user's own, which are lost without a word.
const SERVER_FLAGS: readonly string[] = [
  'admin-port', 'agent-namespace', 'agent-port', 'agent-service-account', 'authentication-audience', 'cluster-cert', 'cluster-key',
  'health-port', 'kubeconfig', 'mode', 'server-count', 'server-port', 'uds-name',
];

/** The port of the konnectivity server, undefined without one. */
export function konnectivityPort(konnectivity: KamajiKonnectivity, exposure: KamajiExposure): number | undefined {
  const { nodePort } = exposure._choice;
  return konnectivity._options && ((nodePort && nodePort.konnectivityPort) ?? konnectivity._options.port ?? KONNECTIVITY_PORT);
}

/** The property that gives the port of the konnectivity server. */
export function konnectivityPortProperty(exposure: KamajiExposure): string {
  return exposure._choice.nodePort ? 'controlPlane.exposure.konnectivityPort' : 'controlPlane.konnectivity.port';
}

/** `spec.addons.konnectivity`. */
export function konnectivitySpec(
  konnectivity: KamajiKonnectivity, exposure: KamajiExposure, kubernetes: KubernetesVersion,
): KonnectivitySpec | undefined {
  const options = konnectivity._options;
  if (!options) {
    return undefined;
  }
  const version = versionOf(options, kubernetes);
  return {
    server: {
      image: options.serverImage ?? SERVER_IMAGE,
      version,
      port: konnectivityPort(konnectivity, exposure)!,
      resources: resourceSpec(options.serverResources ?? SERVER_RESOURCES),
      extraArgs: options.serverExtraArgs?.map(formatArgument),
    },
    agent: {
      image: options.agentImage ?? AGENT_IMAGE,
      version,
      mode: modeOf(options) as string as AgentModeSpec,
      replicas: modeOf(options) === KamajiKonnectivityAgentMode.DEPLOYMENT ? options.agentReplicas ?? AGENT_REPLICAS : undefined,
      hostNetwork: options.agentHostNetwork ?? true,
      tolerations: options.agentTolerations ?? [{ operator: TolerationOperator.EXISTS }],
      extraArgs: options.agentExtraArgs?.map(formatArgument),
    },
  };
}

const KONNECTIVITY_RULE: Rule = {
  id: 'TC-KAMAJI-KONNECTIVITY',
  title: 'Port, images and replicas of konnectivity must be valid together.',
  source: 'clastix/cluster-api-control-plane-provider-kamaji config/crd/bases/controlplane.cluster.x-k8s.io_kamajicontrolplanes.yaml',
};

/** Checks konnectivity. */
export function checkKonnectivity(konnectivity: KamajiKonnectivity, exposure: KamajiExposure, kubernetes: KubernetesVersion): Problem[] {
  const options = konnectivity._options;
  if (!options) {
    return [];
  }
  return [
    ...checkPortChoice(options, exposure),
    ...problemIf(KONNECTIVITY_RULE, konnectivityPortProperty(exposure), checkPort(konnectivityPort(konnectivity, exposure)!), 'choose a free port, such as 8132'),
    ...checkImageName('controlPlane.konnectivity.serverImage', options.serverImage),
    ...checkImageName('controlPlane.konnectivity.agentImage', options.agentImage),
    ...checkImageTag('controlPlane.konnectivity.version', options.version),
    ...checkResources('controlPlane.konnectivity.serverResources', options.serverResources),
    ...problemsOf(TOLERATION_RULE, 'controlPlane.konnectivity.agentTolerations', checkTolerations(options.agentTolerations ?? [])),
    ...checkReplicas(options),
    ...checkFlags(options, kubernetes),
  ];
}

function versionOf(options: KamajiKonnectivityOptions, kubernetes: KubernetesVersion): string {
  return options.version ?? releaseFor(KONNECTIVITY, kubernetes).version;
}

function modeOf(options: KamajiKonnectivityOptions): KamajiKonnectivityAgentMode {
  return options.agentMode ?? KamajiKonnectivityAgentMode.DAEMON_SET;
}

function checkPortChoice(options: KamajiKonnectivityOptions, exposure: KamajiExposure): Problem[] {
  const { nodePort } = exposure._choice;
  const given = nodePort?.konnectivityPort;
  return given === undefined || options.port === undefined || options.port === given ? [] : [{
    rule: KONNECTIVITY_RULE,
    property: 'controlPlane.konnectivity.port',
    message: `the konnectivity server is given two ports, ${options.port} here and ${given} in controlPlane.exposure.konnectivityPort`,
    fix: 'remove the port here',
  }];
}

function checkReplicas(options: KamajiKonnectivityOptions): Problem[] {
  const { agentReplicas } = options;
  if (agentReplicas === undefined || modeOf(options) !== KamajiKonnectivityAgentMode.DAEMON_SET) return [];
  return agentReplicas === 0 ? [] : [{
    rule: KONNECTIVITY_RULE,
    property: 'controlPlane.konnectivity.agentReplicas',
    message: `${agentReplicas} agents are asked for in mode DaemonSet, which runs one on every node`,
    accepted: 'no number',
    fix: 'remove agentReplicas, or choose KamajiKonnectivityAgentMode.DEPLOYMENT',
  }];
}

const KONNECTIVITY_ARGUMENT_RULE: Rule = {
  id: 'TC-KAMAJI-KONNECTIVITY-ARGUMENT',
  title: 'An extra argument of konnectivity must be a flag of that release, and must not be one that Kamaji sets.',
  source: 'clastix/kamaji internal/builders/controlplane/konnectivity_server.go',
};

function checkFlags(options: KamajiKonnectivityOptions, kubernetes: KubernetesVersion): Problem[] {
  const release = /^v(\d+\.\d+)\./.exec(versionOf(options, kubernetes))?.[1];
  const managed = Object.fromEntries(SERVER_FLAGS.map((name) => [name, 'Kamaji sets it itself and drops any other value without a word']));
  return problemsOf(KONNECTIVITY_ARGUMENT_RULE, 'controlPlane.konnectivity', [
    ...findingsAt(['serverExtraArgs'], checkArguments('konnectivity-server', release, options.serverExtraArgs ?? [], { managed })),
    ...findingsAt(['agentExtraArgs'], checkArguments('konnectivity-agent', release, options.agentExtraArgs ?? [])),
  ]);
}
