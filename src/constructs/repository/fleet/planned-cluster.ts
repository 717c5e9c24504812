import { IClusterProfile } from './cluster-profile';
import { FleetCluster } from './fleet-cluster';
import { ClusterContext } from '../../contracts/cluster-context';
import { TenantClusterProps } from '../../tenant/tenant-cluster-props';

/** The declaration of a cluster, before its objects are built. */
export interface PlannedCluster {
  readonly cluster: FleetCluster;
  readonly profile: IClusterProfile;

  /** True if no value of the list is replaced by a placeholder. */
  readonly sound: boolean;

  /** The properties from profile and list; undefined if the profile fails on placeholders. */
  readonly props?: TenantClusterProps;

  /** The networks and addresses that follow from the properties. */
  readonly context?: ClusterContext;
}

/** True if no value of the cluster is a placeholder, so that findings about it are real. */
export function isSound({ sound, cluster }: PlannedCluster): boolean {
  return sound && !cluster._reader.failed;
}
