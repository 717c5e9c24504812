import { KAMAJI_MANIFEST_RULES } from '../../../../../src/manifests/systems/kamaji/provider';
import { cluster, controlPlane, dataStore, namedControlPlane, tenantControlPlane } from '../../../../../src/manifests/systems/kamaji/rules/examples';
import { detailsIn, findings, objectsIn, testRules } from '../../../rules/rules-under-test';
import { SchemaValidator } from '../../../schema/validate';

testRules(KAMAJI_MANIFEST_RULES);

function ids(text: string): string[] {
  return findings(KAMAJI_MANIFEST_RULES, text).map((finding) => finding.split(':')[0]);
}

const network = (lines: string): string => namedControlPlane(`  network:\n${lines.replace(/^/gm, '    ').trimEnd()}\n`);

test.each<[string, string, string[]]>([
  ['a class of load balancers without one', network('serviceType: NodePort\nserviceAddress: 192.0.2.1\nloadBalancerConfig: {loadBalancerClass: a}'), ['TC-ADMIT-KAMAJI-LOAD-BALANCER spec.network.loadBalancerConfig.loadBalancerClass']],
  ['an empty list of ranges', network('serviceType: ClusterIP\nloadBalancerConfig: {loadBalancerSourceRanges: []}'), []],
  ['more ranges than Kamaji takes', network(`loadBalancerConfig: {loadBalancerSourceRanges: [${Array.from({ length: 17 }, (_, index) => `10.${index}.0.0/16`).join(', ')}]}`), ['TC-TRAP-KAMAJI-SOURCE-RANGES spec.network.loadBalancerConfig.loadBalancerSourceRanges']],
  ['names in certificates', network('certSANs: [api.example.com, "*.example.com", 192.0.2.1, "2001:db8::1"]'), []],
  ['names that are none', network('certSANs: ["192.0.2.1:6443", "-a", "a_b"]'), [0, 1, 2].map((index) => `TC-TRAP-KAMAJI-CERTIFICATE-NAME spec.network.certSANs.${index}`)],
  ['a version without patch and one in words', namedControlPlane('').replace('v1.35.4', 'stable'), ['TC-TRAP-KAMAJI-VERSION spec.version']],
  ['a pre-release', namedControlPlane('').replace('v1.35.4', '1.36.0-rc.1'), []],
  ['node ports', network('serviceType: NodePort\nserviceAddress: 192.0.2.1') + cluster('    apiServerPort: 30443\n'), []],
  ['a port that is no node port', network('serviceType: NodePort\nserviceAddress: 192.0.2.1') + cluster('    serviceDomain: cluster.local\n'), ['TC-TRAP-KAMAJI-NODE-PORT spec.network.serviceType']],
  ['one port for two programs', namedControlPlane('    konnectivity: {server: {port: 6443}}\n') + cluster('    apiServerPort: 6443\n'), ['TC-TRAP-KAMAJI-PORT-CLASH spec.addons.konnectivity.server.port']],
  ['a high port behind a Gateway', network('gateway: {name: a, namespace: b, hostname: "c.example.com:40443"}') + cluster('    apiServerPort: 40443\n'), []],
  ['a Gateway on another port', network('gateway: {name: a, namespace: b, hostname: "c.example.com:443"}') + cluster('    apiServerPort: 6443\n'), ['TC-TRAP-KAMAJI-GATEWAY-PORT spec.network.gateway.hostname']],
  ['addresses of the network, without CoreDNS', controlPlane('  network: {dnsServiceIPs: [10.96.0.10]}\n'), []],
  ['no addresses at all', controlPlane(''), ['TC-TRAP-KAMAJI-DNS-MISSING spec.network.dnsServiceIPs']],
  ['an address that is none', namedControlPlane('').replace('10.96.0.10', '10.96.0'), ['TC-TRAP-KAMAJI-DNS-SERVICE-IP spec.addons.coreDNS.dnsServiceIPs.0']],
  ['the default range', namedControlPlane('') + cluster('    apiServerPort: 6443\n'), []],
  ['older kubelets, one field patched away', namedControlPlane('  kubelet: {cgroupfs: systemd, configurationJSONPatches: [{op: remove, path: /crashLoopBackOff}]}\n').replace('v1.35.4', 'v1.34.1'), ['TC-TRAP-KAMAJI-KUBELET-FIELDS spec.kubelet.configurationJSONPatches']],
  ['probes for none', namedControlPlane('  deployment: {}\n'), []],
  ['a Service port with the number of the API server', network('additionalServicePorts: [{name: a, port: 6443, targetPort: 1}, {name: b, port: 6443, targetPort: 1, protocol: UDP}]') + cluster('    apiServerPort: 6443\n'), ['TC-TRAP-KAMAJI-SERVICE-PORT spec.network.additionalServicePorts.0.port']],
  ['a Service port that is none', network('additionalServicePorts: [{name: A, port: 0, targetPort: 0}]'), ['TC-TRAP-KAMAJI-SERVICE-PORT spec.network.additionalServicePorts.0.name', 'TC-TRAP-KAMAJI-SERVICE-PORT spec.network.additionalServicePorts.0.port']],
  ['a flag that must keep its value', namedControlPlane('  controllerManager: {extraArgs: [--leader-elect=false]}\n'), ['TC-TRAP-KAMAJI-MANAGED-FLAG spec.controllerManager.extraArgs.0']],
  ['OIDC flags without a client', namedControlPlane('  apiServer: {extraArgs: [--oidc-issuer-url=https://id.example.com]}\n'), ['TC-TRAP-KAMAJI-OIDC spec.apiServer.extraArgs.0']],
  ['a volume with a name that no pod takes', namedControlPlane('  deployment: {extraVolumes: [{name: A, emptyDir: {}}]}\n'), ['TC-TRAP-KAMAJI-VOLUME spec.deployment.extraVolumes.0.name']],
  ['a volume of Kamaji\'s', namedControlPlane('  deployment: {extraVolumes: [{name: etc-kubernetes-pki, emptyDir: {}}]}\n'), ['TC-TRAP-KAMAJI-VOLUME spec.deployment.extraVolumes.0.name']],
  ['a mount of a volume of Kamaji\'s', namedControlPlane('  apiServer: {extraVolumeMounts: [{name: etc-kubernetes-pki, mountPath: /pki}]}\n'), []],
  ['disable-admission-plugins', namedControlPlane('  apiServer: {extraArgs: [--disable-admission-plugins=Priority]}\n'), []],
  ['agents that are counted in mode DaemonSet', namedControlPlane('    konnectivity: {agent: {replicas: 1}}\n'), ['TC-ADMIT-KAMAJI-KONNECTIVITY-REPLICAS spec.addons.konnectivity.agent.replicas']],
])('%s', (_, text, expected) => {
  expect(ids(text)).toEqual(expected);
});

test('a template of a class is looked at where its fields are, and not for what a Cluster adds', () => {
  const template = (fields: string): string => `apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlaneTemplate
metadata: {name: small, namespace: tenant-acme}
spec: {template: {spec: ${fields}}}
`;

  expect(ids(template('{network: {serviceType: NodePort}, addons: {coreDNS: {}}}'))).toEqual([]);
  expect(ids(template('{network: {certSANs: ["a:1"]}}'))).toEqual(['TC-TRAP-KAMAJI-CERTIFICATE-NAME spec.template.spec.network.certSANs.0']);
});

test('the control plane that a KamajiControlPlane was made into does not share its NATS', () => {
  const store = dataStore('  driver: NATS\n  endpoints: [a:4222]\n  basicAuth: {username: {content: YQ==}, password: {content: YQ==}}\n');
  const tenant = tenantControlPlane('  dataStore: tenants\n  kubernetes: {version: v1.35.4, kubelet: {cgroupfs: systemd}}\n  networkProfile: {}\n');

  expect(ids([store, namedControlPlane('  dataStoreName: tenants\n'), tenant].join('---\n'))).toEqual([]);
});

describe('what the definitions refuse by their rules is refused here', () => {
  const tenant = (more: string, options = {}): string => tenantControlPlane(`${more}  kubernetes: {version: v1.35.4, kubelet: {cgroupfs: systemd}}\n`, options);
  const validator = SchemaValidator.load();

  test.each([
    tenant('  networkProfile: {podCidr: x}\n'),
    tenant('  networkProfile: {serviceCidr: 10.96.0.0}\n'),
    tenant('  networkProfile: {podCidrs: [10.244.0.0/33]}\n'),
    tenant('  networkProfile: {serviceCidrs: ["::/129"]}\n'),
    tenant('  networkProfile: {advertiseAddress: api}\n'),
    tenant('  networkProfile: {loadBalancerSourceRanges: [192.0.2.1]}\n'),
    tenant('  networkProfile: {loadBalancerSourceRanges: [192.0.2.0/24]}\n', { serviceType: 'ClusterIP' }),
    tenant('      allocateLoadBalancerNodePorts: true\n  networkProfile: {}\n', { serviceType: 'NodePort' }),
    tenant('  addons: {konnectivity: {agent: {mode: Deployment, replicas: 0}}}\n  networkProfile: {}\n'),
    dataStore('  driver: MySQL\n  endpoints: [a:3306]\n  basicAuth: {username: {}, password: {content: YQ==}}\n'),
    dataStore('  driver: etcd\n  endpoints: [a:2379]\n'),
  ])('%s', (text) => {
    expect(objectsIn(text).flatMap((object) => validator.validate(object))).not.toEqual([]);
    expect(ids(text).filter((id) => id.startsWith('TC-ADMIT-'))).not.toEqual([]);
  });

  test.each([
    tenant('  networkProfile: {podCidr: "", serviceCidr: 10.96.0.1/16, advertiseAddress: ""}\n'),
    tenant('  networkProfile: {loadBalancerSourceRanges: []}\n', { serviceType: 'ClusterIP' }),
    dataStore('  driver: PostgreSQL\n  endpoints: [a:5432]\n  tlsConfig: {certificateAuthority: {certificate: {content: YQ==}}}\n'),
  ])('and what they take is not: %s', (text) => {
    expect(objectsIn(text).flatMap((object) => validator.validate(object))).toEqual([]);
    expect(ids(text)).toEqual([]);
  });
});

test('fields that older kubelets do not take are one matter, with one way out', () => {
  const found = detailsIn(KAMAJI_MANIFEST_RULES, namedControlPlane('').replace('v1.35.4', 'v1.34.1'));

  expect(found.map(({ fix }) => fix)).toEqual([
    'add {op: remove, path: /crashLoopBackOff/maxContainerRestartPeriod} and {op: remove, path: /imagePullCredentialsVerificationPolicy} to configurationJSONPatches',
  ]);
});
