import * as fs from 'node:fs';
import { Duration } from 'cdk8s';
import { manifestsOf, outputOf, refused, withEtcd, Written } from './managed';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { EtcdBackup } from '../../../src/constructs/management/etcd-backup';
import { EtcdDataStoreOptions } from '../../../src/constructs/management/etcd-data-store';
import { ScriptFolder, ScriptRun } from '../../support/shell-scripts';

const S3 = { endpoint: 'https://s3.example.com', bucket: 'hall-1', folder: 'etcd', region: 'eu', secretName: 'backups' };

function cronJobOf(backup?: EtcdBackup): Written {
  return manifestsOf(outputOf(withEtcd({ backup })), 'etcd-default-guard').find(({ metadata }) => metadata.name === 'etcd-default-backup');
}

function podOf({ spec }: Written): Written {
  return spec.jobTemplate.spec.template.spec;
}

test('there is no backup unless it is asked for, which gives a warning unless it is meant', () => {
  expect(cronJobOf()).toBeUndefined();
  expect(cronJobOf(EtcdBackup.none())).toBeUndefined();
  const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  const warnings = (options: EtcdDataStoreOptions) => {
    warn.mockClear();
    refused(withEtcd(options));
    return warn.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('ETCD-BACKUP'));
  };
  expect(warnings({})).toEqual([expect.stringContaining('TC-MANAGEMENT-ETCD-BACKUP-MISSING kamaji.dataStores[0].backup: no snapshots are made')]);
  expect([warnings({ backup: EtcdBackup.none() }), warnings({ backup: EtcdBackup.s3(S3) })]).toEqual([[], []]);
  warn.mockRestore();
});

test('it is pruned when it is no longer declared', () => {
  expect(cronJobOf(EtcdBackup.s3(S3)).metadata.annotations).toEqual({ 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' });
});

test('a snapshot is taken as root, checked, and then stored, one at a time', () => {
  const job = cronJobOf(EtcdBackup.s3({ ...S3, schedule: '30 2 * * *' }));
  const [snapshot, check] = podOf(job).initContainers;

  expect(job).toMatchObject({
    metadata: { name: 'etcd-default-backup', namespace: 'kamaji-etcd' }, spec: { schedule: '30 2 * * *', concurrencyPolicy: 'Forbid', successfulJobsHistoryLimit: 1 },
  });
  expect(snapshot).toMatchObject({ image: 'quay.io/coreos/etcd:v3.6.12', command: ['etcdctl', 'snapshot', 'save', '/snapshot/snapshot.db'] });
  expect(snapshot.env).toContainEqual({ name: 'ETCDCTL_CERT', value: '/certificates/tls.crt' });
  expect(check).toMatchObject({ image: 'quay.io/coreos/etcd:v3.6.12', command: ['etcdutl', 'snapshot', 'status', '/snapshot/snapshot.db'] });
});

test('the storage takes its credentials from a Secret', () => {
  const [{ env }] = podOf(cronJobOf(EtcdBackup.s3({ ...S3, accessKeyIdKey: 'id' }))).containers;

  expect(env).toEqual([
    { name: 'RCLONE_CONFIG_BACKUP_ACCESS_KEY_ID', valueFrom: { secretKeyRef: { name: 'backups', key: 'id' } } },
    { name: 'RCLONE_CONFIG_BACKUP_ENDPOINT', value: 'https://s3.example.com' },
    { name: 'RCLONE_CONFIG_BACKUP_PROVIDER', value: 'Other' },
    { name: 'RCLONE_CONFIG_BACKUP_REGION', value: 'eu' },
    { name: 'RCLONE_CONFIG_BACKUP_SECRET_ACCESS_KEY', valueFrom: { secretKeyRef: { name: 'backups', key: 'secret-access-key' } } },
    { name: 'RCLONE_CONFIG_BACKUP_TYPE', value: 's3' },
  ]);
});

describe('the scripts', () => {
  const folder = new ScriptFolder();
  beforeEach(() => {
    folder.put('snapshot/snapshot.db', 'new');
    fs.mkdirSync(folder.path('backups'));
  });

  function run(backup: EtcdBackup, rclone = ''): ScriptRun {
    const script: string = podOf(cronJobOf(backup)).containers[0].command[2];
    return folder.run(script.replace(/(?<![\w/.])\/(snapshot|backups)(?=[/ ])/g, (_, name) => folder.path(name)), { rclone });
  }

  test('a claim keeps what is younger than its retention, and what belongs to others', () => {
    const old = new Date(Date.now() - 8 * 24 * 3600 * 1000);
    for (const name of ['etcd-default-2026-01-01T00-00-00Z.db', 'etcd-bank-2026-01-01T00-00-00Z.db', 'etcd-default-2-2026-01-01T00-00-00Z.db', 'etcd-default-2026-01-07T00-00-00Z.db']) {
      const file = folder.put(`backups/${name}`, '');
      if (name.includes('01-01')) fs.utimesSync(file, old, old);
    }

    expect(run(EtcdBackup.persistentVolumeClaim({ claimName: 'backups', retention: Duration.days(7) })).status).toBe(0);
    expect(fs.readdirSync(folder.path('backups')).sort()).toEqual([
      'etcd-bank-2026-01-01T00-00-00Z.db', 'etcd-default-2-2026-01-01T00-00-00Z.db', 'etcd-default-2026-01-07T00-00-00Z.db', expect.stringMatching(/^etcd-default-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/),
    ]);
  });

  test('a backup that fails deletes nothing', () => {
    fs.rmSync(folder.path('snapshot/snapshot.db'));
    fs.utimesSync(folder.put('backups/etcd-default-old.db', ''), new Date(0), new Date(0));

    expect(run(EtcdBackup.persistentVolumeClaim({ claimName: 'backups' })).status).not.toBe(0);
    expect(fs.readdirSync(folder.path('backups'))).toEqual(['etcd-default-old.db']);
    const { status, calls } = run(EtcdBackup.s3(S3), 'exit 1');
    expect(status).not.toBe(0);
    expect(calls).toHaveLength(1);
  });

  test('a bucket gets the snapshot, and loses old ones of this etcd', () => {
    const { status, calls } = run(EtcdBackup.s3(S3));

    expect(status).toBe(0);
    expect(calls).toEqual([
      expect.stringMatching(/^rclone copyto \S+\/snapshot\.db backup:hall-1\/etcd\/etcd-default-\S+Z\.db --s3-no-check-bucket$/),
      'rclone delete backup:hall-1/etcd --include /etcd-default-????-??-??T??-??-??Z.db --min-age 30d',
    ]);
  });
});
