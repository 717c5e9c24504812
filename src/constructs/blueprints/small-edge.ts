import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { addParts } from './blueprint-options';
import {
  checkKubevirtOptions, KubevirtBlueprintOptions, KubevirtBlueprintPool, kubevirtCluster, kubevirtPool, snapshotAddons,
} from './kubevirt-parts';
import { MetricsServer } from '../addons/catalog/metrics-server';
import { Flannel } from '../addons/cni/flannel';
import { MachineCount } from '../contracts/node-pool/machine-count';
import { PoolSize } from '../contracts/node-pool/pool-size';
import { RolloutStrategy } from '../contracts/node-pool/rollout-strategy';
import { KamajiUpdateStrategy } from '../control-planes/kamaji/deployment';
import { TenantCluster } from '../tenant/tenant-cluster';
import { TenantClusterIdentity, TenantClusterOptions } from '../tenant/tenant-cluster-props';

/** Options of `SmallEdge`. */
export interface SmallEdgeOptions extends KubevirtBlueprintOptions {
  /**
   * The pool `workers`. Machines are replaced one after the other, each only when the former is gone, so that no room for another is needed.
   *
   * @default - 2 CPUs and 4 GiB, 1 machine, started from the image without a disk of its own
   */
  readonly workers?: KubevirtBlueprintPool;
}

/** Properties of `SmallEdge`. */
export interface SmallEdgeProps extends TenantClusterIdentity, SmallEdgeOptions {}

/**
 * A tenant cluster for a place with little room, such as a shop or a single server: one small replica of the control plane, one machine,
 * Flannel, no autoscaler, and metrics-server as the only addon.
 *
 * While the control plane or the machine is replaced, it is away.
 *
 * It is a `TenantCluster`: pools, addons and workloads can be added, and every object can be patched.
 *
 * @example
 * new blueprints.SmallEdge(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.35.4',
 *   managementCluster: hall,
 *   nodeImage: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4',
 *   infraStorageClass: 'replicated',
 *   csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
 * });
 */
export class SmallEdge extends TenantCluster {
  /**
   * The options of the cluster without its pools and addons, e.g. for `props` of a fleet's profile.
   *
   * @param options the differences from the blueprint
   */
  public static options(options: SmallEdgeOptions): TenantClusterOptions {
    return clusterOptions(options);
  }

  /**
   * Adds the pools and addons to a cluster that has been made with `options`, e.g. for `populate` of a fleet's profile.
   *
   * @param cluster the cluster
   * @param options the same options
   */
  public static populate(cluster: TenantCluster, options: SmallEdgeOptions): void {
    populate(cluster, options);
  }

  public constructor(scope: Construct, id: string, props: SmallEdgeProps) {
    const { namespace, kubernetesVersion, name, ...options } = props;
    super(scope, id, { ...clusterOptions(options), namespace, kubernetesVersion, name });
    populate(this, options);
  }
}

function clusterOptions({ workers: _workers, ...options }: SmallEdgeOptions): TenantClusterOptions {
  return {
    ...kubevirtCluster(options, {
      replicas: 1,
      apiServer: { resources: { requests: { cpu: '100m', memory: '512Mi' }, limits: { memory: '1Gi' } } },
      controllerManager: { resources: { requests: { cpu: '25m', memory: '128Mi' }, limits: { memory: '256Mi' } } },
      scheduler: { resources: { requests: { cpu: '25m', memory: '64Mi' }, limits: { memory: '128Mi' } } },
      deployment: { strategy: KamajiUpdateStrategy.rollingUpdate({ maxSurge: 0, maxUnavailable: 1 }) },
    }),
    cni: options.cni ?? new Flannel(),
  };
}

function populate(cluster: TenantCluster, options: SmallEdgeOptions): void {
  const { workers } = options;
  checkKubevirtOptions(cluster, options, { workers });
  addParts(cluster, options, {
    pools: {
      workers: kubevirtPool(options, workers, {
        cpu: 2,
        memory: Size.gibibytes(4),
        size: PoolSize.fixed(1),
        rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(0), maxUnavailable: MachineCount.absolute(1) }),
      }),
    },
    addons: [new MetricsServer(), ...snapshotAddons(options)],
  });
}
