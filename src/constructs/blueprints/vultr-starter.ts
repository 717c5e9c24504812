import { Size } from 'cdk8s';
import { Construct } from 'constructs';
import { addParts, BlueprintOptions, BlueprintPool, checkRequired, checkUnused, given, poolProps } from './blueprint-options';
import { MetricsServer } from '../addons/catalog/metrics-server';
import { Calico } from '../addons/cni/calico';
import { IManagementCluster } from '../contracts/capabilities/management-cluster';
import { ControlPlane } from '../contracts/control-plane';
import { MachineCapacity } from '../contracts/machine-capacity';
import { PoolSize } from '../contracts/node-pool/pool-size';
import { KubeadmControlPlane } from '../control-planes/kubeadm/control-plane/kubeadm-control-plane';
import { FluxDelivery } from '../deliveries/flux/flux-delivery';
import { VultrStorage } from '../infrastructures/vultr/csi-driver/vultr-storage-class';
import { VultrInfrastructure } from '../infrastructures/vultr/vultr-infrastructure';
import { VultrMachine } from '../infrastructures/vultr/vultr-machine';
import { TenantCluster } from '../tenant/tenant-cluster';
import { TenantClusterIdentity, TenantClusterOptions } from '../tenant/tenant-cluster-props';

/** In place of a region or snapshot that was not given, which is reported. */
const NO_REGION = 'ewr';
const NO_SNAPSHOT = '00000000-0000-4000-8000-000000000000';

const CONTROL_PLANE = { plan: 'vc2-2c-4gb', capacity: { cpu: 2, memory: Size.gibibytes(4) } };
const WORKERS = { plan: 'vc2-4c-8gb', capacity: { cpu: 4, memory: Size.gibibytes(8) } };

/** A pool of instances at Vultr: each property that is set replaces that of the blueprint. */
export interface VultrBlueprintPool extends BlueprintPool {
  /**
   * Code of the plan of the machines, e.g. `vc2-4c-8gb`; give its `capacity`, too. Not with `machine` (`TC-BLUEPRINT-UNUSED`).
   *
   * @default - as the blueprint describes
   */
  readonly plan?: string;

  /**
   * Capacity of the plan. The autoscaler and the reservations of kubelets follow from it. Not with `machine` (`TC-BLUEPRINT-UNUSED`).
   *
   * @default - that of the blueprint's plan; not known for another plan
   */
  readonly capacity?: MachineCapacity;
}

/** Options of `VultrStarter`. */
export interface VultrStarterOptions extends BlueprintOptions {
  /** Code of the region, e.g. `nrt` (`TC-BLUEPRINT-REQUIRED`). */
  readonly region: string;

  /**
   * UUID of the snapshot that machines start from, with container runtime, kubelet and kubeadm of the cluster's Kubernetes version
   * (`TC-BLUEPRINT-REQUIRED`).
   */
  readonly snapshotId: string;

  /**
   * UUIDs of the SSH keys that may log in.
   *
   * @default - none
   */
  readonly sshKeyIds?: string[];

  /**
   * UUID of the firewall group, which filters what comes from the Internet.
   *
   * @default - none: everything that listens on a public address can be reached
   */
  readonly firewallGroupId?: string;

  /**
   * UUID of the VPC in which machines talk to each other. It needs version 0.4 of the Vultr provider. Not with `infrastructure`
   * (`TC-BLUEPRINT-UNUSED`).
   *
   * @default - none: they talk by their public addresses, which is for trials
   */
  readonly vpcId?: string;

  /**
   * The management cluster, as far as it is known what it offers.
   *
   * @default - nothing of this is checked
   */
  readonly managementCluster?: IManagementCluster;

  /**
   * Machines of the control plane: 1, 3 or 5. Not with `controlPlane` (`TC-BLUEPRINT-UNUSED`).
   *
   * @default 1
   */
  readonly controlPlaneMachines?: number;

  /**
   * Code of the plan of the control plane's machines. Not with `controlPlane` (`TC-BLUEPRINT-UNUSED`).
   *
   * @default vc2-2c-4gb
   */
  readonly controlPlanePlan?: string;

  /**
   * Control plane.
   *
   * @default - kubeadm, on `controlPlaneMachines`
   */
  readonly controlPlane?: ControlPlane;

  /**
   * Provider of the machines. Give it to `VultrMachine`s of your own, too.
   *
   * @default - `region` and `vpcId`, with the StorageClass `vultr-block-storage`
   */
  readonly infrastructure?: VultrInfrastructure;

  /**
   * The pool `workers`, which scales with the load.
   *
   * @default - plan `vc2-4c-8gb`: 4 CPUs and 8 GiB; 1 to 5 machines
   */
  readonly workers?: VultrBlueprintPool;
}

/** Properties of `VultrStarter`. */
export interface VultrStarterProps extends TenantClusterIdentity, VultrStarterOptions {}

/**
 * A first cluster at Vultr: a control plane of kubeadm on one machine, behind a load balancer, a pool that scales, Calico, Vultr's cloud
 * controller manager and CSI driver with block storage, and metrics-server.
 *
 * Programs in the tenant get Vultr's API key by the Secret `<cluster>-vultr-api-keys` (`VultrApiKey.carried()`), and the provider in the
 * management cluster by its own.
 *
 * It is a `TenantCluster`: pools, addons and workloads can be added, and every object can be patched.
 *
 * @example
 * new blueprints.VultrStarter(app, 'acme', {
 *   namespace: 'tenant-acme',
 *   kubernetesVersion: '1.35.4',
 *   region: 'nrt',
 *   snapshotId: '00000000-0000-4000-8000-000000000001',
 *   firewallGroupId: '00000000-0000-4000-8000-000000000004',
 * });
 */
export class VultrStarter extends TenantCluster {
  public constructor(scope: Construct, id: string, props: VultrStarterProps) {
    const { namespace, kubernetesVersion, name, ...options } = props;
    const infrastructure = options.infrastructure ?? new VultrInfrastructure({
      region: given(options.region) ?? NO_REGION,
      vpcId: options.vpcId,
      storageClasses: [{ name: 'vultr-block-storage', storage: VultrStorage.BLOCK_NVME, isDefault: true }],
    });
    super(scope, id, { ...clusterOptions(options, infrastructure), namespace, kubernetesVersion, name });
    check(this, options);
    const { plan = WORKERS.plan, capacity = plan === WORKERS.plan ? WORKERS.capacity : undefined, ...workers } = options.workers ?? {};
    addParts(this, options, {
      pools: { workers: poolProps(workers, { machine: machineOf(options, infrastructure, { plan, capacity }), size: PoolSize.between(1, 5) }) },
      addons: [new MetricsServer()],
    });
  }
}

function clusterOptions(options: VultrStarterOptions, infrastructure: VultrInfrastructure): TenantClusterOptions {
  const { snapshotId: _snapshot, sshKeyIds: _keys, firewallGroupId: _group, workers: _workers, addons: _addons, leaveOut: _left, ...rest } = options;
  const { region: _region, vpcId: _vpc, controlPlaneMachines, controlPlanePlan: plan = CONTROL_PLANE.plan, ...settings } = rest;
  const capacity = plan === CONTROL_PLANE.plan ? CONTROL_PLANE.capacity : undefined;
  return {
    ...settings,
    controlPlane: options.controlPlane ?? new KubeadmControlPlane({
      replicas: controlPlaneMachines ?? 1, machine: machineOf(options, infrastructure, { plan, capacity }),
    }),
    infrastructure,
    cni: options.cni ?? new Calico(),
    delivery: options.delivery ?? new FluxDelivery(),
  };
}

function machineOf(options: VultrStarterOptions, infrastructure: VultrInfrastructure, size: Pick<VultrBlueprintPool, 'capacity'> & { plan: string }): VultrMachine {
  const { snapshotId, sshKeyIds, firewallGroupId } = options;
  return new VultrMachine({ infrastructure, snapshotId: given(snapshotId) ?? NO_SNAPSHOT, sshKeyIds, firewallGroupId, ...size });
}

function check(cluster: TenantCluster, options: VultrStarterOptions): void {
  const { region, snapshotId, vpcId, controlPlaneMachines, controlPlanePlan, workers, leaveOut = [] } = options;
  checkRequired(cluster, {
    region: { value: region, fix: 'give the code of a region, such as "nrt"' },
    snapshotId: { value: snapshotId, fix: 'give the UUID of the snapshot that image-builder made' },
  });
  checkUnused(cluster, options.infrastructure && 'infrastructure', { vpcId });
  checkUnused(cluster, options.controlPlane && 'controlPlane', { controlPlaneMachines, controlPlanePlan });
  checkUnused(cluster, leaveOut.includes('workers') ? 'leaveOut' : undefined, { workers });
  checkUnused(cluster, workers?.machine && 'workers.machine', { 'workers.plan': workers?.plan, 'workers.capacity': workers?.capacity });
}
