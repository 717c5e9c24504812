import { documents } from '../../../../../src/manifests/rules/example-text';
import { VULTR_MANIFEST_RULES } from '../../../../../src/manifests/systems/vultr/provider';
import { BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, MACHINE_TEMPLATE, POOL_TEXT, VULTR_CLUSTER_TEXT } from '../../../../../src/manifests/systems/vultr/rules/examples';
import { serviceText } from '../../../../../src/manifests/systems/vultr/rules/services';
import { detailsIn, findings, testRules } from '../../../rules/rules-under-test';

testRules(VULTR_MANIFEST_RULES);

function found(...texts: string[]): string[] {
  return findings(VULTR_MANIFEST_RULES, documents(...texts)).map((finding) => finding.split(':')[0]);
}

const ID = 'cb676a46-66fd-4dfb-b839-443f2e6c0b60';
const machine = (from: string | RegExp, to: string): string => MACHINE_TEMPLATE.replace(from, to);
const MACHINE = 'spec.template.spec';

test.each<[string, string, string[]]>([
  ['no plan', machine(/ +planID.*\n/, ''), [`TC-TRAP-VULTR-MACHINE ${MACHINE}.planID`]],
  ['a plan of bare metal', machine('vc2-2c-4gb', 'vbm-4c-32gb'), [`TC-TRAP-VULTR-MACHINE ${MACHINE}.planID`]],
  ['no snapshot', machine(/ +snapshot_id.*\n/, ''), [`TC-TRAP-VULTR-MACHINE ${MACHINE}.snapshot_id`]],
  ['an empty key', machine('      planID', `      sshKey: [${ID}, ""]\n      planID`), [`TC-TRAP-VULTR-MACHINE ${MACHINE}.sshKey.1`]],
  ['a VPC by its name', machine('      planID', '      vpc_id: acme\n      planID'), [`TC-TRAP-VULTR-MACHINE ${MACHINE}.vpc_id`]],
  ['a number for a region', machine('ewr', '"25"'), [`TC-TRAP-VULTR-MACHINE ${MACHINE}.region`]],
  ['a worker that is called control plane', POOL_TEXT.replace('  name: acme-general\n', '  name: acme-control-plane-pool\n'), ['TC-TRAP-VULTR-MACHINE-NAME metadata.name']],
  ['a worker at somebody else', POOL_TEXT.replace('  name: acme-general\n', '  name: acme-control-plane-pool\n').replace('VultrMachineTemplate', 'KubevirtMachineTemplate'), []],
  ['machines of a control plane with names of their own', CONTROL_PLANE_TEXT.replace('spec:\n', 'spec:\n  machineNaming: {template: "{{ .cluster.name }}-{{ .random }}"}\n'), ['TC-TRAP-VULTR-MACHINE-NAME spec.machineNaming.template']],
  ['such names that are right', CONTROL_PLANE_TEXT.replace('  name: acme-control-plane\n', '  name: acme\n').replace('spec:\n', 'spec:\n  machineNaming: {template: "{{ .kubeadmControlPlane.name }}-control-plane-{{ .random }}"}\n'), []],
  ['ignition', CONTROL_PLANE_TEXT.replace('spec:\n', 'spec:\n  kubeadmConfigSpec: {format: ignition}\n'), ['TC-TRAP-VULTR-USER-DATA spec.kubeadmConfigSpec.format']],
  ['a load balancer that chooses otherwise', VULTR_CLUSTER_TEXT.replace('      health_check', '      generic_info: {balancing_algorithm: random}\n      health_check'), ['TC-TRAP-VULTR-CLUSTER spec.network.apiServerLoadbalancers.generic_info.balancing_algorithm']],
])('%s', (_, text, expected) => {
  expect(found(text)).toEqual(expected);
});

test('texts for machines elsewhere may hold anything', () => {
  const text = BOOTSTRAP_TEXT.replace('mode: fast', 'runcmd: []');

  expect(found(text)).toEqual([]);
  expect(found(text, POOL_TEXT.replace('VultrMachineTemplate', 'KubevirtMachineTemplate'))).toEqual([]);
  expect(found(text, POOL_TEXT)).toEqual(['TC-TRAP-VULTR-USER-DATA spec.template.spec.files.0.content']);
});

describe('a load balancer that exists', () => {
  const cluster = (name: string, id: string): string => VULTR_CLUSTER_TEXT.replace('name: acme', `name: ${name}`).replace('      health_check', `      id: ${id}\n      health_check`);
  const texts = (...objects: string[]): string[] => findings(VULTR_MANIFEST_RULES, documents(...objects));
  const OTHER = `d${ID.slice(1)}`;
  const STATUS = 'status: {ready: true}\n';

  test('is deleted with the cluster', () => {
    expect(texts(cluster('acme', ID), cluster('blue', OTHER))).toEqual([
      expect.stringMatching(new RegExp(`^TC-TRAP-VULTR-LOAD-BALANCER spec.network.apiServerLoadbalancers.id: .*${ID}, and deletes it`)),
      expect.stringContaining(OTHER),
    ]);
  });

  test('is kept by a running cluster without its id', () => {
    const fixes = detailsIn(VULTR_MANIFEST_RULES, cluster('acme', ID)).map(({ fix }) => fix);

    expect(fixes).toEqual([expect.stringMatching(/^remove id from a new cluster.*; a running one keeps its load balancer even without id: pause its VultrCluster/)]);
  });

  test('is taken from all clusters that share it', () => {
    expect(texts(cluster('acme', ID), cluster('blue', ID))).toEqual([expect.stringContaining('tenant-acme/blue: API requests'), expect.stringContaining('tenant-acme/acme: API requests')]);
  });

  test('may be the provider\'s own where an object was read from a server', () => {
    expect(texts(cluster('acme', ID) + STATUS, cluster('blue', OTHER) + STATUS)).toEqual([]);
    expect(texts(cluster('acme', ID) + STATUS, cluster('blue', ID) + STATUS)).toHaveLength(2);
  });

  test('is shared by the clusters of a template', () => {
    const template = VULTR_CLUSTER_TEXT.replace('kind: VultrCluster', 'kind: VultrClusterTemplate').replace(/spec:\n[^]*/, `spec: {template: {spec: {region: ewr, network: {apiServerLoadbalancers: {id: ${ID}}}}}}\n`);

    expect(found(template)).toEqual(['TC-TRAP-VULTR-LOAD-BALANCER spec.template.spec.network.apiServerLoadbalancers.id']);
  });
});

test('machines are where their cluster is', () => {
  const inVpc = (text: string, id: string): string => text.replace(/(\n +)region: ewr/, `$1region: ewr$1vpc_id: ${id}`);
  const other = `d${ID.slice(1)}`;
  const beside = [POOL_TEXT, CLUSTER_TEXT];

  expect(found(inVpc(MACHINE_TEMPLATE, ID), inVpc(VULTR_CLUSTER_TEXT, ID), ...beside)).toEqual([]);
  expect(found(inVpc(MACHINE_TEMPLATE, other), inVpc(VULTR_CLUSTER_TEXT, ID), ...beside)).toEqual([`TC-TRAP-VULTR-PLACE ${MACHINE}.vpc_id`]);
  expect(found(inVpc(MACHINE_TEMPLATE, ID).replace('planID', 'vpc_only: true\n      planID'), VULTR_CLUSTER_TEXT, ...beside)).toEqual([`TC-TRAP-VULTR-PLACE ${MACHINE}.vpc_only`]);
  expect(found(MACHINE_TEMPLATE.replace('ewr', 'fra'), VULTR_CLUSTER_TEXT)).toEqual([]);
});

describe('Services', () => {
  const PREFIX = 'service.beta.kubernetes.io/vultr-loadbalancer-';
  const service = (annotations: Record<string, string>, ports = '{port: 80}'): string => (
    serviceText(Object.fromEntries(Object.entries(annotations).map(([name, value]) => [name, JSON.stringify(value)]))).replace('{port: 80}', ports)
  );
  const HTTPS = '{port: 80, name: http}\n    - {port: 443, name: https}';
  const UDP = '{port: 53, protocol: UDP}';

  test.each<[annotations: Record<string, string>, ports?: string]>([
    [{ algorithm: 'least_connections' }], [{ 'firewall-rules': '203.0.113.0/24,80;cloudflare,80' }], [{ vpc: 'true' }], [{ 'healthcheck-port': '80' }],
    [{ 'protocol': 'https', 'backend-protocol': 'http', 'ssl': 'web' }], [{ 'protocol': 'http', 'sticky-session-enabled': 'on', 'sticky-session-cookie-name': 'a' }],
    [{ label: 'any thing' }], [{ 'some-day': '?' }], [{ 'healthcheck-path': '' }],
    // A port takes HTTPS, and what only HTTP has applies to that one.
    [{ 'https-ports': '443', 'ssl': 'web', 'http2': 'true', 'sticky-session-enabled': 'on', 'sticky-session-cookie-name': 'a', 'backend-protocol': 'http' }, HTTPS],
    [{ 'protocol': 'https', 'https-ports': '443', 'ssl-pass-through': 'true', 'ssl': 'web' }, HTTPS],
    [{ 'https-ports': '443', 'ssl-pass-through': 'true', 'backend-protocol': 'tcp' }, HTTPS],
    [{ 'protocol': 'udp', 'backend-protocol': 'udp' }, UDP],
  ])('accepts %j', (...args) => {
    expect(found(service(...args))).toEqual([]);
  });

  test.each<[string, string]>([
    ['https-ports', '443, 8443'], ['algorithm', 'leastconn'], ['firewall-rules', '203.0.113.0,80'], ['firewall-rules', 'cloudflare'], ['vpc', 'yes'],
    ['node-count', '0'], ['timeout', '10s'], ['protocol', 'TCP'], ['hostname', 'A b'], ['sticky-session-enabled', 'true'], ['healthcheck-protocol', 'https'],
    ['sticky-session-cookie-name', 'a b'], ['healthcheck-path', 'a'], ['label', ' '], ['ssl', 'A'], ['auto-ssl', 'A'], ['firewall-rules-cm', 'A'],
  ])('refuses %s: %s', (name, value) => {
    expect(found(service({ protocol: 'https', ...(name === 'auto-ssl' ? {} : { ssl: 'a' }), [name]: value }))).toContain(`TC-TRAP-VULTR-SERVICE-VALUE metadata.annotations.${PREFIX}${name}`);
  });

  test.each<[rule: string, annotations: Record<string, string>, name: string, ports?: string]>([
    ['COMBINATION', { 'protocol': 'http', 'sticky-session-enabled': 'on' }, 'sticky-session-enabled'],
    ['COMBINATION', { 'vpc': 'true', 'private-network': 'true' }, 'private-network'],
    ['COMBINATION', { 'firewall-rules': 'cloudflare,80', 'firewall-rules-cm': 'a' }, 'firewall-rules'],
    ['COMBINATION', { 'firewall-rules': 'cloudflare,80;cloudflare,80' }, 'firewall-rules'],
    ['COMBINATION', { 'firewall-rules': 'cloudflare,8080' }, 'firewall-rules'],
    ['COMBINATION', { 'healthcheck-port': '30080' }, 'healthcheck-port'],
    ['COMBINATION', { 'healthcheck-protocol': 'tcp', 'healthcheck-path': '/a' }, 'healthcheck-path'],
    ['COMBINATION', { 'healthcheck-response-timeout': '15' }, 'healthcheck-response-timeout'],
    ['COMBINATION', { 'healthcheck-check-interval': '5' }, 'healthcheck-check-interval'],
    ['PROTOCOL', { 'protocol': 'https', 'backend-protocol': 'tcp', 'ssl': 'web' }, 'backend-protocol'],
    ['PROTOCOL', { 'backend-protocol': 'https', 'https-ports': '443,80', 'ssl-pass-through': 'true' }, 'backend-protocol', HTTPS],
    ['PROTOCOL', { 'backend-protocol': 'tcp', 'https-ports': '443', 'ssl': 'web' }, 'backend-protocol', HTTPS],
    ['PROTOCOL', { 'protocol': 'udp', 'backend-protocol': 'tcp' }, 'backend-protocol', UDP],
    ['PROTOCOL', { protocol: 'udp' }, 'protocol'],
    ['PROTOCOL', { vpc: 'true' }, 'protocol', UDP],
    ['PROTOCOL', { protocol: 'udp' }, 'protocol', `${UDP}\n    - {port: 53, protocol: TCP}`],
    ['PROTOCOL', { 'protocol': 'udp', 'https-ports': '53', 'ssl-pass-through': 'true' }, 'https-ports', UDP],
    ['PROTOCOL', { 'http3': 'true', 'https-ports': '443', 'ssl-pass-through': 'true' }, 'http3', HTTPS],
    ['PROTOCOL', { 'sticky-session-enabled': 'on', 'sticky-session-cookie-name': 'a' }, 'sticky-session-enabled'],
    ['TLS', { 'https-ports': '443', 'ssl': 'web' }, 'https-ports'],
    ['TLS', { 'https-ports': '443' }, 'https-ports', HTTPS],
    ['TLS', { protocol: 'https' }, 'protocol'],
    ['TLS', { ssl: 'web' }, 'ssl'],
    ['TLS', { 'https-ports': '443', 'ssl': 'web', 'auto-ssl': 'zone' }, 'auto-ssl', HTTPS],
    ['TLS', { 'https-ports': '443', 'ssl-pass-through': 'true', 'ssl': 'web' }, 'ssl', HTTPS],
    ['TLS', { 'ssl-pass-through': 'true' }, 'ssl-pass-through'],
    ['TLS', { 'ssl-redirect': 'true' }, 'ssl-redirect'],
  ])('TC-TRAP-VULTR-SERVICE-%s: %j', (rule, annotations, name, ...ports) => {
    expect(found(service(annotations, ...ports))).toEqual([`TC-TRAP-VULTR-SERVICE-${rule} metadata.annotations.${PREFIX}${name}`]);
  });
});

test.each<[string, number]>([
  ['{storage_type: block, disk_type: hdd}', 0], ['{block_type: high_perf}', 0], ['{storage_type: block}', 1], ['{storage_type: BLOCK, disk_type: nvme}', 1], ['{}', 1],
])('a StorageClass with %s', (parameters, count) => {
  const storageClass = (provisioner: string): string => `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: a}\nprovisioner: ${provisioner}\nparameters: ${parameters}\n`;

  expect(found(storageClass('block.csi.vultr.com'))).toHaveLength(count);
  expect(found(storageClass('csi.example.com'))).toEqual([]);
});
