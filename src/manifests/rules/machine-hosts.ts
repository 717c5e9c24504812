import { ManifestObject } from '../objects/manifest-object';

/** Facts of the hosts that machines of a template are made on. */
export interface MachineHostFacts {
  /** The kind of the hosts, as `group/Kind`. */
  readonly kind: string;

  /** The label of a host that names its failure domain. */
  readonly zoneLabel: string;

  /** Returns the name of the machine that has a host; undefined if none has it. */
  readonly machineOn: (host: ManifestObject) => string | undefined;

  /** Returns the reason that a host takes no machine now or later, in words that follow its name; undefined if it takes one. */
  readonly unusable: (host: ManifestObject) => string | undefined;

  /** True if machines of a pool or control plane are made on a host once it is free. */
  readonly selects: (template: ManifestObject, host: ManifestObject, owner: ManifestObject) => boolean;
}
