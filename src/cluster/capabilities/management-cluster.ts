import { ManagementCapabilities } from './management-capabilities';

/** A management cluster, defined in this app or elsewhere. */
export interface IManagementCluster {
  /** What it offers its tenants. */
  readonly capabilities: ManagementCapabilities;
}

/**
 * A management cluster that this app does not make. Give one instance to all tenant clusters in it: those that share an instance share its
 * `totalLimit`.
 */
export class ImportedManagementCluster implements IManagementCluster {
  /**
   * @param capabilities what it offers its tenants
   */
  public constructor(
    /** What it offers its tenants. */
    public readonly capabilities: ManagementCapabilities,
  ) {}
}
