import { Size } from 'cdk8s';
import { BlueprintOptions, BlueprintPool } from './blueprint-options';
import { IManagementCluster } from '../contracts/capabilities/management-cluster';
import { ControlPlane } from '../contracts/control-plane';
import { Infrastructure } from '../contracts/infrastructure';
import { TenantIsolation } from '../tenant/isolation/tenant-isolation';

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
