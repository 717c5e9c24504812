import { fieldAt } from '../../../images/manifest-object';
import { ManifestIndex } from '../manifest-index';

const PROVIDERS = ['CoreProvider', 'BootstrapProvider', 'ControlPlaneProvider'].map((kind) => `operator.cluster.x-k8s.io/${kind}`);

/**
 * Whether a feature gate of Cluster API is known to be on: only where the operator's objects are validated together with what needs it.
 */
export function isGateOn(gate: string, index: ManifestIndex): boolean {
  return PROVIDERS.flatMap((kind) => index.all(kind)).some((provider) => fieldAt(provider, 'spec', 'manager', 'featureGates', gate) === true);
}
