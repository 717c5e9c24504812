import { ManagementCapabilities } from './management-capabilities';
import { checked } from '../../arguments/checked';

/** A management cluster, defined in this app or elsewhere. */
export interface IManagementCluster {
  /** What it offers its tenants. */
  readonly capabilities: ManagementCapabilities;
}

/**
 * A management cluster that this app does not make. Give one instance to all tenant clusters in it: those that share an instance share its
 * `totalLimit`.
 */
@checked
export class ImportedManagementCluster implements IManagementCluster {
  /**
   * @param capabilities what it offers its tenants
   */
  public constructor(
    /** What it offers its tenants. */
    public readonly capabilities: ManagementCapabilities,
  ) {}
}
