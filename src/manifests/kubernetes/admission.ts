import { clusterObjectText, pair } from './examples';
import { apiValidation, boundsFault, fault, faultIf, repetitions, subdomainFault } from './findings';
import { policyExpressions } from './policy-expressions';
import { policyVariables } from './policy-variables';
import { selectorFaults } from './scheduling';
import { ManifestRule } from '../rules/manifest-rule';
import { checkDns1035Label, checkDnsSubdomain } from '../values/dns';
import { fieldAt, FieldPath, Fields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { allOf, Finding } from '../values/finding';
import { checkQualifiedName } from '../values/labels';

/**
 * Checks the path of a webhook behind a Service.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/util/webhook/validation.go (`ValidateWebhookService`).
 *
 * @returns what is wrong with it, or undefined
 */
export function checkServicePath(path: string): string | undefined {
  const segments = path.replace(/\/$/, '').split('/').slice(1);
  if (!path.startsWith('/')) return `"${path}" does not start with "/"`;
  return segments.every((segment) => checkDnsSubdomain(segment) === undefined) ? undefined
    : `"${path}" has a part that is not made of lower-case letters, digits, "-" and "."`;
}

const SOURCE = apiValidation('admissionregistration');
const GROUP = 'admissionregistration.k8s.io';
const LONGEST_TIMEOUT = 30;
const HIGHEST_PORT = 65535;
const MOST_MATCH_CONDITIONS = 64;
const SCOPES = ['*', 'Cluster', 'Namespaced'];

/** Fields of a webhook whose defaults replace missing values only, not empty strings. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  reinvocationPolicy: ['IfNeeded', 'Never'],
};

const webhooks: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-WEBHOOK',
  title: 'A webhook must have a DNS name of three labels, either a Service or an https URL, and valid rules and conditions.',
  source: `${SOURCE} (validateValidatingWebhook, validateMutatingWebhook, validateRule, validateMatchConditions)`,
  kinds: [`${GROUP}/MutatingWebhookConfiguration`, `${GROUP}/ValidatingWebhookConfiguration`],
  example: pair((name) => clusterObjectText(`${GROUP}/v1`, 'ValidatingWebhookConfiguration', `webhooks:
  - name: ${name}
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig:
      service: {name: hook, namespace: acme}
    rules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
`), 'pods', 'pods.hook.example.com'),
  check: (object) => objectsAt(object, 'webhooks').flatMap(([hook, index]) => hookFaults(hook, ['webhooks', index])),
};

function hookFaults(hook: Fields, path: FieldPath): Finding[] {
  const { name } = hook;
  const versions = stringsAt(hook, 'admissionReviewVersions').map(([version]) => version);
  return [
    ...(typeof name === 'string' ? faultIf([...path, 'name'], checkDnsSubdomain(name) ?? (name.split('.').length < 3 ? `${JSON.stringify(name)} has fewer than three parts` : undefined),
      'write a DNS name of your own, such as pods.hook.example.com') : []),
    ...(Array.isArray(hook.admissionReviewVersions) && !versions.includes('v1') && !versions.includes('v1beta1')
      ? [fault([...path, 'admissionReviewVersions'], versions.length === 0 ? 'it is empty' : `${versions.join(', ')}: API servers use none of these`, 'add v1', 'v1, v1beta1')] : []),
    ...reviewVersionFaults(hook, 'admissionReviewVersions', path),
    ...Object.entries(CHOICES).flatMap(([field, choices]) => choiceFault([...path, field], hook[field], choices)),
    ...boundsFault([...path, 'timeoutSeconds'], hook.timeoutSeconds, 1, LONGEST_TIMEOUT),
    ...['namespaceSelector', 'objectSelector'].flatMap((field) => selectorFaults(hook[field], [...path, field])),
    ...conditionFaults(objectsAt(hook, 'matchConditions'), [...path, 'matchConditions']),
    ...clientFaults(hook.clientConfig, [...path, 'clientConfig']),
    ...objectsAt(hook, 'rules').flatMap(([rule, index]) => ruleFaults(rule, [...path, 'rules', index])),
  ];
}

/** Faults of the place that a webhook is asked at. */
export function clientFaults(client: unknown, path: FieldPath): Finding[] {
  if (!isSet(client)) return [];
  const [url, service] = [isSet(client, 'url'), isSet(client, 'service')];
  if (url === service) return [fault(path, url ? 'it has two places to be asked at' : 'it has no place to be asked at', 'write one of them', 'url, service')];
  const [text, servicePath] = [stringAt(client, 'url'), stringAt(client, 'service', 'path')];
  return [
    ...(url && (text === undefined || !/^https:\/\/[^/@?#]+(\/[^?#]*)?$/.test(text))
      ? [fault([...path, 'url'], `${JSON.stringify((client as Fields).url)} is not a place for webhooks`, 'write https://, a host and a path')] : []),
    ...boundsFault([...path, 'service', 'port'], ((client as Fields).service as Fields | undefined)?.port, 1, HIGHEST_PORT),
    ...faultIf([...path, 'service', 'path'], servicePath === undefined ? undefined : checkServicePath(servicePath), 'write a path such as "/validate"'),
  ];
}

/** Faults of the versions of reviews that a webhook reads. */
export function reviewVersionFaults(fields: unknown, name: string, path: FieldPath): Finding[] {
  const versions = stringsAt(fields, name);
  return [
    ...versions.flatMap(([version, index]) => faultIf([...path, name, index], checkDns1035Label(version), 'write a version such as v1')),
    ...repetitions(versions, ([version]) => version, ([, index]) => [...path, name, index], 'the version'),
  ];
}

/** Faults of a rule for the requests that are matched. */
function ruleFaults(rule: Fields, path: FieldPath): Finding[] {
  const lists = ['apiGroups', 'apiVersions', 'operations', 'resources'].flatMap((field) => {
    const strings = stringsAt(rule, field);
    const values = strings.map(([value]) => value);
    if (listAt(rule, field).length === 0) return [fault([...path, field], 'it is empty, or not there', 'write it, "*" for all')];
    // Of groups, the empty one is Kubernetes' core.
    const empty = field === 'apiVersions' || field === 'resources' ? strings.filter(([value]) => value === '') : [];
    if (empty.length > 0) return empty.map(([, index]) => fault([...path, field, index], 'it is empty', 'write it, "*" for all'));
    return field !== 'resources' && values.includes('*') && values.length > 1 ? [fault([...path, field], '"*" stands beside others', 'leave it alone, or leave it out')] : [];
  });
  return [...lists, ...choiceFault([...path, 'scope'], rule.scope, SCOPES)];
}

/** A finding for a string that is none of the choices, or empty. */
function choiceFault(path: FieldPath, value: unknown, choices: readonly string[]): Finding[] {
  if (typeof value !== 'string' || choices.includes(value)) return [];
  return [fault(path, value === '' ? 'it is empty, or missing' : `${JSON.stringify(value)} is not a choice`, 'write one of them', choices.join(', '))];
}

/** Faults of conditions of requests. */
function conditionFaults(conditions: ReturnType<typeof objectsAt>, path: FieldPath): Finding[] {
  return entryFaults(path, conditions, ['name', 'expression'], checkQualifiedName, MOST_MATCH_CONDITIONS);
}

/** Faults of entries that have a name and an expression in CEL. */
function entryFaults(
  path: FieldPath, entries: ReturnType<typeof objectsAt>, [nameField, expressionField]: readonly [string, string],
  check: (name: string) => string | undefined, most = Infinity,
): Finding[] {
  return [
    ...entries.flatMap(([entry, index]) => {
      const name = stringAt(entry, nameField);
      return [
        ...faultIf([...path, index, nameField], name === undefined ? undefined : check(name), 'write letters and digits'),
        ...blankFault([...path, index, expressionField], entry[expressionField]),
      ];
    }),
    ...(entries.length > most ? [fault(path, `${entries.length} are too many`, 'remove some', `up to ${most}`)] : []),
  ];
}

/** A finding for a string of spaces. An empty one is reported with the structure, or counts as missing. */
function blankFault(path: FieldPath, value: unknown): Finding[] {
  return typeof value === 'string' && value !== '' && value.trim() === '' ? [fault(path, 'it is blank', 'write it')] : [];
}

const MISSING = 'it is empty, or missing';
const MOST_AUDIT_ANNOTATIONS = 20;
const MATCH_POLICIES = ['Equivalent', 'Exact'];
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const FAILURE_POLICIES = ['Fail', 'Ignore'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];
const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Fields of a mutation, by its patch type. */
const PATCHES: Readonly<Record<string, string>> = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' };
const NOT_FOUND_ACTIONS = ['Allow', 'Deny'];
const CEL_RESERVED = new Set([
  'true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop', 'package',
  'namespace', 'return', 'var', 'void', 'while',
]);

const policies: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-ADMISSION-POLICY',
  title: 'A ValidatingAdmissionPolicy must match requests by rules and check or annotate them; names in it must be valid.',
  source: `${SOURCE} (validateValidatingAdmissionPolicySpec), v1.36.3`,
  kinds: [`${GROUP}/ValidatingAdmissionPolicy`],
  example: pair((operations) => clusterObjectText(`${GROUP}/v1`, 'ValidatingAdmissionPolicy', `spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: ${operations}, resources: [services]}
  validations:
    - expression: object.spec.type != "NodePort"
`), '[]', '[CREATE, UPDATE]'),
  check: ({ spec, metadata }) => {
    const at = (...fields: (string | number)[]): FieldPath => ['spec', ...fields];
    const rules = objectsAt(spec, 'matchConstraints', 'resourceRules');
    const [conditions, variables, validations, annotations] = ['matchConditions', 'variables', 'validations', 'auditAnnotations']
      .map((field) => objectsAt(spec, field));
    // The server reads the key as the part of a qualified name after that of the policy.
    const keyOf = (key: string) => checkQualifiedName(`${stringAt(metadata, 'name') ?? 'policy'}/${key}`);
    return allOf(
      rules.length > 0 ? [] : [fault(at('matchConstraints', 'resourceRules'), MISSING, 'write a rule for the requests to match')],
      matchFaults(fieldAt(spec, 'matchConstraints'), at('matchConstraints')),
      validations.length + annotations.length > 0 ? []
        : [fault(at('validations'), 'there is neither a validation nor an audit annotation', 'write one of them')],
      paramKindFaults(fieldAt(spec, 'paramKind'), at('paramKind')),
      conditionFaults(conditions, at('matchConditions')),
      entryFaults(at('variables'), variables, ['name', 'expression'], checkCelIdentifier),
      validations.flatMap(([validation, index]) => validationFaults(validation, at('validations', index))),
      entryFaults(at('auditAnnotations'), annotations, ['key', 'valueExpression'], keyOf, MOST_AUDIT_ANNOTATIONS),
      repetitions(annotations, ([annotation]) => stringAt(annotation, 'key'), ([, index]) => at('auditAnnotations', index, 'key'), 'the key'),
    );
  },
};

const bindings: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-ADMISSION-POLICY-BINDING',
  title: 'A ValidatingAdmissionPolicyBinding must name a policy and at least one action; Deny and Warn exclude each other.',
  source: `${SOURCE} (validateValidatingAdmissionPolicyBindingSpec), v1.36.3`,
  kinds: [`${GROUP}/ValidatingAdmissionPolicyBinding`],
  example: pair((actions) => clusterObjectText(`${GROUP}/v1`, 'ValidatingAdmissionPolicyBinding', `spec:
  policyName: no-node-ports
  validationActions: ${actions}
`), '[Deny, Warn]', '[Deny, Audit]'),
  check: ({ spec }) => {
    const path = ['spec', 'validationActions'];
    const actions = stringsAt(spec, 'validationActions');
    const texts = actions.map(([action]) => action);
    return allOf(
      stringAt(spec, 'policyName') === undefined ? [fault(['spec', 'policyName'], MISSING, 'write the name of the policy')] : [],
      subdomainFault(['spec', 'policyName'], fieldAt(spec, 'policyName')),
      listAt(spec, 'validationActions').length === 0 ? [fault(path, MISSING, 'write an action', 'Audit, Deny, Warn')] : [],
      texts.includes('Deny') && texts.includes('Warn')
        ? [fault(path, 'Deny and Warn report the same failure twice', 'remove one of them')] : [],
      repetitions(actions, ([action]) => action, ([, index]) => [...path, index], 'the action'),
      paramRefFaults(fieldAt(spec, 'paramRef'), ['spec', 'paramRef']),
      matchFaults(fieldAt(spec, 'matchResources'), ['spec', 'matchResources']),
    );
  },
};

const mutations: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-MUTATING-POLICY',
  title: 'A MutatingAdmissionPolicy must match requests by rules, not for DELETE, and have mutations that fit their patch types; names in it must be valid.',
  source: `${SOURCE} (validateMutatingAdmissionPolicySpec), v1.36.3`,
  kinds: [`${GROUP}/MutatingAdmissionPolicy`],
  example: pair((operations) => clusterObjectText(`${GROUP}/v1`, 'MutatingAdmissionPolicy', `spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: ${operations}, resources: [services]}
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration:
        expression: 'Object{spec: Object.spec{allocateLoadBalancerNodePorts: false}}'
`), '[CREATE, DELETE]', '[CREATE, UPDATE]'),
  check: ({ spec }) => {
    const at = (...fields: (string | number)[]): FieldPath => ['spec', ...fields];
    const steps = objectsAt(spec, 'mutations');
    return allOf(
      listAt(spec, 'matchConstraints', 'resourceRules').length > 0 ? []
        : [fault(at('matchConstraints', 'resourceRules'), MISSING, 'write a rule for the requests to match')],
      mutatingMatchFaults(fieldAt(spec, 'matchConstraints'), at('matchConstraints')),
      choiceFault(at('failurePolicy'), fieldAt(spec, 'failurePolicy'), FAILURE_POLICIES),
      choiceFault(at('reinvocationPolicy'), fieldAt(spec, 'reinvocationPolicy') ?? '', REINVOCATION_POLICIES),
      paramKindFaults(fieldAt(spec, 'paramKind'), at('paramKind')),
      conditionFaults(objectsAt(spec, 'matchConditions'), at('matchConditions')),
      entryFaults(at('variables'), objectsAt(spec, 'variables'), ['name', 'expression'], checkCelIdentifier),
      listAt(spec, 'mutations').length > 0 ? [] : [fault(at('mutations'), MISSING, 'write a mutation')],
      steps.flatMap(([step, index]) => mutationFaults(step, at('mutations', index))),
    );
  },
};

const mutatingBindings: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-MUTATING-POLICY-BINDING',
  title: 'A MutatingAdmissionPolicyBinding must name a policy, and must not match DELETE.',
  source: `${SOURCE} (validateMutatingAdmissionPolicyBindingSpec), v1.36.3`,
  kinds: [`${GROUP}/MutatingAdmissionPolicyBinding`],
  example: pair((operations) => clusterObjectText(`${GROUP}/v1`, 'MutatingAdmissionPolicyBinding', `spec:
  policyName: no-node-ports
  matchResources:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: ${operations}, resources: [services]}
`), '[DELETE]', '[CREATE, UPDATE]'),
  check: ({ spec }) => allOf(
    stringAt(spec, 'policyName') === undefined ? [fault(['spec', 'policyName'], MISSING, 'write the name of the policy')] : [],
    subdomainFault(['spec', 'policyName'], fieldAt(spec, 'policyName')),
    paramRefFaults(fieldAt(spec, 'paramRef'), ['spec', 'paramRef']),
    mutatingMatchFaults(fieldAt(spec, 'matchResources'), ['spec', 'matchResources']),
  ),
};

function matchFaults(match: unknown, path: FieldPath): Finding[] {
  return [
    ...choiceFault([...path, 'matchPolicy'], fieldAt(match, 'matchPolicy'), MATCH_POLICIES),
    ...['namespaceSelector', 'objectSelector'].flatMap((field) => selectorFaults(fieldAt(match, field), [...path, field])),
    ...['resourceRules', 'excludeResourceRules'].flatMap((field) => objectsAt(match, field).flatMap(([rule, index]) => {
      const names = stringsAt(rule, 'resourceNames');
      const pathOf = (position: number): FieldPath => [...path, field, index, 'resourceNames', position];
      return [
        ...ruleFaults(rule, [...path, field, index]),
        ...names.flatMap(([name, position]) => pathSegmentFault(pathOf(position), name)),
        ...repetitions(names, ([name]) => name, ([, position]) => pathOf(position), 'the name'),
      ];
    })),
  ];
}

function mutatingMatchFaults(match: unknown, path: FieldPath): Finding[] {
  return [
    ...matchFaults(match, path),
    ...objectsAt(match, 'resourceRules').flatMap(([rule, index]) => stringsAt(rule, 'operations')
      .flatMap(([operation, position]) => choiceFault([...path, 'resourceRules', index, 'operations', position], operation, MUTATING_OPERATIONS))),
  ];
}

function mutationFaults(step: Fields, path: FieldPath): Finding[] {
  const type = stringAt(step, 'patchType');
  if (type === undefined || !Object.hasOwn(PATCHES, type)) return choiceFault([...path, 'patchType'], type ?? '', Object.keys(PATCHES));
  const [own, other] = [PATCHES[type], Object.values(PATCHES).find((field) => field !== PATCHES[type])!];
  const expression = [...path, own, 'expression'];
  return [
    ...(stringAt(step, own, 'expression') === undefined ? [fault(expression, MISSING, 'write it')] : blankFault(expression, fieldAt(step, own, 'expression'))),
    ...(isSet(step, other) ? [fault([...path, other], `it is there, and patchType is ${type}`, 'remove it')] : []),
  ];
}

function validationFaults(validation: Fields, path: FieldPath): Finding[] {
  const { message } = validation;
  return [
    ...['expression', 'message', 'messageExpression'].flatMap((field) => blankFault([...path, field], validation[field])),
    ...(typeof message === 'string' && /[\r\n]/.test(message.trim())
      ? [fault([...path, 'message'], 'it has line breaks', 'write one line')] : []),
    ...choiceFault([...path, 'reason'], validation.reason, REASONS),
  ];
}

function paramKindFaults(kind: unknown, path: FieldPath): Finding[] {
  if (!isSet(kind)) return [];
  const [apiVersion, name] = [stringAt(kind, 'apiVersion'), stringAt(kind, 'kind')];
  const parts = apiVersion?.split('/') ?? [];
  const [version, group] = [parts[parts.length - 1] ?? '', parts.length > 1 ? parts[0] : ''];
  const groupFault = group === '' ? undefined : checkDnsSubdomain(group);
  const versionFault = parts.length > 2 ? 'it has more than one "/"' : checkDns1035Label(version) ?? groupFault;
  return [
    ...faultIf([...path, 'apiVersion'], apiVersion === undefined ? MISSING : versionFault, 'write it as objects of the kind have it'),
    ...faultIf([...path, 'kind'], name === undefined ? MISSING : checkDns1035Label(name.toLowerCase()), 'write the kind of the parameters'),
  ];
}

function paramRefFaults(reference: unknown, path: FieldPath): Finding[] {
  if (!isSet(reference)) return [];
  const [name, action] = [stringAt(reference, 'name'), stringAt(reference, 'parameterNotFoundAction')];
  const isSelected = isSet(reference, 'selector');
  return [
    ...((name !== undefined) === isSelected
      ? [fault(path, isSelected ? 'it has both a name and a selector' : 'it has neither a name nor a selector', 'write one of them')] : []),
    ...(name === undefined ? [] : pathSegmentFault([...path, 'name'], name)),
    ...selectorFaults(fieldAt(reference, 'selector'), [...path, 'selector']),
    ...choiceFault([...path, 'parameterNotFoundAction'], action ?? '', NOT_FOUND_ACTIONS),
  ];
}

function pathSegmentFault(path: FieldPath, name: string): Finding[] {
  const isSegment = name !== '.' && name !== '..' && !/[/%]/.test(name);
  return isSegment ? [] : [fault(path, `${JSON.stringify(name)} cannot be the name of an object`, 'write the name without "/" and "%"')];
}

function checkCelIdentifier(name: string): string | undefined {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !CEL_RESERVED.has(name) ? undefined : `${JSON.stringify(name)} is not a CEL identifier`;
}

/** Rules for admission webhooks and policies. */
export const ADMISSION: readonly ManifestRule[] = [webhooks, policies, bindings, mutations, mutatingBindings, policyVariables, policyExpressions];
