import { KUBEADM_MANIFEST_RULES } from '../../../../../src/manifests/systems/kubeadm/provider';
import { findings } from '../../../rules/rules-under-test';

function found(spec: string, version = 'v1beta2', kind = 'KubeadmControlPlane'): string[] {
  const text = `apiVersion: controlplane.cluster.x-k8s.io/${version}\nkind: ${kind}\nmetadata: {name: a, namespace: t}\nspec: ${spec}\n`;
  return findings(KUBEADM_MANIFEST_RULES, text).map((line) => line.split(':')[0].replace('TC-ADMIT-KCP-', ''));
}

const configured = (fields: string) => `kubeadmConfigSpec: {clusterConfiguration: {${fields}}}`;
const EXTERNAL = configured('etcd: {external: {endpoints: [https://a]}}');

test.each([
  ['{}', []],
  ['{replicas: 1}', []],
  ['{replicas: 3}', []],
  ['{replicas: 2}', ['REPLICAS spec.replicas']],
  ['{replicas: 0, rollout: {strategy: {rollingUpdate: {maxSurge: 0}}}, rolloutStrategy: {rollingUpdate: {maxSurge: 0}}}', ['REPLICAS spec.replicas']],
  ['{replicas: 0}', ['REPLICAS spec.replicas']],
  ['{replicas: -1}', []],
  [`{replicas: 2, ${EXTERNAL}}`, []],
  [`{replicas: 0, ${EXTERNAL}}`, ['REPLICAS spec.replicas']],
  [`{${configured('etcd: {local: {dataDir: /a}, external: {endpoints: [https://a]}}')}}`, ['ETCD spec.kubeadmConfigSpec.clusterConfiguration.etcd']],
])('%s', (spec, expected) => {
  expect(found(spec)).toEqual(expected);
  expect(found(spec, 'v1beta1')).toEqual(expected);
});

test.each([
  [1, '1', true], [1, '0', false], [3, '0', true], [3, '2', false], [3, '"1"', true], [1, '"1"', true],
  // A percentage counts as 0.
  [3, '"25%"', true], [1, '"25%"', false], [3, '"2"', false],
])('%d machines with maxSurge %s', (replicas, maxSurge, isTaken) => {
  const at = 'rollingUpdate: {maxSurge: ';

  expect(found(`{replicas: ${replicas}, rollout: {strategy: {${at}${maxSurge}}}}}`)).toEqual(isTaken ? [] : ['MAX-SURGE spec.rollout.strategy.rollingUpdate.maxSurge']);
  expect(found(`{replicas: ${replicas}, rolloutStrategy: {${at}${maxSurge}}}}`, 'v1beta1')).toEqual(isTaken ? [] : ['MAX-SURGE spec.rolloutStrategy.rollingUpdate.maxSurge']);
});

test('a template does not know the number of machines', () => {
  const surging = (maxSurge: number) => `{template: {spec: {rollout: {strategy: {rollingUpdate: {maxSurge: ${maxSurge}}}}}}}`;

  expect(found(surging(0), 'v1beta2', 'KubeadmControlPlaneTemplate')).toEqual([]);
  expect(found(surging(2), 'v1beta2', 'KubeadmControlPlaneTemplate')).toEqual(['MAX-SURGE spec.template.spec.rollout.strategy.rollingUpdate.maxSurge']);
});

test.each([
  ['certificateValidityPeriodDays: 365, caCertificateValidityPeriodDays: 365', []],
  ['certificateValidityPeriodDays: 366, caCertificateValidityPeriodDays: 365', ['CERTIFICATE']],
  ['certificateValidityPeriodDays: 1095', []],
  ['dns: {imageTag: v1.12.1}', []],
  ['dns: {imageTag: v1.12.1_build.2}', []],
  ['dns: {imageTag: 1.12}', []],
  ['dns: {imageTag: latest}', ['IMAGE-TAG']],
  ['dns: {imageTag: "v1.12.1+build"}', ['IMAGE-TAG']],
  ['etcd: {local: {imageTag: latest}}', []],
  ['etcd: {local: {imageTag: "a b"}}', ['IMAGE-TAG']],
])('%s', (fields, ids) => {
  expect(found(`{${configured(fields)}}`).map((line) => line.split(' ')[0])).toEqual(ids);
});

test.each([
  [30, 90, []],
  [89, 90, []],
  [90, 90, ['ROLLOUT-BEFORE']],
  [364, undefined, []],
  [365, undefined, ['TC-TRAP-KCP-ROLLOUT-BEFORE']],
])('%p days before the end of %p', (before, validity, ids) => {
  const configuration = validity === undefined ? '' : configured(`certificateValidityPeriodDays: ${validity}`);
  const inTemplate = (rollout: string) => found(`{template: {spec: {${rollout}, ${configuration}}}}`, 'v1beta2', 'KubeadmControlPlaneTemplate');

  for (const lines of [
    found(`{rollout: {before: {certificatesExpiryDays: ${before}}}, ${configuration}}`),
    found(`{rolloutBefore: {certificatesExpiryDays: ${before}}, ${configuration}}`, 'v1beta1'),
    inTemplate(`rollout: {before: {certificatesExpiryDays: ${before}}}`),
  ]) expect(lines.map((line) => line.split(' ')[0])).toEqual(ids);
});

test('timeouts of the first machine and of the others', () => {
  const waiting = (init: string, join: string) => found(`{kubeadmConfigSpec: {initConfiguration: {${init}}, joinConfiguration: {${join}}}}`);
  const seconds = (count: number) => `timeouts: {controlPlaneComponentHealthCheckSeconds: ${count}}`;

  expect(waiting('', '')).toEqual([]);
  expect(waiting(seconds(60), seconds(60))).toEqual([]);
  expect(waiting(seconds(60), seconds(61))).toEqual(['TIMEOUTS spec.kubeadmConfigSpec.joinConfiguration.timeouts.controlPlaneComponentHealthCheckSeconds']);
  expect(waiting('', seconds(60))).toEqual(['TIMEOUTS spec.kubeadmConfigSpec.initConfiguration.timeouts.controlPlaneComponentHealthCheckSeconds']);
});

test('a reference of v1beta1 is complete', () => {
  const referring = (reference: string) => found(`{machineTemplate: {infrastructureRef: {${reference}}}}`, 'v1beta1');

  expect(referring('apiVersion: a/v1, kind: B, name: c')).toEqual([]);
  expect(referring('apiVersion: v1, kind: B, name: ""')).toEqual(['apiVersion', 'name'].map((field) => `INFRASTRUCTURE spec.machineTemplate.infrastructureRef.${field}`));
});
