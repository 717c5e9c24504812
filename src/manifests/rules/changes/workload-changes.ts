import { changedText } from '../example-text';
import { keeps } from './kept-fields';
import { TransitionRule } from './transition-rule';
import { fieldAt } from '../../values/fields';

const RENAME = 'keep it, or give the object another name';
const NAMED = { 'name: api': 'name: api-2' };

/** A workload of apps/v1; what is given comes after its selector. */
function workload(kind: string, more = ''): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata:
  name: api
  namespace: tenant-acme
spec:
  selector:
    matchLabels:
      app: api
${more}  template:
    metadata:
      labels:
        app: api
        tier: web
    spec:
      containers:
        - name: api
          image: registry.example.com/api:1.0.0
`;
}

const SELECTOR: TransitionRule = {
  id: 'TC-CHANGE-WORKLOAD-SELECTOR',
  title: 'The selector of a Deployment, DaemonSet or ReplicaSet cannot be changed.',
  source: 'kubernetes/kubernetes pkg/registry/apps/deployment/strategy.go',
  kinds: ['apps/Deployment', 'apps/DaemonSet', 'apps/ReplicaSet'],
  example: changedText(workload('Deployment'), { 'matchLabels:\n      app: api': 'matchLabels:\n      tier: web' }, { 'matchLabels:\n      app: api': 'matchLabels:\n      tier: web', ...NAMED }),
  check: keeps([{ path: ['spec', 'selector'] }], `${RENAME}: the old one goes with its pods`),
};

const STATEFUL_SET: TransitionRule = {
  id: 'TC-CHANGE-STATEFUL-SET',
  title: 'Selector, Service, pod management policy and claim templates of a StatefulSet cannot be changed.',
  source: 'kubernetes/kubernetes pkg/apis/apps/validation/validation.go',
  kinds: ['apps/StatefulSet'],
  example: changedText(workload('StatefulSet', '  serviceName: api\n'), { 'serviceName: api': 'serviceName: other' }, { 'api:1.0.0': 'api:1.0.1' }),
  check: keeps([
    { path: ['spec', 'selector'] },
    { path: ['spec', 'serviceName'], byDefault: '' },
    { path: ['spec', 'podManagementPolicy'], byDefault: 'OrderedReady' },
    { path: ['spec', 'volumeClaimTemplates'] },
  ], 'keep it, or delete the StatefulSet without its pods before the new one is applied'),
};

const JOB_TEXT = `apiVersion: batch/v1
kind: Job
metadata:
  name: api
  namespace: tenant-acme
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: api
          image: registry.example.com/api:1.0.0
`;

const checkJob = keeps([
  { path: ['spec', 'selector'] },
  { path: ['spec', 'completionMode'], byDefault: 'NonIndexed' },
  { path: ['spec', 'podFailurePolicy'] },
  { path: ['spec', 'backoffLimitPerIndex'] },
], RENAME);
const checkTemplate = keeps([{ path: ['spec', 'template'] }], RENAME);

const JOB: TransitionRule = {
  id: 'TC-CHANGE-JOB',
  title: 'The pod template of a Job and other immutable fields cannot be changed.',
  source: 'kubernetes/kubernetes pkg/apis/batch/validation/validation.go',
  kinds: ['batch/Job'],
  example: changedText(JOB_TEXT, { 'api:1.0.0': 'api:1.0.1' }, { 'api:1.0.0': 'api:1.0.1', ...NAMED }),
  // The placement of the pods of a suspended Job may still be changed.
  check: (change) => [...checkJob(change), ...(fieldAt(change.before, 'spec', 'suspend') === true ? [] : checkTemplate(change))],
};

const ROLE_BINDING_TEXT = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: api
  namespace: tenant-acme
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: reader
subjects:
  - kind: ServiceAccount
    name: api
    namespace: tenant-acme
`;

const ROLE_REF: TransitionRule = {
  id: 'TC-CHANGE-ROLE-REF',
  title: 'The role of a binding cannot be changed.',
  source: 'kubernetes/kubernetes pkg/apis/rbac/validation/validation.go',
  kinds: ['rbac.authorization.k8s.io/RoleBinding', 'rbac.authorization.k8s.io/ClusterRoleBinding'],
  example: changedText(ROLE_BINDING_TEXT, { 'name: reader': 'name: writer' }, { 'name: reader': 'name: writer', '\n  name: api\n': '\n  name: api-writer\n' }),
  check: keeps(['kind', 'name'].map((field) => ({ path: ['roleRef', field] })), RENAME),
};

const CONFIG_MAP_TEXT = `apiVersion: v1
kind: ConfigMap
metadata:
  name: api
  namespace: tenant-acme
immutable: true
data:
  level: info
`;

const checkData = keeps(['data', 'binaryData', 'stringData', 'immutable'].map((field) => ({ path: [field] })), RENAME);

const IMMUTABLE_DATA: TransitionRule = {
  id: 'TC-CHANGE-IMMUTABLE-DATA',
  title: 'An immutable ConfigMap or Secret cannot be changed.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  kinds: ['/ConfigMap', '/Secret'],
  example: changedText(CONFIG_MAP_TEXT, { 'level: info': 'level: debug' }, { 'level: info': 'level: debug', ...NAMED }),
  check: (change) => (fieldAt(change.before, 'immutable') === true ? checkData(change) : []),
};

const SECRET_TYPE: TransitionRule = {
  id: 'TC-CHANGE-SECRET-TYPE',
  title: 'The type of a Secret cannot be changed.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  kinds: ['/Secret'],
  example: changedText('apiVersion: v1\nkind: Secret\nmetadata:\n  name: api\n  namespace: tenant-acme\ntype: Opaque\n', { Opaque: 'example.com/token' }, { Opaque: 'example.com/token', ...NAMED }),
  check: keeps([{ path: ['type'], byDefault: 'Opaque' }], RENAME),
};

const SERVICE_TEXT = `apiVersion: v1
kind: Service
metadata:
  name: api
  namespace: tenant-acme
spec:
  clusterIP: 10.96.0.20
  selector:
    app: api
  ports:
    - port: 443
`;

const SERVICE_IP: TransitionRule = {
  id: 'TC-CHANGE-SERVICE-IP',
  title: 'The clusterIP of a Service cannot be changed, and cannot be switched to or from None.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go',
  kinds: ['/Service'],
  example: changedText(SERVICE_TEXT, { '10.96.0.20': '10.96.0.21' }, { '10.96.0.20': '10.96.0.21', ...NAMED }),
  check: (change) => {
    const types = [change.before, change.after].map((object) => fieldAt(object, 'spec', 'type'));
    // A name outside has no address, and one that is left out stays.
    return types.includes('ExternalName') ? [] : keeps([{ path: ['spec', 'clusterIP'], mayUnset: true }], RENAME)(change);
  },
};

const CLASS_TEXT = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: api
value: 1000
`;

const FIXED_CLASS: TransitionRule = {
  id: 'TC-CHANGE-FIXED-CLASS',
  title: 'The value of a PriorityClass, the handler of a RuntimeClass and the controller of an IngressClass cannot be changed.',
  source: 'kubernetes/kubernetes pkg/apis/{scheduling,node,networking}/validation/validation.go',
  kinds: ['scheduling.k8s.io/PriorityClass', 'node.k8s.io/RuntimeClass', 'networking.k8s.io/IngressClass'],
  example: changedText(CLASS_TEXT, { 1000: '2000' }, { 1000: '2000', ...NAMED }),
  check: keeps([{ path: ['value'] }, { path: ['handler'] }, { path: ['spec', 'controller'] }], RENAME),
};

/** Rules of Kubernetes itself for changes of workloads, and of the objects that they use. */
export const WORKLOAD_CHANGES: readonly TransitionRule[] = [
  SELECTOR, STATEFUL_SET, JOB, ROLE_REF, IMMUTABLE_DATA, SECRET_TYPE, SERVICE_IP, FIXED_CLASS,
];
