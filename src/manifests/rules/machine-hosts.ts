import { ManifestObject } from '../objects/manifest-object';

/** A machine that a host was given to. */
export interface HostMachine {
  /** Its kind, as `group/Kind`. */
  readonly kind: string;
  readonly name: string;

  /** @default - that of the host */
  readonly namespace?: string;

  /**
   * The name of its cluster, as the host states it.
   *
   * @default - the host does not state it
   */
  readonly cluster?: string;
}

/** Facts of the hosts that machines of a template are made on. */
export interface MachineHostFacts {
  /** The kind of the hosts, as `group/Kind`. */
  readonly kind: string;

  /** The label of a host that names its failure domain. */
  readonly zoneLabel: string;

  /** Returns the machine that has a host; undefined if none has it. */
  readonly machineOn: (host: ManifestObject) => HostMachine | undefined;

  /** Returns the reason that a host takes no machine now or later, in words that follow its name; undefined if it takes one. */
  readonly unusable: (host: ManifestObject) => string | undefined;

  /** True if machines of a pool or control plane are made on a host once it is free. */
  readonly selects: (template: ManifestObject, host: ManifestObject, owner: ManifestObject) => boolean;
}
