import { manifestRules } from '../../../../src/manifests/validation/manifest-rules';
import { findings } from '../rules-under-test';

const found = (text: string) => findings(manifestRules(), text).map((line) => line.split(':')[0]).filter((line) => line.startsWith('TC-ADMIT') && !line.includes('GATE'));
const CLASS = 'cluster.x-k8s.io/v1beta1 ClusterClass';

test.each([
  ['cluster.x-k8s.io/v1beta1 Cluster', ['CLUSTER-PARTS spec']],
  ['cluster.x-k8s.io/v1beta1 Machine', ['MACHINE-BOOTSTRAP spec.bootstrap']],
  ['cluster.x-k8s.io/v1beta1 MachineDeployment', ['MACHINE-BOOTSTRAP spec.template.spec.bootstrap']],
  ['cluster.x-k8s.io/v1beta1 MachineHealthCheck', ['HEALTH-CHECK-SELECTOR spec.selector']],
  ['addons.cluster.x-k8s.io/v1beta1 ClusterResourceSet', ['CRS-SELECTOR spec.clusterSelector']],
  ['controlplane.cluster.x-k8s.io/v1beta1 KubeadmControlPlane',
    ['apiVersion', 'kind', 'name'].map((field) => `KCP-INFRASTRUCTURE spec.machineTemplate.infrastructureRef.${field}`)],
  [CLASS, ['infrastructure', 'controlPlane'].flatMap((part) => ['apiVersion', 'kind', 'name'].map((field) => `CLASS-TEMPLATE spec.${part}.ref.${field}`))],
  // Here the schema requires it.
  ['cluster.x-k8s.io/v1beta2 Cluster', []],
  ['cluster.x-k8s.io/v1beta2 MachineDeployment', []],
])('a webhook reads the missing spec of %s as an empty one', (kind, expected) => {
  const [apiVersion, name] = kind.split(' ');
  expect(found(`apiVersion: ${apiVersion}\nkind: ${name}\nmetadata: {name: a, namespace: t}\n`)).toEqual(expected.map((line) => `TC-ADMIT-${line}`));
});

const REFERENCE = '{apiVersion: example.com/v1, kind: ATemplate, name: a}';

test.each<[reference: string, fields: string[]]>([
  [REFERENCE, []],
  ['{}', ['apiVersion', 'kind', 'name']],
  ['{apiVersion: example.com/v1, kind: ATemplate}', ['name']],
  ['{apiVersion: example.com/v1, kind: A, name: ""}', ['name', 'kind']],
  ['{kind: Template, name: a}', ['apiVersion', 'kind']],
])('references of a ClusterClass of v1beta1: %s', (reference, fields) => {
  const classOf = (infrastructure: string, worker: string, machines: string) => `apiVersion: cluster.x-k8s.io/v1beta1
kind: ClusterClass
metadata: {name: a, namespace: t}
spec:
  infrastructure: {ref: ${infrastructure}}
  controlPlane: {ref: ${REFERENCE}, machineInfrastructure: {ref: ${machines}}}
  workers: {machineDeployments: [{class: a, template: {bootstrap: {ref: ${worker}}, infrastructure: {ref: ${REFERENCE}}}}]}
`;
  const places = (path: string) => fields.map((field) => `TC-ADMIT-CLASS-TEMPLATE spec.${path}.ref.${field}`);
  expect(found(classOf(reference, REFERENCE, REFERENCE))).toEqual(places('infrastructure'));
  expect(found(classOf(REFERENCE, reference, REFERENCE))).toEqual(places('workers.machineDeployments.0.template.bootstrap'));
  // Conversion drops an empty one, which is optional here.
  expect(found(classOf(REFERENCE, REFERENCE, reference))).toEqual(reference === '{}' ? [] : places('controlPlane.machineInfrastructure'));
});
