import { MANAGEMENT_RULES } from './rules';
import { Problem } from '../validation/problem';

/** Feature gates of Cluster API, for a provider that is built with it. One that the provider does not know ends it (`TC-MANAGEMENT-FEATURE-GATE`). */
export interface ClusterApiFeatureGates {
  /**
   * Clusters from a `ClusterClass`. Also asked for by its webhooks.
   *
   * @default - off, as in the provider
   */
  readonly clusterTopology?: boolean;

  /**
   * Changes of machines without replacing them, by an extension; from 1.12.
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
   * Preflight checks that hold nodes back until the control plane has been upgraded. This library counts on them.
   *
   * @default - on, as in the provider
   */
  readonly machineSetPreflightChecks?: boolean;

  /**
   * Taints of machines that are kept on their nodes; from 1.12.
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
   * A limit on how often one object is reconciled; from 1.12. From 1.12.4 on a provider does not start with it and without
   * `priorityQueue`.
   *
   * @default - as in the provider: on from 1.13, off in 1.12
   */
  readonly reconcilerRateLimiting?: boolean;

  /**
   * Extensions at run time.
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
   * The provider leaves the endpoint of the infrastructure object alone.
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

  /** First minor release of Cluster API with it; the oldest supported one where it is older. */
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

/** The gates by the names that the program knows. */
export function clusterApiGates(gates: ClusterApiFeatureGates = {}): Record<string, boolean> {
  return named(Object.entries(CLUSTER_API_GATES).map(([key, { name }]) => [name, gates[key as keyof ClusterApiFeatureGates]]));
}

/** The gates by the names that the program knows. */
export function kamajiProviderGates(gates: KamajiProviderFeatureGates = {}): Record<string, boolean> {
  return named(Object.entries(KAMAJI_GATES).map(([key, name]) => [name, gates[key as keyof KamajiProviderFeatureGates]]));
}

/**
 * Checks gates against the release of Cluster API that a provider is built with.
 *
 * @param property where the gates are given
 * @param gates the gates
 * @param provider what people call the provider, with its version
 * @param minor minor release of Cluster API that it is built with; nothing is found where that is not known
 */
export function checkClusterApiGates(
  property: string, gates: ClusterApiFeatureGates = {}, provider: string, minor: number | undefined,
): Problem[] {
  if (minor === undefined) return [];
  const given = Object.entries(CLUSTER_API_GATES).filter(([key]) => gates[key as keyof ClusterApiFeatureGates] !== undefined);
  return [
    ...given.filter(([, { since }]) => minor < since).map(([key, { name, since }]) => ({
      rule: MANAGEMENT_RULES.featureGate,
      property: `${property}.${key}`,
      message: `${provider} does not know the feature gate ${name}, which came with Cluster API 1.${since}, and does not start with it`,
      fix: `remove ${key}`,
    })),
    ...checkRateLimiting(property, gates, provider, minor),
  ];
}

/** The limit is part of the queue: without that, the program ends (kubernetes-sigs/cluster-api util/controller/builder.go). */
function checkRateLimiting(property: string, gates: ClusterApiFeatureGates, provider: string, minor: number): Problem[] {
  const onByDefault = minor >= BOTH_ON;
  const { priorityQueue = onByDefault, reconcilerRateLimiting = onByDefault } = gates;
  if (minor < CLUSTER_API_GATES.reconcilerRateLimiting.since || priorityQueue || !reconcilerRateLimiting) return [];
  return [{
    rule: MANAGEMENT_RULES.featureGate,
    property: `${property}.${gates.priorityQueue === undefined ? 'reconcilerRateLimiting' : 'priorityQueue'}`,
    message: `${provider} does not start with the feature gate ReconcilerRateLimiting, which is on, and without PriorityQueue`,
    fix: gates.priorityQueue === undefined ? 'set priorityQueue: true, too' : 'leave priorityQueue on, or set reconcilerRateLimiting: false, too',
  }];
}

function named(gates: readonly (readonly [name: string, setting: boolean | undefined])[]): Record<string, boolean> {
  return Object.fromEntries(gates.flatMap(([name, setting]) => (setting === undefined ? [] : [[name, setting]])));
}
