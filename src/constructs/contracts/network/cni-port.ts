/** A port at which the nodes of a cluster reach each other. */
export interface CniPort {
  /** `TCP` or `UDP`. */
  readonly protocol: string;

  /** Number of the port. */
  readonly port: number;

  /** Purpose of the port, for the list of what firewalls let pass, e.g. `tunnels of Calico`. */
  readonly purpose: string;
}
