import { documents } from '../../../../src/manifests/rules/example-text';
import { BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT } from '../../../../src/manifests/rules/references/examples';
import { MISSING_DELIVERIES } from '../../../../src/manifests/systems/flux/rules/missing-deliveries';
import { MISSING_STORES } from '../../../../src/manifests/systems/kamaji/rules/data-stores';
import { REFERENCE_MANIFEST_RULES } from '../../../../src/manifests/validation/references/references-rules';
import { findings, testRules } from '../../rules/rules-under-test';

const RULES = [...REFERENCE_MANIFEST_RULES, ...MISSING_DELIVERIES, ...MISSING_STORES];

testRules(RULES);

const EVERYTHING = [CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT, POOL_TEXT];

function found(...texts: string[]): string[] {
  return findings(RULES, documents(...texts));
}

test.each(EVERYTHING.map((text) => [/kind: (\w+)/.exec(text)![1], text]))('a %s alone lacks nothing: the rest may be somewhere else', (_, text) => {
  expect(found(text)).toEqual([]);
});

test('what a whole cluster consists of lacks nothing', () => {
  expect(found(...EVERYTHING)).toEqual([]);
});

test.each([
  [TEMPLATE_TEXT, 'TC-TRAP-REF-TEMPLATE spec.template.spec.infrastructureRef: among the manifests that were read, there is no KubevirtMachineTemplate "acme-general-1a2b3c4d" in the namespace "tenant-acme"'],
  [BOOTSTRAP_TEXT, 'TC-TRAP-REF-TEMPLATE spec.template.spec.bootstrap.configRef: among the manifests that were read, there is no KubeadmConfigTemplate "acme-general-5e6f7a8b" in the namespace "tenant-acme"'],
  [CONTROL_PLANE_TEXT, 'TC-TRAP-REF-CLUSTER-PART spec.controlPlaneRef: among the manifests that were read, there is no KamajiControlPlane "acme" in the namespace "tenant-acme"'],
  [INFRASTRUCTURE_TEXT, 'TC-TRAP-REF-CLUSTER-PART spec.infrastructureRef: among the manifests that were read, there is no KubevirtCluster "acme" in the namespace "tenant-acme"'],
])('what a cluster with pools lacks is named', (left, finding) => {
  expect(found(...EVERYTHING.filter((text) => text !== left))).toEqual([finding]);
});

test('objects of another namespace are others', () => {
  const elsewhere = (text: string): string => text.replace('namespace: tenant-acme', 'namespace: tenant-other');

  expect(found(...EVERYTHING, ...EVERYTHING.map(elsewhere))).toEqual([]);
  expect(found(...EVERYTHING.map((text) => (text === TEMPLATE_TEXT ? elsewhere(text) : text)))).toEqual([
    expect.stringMatching(/^TC-TRAP-REF-TEMPLATE /),
  ]);
});

describe('objects without a namespace are in "default", as kubectl applies them', () => {
  const inDefault = EVERYTHING.map((text) => text.replace('namespace: tenant-acme', 'namespace: default'));
  const without = EVERYTHING.map((text) => text.replace(/\n? *namespace: tenant-acme,?/, ''));
  const of = (all: readonly string[]) => all.filter((finding) => finding.startsWith('TC-TRAP-REF'));

  test.each(EVERYTHING.map((text, index) => [/kind: (\w+)/.exec(text)![1], index] as const))('where the %s alone has none, or alone has one', (_, at) => {
    expect(without[at]).not.toContain('namespace:');
    expect(of(found(...inDefault.map((text, index) => (index === at ? without[index] : text))))).toEqual([]);
    expect(of(found(...inDefault.map((text, index) => (index === at ? text : without[index]))))).toEqual([]);
  });

  test('and what is missing there is missing', () => {
    const pool = EVERYTHING.indexOf(POOL_TEXT);
    const others = inDefault.filter((_, index) => index !== EVERYTHING.indexOf(TEMPLATE_TEXT) && index !== pool);
    expect(of(found(without[pool], ...others))).toEqual([expect.stringMatching(/^TC-TRAP-REF-TEMPLATE /)]);
  });
});

test('a kind whose group is not said is a matter of the fields alone', () => {
  const without = CLUSTER_TEXT.replace(/apiGroup: infrastructure\.cluster\.x-k8s\.io, /, '');

  expect(without).not.toBe(CLUSTER_TEXT);
  expect(found(without)).toEqual([]);
});

test('references without apiVersion and with one mean the same', () => {
  const old = POOL_TEXT.replace('apiVersion: cluster.x-k8s.io/v1beta2', 'apiVersion: cluster.x-k8s.io/v1beta1')
    .replace('apiGroup: infrastructure.cluster.x-k8s.io', 'apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1')
    .replace('apiGroup: bootstrap.cluster.x-k8s.io', 'apiVersion: bootstrap.cluster.x-k8s.io/v1beta1');
  const beside = EVERYTHING.filter((text) => text !== POOL_TEXT);

  expect(found(old, ...beside)).toEqual([]);
  expect(found(old, ...beside.filter((text) => text !== TEMPLATE_TEXT))).toEqual([expect.stringMatching(/^TC-TRAP-REF-TEMPLATE /)]);
});

describe('versions', () => {
  const pool = (version: string, change: (text: string) => string = (text) => text): string[] => (
    found(...EVERYTHING.map((text) => (text === POOL_TEXT ? change(text.replace('v1.35.4', version)) : text)))
  );
  const ownBootstrap = (text: string): string => text.replace(/configRef: .*/, 'dataSecretName: join');
  const skipping = (names: string) => (text: string): string => (
    text.replace('spec:\n', `  annotations: {machineset.cluster.x-k8s.io/skip-preflight-checks: "${names}"}\nspec:\n`)
  );

  test.each(['v1.35.0', 'v1.35.9', '1.35.4', 'v1.35.4-rc.1'])('a pool of %s goes with a control plane of 1.35', (version) => {
    expect(pool(version)).toEqual([]);
  });

  test.each(['v1.34.2', 'v1.36.0', 'v1.31.0'])('with kubeadm a pool of %s does not', (version) => {
    expect(pool(version)).toEqual([expect.stringMatching(/^TC-TRAP-REF-VERSION-SKEW spec\.template\.spec\.version: /)]);
  });

  test('without kubeadm a pool may be three minors older, not newer', () => {
    expect(pool('v1.32.0', ownBootstrap)).toEqual([]);
    expect(pool('v1.31.0', ownBootstrap)).toHaveLength(1);
    expect(pool('v2.35.0', ownBootstrap)).toHaveLength(1);
    expect(pool('v1.36.0', ownBootstrap)).toHaveLength(1);
  });

  test('checks that a pool skips are not made', () => {
    expect(pool('v1.34.2', skipping('KubeadmVersionSkew'))).toEqual([]);
    expect(pool('v1.36.0', skipping('KubeadmVersionSkew'))).toHaveLength(1);
    expect(pool('v1.36.0', skipping('All'))).toEqual([]);
  });
});

test('a health check may watch the control plane, and pools that are not there', () => {
  const check = (labels: string): string => `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata: {name: acme, namespace: tenant-acme}
spec:
  clusterName: acme
  selector: {matchLabels: ${labels}}
`;

  expect(found(...EVERYTHING, check('{cluster.x-k8s.io/cluster-name: acme}'))).toEqual([]);
  expect(found(...EVERYTHING, check('{cluster.x-k8s.io/control-plane: ""}'))).toEqual([]);
  expect(found(...EVERYTHING, check('{team: a}'))).toEqual([expect.stringMatching(/^TC-TRAP-REF-HEALTH-CHECK /)]);
  expect(found(check('{team: a}'))).toEqual([]);
});

test('Deployments of different tenants may have one name', () => {
  const deployment = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}}}\n';

  expect(found(deployment, deployment)).toEqual([]);
});
