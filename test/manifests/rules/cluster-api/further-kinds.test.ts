import { CLUSTER_API_RULES } from '../../../../src/manifests/rules/cluster-api/cluster-api-rules';
import { findings } from '../rules-under-test';

function found(text: string): string[] {
  return findings(CLUSTER_API_RULES, text).map((line) => line.split(':')[0]).filter((line) => !line.startsWith('TC-ADMIT-RUNTIME-GATE'));
}

const extension = (client: string, name = 'a') => `apiVersion: runtime.cluster.x-k8s.io/v1beta2\nkind: ExtensionConfig\nmetadata: {name: ${name}}\nspec: {clientConfig: ${client}}\n`;
const drain = (spec: string) => `apiVersion: cluster.x-k8s.io/v1beta2\nkind: MachineDrainRule\nmetadata: {name: a, namespace: t}\nspec: {${spec}}\n`;
const address = (spec: string) => `apiVersion: ipam.cluster.x-k8s.io/v1beta2\nkind: IPAddress\nmetadata: {name: a, namespace: t}\nspec: {${spec}, claimRef: {name: c}, poolRef: {apiGroup: g, kind: K, name: p}}\n`;
const AT = 'spec.clientConfig';

test.each([
  ['{url: https://a.example.com}', []],
  ['{url: HTTPS://a.example.com}', []],
  ['{url: http://a.example.com}', [`${AT}.url`]],
  ['{url: a.example.com}', [`${AT}.url`]],
  ['{}', [AT]],
  ['{url: https://a, service: {name: a, namespace: b}}', [AT]],
  ['{service: {name: a, namespace: b}}', []],
  ['{service: {name: 1a, namespace: b.c, path: hooks, port: 0}}', ['name', 'namespace', 'path', 'port'].map((field) => `${AT}.service.${field}`)],
])('an extension at %s', (client, places) => {
  expect(found(extension(client))).toEqual(places.map((place) => `TC-ADMIT-RUNTIME-CLIENT ${place}`));
});

test('an extension without the gate, and with a name of several labels', () => {
  const text = extension('{url: https://a}', 'a.b');

  expect(findings(CLUSTER_API_RULES, text).map((line) => line.split(':')[0])).toEqual(['TC-ADMIT-RUNTIME-GATE spec', 'TC-ADMIT-RUNTIME-NAME metadata.name']);
});

test.each([
  ['drain: {behavior: Skip}', []],
  ['drain: {behavior: Skip, order: 1}', ['ORDER spec.drain.order']],
  ['drain: {behavior: Drain, order: 1}', []],
  ['drain: {behavior: Drain}, machines: [{clusterSelector: {matchLabels: {a: "b c"}}}]', ['SELECTOR spec.machines.0.clusterSelector.matchLabels.a']],
  ['drain: {behavior: Drain}, pods: [{selector: {matchLabels: {a: b, c: d}}}, {selector: {matchLabels: {c: d, a: b}}}]', ['UNIQUE spec.pods.1']],
])('%s', (spec, expected) => {
  expect(found(drain(spec))).toEqual(expected.map((line) => `TC-ADMIT-DRAIN-${line}`));
});

test.each([
  ['address: 192.0.2.1, prefix: 32', []],
  ['address: 192.0.2.1, prefix: 33', ['spec.prefix']],
  ['address: "2001:db8::1", prefix: 64', []],
  ['address: host, prefix: 64', ['spec.address']],
  ['address: 192.0.2.1, prefix: 24, gateway: router', ['spec.gateway']],
])('an address: %s', (spec, places) => {
  expect(found(address(spec))).toEqual(places.map((place) => `TC-ADMIT-IP-ADDRESS ${place}`));
});
