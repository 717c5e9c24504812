import { clusterObjectText, containerText, pair } from './examples';
import { apiValidation, boundsFault, fault, faultIf } from './findings';
import { checkLabelSelector } from '../rules/label-selectors';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS, podOf } from '../rules/pod-objects';
import { checkDnsLabel } from '../values/dns';
import { fieldAt, FieldPath, isFields, isSet, listAt, numberAt, objectsAt, stringAt } from '../values/fields';
import { Finding, findingsAt } from '../values/finding';
import { checkLabelKey, checkLabelValue } from '../values/labels';
import { checkToleration } from '../values/taints';

const SOURCE = apiValidation('core');
const HIGHEST_WEIGHT = 100;
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Faults of a selector of labels, in words of findings. */
export function selectorFaults(selector: unknown, path: FieldPath): Finding[] {
  return findingsAt(path, checkLabelSelector(selector));
}

const tolerations: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-TOLERATION',
  title: 'A toleration without a key must have the operator Exists, which has no value; tolerationSeconds require the effect NoExecute.',
  source: `${SOURCE} (ValidateTolerations)`,
  kinds: POD_KINDS,
  example: pair((fields) => containerText('', `tolerations:\n${fields}`), '  - operator: Exists\n    value: "true"\n', '  - operator: Exists\n'),
  check: (object) => {
    const pod = podOf(object);
    return pod ? objectsAt(pod.spec, 'tolerations').flatMap(([toleration, index]) => findingsAt([...pod.specPath, 'tolerations', index], checkToleration(toleration))) : [];
  },
};

const affinity: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-AFFINITY',
  title: 'Terms of an affinity must have a key, an operator and its values; preferences must have a weight from 1 to 100.',
  source: `${SOURCE} (validateAffinity, ValidateNodeSelectorRequirement)`,
  kinds: POD_KINDS,
  example: pair(
    (values) => containerText('', `affinity:\n  nodeAffinity:\n    ${REQUIRED}:\n      nodeSelectorTerms:\n        - matchExpressions:\n            - ${values}\n`),
    '{key: kubernetes.io/arch, operator: In}', '{key: kubernetes.io/arch, operator: In, values: [amd64]}',
  ),
  check: (object) => {
    const pod = podOf(object);
    if (!isFields(pod?.spec.affinity)) return [];
    const at = (...path: (string | number)[]) => [...pod.specPath, 'affinity', ...path];
    const terms = fieldAt(pod.spec, 'affinity', 'nodeAffinity', REQUIRED, 'nodeSelectorTerms');
    return [
      ...(Array.isArray(terms) && terms.length === 0 ? [fault(at('nodeAffinity', REQUIRED, 'nodeSelectorTerms'), 'it is empty, and no node fits', 'write a term')] : []),
      ...nodeSelectorFaults(fieldAt(pod.spec, 'affinity', 'nodeAffinity', REQUIRED), at('nodeAffinity', REQUIRED)),
      ...objectsAt(pod.spec, 'affinity', 'nodeAffinity', PREFERRED).flatMap(([term, index]) => [
        ...boundsFault(at('nodeAffinity', PREFERRED, index, 'weight'), term.weight, 1, HIGHEST_WEIGHT),
        ...termFaults(fieldAt(term, 'preference'), at('nodeAffinity', PREFERRED, index, 'preference'), false),
      ]),
      ...['podAffinity', 'podAntiAffinity'].flatMap((kind) => [
        ...objectsAt(pod.spec, 'affinity', kind, REQUIRED).flatMap(([term, index]) => podTermFaults(term, at(kind, REQUIRED, index))),
        ...objectsAt(pod.spec, 'affinity', kind, PREFERRED).flatMap(([term, index]) => [
          ...boundsFault(at(kind, PREFERRED, index, 'weight'), term.weight, 1, HIGHEST_WEIGHT),
          ...podTermFaults(fieldAt(term, 'podAffinityTerm'), at(kind, PREFERRED, index, 'podAffinityTerm')),
        ]),
      ]),
    ];
  },
};

/** Faults of a selector of nodes. */
export function nodeSelectorFaults(selector: unknown, path: FieldPath): Finding[] {
  return objectsAt(selector, 'nodeSelectorTerms').flatMap(([term, index]) => termFaults(term, [...path, 'nodeSelectorTerms', index]));
}

function termFaults(term: unknown, path: FieldPath, isRequired = true): Finding[] {
  return ['matchExpressions', 'matchFields'].flatMap((list) => objectsAt(term, list).flatMap(([expression, index]) => {
    const place = [...path, list, index];
    const [key, operator] = [stringAt(expression, 'key'), stringAt(expression, 'operator')];
    const values = listAt(expression, 'values');
    if (list === 'matchFields' && key !== undefined && key !== 'metadata.name') {
      return [fault([...place, 'key'], `nodes are not found by their field ${JSON.stringify(key)}`, 'name this field', 'metadata.name')];
    }
    return [
      ...(list === 'matchExpressions' && key !== undefined ? faultIf([...place, 'key'], checkLabelKey(key), 'write the label as nodes have it') : []),
      ...(list === 'matchFields' && (operator === 'In' || operator === 'NotIn') && values.length !== 1 ? [fault([...place, 'values'], `there are ${values.length} values`, 'write one')] : []),
      ...(list === 'matchExpressions' ? operatorFaults(operator, values.length, place) : []),
      ...(list === 'matchExpressions' && isRequired ? values.flatMap((value, position) => (
        typeof value === 'string' ? faultIf([...place, 'values', position], checkLabelValue(value), 'write the label as nodes have it') : [])) : []),
    ];
  }));
}

function operatorFaults(operator: string | undefined, count: number, path: FieldPath): Finding[] {
  switch (operator) {
    case 'In':
    case 'NotIn': return count > 0 ? [] : [fault([...path, 'values'], `${operator} needs values`, 'write them')];
    case 'Exists':
    case 'DoesNotExist': return count === 0 ? [] : [fault([...path, 'values'], `${operator} takes no values`, 'remove them')];
    case 'Gt':
    case 'Lt': return count === 1 ? [] : [fault([...path, 'values'], `${operator} needs one value`, 'write one number, in quotes')];
    default: return [];
  }
}

function podTermFaults(term: unknown, path: FieldPath): Finding[] {
  const topology = fieldAt(term, 'topologyKey');
  return [
    ...(typeof topology === 'string' && topology !== '' ? faultIf([...path, 'topologyKey'], checkLabelKey(topology), 'write the label as nodes have it') : []),
    ...['labelSelector', 'namespaceSelector'].flatMap((field) => selectorFaults(fieldAt(term, field), [...path, field])),
  ];
}

const spread: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-TOPOLOGY-SPREAD',
  title: 'A topology spread constraint must have a maxSkew from 1; minDomains needs DoNotSchedule, and matchLabelKeys a labelSelector.',
  source: `${SOURCE} (validateTopologySpreadConstraints)`,
  kinds: POD_KINDS,
  example: pair((skew) => containerText('', `topologySpreadConstraints:
  - maxSkew: ${skew}
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: DoNotSchedule
    labelSelector:
      matchLabels: {app: web}
`), '0', '1'),
  check: (object) => {
    const pod = podOf(object);
    if (!pod) return [];
    const path = [...pod.specPath, 'topologySpreadConstraints'];
    const constraints = objectsAt(pod.spec, 'topologySpreadConstraints');
    if (constraints.length === 0) return [];
    return [
      ...constraints.flatMap(([constraint, index]) => [
        ...boundsFault([...path, index, 'maxSkew'], constraint.maxSkew, 1),
        ...boundsFault([...path, index, 'minDomains'], constraint.minDomains, 1),
        ...(isSet(constraint, 'minDomains') && constraint.whenUnsatisfiable !== 'DoNotSchedule'
          ? [fault([...path, index, 'minDomains'], 'it counts only where pods wait for a place', 'write whenUnsatisfiable: DoNotSchedule, or remove it')] : []),
        ...(listAt(constraint, 'matchLabelKeys').length > 0 && !isSet(constraint, 'labelSelector')
          ? [fault([...path, index, 'matchLabelKeys'], 'there is no labelSelector that it could narrow', 'write labelSelector, or remove it')] : []),
        ...selectorFaults(constraint.labelSelector, [...path, index, 'labelSelector']),
      ]),
    ];
  },
};

const HIGHEST_PRIORITY = 1_000_000_000;
const SYSTEM = ['system-cluster-critical', 'system-node-critical'];

const priorities: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-PRIORITY-CLASS',
  title: 'The value of a PriorityClass must not exceed 1000000000, and its name must not be reserved by Kubernetes.',
  source: `${apiValidation('scheduling')} (ValidatePriorityClass)`,
  kinds: ['scheduling.k8s.io/PriorityClass'],
  example: pair((value) => clusterObjectText('scheduling.k8s.io/v1', 'PriorityClass', `value: ${value}\n`), '2000000000', '1000000000'),
  check: (object) => {
    const [name, value] = [stringAt(object, 'metadata', 'name') ?? '', numberAt(object, 'value') ?? 0];
    if (SYSTEM.includes(name)) return [];
    return [
      ...(name.startsWith('system-') ? [fault(['metadata', 'name'], 'names with "system-" are those of the system', 'choose another name')] : []),
      ...(value > HIGHEST_PRIORITY && !name.startsWith('system-') ? [fault(['value'], `${value} is for the system`, 'write a smaller number', `up to ${HIGHEST_PRIORITY}`)] : []),
    ];
  },
};

const runtimes: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-RUNTIME-CLASS',
  title: 'The handler of a RuntimeClass must be a DNS label, and its tolerations must be valid tolerations of pods.',
  source: `${apiValidation('node')} (ValidateRuntimeClass)`,
  kinds: ['node.k8s.io/RuntimeClass'],
  example: pair((handler) => clusterObjectText('node.k8s.io/v1', 'RuntimeClass', `handler: ${handler}\n`), 'kata_qemu', 'kata-qemu'),
  check: (object) => [
    ...(typeof object.handler === 'string' ? faultIf(['handler'], checkDnsLabel(object.handler), 'write the name as the container runtime has it') : []),
    ...objectsAt(object, 'scheduling', 'tolerations').flatMap(([toleration, index]) => findingsAt(['scheduling', 'tolerations', index], checkToleration(toleration))),
  ],
};

/** Rules for the placement of pods, PriorityClasses and RuntimeClasses. */
export const SCHEDULING: readonly ManifestRule[] = [tolerations, affinity, spread, priorities, runtimes];
