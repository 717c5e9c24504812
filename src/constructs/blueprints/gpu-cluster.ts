import { Duration, Size } from 'cdk8s';
import { Construct } from 'constructs';
import { addParts, checkRequired, given } from './blueprint-options';
import {
  checkKubevirtOptions, KubevirtBlueprintOptions, KubevirtBlueprintPool, kubevirtCluster, kubevirtPool, snapshotAddons,
} from './kubevirt-parts';
import { TaintEffect } from '../../manifests/values/taints';
import { CertManager } from '../addons/catalog/cert-manager';
import { GpuOperator } from '../addons/catalog/gpu-operator';
import { MetricsServer } from '../addons/catalog/metrics-server';
import { HealthCheck } from '../contracts/node-pool/health-check';
import { MachineCount } from '../contracts/node-pool/machine-count';
import { PoolSize } from '../contracts/node-pool/pool-size';
import { RolloutStrategy } from '../contracts/node-pool/rollout-strategy';
import { Firmware } from '../infrastructures/kubevirt/devices';
import { TenantCluster } from '../tenant/tenant-cluster';
import { TenantClusterIdentity, TenantClusterOptions } from '../tenant/tenant-cluster-props';

/** Options of `GpuCluster`. */
export interface GpuClusterOptions extends KubevirtBlueprintOptions {
  /**
   * Resource that hosts of the management cluster offer for the GPU, as in `permittedHostDevices` of the KubeVirt object, e.g.
   * `nvidia.com/AD102GL_L40S`. Not used with `gpu.machine` (`TC-BLUEPRINT-REQUIRED`).
   */
  readonly gpuDevice: string;

  /**
   * GPUs of one machine. Not used with `gpu.machine`.
   *
   * @default 1
   */
  readonly gpusPerMachine?: number;

  /**
   * The pool `gpu`. Its machines exist only while pods ask for GPUs, and their taint keeps other pods away. A rollout replaces each when the
   * former is gone, since it needs its GPU.
   *
   * @default - 8 CPUs, 64 GiB, a disk of 100 GiB of `infraStorageClass` and the GPUs; 0 to 4 machines, with 40 minutes to become a node
   */
  readonly gpu?: KubevirtBlueprintPool;

  /**
   * The pool `general`, for everything that needs no GPU; the GPU operator itself, too.
   *
   * @default - 4 CPUs and 16 GiB, 1 to 5 machines, started from the image without a disk of their own
   */
  readonly general?: KubevirtBlueprintPool;
}

/** Properties of `GpuCluster`. */
export interface GpuClusterProps extends TenantClusterIdentity, GpuClusterOptions {}

/**
 * A tenant cluster for work on NVIDIA GPUs: a pool of machines with passed-through GPUs that scales from zero and is tainted, NVIDIA's GPU
 * operator with driver, container toolkit and device plug-in, and a general pool for everything else.
 *
 * Pods ask for `nvidia.com/gpu` and tolerate the taint `nvidia.com/gpu:NoSchedule`, which the admission plug-in ExtendedResourceToleration
 * adds where it is switched on.
 *
 * It is a `TenantCluster`: pools, addons and workloads can be added, and every object can be patched.
 *
 * @example
 * new blueprints.GpuCluster(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.35.4',
 *   managementCluster: hall,
 *   gpuDevice: 'nvidia.com/AD102GL_L40S',
 *   nodeImage: 'registry.example.com/nodes/ubuntu-24.04:v1.35.4',
 *   infraStorageClass: 'replicated',
 *   csiDriverImage: 'registry.example.com/platform/kubevirt-csi-driver:27b52aa2',
 * });
 */
export class GpuCluster extends TenantCluster {
  /**
   * The options of the cluster without its pools and addons, e.g. for `props` of a fleet's profile.
   *
   * @param options the differences from the blueprint
   */
  public static options(options: GpuClusterOptions): TenantClusterOptions {
    return clusterOptions(options);
  }

  /**
   * Adds the pools and addons to a cluster that has been made with `options`, e.g. for `populate` of a fleet's profile.
   *
   * @param cluster the cluster
   * @param options the same options
   */
  public static populate(cluster: TenantCluster, options: GpuClusterOptions): void {
    populate(cluster, options);
  }

  public constructor(scope: Construct, id: string, props: GpuClusterProps) {
    const { namespace, kubernetesVersion, name, ...options } = props;
    super(scope, id, { ...clusterOptions(options), namespace, kubernetesVersion, name });
    populate(this, options);
  }
}

function clusterOptions(props: GpuClusterOptions): TenantClusterOptions {
  const { gpuDevice: _device, gpusPerMachine: _count, gpu: _gpu, general: _general, ...options } = props;
  return kubevirtCluster(options, { replicas: 2 });
}

function populate(cluster: TenantCluster, options: GpuClusterOptions): void {
  const { gpu, general, gpuDevice, gpusPerMachine: count } = options;
  checkKubevirtOptions(cluster, options, { gpu, general });
  if (!gpu?.machine) checkRequired(cluster, { gpuDevice: { value: gpuDevice, fix: 'name the resource in permittedHostDevices of the KubeVirt object' } });
  addParts(cluster, options, {
    pools: {
      general: kubevirtPool(options, general, { cpu: 4, memory: Size.gibibytes(16), size: PoolSize.between(1, 5) }),
      gpu: kubevirtPool(options, gpu, {
        cpu: 8,
        memory: Size.gibibytes(64),
        disk: Size.gibibytes(100),
        size: PoolSize.between(0, 4),
        machine: { gpus: [{ deviceName: given(gpuDevice) ?? 'nvidia.com/not-given', count }], firmware: Firmware.UEFI },
        taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: TaintEffect.NO_SCHEDULE }],
        // A GPU is free only when the machine that has it is gone.
        rollout: RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.absolute(0), maxUnavailable: MachineCount.absolute(1) }),
        // It may take a host with a free GPU to come, and passes all of its memory through.
        healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.minutes(40) }),
      }),
    },
    addons: [new MetricsServer(), new CertManager(), new GpuOperator(), ...snapshotAddons(options)],
  });
}
