import { clusterObjectText, pair } from './examples';
import { apiValidation, boundsFault, fault, faultIf } from './findings';
import { selectorFaults } from './scheduling';
import { ManifestRule } from '../rules/manifest-rule';
import { checkDnsSubdomain } from '../values/dns';
import { FieldPath, Fields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding } from '../values/finding';
import { checkQualifiedName } from '../values/labels';
import { checkServicePath } from '../values/service-path';

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
    ...Object.entries(CHOICES).flatMap(([field, choices]) => choiceFault([...path, field], hook[field], choices)),
    ...boundsFault([...path, 'timeoutSeconds'], hook.timeoutSeconds, 1, LONGEST_TIMEOUT),
    ...['namespaceSelector', 'objectSelector'].flatMap((field) => selectorFaults(hook[field], [...path, field])),
    ...conditionFaults(objectsAt(hook, 'matchConditions'), [...path, 'matchConditions']),
    ...clientFaults(hook.clientConfig, [...path, 'clientConfig']),
    ...objectsAt(hook, 'rules').flatMap(([rule, index]) => ruleFaults(rule, [...path, 'rules', index])),
  ];
}

function clientFaults(client: unknown, path: FieldPath): Finding[] {
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

/** Faults of a rule for the requests that are matched. */
export function ruleFaults(rule: Fields, path: FieldPath): Finding[] {
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
export function choiceFault(path: FieldPath, value: unknown, choices: readonly string[]): Finding[] {
  if (typeof value !== 'string' || choices.includes(value)) return [];
  return [fault(path, value === '' ? 'it is empty, or missing' : `${JSON.stringify(value)} is not a choice`, 'write one of them', choices.join(', '))];
}

/** Faults of conditions of requests. */
export function conditionFaults(conditions: ReturnType<typeof objectsAt>, path: FieldPath): Finding[] {
  return entryFaults(path, conditions, ['name', 'expression'], checkQualifiedName, MOST_MATCH_CONDITIONS);
}

/** Faults of entries that have a name and an expression in CEL. */
export function entryFaults(
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
export function blankFault(path: FieldPath, value: unknown): Finding[] {
  return typeof value === 'string' && value !== '' && value.trim() === '' ? [fault(path, 'it is blank', 'write it')] : [];
}

/** Webhooks. */
export const WEBHOOKS: readonly ManifestRule[] = [webhooks];
