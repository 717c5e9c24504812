import { CLUSTER_API_RULES } from '../../../../src/manifests/rules/cluster-api/cluster-api-rules';
import { findings } from '../rules-under-test';

const TEMPLATE = (kind: string) => `{templateRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1, kind: ${kind}, name: a}}`;

/** Findings in a ClusterClass, beside those about the gates that it needs. */
function found(spec: string, controlPlane = ''): string[] {
  const text = `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: small, namespace: t}
spec:
  infrastructure: ${TEMPLATE('KubevirtClusterTemplate')}
  controlPlane: {templateRef: {apiVersion: controlplane.cluster.x-k8s.io/v1alpha2, kind: KamajiControlPlaneTemplate, name: a}, ${controlPlane}}
  workers: {machineDeployments: [{class: worker, bootstrap: ${TEMPLATE('KubeadmConfigTemplate')}, infrastructure: ${TEMPLATE('KubevirtMachineTemplate')}}]}
  ${spec}
`;
  return findings(CLUSTER_API_RULES, text).map((line) => line.split(':')[0]).filter((line) => !/^TC-ADMIT-(TOPOLOGY|RUNTIME)-GATE/.test(line));
}

test.each([
  ['[v1.33.9, v1.34.7, v1.35.4]', []],
  ['[v1.33.9, v1.33.10]', []],
  ['[v1.33.10, v1.33.9]', ['spec.kubernetesVersions.1']],
  ['[v1.33.9, v1.33.9]', ['spec.kubernetesVersions.1']],
  ['[v1.33.9, v1.35.4, v1.34.7]', ['spec.kubernetesVersions.1', 'spec.kubernetesVersions.2']],
])('versions %s', (versions, places) => {
  expect(found(`kubernetesVersions: ${versions}`)).toEqual(places.map((place) => `TC-ADMIT-CLASS-VERSIONS ${place}`));
});

test.each([
  ['[{name: a}, {name: b}]', []],
  ['[{name: a}, {name: a}]', ['spec.variables.1.name']],
  ['[{name: builtin}]', ['spec.variables.0.name']],
  ['[{name: a.b}]', ['spec.variables.0.name']],
])('variables %s', (variables, places) => {
  expect(found(`variables: ${variables}`)).toEqual(places.map((place) => `TC-ADMIT-CLASS-VARIABLE ${place}`));
});

test('names, health checks and labels of a control plane', () => {
  expect(found('', 'naming: {template: "{{ .cluster.name }}"}')).toEqual([]);
  expect(found('', 'naming: {template: "{{ .machineDeployment.topologyName }}"}')).toEqual(['TC-ADMIT-CLASS-NAMING spec.controlPlane.naming.template']);
  expect(found('', 'healthCheck: {checks: {}}')).toEqual(['TC-ADMIT-TOPOLOGY-HEALTH-CHECK spec.controlPlane.healthCheck']);
  expect(found('variables: [{name: a, schema: {openAPIV3Schema: {type: string, x-metadata: {labels: {a: "b c"}}}}}]')).toEqual(['TC-ADMIT-MACHINE-METADATA spec.variables.0.schema.openAPIV3Schema.x-metadata.labels.a']);
  expect(found('', 'metadata: {labels: {a: "b c"}}')).toEqual(['TC-ADMIT-MACHINE-METADATA spec.controlPlane.metadata.labels.a']);
});

describe('patches', () => {
  const at = 'spec.patches.0';
  const definition = `${at}.definitions.0`;

  function inPatch(change: string, selector = 'kind: KamajiControlPlaneTemplate, apiVersion: controlplane.cluster.x-k8s.io/v1alpha2, matchResources: {controlPlane: true}'): string[] {
    return found(`patches: [{name: a, definitions: [{selector: {${selector}}, jsonPatches: [{${change}}]}]}]`);
  }

  test.each([
    ['op: add, path: /spec/template/spec/a, value: 1', []],
    // A server drops null.
    ['op: add, path: /spec/template/spec/a, value: null', [`VALUE ${definition}.jsonPatches.0`]],
    ['op: add, path: /spec/template/spec/a/0, value: 1', []],
    ['op: add, path: /spec/template/spec/a/-, value: 1', []],
    ['op: remove, path: /spec/template/spec/a', []],
    ['op: add, path: /spec/template/spec/a/1, value: 1', [`PATH ${definition}.jsonPatches.0.path`]],
    ['op: replace, path: /spec/template/spec/a/0, value: 1', [`PATH ${definition}.jsonPatches.0.path`]],
    ['op: remove, path: /spec/template/spec/a/0', [`PATH ${definition}.jsonPatches.0.path`]],
    ['op: remove, path: /metadata/labels/a', [`PATH ${definition}.jsonPatches.0.path`]],
    ['op: add, path: /spec/a', [`VALUE ${definition}.jsonPatches.0`]],
    ['op: add, path: /spec/a, value: 1, valueFrom: {template: a}', [`VALUE ${definition}.jsonPatches.0`]],
    ['op: add, path: /spec/a, valueFrom: {}', [`VALUE ${definition}.jsonPatches.0.valueFrom`]],
    ['op: add, path: /spec/a, valueFrom: {template: a, variable: builtin.cluster}', [`VALUE ${definition}.jsonPatches.0.valueFrom`]],
    ['op: add, path: /spec/a, valueFrom: {variable: builtin.machinePool.topologyName}', []],
    ['op: add, path: /spec/a, valueFrom: {variable: builtin.machinePool.size}', [`VALUE ${definition}.jsonPatches.0.valueFrom.variable`]],
    ['op: add, path: /spec/a, valueFrom: {variable: a}', [`VALUE ${definition}.jsonPatches.0.valueFrom.variable`]],
    ['op: add, path: /spec/a, valueFrom: {template: "{{ .a"}', [`TEMPLATE ${definition}.jsonPatches.0.valueFrom.template`]],
  ])('%s', (change, expected) => {
    expect(inPatch(change)).toEqual(expected.map((line) => `TC-ADMIT-CLASS-PATCH-${line}`));
  });

  test('variables are known by their first name', () => {
    const patch = (variable: string) => `variables: [{name: a}]\n  patches: [{name: p, definitions: [{selector: {kind: KubevirtClusterTemplate, apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1, matchResources: {infrastructureCluster: true}}, jsonPatches: [{op: add, path: /spec/a, valueFrom: {variable: "${variable}"}}]}]}]`;

    expect(found(patch('a.b'))).toEqual([]);
    expect(found(patch('a[0].c'))).toEqual([]);
    expect(found(patch('b.a'))).toHaveLength(1);
  });

  test.each([
    ['matchResources: {}', ['']],
    ['matchResources: {infrastructureCluster: true}', ['.matchResources.infrastructureCluster']],
    ['matchResources: {controlPlane: true, infrastructureCluster: false}', ['.matchResources.controlPlane']],
    ['matchResources: {machineDeploymentClass: {names: [worker]}}', []],
    ['matchResources: {machineDeploymentClass: {names: ["*"]}}', []],
    ['matchResources: {machineDeploymentClass: {names: ["wor*", "*ker"]}}', []],
    ['matchResources: {machineDeploymentClass: {names: ["ker*"]}}', ['.matchResources.machineDeploymentClass.names.0']],
    ['matchResources: {machineDeploymentClass: {names: ["w*r"]}}', ['.matchResources.machineDeploymentClass.names.0']],
    ['matchResources: {machineDeploymentClass: {names: ["*o*"]}}', ['.matchResources.machineDeploymentClass.names.0']],
    ['matchResources: {machinePoolClass: {names: [worker]}}', ['.matchResources.machinePoolClass.names.0']],
  ])('of machines with %s', (match, places) => {
    expect(inPatch('op: remove, path: /spec/a', `kind: KubevirtMachineTemplate, apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1, ${match}`))
      .toEqual(places.map((place) => `TC-ADMIT-CLASS-PATCH-SELECTOR ${definition}.selector${place}`));
  });

  test('of a part whose reference is missing: that is a finding of its own', () => {
    const patch = 'patches: [{name: a, definitions: [{selector: {kind: KubevirtMachineTemplate, apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1, matchResources: {controlPlane: true}}, jsonPatches: [{op: remove, path: /spec/template/spec/a}]}]}]';
    expect(found(patch)).toEqual([`TC-ADMIT-CLASS-PATCH-SELECTOR ${definition}.selector.matchResources.controlPlane`]);
    expect(found(patch, 'machineInfrastructure: {ref: {}}')).toEqual([]);
  });

  test('written, or from an extension', () => {
    expect(found('patches: [{name: a}]')).toEqual([`TC-ADMIT-CLASS-PATCH-SOURCE ${at}`]);
    expect(found('patches: [{name: a, external: {}}]')).toEqual([`TC-ADMIT-CLASS-PATCH-SOURCE ${at}.external`]);
    expect(found('patches: [{name: a, external: {generatePatchesExtension: b}}]')).toEqual([]);
    expect(found('patches: [{name: a, definitions: [], external: {generatePatchesExtension: b}}]')).toEqual([`TC-ADMIT-CLASS-PATCH-SOURCE ${at}`]);
    expect(found('patches: [{name: a, definitions: []}, {name: a, definitions: []}]')).toEqual(['TC-ADMIT-CLASS-PATCH-NAME spec.patches.1.name']);
    expect(found('patches: [{name: a, enabledIf: "{{ if", definitions: []}]')).toEqual([`TC-ADMIT-CLASS-PATCH-TEMPLATE ${at}.enabledIf`]);
  });
});
