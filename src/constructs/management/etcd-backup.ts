import { ApiObject, Chart, Duration } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-28';
import { checkObjectName } from './component-options';
import { containerOf, EtcdClient, etcdctlContainer, etcdPod } from './etcd-client';
import { addEtcdCronJob } from './etcd-cron-job';
import { NEWEST_CATALOG } from '../../manifests/values/catalog';
import { isCount } from '../../manifests/values/counts';
import { Problem, problemIf, Rule } from '../../manifests/values/problem';
import { checkUrl } from '../../manifests/values/repository-address';
import { isDataKey } from '../../manifests/values/secret-ref';
import { BUSYBOX, ETCD, imageName, RCLONE } from '../../manifests/values/versions';

/** Volume for a snapshot until it is stored. */
const SNAPSHOT_VOLUME = { name: 'snapshot', mountPath: '/snapshot' };
const SNAPSHOT_FILE = `${SNAPSHOT_VOLUME.mountPath}/snapshot.db`;

const BACKUPS = { name: 'backups', mountPath: '/backups' };
const RETENTION = Duration.days(30);
const REMOTE = 'backup';
const TIME = '$(date -u +%Y-%m-%dT%H-%M-%SZ)';

/** Matches times only: `etcd-a-*` would also match the snapshots of `etcd-a-b`. */
const ANY_TIME = '????-??-??T??-??-??Z';
const RESOURCES = { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '512Mi' } };

/** Schedule and retention of the snapshots of an etcd. */
export interface EtcdBackupOptions {
  /**
   * Cron schedule of the snapshots, e.g. `30 2 * * *`, in the time zone of the kube-controller-manager
   * (`TC-ADMIT-KUBERNETES-CRON-SCHEDULE`).
   *
   * @default - every six hours
   */
  readonly schedule?: string;

  /**
   * Retention of a snapshot in whole days. Older snapshots are deleted only after a new one is stored, so that a failed backup deletes
   * nothing.
   *
   * Rule: `TC-MANAGEMENT-ETCD-BACKUP`.
   *
   * @default Duration.days(30)
   */
  readonly retention?: Duration;
}

/** A bucket for snapshots. */
export interface EtcdBackupS3Options extends EtcdBackupOptions {
  /** URL of the storage, e.g. `https://s3.example.com` (`TC-MANAGEMENT-ETCD-BACKUP`). */
  readonly endpoint: string;

  /** Name of the bucket, which must exist (`TC-MANAGEMENT-ETCD-BACKUP`). */
  readonly bucket: string;

  /**
   * Folder in the bucket. Snapshots are called `<release>-<time>.db`.
   *
   * Rule: `TC-MANAGEMENT-ETCD-BACKUP`.
   *
   * @default - the bucket's top
   */
  readonly folder?: string;

  /**
   * Region of the storage (`TC-MANAGEMENT-ETCD-BACKUP`).
   *
   * @default - none
   */
  readonly region?: string;

  /**
   * Name of the Secret with the access key, in the namespace of the etcd. The key must be allowed to write, list and delete objects of the
   * folder.
   *
   * Rule: `TC-MANAGEMENT-NAME`.
   */
  readonly secretName: string;

  /**
   * Key of the Secret with the id of the access key (`TC-MANAGEMENT-ETCD-BACKUP`).
   *
   * @default access-key-id
   */
  readonly accessKeyIdKey?: string;

  /**
   * Key of the Secret with the access key (`TC-MANAGEMENT-ETCD-BACKUP`).
   *
   * @default secret-access-key
   */
  readonly secretAccessKeyKey?: string;
}

/** A PersistentVolumeClaim for snapshots. */
export interface EtcdBackupClaimOptions extends EtcdBackupOptions {
  /**
   * Name of the PersistentVolumeClaim, in the namespace of the etcd. It must exist, have room for all snapshots of the retention, and be
   * on other disks than the etcd. Its files belong to the group 65532.
   *
   * Rule: `TC-MANAGEMENT-NAME`.
   */
  readonly claimName: string;
}

/** Storage of snapshots. */
interface Store {
  readonly container: (client: EtcdClient) => object;
  readonly volumes: readonly k8s.Volume[];
  readonly check: (property: string) => Problem[];
}

/**
 * Storage of the snapshots of an etcd. They contain all data of its tenants in readable form, including Secrets.
 *
 * @example
 * const backup = management.EtcdBackup.s3({
 *   endpoint: 'https://s3.example.com',
 *   bucket: 'etcd-backups',
 *   secretName: 'etcd-backup-s3',
 * });
 */
export class EtcdBackup {
  /**
   * Stores snapshots in an S3-compatible bucket, with rclone.
   *
   * Source: rclone/rclone docs/content/s3.md, docs/content/docs.md (environment variables).
   *
   * @param options the bucket
   */
  public static s3(options: EtcdBackupS3Options): EtcdBackup {
    const { endpoint, bucket, folder, region, secretName, accessKeyIdKey = 'access-key-id', secretAccessKeyKey = 'secret-access-key' } = options;
    const place = `${REMOTE}:${[bucket, folder].filter((part) => part).join('/')}`;
    const variable = (name: string, value: Omit<k8s.EnvVar, 'name'>) => ({ name: `RCLONE_CONFIG_${REMOTE.toUpperCase()}_${name}`, ...value });
    const secret = (key: string) => ({ valueFrom: { secretKeyRef: { name: secretName, key } } });
    return new EtcdBackup(options, {
      container: ({ releaseName }) => storeContainer({
        image: imageName(RCLONE, NEWEST_CATALOG),
        script: `rclone copyto ${SNAPSHOT_FILE} "${place}/${releaseName}-${TIME}.db" --s3-no-check-bucket
rclone delete "${place}" --include '/${releaseName}-${ANY_TIME}.db' --min-age ${days(options)}d
`,
        env: [
          variable('ACCESS_KEY_ID', secret(accessKeyIdKey)),
          variable('ENDPOINT', { value: endpoint }),
          variable('PROVIDER', { value: 'Other' }),
          ...(region === undefined ? [] : [variable('REGION', { value: region })]),
          variable('SECRET_ACCESS_KEY', secret(secretAccessKeyKey)),
          variable('TYPE', { value: 's3' }),
        ],
        volumeMounts: [{ ...SNAPSHOT_VOLUME, readOnly: true }],
      }),
      volumes: [],
      check: (property) => [
        ...fault(`${property}.endpoint`, checkUrl(endpoint, ['https', 'http'])),
        ...fault(`${property}.bucket`, /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) ? undefined : `${JSON.stringify(bucket)} is not the name of a bucket`),
        ...fault(`${property}.folder`, folder === undefined || /^[\w.-]+(\/[\w.-]+)*$/.test(folder) ? undefined : `${JSON.stringify(folder)} is not a folder, such as "etcd/hall-1"`),
        ...fault(`${property}.region`, region === undefined || /^[\w-]+$/.test(region) ? undefined : `${JSON.stringify(region)} is not a region`),
        ...checkObjectName(`${property}.secretName`, secretName),
        ...[['accessKeyIdKey', accessKeyIdKey], ['secretAccessKeyKey', secretAccessKeyKey]].flatMap(([at, key]) => (
          fault(`${property}.${at}`, isDataKey(key) ? undefined : `${JSON.stringify(key)} is not a key of a Secret`))),
      ],
    });
  }

  /**
   * Stores snapshots in a volume of the management cluster. They are lost with the cluster: copy them elsewhere.
   *
   * @param options the claim
   */
  public static persistentVolumeClaim(options: EtcdBackupClaimOptions): EtcdBackup {
    const { claimName } = options;
    return new EtcdBackup(options, {
      container: ({ releaseName }) => storeContainer({
        image: imageName(BUSYBOX, NEWEST_CATALOG),
        script: `cp ${SNAPSHOT_FILE} ${BACKUPS.mountPath}/${releaseName}.part
mv ${BACKUPS.mountPath}/${releaseName}.part "${BACKUPS.mountPath}/${releaseName}-${TIME}.db"
find ${BACKUPS.mountPath} -maxdepth 1 -name '${releaseName}-${ANY_TIME}.db' -mmin +${days(options) * 24 * 60} -delete
`,
        volumeMounts: [BACKUPS, { ...SNAPSHOT_VOLUME, readOnly: true }],
      }),
      volumes: [{ name: BACKUPS.name, persistentVolumeClaim: { claimName } }],
      check: (property) => checkObjectName(`${property}.claimName`, claimName),
    });
  }

  /** No snapshots by this app: they are made by other means, or the tenants can be lost. */
  public static none(): EtcdBackup {
    return new EtcdBackup({}, undefined);
  }

  private constructor(
    private readonly options: EtcdBackupOptions,
    /** @internal */
    public readonly _store: Store | undefined,
  ) {}

  /** @internal */
  public get _schedule(): string {
    return this.options.schedule ?? '0 */6 * * *';
  }

  /** @internal */
  public _check(property: string): Problem[] {
    const kept = days(this.options);
    return [
      ...fault(`${property}.retention`, isCount(kept, 1) ? undefined : 'the retention is not a positive number of whole days'),
      ...(this._store?.check(property) ?? []),
    ];
  }
}

function storeContainer(options: { image: string; script: string; env?: readonly k8s.EnvVar[]; volumeMounts: readonly k8s.VolumeMount[] }): object {
  const { image, script, env, volumeMounts } = options;
  return containerOf({ name: 'store', image, command: ['sh', '-c', `set -eu\n${script}`], resources: RESOURCES, volumeMounts, ...(env && { env }) });
}

function days({ retention = RETENTION }: EtcdBackupOptions): number {
  return retention.toDays({ integral: false });
}

const BACKUP_RULE: Rule = {
  id: 'TC-MANAGEMENT-ETCD-BACKUP',
  title: 'The backup of an etcd must have a schedule, a retention of whole days, and a valid storage location.',
  source: 'kubernetes/kubernetes pkg/apis/batch/validation/validation.go (CronJob), docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html',
};

function fault(property: string, message: string | undefined): Problem[] {
  return problemIf(BACKUP_RULE, property, message, 'correct the value');
}

/**
 * Adds the CronJob that makes snapshots of an etcd, checks each, and stores it.
 *
 * Source: etcd.io/docs/v3.6/op-guide/recovery (snapshotting the keyspace), etcd-io/etcd etcdutl/README.md (snapshot status).
 */
export function addBackup(manifests: Chart, client: EtcdClient, { _store, _schedule }: EtcdBackup): ApiObject | undefined {
  if (!_store) return undefined;
  const image = imageName(ETCD, NEWEST_CATALOG);
  const resources = { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '512Mi' } };
  return addEtcdCronJob(manifests, 'Backup', client, {
    component: 'backup',
    schedule: _schedule,
    backoffLimit: 3,
    pod: {
      ...etcdPod(client, [{ name: SNAPSHOT_VOLUME.name, emptyDir: {} }, ..._store.volumes]),
      initContainers: [
        etcdctlContainer(client, {
          name: 'snapshot', image, command: ['etcdctl', 'snapshot', 'save', SNAPSHOT_FILE], resources, volumeMounts: [SNAPSHOT_VOLUME],
        }),
        containerOf({
          name: 'check', image, command: ['etcdutl', 'snapshot', 'status', SNAPSHOT_FILE], resources, volumeMounts: [SNAPSHOT_VOLUME],
        }),
      ],
      containers: [_store.container(client)],
    },
  });
}
