import { ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { KUBEADM_CONTROL_PLANE } from '../../../../src/manifests/rules/cluster-api/cluster-api-kinds';
import { METAL3_HOSTS } from '../../../../src/manifests/systems/metal3/machine-hosts';
import { METAL3_MACHINE_TEMPLATE } from '../../../../src/manifests/systems/metal3/metal3-kinds';

const { unusable, selects, machineOn } = METAL3_HOSTS[METAL3_MACHINE_TEMPLATE];

function host(fields: { metadata?: object; spec?: object; status?: object } = {}): ManifestObject {
  return { apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', ...fields, metadata: { name: 'h1', ...fields.metadata } } as ManifestObject;
}

const CONSUMER = { consumerRef: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'Metal3Machine', name: 'acme-1', namespace: 'tenants' } };

test.each<[string, Parameters<typeof host>[0]]>([
  ['is declared and not registered yet', {}],
  ['is powered off', { spec: { online: false }, status: { provisioning: { state: 'available' } } }],
  ['is not cleaned', { spec: { automatedCleaningMode: 'disabled' }, status: { provisioning: { state: 'ready' } } }],
  ['is being inspected', { status: { provisioning: { state: 'inspecting' } } }],
  ['is being deprovisioned', { status: { provisioning: { state: 'deprovisioning' } } }],
  ['has a machine', { spec: { ...CONSUMER, image: { url: 'https://images.example.com/a' } }, status: { provisioning: { state: 'provisioned' } } }],
  ['has a machine, and is detached', { metadata: { annotations: { 'baremetalhost.metal3.io/detached': '' } }, spec: CONSUMER }],
])('a host that %s counts', (_, fields) => expect(unusable(host(fields))).toBeUndefined());

test.each<[Parameters<typeof host>[0], string]>([
  [{ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, 'is being deleted'],
  [{ metadata: { annotations: { 'capm3.metal3.io/unhealthy': '' } }, spec: CONSUMER }, 'is marked as unhealthy'],
  [{ metadata: { annotations: { 'capi.metal3.io/unhealthy': '' } } }, 'is marked as unhealthy'],
  [{ metadata: { annotations: { 'baremetalhost.metal3.io/paused': '' } } }, 'is paused'],
  [{ metadata: { annotations: { 'baremetalhost.metal3.io/detached': '' } } }, 'is detached, and not provisioned'],
  [{ spec: { consumerRef: { kind: 'HostClaim', name: 'a' } } }, 'belongs to a consumer of the kind HostClaim'],
  [{ spec: { externallyProvisioned: true } }, 'is provisioned by something else'],
  [{ spec: { image: { url: 'https://images.example.com/a' } } }, 'has an image of its own'],
  [{ status: { errorMessage: 'no power', provisioning: { state: 'available' } } }, 'has an error'],
  [{ status: { provisioning: { state: 'unmanaged' } } }, 'is in the state "unmanaged"'],
])('a host does not count: %j', (fields, reason) => expect(unusable(host(fields))).toBe(reason));

test('the machine of a host is its consumer, of the cluster that the provider labels the host with', () => {
  const machine = { kind: 'infrastructure.cluster.x-k8s.io/Metal3Machine', name: 'acme-1', namespace: 'tenants' };
  const labels = { 'cluster.x-k8s.io/cluster-name': 'acme' };
  expect([machineOn(host()), machineOn(host({ spec: CONSUMER })), machineOn(host({ metadata: { labels }, spec: CONSUMER }))])
    .toEqual([undefined, machine, { ...machine, cluster: 'acme' }]);
});

const POOL = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineDeployment', metadata: { name: 'acme' } } as ManifestObject;
const PLANE = { apiVersion: `${KUBEADM_CONTROL_PLANE.split('/')[0]}/v1beta2`, kind: 'KubeadmControlPlane', metadata: { name: 'acme' } } as ManifestObject;

function isSelected(hostSelector: object | undefined, labels: object, owner = POOL): boolean {
  const template = { apiVersion: 'a/v1', kind: 'Metal3MachineTemplate', metadata: { name: 'a' }, spec: { template: { spec: { ...(hostSelector && { hostSelector }) } } } } as ManifestObject;
  return selects(template, host({ metadata: { labels } }), owner);
}

test.each<[object | undefined, boolean]>([
  [undefined, true],
  [{ matchLabels: { rack: 'r1' } }, true],
  [{ matchLabels: { rack: 'r2' } }, false],
  [{ matchLabels: { rack: 'r1', role: 'worker' } }, false],
  [{ matchExpressions: [{ key: 'rack', operator: 'In', values: ['r1', 'r2'] }] }, true],
  [{ matchExpressions: [{ key: 'rack', operator: 'notin', values: ['r1'] }] }, false],
  [{ matchExpressions: [{ key: 'role', operator: '!=', values: ['worker'] }] }, true],
  [{ matchExpressions: [{ key: 'role', operator: 'exists' }] }, false],
  [{ matchExpressions: [{ key: 'role', operator: '!' }] }, true],
  [{ matchExpressions: [{ key: 'cores', operator: 'gt', values: ['16'] }] }, true],
  [{ matchExpressions: [{ key: 'cores', operator: 'lt', values: ['32'] }] }, false],
  [{ matchExpressions: [{ key: 'rack', operator: 'gt', values: ['1'] }] }, false],
  [{ matchExpressions: [{ key: 'role', operator: 'DoesNotExist' }] }, false],
])('%j selects a host: %s', (selector, expected) => expect(isSelected(selector, { rack: 'r1', cores: '32' })).toBe(expected));

test('a host that is reused takes the machines of its pool or control plane alone', () => {
  const reused = (by: string) => ({ 'infrastructure.cluster.x-k8s.io/node-reuse': by });
  expect([isSelected(undefined, reused('md-acme')), isSelected(undefined, reused('cp-acme')), isSelected(undefined, reused('cp-acme'), PLANE)]).toEqual([true, false, true]);
});
