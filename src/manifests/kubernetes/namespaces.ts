import { clusterObjectText, objectText, pair } from './examples';
import { apiValidation, fault, faultIf } from './findings';
import { selectorFaults } from './scheduling';
import { shareFaults } from './workloads';
import { ManifestRule } from '../rules/manifest-rule';
import { SERVERS_FINALIZERS } from '../rules/structure/check-structure';
import { fieldAt, FieldPath, Fields, isFields, isFilled, isSet, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding, findingsAt } from '../values/finding';
import { checkQualifiedName } from '../values/labels';
import { NANO, parseQuantity } from '../values/quantity';

// kubernetes/kubernetes pkg/apis/core/helper/helpers.go: standardQuotaResources and, of these, integerResources
const COMPUTE: readonly string[] = [
  'cpu', 'memory', 'ephemeral-storage', 'requests.cpu', 'requests.memory', 'requests.storage', 'requests.ephemeral-storage',
  'limits.cpu', 'limits.memory', 'limits.ephemeral-storage',
];

/** Objects that a quota counts under names of their own. */
const COUNTED_OBJECTS: readonly string[] = [
  'pods', 'services', 'services.nodeports', 'services.loadbalancers', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps',
  'persistentvolumeclaims',
];

/** Resources that a quota limits, without those that have a size or a domain in their names. */
export const QUOTA_RESOURCES: readonly string[] = [...COMPUTE, ...COUNTED_OBJECTS];

/** True if a quota limits a resource of that name, which has no domain. */
function isStandardQuota(resource: string): boolean {
  return QUOTA_RESOURCES.includes(resource) || /^(requests\.)?hugepages-/.test(resource);
}

/** Checks the name of a resource in a quota. */
export function checkQuotaResource(resource: string): string | undefined {
  if (resource.includes('/')) return checkQualifiedName(resource);
  return isStandardQuota(resource) ? undefined
    : `a quota cannot count "${resource}"; accepted are ${QUOTA_RESOURCES.join(', ')}, requests.hugepages-<size>, requests.<domain>/<device>,`
      + ' count/<resource>.<group> and <class>.storageclass.storage.k8s.io/requests.storage';
}

/** Limits that one must not exceed the other, by the fields of an entry: those that a server derives from others come last. */
const ORDERED = [['min', 'max'], ['default', 'max'], ['defaultRequest', 'default'], ['defaultRequest', 'max'], ['min', 'defaultRequest'], ['min', 'default']] as const;

/**
 * Checks the order of the bounds in an entry of a LimitRange.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateLimitRange).
 *
 * @returns one finding for each resource: bounds that are derived from wrong ones are wrong, too
 */
export function checkLimitOrder(limit: Fields): Finding[] {
  const found = new Map<string, Finding>();
  for (const [small, large] of ORDERED) {
    const [less, more] = [limit[small], limit[large]];
    if (!isFields(less) || !isFields(more)) continue;
    for (const name of Object.keys(less)) {
      const [one, other] = [amountOf(less[name]), amountOf(more[name])];
      if (one === undefined || other === undefined || one <= other || found.has(name)) continue;
      const most = String(more[name]);
      found.set(name, { path: [small, name], message: `${String(less[name])} is more than ${large}, ${most}`, accepted: `up to ${most}`, fix: 'lower it, or raise the other' });
    }
  }
  return [...found.values()];
}

function amountOf(value: unknown): bigint | undefined {
  return ['string', 'number'].includes(typeof value) && String(value).length < 100 ? parseQuantity(String(value)) : undefined;
}

const SOURCE = apiValidation('core');

/** Longer quantities are not read. */
const LONGEST = 100;

const budgets: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-DISRUPTION-BUDGET',
  title: 'A PodDisruptionBudget must not have both minAvailable and maxUnavailable; each must be a number or a percentage.',
  source: `${apiValidation('policy')} (ValidatePodDisruptionBudgetSpec)`,
  kinds: ['policy/PodDisruptionBudget'],
  example: pair((fields) => objectText('policy/v1', 'PodDisruptionBudget', `spec:\n${fields}  selector:\n    matchLabels: {app: web}\n`),
    '  minAvailable: 1\n  maxUnavailable: 1\n', '  maxUnavailable: 1\n'),
  check: (object) => [
    ...(isSet(object, 'spec', 'minAvailable') && isSet(object, 'spec', 'maxUnavailable')
      ? [fault(['spec', 'maxUnavailable'], 'minAvailable is there, too', 'leave one of them out')] : []),
    ...['minAvailable', 'maxUnavailable'].flatMap((field) => shareFaults(fieldAt(object, 'spec', field), ['spec', field])),
    ...selectorFaults(fieldAt(object, 'spec', 'selector'), ['spec', 'selector']),
  ],
};

const POD_RESOURCES: ReadonlySet<string> = new Set(['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']);
const POD_COUNT: ReadonlySet<string> = new Set(['pods']);
const CLAIM_RESOURCES: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'requests.storage']);

/** Resources that a scope can limit; others are refused by their choices. */
const OF_SCOPE: Readonly<Record<string, ReadonlySet<string>>> = {
  Terminating: POD_RESOURCES,
  NotTerminating: POD_RESOURCES,
  NotBestEffort: POD_RESOURCES,
  PriorityClass: POD_RESOURCES,
  CrossNamespacePodAffinity: POD_RESOURCES,
  BestEffort: POD_COUNT,
  VolumeAttributesClass: CLAIM_RESOURCES,
};

const OPPOSITES = [['BestEffort', 'NotBestEffort'], ['Terminating', 'NotTerminating']] as const;

const quotas: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-RESOURCE-QUOTA',
  title: 'A ResourceQuota must limit countable resources, by quantities from 0, in matching scopes.',
  source: `${SOURCE} (ValidateResourceQuotaSpec), pkg/apis/core/helper/helpers.go`,
  kinds: ['/ResourceQuota'],
  example: pair((name) => objectText('v1', 'ResourceQuota', `spec:\n  hard:\n    ${name}: 10\n`), 'cpus', 'requests.cpu'),
  check: (object) => {
    const hard = fieldAt(object, 'spec', 'hard');
    const names = Object.keys(isFields(hard) ? hard : {});
    const scopes = stringsAt(object, 'spec', 'scopes').map(([scope]) => scope);
    const selected = objectsAt(object, 'spec', 'scopeSelector', 'matchExpressions');
    const all = [...scopes.map((scope) => ({ scope, path: ['spec', 'scopes'] as FieldPath })), ...selected.map(([one, index]) => ({
      scope: stringAt(one, 'scopeName') ?? '', path: ['spec', 'scopeSelector', 'matchExpressions', index, 'scopeName'] as FieldPath,
    }))];
    return [
      ...names.flatMap((name) => amountFaults(name, (hard as Fields)[name], ['spec', 'hard', name])),
      ...all.flatMap(({ scope, path }) => {
        const outside = Object.hasOwn(OF_SCOPE, scope) ? names.filter((name) => isStandardQuota(name) && !OF_SCOPE[scope].has(name)) : [];
        return outside.length === 0 ? [] : [fault(path, `the scope ${scope} says nothing of ${outside.join(', ')}`, 'write another ResourceQuota for these')];
      }),
      ...OPPOSITES.filter((pair_) => pair_.every((scope) => scopes.includes(scope))).map((pair_) => (
        fault(['spec', 'scopes'], `nothing is ${pair_.join(' and ')} at once`, 'leave one of them out'))),
      ...selected.flatMap(([one, index]) => scopeFaults(one, ['spec', 'scopeSelector', 'matchExpressions', index])),
    ];
  },
};

function scopeFaults(expression: Fields, path: FieldPath): Finding[] {
  const [scope, operator] = [stringAt(expression, 'scopeName'), stringAt(expression, 'operator')];
  const count = stringsAt(expression, 'values').length;
  if (operator === undefined) return [];
  if (scope !== undefined && scope !== 'PriorityClass' && scope !== 'VolumeAttributesClass' && Object.hasOwn(OF_SCOPE, scope) && operator !== 'Exists') {
    return [fault([...path, 'operator'], `the scope ${scope} has no values`, 'write Exists', 'Exists')];
  }
  const isListed = operator === 'In' || operator === 'NotIn';
  return isListed === count > 0 ? [] : [fault([...path, 'values'], isListed ? `${operator} needs values` : `${operator} takes no values`, isListed ? 'write them' : 'remove them')];
}

function amountFaults(name: string, value: unknown, path: FieldPath): Finding[] {
  const nameFault = checkQuotaResource(name);
  if (nameFault !== undefined) return [fault(path, nameFault, 'correct the name')];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text.length > LONGEST && COUNTED_OBJECTS.includes(name)) return [fault(path, 'it is too large', 'write a whole number')];
  const amount = text.length > LONGEST ? undefined : parseQuantity(text);
  if (amount === undefined) return [];
  if (amount < 0n) return [fault(path, `${text} is negative`, 'write a quantity from 0')];
  return COUNTED_OBJECTS.includes(name) && amount % NANO !== 0n ? [fault(path, `${text} is not a whole number`, 'write a whole number')] : [];
}

const LIMITED: readonly string[] = ['default', 'defaultRequest', 'max', 'min', 'maxLimitRequestRatio'];

/** Resources without a domain in their names (pkg/apis/core/helper/helpers.go, standardResources). */
const STANDARD: readonly string[] = [...new Set([...COMPUTE, ...COUNTED_OBJECTS, 'storage'])];

function checkLimitedResource(name: string): string | undefined {
  if (name.includes('/')) return checkQualifiedName(name);
  return STANDARD.includes(name) || name.startsWith('hugepages-') || name.startsWith('requests.hugepages-') ? undefined : `${JSON.stringify(name)} is no resource`;
}

const ranges: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-LIMIT-RANGE',
  title: 'A LimitRange must have one entry per type, with min, default and max in order; pods cannot have defaults.',
  source: `${SOURCE} (ValidateLimitRange)`,
  kinds: ['/LimitRange'],
  example: pair((most) => objectText('v1', 'LimitRange', `spec:\n  limits:\n    - type: Container\n      default: {cpu: 500m}\n      max: {cpu: ${most}}\n`), '250m', '1'),
  check: (object) => {
    const limits = objectsAt(object, 'spec', 'limits');
    const types = limits.map(([limit]) => stringAt(limit, 'type'));
    return limits.flatMap(([limit, index]) => {
      const path = ['spec', 'limits', index];
      const type = stringAt(limit, 'type');
      return [
        ...(type !== undefined && types.indexOf(type) < index ? [fault([...path, 'type'], `the type ${type} is there twice`, 'join the entries')] : []),
        ...(type !== undefined && !type.includes('/') && !['Container', 'Pod', 'PersistentVolumeClaim'].includes(type)
          ? [fault([...path, 'type'], `${JSON.stringify(type)} is no type of limits`, 'write one of these', 'Container, Pod, PersistentVolumeClaim')] : []),
        ...(type === 'Pod' ? ['default', 'defaultRequest'].filter((field) => isFilled(limit, field))
          .map((field) => fault([...path, field], 'pods have no defaults', 'write an entry of the type Container')) : []),
        ...(type === 'PersistentVolumeClaim' && !isSet(limit, 'min', 'storage') && !isSet(limit, 'max', 'storage')
          ? [fault([...path, 'max'], 'the storage of claims is not bounded', 'write min or max of storage')] : []),
        ...LIMITED.flatMap((field) => Object.keys(isFields(limit[field]) ? limit[field] : {})
          .flatMap((name) => faultIf([...path, field, name], checkLimitedResource(name), 'write the name as containers have it'))),
        ...findingsAt(path, checkLimitOrder(limit)),
      ];
    });
  },
};

const LEVELS: readonly string[] = ['privileged', 'baseline', 'restricted'];
const MODES = ['enforce', 'audit', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}`);

const podSecurity: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-POD-SECURITY',
  title: 'Labels of Pod Security must have a level that exists, and a version of Kubernetes.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/pod-security-admission/api/helpers.go (PolicyToEvaluate)',
  kinds: ['/Namespace'],
  example: pair((level) => clusterObjectText('v1', 'Namespace', '').replace('name: web\n', `name: web\n  labels:\n    pod-security.kubernetes.io/enforce: ${level}\n`), 'strict', 'restricted'),
  check: (object) => MODES.flatMap((label) => {
    const [level, version] = [label, `${label}-version`].map((key) => fieldAt(object, 'metadata', 'labels', key));
    const path = ['metadata', 'labels'];
    return [
      ...(typeof level !== 'string' || LEVELS.includes(level) ? [] : [fault([...path, label], `${JSON.stringify(level)} is no level`, 'write one of them', LEVELS.join(', '))]),
      ...(typeof version !== 'string' || /^(latest|v1\.(0|[1-9]\d*))$/.test(version) ? []
        : [fault([...path, `${label}-version`], `${JSON.stringify(version)} is no version`, 'write one such as v1.36', 'latest, v1.MINOR')]),
    ];
  }),
};

const finalizers: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-NAMESPACE-FINALIZER',
  title: 'Finalizers of a new Namespace must be names with a domain, or those that servers know.',
  source: `${SOURCE} (validateFinalizerName)`,
  kinds: ['/Namespace'],
  example: pair((finalizer) => clusterObjectText('v1', 'Namespace', `spec:\n  finalizers: [${finalizer}]\n`), 'cleanup', 'example.com/cleanup'),
  check: (object) => stringsAt(object, 'spec', 'finalizers').flatMap(([finalizer, index]) => {
    const message = checkQualifiedName(finalizer)
      ?? (finalizer.includes('/') || SERVERS_FINALIZERS.includes(finalizer) ? undefined : `${JSON.stringify(finalizer)} has no domain`);
    return message === undefined ? [] : [fault(['spec', 'finalizers', index], message, 'put the domain of the controller that removes it before it',
      `a name with a domain, such as example.com/cleanup, or ${SERVERS_FINALIZERS.join(', ')}`)];
  }),
};

/** Rules for the limits, the security and the removal of a namespace. */
export const NAMESPACES: readonly ManifestRule[] = [budgets, quotas, ranges, podSecurity, finalizers];
