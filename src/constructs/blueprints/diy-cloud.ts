import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { addParts } from './blueprint-options';
import {
  checkKubevirtOptions, KubevirtBlueprintOptions, KubevirtBlueprintPool, kubevirtCluster, kubevirtPool, snapshotAddons,
} from './kubevirt-parts';
import { CertManager } from '../addons/catalog/cert-manager';
import { MetricsServer } from '../addons/catalog/metrics-server';
import { PoolSize } from '../contracts/node-pool/pool-size';
import { TenantCluster } from '../tenant/tenant-cluster';
import { TenantClusterIdentity, TenantClusterOptions } from '../tenant/tenant-cluster-props';

/** Options of `DiyCloud`. */
export interface DiyCloudOptions extends KubevirtBlueprintOptions {
  /**
   * The pool `general`, which scales with the load.
   *
   * @default - 4 CPUs and 16 GiB, 1 to 10 machines, started from the image without a disk of their own
   */
  readonly general?: KubevirtBlueprintPool;

  /**
   * The pool `ingress`, for workloads that cannot wait for a new node. Its nodes have the role `ingress`.
   *
   * @default - 2 CPUs and 4 GiB, 2 machines, each with a disk of 20 GiB of `infraStorageClass`
   */
  readonly ingress?: KubevirtBlueprintPool;
}

/** Properties of `DiyCloud`. */
export interface DiyCloudProps extends TenantClusterIdentity, DiyCloudOptions {}

/**
 * A tenant cluster of a private cloud: two replicas of the control plane (Kamaji), virtual machines (KubeVirt) with Cilium, volumes and
 * snapshots, network isolation, a pool that scales and one of fixed size, metrics-server, cert-manager and the snapshot controller.
 *
 * It is a `TenantCluster`: pools, addons and workloads can be added, and every object can be patched.
 *
 * @example
 * new blueprints.DiyCloud(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.34.1',
 *   managementCluster: hall,
 *   nodeImage: 'quay.io/capk/ubuntu-2404-container-disk:v1.34.1',
 *   infraStorageClass: 'replicated',
 *   csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
 * });
 */
export class DiyCloud extends TenantCluster {
  /**
   * The options of the cluster without its pools and addons, e.g. for `props` of a fleet's profile.
   *
   * @param options the differences from the blueprint
   */
  public static options(options: DiyCloudOptions): TenantClusterOptions {
    return clusterOptions(options);
  }

  /**
   * Adds the pools and addons to a cluster that has been made with `options`, e.g. for `populate` of a fleet's profile.
   *
   * @param cluster the cluster
   * @param options the same options
   */
  public static populate(cluster: TenantCluster, options: DiyCloudOptions): void {
    populate(cluster, options);
  }

  public constructor(scope: Construct, id: string, props: DiyCloudProps) {
    const { namespace, kubernetesVersion, name, ...options } = props;
    super(scope, id, { ...clusterOptions(options), namespace, kubernetesVersion, name });
    populate(this, options);
  }
}

function clusterOptions({ general: _general, ingress: _ingress, ...options }: DiyCloudOptions): TenantClusterOptions {
  return kubevirtCluster(options, { replicas: 2 });
}

function populate(cluster: TenantCluster, options: DiyCloudOptions): void {
  const { general, ingress } = options;
  checkKubevirtOptions(cluster, options, { general, ingress });
  addParts(cluster, options, {
    pools: {
      general: kubevirtPool(options, general, { cpu: 4, memory: Size.gibibytes(16), size: PoolSize.between(1, 10) }),
      ingress: kubevirtPool(options, ingress, {
        cpu: 2,
        memory: Size.gibibytes(4),
        // Its machines come back with their disk after a crash.
        disk: Size.gibibytes(20),
        size: PoolSize.fixed(2),
        labels: { 'node-role.kubernetes.io/ingress': '' },
      }),
    },
    addons: [new MetricsServer(), new CertManager(), ...snapshotAddons(options)],
  });
}
