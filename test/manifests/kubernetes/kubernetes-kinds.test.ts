import { parseAllDocuments } from 'yaml';
import { VALID_OBJECTS } from './valid-objects';
import { checkSchedule } from '../../../src/manifests/kubernetes/workloads';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';
import { textsOf } from '../rules/structure/findings-of';

const OBJECTS = parseAllDocuments(VALID_OBJECTS).map((document) => document.toJS() as ManifestObject);

test.each(OBJECTS.map((object) => [`${String(object.apiVersion)} ${String(object.kind)}`, object] as const))('finds nothing in a good %s', (_, object) => {
  const { found: findings, unknown } = new ManifestValidator().validate([[object]], { silences: [], strict: true });
  expect(findings.map(({ finding: { rule, path, message } }) => `${rule.id} ${path.join('.')}: ${message}`)).toEqual([]);
  expect(unknown).toEqual([]);
});

function found(object: ManifestObject): string[] {
  return textsOf(object).map((text) => text.replace(/ \| .*/, ''));
}

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
const quota = (memory: unknown) => ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'a' }, spec: { hard: { memory } } });

const service = (spec: object) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: 80 }], ...spec } });
const endpoints = (subset: object) => ({ apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'a' }, subsets: [subset] });
const slice = (ports: unknown[], address = '192.0.2.10') => ({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [{ addresses: [address] }], ports });
const ingress = (spec: object) => ({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'a' }, spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } }, ...spec } });
const volume = (reference: object) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'a' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi: { driver: 'csi.example.com', volumeHandle: 'a', nodeStageSecretRef: {}, nodePublishSecretRef: reference } },
});
const definition = (version: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'webs.example.com' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'Web', plural: 'webs' }, versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...version }] },
});

const limits = (entry: object) => ({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'a' }, spec: { limits: [{ type: 'Container', ...entry }] } });
const converted = (webhook: object) => {
  const object = definition({});
  return { ...object, spec: { ...object.spec, conversion: { strategy: 'Webhook', webhook } } };
};

test.each<[why: string, object: ManifestObject, found: string[]]>([
  ['addresses outside', endpoints({ addresses: [{ ip: '192.0.2.10', hostname: 'nas' }], ports: [{ port: 9100, name: 'metrics' }, { port: 443, name: 'https' }] }), []],
  ['a name in place of an address', endpoints({ addresses: [{ ip: 'nas.example.com' }] }), ['TC-ADMIT-KUBERNETES-ENDPOINTS subsets.0.addresses.0.ip: "nas.example.com" is not an IP address']],
  ['an address of the machine itself', endpoints({ addresses: [{ ip: '::1' }] }), ['TC-ADMIT-KUBERNETES-ENDPOINTS subsets.0.addresses.0.ip: ::1 is an address that no other machine reaches']],
  ['ports without names and of no number', endpoints({ notReadyAddresses: [{ ip: '192.0.2.10' }], ports: [{ port: 0 }, { port: 443, name: 'https' }] }),
    ['TC-ADMIT-KUBERNETES-ENDPOINTS subsets.0.ports.0.name: one of several ports has no name', 'TC-ADMIT-KUBERNETES-ENDPOINTS subsets.0.ports.0.port: 0 is too small']],
  ['a subset without addresses', endpoints({ ports: [{ port: 443 }] }), ['TC-ADMIT-KUBERNETES-ENDPOINTS subsets.0: it has no addresses']],
  ['ports of a slice', slice([{ name: 'https', port: 443, appProtocol: 'https' }, { name: 'http', port: 80 }]), []],
  ['ports of a slice with one name', slice([{ name: 'https', port: 443, appProtocol: 'a b' }, { name: 'https', port: 80 }]), [
    expect.stringContaining('TC-ADMIT-KUBERNETES-ENDPOINT-SLICE ports.0.appProtocol') as string, 'TC-ADMIT-KUBERNETES-ENDPOINT-SLICE ports.1.name: the name "https" is there twice',
  ]],
  ['an address of a slice that is of the machine itself', slice([], '127.0.0.1'), ['TC-ADMIT-KUBERNETES-ENDPOINT-SLICE endpoints.0.addresses.0: 127.0.0.1 is an address that no other machine reaches']],
  ['two families', service({ ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'PreferDualStack' }), []],
  ['two families without a policy', service({ ipFamilies: ['IPv4', 'IPv6'] }), ['TC-ADMIT-KUBERNETES-SERVICE-ADDRESS spec.ipFamilyPolicy: there are two families, and the policy lets the Service have one']],
  ['a certificate for an address', ingress({ tls: [{ hosts: ['192.0.2.10'] }] }), []],
  ['a rule for an address', ingress({ rules: [{ host: '192.0.2.10' }] }), ['TC-ADMIT-KUBERNETES-INGRESS-HOST spec.rules.0.host: "192.0.2.10" is an IP address']],
  ['a Secret of a driver', volume({ name: 'a', namespace: 'b' }), []],
  ['a Secret of a driver without a namespace', volume({ name: 'a' }), ['TC-ADMIT-KUBERNETES-PERSISTENT-VOLUME spec.csi.nodePublishSecretRef.namespace: it is not there']],
  ['a number of replicas', definition({ subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector' } } }), []],
  ['limits of a device', limits({ default: { 'cpu': '1', 'example.com/gpu': 1 } }), []],
  ['limits of no resource', limits({ default: { memmory: '1Gi' } }), ['TC-ADMIT-KUBERNETES-LIMIT-RANGE spec.limits.0.default.memmory: "memmory" is no resource']],
  ['a conversion without a place', converted({ clientConfig: {}, conversionReviewVersions: ['v1', 'v1'] }), [
    'TC-ADMIT-KUBERNETES-CRD-VERSIONS spec.conversion.webhook.clientConfig: it has no place to be asked at',
    'TC-ADMIT-KUBERNETES-CRD-VERSIONS spec.conversion.webhook.conversionReviewVersions.1: the version "v1" is there twice',
  ]],
  ['a conversion', converted({ clientConfig: { service: { name: 'a', namespace: 'b', path: '/convert' } }, conversionReviewVersions: ['v1', 'v1beta1'] }), []],
  ['a number of replicas elsewhere', definition({ subresources: { scale: { specReplicasPath: 'spec.replicas', statusReplicasPath: '.status.replicas' } }, additionalPrinterColumns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', format: 'time' }] }), [
    'TC-ADMIT-KUBERNETES-CRD-VERSIONS spec.versions.0.subresources.scale.specReplicasPath: "spec.replicas" is no path below .spec',
    'TC-ADMIT-KUBERNETES-CRD-VERSIONS spec.versions.0.additionalPrinterColumns.0.format: "time" is no format',
  ]],
])('judges as servers do: %s', (_, object, expected) => {
  const { found: findings } = new ManifestValidator().validate([[object]], { silences: [], strict: false });
  expect(findings.map(({ finding: { rule, path, message } }) => `${rule.id} ${path.join('.')}: ${message}`)).toEqual(expected);
});

test.each<[why: string, object: ManifestObject, found: string[]]>([
  ['a number in a ConfigMap', { ...CONFIG_MAP, data: { port: 80 } }, ['TC-ADMIT-FIELD-TYPE data.port: 80 is not a string']],
  ['what is no base64', { ...SECRET, data: { key: 'plain text' } }, ['TC-ADMIT-FIELD-VALUE data.key: "plain text" is not base64']],
  ['base64 with line breaks', { ...SECRET, data: { key: 'YWJj\nYWJj\n' } }, []],
  ['a quantity in the wrong unit', quota('1GB'), ['TC-ADMIT-FIELD-VALUE spec.hard.memory: "1GB" is not a quantity']],
  ['a quantity that is a number', quota(1.5), []],
  ['a quantity that is a list', quota(['1Gi']), ['TC-ADMIT-FIELD-TYPE spec.hard.memory: a list of 1 is not a quantity']],
  ['a quantity of any length', quota('1'.repeat(1e6)), []],
  ['a quantity of any length that is none', quota(`${'1'.repeat(1e6)}GB`), [expect.stringContaining('TC-ADMIT-FIELD-VALUE spec.hard.memory') as string]],
  ['null in an object of strings, which Go reads', { ...CONFIG_MAP, data: { port: null } }, []],
  ['an entry without what tells it from others', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' }, secrets: [{ kind: 'Secret' }] },
    ['TC-ADMIT-FIELD-REQUIRED secrets.0.name: it is required, and it is not there']],
  ['a budget with any name', { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: '.a:b', finalizers: ['x'] } }, []],
  ['an old version', { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget', metadata: { name: 'a' } },
    ['TC-ADMIT-FIELD-VERSION apiVersion: "v1beta1" of PodDisruptionBudget is not served by kubernetes/kubernetes v1.37.2']],
  ['a workload without a spec', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }, ['TC-ADMIT-FIELD-REQUIRED spec: it is required, and it is not there']],
  ['a label in a template', { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'a' }, template: { metadata: { name: 'Any_Name', labels: { a: true } }, spec: { containers: [{ name: 'a', image: 'a' }] } } },
    ['TC-ADMIT-FIELD-METADATA template.metadata.labels.a: true is not a string']],
  ['a time that is none', { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' }, spec: { renewTime: '2026-02-30T10:00:00.000000Z' } },
    [expect.stringContaining('TC-ADMIT-FIELD-VALUE spec.renewTime') as string]],
  ['a finalizer without a domain', { ...CONFIG_MAP, metadata: { name: 'a', finalizers: ['cleanup', 'orphan'] } }, ['TC-ADMIT-FIELD-METADATA metadata.finalizers.0: "cleanup" has no domain']],
  ['a port twice', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ name: 'a', port: 80 }, { name: 'b', port: 80, protocol: 'TCP' }] } },
    ['TC-ADMIT-FIELD-DUPLICATE spec.ports.1: port 80 with protocol "TCP" is in entry 0 already']],
  ['a field that there is not', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { port: [] } }, ['TC-ADMIT-FIELD-UNKNOWN spec.port: there is no field "port" here']],
  ['a status of any shape', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'a' }] }, status: { x: 1 } }, []],
])('looks at fields: %s', (_, object, expected) => {
  expect(found(object)).toEqual(expected);
});

test.each<[kind: string, apiVersion: string, name: string, fix: string | undefined]>([
  ['ClusterRole', 'rbac.authorization.k8s.io/v1', 'system:node', undefined],
  ['ClusterRole', 'rbac.authorization.k8s.io/v1', 'a/b', 'write a name such as "a-b"'],
  ['Namespace', 'v1', 'a.b', 'write a name such as "a-b"'],
  ['ConfigMap', 'v1', 'a.b', undefined],
  ['ConfigMap', 'v1', 'Web_Config', 'write a name such as "web-config"'],
  ['ConfigMap', 'v1', '___', 'correct it'],
])('says what names look like: %s %s %s', (kind, apiVersion, name, fix) => {
  const texts = textsOf({ apiVersion, kind, metadata: { name } }).filter((text) => text.includes('metadata.name'));
  expect(texts.map((text) => text.replace(/^.* \| /, ''))).toEqual(fix === undefined ? [] : [fix]);
});

test.each(['* * * * *', '*/5 1-3,7 * JAN-MAR MON', '@hourly', '@every 1h', '0 0 ? * 1'])('takes the schedule %s', (text) => {
  expect(checkSchedule(text)).toBeUndefined();
});

test.each(['', '* * * *', '60 * * * *', '* * 0 * *', '* * * 13 *', '* * * * 7', '5-1 * * * *', '*/0 * * * *', '@often', 'TZ=UTC 0 0 * * *', 'a b c d e'])('refuses the schedule %j', (text) => {
  expect(checkSchedule(text)).toBeDefined();
});

test.each<[spec: object | undefined, found: string[]]>([
  [{ controller: 'k8s.io/ingress-nginx' }, []],
  [{ controller: 'example.com/a', parameters: { apiGroup: 'example.com', kind: 'Settings', name: 'a' } }, []],
  [{}, ['spec.controller']],
  [{ controller: 'nginx' }, ['spec.controller']],
  [{ controller: 'K8s.io/nginx' }, ['spec.controller']],
  [{ controller: 'example.com/' }, ['spec.controller']],
  [{ controller: `example.com/${'a'.repeat(250)}` }, ['spec.controller']],
  [{ controller: 'example.com/a', parameters: { apiGroup: 'Example', kind: 'Settings', name: '' } }, ['spec.parameters.name', 'spec.parameters.apiGroup']],
  [{ controller: 'example.com/a', parameters: { kind: 'Settings', name: 'a', scope: 'Namespace' } }, ['spec.parameters.namespace']],
  [{ controller: 'example.com/a', parameters: { kind: 'Settings', name: 'a', namespace: 'b' } }, ['spec.parameters.namespace']],
  [{ controller: 'example.com/a', parameters: { kind: 'Settings', name: 'a', scope: 'Pod' } }, ['spec.parameters.scope']],
])('an IngressClass with %j', (spec, paths) => {
  const object = { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'a' }, spec };
  const { found: findings } = new ManifestValidator().validate([[object]], { silences: [], strict: true });
  expect(findings.map(({ finding: { path } }) => path.join('.'))).toEqual(paths);
});
