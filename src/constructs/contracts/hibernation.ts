/** Degree of hibernation of a cluster. */
export enum Hibernation {
  /**
   * The pools have no machines, the autoscaler is stopped, health checks are paused and deliveries are suspended. The API server answers, and
   * cloud controller manager and CSI driver run, so that nodes are drained and volumes detached before machines are deleted.
   */
  POOLS = 'pools',

  /**
   * The control plane and the controllers beside it are stopped as well. The second step: without an API server no node can be drained, so
   * the machines must be gone before.
   */
  FULL = 'full',
}
