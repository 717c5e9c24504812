import { longestInterval } from './cron-intervals';
import { checkSchedule } from './workloads';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { Alert, AlertsOf, HOUR, MINUTE, promDuration } from '../rules/alerts/alert';
import { CRON_JOB_CREATED, CRON_JOB_SUCCESS, DEPLOYMENT_AVAILABLE, newest, POLICY_CHECKS, RESOURCE_QUOTA, series } from '../rules/alerts/metrics';
import { fieldAt, numberAt, objectsAt, stringAt, stringsAt } from '../values/fields';

/** A run may take this long, and wait for a node before. */
const RUN = HOUR;

function cronJobAlerts(object: ManifestObject): Alert[] {
  const [namespace, name] = [namespaceOf(object) ?? 'default', nameOf(object) ?? ''];
  const schedule = stringAt(object, 'spec', 'schedule') ?? '';
  const interval = checkSchedule(schedule) === undefined ? longestInterval(schedule) : undefined;
  if (interval === undefined || fieldAt(object, 'spec', 'suspend') === true) return [];
  const oldest = interval + RUN;
  const of = { namespace, cronjob: name };
  const [success, created] = [CRON_JOB_SUCCESS, CRON_JOB_CREATED].map((metric) => newest(metric, ['namespace', 'cronjob'], of));
  const age = `time() - (${success} or ${created})`;
  const isBackup = stringAt(object, 'metadata', 'labels', 'app.kubernetes.io/component') === 'backup';
  return [{
    name: isBackup ? 'BackupTooOld' : 'ScheduledJobOverdue',
    // A CronJob without a successful run counts from its creation on.
    expr: `${age} > ${oldest}`,
    seconds: 5 * MINUTE,
    severity: isBackup ? 'critical' : 'warning',
    summary: `The last successful run of ${name} is {{ $value | humanizeDuration }} ago, and one is due every ${promDuration(interval)}.`,
    graph: { title: `Age of ${name}`, lines: [['last success', age]], unit: 's', limit: oldest },
  }];
}

function deploymentAlerts(object: ManifestObject): Alert[] {
  const [namespace, name] = [namespaceOf(object) ?? 'default', nameOf(object) ?? ''];
  const replicas = numberAt(object, 'spec', 'replicas') ?? 1;
  return replicas === 0 ? [] : [{
    name: 'ControllerNotAvailable',
    expr: `${newest(DEPLOYMENT_AVAILABLE, ['namespace', 'deployment'], { namespace, deployment: name })} < ${replicas}`,
    seconds: 15 * MINUTE,
    severity: 'warning',
    summary: `${name} has {{ $value }} of ${replicas} pods.`,
  }];
}

/** Share of an entry of a quota from which on it is close to its limit. */
const NEAR_LIMIT = 0.9;

function quotaAlerts(object: ManifestObject): Alert[] {
  const [namespace, name] = [namespaceOf(object) ?? 'default', nameOf(object) ?? ''];
  const amount = (type: string) => newest(RESOURCE_QUOTA, ['namespace', 'resource'], { namespace, resourcequota: name, type });
  const used = `${amount('used')} / (${amount('hard')} > 0)`;
  return [{
    name: 'QuotaNearLimit',
    expr: `${used} > ${NEAR_LIMIT}`,
    seconds: 15 * MINUTE,
    severity: 'warning',
    summary: `The namespace ${namespace} uses {{ $value | humanizePercentage }} of its quota of {{ $labels.resource }}.`,
    graph: { title: `Quota of ${namespace}`, lines: [['{{resource}}', used]], unit: 'percentunit', limit: NEAR_LIMIT },
  }];
}

/** Resources by which a tenant publishes Services. */
const PUBLISHED: readonly string[] = ['services', 'endpointslices'];

function policyAlerts(object: ManifestObject): Alert[] {
  const resources = objectsAt(object, 'spec', 'matchConstraints', 'resourceRules').flatMap(([rule]) => stringsAt(rule, 'resources').map(([resource]) => resource));
  if (!resources.some((resource) => PUBLISHED.includes(resource))) return [];
  const denied = series(POLICY_CHECKS, { policy: nameOf(object) ?? '', enforcement_action: 'deny' });
  return [{
    name: 'ServiceRefused',
    expr: `sum by (policy) (increase(${denied}[30m])) > 0`,
    seconds: 0,
    severity: 'warning',
    summary: 'The policy {{ $labels.policy }} refuses Services of the tenant.',
  }];
}

/** Alerts by kind. */
export const KUBERNETES_ALERTS: Readonly<Record<string, AlertsOf>> = {
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': policyAlerts,
  'apps/Deployment': deploymentAlerts,
  'batch/CronJob': cronJobAlerts,
  '/ResourceQuota': quotaAlerts,
};
