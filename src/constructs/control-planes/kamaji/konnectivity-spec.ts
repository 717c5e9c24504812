import { KamajiExposure } from './exposure';
import { checkImageName, checkImageTag } from './images';
import { KamajiKonnectivity, KamajiKonnectivityAgentMode, KamajiKonnectivityOptions } from './konnectivity';
import { konnectivityPortProperty } from './ports';
import { checkResources, resourceSpec } from './resources';
import { KAMAJI_RULES } from './rules';
import {
  KamajiControlPlaneSpecAddonsKonnectivity as KonnectivitySpec, KamajiControlPlaneSpecAddonsKonnectivityAgentMode as AgentModeSpec,
} from '../../../../imports/controlplane.cluster.x-k8s.io';
import { KONNECTIVITY_PORT } from '../../../manifests/systems/kamaji/pod-ports';
import { checkArguments, formatArgument } from '../../../manifests/values/component-arguments';
import { checkPort } from '../../../manifests/values/dns';
import { findingsAt } from '../../../manifests/values/finding';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Problem, problemIf, problemsOf } from '../../../manifests/values/problem';
import { ResourceRequirements } from '../../../manifests/values/resource-requirements';
import { checkTolerations, TolerationOperator } from '../../../manifests/values/tolerations';
import { KONNECTIVITY, releaseFor } from '../../../manifests/values/versions';

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

/** Checks konnectivity. */
export function checkKonnectivity(konnectivity: KamajiKonnectivity, exposure: KamajiExposure, kubernetes: KubernetesVersion): Problem[] {
  const options = konnectivity._options;
  if (!options) {
    return [];
  }
  return [
    ...checkPortChoice(options, exposure),
    ...problemIf(KAMAJI_RULES.konnectivity, konnectivityPortProperty(exposure), checkPort(konnectivityPort(konnectivity, exposure)!), 'choose a free port, such as 8132'),
    ...checkImageName('controlPlane.konnectivity.serverImage', options.serverImage),
    ...checkImageName('controlPlane.konnectivity.agentImage', options.agentImage),
    ...checkImageTag('controlPlane.konnectivity.version', options.version),
    ...checkResources('controlPlane.konnectivity.serverResources', options.serverResources),
    ...problemsOf(KAMAJI_RULES.toleration, 'controlPlane.konnectivity.agentTolerations', checkTolerations(options.agentTolerations ?? [])),
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
    rule: KAMAJI_RULES.konnectivity,
    property: 'controlPlane.konnectivity.port',
    message: `the konnectivity server is given two ports, ${options.port} here and ${given} in controlPlane.exposure.konnectivityPort`,
    fix: 'remove the port here',
  }];
}

function checkReplicas(options: KamajiKonnectivityOptions): Problem[] {
  const { agentReplicas } = options;
  if (agentReplicas === undefined || modeOf(options) !== KamajiKonnectivityAgentMode.DAEMON_SET) return [];
  return agentReplicas === 0 ? [] : [{
    rule: KAMAJI_RULES.konnectivity,
    property: 'controlPlane.konnectivity.agentReplicas',
    message: `${agentReplicas} agents are asked for in mode DaemonSet, which runs one on every node`,
    accepted: 'no number',
    fix: 'remove agentReplicas, or choose KamajiKonnectivityAgentMode.DEPLOYMENT',
  }];
}

function checkFlags(options: KamajiKonnectivityOptions, kubernetes: KubernetesVersion): Problem[] {
  const release = /^v(\d+\.\d+)\./.exec(versionOf(options, kubernetes))?.[1];
  const managed = Object.fromEntries(SERVER_FLAGS.map((name) => [name, 'Kamaji sets it itself and drops any other value without a word']));
  return problemsOf(KAMAJI_RULES.konnectivityArgument, 'controlPlane.konnectivity', [
    ...findingsAt(['serverExtraArgs'], checkArguments('konnectivity-server', release, options.serverExtraArgs ?? [], { managed })),
    ...findingsAt(['agentExtraArgs'], checkArguments('konnectivity-agent', release, options.agentExtraArgs ?? [])),
  ]);
}
