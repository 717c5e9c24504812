import { mayRun } from './machine-size';
import { nameOf, namespaceOf } from '../../objects/manifest-object';
import { ChangeConsequences } from '../../rules/changes/consequences';
import { ChangeEffect, Effect, effectsOfFields, ObjectUpdate } from '../../rules/changes/effects';
import { ManifestChange } from '../../rules/changes/transition-rule';
import { listAt } from '../../values/fields';

const FIELDS = effectsOfFields({
  'metadata': Effect.IN_PLACE,
  'spec.dataVolumeTemplates': Effect.LATER,
  'spec.instancetype': Effect.LATER,
  'spec.preference': Effect.LATER,
  'spec.runStrategy': { effect: Effect.IN_PLACE, word: 'runStrategy' },
  'spec.running': { effect: Effect.IN_PLACE, word: 'running' },
  'spec.template': Effect.LATER,
});

/** Reason of an unknown effect: KubeVirt updates live as its own configuration says. */
const NEXT_START = 'when the virtual machine starts again, or is updated live; volumes that are there stay as they are';

/**
 * Effects of a changed `VirtualMachine` that no pool makes: it runs on as it is, with the condition RestartRequired.
 *
 * Source: kubevirt/kubevirt pkg/virt-controller/watch/vm/vm.go (syncRunStrategy, syncRestartRequired, handleMemoryHotplugRequest, handleDataVolumes), v1.8.0.
 */
export function virtualMachineEffects(update: ObjectUpdate): ChangeEffect[] {
  return FIELDS(update).map((one) => (one.effect === Effect.LATER ? { ...one, reasons: one.reasons.map((text) => `${text} (${NEXT_START})`) } : one));
}

/** Consequences of a `VirtualMachine` that goes or is shut down. It owns what its `dataVolumeTemplates` made, and no other volume (handleDataVolumes). */
export function virtualMachineConsequences({ before, after }: ManifestChange): ChangeConsequences {
  if (before && !after) {
    const name = `VirtualMachine ${namespaceOf(before) ?? ''}/${nameOf(before) ?? ''}`;
    return { lost: [listAt(before, 'spec', 'dataVolumeTemplates').length > 0 ? { what: `${name} with its data` } : { what: name, detail: 'volumes of other objects stay' }] };
  }
  if (!before || !after || !mayRun(before) || mayRun(after)) return {};
  return { down: [{ what: `VirtualMachine ${nameOf(after)}`, detail: 'it is shut down, until it may run again' }] };
}
