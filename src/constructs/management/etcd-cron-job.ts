import { ApiObject, Chart } from 'cdk8s';
import { EtcdClient, etcdLabels } from './etcd-client';
import { noSubstitution } from '../../manifests/objects/prune-annotations';
import { shortenName } from '../../manifests/values/object-name';
import { TypedApiObject } from '../app/synth/typed-api-object';

const HOUR = 3600;

/** The limit for names of CronJobs, which leaves room for the suffix of their Jobs. */
const LONGEST_NAME = 52;

/** A periodic task on an etcd. */
interface EtcdCronJob {
  /** Purpose: part of its name, and in its labels. */
  readonly component: string;
  readonly schedule: string;

  /** Number of attempts after the first. */
  readonly backoffLimit: number;

  /** `spec` of its pods. */
  readonly pod: object;
}

/** Adds a CronJob that works on an etcd, one run at a time, each within an hour. It is pruned when it is no longer declared. */
export function addEtcdCronJob(manifests: Chart, id: string, client: EtcdClient, { component, schedule, backoffLimit, pod }: EtcdCronJob): ApiObject {
  const labels = etcdLabels(client, component);
  return new TypedApiObject(manifests, id, { apiVersion: 'batch/v1', kind: 'CronJob' }, {
    metadata: {
      name: shortenName(`${client.name}-${component}`, LONGEST_NAME),
      namespace: client.namespace,
      labels,
      annotations: noSubstitution(),
    },
    spec: {
      concurrencyPolicy: 'Forbid',
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        metadata: { labels },
        spec: { activeDeadlineSeconds: HOUR, backoffLimit, template: { metadata: { labels }, spec: pod } },
      },
      schedule,
      // A run that is missed during an upgrade of the control plane starts within the hour.
      startingDeadlineSeconds: HOUR,
      successfulJobsHistoryLimit: 1,
    },
  });
}
