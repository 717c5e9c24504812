import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { DEFAULT_SNAPSHOT_CLASS_ANNOTATION, DRIVER_NAME, KubevirtSnapshotClass, KubevirtStorageClass } from './kubevirt-storage-class';
import { VolumeSnapshotClass, VolumeSnapshotClassDeletionPolicy } from '../../../../../imports/snapshot.storage.k8s.io';
import { CLASSES_PROPERTY } from '../../../addons/csi/driver-checks';
import { classSources } from '../../../addons/csi/storage-classes';
import { FieldSources } from '../../../app/synth/field-sources';
import { Addon, AddonCapability, AddonConfig } from '../../../contracts/addon';

/**
 * The snapshot classes of the tenant. They are an addon of their own because their definition comes with another one: the driver must not
 * wait for that.
 *
 * So it starts before the definitions of a new tenant, and csi-provisioner looks for them only then: until its next restart, nothing
 * removes its finalizer from a VolumeSnapshot whose restored claim was deleted while it was provisioned. A pod that waited for the
 * definitions would give a tenant no volumes while its snapshot controller is not installed.
 *
 * Source: kubernetes-csi/external-provisioner cmd/csi-provisioner/csi-provisioner.go and pkg/controller/snapshot_finalizer_controller.go,
 * v6.3.0.
 */
export class CsiSnapshotClassesAddon extends Addon {
  /** Name of the addon. */
  public readonly name = 'kubevirt-csi-snapshot-classes';

  /** Definition and controller of snapshots. */
  public override readonly requires: string[] = [AddonCapability.VOLUME_SNAPSHOTS];

  /**
   * @param owner the construct that was given the classes
   * @param classes the storage classes
   */
  public constructor(private readonly owner: Construct, private readonly classes: readonly KubevirtStorageClass[]) {
    super();
  }

  /** Makes the classes. */
  public bind(tenant: Chart): AddonConfig {
    const placed = this.classes.flatMap(({ snapshotClasses = [] }, at) => snapshotClasses.map((given, index) => (
      { given, property: `${CLASSES_PROPERTY}[${at}].snapshotClasses[${index}]` })));
    placed.forEach(({ given, property }, index) => {
      FieldSources.record(addSnapshotClass(tenant, `VolumeSnapshotClass${index}`, given), this.owner, classSources(property));
    });
    return {};
  }
}

function addSnapshotClass(tenant: Construct, id: string, snapshotClass: KubevirtSnapshotClass): ApiObject {
  const { name, infraClass, isDefault, deletionPolicy, labels, annotations = {} } = snapshotClass;
  const all = { ...annotations, ...(isDefault && { [DEFAULT_SNAPSHOT_CLASS_ANNOTATION]: 'true' }) };
  return new VolumeSnapshotClass(tenant, id, {
    metadata: { name, labels, ...(Object.keys(all).length > 0 && { annotations: all }) },
    driver: DRIVER_NAME,
    // The two enumerations have the same values.
    deletionPolicy: (deletionPolicy ?? VolumeSnapshotClassDeletionPolicy.DELETE) as VolumeSnapshotClassDeletionPolicy,
    ...(infraClass !== undefined && { parameters: { infraSnapshotClassName: infraClass } }),
  });
}
