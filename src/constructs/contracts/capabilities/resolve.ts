import { InfraClusterCapabilities, rangesOf } from './infra-cluster-capabilities';
import { ManagementCapabilities } from './management-capabilities';
import { IManagementCluster } from './management-cluster';
import { Cidr } from '../../../manifests/values/cidr';
import { InfrastructureCapabilities } from '../infrastructure-capabilities';

/** What surrounds a tenant cluster, for its context. */
export interface Surroundings {
  readonly infrastructure: InfrastructureCapabilities;
  readonly management?: ManagementCapabilities;
  readonly infraCluster?: InfraClusterCapabilities;
}

/** Finds out which cluster runs the machines, what it offers, and which ranges the tenant must not use. */
export function resolveSurroundings(infrastructure: InfrastructureCapabilities, cluster: IManagementCluster | undefined): Surroundings {
  const management = cluster?.capabilities;
  const infraCluster = infrastructure.inManagementCluster ? management : infrastructure.infraCluster;
  const ranges = infraCluster ? rangesOf(infraCluster).filter((text) => Cidr.parse(text) !== undefined) : [];
  if (ranges.length === 0) return { infrastructure, management, infraCluster };
  const reservedCidrs = [...new Set([...(infrastructure.reservedCidrs ?? []), ...ranges])];
  return { infrastructure: { ...infrastructure, reservedCidrs }, management, infraCluster };
}
