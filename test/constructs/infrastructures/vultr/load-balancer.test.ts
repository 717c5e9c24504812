import { ApiObject, Chart, Duration, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { VPC, vultrCluster } from './bound';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { VultrFirewallRule, VultrLoadBalancer, VultrLoadBalancerOptions, VultrProtocol } from '../../../../src/constructs/infrastructures/vultr/vultr-load-balancer';
import { Manifest } from '../../../support/clusters';
import { problemsIn, ReportedProblem } from '../../../support/problems';

const PREFIX = 'service.beta.kubernetes.io/vultr-loadbalancer-';
const PORTS = [{ port: 80, name: 'http' }, { port: 443, name: 'https' }];
const SPEC = { type: 'LoadBalancer', ports: PORTS };

function service(chart: Chart, spec: object = SPEC): ApiObject {
  return new ApiObject(chart, 'Service', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec });
}

function annotations(options: VultrLoadBalancerOptions): Manifest {
  const chart = Testing.chart();
  VultrLoadBalancer.publish(service(chart), options);
  return Testing.synth(chart)[0].metadata.annotations;
}

function problems(options: VultrLoadBalancerOptions, spec?: object): ReportedProblem[] {
  return problemsIn((app) => VultrLoadBalancer.publish(service(new Chart(app, 'web'), spec), options));
}

test('what is not said is left to the cloud controller manager', () => {
  expect(annotations({})).toBeUndefined();
});

test('every option has its annotation', () => {
  expect(annotations({
    healthCheck: {
      protocol: VultrProtocol.HTTP, path: '/healthz', interval: Duration.seconds(20), responseTimeout: Duration.seconds(3), unhealthyThreshold: 2, healthyThreshold: 4,
    },
    firewallRules: [VultrFirewallRule.cidr('203.0.113.0/24', 443), VultrFirewallRule.cloudflare(80)],
    vpc: true,
    nodeCount: 3,
    annotations: { 'label': 'shared', 'https-ports': '443,80', 'ssl': 'web-tls' },
  })).toEqual(Object.fromEntries(Object.entries({
    'label': 'shared',
    'https-ports': '443,80',
    'ssl': 'web-tls',
    'healthcheck-protocol': 'http',
    'healthcheck-path': '/healthz',
    'healthcheck-check-interval': '20',
    'healthcheck-response-timeout': '3',
    'healthcheck-unhealthy-threshold': '2',
    'healthcheck-healthy-threshold': '4',
    'firewall-rules': '203.0.113.0/24,443;cloudflare,80',
    'vpc': 'true',
    'node-count': '3',
  }).map(([name, value]) => [PREFIX + name, value])));
});

test('a Service of cdk8s-plus is published as well, with ports that come later', () => {
  const found = problemsIn((app) => {
    const web = new kplus.Service(new Chart(app, 'web'), 'Service', { type: kplus.ServiceType.LOAD_BALANCER, ports: [{ port: 80, name: 'http' }] });
    VultrLoadBalancer.publish(web, { annotations: { 'https-ports': '443', 'ssl-pass-through': 'true' } });
    web.bind(443, { name: 'https' });
  });

  expect(found).toEqual([]);
});

const UDP = { type: 'LoadBalancer', ports: [{ port: 53, protocol: 'UDP' }] };
const MIXED = { type: 'LoadBalancer', ports: [{ name: 'udp', port: 53, protocol: 'UDP' }, { name: 'tcp', port: 53, protocol: 'TCP' }] };

const CASES: [id: string, options: VultrLoadBalancerOptions, text: string, spec?: object][] = [
  ['TC-VULTR-LB-SERVICE', {}, 'service: its type is ClusterIP', { ports: PORTS }],
  ['TC-VULTR-LB-SERVICE', {}, 'annotations["protocol"]: the Service has UDP ports', UDP],
  ['TC-TRAP-VULTR-SERVICE-PROTOCOL', { annotations: { 'backend-protocol': 'http' } }, 'annotations["backend-protocol"]: clients speak tcp on port 80, and pods http. Accepted: tcp'],
  ['TC-TRAP-VULTR-SERVICE-PROTOCOL', { annotations: { protocol: 'udp' } }, 'annotations["protocol"]: port 53 is UDP and others are not', MIXED],
  ['TC-TRAP-VULTR-SERVICE-PROTOCOL', { annotations: { http2: 'true' } }, 'annotations["http2"]: no port takes HTTP or HTTPS'],
  ['TC-TRAP-VULTR-SERVICE-PROTOCOL', { annotations: { 'sticky-session-enabled': 'on', 'sticky-session-cookie-name': 'a' } }, 'annotations["sticky-session-enabled"]: no port takes HTTP or HTTPS'],
  ['TC-TRAP-VULTR-SERVICE-TLS', { annotations: { 'https-ports': '8443', 'ssl': 'a' } }, 'annotations["https-ports"]: the Service has no port 8443. Accepted: 80, 443'],
  ['TC-TRAP-VULTR-SERVICE-TLS', { annotations: { 'https-ports': '443' } }, 'annotations["https-ports"]: clients speak HTTPS, and there is no certificate'],
  ['TC-TRAP-VULTR-SERVICE-TLS', { annotations: { ssl: 'a' } }, 'annotations["ssl"]: no port takes HTTPS'],
  ['TC-TRAP-VULTR-SERVICE-TLS', { annotations: { 'protocol': 'http', 'auto-ssl': 'a' } }, 'annotations["auto-ssl"]: no port takes HTTPS'],
  ['TC-TRAP-VULTR-SERVICE-TLS', { annotations: { 'ssl-pass-through': 'true' } }, 'annotations["ssl-pass-through"]: no port is named'],
  ['TC-TRAP-VULTR-SERVICE-TLS', { annotations: { 'ssl-redirect': 'true' } }, 'annotations["ssl-redirect"]: no port takes HTTPS'],
  ['TC-TRAP-VULTR-SERVICE-COMBINATION', { annotations: { label: 'a' } }, 'the load balancer sends to node ports', { ...SPEC, allocateLoadBalancerNodePorts: false }],
  ['TC-TRAP-VULTR-SERVICE-COMBINATION', { healthCheck: { protocol: VultrProtocol.TCP, path: '/a' } }, 'healthCheck.path: a TCP connection has no path'],
  ['TC-TRAP-VULTR-SERVICE-COMBINATION', { healthCheck: { responseTimeout: Duration.seconds(15) } }, 'healthCheck.responseTimeout: an answer may take 15 seconds'],
  ['TC-TRAP-VULTR-SERVICE-COMBINATION', { firewallRules: [VultrFirewallRule.cloudflare(8080)] }, 'firewallRules: "cloudflare,8080" is for a port'],
  ['TC-TRAP-VULTR-SERVICE-COMBINATION', { firewallRules: [VultrFirewallRule.cloudflare(80)], annotations: { 'firewall-rules-cm': 'a' } }, 'firewallRules: the rules of the ConfigMap are taken'],
  ['TC-TRAP-VULTR-SERVICE-VALUE', { firewallRules: [VultrFirewallRule.cidr('203.0.113.1', 80)] }, 'firewallRules: '],
  ['TC-TRAP-VULTR-SERVICE-VALUE', { healthCheck: { path: 'a' } }, 'healthCheck.path: '],
  ['TC-TRAP-VULTR-SERVICE-VALUE', { healthCheck: { interval: Duration.millis(9500) } }, 'healthCheck.interval: '],
  ['TC-TRAP-VULTR-SERVICE-VALUE', { healthCheck: { unhealthyThreshold: 0 } }, 'healthCheck.unhealthyThreshold: '],
  ['TC-TRAP-VULTR-SERVICE-VALUE', { annotations: { timeout: '0' } }, 'annotations["timeout"]: '],
  ['TC-TRAP-VULTR-SERVICE-VALUE', { annotations: { 'sticky-session-cookie-name': 'a b', 'sticky-session-enabled': 'on', 'protocol': 'http' } }, 'annotations["sticky-session-cookie-name"]: '],
  ['TC-TRAP-VULTR-SERVICE-VALUE', { nodeCount: 2 }, 'nodeCount: '],
  ['TC-TRAP-VULTR-SERVICE-VALUE', { annotations: { hostname: 'Web_' } }, 'annotations["hostname"]: '],
  ['TC-TRAP-VULTR-SERVICE-VALUE', { annotations: { label: ' ' } }, 'annotations["label"]: '],
];

const HTTPS = { 'https-ports': '443', 'ssl': 'a' };

const ACCEPTED: [what: string, options: VultrLoadBalancerOptions, spec?: object][] = [
  ['what only HTTP has, where one port takes HTTPS', { annotations: { ...HTTPS, 'http2': 'true', 'http3': 'true', 'sticky-session-enabled': 'on', 'sticky-session-cookie-name': 'node' } }],
  ['HTTP behind a port that takes HTTPS, beside a port that takes anything', { annotations: { ...HTTPS, 'backend-protocol': 'http' } }],
  ['a certificate for one port, and another that is passed through', { annotations: { ...HTTPS, 'protocol': 'https', 'ssl-pass-through': 'true' } }],
  ['TCP behind ports that are passed through', { annotations: { 'https-ports': '443', 'ssl-pass-through': 'true', 'backend-protocol': 'tcp' } }],
  ['UDP on all ports', { annotations: { 'protocol': 'udp', 'backend-protocol': 'udp' } }, { type: 'LoadBalancer', ports: [{ name: 'a', port: 53, protocol: 'UDP' }, { name: 'b', port: 54, protocol: 'UDP' }] }],
];

test.each(ACCEPTED.map(([what, options, spec]) => ({ what, options, spec })))('accepted: $what', ({ options, spec }) => {
  expect(problems(options, spec)).toEqual([]);
});

test.each(CASES.map(([id, options, text, spec = SPEC]) => ({ id, options, text, spec })))('$id: $options', ({ id, options, text, spec }) => {
  const found = problems(options, spec);

  expect(found.map((problem) => [problem.id, problem.text])).toEqual([[id, expect.stringContaining(text)]]);
});

test('something else than a Service is refused', () => {
  const found = problemsIn((app) => VultrLoadBalancer.publish(new ApiObject(new Chart(app, 'web'), 'Pod', { apiVersion: 'v1', kind: 'Pod' })));

  expect(found.map(({ id, text }) => [id, text])).toEqual([['TC-VULTR-LB-SERVICE', expect.stringContaining('it is a Pod')]]);
});

describe('TC-VULTR-LB-VPC', () => {
  /** Warnings about a Service in the workloads of a cluster whose machines are in a VPC. */
  function warnings(annotated: { [key: string]: string }, spec: object = SPEC): unknown[][] {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    const found = problemsIn((app) => {
      const tenant = vultrCluster(app, { vpcId: VPC });
      new ApiObject(tenant.workloads, 'web', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop', annotations: annotated }, spec });
    });
    expect(found).toEqual([]);
    return emitted.mock.calls;
  }

  afterEach(() => jest.restoreAllMocks());

  test('warns of a load balancer outside of the machines\' VPC', () => {
    expect(warnings({})).toEqual([[
      expect.stringMatching(/^\[acme\] TC-VULTR-LB-VPC workloads: .*"shop\/web" is not attached to the VPC.* Fix: .*\{ vpc: true \}/), { code: 'TC-VULTR-LB-VPC' },
    ]]);
  });

  test.each<[what: string, ...args: Parameters<typeof warnings>]>([
    ['one that is in it', { [`${PREFIX}vpc`]: 'true' }],
    ['one that is meant to be outside', { [`${PREFIX}vpc`]: 'false' }],
    ['a Service that is not published', {}, { ports: PORTS }],
    ['a Service of another controller', {}, { ...SPEC, loadBalancerClass: 'example.com/other' }],
  ])('does not warn of %s', (_what, ...args) => {
    expect(warnings(...args)).toEqual([]);
  });

  test('does not warn where there is no VPC', () => {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();

    expect(problemsIn((app) => {
      new ApiObject(vultrCluster(app).workloads, 'web', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' }, spec: SPEC });
    })).toEqual([]);
    expect(emitted).not.toHaveBeenCalled();
  });
});
