import { Problem, Rule } from '../../manifests/values/problem';

/**
 * Feature gates of a provider that is built with Cluster API. A provider exits at a gate that it does not know
 * (`TC-MANAGEMENT-FEATURE-GATE`).
 */
export interface ClusterApiFeatureGates {
  /**
   * Clusters from a `ClusterClass`. The webhooks of the kind need it too.
   *
   * @default - off, as in the provider
   */
  readonly clusterTopology?: boolean;

  /**
   * An extension changes machines without replacing them; since 1.12.
   *
   * @default - off, as in the provider
   */
  readonly inPlaceUpdates?: boolean;

  /**
   * Ignition in place of cloud-init in kubeadm bootstrap data.
   *
   * @default - off, as in the provider
   */
  readonly kubeadmBootstrapFormatIgnition?: boolean;

  /**
   * `MachinePool` objects.
   *
   * @default - on, as in the provider
   */
  readonly machinePool?: boolean;

  /**
   * Preflight checks that delay new nodes until the control plane is upgraded. This library relies on them.
   *
   * @default - on, as in the provider
   */
  readonly machineSetPreflightChecks?: boolean;

  /**
   * Taints of machines are kept on their nodes; since 1.12.
   *
   * @default - off, as in the provider
   */
  readonly machineTaintPropagation?: boolean;

  /**
   * The priority queue of controller-runtime.
   *
   * @default - as in the provider: on from 1.13, off before
   */
  readonly priorityQueue?: boolean;

  /**
   * Limits how often an object is reconciled; since 1.12. From 1.12.4 on, a provider does not start with this gate unless `priorityQueue`
   * is on.
   *
   * @default - as in the provider: on from 1.13, off in 1.12
   */
  readonly reconcilerRateLimiting?: boolean;

  /**
   * Runtime extensions.
   *
   * @default - off, as in the provider
   */
  readonly runtimeSdk?: boolean;
}

/** Feature gates of the Kamaji provider (`TC-MANAGEMENT-FEATURE-GATE`). */
export interface KamajiProviderFeatureGates {
  /**
   * Control planes that run in another cluster than the management cluster.
   *
   * @default - off, as in the provider
   */
  readonly externalClusterReference?: boolean;

  /**
   * The kubeconfig of that other cluster may be in another namespace; needs `externalClusterReference`.
   *
   * @default - off, as in the provider
   */
  readonly externalClusterReferenceCrossNamespace?: boolean;

  /**
   * The provider does not change the endpoint of the infrastructure object.
   *
   * @default - off, as in the provider
   */
  readonly skipInfraClusterPatch?: boolean;

  /**
   * The provider writes the endpoint into infrastructure objects of further kinds: those of the argument `dynamic-infrastructure-clusters`.
   *
   * @default - off, as in the provider
   */
  readonly dynamicInfrastructureClusterPatch?: boolean;
}

interface Gate {
  readonly name: string;

  /** First minor release of Cluster API with the gate, or the oldest supported release. */
  readonly since: number;
}

// Read from the programs: core 1.14.2, the KubeVirt provider 0.11.2 (built with 1.11) and the Helm add-on provider 0.6.4 (built with 1.13);
// in place updates, taints of machines and the limit on reconciling: CHANGELOG/v1.12.0.md.
const CLUSTER_API_GATES: { readonly [gate in keyof ClusterApiFeatureGates]-?: Gate } = {
  clusterTopology: { name: 'ClusterTopology', since: 11 },
  inPlaceUpdates: { name: 'InPlaceUpdates', since: 12 },
  kubeadmBootstrapFormatIgnition: { name: 'KubeadmBootstrapFormatIgnition', since: 11 },
  machinePool: { name: 'MachinePool', since: 11 },
  machineSetPreflightChecks: { name: 'MachineSetPreflightChecks', since: 11 },
  machineTaintPropagation: { name: 'MachineTaintPropagation', since: 12 },
  priorityQueue: { name: 'PriorityQueue', since: 11 },
  reconcilerRateLimiting: { name: 'ReconcilerRateLimiting', since: 12 },
  runtimeSdk: { name: 'RuntimeSDK', since: 11 },
};

/** Minor release of Cluster API from which queue and limit are on. */
const BOTH_ON = 13;

const KAMAJI_GATES: { readonly [gate in keyof KamajiProviderFeatureGates]-?: string } = {
  externalClusterReference: 'ExternalClusterReference',
  externalClusterReferenceCrossNamespace: 'ExternalClusterReferenceCrossNamespace',
  skipInfraClusterPatch: 'SkipInfraClusterPatch',
  dynamicInfrastructureClusterPatch: 'DynamicInfrastructureClusterPatch',
};

/** The gates by the names that the program uses. */
export function clusterApiGates(gates: ClusterApiFeatureGates = {}): Record<string, boolean> {
  return named(Object.entries(CLUSTER_API_GATES).map(([key, { name }]) => [name, gates[key as keyof ClusterApiFeatureGates]]));
}

/** The gates by the names that the program uses. */
export function kamajiProviderGates(gates: KamajiProviderFeatureGates = {}): Record<string, boolean> {
  return named(Object.entries(KAMAJI_GATES).map(([key, name]) => [name, gates[key as keyof KamajiProviderFeatureGates]]));
}

/** Rule for feature gates of all components. */
export const FEATURE_GATE_RULE: Rule = {
  id: 'TC-MANAGEMENT-FEATURE-GATE',
  title: 'The installed version of a provider must know its feature gates, and their dependencies must be met: otherwise the program exits.',
  source: 'kubernetes-sigs/cluster-api feature/feature.go and util/controller/builder.go, k8s.io/component-base/featuregate',
};

/**
 * Checks gates against the release of Cluster API that a provider is built with.
 *
 * @param property path of the gates
 * @param gates the gates
 * @param provider display name of the provider, with its version
 * @param minor minor release of Cluster API that it is built with; no findings if it is unknown
 */
export function checkClusterApiGates(
  property: string, gates: ClusterApiFeatureGates = {}, provider: string, minor: number | undefined,
): Problem[] {
  if (minor === undefined) return [];
  const given = Object.entries(CLUSTER_API_GATES).filter(([key]) => gates[key as keyof ClusterApiFeatureGates] !== undefined);
  return [
    ...given.filter(([, { since }]) => minor < since).map(([key, { name, since }]) => ({
      rule: FEATURE_GATE_RULE,
      property: `${property}.${key}`,
      message: `${provider} does not know the feature gate ${name}, which exists since Cluster API 1.${since}, and does not start with it`,
      fix: `remove ${key}`,
    })),
    ...checkRateLimiting(property, gates, provider, minor),
  ];
}

/** The limit is part of the queue: without the queue, the program exits (kubernetes-sigs/cluster-api util/controller/builder.go). */
function checkRateLimiting(property: string, gates: ClusterApiFeatureGates, provider: string, minor: number): Problem[] {
  const onByDefault = minor >= BOTH_ON;
  const { priorityQueue = onByDefault, reconcilerRateLimiting = onByDefault } = gates;
  if (minor < CLUSTER_API_GATES.reconcilerRateLimiting.since || priorityQueue || !reconcilerRateLimiting) return [];
  return [{
    rule: FEATURE_GATE_RULE,
    property: `${property}.${gates.priorityQueue === undefined ? 'reconcilerRateLimiting' : 'priorityQueue'}`,
    message: `${provider} does not start with the feature gate ReconcilerRateLimiting on and PriorityQueue off`,
    fix: gates.priorityQueue === undefined ? 'also set priorityQueue: true' : 'leave priorityQueue on, or also set reconcilerRateLimiting: false',
  }];
}

function named(gates: readonly (readonly [name: string, setting: boolean | undefined])[]): Record<string, boolean> {
  return Object.fromEntries(gates.flatMap(([name, setting]) => (setting === undefined ? [] : [[name, setting]])));
}
