import { controlPlanePods } from './control-plane-pods';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { Alert, HOUR, MINUTE } from '../../rules/alerts/alert';
import { DEPLOYMENT_AVAILABLE, Metric, newest, series } from '../../rules/alerts/metrics';
import { stringAt, stringsAt } from '../../values/fields';

const SOURCE = 'clastix/kamaji internal/metrics/metrics.go, 26.8.2-edge';

/** Certificates of a control plane, by their state: Kamaji renews those that are `expiring`. */
const CERTIFICATES: Metric<'tcp_namespace' | 'tcp_name' | 'status'> = {
  name: 'kamaji_certificates_current', labels: ['tcp_namespace', 'tcp_name', 'status'], exporter: 'Kamaji', source: SOURCE,
};
const DATA_STORE_STATUS: Metric<'datastore_name' | 'ready'> = {
  name: 'kamaji_datastore_status', labels: ['datastore_name', 'ready'], exporter: 'Kamaji', source: SOURCE,
};

/** A metric of an etcd. The operator of Prometheus adds namespace and pod. */
function etcdMetric(name: string, file: string): Metric<'namespace' | 'pod'> {
  return { name, labels: ['namespace', 'pod'], exporter: 'etcd', source: `etcd-io/etcd ${file}, v3.6.12` };
}

const DATABASE_SIZE = etcdMetric('etcd_mvcc_db_total_size_in_bytes', 'server/storage/mvcc/metrics.go');
const DATABASE_QUOTA = etcdMetric('etcd_server_quota_backend_bytes', 'server/storage/metrics.go');
const HAS_LEADER = etcdMetric('etcd_server_has_leader', 'server/etcdserver/metrics.go');
const ALARMS: Metric<'namespace' | 'pod' | 'alarm_type'> = {
  name: 'etcd_debugging_server_alarms', labels: ['namespace', 'pod', 'alarm_type'], exporter: 'etcd', source: 'etcd-io/etcd server/etcdserver/apply/metrics.go, v3.6.12',
};

/** Metrics of Kamaji and its data stores. */
export const KAMAJI_METRICS: readonly Metric[] = [CERTIFICATES, DATA_STORE_STATUS, DATABASE_SIZE, DATABASE_QUOTA, HAS_LEADER, ALARMS];

/** Alerts for a `KamajiControlPlane` or a `TenantControlPlane`, whose Deployment has its name (internal/resources/k8s_deployment_resource.go). */
export function controlPlaneAlerts(object: ManifestObject): Alert[] {
  const [namespace, name] = [namespaceOf(object) ?? '', nameOf(object) ?? ''];
  const { replicas = 2 } = controlPlanePods(object);
  if (replicas === 0) return [];
  const available = newest(DEPLOYMENT_AVAILABLE, ['namespace', 'deployment'], { namespace, deployment: name });
  const certificates = series(CERTIFICATES, { tcp_namespace: namespace, tcp_name: name, status: { in: ['expiring', 'invalid'] } });
  return [{
    name: 'ControlPlaneBelowSize',
    expr: `${available} < ${replicas}`,
    seconds: 15 * MINUTE,
    severity: 'warning',
    summary: `The control plane ${name} has {{ $value }} of ${replicas} pods.`,
    graph: { title: `Pods of the control plane ${name}`, lines: [['available', available]], unit: 'none', limit: replicas },
  }, {
    name: 'CertificateNearEnd',
    expr: `sum by (tcp_namespace, tcp_name) (${certificates}) > 0`,
    // They are counted from the time on at which their renewal is due.
    seconds: 2 * HOUR,
    severity: 'critical',
    summary: `{{ $value }} certificates of the control plane ${name} end soon, and are not renewed.`,
  }];
}

/** Share of its quota from which on a database is close to it. */
const NEAR_QUOTA = 0.8;

/** Alerts for a `DataStore`, and for the members of its etcd. */
export function dataStoreAlerts(object: ManifestObject): Alert[] {
  const name = nameOf(object) ?? '';
  return [{
    name: 'DataStoreNotReady',
    expr: `${newest(DATA_STORE_STATUS, ['datastore_name'], { datastore_name: name, ready: 'false' })} == 1`,
    seconds: 5 * MINUTE,
    severity: 'critical',
    summary: `The data store ${name} is not ready.`,
  }, ...etcdAlerts(object, name)];
}

function etcdAlerts(object: ManifestObject, name: string): Alert[] {
  const members = membersOf(object);
  if (stringAt(object, 'spec', 'driver') !== 'etcd' || members.length === 0) return [];
  const of = { namespace: members[0].namespace, pod: { in: members.map(({ pod }) => pod) } };
  const bySelf = ['namespace', 'pod'] as const;
  const used = `${newest(DATABASE_SIZE, bySelf, of)} / ${newest(DATABASE_QUOTA, bySelf, of)}`;
  return [{
    name: 'DataStoreNearQuota',
    expr: `${used} > ${NEAR_QUOTA}`,
    seconds: 15 * MINUTE,
    severity: 'warning',
    summary: `The database of the data store ${name} fills {{ $value | humanizePercentage }} of its quota in {{ $labels.pod }}.`,
    graph: { title: `Database of ${name}, of its quota`, lines: [['{{pod}}', used]], unit: 'percentunit', limit: NEAR_QUOTA },
  }, {
    name: 'DataStoreAlarm',
    expr: `max by (namespace, alarm_type) (${series(ALARMS, of)}) > 0`,
    seconds: 0,
    severity: 'critical',
    summary: `The etcd of the data store ${name} has the alarm {{ $labels.alarm_type }}.`,
  }, {
    name: 'DataStoreBelowSize',
    expr: `(count(${newest(HAS_LEADER, bySelf, of)} == 1) or vector(0)) < ${members.length}`,
    seconds: 10 * MINUTE,
    severity: 'critical',
    summary: `The data store ${name} has {{ $value }} of ${members.length} members with a leader.`,
  }];
}

/** Host names of pods of a StatefulSet, below its Service: `etcd-0.etcd.kamaji-etcd.svc.cluster.local`. */
const MEMBER = /^(?<pod>[a-z0-9-]+-\d+)\.[a-z0-9-]+\.(?<namespace>[a-z0-9-]+)\.svc\b/;

/** The pods of an etcd in the management cluster, by the endpoints of its data store; none if one of them is elsewhere. */
function membersOf(object: ManifestObject): { readonly pod: string; readonly namespace: string }[] {
  const found = stringsAt(object, 'spec', 'endpoints').map(([endpoint]) => MEMBER.exec(endpoint)?.groups);
  const members = found.flatMap((groups) => (groups ? [{ pod: groups.pod, namespace: groups.namespace }] : []));
  return members.length === found.length && new Set(members.map(({ namespace }) => namespace)).size === 1 ? members : [];
}
