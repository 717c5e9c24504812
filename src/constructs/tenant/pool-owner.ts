import { IConstruct } from 'constructs';
import { Bootstrap } from '../contracts/bootstrap';
import { ClusterContext } from '../contracts/cluster-context';

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
