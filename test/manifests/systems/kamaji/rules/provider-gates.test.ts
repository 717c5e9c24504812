import { KAMAJI_MANIFEST_RULES } from '../../../../../src/manifests/systems/kamaji/provider';
import { cluster, namedControlPlane, tenantControlPlane } from '../../../../../src/manifests/systems/kamaji/rules/examples';
import { findings } from '../../../rules/rules-under-test';

function found(...texts: string[]): string[] {
  return findings(KAMAJI_MANIFEST_RULES, texts.join('---\n')).map((line) => line.split(':')[0]);
}

const provider = (gate: string) => `apiVersion: operator.cluster.x-k8s.io/v1alpha2\nkind: ControlPlaneProvider\nmetadata: {name: kamaji, namespace: k}\nspec: {manager: {featureGates: {${gate}: true}}}\n`;
const on = (kind: string, group = 'infrastructure.cluster.x-k8s.io') => (
  cluster('    serviceDomain: cluster.local\n').replace('KubevirtCluster', kind).replace('apiGroup: infrastructure.cluster.x-k8s.io', `apiGroup: ${group}`).replace('---\n', '')
);

test.each(['AWSCluster', 'KubevirtCluster', 'VSphereCluster', 'VultrCluster'])('a %s is known, or has a rule of its own', (kind) => {
  expect(found(namedControlPlane(''), on(kind))).toEqual([]);
});

test('other kinds need a gate, and those of other groups are not judged', () => {
  expect(found(namedControlPlane(''), on('GCPCluster'))).toEqual(['TC-TRAP-KAMAJI-INFRASTRUCTURE spec.infrastructureRef.kind']);
  expect(found(namedControlPlane(''), on('GCPCluster'), provider('DynamicInfrastructureClusterPatch'))).toEqual([]);
  expect(found(namedControlPlane(''), on('GCPCluster', 'infrastructure.example.com'))).toEqual([]);
});

test('an infrastructure that its own provider makes ready must not be managed by another one', () => {
  const managed = (kind: string) => `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: ${kind}\nmetadata: {name: acme, namespace: tenant-acme, annotations: {cluster.x-k8s.io/managed-by: kamaji}}\n`;
  const rule = ['TC-TRAP-KAMAJI-MANAGED-BY metadata.annotations.cluster.x-k8s.io/managed-by'];

  expect(found(namedControlPlane(''), on('HetznerCluster'), managed('HetznerCluster'))).toEqual(rule);
  expect(found(namedControlPlane(''), on('NutanixCluster'), managed('NutanixCluster'))).toEqual([]);
  expect(found(on('HetznerCluster').replace('KamajiControlPlane', 'KubeadmControlPlane'), managed('HetznerCluster'))).toEqual([]);
});

test('a control plane in another cluster needs a gate', () => {
  const plane = namedControlPlane('  deployment: {externalClusterReference: {kubeconfigSecretName: a, kubeconfigSecretKey: b, deploymentNamespace: c}}\n');

  expect(found(plane)).toEqual(['TC-TRAP-KAMAJI-EXTERNAL-CLUSTER spec.deployment.externalClusterReference']);
  expect(found(plane, provider('ExternalClusterReference'))).toEqual([]);
  expect(found(plane, provider('SkipInfraClusterPatch'))).toHaveLength(1);
});

test.each([
  ['[NodeRestriction]', '', []],
  ['[NodeRestriction, SecurityContextDeny]', '', [1]],
  ['[EventRateLimit]', '', [0]],
  ['[EventRateLimit]', '  apiServer: {extraArgs: [--admission-control-config-file=/etc/a]}\n', []],
])('plug-ins %s %s', (plugins, more, places) => {
  expect(found(namedControlPlane(`  admissionControllers: ${plugins}\n${more}`))).toEqual(places.map((place) => `TC-TRAP-KAMAJI-ADMISSION-PLUGIN spec.admissionControllers.${place}`));
});

test('plug-ins of a TenantControlPlane', () => {
  expect(found(tenantControlPlane('  kubernetes: {version: v1.35.4, kubelet: {cgroupfs: systemd}, admissionControllers: [PodSecurityPolicy]}\n  networkProfile: {}\n')))
    .toEqual(['TC-TRAP-KAMAJI-ADMISSION-PLUGIN spec.kubernetes.admissionControllers.0']);
});
