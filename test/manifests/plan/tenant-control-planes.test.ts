import { effectsIn, planned } from './tenant-pages';
import { planVerdict, verdictLines } from '../../../src/manifests/plan/verdict';
import { isFields } from '../../../src/manifests/values/fields';

type Fields = { [field: string]: unknown };

/** Fields put over others. */
function over(fields: Fields, changes: Fields): Fields {
  const changed = Object.entries(changes).map(([name, value]) => {
    const former = fields[name];
    return [name, isFields(value) && isFields(former) ? over(former, value) : value];
  });
  return { ...fields, ...Object.fromEntries(changed) };
}

function tenant(spec: Fields = {}, metadata: Fields = {}): Fields {
  return {
    apiVersion: 'kamaji.clastix.io/v1alpha1',
    kind: 'TenantControlPlane',
    metadata: { name: 'acme', namespace: 'tenants', ...metadata },
    spec: over({
      dataStore: 'default',
      controlPlane: { deployment: { replicas: 2 }, service: { serviceType: 'LoadBalancer' } },
      kubernetes: { version: 'v1.35.4', kubelet: { cgroupfs: 'systemd' } },
      networkProfile: { podCidr: '10.244.0.0/16' },
      addons: { coreDNS: {} },
    }, spec),
  };
}

const deployment = (fields: Fields) => ({ controlPlane: { deployment: fields } });
const KONNECTIVITY = { addons: { konnectivity: { server: { port: 8132 } } } };

test.each<[what: string, before: Fields, after: Fields, effects: string[]]>([
  ['the version', {}, { kubernetes: { version: 'v1.35.5' } }, ['pods replaced 2 (version v1.35.4 -> v1.35.5)']],
  ['replicas', {}, deployment({ replicas: 3 }), ['scaled (replicas 2 -> 3)']],
  ['replicas, of which the server of konnectivity has an argument', KONNECTIVITY, { ...KONNECTIVITY, ...deployment({ replicas: 3 }) }, [
    'pods replaced 2 (konnectivity for 3 replicas)', 'scaled (replicas 2 -> 3)',
  ]],
  ['no replicas any more', {}, deployment({ replicas: 0 }), ['deleted (all replicas (replicas 2 -> 0))']],
  ['the data store', {}, { dataStore: 'other' }, ['data moved (dataStore default -> other)']],
  ['konnectivity', {}, KONNECTIVITY, ['pods replaced 2 (konnectivity.server added; konnectivity added)']],
  ['another addon', {}, { addons: { kubeProxy: {} } }, ['in place (spec.addons.kubeProxy added)']],
  ['an argument', {}, deployment({ extraArgs: { apiServer: ['--v=4'] } }), ['pods replaced 2 (apiServer.extraArgs added)']],
  ['the strategy', {}, deployment({ strategy: { type: 'Recreate' } }), ['in place (deployment strategy.type Recreate added)']],
  ['the registry', {}, deployment({ registrySettings: { registry: 'quay.io/k8s' } }), ['pods replaced 2 (registry quay.io/k8s added)']],
  ['the kubelet', {}, { kubernetes: { kubelet: { configurationJSONPatches: [{ op: 'add', path: '/maxPods', value: 50 }] } } }, [
    'new ones only (kubelet.configurationJSONPatches added)',
  ]],
  ['a name more in the certificate', {}, { networkProfile: { certSANs: ['a'] } }, ['pods replaced 2 (certificate names added)']],
  ['a source range', {}, { networkProfile: { loadBalancerSourceRanges: ['192.0.2.0/24'] } }, ['in place (load balancer.loadBalancerSourceRanges added)']],
  ['the pod range', {}, { networkProfile: { podCidr: '10.245.0.0/16' } }, [
    'pods replaced 2 (pod range 10.244.0.0/16 -> 10.245.0.0/16)',
    'fails later (spec.networkProfile.podCidr: it was "10.244.0.0/16", and is "10.245.0.0/16" now (TC-CHANGE-TCP-NETWORK))',
  ]],
])('a change of %s', (_, before, after, effects) => {
  expect(effectsIn(planned([tenant(before)], [tenant(after)]).clusters[0])).toEqual({ 'control plane': effects });
});

test.each<[what: string, before: Fields, after: Fields]>([
  ['a skipped minor', {}, { kubernetes: { version: 'v1.37.0' } }],
  ['an older minor', {}, { kubernetes: { version: 'v1.34.0' } }],
  ['another domain', {}, { networkProfile: { clusterDomain: 'acme.local' } }],
  ['another schema', { dataStoreSchema: 'a' }, { dataStoreSchema: 'b' }],
])('%s is refused', (_, before, after) => {
  const plan = planned([tenant(before)], [tenant(after)]);
  expect(planVerdict(plan)).toMatchObject({ verdict: 'BLOCKED', refused: [{ cluster: 'tenants/acme', text: expect.stringContaining('TC-CHANGE-TCP') }] });
});

test('one that goes is lost, and one that is new is created', () => {
  const removed = planned([tenant(), tenant({}, { name: 'other' })], [tenant({}, { name: 'other' })]);
  expect(verdictLines(removed)).toEqual([expect.stringMatching(/^DESTROYS: 1 of 2 clusters differs/), 'LOST: tenants/acme: the cluster']);
  expect(removed.clusters[0]).toMatchObject({ change: 'removed', parts: [{ part: 'control plane', consequences: { lost: [{ what: 'all objects in the API server' }] } }] });
  expect(planned([], [tenant()]).clusters[0]).toMatchObject({ name: 'acme', change: 'created' });
});

test('writes that are blocked are not available', () => {
  const { clusters: [acme] } = planned([tenant()], [tenant({ writePermissions: { blockCreation: true, blockDeletion: true } })]);
  expect(acme.parts[0]).toMatchObject({
    effects: [{ effect: 'in place' }], consequences: { down: [{ what: 'creation of objects, deletion of objects', detail: 'until writePermissions allows it again' }] },
  });
});

test('a change waits while Kamaji is told to leave it alone', () => {
  const metadata = { annotations: { 'kamaji.clastix.io/paused': 'true' } };
  const { clusters: [acme] } = planned([tenant({}, metadata)], [tenant({ kubernetes: { version: 'v1.35.5' } }, metadata)]);
  expect(acme.parts[0]).toMatchObject({ paused: true, notes: ['paused until its annotation kamaji.clastix.io/paused is removed'] });
});

test('of one that a KamajiControlPlane owns, no cluster is lost', () => {
  const owned = tenant({}, { ownerReferences: [{ apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2', kind: 'KamajiControlPlane', name: 'acme', uid: 'a', controller: true }] });
  expect(planned([owned], [owned, tenant({}, { name: 'other' })]).clusters.map(({ name }) => name)).toEqual(['other']);
});
