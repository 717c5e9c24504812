import { ANNOTATION_RULES } from '../../../src/manifests/validation/annotations/annotation-rules';
import { detailsIn, findings, testRules } from '../rules/rules-under-test';

testRules(ANNOTATION_RULES);

const MIN = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size';
const MAX = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';
const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io/';
const [NAME, PLACE, VALUE] = ['NAME', 'PLACE', 'VALUE'].map((name) => `TC-TRAP-ANNOTATION-${name}`);

function object(kind: string, metadata: string, spec = '{}'): string {
  const [group, name] = kind.split('/');
  return `apiVersion: ${group === '' ? 'v1' : `${group}/v1beta2`}\nkind: ${name}\nmetadata: {name: a, namespace: t, ${metadata}}\nspec: ${spec}\n`;
}

function pool(annotations: string, ofMachines = ''): string {
  return object('cluster.x-k8s.io/MachineDeployment', `annotations: {${annotations}}`, `{template: {metadata: {annotations: {${ofMachines}}}}}`);
}

function ids(text: string): string[] {
  return findings(ANNOTATION_RULES, text).map((line) => line.split(' ')[0]);
}

test('Annotations of the autoscaler are right on every kind of pool, and in the pools of topologies and classes.', () => {
  const bounds = `${MIN}: "1", ${MAX}: "4", ${CAPACITY}cpu: "4", ${CAPACITY}memory: 16Gi`;
  expect(ids(pool(bounds))).toEqual([]);
  for (const kind of ['MachineSet', 'MachinePool']) expect(ids(object(`cluster.x-k8s.io/${kind}`, `annotations: {${bounds}}`))).toEqual([]);
  const workers = `workers: {machineDeployments: [{metadata: {annotations: {${bounds}}}}], machinePools: [{metadata: {annotations: {${bounds}}}}]}`;
  expect(ids(object('cluster.x-k8s.io/Cluster', '', `{topology: {${workers}}}`))).toEqual([]);
  expect(ids(object('cluster.x-k8s.io/ClusterClass', '', `{${workers}}`))).toEqual([]);
});

test.each([
  ['in the template of machines', pool('', `${MIN}: "1"`)],
  ['on a Machine', object('cluster.x-k8s.io/Machine', `annotations: {${MAX}: "1"}`)],
  ['on a Cluster', object('cluster.x-k8s.io/Cluster', `annotations: {${MIN}: "1"}`)],
  ['on a machine template', object('infrastructure.cluster.x-k8s.io/FooMachineTemplate', `annotations: {${CAPACITY}cpu: "1"}`)],
  ['on a control plane', object('cluster.x-k8s.io/Cluster', '', `{topology: {controlPlane: {metadata: {annotations: {${MIN}: "1"}}}}}`)],
  ['as labels', object('cluster.x-k8s.io/MachineDeployment', `labels: {${MIN}: "1"}`)],
  ['on a controller of pods', object('apps/Deployment', 'annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: "true"}')],
  ['of Cluster API, on the wrong kind', object('cluster.x-k8s.io/MachineDeployment', 'annotations: {cluster.x-k8s.io/delete-machine: ""}')],
  ['a label as an annotation', object('cluster.x-k8s.io/Cluster', 'annotations: {cluster.x-k8s.io/watch-filter: a}')],
  ['of a topology, on its Cluster', object('cluster.x-k8s.io/Cluster', 'annotations: {topology.cluster.x-k8s.io/defer-upgrade: ""}')],
  ['of KubeVirt, on the machine in place of its instance', object('kubevirt.io/VirtualMachine', 'annotations: {kubevirt.io/allow-pod-bridge-network-live-migration: ""}')],
  ['of Kamaji, on a Cluster', object('cluster.x-k8s.io/Cluster', 'annotations: {kamaji.clastix.io/migration-timeout: 10m}')],
  ['of Argo CD, on pods', object('apps/Deployment', '', '{template: {metadata: {annotations: {argocd.argoproj.io/sync-wave: "1"}}, spec: {}}}')],
])('Annotations in the wrong place: %s', (_, text) => {
  expect(ids(text)).toEqual([PLACE]);
});

test('Annotations that stand in the right place, too, are not reported.', () => {
  expect(ids(pool(`${MIN}: "1", ${MAX}: "4"`, `${MIN}: "1", ${MAX}: "4"`))).toEqual([]);
});

test('The fix names the place in the same object.', () => {
  expect(detailsIn(ANNOTATION_RULES, pool('', `${MIN}: "1"`))).toEqual([expect.objectContaining({ fix: 'move it to metadata.annotations' })]);
});

test.each([
  ['cluster.x-k8s.io/cluster-api-autoscaler-nodegroup-min-size', MIN],
  ['cluster.k8s.io/cluster-api-autoscaler-node-group-max-size', MAX],
  [`${CAPACITY}mem`, `${CAPACITY}memory`],
  [`${CAPACITY}zone`, undefined],
  [`${CAPACITY}maxpods`, `${CAPACITY}maxPods`],
  [`${CAPACITY}gpucount`, `${CAPACITY}gpu-count`],
  ['cluster.x-k8s.io/autoscaling-options-scale-down-unneeded-time', 'cluster.x-k8s.io/autoscaling-options-scaledownunneededtime'],
  ['cluster.x-k8s.io/pause', 'cluster.x-k8s.io/paused'],
  ['machine.cluster.x-k8s.io/paused', 'cluster.x-k8s.io/paused'],
  ['machineset.cluster.x-k8s.io/skip-preflight-check', 'machineset.cluster.x-k8s.io/skip-preflight-checks'],
  ['kustomize.fluxcd.io/substitute', 'kustomize.toolkit.fluxcd.io/substitute'],
  ['kustomize.toolkit.fluxcd.io/reconcille', 'kustomize.toolkit.fluxcd.io/reconcile'],
  ['argocd.argoproj.io/sync-option', 'argocd.argoproj.io/sync-options'],
  ['argoproj.io/sync-wave', 'argocd.argoproj.io/sync-wave'],
])('The key %s', (key, meant) => {
  expect(detailsIn(ANNOTATION_RULES, pool(`${key}: a`)).map(({ fix }) => fix)).toEqual([meant === undefined ? 'remove it' : `did you mean "${meant}"?`]);
  expect(ids(pool(`${key}: a`))).toEqual([NAME]);
});

test.each(['example.com/paused', 'cluster.x-k8s.io/region', 'platform.example.com/secret-type', 'infrastructure.cluster.x-k8s.io/name', 'kubevirt.io/domain'])(
  'The key %s may be of another controller.', (key) => {
    expect(ids(object('/Secret', `annotations: {${key}: a}, labels: {${key}: a}`))).toEqual([]);
  },
);

test.each([
  [`${CAPACITY}cpu`, '4', '4 cores'], [`${CAPACITY}memory`, '16Gi', '16GB'], [`${CAPACITY}gpu-count`, '1', '0.5'],
  [`${CAPACITY}labels`, 'pool=gpu,zone=a', 'pool:gpu'], [`${CAPACITY}taints`, 'a=b:NoSchedule,c:NoExecute', 'a=b'],
  [`${CAPACITY}csi-driver`, 'csi.example.com=25', 'csi.example.com:25'],
  ['cluster.x-k8s.io/autoscaling-options-scaledownunneededtime', '10m', '10'],
  ['cluster.x-k8s.io/autoscaling-options-scaledownutilizationthreshold', '0.5', '50%'],
  ['cluster.x-k8s.io/paused', '', 'false'], ['kustomize.toolkit.fluxcd.io/prune', 'Disabled', 'false'],
  ['kustomize.toolkit.fluxcd.io/ssa', 'ifnotpresent', 'Once'], ['kustomize.toolkit.fluxcd.io/substitute', 'disabled', 'Disabled'],
  ['argocd.argoproj.io/sync-wave', '"-5"', 'early'], ['argocd.argoproj.io/hook', 'PreSync, PostSync', 'pre-install'],
  ['argocd.argoproj.io/sync-options', 'Prune=false,Replace=true', 'Prune=false,Replace=True'],
])('The value of %s: %s, and not %s', (key, right, wrong) => {
  expect(ids(pool(`${key}: "${right.replaceAll('"', '')}"`))).toEqual([]);
  expect(ids(pool(`${key}: "${wrong}"`))).toEqual([VALUE]);
});

test('Of a list, the entries that are wrong are named, with what is meant.', () => {
  expect(detailsIn(ANNOTATION_RULES, pool('argocd.argoproj.io/sync-options: "Prune=false,replace=true"'))).toEqual([
    expect.objectContaining({ message: 'Argo CD cannot read "replace=true", and ignores it', fix: 'did you mean "Replace=true"?' }),
  ]);
});

test.each(['cluster.x-k8s.io/paused', 'cluster.x-k8s.io/remediate-machine'])('%s in a template of machines harms all of them.', (key) => {
  expect(ids(pool('', `${key}: ""`))).toEqual([VALUE]);
  expect(ids(object('cluster.x-k8s.io/Machine', `annotations: {${key}: ""}`))).toEqual([]);
});
