import { deploymentText, objectText, pair } from './examples';
import { apiValidation, boundsFault, fault } from './findings';
import { selectorFaults } from './scheduling';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { indented } from '../rules/example-text';
import { isEmptySelector, selects } from '../rules/label-selectors';
import { ManifestRule } from '../rules/manifest-rule';
import { podOf } from '../rules/pod-objects';
import { parseIntOrPercent } from '../values/counts';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, numberAt, objectsAt, stringAt } from '../values/fields';
import { allOf, Finding } from '../values/finding';

const SOURCE = apiValidation('apps');
const DEPLOYMENT = 'apps/Deployment';
const DAEMON_SET = 'apps/DaemonSet';
const STATEFUL_SET = 'apps/StatefulSet';
const SELECTING: readonly string[] = [DEPLOYMENT, DAEMON_SET, STATEFUL_SET, 'apps/ReplicaSet'];

const selector: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SELECTOR',
  title: 'The selector of a workload must not be empty, and must match the labels of its pod template.',
  source: `${SOURCE} (ValidateDeploymentSpec, ValidateDaemonSetSpec, ValidateStatefulSetSpec, ValidateReplicaSetSpec)`,
  kinds: SELECTING,
  example: pair((label) => deploymentText(`selector:\n  matchLabels: {app: ${label}}`), 'wbe', 'web'),
  check: (object) => {
    const path = ['spec', 'selector'];
    const given = fieldAt(object, ...path);
    const faults = selectorFaults(given, path);
    if (!isFields(given) || faults.length > 0) return faults;
    if (isEmptySelector(given)) return [fault(path, 'it selects everything', 'select a label of the template')];
    const labels = fieldAt(podOf(object)?.pod, 'metadata', 'labels');
    return !podOf(object) || selects(given, isFields(labels) ? labels : {}) ? []
      : [fault(['spec', 'template', 'metadata', 'labels'], 'the selector does not select these labels', 'give the template the labels that spec.selector asks for')];
  },
};

/** Seconds that a server gives a rollout of a Deployment that says nothing. */
const DEADLINE = 600;
const NUMBERS = ['replicas', 'minReadySeconds', 'revisionHistoryLimit'] as const;

const numbers: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-REPLICAS',
  title: 'Numbers of pods, seconds and revisions must not be negative; progressDeadlineSeconds must be greater than minReadySeconds.',
  source: `${SOURCE} (ValidateDeploymentSpec, ValidateReplicaSetSpec)`,
  kinds: [...SELECTING, '/ReplicationController'],
  example: pair((number) => deploymentText(`replicas: ${number}\nselector:\n  matchLabels: {app: web}`), '-1', '1'),
  check: (object) => {
    const written = numberAt(object, 'spec', 'progressDeadlineSeconds');
    const deadline = groupKind(object) === DEPLOYMENT && !isSet(object, 'spec', 'progressDeadlineSeconds') ? DEADLINE : written;
    const ready = numberAt(object, 'spec', 'minReadySeconds') ?? 0;
    return allOf(
      NUMBERS.flatMap((field) => boundsFault(['spec', field], fieldAt(object, 'spec', field), 0)),
      deadline !== undefined && deadline <= ready
        ? [fault(['spec', 'progressDeadlineSeconds'], `${written === undefined ? `it is ${DEADLINE} where nothing is written, which` : 'it'} is not more than minReadySeconds, ${ready}`, 'write a larger number', `whole numbers from ${ready + 1}`)] : [],
    );
  },
};

const replicationController: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CONTROLLER-SELECTOR',
  title: 'A ReplicationController must have a selector that selects its template, or labels in the template, which are the selector otherwise.',
  source: `${apiValidation('core')} (ValidateReplicationControllerSpec)`,
  kinds: ['/ReplicationController'],
  example: pair((labels) => controllerText(labels), '', 'metadata:\n  labels: {app: web}'),
  check: (object) => {
    const pod = podOf(object);
    const [labels, selected] = [fieldAt(pod?.pod, 'metadata', 'labels'), fieldAt(object, 'spec', 'selector')];
    const own = isFields(labels) ? labels : {};
    const wanted = isFields(selected) && Object.keys(selected).length > 0 ? selected : own;
    if (!pod) return [];
    if (Object.keys(wanted).length === 0) return [fault(['spec', 'selector'], 'there is no selector, and the template has no labels', 'give the template a label')];
    return Object.entries(wanted).every(([name, value]) => own[name] === value) ? []
      : [fault(['spec', 'template', 'metadata', 'labels'], 'the selector does not select these labels', 'give the template the labels that spec.selector asks for')];
  },
};

const strategy: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-UPDATE-STRATEGY',
  title: 'A rolling update must allow a surge or unavailable pods, as numbers or percentages; other strategies cannot have its settings.',
  source: `${SOURCE} (ValidateDeploymentStrategy, ValidateDaemonSetUpdateStrategy, validateRollingUpdateStatefulSet)`,
  kinds: [DEPLOYMENT, DAEMON_SET, STATEFUL_SET],
  example: pair(
    (surge) => deploymentText(`strategy:\n  rollingUpdate: {maxSurge: ${surge}, maxUnavailable: 0}\nselector:\n  matchLabels: {app: web}`), '0', '1',
  ),
  check: (object) => {
    const kind = groupKind(object);
    const path = ['spec', kind === DEPLOYMENT ? 'strategy' : 'updateStrategy'];
    const rolling = fieldAt(object, ...path, 'rollingUpdate');
    const type = stringAt(object, ...path, 'type') ?? 'RollingUpdate';
    const place = [...path, 'rollingUpdate'];
    if (!isFields(rolling)) return [];
    if (type !== 'RollingUpdate') {
      return kind === DAEMON_SET ? [] : [fault(place, `the strategy ${type} has no settings of rolling updates`, 'remove it, or write type: RollingUpdate')];
    }
    return allOf(
      ['maxSurge', 'maxUnavailable'].flatMap((field) => shareFaults(rolling[field], [...place, field], kind === DEPLOYMENT && field === 'maxSurge' ? Infinity : 100)),
      boundsFault([...place, 'partition'], rolling.partition, 0),
      standstill(kind, rolling, place),
    );
  },
};

function standstill(kind: string, rolling: { readonly [field: string]: unknown }, path: FieldPath): readonly Finding[] {
  const [unavailable, surge] = ['maxUnavailable', 'maxSurge'].map((field) => (isSet(rolling, field) ? parseIntOrPercent(rolling[field])?.amount : undefined));
  if (kind === STATEFUL_SET) return unavailable === 0 ? [fault([...path, 'maxUnavailable'], 'no pod may be taken away', 'write 1 or more')] : [];
  if (kind === DAEMON_SET && surge !== undefined && surge !== 0 && unavailable !== 0) {
    return isSet(rolling, 'maxUnavailable') ? [fault([...path, 'maxSurge'], 'pods may be added and taken away at once', 'write 0 for one of them')] : [];
  }
  // Defaults: 25% for both in a Deployment, 1 unavailable and no surge in a DaemonSet.
  const isStuck = unavailable === 0 && (kind === DEPLOYMENT ? surge === 0 : (surge ?? 0) === 0);
  return isStuck ? [fault([...path, 'maxUnavailable'], 'no pod may be taken away, and none added', 'raise maxSurge or maxUnavailable')] : [];
}

/** Faults of a number or a percentage. */
export function shareFaults(value: unknown, path: FieldPath, most = 100): Finding[] {
  if (typeof value === 'number') return boundsFault(path, value, 0);
  if (typeof value !== 'string') return [];
  if (!/^\d+%$/.test(value)) return [fault(path, `${JSON.stringify(value)} is not a percentage`, 'write a whole number without quotes, or a percentage such as "25%"')];
  return Number(value.slice(0, -1)) > most ? [fault(path, `${value} is more than everything`, 'write a smaller share', `up to ${most}%`)] : [];
}

const JOB_NUMBERS = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished', 'backoffLimitPerIndex', 'maxFailedIndexes'] as const;
const MOST_FAILURE_RULES = 20;

const jobs: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-JOB',
  title: 'Numbers of a Job must not be negative; fields for indexes require the completion mode Indexed and completions.',
  source: `${apiValidation('batch')} (validateJobSpec, validatePodFailurePolicy)`,
  kinds: ['batch/Job', 'batch/CronJob'],
  example: pair(
    (fields) => objectText('batch/v1', 'Job', `spec:\n  completionMode: Indexed\n  parallelism: 3\n${fields}  template:
    spec:
      restartPolicy: Never
      containers:
        - name: import
          image: registry.example.com/import:v1
`), '', '  completions: 3\n',
  ),
  check: (object) => {
    const path = groupKind(object) === 'batch/CronJob' ? ['spec', 'jobTemplate', 'spec'] : ['spec'];
    const spec = fieldAt(object, ...path);
    if (!isFields(spec)) return [];
    const isIndexed = spec.completionMode === 'Indexed';
    return allOf(
      JOB_NUMBERS.flatMap((field) => boundsFault([...path, field], spec[field], 0)),
      // Without either number the server takes 1 for both.
      isIndexed && !isSet(spec, 'completions') && isSet(spec, 'parallelism') ? [fault([...path, 'completions'], 'the completion mode Indexed needs a number of completions', 'write it')] : [],
      isIndexed ? [] : ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy'].filter((field) => isSet(spec, field))
        .map((field) => fault([...path, field], 'it needs the completion mode Indexed', 'write completionMode: Indexed, or remove it')),
      isSet(spec, 'selector') && spec.manualSelector !== true
        ? [fault([...path, 'selector'], 'a Job makes its selector itself', 'remove it')] : [],
      failureRuleFaults(object, path),
    );
  },
};

function failureRuleFaults(object: ManifestObject, path: readonly string[]): readonly Finding[] {
  const rules = objectsAt(object, ...path, 'podFailurePolicy', 'rules');
  const place = [...path, 'podFailurePolicy', 'rules'];
  return allOf(
    rules.length > MOST_FAILURE_RULES ? [fault(place, `there are ${rules.length} rules`, 'join some of them', `up to ${MOST_FAILURE_RULES}`)] : [],
    rules.flatMap(([rule, index]) => (isSet(rule, 'onExitCodes') === objectsAt(rule, 'onPodConditions').length > 0
      ? [fault([...place, index], isSet(rule, 'onExitCodes') ? 'it asks for exit codes and for conditions' : 'it asks for nothing', 'write one of onExitCodes and onPodConditions')] : [])),
  );
}

/** A part of a schedule. */
interface Part {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const PARTS: readonly Part[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, names: ['', ...MONTHS] },
  { name: 'day of the week', least: 0, most: 6, names: DAYS },
];

const MACROS: readonly string[] = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/**
 * Fault of the schedule of a CronJob.
 *
 * Source: robfig/cron v3 parser.go, as kubernetes/kubernetes pkg/util/parsers uses it.
 */
export function checkSchedule(schedule: string): string | undefined {
  if (typeof schedule !== 'string') return `${JSON.stringify(schedule)} is not a schedule`;
  if (/TZ/.test(schedule)) return 'it holds a time zone; the field timeZone is for that';
  if (MACROS.includes(schedule) || /^@every \S+$/.test(schedule)) return undefined;
  if (schedule.startsWith('@')) return `${JSON.stringify(schedule)} is not a schedule; accepted are five parts, ${MACROS.join(', ')}, and "@every" with a duration`;
  const parts = schedule.trim().split(/\s+/);
  if (parts.length !== PARTS.length || schedule.trim() === '') return `${JSON.stringify(schedule)} has ${schedule.trim() === '' ? 0 : parts.length} parts; accepted are five: ${PARTS.map(({ name }) => name).join(', ')}`;
  return PARTS.map((part, index) => checkPart(part, parts[index])).find((message) => message !== undefined);
}

function checkPart(part: Part, text: string): string | undefined {
  return text.split(',').every((range) => isRange(part, range)) ? undefined
    : `${JSON.stringify(text)} is no ${part.name}; accepted are ${part.least} to ${part.most}, "*", ranges such as ${part.least}-${part.most}, and steps such as "*/2"`;
}

function isRange(part: Part, text: string): boolean {
  const [range, step, ...more] = text.split('/');
  if (more.length > 0 || (step !== undefined && !(/^\d+$/.test(step) && Number(step) > 0))) return false;
  if (range === '*' || range === '?') return true;
  const [from, to, ...others] = range.split('-').map((one) => valueOf(part, one));
  if (others.length > 0 || from === undefined || from < part.least || from > part.most) return false;
  return !range.includes('-') || (to !== undefined && to <= part.most && to >= from);
}

function valueOf({ names = [] }: Part, text: string): number | undefined {
  const position = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (position >= 0) return position;
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

const schedule: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-CRON-SCHEDULE',
  title: 'A CronJob must have a schedule with five fields, and its time zone in timeZone.',
  source: `${apiValidation('batch')} (validateCronJobSpec), robfig/cron parser.go`,
  kinds: ['batch/CronJob'],
  example: pair((text) => objectText('batch/v1', 'CronJob', `spec:
  schedule: "${text}"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: backup
              image: registry.example.com/backup:v1
`), '0 24 * * *', '0 0 * * *'),
  check: (object) => {
    const text = stringAt(object, 'spec', 'schedule');
    const message = text === undefined ? undefined : checkSchedule(text);
    return [
      ...(message === undefined ? [] : [fault(['spec', 'schedule'], message, 'correct it, such as "0 3 * * *" for every night at three')]),
      ...(fieldAt(object, 'spec', 'timeZone') === '' ? [fault(['spec', 'timeZone'], 'it is empty', 'name a time zone such as Etc/UTC, or remove it')] : []),
      ...['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'].flatMap((field) => (
        boundsFault(['spec', field], fieldAt(object, 'spec', field), 0))),
    ];
  },
};

const AUTOSCALING = apiValidation('autoscaling');

/** Types of metrics, and the field that describes each. */
const FIELDS: Readonly<Record<string, string>> = { ContainerResource: 'containerResource', External: 'external', Object: 'object', Pods: 'pods', Resource: 'resource' };

/** Fields of a target's value, by the type of the target. */
const TARGETS: Readonly<Record<string, string>> = { AverageValue: 'averageValue', Utilization: 'averageUtilization', Value: 'value' };
const LONGEST_WINDOW = 3600;
const LONGEST_PERIOD = 1800;

const scalers: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-AUTOSCALER',
  title: 'A HorizontalPodAutoscaler must have minReplicas from 1 to maxReplicas, and each metric must match its type and have a target.',
  source: `${AUTOSCALING} (validateHorizontalPodAutoscalerSpec, validateMetricSpec)`,
  kinds: ['autoscaling/HorizontalPodAutoscaler'],
  example: pair((least) => objectText('autoscaling/v2', 'HorizontalPodAutoscaler', `spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: ${least}
  maxReplicas: 5
  metrics:
    - type: Resource
      resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}
`), '6', '2'),
  check: (object) => {
    const [least, most] = [numberAt(object, 'spec', 'minReplicas'), numberAt(object, 'spec', 'maxReplicas')];
    return [
      // Without such a metric there is nothing to scale up by.
      ...boundsFault(['spec', 'minReplicas'], least, scalesFromZero(object) ? 0 : 1),
      ...boundsFault(['spec', 'maxReplicas'], most, 1),
      ...(least !== undefined && most !== undefined && most > 0 && most < least
        ? [fault(['spec', 'maxReplicas'], `it is less than minReplicas, ${least}`, 'raise it, or lower the other', `whole numbers from ${least}`)] : []),
      ...objectsAt(object, 'spec', 'metrics').flatMap(([metric, index]) => metricFaults(metric, ['spec', 'metrics', index])),
      ...['scaleUp', 'scaleDown'].flatMap((direction) => behaviourFaults(fieldAt(object, 'spec', 'behavior', direction), ['spec', 'behavior', direction])),
    ];
  },
};

/** True if an autoscaler has a metric that does not come from its pods. */
function scalesFromZero(object: ManifestObject): boolean {
  return objectsAt(object, 'spec', 'metrics').some(([{ type }]) => type === 'Object' || type === 'External');
}

const zero: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-AUTOSCALER-GATE',
  title: 'A HorizontalPodAutoscaler with minReplicas 0 needs the feature gate HPAScaleToZero, which is off before Kubernetes 1.37.',
  source: `${AUTOSCALING} (validateHorizontalPodAutoscalerSpec), pkg/features/kube_features.go (HPAScaleToZero)`,
  kinds: ['autoscaling/HorizontalPodAutoscaler'],
  warning: true,
  example: pair((least) => objectText('autoscaling/v2', 'HorizontalPodAutoscaler', `spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: ${least}
  maxReplicas: 5
  metrics:
    - type: External
      external: {metric: {name: queue}, target: {type: AverageValue, averageValue: "5"}}
`), '0', '1'),
  check: (object) => (numberAt(object, 'spec', 'minReplicas') !== 0 || !scalesFromZero(object) ? [] : [
    fault(['spec', 'minReplicas'], 'servers before 1.37 refuse 0, unless their gate HPAScaleToZero is on', 'turn the gate on, or write 1', 'whole numbers from 1'),
  ]),
};

function metricFaults(metric: Fields, path: FieldPath): Finding[] {
  const type = stringAt(metric, 'type');
  if (type === undefined) return [];
  if (!Object.hasOwn(FIELDS, type)) return [fault([...path, 'type'], `${JSON.stringify(type)} is no type of metrics`, 'write one of these', Object.keys(FIELDS).join(', '))];
  const field = FIELDS[type];
  const others = Object.values(FIELDS).filter((other) => other !== field && isSet(metric, other));
  return [
    ...(isSet(metric, field) ? [] : [fault([...path, field], `a metric of the type ${type} is described here`, `add "${field}"`)]),
    ...others.map((other) => fault([...path, other], `a metric of the type ${type} is not described here`, 'remove it, or correct the type')),
    ...targetFaults(type, fieldAt(metric, field, 'target'), [...path, field, 'target']),
  ];
}

function targetFaults(metric: string, target: unknown, path: FieldPath): Finding[] {
  const type = stringAt(target, 'type');
  if (!isFields(target) || type === undefined) return [];
  if (!Object.hasOwn(TARGETS, type)) return [fault([...path, 'type'], `${JSON.stringify(type)} is no type of targets`, 'write one of these', Object.keys(TARGETS).join(', '))];
  const isOfPods = metric === 'Resource' || metric === 'ContainerResource';
  const accepted = isOfPods ? ['averageUtilization', 'averageValue'] : metric === 'Pods' ? ['averageValue'] : ['value', 'averageValue'];
  const written = accepted.filter((field) => isSet(target, field));
  if (written.length === 0) return [fault([...path, accepted[0]], 'nothing is aimed at', `write ${accepted.join(' or ')}`, accepted.join(', '))];
  return [
    ...(written.length > 1 && metric !== 'Object' ? [fault([...path, written[1]], `it has ${written[0]}, too`, 'leave one of them out')] : []),
    ...boundsFault([...path, 'averageUtilization'], target.averageUtilization, 1),
  ];
}

function behaviourFaults(rules: unknown, path: FieldPath): Finding[] {
  if (!isFields(rules)) return [];
  const select = stringAt(rules, 'selectPolicy');
  return [
    ...boundsFault([...path, 'stabilizationWindowSeconds'], rules.stabilizationWindowSeconds, 0, LONGEST_WINDOW),
    ...(select === undefined || ['Max', 'Min', 'Disabled'].includes(select) ? []
      : [fault([...path, 'selectPolicy'], `${JSON.stringify(select)} is none of the choices`, 'write one of them', 'Max, Min, Disabled')]),
    ...(Array.isArray(rules.policies) && listAt(rules, 'policies').length === 0 ? [fault([...path, 'policies'], 'it is empty', 'write a policy, or leave it out')] : []),
    ...objectsAt(rules, 'policies').flatMap(([policy, index]) => [
      ...boundsFault([...path, 'policies', index, 'value'], policy.value, 1),
      ...boundsFault([...path, 'policies', index, 'periodSeconds'], policy.periodSeconds, 1, LONGEST_PERIOD),
      ...(stringAt(policy, 'type') === undefined || ['Pods', 'Percent'].includes(stringAt(policy, 'type')!) ? []
        : [fault([...path, 'policies', index, 'type'], `${JSON.stringify(policy.type)} is none of the choices`, 'write one of them', 'Pods, Percent')]),
    ]),
  ];
}

function controllerText(template: string): string {
  return objectText('v1', 'ReplicationController', `spec:\n  template:\n${indented(template, 4)}    spec:\n      containers:\n        - name: web\n          image: registry.example.com/web:v1\n`);
}

/** Rules for the controllers of pods, and for their autoscalers. */
export const WORKLOADS: readonly ManifestRule[] = [selector, replicationController, numbers, strategy, jobs, schedule, scalers, zero];
