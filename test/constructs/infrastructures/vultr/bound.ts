import { App, Size } from 'cdk8s';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { VultrInfrastructure, VultrInfrastructureProps } from '../../../../src/constructs/infrastructures/vultr/vultr-infrastructure';
import { VultrMachine, VultrMachineProps } from '../../../../src/constructs/infrastructures/vultr/vultr-machine';
import { TenantCluster } from '../../../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../../../src/constructs/tenant/tenant-cluster-props';
import { exampleCluster } from '../../../support/clusters';
import { problemsIn, ReportedProblem } from '../../../support/problems';

/** Ids as Vultr gives them. */
export const SNAPSHOT = '4f5ac1b2-6d1e-4c0a-9d3b-0a1b2c3d4e5f';
export const VPC = '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d';
export const OTHER = 'cb676a46-66fd-4dfb-b839-443f2e6c0b60';

/** Cluster `acme` at Vultr with a pool `general`. */
export function vultrCluster(
  app: App, infrastructure: Partial<VultrInfrastructureProps> = {}, machine: Partial<VultrMachineProps> = {}, cluster: Partial<TenantClusterProps> = {}, pool = 'general',
): TenantCluster {
  const vultr = new VultrInfrastructure({ region: 'ewr', ...infrastructure });
  const tenant = exampleCluster(app, { infrastructure: vultr, delivery: new FluxDelivery(), ...cluster });
  tenant.addNodePool(pool, {
    machine: new VultrMachine({
      infrastructure: vultr, plan: 'vc2-2c-4gb', snapshotId: SNAPSHOT, capacity: { cpu: 2, memory: Size.gibibytes(4) }, ...machine,
    }),
    size: PoolSize.fixed(2),
  });
  return tenant;
}

/** Problems of such a cluster. */
export function vultrProblems(...args: Parameters<typeof vultrCluster> extends [App, ...infer Rest] ? Rest : never): ReportedProblem[] {
  return problemsIn((app) => vultrCluster(app, ...args));
}
