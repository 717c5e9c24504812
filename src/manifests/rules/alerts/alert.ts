import { ManifestObject } from '../../objects/manifest-object';
import { ManifestIndex } from '../manifest-index';

/** Urgency of an alert: `critical` is an outage or a loss that comes soon, `warning` is for working hours. */
export type AlertSeverity = 'critical' | 'warning';

/** An alert about objects that are declared. */
export interface Alert {
  /** Name, which is the heading of its section in docs/troubleshooting/alerts.md. */
  readonly name: AlertName;

  /** PromQL expression. */
  readonly expr: string;

  /** Whole seconds for which the expression must hold. */
  readonly seconds: number;
  readonly severity: AlertSeverity;

  /** One line, in which `{{ $labels.x }}` and `{{ $value }}` are filled in. */
  readonly summary: string;

  /**
   * True if it is about all objects of a kind in the namespace of the object.
   *
   * @default false
   */
  readonly shared?: boolean;

  /**
   * The value that it watches.
   *
   * @default - no graph of it is drawn
   */
  readonly graph?: Graph;
}

/** A value over time, on a dashboard. */
export interface Graph {
  readonly title: string;

  /** PromQL expressions, each with the name of its line, in which `{{label}}` is filled in. */
  readonly lines: readonly (readonly [name: string, expr: string])[];

  /** Unit of Grafana. */
  readonly unit: 'none' | 'percentunit' | 's';

  /**
   * The value at which the alert fires.
   *
   * @default - none is drawn
   */
  readonly limit?: number;
}

/** State of the cluster that an object belongs to. */
export interface WatchedCluster {
  /** True if Cluster API leaves the cluster alone, so that its status is as it was. */
  readonly paused: boolean;
}

/** Finds the alerts for an object among the declared ones of its cluster. */
export type AlertsOf = (object: ManifestObject, index: ManifestIndex, state: WatchedCluster) => readonly Alert[];

/** Names of alerts, each with what it is about. */
export const ALERT_NAMES = {
  BackupTooOld: 'no backup of the last run of its schedule',
  CertificateNearEnd: 'a certificate of a control plane ends soon',
  ClusterNotInitialized: 'the control plane of a new cluster does not come up',
  ClusterNotObserved: 'kube-state-metrics has no metrics of the cluster',
  ComponentNotReady: 'a component of the management cluster is not ready',
  ControllerNotAvailable: 'pods of a controller are missing',
  ControlPlaneBelowSize: 'a control plane has fewer replicas than declared',
  ControlPlaneDown: 'the API server of a cluster does not answer',
  DataStoreAlarm: 'etcd has an alarm, and rejects writes',
  DataStoreBelowSize: 'members of an etcd are missing, or have no leader',
  DataStoreNearQuota: 'the database of an etcd is close to its quota',
  DataStoreNotReady: 'a data store is not ready',
  MachineNotDeleted: 'a machine is deleted for longer than its timeouts allow',
  MachineWithoutNode: 'a machine takes longer than declared to become a node',
  PoolBelowSize: 'a pool has fewer nodes than declared',
  PoolWithoutNodes: 'a pool has no node',
  QuotaNearLimit: 'the namespace of a tenant is close to its quota',
  ReleaseFailing: 'a chart or manifests cannot be applied',
  RemediationBlocked: 'a health check replaces no machines, since too many are unhealthy',
  RolloutStuck: 'a rollout makes no progress',
  ScheduledJobOverdue: 'a CronJob had no successful run in its schedule',
  ServiceRefused: 'Services of a tenant are refused by a policy',
  ServiceWithoutAddress: 'a Service of type LoadBalancer has no address',
} as const;

/** Name of an alert. */
export type AlertName = keyof typeof ALERT_NAMES;

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A duration as PromQL and Prometheus rules spell it, in the largest unit that is whole. */
export function promDuration(seconds: number): string {
  const [unit, size] = ([['d', DAY], ['h', HOUR], ['m', MINUTE]] as const).find(([, length]) => seconds >= length && seconds % length === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}
