import { ApiObject, Chart } from 'cdk8s';
import { EtcdBackup, SNAPSHOT_FILE, SNAPSHOT_VOLUME } from './etcd-backup';
import { containerOf, EtcdClient, etcdctlContainer, etcdLabels, etcdPod } from './etcd-client';
import { noSubstitution } from '../../manifests/objects/prune-annotations';
import { NEWEST_CATALOG } from '../../manifests/values/catalog';
import { shortenName } from '../../manifests/values/object-name';
import { ETCD, imageName } from '../../manifests/values/versions';
import { TypedApiObject } from '../app/synth/typed-api-object';

const COMPONENT = 'backup';
const HOUR = 3600;

/** The limit for names of CronJobs, which leaves room for the suffix of their Jobs. */
const LONGEST_NAME = 52;

/**
 * Adds the CronJob that makes snapshots of an etcd, checks each, and stores it.
 *
 * Source: etcd.io/docs/v3.6/op-guide/recovery (snapshotting the keyspace), etcd-io/etcd etcdutl/README.md (snapshot status).
 */
export function addBackup(manifests: Chart, client: EtcdClient, backup: EtcdBackup): ApiObject {
  const labels = etcdLabels(client, COMPONENT);
  const image = imageName(ETCD, NEWEST_CATALOG);
  const resources = { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '512Mi' } };
  return new TypedApiObject(manifests, 'Backup', { apiVersion: 'batch/v1', kind: 'CronJob' }, {
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
      // A run that is missed during an upgrade of the control plane starts within the hour.
      startingDeadlineSeconds: HOUR,
      successfulJobsHistoryLimit: 1,
    },
  });
}
