import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { fieldAt, isFields, isSet, objectsAt } from '../../values/fields';
import { ManifestIndex } from '../manifest-index';

/** Variables of clusterctl that turn gates on (core/config/manager/manager.yaml and those of kubeadm's providers). */
const VARIABLES = {
  ClusterTopology: 'CLUSTER_TOPOLOGY',
  KubeadmBootstrapFormatIgnition: 'EXP_KUBEADM_BOOTSTRAP_FORMAT_IGNITION',
  MachineTaintPropagation: 'EXP_MACHINE_TAINT_PROPAGATION',
  RuntimeSDK: 'EXP_RUNTIME_SDK',
} as const;

/** A feature gate of Cluster API that is off by default. */
export type FeatureGate = keyof typeof VARIABLES;

const PROVIDERS = ['CoreProvider', 'BootstrapProvider', 'ControlPlaneProvider'].map((kind) => `operator.cluster.x-k8s.io/${kind}`);

/**
 * True if a feature gate of Cluster API is known to be on: only where the operator's objects are validated together with what needs it.
 */
export function isGateOn(gate: FeatureGate, index: ManifestIndex): boolean {
  return PROVIDERS.flatMap((kind) => index.all(kind)).some((provider) => fieldAt(provider, 'spec', 'manager', 'featureGates', gate) === true);
}

/**
 * True if a feature gate of Cluster API is known to be off: all providers of a kind are validated together with what needs it, and have it off. The
 * gates that a provider states replace those of its release; without any, variables in its Secret, patches, and another manifest may turn it on.
 *
 * Source: kubernetes-sigs/cluster-api-operator internal/controller/component_customizer.go (customizeManager, customizeContainer).
 *
 * @param gate the gate
 * @param kind the kind of provider whose webhooks ask for it
 * @param index the objects
 */
export function isGateOff(gate: FeatureGate, kind: 'CoreProvider' | 'ControlPlaneProvider', index: ManifestIndex): boolean {
  const providers = index.all(`operator.cluster.x-k8s.io/${kind}`).filter((provider) => kind === 'CoreProvider' || nameOf(provider) === 'kubeadm');
  return providers.length > 0 && providers.every((provider) => hasGateOff(provider, gate));
}

function hasGateOff(provider: ManifestObject, gate: FeatureGate): boolean {
  const manager = fieldAt(provider, 'spec', 'manager');
  const gates = fieldAt(manager, 'featureGates');
  const asArguments = [fieldAt(manager, 'additionalArgs'), ...objectsAt(provider, 'spec', 'deployment', 'containers').map(([{ args }]) => args)];
  if (asArguments.some((args) => isSet(args, FLAG))) return false;
  if (isFields(gates) && Object.keys(gates).length > 0) return gates[gate] !== true;
  return !UNKNOWN.some((path) => isSet(provider, 'spec', ...path));
}

const FLAG = '--feature-gates';

/** Fields by which a gate may be turned on that the provider does not name. */
const UNKNOWN: readonly (readonly string[])[] = [['configSecret'], ['manifestPatches'], ['patches'], ['fetchConfig', 'selector']];

/** Instruction that turns a feature gate on. */
export function turnOn(gate: FeatureGate): string {
  return `turn the gate on: ${gate}: true in spec.manager.featureGates of the operator's providers, or ${VARIABLES[gate]}=true for clusterctl`;
}
