import { ManifestObject } from '../objects/manifest-object';
import { Machines } from '../rules/pod-loads';

/** A pool or control plane, and the template of its machines; or a machine that is of none, as its own template. */
export interface MachineOwner {
  readonly cluster?: string;
  readonly name: string;
  readonly namespace: string;
  readonly machines: Machines;
  readonly minimum: number;
  readonly kind: string;
  readonly template?: ManifestObject;

  /** The pool or control plane, or the machine that is of none. */
  readonly object: ManifestObject;
}
