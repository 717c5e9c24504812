import { effectsIn, planned, plannedTenant, TenantPage } from './tenant-pages';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KamajiKubeletPatch, KamajiPatchOperation } from '../../../src/constructs/control-planes/kamaji/kubelet';
import { Effect } from '../../../src/manifests/rules/changes/effects';

type Fields = { [field: string]: unknown };

const CLUSTER: Fields = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'acme', namespace: 'tenants' },
  spec: { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KamajiControlPlane', name: 'acme' } },
};

function controlPlane(spec: Fields = {}): Fields {
  return {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2',
    kind: 'KamajiControlPlane',
    metadata: { name: 'acme', namespace: 'tenants' },
    spec: { version: 'v1.35.4', replicas: 2, addons: {}, deployment: {}, kubelet: { cgroupfs: 'systemd' }, network: {}, ...spec },
  };
}

const KONNECTIVITY = { addons: { konnectivity: { server: { port: 8132 } } } };

test.each<[what: string, before: Fields, after: Fields, effects: string[]]>([
  ['replicas', {}, { replicas: 3 }, ['scaled (replicas 2 -> 3)']],
  ['replicas, of which the server of konnectivity has an argument', KONNECTIVITY, { ...KONNECTIVITY, replicas: 3 }, [
    'pods replaced 2 (konnectivity for 3 replicas)', 'scaled (replicas 2 -> 3)',
  ]],
  ['konnectivity', {}, { addons: { konnectivity: {} } }, ['pods replaced 2 (konnectivity added)']],
  ['konnectivity with an agent of its own', { addons: { konnectivity: { agent: { mode: 'DaemonSet' } } } }, {}, [
    'pods replaced 2 (konnectivity removed)', expect.stringMatching(/^fails later .*TC-CHANGE-KAMAJI-KONNECTIVITY/), 'in place (konnectivity agent removed)',
  ]],
  ['the addon that resolves names, which is an empty object', { addons: { coreDNS: {} } }, { addons: {}, network: { dnsServiceIPs: ['10.96.0.10'] } }, [
    'in place (CoreDNS removed)', 'new ones only (dnsServiceIPs added)',
  ]],
  ['the addon that resolves names, with its addresses', {}, { addons: { coreDNS: { dnsServiceIPs: ['10.96.0.10'] } } }, [
    'in place (CoreDNS added)', 'new ones only (dnsServiceIPs added)',
  ]],
  ['no replicas any more', KONNECTIVITY, { ...KONNECTIVITY, replicas: 0 }, ['deleted (all replicas (replicas 2 -> 0))']],
  ['addresses of kubelets, which are a flag of the API server', { kubelet: { preferredAddressTypes: ['InternalIP'] } }, { kubelet: { preferredAddressTypes: ['Hostname'] } }, [
    'pods replaced 2 (preferredAddressTypes InternalIP -> Hostname)',
  ]],
  ['the registry of images', {}, { registry: 'registry.example.com' }, ['pods replaced 2 (registry registry.example.com added)']],
  ['another cluster for the pods', {}, { deployment: { externalClusterReference: { kubeconfigSecretName: 'other', kubeconfigSecretKey: 'value', deploymentNamespace: 'a' } } }, [expect.stringMatching(/^unknown \(externalClusterReference/)]],
  ['stores of single resources', {}, { dataStoreOverrides: [{ resource: '/events', dataStore: 'events' }] }, [expect.stringMatching(/^unknown \(dataStoreOverrides/)]],
  ['a name more in the certificate', { network: { certSANs: ['a'] } }, { network: { certSANs: ['a', 'b'] } }, ['pods replaced 2 (certificate names b added)']],
  ['a hostname that is not in the certificate', { network: {} }, { network: { ingress: { hostname: 'a.example.com:443' } } }, ['pods replaced 2 (ingress hostname a.example.com:443 added)']],
  ['a hostname less', { network: { gateway: { hostname: 'a.example.com' } } }, { network: {} }, [
    expect.stringMatching(/^fails later \(spec\.network\.gateway: .*TC-CHANGE-KAMAJI-ENDPOINT/), 'in place (gateway hostname a.example.com removed)',
  ]],
  ['a hostname that was a name of the certificate', { network: { certSANs: ['a.example.com'] } }, { network: { ingress: { hostname: 'a.example.com:443' } } }, [
    expect.stringMatching(/^fails later \(spec\.network\.ingress: /), 'in place (certificate names removed; ingress hostname a.example.com:443 added)',
  ]],
  ['a name less in the certificate', { network: { certSANs: ['a', 'b'] } }, { network: { certSANs: ['a'] } }, ['in place (certificate names b removed)']],
  ['another version', {}, { version: 'v1.35.5' }, ['pods replaced 2 (version v1.35.4 -> v1.35.5)']],
])('%s', (_, before, after, effects) => {
  expect(effectsIn(planned([CLUSTER, controlPlane(before)], [CLUSTER, controlPlane(after)]).clusters[0])).toEqual({ 'control plane': effects });
});

test('what the library writes for some minors only is one reason of an upgrade; a patch of the user is its own', () => {
  const page = (minor: number, ...configurationPatches: KamajiKubeletPatch[]): TenantPage => ({
    cluster: {
      kubernetesVersion: `1.${minor}.4`,
      controlPlane: new KamajiControlPlane({ dataStore: 'default', kubelet: { configurationPatches } }),
    },
  });
  const own = { op: KamajiPatchOperation.ADD, path: '/maxPods', value: 50 };
  const later = (before: TenantPage, after: TenantPage) => (
    plannedTenant(before, after)!.parts.flatMap(({ effects }) => effects).flatMap(({ effect, reasons }) => (effect === Effect.LATER ? reasons : [])));

  expect(later(page(34), page(35))).toEqual(['settings that follow the version']);
  // Kamaji refuses it.
  expect(later(page(35), page(34))).toEqual([]);
  expect(later(page(34), page(35, own))).toEqual(['settings that follow the version', 'kubelet.configurationJSONPatches["/maxPods"] added']);
  expect(later(page(34), page(35, { op: KamajiPatchOperation.ADD, path: '/failCgroupV1', value: true }))).toEqual([
    'settings that follow the version', 'kubelet.configurationJSONPatches["/failCgroupV1"].value false -> true',
  ]);
  expect(later(page(35), page(36))).toEqual([]);
});

test.each<[what: string, before: Fields, after: Fields]>([
  ['a minor that is left out', { version: 'v1.33.2' }, { version: 'v1.35.4', replicas: 3 }],
  ['a minor that goes down', {}, { version: 'v1.34.1', replicas: 3 }],
  ['another schema', { dataStoreSchema: 'a' }, { dataStoreSchema: 'b', replicas: 3 }],
])('nothing takes effect of what Kamaji refuses while it reconciles: %s', (_, before, after) => {
  const { clusters: [{ parts: [part] }] } = planned([CLUSTER, controlPlane(before)], [CLUSTER, controlPlane(after)]);
  expect(part.effects).toEqual([{ effect: Effect.FAILING, reasons: [expect.stringMatching(/\(TC-CHANGE-KAMAJI-(VERSION|STORED)\)$/)] }]);
  expect(part.consequences).toBeUndefined();
});

test('pools wait for a version that Kamaji refuses', () => {
  const pool = (version: string): Fields => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: 'acme-general', namespace: 'tenants' },
    spec: { clusterName: 'acme', replicas: 2, template: { spec: { clusterName: 'acme', version } } },
  });
  const state = (version: string) => [CLUSTER, controlPlane({ version }), pool(version)];
  const { clusters: [{ parts }] } = planned(state('v1.33.2'), state('v1.35.4'));
  expect(parts.find(({ part }) => part === 'pool')).toMatchObject({ heldBy: ['KamajiControlPlane acme'] });
});
