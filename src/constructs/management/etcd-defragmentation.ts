import { ApiObject, Chart } from 'cdk8s';
import { EtcdClient, etcdctlContainer, etcdPod } from './etcd-client';
import { addEtcdCronJob } from './etcd-cron-job';
import { NEWEST_CATALOG } from '../../manifests/values/catalog';
import { ETCD_WITH_SHELL, imageName } from '../../manifests/values/versions';

/** Schedule of the defragmentation of an etcd. */
export interface EtcdDefragmentationOptions {
  /**
   * Cron schedule, in the time zone of the kube-controller-manager: a time with few writes
   * (`TC-ADMIT-KUBERNETES-CRON-SCHEDULE`).
   *
   * @default - Sundays at 4:15
   */
  readonly schedule?: string;
}

/**
 * Defragmentation of an etcd. Deleted and compacted data leave free pages in the database, whose file never shrinks by itself. At the quota
 * etcd rejects writes, and every tenant of the DataStore stops.
 *
 * @example
 * const defragmentation = management.EtcdDefragmentation.cronJob({ schedule: '15 3 * * 6' });
 */
export class EtcdDefragmentation {
  /**
   * A CronJob defragments one member after the other, the leader last. It does not start with a member while another one does not answer,
   * and fails if there is no room for a second copy of the database in the volume. A failed Job is not repeated: alert on it.
   *
   * A member answers no requests while it is defragmented, a few seconds for each GiB.
   *
   * @param options what differs from the defaults
   */
  public static cronJob(options: EtcdDefragmentationOptions = {}): EtcdDefragmentation {
    return new EtcdDefragmentation(options.schedule ?? '15 4 * * 0');
  }

  /** None: the etcd is defragmented by other means. */
  public static none(): EtcdDefragmentation {
    return new EtcdDefragmentation(undefined);
  }

  private constructor(
    /** @internal */
    public readonly _schedule: string | undefined,
  ) {}
}

/**
 * A read through a member needs the others, and works while etcd rejects writes for lack of space, unlike `endpoint health`. The defragmentation
 * writes the data in use to a second file beside the database. etcdctl refuses a flag beside a variable for the same.
 *
 * Source: etcd-io/etcd etcdctl/README.md (defrag, endpoint status), server/storage/backend/backend.go (defrag), etcdctl/ctlv3/command/ep_command.go.
 */
const SCRIPT = `set -eu
await() {
  tries=0
  until ETCDCTL_ENDPOINTS="$1" etcdctl get health >/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 12 ] || { echo "$1 does not answer: no member is defragmented any more"; exit 1; }
    sleep 5
  done
}
field() { value=\${status#*\\"$1\\":}; value=\${value%%[,\\}]*}; }
rest=$MEMBERS
while [ -n "$rest" ]; do
  for member in $MEMBERS; do await "$member"; done
  next= others=
  for member in $rest; do
    status=$(ETCDCTL_ENDPOINTS="$member" etcdctl endpoint status --write-out=json)
    field member_id; id=$value
    field leader; leader=$value
    if [ -z "$next" ] && [ "$id" != "$leader" ]; then next=$member; else others="$others $member"; fi
  done
  set -- $next $others
  next=$1; shift; rest=$*
  status=$(ETCDCTL_ENDPOINTS="$next" etcdctl endpoint status --write-out=json)
  field dbSize; size=$value
  field dbSizeInUse; used=$value
  echo "$next: $size bytes, $used in use"
  [ "$((size + used))" -lt "$VOLUME_BYTES" ] || { echo "the volume has no room for a second copy of the database"; exit 1; }
  ETCDCTL_ENDPOINTS="$next" etcdctl --command-timeout=50m defrag
done
for member in $MEMBERS; do await "$member"; done
`;

/** Share of a volume that the database and its second copy may use; the rest is for the log and snapshots. */
const VOLUME_SHARE = 0.9;

/** Adds the CronJob that defragments the members of an etcd. */
export function addDefragmentation(manifests: Chart, client: EtcdClient, { _schedule: schedule }: EtcdDefragmentation): ApiObject | undefined {
  return schedule === undefined ? undefined : addEtcdCronJob(manifests, 'Defragmentation', client, {
    component: 'defragmentation',
    schedule,
    backoffLimit: 0,
    pod: {
      ...etcdPod(client),
      // The log of a failed attempt is kept.
      restartPolicy: 'Never',
      containers: [etcdctlContainer(client, {
        name: 'defragment',
        image: imageName(ETCD_WITH_SHELL, NEWEST_CATALOG),
        command: ['sh', '-c', SCRIPT],
        resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '128Mi' } },
        env: [
          { name: 'MEMBERS', value: client.members.join(' ') },
          { name: 'VOLUME_BYTES', value: `${Math.floor(client.volumeBytes * VOLUME_SHARE)}` },
        ],
      })],
    },
  });
}
