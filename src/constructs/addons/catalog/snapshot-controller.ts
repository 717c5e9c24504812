import { Chart } from 'cdk8s';
import { CatalogueAddon, checkGiven, checkObjectName } from './catalogue-addon';
import { VolumeSnapshotClass, VolumeSnapshotClassDeletionPolicy } from '../../../../imports/snapshot.storage.k8s.io';
import { Problem } from '../../../manifests/values/problem';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps, checkReplicas } from '../bundled-addon';

/** Action for a snapshot in the storage when its VolumeSnapshot is deleted. */
export enum SnapshotDeletionPolicy {
  /** It is deleted, too. */
  DELETE = 'Delete',

  /** It stays. */
  RETAIN = 'Retain',
}

/** A kind of snapshots that volumes of one driver can have. */
export interface TenantSnapshotClass {
  /** Name of the VolumeSnapshotClass (`TC-ADDON-OBJECT-NAME`). */
  readonly name: string;

  /** Name of the CSI driver, e.g. `csi.kubevirt.io` (`TC-ADDON-REQUIRED`). */
  readonly driver: string;

  /**
   * Action for a snapshot when its VolumeSnapshot is deleted.
   *
   * @default SnapshotDeletionPolicy.DELETE
   */
  readonly deletionPolicy?: SnapshotDeletionPolicy;

  /**
   * Labels, e.g. `velero.io/csi-volumesnapshot-class: "true"` for the class that Velero is to use.
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations, e.g. `snapshot.storage.kubernetes.io/is-default-class: "true"`.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };
}

/** Options of the snapshot controller. */
export interface SnapshotControllerProps extends BundledAddonProps {
  /**
   * Replicas, of which one works (`TC-ADDON-COUNT`).
   *
   * @default 1
   */
  readonly replicas?: number;

  /**
   * Classes of snapshots. The driver must be able to make snapshots. They are manifests, delivered after the release: Helm cannot install
   * definitions and objects of their kinds in one.
   *
   * @default - none
   */
  readonly classes?: TenantSnapshotClass[];
}

/**
 * The controller and the definitions of volume snapshots.
 *
 * Uninstalling it removes the definitions, and with them every VolumeSnapshot of the tenant. Group snapshots, which the chart switches on,
 * are off. Source: piraeusdatastore/helm-charts charts/snapshot-controller 5.2.0.
 *
 * @example
 * acme.addAddon(new SnapshotController({ replicas: 2 }));
 */
export class SnapshotController extends CatalogueAddon {
  public constructor(props: SnapshotControllerProps = {}) {
    const { replicas, classes = [] } = props;
    super({
      chart: 'snapshot-controller',
      name: 'snapshot-controller',
      namespace: 'kube-system',
      provides: [AddonCapability.VOLUME_SNAPSHOTS],
      tolerations: { 'controller.tolerations': [] },
      check: () => [...checkReplicas('replicas', replicas), ...classes.flatMap(checkClass)],
      values: () => ({
        installCRDs: true,
        controller: { replicaCount: replicas, args: { featureGates: 'CSIVolumeGroupSnapshot=false' }, priorityClassName: 'system-cluster-critical' },
      }),
      define: (tenant) => classes.forEach((snapshotClass) => addClass(tenant, snapshotClass)),
    }, props);
  }
}

function addClass(tenant: Chart, { name, driver, deletionPolicy = SnapshotDeletionPolicy.DELETE, labels, annotations }: TenantSnapshotClass): void {
  const id = `VolumeSnapshotClass ${name}`.replaceAll('/', ' ');
  // Another check reports duplicate objects, including classes.
  new VolumeSnapshotClass(tenant, tenant.node.tryFindChild(id) ? `${id} ${tenant.node.children.length}` : id, {
    metadata: { name, labels, annotations },
    driver,
    // The two enumerations have the same values.
    deletionPolicy: deletionPolicy as unknown as VolumeSnapshotClassDeletionPolicy,
  });
}

function checkClass({ name, driver }: TenantSnapshotClass, index: number): Problem[] {
  return [
    ...checkObjectName(`classes[${index}].name`, name),
    ...checkGiven(`classes[${index}].driver`, driver, 'give the name of the CSI driver'),
  ];
}
