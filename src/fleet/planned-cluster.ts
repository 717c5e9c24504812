import { IClusterProfile } from './cluster-profile';
import { FleetCluster } from './fleet-cluster';
import { ClusterContext } from '../cluster-context';
import { TenantClusterProps } from '../tenant-cluster/tenant-cluster';

/** A cluster of a fleet before anything of it is built: what is declared of it. */
export interface PlannedCluster {
  readonly cluster: FleetCluster;
  readonly profile: IClusterProfile;

  /** Whether nothing that the list says of it had to be replaced by a placeholder. */
  readonly sound: boolean;

  /** What the profile and the list say; undefined where the profile could do nothing with placeholders. */
  readonly props?: TenantClusterProps;

  /** What follows from that for networks and addresses. */
  readonly context?: ClusterContext;
}

/** Whether all that is known of a cluster is what somebody has said, so that a finding is not about a placeholder. */
export function isSound({ sound, cluster }: PlannedCluster): boolean {
  return sound && !cluster._reader.failed;
}
