import { deploymentText, objectText, pair } from './examples';
import { apiValidation, boundsFault, fault } from './findings';
import { podOf } from './pods';
import { selectorFaults } from './scheduling';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { allOf } from '../rules/all-of';
import { parseIntOrPercent } from '../rules/int-or-percent';
import { isEmptySelector, selects } from '../rules/label-selectors';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, FieldPath, isFields, isSet, objectsAt, numberAt, stringAt } from '../values/fields';
import { Finding } from '../values/finding';

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
  // What is not there is 25% in a Deployment, and 1 and 0 in a DaemonSet.
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

/** What runs pods. */
export const WORKLOADS: readonly ManifestRule[] = [selector, numbers, strategy, jobs];

