/** Algorithm by which a load balancer chooses the machine for a connection. */
export enum VultrBalancingAlgorithm {
  /** One after the other. */
  ROUND_ROBIN = 'round-robin',

  /** The one with the fewest connections. */
  LEAST_CONNECTIONS = 'least-connections',
}
