import { CLUSTER, controlPlane, newPool, oldPool } from './foreign-objects';
import { effectsIn, planned } from './tenant-pages';
import { planTotals, totalsWords } from '../../../src/manifests/plan/plan-totals';

const aws = (apiVersion: string, spec: object) => ({
  apiVersion: `infrastructure.cluster.x-k8s.io/${apiVersion}`, kind: 'AWSMachineTemplate', metadata: { name: 'a', namespace: 'default' }, spec: { template: { spec } },
});
const other = (apiVersion: string) => ({ apiVersion: `example.com/${apiVersion}`, kind: 'Widget', metadata: { name: 'a', namespace: 'default' }, spec: { size: 1 } });
const KUBEADM = { replicas: 3, version: 'v1.34.1', kubeadmConfigSpec: { clusterConfiguration: { controllerManager: { extraArgs: { 'cloud-provider': 'external' } } } } };
const oldControlPlane = (spec: object) => ({
  ...controlPlane(),
  apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1',
  spec: { ...KUBEADM, machineTemplate: { infrastructureRef: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'DockerMachineTemplate', name: 'acme-control-plane' } }, ...spec },
});

test.each<[what: string, before: object, after: object]>([
  ['a pool of another version of the API', oldPool({ minReadySeconds: 5 }, { nodeDrainTimeout: '5m' }), newPool({ minReadySeconds: 5, deletion: { nodeDrainTimeoutSeconds: 300 } }, {
    rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } } },
  })],
  ['a version that gets its v', newPool({ version: '1.34.1' }), newPool({ version: 'v1.34.1' })],
  ['a template of another version, all of whose fields are in both', aws('v1beta1', { instanceType: 'a' }), aws('v1beta2', { instanceType: 'a' })],
])('%s is no change', (_, before, after) => {
  expect(totalsWords(planTotals(planned([CLUSTER, before], [CLUSTER, after])))).toBe('Nothing changes.');
});

test('a control plane of another version of the API has the effects of its fields', () => {
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachineTemplate', name: 'acme-control-plane' };
  const extraArgs = [{ name: 'cloud-provider', value: 'external' }];
  const spec = { ...KUBEADM, version: 'v1.34.2', machineTemplate: { spec: { infrastructureRef } }, kubeadmConfigSpec: { clusterConfiguration: { controllerManager: { extraArgs } } } };
  const now = { ...controlPlane(), spec };

  expect(effectsIn(planned([CLUSTER, oldControlPlane({})], [CLUSTER, now]).clusters[0])).toEqual({ 'control plane': ['machines replaced 3 by 1 (version v1.34.1 -> v1.34.2)'] });
});

test('discovery of an older version has a timeout that is compared', () => {
  const join = (timeout: string) => oldControlPlane({ kubeadmConfigSpec: { joinConfiguration: { discovery: { timeout } } } });

  expect(effectsIn(planned([CLUSTER, join('5m')], [CLUSTER, join('10m')]).clusters[0])).toEqual({
    'control plane': ['machines replaced 2-3 by 1 (joinConfiguration.discovery.timeout 5m -> 10m)'],
  });
  expect(totalsWords(planTotals(planned([CLUSTER, join('5m')], [CLUSTER, join('300s')])))).toBe('Nothing changes.');
});

test('another version whose conversion is not known', () => {
  const [template, object] = [planned([aws('v1beta1', { instanceType: 'm5.large', failureDomain: 'a' })], [aws('v1beta2', { instanceType: 'm5.large', failureDomain: 'a' })]), planned([other('v1')], [other('v2')])];

  expect(template.shared[0].effects).toEqual([{
    effect: 'new ones only', reasons: ['apiVersion infrastructure.cluster.x-k8s.io/v1beta1 -> infrastructure.cluster.x-k8s.io/v1beta2, whose conversion is not known'],
  }]);
  expect(object.shared[0].effects).toEqual([{ effect: 'unknown', reasons: ['apiVersion example.com/v1 -> example.com/v2, whose conversion is not known'] }]);
});
