import { App, Size, Testing } from 'cdk8s';
import { problemsOf, ReportedProblem } from './problems';
import { ExampleBootstrap, ExampleControlPlane, ExampleInfrastructure, ExampleMachine } from './strategies';
import { Cni } from '../../src/constructs/addons/cni/cni';
import { NodePoolProps } from '../../src/constructs/contracts/node-pool/node-pool-props';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { NodePool } from '../../src/constructs/tenant/node-pool';
import { TenantCluster } from '../../src/constructs/tenant/tenant-cluster';
import { TenantClusterProps } from '../../src/constructs/tenant/tenant-cluster-props';

/** A manifest as it is written. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Manifest = any;

/** Cluster `acme` of example strategies. */
export function exampleCluster(app: App, props: Partial<TenantClusterProps> = {}, id = 'acme'): TenantCluster {
  return new TenantCluster(app, id, {
    namespace: 'tenant-acme',
    kubernetesVersion: '1.35.4',
    controlPlane: new ExampleControlPlane(),
    infrastructure: new ExampleInfrastructure(),
    bootstrap: new ExampleBootstrap(),
    cni: Cni.none(),
    ...props,
  });
}

/** Properties of a pool with machines of 4 CPUs and 16 GiB. */
export function poolProps(props: Partial<NodePoolProps> = {}): NodePoolProps {
  return { machine: new ExampleMachine({ cpu: 4, memory: Size.gibibytes(16) }), size: PoolSize.fixed(3), ...props };
}

/** Pool `general` of cluster `acme`. */
export function examplePool(props: Partial<NodePoolProps> = {}): NodePool {
  return exampleCluster(Testing.app()).addNodePool('general', poolProps(props));
}

/** Problems of such a pool. */
export function problemsOfPool(props: Partial<NodePoolProps>): ReportedProblem[] {
  const app = Testing.app();
  exampleCluster(app).addNodePool('general', poolProps(props));
  return problemsOf(app);
}

/** Problems of such a cluster. */
export function problemsOfCluster(props: Partial<TenantClusterProps>, id = 'acme'): ReportedProblem[] {
  const app = Testing.app();
  exampleCluster(app, props, id);
  return problemsOf(app);
}

/** The manifests of a chart by kind, for kinds that occur once. */
export function byKind(cluster: TenantCluster): { [kind: string]: Manifest } {
  return Object.fromEntries(cluster.toJson().map((manifest: Manifest) => [manifest.kind, manifest]));
}
