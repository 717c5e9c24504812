import { Size } from 'cdk8s';
import { BlueprintOptions, BlueprintPool, checkRequired, checkUnused, given, poolProps } from './blueprint-options';
import { SnapshotController } from '../addons/catalog/snapshot-controller';
import { Cilium } from '../addons/cni/cilium';
import { Addon } from '../contracts/addon';
import { IManagementCluster } from '../contracts/capabilities/management-cluster';
import { ControlPlane } from '../contracts/control-plane';
import { Infrastructure } from '../contracts/infrastructure';
import { NodePoolProps } from '../contracts/node-pool/node-pool-props';
import { KamajiControlPlane } from '../control-planes/kamaji/kamaji-control-plane';
import { KamajiControlPlaneProps } from '../control-planes/kamaji/kamaji-control-plane-props';
import { FluxDelivery } from '../deliveries/flux/flux-delivery';
import { KubevirtCsiDriver } from '../infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtInfrastructure } from '../infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../infrastructures/kubevirt/kubevirt-machine';
import { KubevirtMachineProps } from '../infrastructures/kubevirt/kubevirt-machine-props';
import { RootDisk } from '../infrastructures/kubevirt/root-disk';
import { TenantIsolation } from '../tenant/isolation/tenant-isolation';
import { TenantCluster } from '../tenant/tenant-cluster';
import { TenantClusterOptions } from '../tenant/tenant-cluster-props';

/** A pool of virtual machines: each property that is set replaces that of the blueprint. */
export interface KubevirtBlueprintPool extends BlueprintPool {
  /**
   * Virtual CPUs of one machine. Not with `machine` (`TC-BLUEPRINT-UNUSED`).
   *
   * @default - as the blueprint describes
   */
  readonly cpu?: number;

  /**
   * Memory of one machine. Not with `machine` (`TC-BLUEPRINT-UNUSED`).
   *
   * @default - as the blueprint describes
   */
  readonly memory?: Size;
}

/** Options of blueprints with a control plane of Kamaji and machines on KubeVirt. */
export interface KubevirtBlueprintOptions extends BlueprintOptions {
  /** The management cluster. The isolation of the tenant needs its ranges, its network plug-in and the pods of its data stores. */
  readonly managementCluster: IManagementCluster;

  /**
   * Image with the disk of a node, in a registry, without `docker://`. It holds container runtime, kubelet and kubeadm of the cluster's
   * Kubernetes version; docs/guides/build-the-images.md shows how to build it (`TC-BLUEPRINT-REQUIRED`).
   */
  readonly nodeImage: string;

  /** StorageClass of the management cluster, for disks of machines and volumes of the tenant (`TC-BLUEPRINT-REQUIRED`). */
  readonly infraStorageClass: string;

  /**
   * Image of KubeVirt's CSI driver. KubeVirt publishes it as `latest` only: build it once, as docs/guides/build-the-images.md
   * shows, and name your image. Not used with `infrastructure` (`TC-BLUEPRINT-REQUIRED`).
   */
  readonly csiDriverImage: string;

  /**
   * VolumeSnapshotClass of the management cluster, for snapshots of the tenant's volumes. Not with `infrastructure`
   * (`TC-BLUEPRINT-UNUSED`).
   *
   * @default - none: volumes of the tenant have no snapshots, and the snapshot controller is not installed
   */
  readonly infraSnapshotClass?: string;

  /**
   * Name of the default StorageClass in the tenant, and of its VolumeSnapshotClass. Not with `infrastructure` (`TC-BLUEPRINT-UNUSED`).
   *
   * @default fast
   */
  readonly storageClass?: string;

  /**
   * Name of the `DataStore` of Kamaji that holds the objects of the tenant. Not with `controlPlane` (`TC-BLUEPRINT-UNUSED`).
   *
   * @default - the one that Kamaji is started with
   */
  readonly dataStore?: string;

  /**
   * Control plane.
   *
   * @default - Kamaji, as the blueprint describes
   */
  readonly controlPlane?: ControlPlane;

  /**
   * Provider of the machines.
   *
   * @default - KubeVirt in the management cluster, with its CSI driver and one default StorageClass
   */
  readonly infrastructure?: Infrastructure;

  /**
   * Isolation of the tenant in the management cluster.
   *
   * @default new TenantIsolation()
   */
  readonly isolation?: TenantIsolation;
}

/** Placeholder for a missing image, which is reported: the rest can still be checked. */
const NO_IMAGE = 'registry.invalid/not-given:0';

/** A blueprint's defaults of a pool and its machines. */
interface PoolDefaults extends Omit<NodePoolProps, 'machine'> {
  readonly cpu: number;
  readonly memory: Size;

  /** Size of the root disk; undefined if the machine starts from a container disk, which it loses with its pod. */
  readonly disk?: Size;

  /** Further properties of the machines. */
  readonly machine?: Partial<KubevirtMachineProps>;
}

/**
 * Options of the cluster: the user's, else Kamaji, KubeVirt with storage, Cilium, Flux and isolation.
 *
 * @param options the user's
 * @param controlPlane the blueprint's properties of Kamaji
 * @param snapshotLabels labels of the VolumeSnapshotClass in the tenant
 */
export function kubevirtCluster(
  options: KubevirtBlueprintOptions, controlPlane: KamajiControlPlaneProps, snapshotLabels?: { [key: string]: string },
): TenantClusterOptions {
  const { nodeImage: _image, addons: _addons, leaveOut: _left, dataStore, ...rest } = options;
  const { infraStorageClass, infraSnapshotClass, storageClass: name = 'fast', csiDriverImage, ...settings } = rest;
  const infraClass = given(infraStorageClass);
  return {
    ...settings,
    controlPlane: options.controlPlane ?? new KamajiControlPlane({ dataStore, ...controlPlane }),
    infrastructure: options.infrastructure ?? new KubevirtInfrastructure({
      storageClasses: [{
        name,
        infraClass,
        isDefault: true,
        // The driver ignores the class of snapshots without that of volumes.
        ...(infraClass && infraSnapshotClass !== undefined && {
          snapshotClasses: [{ name, infraClass: infraSnapshotClass, isDefault: true, labels: snapshotLabels }],
        }),
      }],
      csiDriver: KubevirtCsiDriver.of({ image: given(csiDriverImage) ?? NO_IMAGE }),
    }),
    cni: options.cni ?? new Cilium(),
    delivery: options.delivery ?? new FluxDelivery(),
    isolation: options.isolation ?? new TenantIsolation(),
  };
}

/** A pool of virtual machines: the user's properties, else those of the blueprint. */
export function kubevirtPool(options: KubevirtBlueprintOptions, pool: KubevirtBlueprintPool | undefined, defaults: PoolDefaults): NodePoolProps {
  const { cpu, memory, disk, machine, ...own } = defaults;
  const { cpu: givenCpu = cpu, memory: givenMemory = memory, ...rest } = pool ?? {};
  const image = given(options.nodeImage) ?? NO_IMAGE;
  const rootDisk = disk
    ? RootDisk.registry({ url: `docker://${image}`, size: disk, storageClass: given(options.infraStorageClass) })
    : RootDisk.containerDisk({ image });
  return poolProps(rest, { ...own, machine: new KubevirtMachine({ cpu: givenCpu, memory: givenMemory, rootDisk, ...machine }) });
}

/** The snapshot controller, where volumes may have snapshots. */
export function snapshotAddons({ infraSnapshotClass, infrastructure }: KubevirtBlueprintOptions, replicas?: number): Addon[] {
  return infraSnapshotClass === undefined && !infrastructure ? [] : [new SnapshotController({ replicas })];
}

/** Reports what is wrong with options that all blueprints on KubeVirt have. */
export function checkKubevirtOptions(
  cluster: TenantCluster, options: KubevirtBlueprintOptions, pools: Readonly<Record<string, KubevirtBlueprintPool | undefined>>,
): void {
  const { nodeImage, infraStorageClass, csiDriverImage, infraSnapshotClass, storageClass, dataStore, leaveOut = [] } = options;
  checkRequired(cluster, {
    nodeImage: { value: nodeImage, fix: 'name the image with the disk of a node, such as "quay.io/capk/ubuntu-2404-container-disk:v1.34.1", or build one (docs/guides/build-the-images.md)' },
    infraStorageClass: { value: infraStorageClass, fix: 'name a StorageClass of the management cluster; "kubectl get storageclass" lists them' },
    ...(!options.infrastructure && {
      csiDriverImage: { value: csiDriverImage, fix: 'build KubeVirt\'s CSI driver as docs/guides/build-the-images.md shows, and name the image with its tag or digest' },
    }),
  });
  checkUnused(cluster, options.controlPlane && 'controlPlane', { dataStore });
  checkUnused(cluster, options.infrastructure && 'infrastructure', { infraSnapshotClass, storageClass });
  for (const [name, pool] of Object.entries(pools)) {
    checkUnused(cluster, leaveOut.includes(name) ? 'leaveOut' : undefined, { [name]: pool });
    checkUnused(cluster, pool?.machine && `${name}.machine`, { [`${name}.cpu`]: pool?.cpu, [`${name}.memory`]: pool?.memory });
  }
}
