import { V1BETA1_DURATIONS } from '../../../../src/manifests/rules/cluster-api/v1beta1-durations';
import { findings } from '../rules-under-test';

function found(version: string, group: string, kind: string, spec: string): string[] {
  return findings(V1BETA1_DURATIONS, `apiVersion: ${group}cluster.x-k8s.io/${version}\nkind: ${kind}\nmetadata: {name: a, namespace: b}\nspec: ${spec}\n`);
}

test.each([
  ['', 'MachineDeployment', '{template: {spec: {nodeDrainTimeout: 20M}}}', 'spec.template.spec.nodeDrainTimeout: "20M"'],
  ['', 'MachineHealthCheck', '{nodeStartupTimeout: ""}', 'spec.nodeStartupTimeout: ""'],
  ['', 'Cluster', '{topology: {controlPlane: {machineHealthCheck: {unhealthyConditions: [{timeout: 5 min}]}}}}', 'spec.topology.controlPlane.machineHealthCheck.unhealthyConditions.0.timeout: "5 min"'],
  ['', 'ClusterClass', '{workers: {machineDeployments: [{nodeVolumeDetachTimeout: "1"}]}}', 'spec.workers.machineDeployments.0.nodeVolumeDetachTimeout: "1"'],
  ['controlplane.', 'KubeadmControlPlane', '{remediationStrategy: {retryPeriod: 1d}}', 'spec.remediationStrategy.retryPeriod: "1d"'],
  ['controlplane.', 'KubeadmControlPlaneTemplate', '{template: {spec: {kubeadmConfigSpec: {clusterConfiguration: {apiServer: {timeoutForControlPlane: x}}}}}}', 'spec.template.spec.kubeadmConfigSpec.clusterConfiguration.apiServer.timeoutForControlPlane: "x"'],
  ['bootstrap.', 'KubeadmConfigTemplate', '{template: {spec: {initConfiguration: {bootstrapTokens: [{ttl: 24}, {ttl: one day}]}}}}', 'spec.template.spec.initConfiguration.bootstrapTokens.1.ttl: "one day"'],
])('a duration that Go does not read fails in the conversion: %s%s %s', (group, kind, spec, place) => {
  expect(found('v1beta1', group, kind, spec)).toEqual([`TC-ADMIT-CLUSTER-DURATION ${place} is not a duration`]);
  expect(found('v1beta2', group, kind, spec)).toEqual([]);
});

test.each([
  ['', 'MachineHealthCheck', '{nodeStartupTimeout: 1h5m0.5s, unhealthyConditions: [{timeout: 0s}, {timeout: "0"}]}'],
  ['', 'Cluster', '{topology: {variables: [{name: a, value: {timeout: soon}}]}}'],
  ['bootstrap.', 'KubeadmConfig', '{files: [{path: /a, content: "timeout: 5"}]}'],
])('durations, and values of users, are let alone: %s%s %s', (group, kind, spec) => {
  expect(found('v1beta1', group, kind, spec)).toEqual([]);
});
