import { Chart } from 'cdk8s';
import { EtcdBackup, SNAPSHOT_FILE, SNAPSHOT_VOLUME } from './etcd-backup';
import { containerOf, EtcdClient, etcdctlContainer, etcdLabels, etcdPod } from './etcd-client';
import { noSubstitution } from '../delivery/marks';
import { shortenName } from '../naming/object-name';
import { TypedApiObject } from '../synth/typed-api-object';
import { ETCD, imageName } from '../versions';

const COMPONENT = 'backup';
const HOUR = 3600;

/** What the name of a CronJob leaves room for: the names of its Jobs. */
const LONGEST_NAME = 52;

/**
 * Adds the CronJob that makes snapshots of an etcd, checks each, and stores it.
 *
 * Source: etcd.io/docs/v3.6/op-guide/recovery (snapshotting the keyspace), etcd-io/etcd etcdutl/README.md (snapshot status).
 */
export function addBackup(manifests: Chart, client: EtcdClient, backup: EtcdBackup): void {
  const labels = etcdLabels(client, COMPONENT);
  const image = imageName(ETCD);
  const resources = { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '512Mi' } };
  new TypedApiObject(manifests, 'Backup', { apiVersion: 'batch/v1', kind: 'CronJob' }, {
    metadata: {
      name: shortenName(`${client.name}-${COMPONENT}`, LONGEST_NAME),
      namespace: client.namespace,
      labels,
      annotations: noSubstitution(),
    },
    spec: {
      concurrencyPolicy: 'Forbid',
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        metadata: { labels },
        spec: {
          activeDeadlineSeconds: HOUR,
          backoffLimit: 3,
          template: {
            metadata: { labels },
            spec: {
              ...etcdPod(client, [{ name: SNAPSHOT_VOLUME.name, emptyDir: {} }, ...backup._volumes]),
              initContainers: [
                etcdctlContainer(client, {
                  name: 'snapshot', image, command: ['etcdctl', 'snapshot', 'save', SNAPSHOT_FILE], resources, volumeMounts: [SNAPSHOT_VOLUME],
                }),
                containerOf({
                  name: 'check', image, command: ['etcdutl', 'snapshot', 'status', SNAPSHOT_FILE], resources, volumeMounts: [SNAPSHOT_VOLUME],
                }),
              ],
              containers: [backup._container(client)],
            },
          },
        },
      },
      schedule: backup._schedule,
      // One that is missed, because of an upgrade of the control plane, is made up for within the hour.
      startingDeadlineSeconds: HOUR,
      successfulJobsHistoryLimit: 1,
    },
  });
}
