import { convertTimeouts } from '../../rules/cluster-api/stored-forms';
import { Draft, draftAt, FormOf, StoredForm } from '../../rules/stored-form';
import { isSet } from '../../values/fields';

/** Fields of v1beta1 that were deprecated there, and that its conversion passes over. */
const DEPRECATED: readonly string[] = ['infrastructureRef', 'nodeDrainTimeout'];

/**
 * The form of control planes of RKE2: their machines have a group of their own.
 *
 * Source: rancher/cluster-api-provider-rke2 controlplane/api/v1beta1/conversion.go (ConvertTo), v0.25.0.
 */
export const RKE2_FORMS: Readonly<Record<string, StoredForm>> = {
  'controlplane.cluster.x-k8s.io/RKE2ControlPlane': {
    version: 'v1beta2',
    conversions: { v1beta1: convertMachines },
    convertible: (spec) => !DEPRECATED.some((field) => isSet(spec, field)),
  },
};

function convertMachines(spec: Draft, form: FormOf): void {
  const machine = draftAt(spec, 'machineTemplate');
  if (!machine) return;
  convertTimeouts(machine, form, 'spec.deletion');
  form.refer(machine, 'infrastructureRef', 'spec.infrastructureRef');
}
