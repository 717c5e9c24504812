import { tenantControlPlane } from '../../../../../src/manifests/systems/kamaji/rules/examples';
import { manifestRules } from '../../../../../src/manifests/validation/manifest-rules';
import { changed } from '../../../rules/changes/changes';
import { findings } from '../../../rules/rules-under-test';

const KUBELET = '{cgroupfs: systemd}';

function tenant({ version = 'v1.35.4', kubelet = KUBELET, network = '{}', route = '' } = {}, serviceType?: string): string {
  return tenantControlPlane(`${route}  kubernetes: {version: ${version}, kubelet: ${kubelet}}\n  networkProfile: ${network}\n`, serviceType ? { serviceType } : {});
}

function found(text: string): string[] {
  return findings(manifestRules(), text).map((line) => line.split(':')[0]);
}

const PATCHED = '{cgroupfs: systemd, configurationJSONPatches: [{op: remove, path: /crashLoopBackOff}, {op: remove, path: /imagePullCredentialsVerificationPolicy}]}';
const INGRESS = 'ingress: {ingressClassName: nginx}';
const gateway = (parents: string, hostname = 'hostname: acme.example.com, ') => `    gateway: {${hostname}parentRefs: [${parents}]}\n`;
const PARENT = '{name: tenants, namespace: gateways}';

test.each<[string, string, string[]]>([
  ['nothing wrong', tenant(), []],
  ['an older kubelet', tenant({ version: 'v1.34.1' }), ['TC-TRAP-KAMAJI-KUBELET-FIELDS spec.kubernetes.kubelet.configurationJSONPatches']],
  ['an older kubelet without the fields', tenant({ version: 'v1.34.1', kubelet: PATCHED }), []],
  ['a kubelet without cgroup driver', tenant({ kubelet: '{preferredAddressTypes: [InternalIP]}' }), ['TC-TRAP-KAMAJI-CGROUP-DRIVER spec.kubernetes.kubelet']],
  ['ranges that overlap', tenant({ network: '{podCidr: 10.244.0.0/16, serviceCidr: 10.244.128.0/20}' }), ['TC-TRAP-CLUSTER-NETWORK-OVERLAP spec.networkProfile.serviceCidr']],
  ['lists of ranges that overlap', tenant({ network: '{podCidrs: [10.0.0.0/8], serviceCidrs: [10.1.0.0/16]}' }), ['TC-TRAP-CLUSTER-NETWORK-OVERLAP spec.networkProfile.serviceCidrs.0']],
  ['a range that overlaps with the default', tenant({ network: '{podCidr: 10.96.0.0/12}' }), ['TC-TRAP-CLUSTER-NETWORK-OVERLAP spec.networkProfile.podCidr']],
  ['a deprecated range that does not count', tenant({ network: '{podCidr: 10.96.0.0/12, podCidrs: [10.1.0.0/16]}' }), []],
  ['a range with host bits', tenant({ network: '{podCidr: 10.245.0.1/16}' }), ['TC-TRAP-CLUSTER-NETWORK-BLOCK spec.networkProfile.podCidr']],
  ['other families', tenant({ network: '{serviceCidrs: ["fd00:1::/112"]}' }), ['TC-TRAP-CLUSTER-NETWORK-FAMILIES spec.networkProfile.serviceCidrs']],
  ['no room for Services', tenant({ network: '{serviceCidr: 10.95.0.0/30}' }), ['TC-TRAP-CLUSTER-NETWORK-SIZE spec.networkProfile.serviceCidr']],
  ['a domain that is none', tenant({ network: '{clusterDomain: acme_x.local}' }), ['TC-TRAP-CLUSTER-NETWORK-DOMAIN spec.networkProfile.clusterDomain']],
  ['an Ingress without host name', tenant({ route: `    ${INGRESS}\n` }, 'ClusterIP'), ['TC-TRAP-TCP-ROUTE spec.controlPlane.ingress.hostname']],
  ['a Gateway without host name', tenant({ route: gateway(PARENT, '') }, 'ClusterIP'), ['TC-TRAP-TCP-ROUTE spec.controlPlane.gateway.hostname']],
  ['a Gateway without parent', tenant({ route: gateway('') }, 'ClusterIP'), ['TC-TRAP-TCP-ROUTE spec.controlPlane.gateway.parentRefs']],
  ['a Gateway with two parents', tenant({ route: gateway(`${PARENT}, ${PARENT}`) }, 'ClusterIP'), ['TC-TRAP-TCP-ROUTE spec.controlPlane.gateway.parentRefs']],
  ['a Gateway that is not there', tenant({ route: gateway(PARENT) }, 'ClusterIP'), []],
  ['a namespace of the system', tenant().replace('namespace: tenant-acme', 'namespace: kube-system'), ['TC-TRAP-CLUSTER-NAMESPACE metadata.namespace']],
])('%s', (_, text, ids) => {
  expect(found(text)).toEqual(ids);
});

function listening(...listeners: string[]): string {
  const text = listeners.map((listener) => `    - {${listener}, protocol: TLS, tls: {mode: Passthrough}}\n`).join('');
  return `---\napiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: tenants, namespace: gateways}\nspec:\n  gatewayClassName: envoy\n  listeners:\n${text}`;
}

const KONNECTIVITY = '  addons: {konnectivity: {}}\n';
const LISTENER = 'TC-TRAP-KAMAJI-GATEWAY-LISTENER spec.controlPlane.gateway.parentRefs.0';

test.each<[string, string, string[]]>([
  ['both listeners', `${tenant({ route: gateway(PARENT) }, 'ClusterIP')}${KONNECTIVITY}${listening('name: api, port: 6443', 'name: konnectivity-server, port: 8132')}`, []],
  ['no listener for konnectivity', `${tenant({ route: gateway(PARENT) }, 'ClusterIP')}${KONNECTIVITY}${listening('name: api, port: 6443')}`, [LISTENER]],
  ['another port', `${tenant({ route: gateway(PARENT), network: '{port: 7443}' }, 'ClusterIP')}${listening('name: api, port: 6443')}`, [LISTENER]],
  ['another section', `${tenant({ route: gateway('{name: tenants, namespace: gateways, sectionName: apis}') }, 'ClusterIP')}${listening('name: api, port: 6443')}`, [LISTENER]],
  ['a section with a port of its own', `${tenant({ route: gateway('{name: tenants, namespace: gateways, sectionName: api}') }, 'ClusterIP')}${listening('name: api, port: 443')}`, []],
])('a Gateway with %s', (_, text, ids) => {
  expect(found(text)).toEqual(ids);
});

const named = (name: string, ...lines: string[]) => tenant({ network: '{address: 192.0.2.10}' }).replace('name: acme', `name: ${name}`).replace('spec:\n', `spec:\n${lines.map((line) => `  ${line}\n`).join('')}`);

test.each<[string, string, string, string[]]>([
  ['an address', named('a'), named('b'), ['TC-TRAP-TCP-TAKEN spec.networkProfile.address']],
  ['a schema in one DataStore', named('a', 'dataStore: x', 'dataStoreSchema: s').replace('.10}', '.11}'), named('b', 'dataStore: x', 'dataStoreSchema: s'), ['TC-TRAP-TCP-TAKEN spec.dataStoreSchema']],
  ['a schema in another DataStore', named('a', 'dataStore: x', 'dataStoreSchema: s').replace('.10}', '.11}'), named('b', 'dataStore: y', 'dataStoreSchema: s'), []],
  ['an address with another port', named('a').replace('.10}', '.10, port: 7443}'), named('b'), []],
  ['a host name', tenant({ route: '    ingress: {hostname: a.example.com}\n' }, 'ClusterIP').replace('name: acme', 'name: a'),
    tenant({ route: '    ingress: {hostname: "a.example.com:443"}\n' }, 'ClusterIP'), ['TC-TRAP-TCP-TAKEN spec.controlPlane.ingress.hostname']],
  ['a node port', tenant({ network: '{address: 192.0.2.10, port: 30443}' }, 'NodePort').replace('name: acme', 'name: a'),
    tenant({ network: '{address: 192.0.2.11, port: 30443}' }, 'NodePort'), ['TC-TRAP-TCP-TAKEN spec.networkProfile.port']],
])('%s belongs to one control plane', (_, first, second, ids) => {
  expect(found(`${first}---\n${second}`)).toEqual(ids);
});

test('ranges and port do not change, however they are written', () => {
  const network = (fields: string) => tenant({ network: fields });
  expect(changed(network('{}'), network('{podCidrs: [10.244.0.0/16], serviceCidr: 10.96.0.0/16, port: 6443}'))).toEqual([]);
  expect(changed(network('{podCidr: 10.1.0.0/16}'), network('{podCidrs: [10.1.0.0/16]}'))).toEqual([]);
  expect(changed(network('{podCidr: 10.1.0.0/16}'), network('{}'))).toEqual(['TC-CHANGE-TCP-NETWORK spec.networkProfile.podCidr']);
  expect(changed(network('{}'), network('{serviceCidrs: [10.1.0.0/16]}'))).toEqual(['TC-CHANGE-TCP-NETWORK spec.networkProfile.serviceCidrs']);
  expect(changed(network('{}'), network('{port: 7443}'))).toEqual(['TC-CHANGE-TCP-NETWORK spec.networkProfile.port']);
});
