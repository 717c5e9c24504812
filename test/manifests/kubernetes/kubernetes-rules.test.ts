import { KUBERNETES_RULES } from '../../../src/manifests/kubernetes/kubernetes-rules';
import { detailsIn, testRules } from '../rules/rules-under-test';

testRules(KUBERNETES_RULES);

const OF_INDEXED_JOBS = ['backoffLimitPerIndex: 1', 'maxFailedIndexes: 1', 'successPolicy: {rules: [{succeededCount: 1}]}'];

test.each(OF_INDEXED_JOBS)('a Job with %s needs the completion mode Indexed', (field) => {
  const faults = (more: string) => detailsIn(KUBERNETES_RULES, `apiVersion: batch/v1
kind: Job
metadata: {name: import, namespace: acme}
spec:
  completions: 3
  ${field}
  ${more}
  template:
    spec:
      restartPolicy: Never
      containers: [{name: import, image: "registry.example.com/import:v1"}]
`).map(({ id, path }) => [id, path.join('.')]);

  expect(faults('')).toEqual([['TC-ADMIT-KUBERNETES-JOB', `spec.${field.split(':')[0]}`]]);
  expect(faults('completionMode: Indexed')).toEqual([]);
});

test.each<[what: string, annotations: readonly string[], found: number]>([
  ['one default class', ['"true"', '"false"'], 0],
  ['two of them', ['"true"', '"true"'], 1],
  ['three of them', ['"true"', '"true"', '"true"'], 2],
])('%s', (_, annotations, count) => {
  const text = annotations.map((value, index) => `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: class-${index}, annotations: {storageclass.kubernetes.io/is-default-class: ${value}}}
provisioner: csi.example.com
`).join('---\n');
  expect(detailsIn(KUBERNETES_RULES, text).filter(({ id }) => id === 'TC-TRAP-STORAGE-CLASS-DEFAULTS')).toHaveLength(count);
});

const CCM = (args: string, image = 'docker.io/acme/acme-cloud-controller-manager:v1.0.0') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ccm, namespace: kube-system}
spec:
  selector: {matchLabels: {app: ccm}}
  template:
    metadata: {labels: {app: ccm}}
    spec:
      serviceAccountName: ccm
      containers: [{name: ccm, image: "${image}", args: [${args}]}]
`;
const BINDING = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: ccm}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ccm}
subjects: [{kind: ServiceAccount, name: ccm, namespace: kube-system}]
`;
const ROLE = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ccm}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
`;
const FULL_ROLE = ROLE
  .replace('[""]', '["", coordination.k8s.io]')
  .replace('[nodes]', '[nodes, leases]')
  .replace('[get]', '["*"]');

test.each<[what: string, tolerations: string, isFound: boolean]>([
  ['no toleration', '', true],
  ['one for all taints', '{operator: Exists}', false],
  ['one for the taint', '{key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}', false],
  ['one for another effect', '{key: node.cloudprovider.kubernetes.io/uninitialized, operator: Exists, effect: NoExecute}', true],
  ['one for other nodes', '{key: node-role.kubernetes.io/control-plane, operator: Exists}', true],
])('a cloud controller manager with %s', (_, list, isFound) => {
  const text = CCM('--cloud-provider=acme').replace('      containers:', `      tolerations: [${list}]\n      containers:`);
  expect(detailsIn(KUBERNETES_RULES, text).some(({ id }) => id === 'TC-TRAP-CLOUD-CONTROLLER-TOLERATION')).toBe(isFound);
  expect(detailsIn(KUBERNETES_RULES, text.replace('kube-system', 'tenant-acme'))).toEqual([]);
});

test.each<[what: string, text: string, isFound: boolean]>([
  ['too few rights', CCM('--cloud-provider=acme') + BINDING + ROLE, true],
  ['enough of them', CCM('--cloud-provider=acme') + BINDING + FULL_ROLE, false],
  ['no right to its lease', CCM('--cloud-provider=acme') + BINDING + ROLE.replace('[get]', '["*"]'), true],
  ['no need of a lease', CCM('--cloud-provider=acme, --leader-elect=false') + BINDING + ROLE.replace('[get]', '["*"]'), false],
  ['another cluster', CCM('--kubeconfig=/etc/tenant/value') + BINDING + ROLE, false],
  ['a choice of controllers', CCM('"--controllers=service"') + BINDING + ROLE, false],
  ['a role that is not there', CCM('') + BINDING, false],
  ['another program', CCM('', 'docker.io/acme/web:v1') + BINDING + ROLE, false],
])('a cloud controller manager with %s', (_, text, isFound) => {
  expect(detailsIn(KUBERNETES_RULES, text).some(({ id }) => id === 'TC-TRAP-CLOUD-CONTROLLER-RIGHTS')).toBe(isFound);
});

test.each<[what: string, least: number, metric: string, found: readonly string[]]>([
  ['one pod at least', 1, 'type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}', []],
  ['none, by the CPU of its pods', 0, 'type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}', ['TC-ADMIT-KUBERNETES-AUTOSCALER']],
  ['none, by a queue', 0, 'type: External, external: {metric: {name: queue}, target: {type: AverageValue, averageValue: "5"}}', ['TC-ADMIT-KUBERNETES-AUTOSCALER-GATE']],
])('a HorizontalPodAutoscaler with %s', (_, least, metric, found) => {
  expect(detailsIn(KUBERNETES_RULES, `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: acme}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: ${least}
  maxReplicas: 5
  metrics: [{${metric}}]
`).map(({ id }) => id)).toEqual(found);
});

test.each<[what: string, update: string, isFound: boolean]>([
  ['none, and no pod more', '{maxSurge: 0}', false],
  ['none, and no share more', '{maxSurge: "0%", maxUnavailable: 25%}', false],
  ['none, and one more', '{maxSurge: 1, maxUnavailable: 0}', true],
  ['a share of one pod', '{maxUnavailable: 50%}', true],
  ['its pod', '{maxUnavailable: 1}', false],
])('a Deployment with a volume of one node that may miss %s', (_, update, isFound) => {
  expect(detailsIn(KUBERNETES_RULES, `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: web, namespace: acme}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: acme}
spec:
  strategy: {type: RollingUpdate, rollingUpdate: ${update}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "registry.example.com/web:v1"}]
      volumes: [{name: data, persistentVolumeClaim: {claimName: web}}]
`).map(({ id }) => id)).toEqual(isFound ? ['TC-TRAP-KUBERNETES-ROLLOUT-VOLUME'] : []);
});

test('an autoscaler without a workload is meant for one elsewhere only if that is the only one, and has none', () => {
  const of = (namespace: string, isScaler: boolean) => (isScaler ? `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: ${namespace}}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 5
` : `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${namespace}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "registry.example.com/web:v1"}]
`);
  const found = (...texts: readonly string[]) => detailsIn(KUBERNETES_RULES, texts.join('')).map(({ id }) => id);
  expect(found(of('acme', true), of('shop', false))).toEqual(['TC-TRAP-KUBERNETES-AUTOSCALER-TARGET']);
  expect(found(of('acme', true), of('shop', false), of('shop', true))).toEqual([]);
  expect(found(of('acme', true), of('shop', false), of('beta', false))).toEqual([]);
});

test('an autoscaler counts pods of others that the selector of its workload selects, whatever its version of the kind', () => {
  const workload = (name: string, replicas = '') => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: acme}
spec:
  ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "registry.example.com/web:v1"}]
`;
  const scaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: acme}
spec:
  scaleTargetRef: {kind: Deployment, name: web}
  maxReplicas: 5
`;
  const found = (...texts: readonly string[]) => detailsIn(KUBERNETES_RULES, texts.join('')).map(({ id }) => id);
  expect(found(scaler, workload('web'), ...['a', 'b', 'c', 'd', 'e'].map((name) => workload(name)))).toEqual(['TC-TRAP-KUBERNETES-AUTOSCALER-SELECTOR']);
  expect(found(scaler, workload('web'), workload('worker', 'replicas: 0'))).toEqual([]);
});
