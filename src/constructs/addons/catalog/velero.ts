import { Duration } from 'cdk8s';
import { CatalogueAddon, checkGiven, checkObjectName } from './catalogue-addon';
import { goDuration } from '../../../manifests/values/go-duration';
import { AddonCapability } from '../../contracts/addon';
import { BundledAddonProps } from '../bundled-addon';

/**
 * Images of the plug-ins for providers, for the Velero of the chart.
 *
 * Source: vmware-tanzu/velero-plugin-for-aws README.md (compatibility: 1.14 with Velero 1.18).
 */
const PLUGINS: Readonly<Record<string, readonly string[]>> = { aws: ['velero/velero-plugin-for-aws:v1.14.2'] };

/** Options of Velero. */
export interface VeleroProps extends BundledAddonProps {
  /** Provider of the backup storage, by Velero's name; `aws` for all S3-compatible storage (`TC-ADDON-REQUIRED`). */
  readonly provider: string;

  /** Bucket that backups are kept in (`TC-ADDON-REQUIRED`). */
  readonly bucket: string;

  /**
   * Folder of the bucket. Two clusters with the same folder see, and expire, each other's backups.
   *
   * @default - namespace and name of the cluster: `<namespace>-<cluster>`
   */
  readonly prefix?: string;

  /**
   * Configuration of the provider, e.g. `region`, `s3Url` and `s3ForcePathStyle` for S3 elsewhere than at AWS.
   *
   * @default - none
   */
  readonly config?: { [key: string]: string };

  /**
   * Images of the plug-ins that are to be loaded.
   *
   * @default - that of the provider, where it is `aws`; must be given for others (`TC-ADDON-REQUIRED`)
   */
  readonly plugins?: string[];

  /**
   * Name of a Secret in the namespace of the addon whose key `cloud` holds the credentials, as the provider's plug-in reads them. It is in
   * the tenant by other means (`TC-ADDON-OBJECT-NAME`).
   *
   * @default - none: pods get their rights otherwise
   */
  readonly credentialsSecret?: string;

  /**
   * True if volumes are backed up as snapshots of their CSI driver. It needs snapshots: add `SnapshotController`, with a class that has
   * the label `velero.io/csi-volumesnapshot-class: "true"`.
   *
   * Rule: `TC-ADDON-REQUIREMENT`.
   *
   * @default false
   */
  readonly volumeSnapshots?: boolean;

  /**
   * True if an agent on every node copies the content of volumes into the bucket. It tolerates all taints.
   *
   * @default false
   */
  readonly nodeAgent?: boolean;

  /**
   * Cron schedule of full backups, e.g. `0 3 * * *` (`TC-ADDON-REQUIRED`).
   *
   * @default - never; Schedules belong into the cluster's `workloads`
   */
  readonly schedule?: string;

  /**
   * Time that scheduled backups are kept.
   *
   * @default - Velero's: 30 days
   */
  readonly retention?: Duration;
}

/**
 * Velero, which backs up objects and volumes. Source: vmware-tanzu/helm-charts charts/velero 12.1.0.
 *
 * @example
 * acme.addAddon(new Velero({
 *   provider: 'aws',
 *   bucket: 'acme-backups',
 *   config: { region: 'us-east-1' },
 *   schedule: '0 2 * * *',
 *   retention: Duration.days(30),
 * }));
 */
export class Velero extends CatalogueAddon {
  public constructor(props: VeleroProps) {
    const { provider, bucket, prefix, config, credentialsSecret, volumeSnapshots, nodeAgent, schedule, retention } = props;
    const plugins = props.plugins ?? PLUGINS[provider] ?? [];
    super({
      chart: 'velero',
      name: 'velero',
      namespace: 'velero',
      privileged: nodeAgent,
      requires: volumeSnapshots ? [AddonCapability.VOLUME_SNAPSHOTS] : [],
      tolerations: { tolerations: [] },
      check: () => [
        ...checkGiven('provider', provider, 'give the name that Velero has for the provider, such as "aws"'),
        ...checkGiven('bucket', bucket, 'give the name of the bucket'),
        ...checkGiven('plugins', plugins, `give the image of the plug-in for "${provider}": Velero brings none`),
        ...checkObjectName('credentialsSecret', credentialsSecret),
        ...(schedule === undefined ? [] : checkGiven('schedule', schedule.trim(), 'leave it out, or give a schedule such as "0 3 * * *"')),
      ],
      values: ({ name, namespace }) => ({
        configuration: {
          backupStorageLocation: [{
            name: 'default', default: true, provider, bucket, prefix: prefix ?? `${namespace}-${name}`, accessMode: 'ReadWrite', ...(config && { config }),
          }],
          features: volumeSnapshots ? 'EnableCSI' : undefined,
        },
        // It would render a place for snapshots of a provider, which CSI has no use for.
        snapshotsEnabled: false,
        initContainers: plugins.map((image) => ({ name: containerName(image), image, volumeMounts: [{ mountPath: '/target', name: 'plugins' }] })),
        credentials: credentialsSecret === undefined ? { useSecret: false } : { useSecret: true, existingSecret: credentialsSecret },
        deployNodeAgent: nodeAgent ?? false,
        nodeAgent: nodeAgent ? { tolerations: [{ operator: 'Exists' }] } : undefined,
        schedules: schedule === undefined ? undefined : {
          all: { schedule, template: retention ? { ttl: goDuration(retention) } : {} },
        },
      }),
    }, props);
  }
}

/** Last part of an image's path, without tag and digest. */
function containerName(image: string): string {
  return image.split('@')[0].split('/').pop()!.split(':')[0].replaceAll(/[^a-z0-9-]/g, '-');
}
