import { ManifestValidator } from '../../../../src/manifests/validation/validate-manifests';
import { objectsIn } from '../../rules/rules-under-test';

function findings(...texts: readonly string[]): string[] {
  const { found } = new ManifestValidator().validate([objectsIn(texts.join('---\n'))], { silences: [], strict: false });
  return found.filter(({ finding: { rule } }) => rule.id.startsWith('TC-TRAP-REF')).map(({ finding: { rule, path } }) => `${rule.id} ${path.join('.')}`);
}

const object = (kind: string, name: string, rest = '') => `apiVersion: ${kind === 'Secret' ? 'v1' : 'infrastructure.cluster.x-k8s.io/v1beta1'}
kind: ${kind}
metadata: {name: ${name}, namespace: acme}
${rest}`;
const cluster = (kind: string, spec: string) => object(kind, 'acme', `spec: ${spec}\n`);
const SECRET = object('Secret', 'acme-cloud');
const IDENTITY = object('AzureClusterIdentity', 'acme-cloud');

test.each([
  ['a Secret without a key', [cluster('OpenStackCluster', '{identityRef: {name: acme-clod, cloudName: acme}}'), SECRET], ['spec.identityRef.name']],
  ['a Secret by its kind', [cluster('VSphereCluster', '{identityRef: {kind: Secret, name: acme-clod}}'), SECRET], ['spec.identityRef.name']],
  ['an identity', [cluster('AzureCluster', '{identityRef: {kind: AzureClusterIdentity, name: acme-cluod}}'), IDENTITY], ['spec.identityRef.name']],
  ['a Secret that is there', [cluster('OpenStackCluster', '{identityRef: {name: acme-cloud, cloudName: acme}}'), SECRET], []],
  ['a Secret of which none has a similar name', [cluster('OpenStackCluster', '{identityRef: {name: openstack, cloudName: acme}}'), SECRET], []],
  ['an identity of another kind', [cluster('OpenStackCluster', '{identityRef: {type: ClusterIdentity, name: acme-clod, cloudName: acme}}'), SECRET], []],
  ['an identity that is there', [cluster('AzureCluster', '{identityRef: {kind: AzureClusterIdentity, name: acme-cloud}}'), IDENTITY], []],
  ['an identity in another namespace', [cluster('AzureCluster', '{identityRef: {kind: AzureClusterIdentity, name: acme-clod, namespace: shared}}'), IDENTITY], []],
])('names of credentials: %s', (_, texts, paths) => {
  expect(findings(...texts)).toEqual(paths.map((path) => `TC-TRAP-REF-NAMED-SECRET ${path}`));
});

const MACHINES = object('DockerMachineTemplate', 'acme-control', 'spec: {template: {spec: {}}}\n');
const controlPlane = (name: string) => `apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: RKE2ControlPlane
metadata: {name: acme, namespace: acme}
spec:
  version: v1.34.1+rke2r1
  rolloutStrategy: {type: RollingUpdate}
  machineTemplate:
    spec:
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DockerMachineTemplate, name: ${name}}
`;

test('the machines of a control plane of any provider must have a template', () => {
  expect(findings(controlPlane('acme-control'), MACHINES)).toEqual([]);
  expect(findings(controlPlane('acme-contrl'), MACHINES)).toEqual(['TC-TRAP-REF-TEMPLATE spec.machineTemplate.spec.infrastructureRef']);
});
