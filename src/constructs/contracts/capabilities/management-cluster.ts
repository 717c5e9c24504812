import { ManagementCapabilities } from './management-capabilities';

/** A management cluster, defined in this app or elsewhere. */
export interface IManagementCluster {
  /**
   * Name of the cluster: that of its folder if the app writes one for each management cluster (`folderPerManagementCluster`).
   *
   * @default - it has none
   */
  readonly name?: string;

  /** Capabilities for its tenants. */
  readonly capabilities: ManagementCapabilities;
}

/** Facts about a management cluster that the app does not make. */
export interface ImportedManagementClusterProps extends ManagementCapabilities {
  /**
   * Name of the cluster, a DNS label: that of its folder if the app writes one for each management cluster (`folderPerManagementCluster`).
   *
   * @default - it has none
   */
  readonly name?: string;
}

/**
 * A management cluster that this app does not make. Give one instance to all tenant clusters in it: those that share an instance share its
 * `totalLimit`.
 *
 * @example
 * const hall = new ImportedManagementCluster({
 *   podCidrs: ['10.244.0.0/16'],
 *   serviceCidrs: ['10.96.0.0/16'],
 *   nodeCidrs: ['192.168.100.0/24'],
 *   networkPlugin: ManagementNetworkPlugin.CALICO,
 * });
 */
export class ImportedManagementCluster implements IManagementCluster {
  /** Name of the cluster. */
  public readonly name?: string;

  /** Capabilities for its tenants. */
  public readonly capabilities: ManagementCapabilities;

  public constructor(capabilities: ImportedManagementClusterProps) {
    const { name, ...offered } = capabilities;
    this.name = name;
    this.capabilities = offered;
  }
}
