import { Duration } from 'cdk8s';
import { checkRequired, given } from './blueprint-options';
import { KubevirtBlueprintOptions } from './kubevirt-parts';
import { Velero } from '../addons/catalog/velero';
import { TenantCluster } from '../tenant/tenant-cluster';

/** Labels of the VolumeSnapshotClass that Velero uses. */
export const VELERO_SNAPSHOTS = { 'velero.io/csi-volumesnapshot-class': 'true' };

/** Backups of a tenant by Velero: all objects, and the content of all volumes. */
export interface BlueprintBackup {
  /** Bucket that backups are kept in, in a folder for each cluster (`TC-BLUEPRINT-REQUIRED`). */
  readonly bucket: string;

  /**
   * Provider of the storage, by Velero's name; `aws` for all S3-compatible storage. For another one add Velero yourself, with its plug-in:
   * `addons: [new Velero({ … })]`.
   *
   * @default aws
   */
  readonly provider?: string;

  /**
   * Configuration of the provider, e.g. `region`, `s3Url` and `s3ForcePathStyle` for S3 elsewhere than at AWS.
   *
   * @default - none
   */
  readonly config?: { [key: string]: string };

  /**
   * Name of a Secret in the namespace `velero` of the tenant, with the credentials under the key `cloud`. An ExternalSecret can make it.
   *
   * @default - none: pods get their rights otherwise
   */
  readonly credentialsSecret?: string;

  /**
   * Cron schedule, in UTC.
   *
   * @default 0 3 * * *
   */
  readonly schedule?: string;

  /**
   * Time that a backup is kept.
   *
   * @default Duration.days(30)
   */
  readonly retention?: Duration;
}

/** Reports what is wrong with the backup. */
export function checkBackup(cluster: TenantCluster, { bucket }: BlueprintBackup): void {
  checkRequired(cluster, { 'backup.bucket': { value: bucket, fix: 'name a bucket that exists, for the backups of this tenant' } });
}

/** Velero, which copies volumes into the bucket: from a snapshot where there is a class of snapshots, else as they are. */
export function veleroOf(backup: BlueprintBackup, { infraSnapshotClass }: KubevirtBlueprintOptions): Velero {
  const { bucket, provider = 'aws', config, credentialsSecret, schedule = '0 3 * * *', retention = Duration.days(30) } = backup;
  const volumeSnapshots = infraSnapshotClass !== undefined;
  return new Velero({
    bucket: given(bucket) ?? 'not-given',
    provider,
    config,
    credentialsSecret,
    schedule,
    retention,
    volumeSnapshots,
    nodeAgent: true,
    // A snapshot alone would stay in the storage that it is a copy of.
    values: volumeSnapshots
      ? { schedules: { all: { template: { snapshotMoveData: true } } } }
      : { configuration: { defaultVolumesToFsBackup: true } },
  });
}
