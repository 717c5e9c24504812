import { IManagementCluster } from '../../contracts/capabilities/management-cluster';

/** A management cluster that clusters of a fleet may be placed in. */
export interface FleetManagementCluster {
  /** The management cluster. It has a name. */
  readonly cluster: IManagementCluster;

  /**
   * Labels by which profiles choose, such as a region or the kind of its machines.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * The most clusters of the fleet that it is meant for, from 1. How much they may ask for is its `totalLimit`.
   *
   * Rule: `TC-FLEET-MANAGEMENT-CLUSTER-FULL`.
   *
   * @default - no limit
   */
  readonly maxClusters?: number;
}

/** Options for reading the management cluster of a cluster. */
export interface FleetManagementClusterOptions {
  /**
   * Labels that the management cluster must have.
   *
   * @default - any management cluster will do
   */
  readonly labels?: { [key: string]: string };
}

/** The management cluster of a cluster; without a name the list does not name it. */
export interface ManagementPlacement {
  readonly key: string;

  /** The management clusters that it may be in. */
  readonly offered: readonly FleetManagementCluster[];
  readonly labels: Readonly<Record<string, string>>;
  readonly name?: string;
}

/** The management clusters that have all labels. */
export function fitting(offered: readonly FleetManagementCluster[], labels: Readonly<Record<string, string>>): readonly FleetManagementCluster[] {
  return offered.filter((one) => Object.entries(labels).every(([key, value]) => one.labels?.[key] === value));
}

/** The name of a management cluster; those without one are reported where the output has a folder for each. */
export function nameOf({ cluster }: FleetManagementCluster): string {
  return cluster.name ?? 'unnamed';
}
