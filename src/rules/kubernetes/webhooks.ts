import { clusterObjectText, pair } from './examples';
import { apiValidation, boundsFault, fault, faultIf, repetitions } from './findings';
import { selectorFaults } from './scheduling';
import { checkDnsSubdomain } from '../../values/dns';
import { FieldPath, Fields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../../values/fields';
import { ManifestFinding, ManifestRule } from '../manifest-rule';

const SOURCE = apiValidation('admissionregistration');
const GROUP = 'admissionregistration.k8s.io';
const LONGEST_TIMEOUT = 30;
const HIGHEST_PORT = 65535;

const webhooks: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-WEBHOOK',
  title: 'A webhook must have a DNS name of three labels, either a Service or an https URL, and valid rules.',
  source: `${SOURCE} (validateValidatingWebhook, validateMutatingWebhook, validateRule)`,
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
  check: (object) => {
    const hooks = objectsAt(object, 'webhooks');
    return [
      ...hooks.flatMap(([hook, index]) => hookFaults(hook, ['webhooks', index])),
      ...repetitions(hooks, ([hook]) => stringAt(hook, 'name'), ([, index]) => ['webhooks', index, 'name'], 'the webhook'),
    ];
  },
};

function hookFaults(hook: Fields, path: FieldPath): ManifestFinding[] {
  const { name } = hook;
  const versions = stringsAt(hook, 'admissionReviewVersions').map(([version]) => version);
  return [
    ...(typeof name === 'string' ? faultIf([...path, 'name'], checkDnsSubdomain(name) ?? (name.split('.').length < 3 ? `${JSON.stringify(name)} has fewer than three parts` : undefined),
      'write a DNS name of your own, such as pods.hook.example.com') : []),
    ...(versions.length > 0 && !versions.includes('v1') && !versions.includes('v1beta1')
      ? [fault([...path, 'admissionReviewVersions'], `no server speaks ${versions.join(', ')}`, 'add v1', 'v1, v1beta1')] : []),
    ...boundsFault([...path, 'timeoutSeconds'], hook.timeoutSeconds, 1, LONGEST_TIMEOUT),
    ...['namespaceSelector', 'objectSelector'].flatMap((field) => selectorFaults(hook[field], [...path, field])),
    ...clientFaults(hook.clientConfig, [...path, 'clientConfig']),
    ...objectsAt(hook, 'rules').flatMap(([rule, index]) => ruleFaults(rule, [...path, 'rules', index])),
  ];
}

function clientFaults(client: unknown, path: FieldPath): ManifestFinding[] {
  if (!isSet(client)) return [];
  const [url, service] = [isSet(client, 'url'), isSet(client, 'service')];
  if (url === service) return [fault(path, url ? 'it has two places to be asked at' : 'it has no place to be asked at', 'write one of them', 'url, service')];
  const text = stringAt(client, 'url');
  return [
    ...(url && (text === undefined || !/^https:\/\/[^/@?#]+(\/[^?#]*)?$/.test(text))
      ? [fault([...path, 'url'], `${JSON.stringify((client as Fields).url)} is not a place for webhooks`, 'write https://, a host and a path')] : []),
    ...boundsFault([...path, 'service', 'port'], ((client as Fields).service as Fields | undefined)?.port, 1, HIGHEST_PORT),
    ...(stringAt(client, 'service', 'path')?.startsWith('/') === false ? [fault([...path, 'service', 'path'], 'it is not absolute', 'begin it with "/"')] : []),
  ];
}

/** Faults of a rule for the requests that are matched. */
export function ruleFaults(rule: Fields, path: FieldPath): ManifestFinding[] {
  return ['apiGroups', 'apiVersions', 'operations', 'resources'].flatMap((field) => {
    const values = stringsAt(rule, field).map(([value]) => value);
    if (listAt(rule, field).length === 0) return [fault([...path, field], 'it is empty, or not there', 'write it, "*" for all')];
    return field !== 'resources' && values.includes('*') && values.length > 1 ? [fault([...path, field], '"*" stands beside others', 'leave it alone, or leave it out')] : [];
  });
}

/** Webhooks. */
export const WEBHOOKS: readonly ManifestRule[] = [webhooks];
