import { nameOf } from '../../objects/manifest-object';
import { ChangeConsequences } from '../../rules/changes/consequences';
import { ManifestChange } from '../../rules/changes/transition-rule';
import { fieldAt, isFilled, isSet, stringAt } from '../../values/fields';

/** Annotation of a host that is managed elsewhere: it is not deprovisioned (apis/metal3.io/v1alpha1/baremetalhost_types.go). */
const DETACHED = 'baremetalhost.metal3.io/detached';

/** Annotation that reboots a host; one with a suffix keeps it off until the annotation is removed (apis/metal3.io/v1alpha1/baremetalhost_types.go). */
const REBOOT = 'reboot.metal3.io';

/**
 * Consequences of a BareMetalHost that changes or goes: for the machine that it is, if one was made on it.
 *
 * Source: metal3-io/baremetal-operator internal/controller/metal3.io/host_state_machine.go (checkInitiateDelete, provisioningCancelled),
 * baremetalhost_controller.go (manageHostPower).
 */
export function hostConsequences({ before, after }: ManifestChange): ChangeConsequences {
  if (!before || isSet(before, 'metadata', 'annotations', DETACHED)) return {};
  const name = `host ${nameOf(before)}`;
  if (!after && fieldAt(before, 'spec', 'externallyProvisioned') === true) {
    return { down: [{ what: `${name} and a node on it`, detail: 'it is powered off, and nothing manages it any more; what is on its disks stays' }] };
  }
  if (!after) {
    return { lost: [{ what: `what runs on ${name}`, detail: 'it is deprovisioned, and a machine that was made on it goes with it' }] };
  }
  if (isFilled(before, 'spec', 'image') && stringAt(before, 'spec', 'image', 'url') !== stringAt(after, 'spec', 'image', 'url')) {
    return { lost: [{ what: `what runs on ${name}`, detail: 'it is deprovisioned for the other image' }] };
  }
  const [was, is] = [before, after].map((object) => fieldAt(object, 'spec', 'online') === true);
  const isRebooted = [before, after].map((object) => isSet(object, 'metadata', 'annotations', REBOOT));
  if (is && !isRebooted[0] && isRebooted[1]) return { down: [{ what: `${name} and a node on it`, detail: 'it is powered off and on again' }] };
  return was && !is ? { down: [{ what: `${name} and a node on it`, detail: 'until it is powered on again' }] } : {};
}
