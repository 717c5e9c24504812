import { fieldAt } from '../../values/fields';
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

/** True if the operator's objects are validated together with what needs a feature gate of Cluster API, and do not turn it on. */
export function isGateOff(gate: FeatureGate, index: ManifestIndex): boolean {
  return PROVIDERS.some((kind) => index.all(kind).length > 0) && !isGateOn(gate, index);
}

/** How a feature gate is turned on, as an instruction. */
export function turnOn(gate: FeatureGate): string {
  return `turn the gate on: ${gate}: true in spec.manager.featureGates of the operator's providers, or ${VARIABLES[gate]}=true for clusterctl`;
}
