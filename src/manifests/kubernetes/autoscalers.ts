import { objectText, pair } from './examples';
import { apiValidation, boundsFault, fault } from './findings';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, numberAt, stringAt } from '../values/fields';
import { Finding } from '../values/finding';

const SOURCE = apiValidation('autoscaling');

/** Types of metrics, and the field that describes each. */
const FIELDS: Readonly<Record<string, string>> = { ContainerResource: 'containerResource', External: 'external', Object: 'object', Pods: 'pods', Resource: 'resource' };

/** What is aimed at, by the type of the target, and the fields that say it. */
const TARGETS: Readonly<Record<string, string>> = { AverageValue: 'averageValue', Utilization: 'averageUtilization', Value: 'value' };
const LONGEST_WINDOW = 3600;
const LONGEST_PERIOD = 1800;

const scalers: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-AUTOSCALER',
  title: 'A HorizontalPodAutoscaler must have minReplicas from 1 to maxReplicas, and each metric must match its type and have a target.',
  source: `${SOURCE} (validateHorizontalPodAutoscalerSpec, validateMetricSpec)`,
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
      ...boundsFault(['spec', 'minReplicas'], least, 1),
      ...boundsFault(['spec', 'maxReplicas'], most, 1),
      ...(least !== undefined && most !== undefined && most > 0 && most < least
        ? [fault(['spec', 'maxReplicas'], `it is less than minReplicas, ${least}`, 'raise it, or lower the other', `whole numbers from ${least}`)] : []),
      ...objectsAt(object, 'spec', 'metrics').flatMap(([metric, index]) => metricFaults(metric, ['spec', 'metrics', index])),
      ...['scaleUp', 'scaleDown'].flatMap((direction) => behaviourFaults(fieldAt(object, 'spec', 'behavior', direction), ['spec', 'behavior', direction])),
    ];
  },
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

/** HorizontalPodAutoscalers. */
export const AUTOSCALERS: readonly ManifestRule[] = [scalers];
