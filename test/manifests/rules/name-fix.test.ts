import { detailsIn } from './rules-under-test';
import { CLUSTER_API_RULES } from '../../../src/manifests/rules/cluster-api/cluster-api-rules';
import { KAMAJI_MANIFEST_RULES } from '../../../src/manifests/systems/kamaji/provider';
import { checkDns1035Label, checkDnsLabel, DNS_LABEL_MAX_LENGTH } from '../../../src/manifests/values/dns';
import { checkLabelValue, LABEL_MAX_LENGTH } from '../../../src/manifests/values/labels';
import { nameFix } from '../../../src/manifests/values/object-name';

test.each([
  ['Acme', '"acme"'],
  ['acme.prod', '"acme-prod"'],
  ['acme_prod', '"acme-prod"'],
  ['1acme', '"acme"'],
  ['acme-', '"acme"'],
])('for %s there is a name that is taken', (name, meant) => {
  expect(nameFix(name, checkDns1035Label, DNS_LABEL_MAX_LENGTH)).toContain(meant);
});

test('a name that is too long is to be shortened, and one of other letters to be chosen', () => {
  expect(nameFix('a'.repeat(70), checkDnsLabel, DNS_LABEL_MAX_LENGTH)).toBe('shorten it by at least 7 characters');
  expect(nameFix('名前', checkLabelValue, LABEL_MAX_LENGTH)).toMatch(/^choose a name/);
});

const pool = (name: string) => `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: ${name}, namespace: t}
spec: {clusterName: acme, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {clusterName: acme, bootstrap: {dataSecretName: a}}}}
`;

test('names that no object may have are reported once, as such', () => {
  expect(detailsIn(CLUSTER_API_RULES, pool('Acme_general'))).toEqual([]);
  expect(detailsIn(CLUSTER_API_RULES, pool('a'.repeat(64)))).toEqual([expect.objectContaining({ id: 'TC-ADMIT-POOL-NAME', fix: expect.stringContaining('at least 1 character') })]);
});

test('a control plane of Kamaji is told a name that is taken', () => {
  const controlPlane = 'apiVersion: controlplane.cluster.x-k8s.io/v1alpha2\nkind: KamajiControlPlane\nmetadata: {name: acme.prod, namespace: t}\nspec: {network: {dnsServiceIPs: [10.96.0.10]}}\n';

  expect(detailsIn(KAMAJI_MANIFEST_RULES, controlPlane)).toEqual([expect.objectContaining({ id: 'TC-TRAP-KAMAJI-NAME', fix: expect.stringContaining('"acme-prod"') })]);
});
