import { Size } from 'cdk8s';

/** An extended resource of a machine, such as a GPU, under the name that its node will offer. */
export interface ExtendedResource {
  /** Resource name on the tenant's node, e.g. `nvidia.com/gpu`. */
  readonly resourceName: string;

  /** Number of them in one machine. */
  readonly count: number;
}

/** What one machine offers before the kubelet keeps its share. */
export interface MachineCapacity {
  /** Number of CPUs that the guest sees. */
  readonly cpu: number;

  /** Memory that the guest sees. */
  readonly memory: Size;

  /**
   * Size of the disk that holds pods' ephemeral storage.
   *
   * @default - not known
   */
  readonly ephemeralStorage?: Size;

  /**
   * GPUs.
   *
   * @default - none
   */
  readonly gpus?: ExtendedResource[];
}
