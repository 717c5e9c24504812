import { manifestsOf, outputOf, withEtcd, Written } from './managed';
import { EtcdDataStoreOptions } from '../../../src/constructs/management/etcd-data-store';
import { EtcdDefragmentation } from '../../../src/constructs/management/etcd-defragmentation';
import { ScriptFolder, ScriptRun } from '../../support/shell-scripts';

function cronJobOf(options: EtcdDataStoreOptions = {}): Written {
  return manifestsOf(outputOf(withEtcd(options)), 'etcd-default-guard').find(({ metadata }) => metadata.name === 'etcd-default-defragmentation');
}

function containerOf(options?: EtcdDataStoreOptions): Written {
  return cronJobOf(options).spec.jobTemplate.spec.template.spec.containers[0];
}

test('each week, once, and a failed attempt stays with its log', () => {
  expect(cronJobOf().spec).toMatchObject({
    schedule: '15 4 * * 0', concurrencyPolicy: 'Forbid', jobTemplate: { spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never' } } } },
  });
  expect(cronJobOf({ defragmentation: EtcdDefragmentation.cronJob({ schedule: '0 1 1 * *' }) }).spec.schedule).toBe('0 1 1 * *');
  expect(cronJobOf({ defragmentation: EtcdDefragmentation.none() })).toBeUndefined();
});

test('members and volume are those of the chart', () => {
  const { env } = containerOf({ replicas: 1, clusterDomain: 'hall.internal', values: { clientPort: 12379, persistentVolumeClaim: { size: '1000M' } } });

  expect(env).toEqual(expect.arrayContaining([
    { name: 'MEMBERS', value: 'https://etcd-default-0.etcd-default.kamaji-etcd.svc.hall.internal:12379' }, { name: 'VOLUME_BYTES', value: '900000000' },
  ]));
});

describe('the script', () => {
  const SCRIPT: string = containerOf().command[2];
  const folder = new ScriptFolder();

  /** Runs it on members `a`, `b` and `c`; the files `leader`, `down-X` and `size-X` state what is true of them. */
  function run(leader: string, more = ''): ScriptRun {
    folder.put('leader', leader);
    return folder.run(`MEMBERS='a b c' VOLUME_BYTES=100; ${SCRIPT}`, {
      sleep: '',
      etcdctl: `cd ${folder.path()}
member=$ETCDCTL_ENDPOINTS
[ ! -e down-$member ] || exit 1
id() { printf %d "'$1"; }
case "$*" in
  'get health') ;;
  'endpoint status --write-out=json')
    size=$(cat size-$member 2>/dev/null || echo 40)
    printf '[{"Endpoint":"%s","Status":{"header":{"cluster_id":1,"member_id":%s,"revision":1},"version":"3.6.12","dbSize":%s,"leader":%s,"raftIndex":9,"dbSizeInUse":30}}]\\n' \\
      $member $(id $member) $size $(id $(cat leader)) ;;
  '--command-timeout=50m defrag') echo done $member; ${more || ':'} ;;
  *) exit 9 ;;
esac`,
    });
  }

  const defragmented = (script: ScriptRun) => script.stdout.match(/(?<=^done )\w$/gm)?.join('') ?? '';

  test.each([['a', 'bca'], ['b', 'acb'], ['c', 'abc']])('with the leader %s in the order %s', (leader, order) => {
    const script = run(leader);

    expect([script.status, defragmented(script)]).toEqual([0, order]);
    // All members have answered before each, and after the last.
    expect(script.calls.filter((call) => call.endsWith('get health'))).toHaveLength(12);
  });

  test('a member that is the leader by now comes last', () => {
    expect(defragmented(run('c', 'echo b > leader'))).toBe('acb');
  });

  test('stops while a member does not answer, before and in between', () => {
    folder.put('down-c', '');
    const before = run('a');
    expect([before.status, defragmented(before)]).toEqual([1, '']);
    expect(before.stdout).toContain('c does not answer');

    const between = run('a', 'touch down-$member');
    expect(between.status).toBe(1);
    expect(defragmented(between).length).toBeLessThan(2);
  });

  test('stops when etcd does not defragment, or has no room to', () => {
    expect(run('a', 'exit 1').status).toBe(1);
    folder.put('size-b', '70');
    const full = run('a');
    expect([full.status, full.stdout]).toEqual([1, expect.stringContaining('no room')]);
  });
});
