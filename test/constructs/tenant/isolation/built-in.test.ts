import { errorsOf } from './built-in';
import { changed } from '../../../manifests/schema/samples';
import { Json, JsonObject } from '../../../manifests/schema/structural-schema';

const metadata = { name: 'acme', namespace: 'tenant-acme' };

const POLICY: JsonObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata,
  spec: {
    podSelector: { matchLabels: { a: 'b' } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{}],
    egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }, { podSelector: {}, namespaceSelector: {} }], ports: [{ protocol: 'TCP', port: 53 }] }],
  },
};
const CILIUM: JsonObject = {
  apiVersion: 'cilium.io/v2',
  kind: 'CiliumNetworkPolicy',
  metadata,
  spec: {
    endpointSelector: {},
    ingress: [{}],
    egress: [{ toEntities: ['world'], toPorts: [{ ports: [{ port: '53', protocol: 'UDP' }] }] }, { toCIDRSet: [{ cidr: '::/0', except: ['fd00::/8'] }] }],
  },
};
const QUOTA: JsonObject = { apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard: { 'requests.cpu': '10', 'count/pods': '5' } } };
const LIMITS: JsonObject = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata,
  spec: { limits: [{ type: 'Container', max: { cpu: '2' }, default: { cpu: '1' }, defaultRequest: { cpu: '1' } }, { type: 'PersistentVolumeClaim', max: { storage: '1Ti' } }] },
};
const ROLE: JsonObject = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get'] }] };
const BINDING: JsonObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'acme' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'acme' }, { kind: 'ServiceAccount', name: 'a', namespace: 'b' }],
};

const ADMISSION: JsonObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'acme' },
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['services'], scope: '*' }],
    },
    validations: [{ expression: 'true', message: 'no' }],
  },
};
const IN_FORCE: JsonObject = {
  apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: 'acme' }, spec: { policyName: 'acme', validationActions: ['Deny'] },
};

test.each([POLICY, CILIUM, QUOTA, LIMITS, ROLE, BINDING, ADMISSION, IN_FORCE])('accepts a good $kind', (object) => {
  expect(errorsOf(object)).toEqual([]);
});

test.each<[object: JsonObject, changes: Record<string, Json | undefined>, error: string]>([
  [POLICY, { kind: 'Policy' }, 'kind: unknown'],
  [POLICY, { 'metadata.namespace': undefined }, 'metadata.namespace: required for a namespaced kind'],
  [POLICY, { 'spec.podSelector': undefined }, 'spec.podSelector: it is required'],
  [POLICY, { 'spec.policyTypes': undefined }, 'spec.policyTypes: it is required'],
  [POLICY, { 'spec.policyTypes': ['Ingress'] }, 'must name egress'],
  [POLICY, { 'spec.ingress': [] }, 'spec.ingress: it is empty'],
  [POLICY, { 'spec.egress': [{ to: [{}] }] }, 'spec.egress[0].to[0]'],
  [POLICY, { 'spec.egress': [{ from: [{ podSelector: {} }] }] }, 'spec.egress[0].from: there is no field'],
  [POLICY, { 'spec.egress': [{ to: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] }, 'spec.egress[0].to[0]'],
  [POLICY, { 'spec.egress': [{ to: [{ ipBlock: { cidr: '10.0.0.0' } }] }] }, 'cidr'],
  [POLICY, { 'spec.egress': [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }] }] }, 'strictly within'],
  [POLICY, { 'spec.egress': [{ to: [{ ipBlock: { cidr: '::/0', except: ['10.0.0.0/8'] } }] }] }, 'strictly within'],
  [POLICY, { 'spec.egress': [{ ports: [{ port: 53 }] }] }, 'protocol: it is required'],
  [POLICY, { 'spec.egress': [{ ports: [{ protocol: 'TCP', port: 65536 }] }] }, 'port'],
  [CILIUM, { 'spec.egress': [{ toEntities: ['everyone'] }] }, 'toEntities[0]'],
  [CILIUM, { 'spec.egress': [{ toEntities: ['world'], toCIDRSet: [{ cidr: '::/0' }] }] }, 'spec.egress[0]'],
  [CILIUM, { 'spec.egress': [{ toPorts: [{ ports: [{ port: '53', protocol: 'UDP' }] }] }] }, 'spec.egress[0]'],
  [CILIUM, { 'spec.egress': [{ toEntities: ['all'], toPorts: [{ ports: [{ port: 53, protocol: 'UDP' }] }] }] }, 'port: 53 is not a string'],
  [CILIUM, { 'spec.ingress': undefined }, 'spec.ingress: it is required'],
  [QUOTA, { 'spec.hard': {} }, 'spec.hard'],
  [QUOTA, { 'spec.hard': { cpu: 10 } }, 'is not a string'],
  [QUOTA, { 'spec.hard': { cpu: 'ten' } }, 'spec.hard.cpu'],
  [LIMITS, { 'spec.limits': [] }, 'spec.limits'],
  [LIMITS, { 'spec.limits': [{ type: 'Container' }] }, 'spec.limits[0]'],
  [LIMITS, { 'spec.limits': [{ type: 'Container', max: { cpu: '2' } }] }, 'default[cpu]: the server would add it'],
  [LIMITS, { 'spec.limits': [{ type: 'Container', default: { cpu: '2' } }] }, 'defaultRequest[cpu]: the server would add it'],
  [LIMITS, { 'spec.limits': [{ type: 'PersistentVolumeClaim', default: { storage: '2' } }] }, 'default: is for containers'],
  [ROLE, { rules: [] }, 'rules'],
  [ROLE, { rules: [{ apiGroups: [''], resources: ['*'], verbs: ['get'] }] }, 'rules[0].resources[0]'],
  [ROLE, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }] }, 'rules[0].verbs[0]'],
  [BINDING, { 'roleRef.apiGroup': undefined }, 'roleRef.apiGroup: it is required'],
  [BINDING, { subjects: [{ kind: 'Group', name: 'a' }] }, 'subjects[0]'],
  [BINDING, { subjects: [{ kind: 'ServiceAccount', name: 'a' }] }, 'subjects[0]'],
  [ADMISSION, { 'metadata.namespace': 'tenant-acme' }, 'metadata.namespace'],
  [ADMISSION, { 'spec.failurePolicy': undefined }, 'spec.failurePolicy: it is required'],
  [ADMISSION, { 'spec.matchConstraints.objectSelector': undefined }, 'objectSelector: it is required'],
  [ADMISSION, { 'spec.validations': [{ message: 'no' }] }, 'expression: it is required'],
  [IN_FORCE, { 'spec.validationActions': [] }, 'validationActions'],
])('refuses %#', (object, changes, error) => {
  const errors = errorsOf(changed(object, changes) as JsonObject);
  expect(errors.join('\n')).toContain(error);
});
