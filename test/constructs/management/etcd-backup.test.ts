import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Duration } from 'cdk8s';
import { manifestsOf, outputOf, Written } from './managed';
import { EtcdBackup } from '../../../src/constructs/management/etcd-backup';
import { KamajiDataStore } from '../../../src/constructs/management/kamaji-data-store';
import { KamajiInstallation } from '../../../src/constructs/management/kamaji-installation';

const S3 = { endpoint: 'https://s3.example.com', bucket: 'hall-1', folder: 'etcd', region: 'eu', secretName: 'backups' };

function cronJobOf(backup?: EtcdBackup): Written {
  const output = outputOf({ kamaji: KamajiInstallation.chart({ dataStores: [KamajiDataStore.etcd('default', { backup })] }) });
  return manifestsOf(output, 'etcd-default-guard').find(({ kind }) => kind === 'CronJob');
}

function podOf({ spec }: Written): Written {
  return spec.jobTemplate.spec.template.spec;
}

test('there is no backup unless it is asked for', () => {
  expect(cronJobOf()).toBeUndefined();
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
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'backup-'));
    for (const name of ['snapshot', 'backups', 'bin']) fs.mkdirSync(path.join(folder, name));
    fs.writeFileSync(path.join(folder, 'snapshot/snapshot.db'), 'new');
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  function run(backup: EtcdBackup, rclone = ''): number | null {
    const script: string = podOf(cronJobOf(backup)).containers[0].command[2];
    fs.writeFileSync(path.join(folder, 'bin/rclone'), `#!/bin/sh\necho "$*" >> ${folder}/log\n${rclone}\n`, { mode: 0o755 });
    const text = script.replace(/\/(snapshot|backups)(?=[/ ])/g, `${folder}/$1`).replaceAll(`${folder}/snapshot${folder}`, folder);
    return spawnSync('sh', ['-c', text], { encoding: 'utf8', env: { PATH: `${folder}/bin:${process.env.PATH}` } }).status;
  }

  function backups(): string[] {
    return fs.readdirSync(path.join(folder, 'backups')).sort();
  }

  test('a claim keeps what is younger than its retention, and what belongs to others', () => {
    const old = new Date(Date.now() - 8 * 24 * 3600 * 1000);
    for (const name of ['etcd-default-2026-01-01T00-00-00Z.db', 'etcd-bank-2026-01-01T00-00-00Z.db', 'etcd-default-2-2026-01-01T00-00-00Z.db', 'etcd-default-2026-01-07T00-00-00Z.db']) {
      fs.writeFileSync(path.join(folder, 'backups', name), '');
      if (name.includes('01-01')) fs.utimesSync(path.join(folder, 'backups', name), old, old);
    }

    expect(run(EtcdBackup.persistentVolumeClaim({ claimName: 'backups', retention: Duration.days(7) }))).toBe(0);
    expect(backups()).toEqual([
      'etcd-bank-2026-01-01T00-00-00Z.db', 'etcd-default-2-2026-01-01T00-00-00Z.db', 'etcd-default-2026-01-07T00-00-00Z.db', expect.stringMatching(/^etcd-default-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/),
    ]);
  });

  test('a backup that fails deletes nothing', () => {
    fs.rmSync(path.join(folder, 'snapshot/snapshot.db'));
    fs.writeFileSync(path.join(folder, 'backups/etcd-default-old.db'), '');
    fs.utimesSync(path.join(folder, 'backups/etcd-default-old.db'), new Date(0), new Date(0));

    expect(run(EtcdBackup.persistentVolumeClaim({ claimName: 'backups' }))).not.toBe(0);
    expect(backups()).toEqual(['etcd-default-old.db']);
    expect(run(EtcdBackup.s3(S3), 'exit 1')).not.toBe(0);
    expect(fs.readFileSync(path.join(folder, 'log'), 'utf8').trim().split('\n')).toHaveLength(1);
  });

  test('a bucket gets the snapshot, and loses old ones of this etcd', () => {
    expect(run(EtcdBackup.s3(S3))).toBe(0);
    expect(fs.readFileSync(path.join(folder, 'log'), 'utf8').trim().split('\n')).toEqual([
      expect.stringMatching(/^copyto \S+\/snapshot\.db backup:hall-1\/etcd\/etcd-default-\S+Z\.db --s3-no-check-bucket$/),
      'delete backup:hall-1/etcd --include /etcd-default-????-??-??T??-??-??Z.db --min-age 30d',
    ]);
  });
});
