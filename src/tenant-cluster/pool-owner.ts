import { IConstruct } from 'constructs';
import { Bootstrap } from '../cluster/bootstrap';
import { ClusterContext } from '../cluster/cluster-context';

/** A cluster that node pools are added to: `TenantCluster`. */
export interface IPoolOwner extends IConstruct {
  /** @internal */
  readonly _context: ClusterContext;

  /** @internal */
  readonly _bootstrap: Bootstrap;

  /**
   * Adds a pool to the cluster, once its objects are made.
   *
   * @internal
   */
  _register(pool: IConstruct): void;
}
