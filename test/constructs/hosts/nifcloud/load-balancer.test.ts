import { ApiObject, Chart, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { NifcloudLoadBalancer } from '../../../../src/constructs/hosts/nifcloud/nifcloud-load-balancer';
import { Manifest } from '../../../support/clusters';
import { problemsIn, ReportedProblem } from '../../../support/problems';
import { rulesOfTopic } from '../../../support/topic-rules';

type Annotations = { [name: string]: string };

const PREFIX = 'service.beta.kubernetes.io/nifcloud-load-balancer-';
const SPEC = { type: 'LoadBalancer', ports: [{ port: 80 }, { port: 443, name: 'https' }] };

/** Annotations of an L4 load balancer, all that there are. */
const L4: Annotations = {
  'type': 'lb',
  'network-volume': '2000',
  'accounting-type': '2',
  'policy-type': 'ats',
  'balancing-type': '2',
  'healthcheck-protocol': 'ICMP',
  'healthcheck-unhealthy-threshold': '10',
  'healthcheck-interval': '300',
};

/** An elastic load balancer between the Internet and a private LAN. */
const ELASTIC: Annotations = {
  'type': 'elb',
  'network-interface-1-network-id': 'net-COMMON_GLOBAL',
  'network-interface-2-network-id': 'net-0a1b2c3d',
  'network-interface-2-ip-address': '192.168.10.100',
  'network-interface-2-system-ip-addresses': '192.168.10.101,192.168.10.102',
  'vip-network': '1',
};

function service(chart: Chart, spec: object = SPEC, kind = 'Service'): ApiObject {
  return new ApiObject(chart, 'Service', { apiVersion: 'v1', kind, metadata: { name: 'web' }, spec });
}

function annotations(given: Annotations): Manifest {
  const chart = Testing.chart();
  NifcloudLoadBalancer.publish(service(chart), given);
  return Testing.synth(chart)[0].metadata.annotations;
}

function problems(given: Annotations, spec?: object): ReportedProblem[] {
  return problemsIn((app) => NifcloudLoadBalancer.publish(service(new Chart(app, 'web'), spec), given));
}

test('without annotations, Nifcloud decides', () => {
  expect(annotations({})).toBeUndefined();
});

test.each([['an L4 load balancer', L4], ['an elastic load balancer with two arms', ELASTIC]])('annotations of %s are written with their prefix, and accepted', (_what, given) => {
  expect(annotations(given)).toEqual(Object.fromEntries(Object.entries(given).map(([name, value]) => [PREFIX + name, value])));
  expect(problems(given)).toEqual([]);
});

test('a Service of cdk8s-plus can be published, and keeps what else it has', () => {
  const chart = Testing.chart();
  const web = new kplus.Service(chart, 'Web', { type: kplus.ServiceType.LOAD_BALANCER, ports: [{ port: 80 }], metadata: { annotations: { own: 'x' } } });
  NifcloudLoadBalancer.publish(web, { 'accounting-type': '1' });

  expect(Testing.synth(chart)[0].metadata.annotations).toEqual({ own: 'x', [`${PREFIX}accounting-type`]: '1' });
});

const CASES: [id: string, given: Annotations, spec: object, texts: string[]][] = [
  ['TC-NIFCLOUD-LB-SERVICE', {}, { ports: SPEC.ports }, ['its type is ClusterIP']],
  ['TC-NIFCLOUD-LB-SERVICE', {}, { ...SPEC, allocateLoadBalancerNodePorts: false }, ['node ports']],
  ['TC-NIFCLOUD-LB-SERVICE', {}, { ...SPEC, loadBalancerIP: '203.0.113.7' }, ['203.0.113.7']],
  ['TC-NIFCLOUD-LB-PORTS', {}, { ...SPEC, ports: [] }, ['0 ports', '1 to 3']],
  ['TC-NIFCLOUD-LB-PORTS', {}, { ...SPEC, ports: [1, 2, 3, 4].map((port) => ({ port })) }, ['4 ports']],
  ['TC-NIFCLOUD-LB-PORTS', {}, { ...SPEC, ports: [{ port: 53, protocol: 'UDP' }] }, ['port 53 is UDP']],
  ['TC-NIFCLOUD-LB-SOURCE-RANGE', {}, { ...SPEC, loadBalancerSourceRanges: ['203.0.113.7/32', '203.0.113.0/24'] }, ['"203.0.113.0/24"']],
  ['TC-NIFCLOUD-LB-SOURCE-RANGE', {}, { ...SPEC, loadBalancerSourceRanges: ['fd00::1/128'] }, ['"fd00::1/128"']],
  ['TC-NIFCLOUD-LB-SOURCE-RANGE', { type: 'elb' }, { ...SPEC, loadBalancerSourceRanges: ['203.0.113.7/32'] }, ['no effect']],
  ...([
    ['accounting_type', '2', 'does not know it'],
    ['accounting-type', '3', '"3" is not accepted'],
    ['network-volume', '50', '"50" is not accepted'],
    ['healthcheck-protocol', 'tcp', 'Accepted: TCP, ICMP'],
    ['healthcheck-unhealthy-threshold', '11', 'from 1 to 10'],
    ['healthcheck-interval', '5.5', 'from 5 to 300'],
    ['vip-network', '1', 'a load balancer of type "lb" has none'],
    ['network-interface-1-network-id', 'net-COMMON_GLOBAL', 'set type to "elb"'],
    ['network-interface-1-system-ip-addresses', '192.168.10.101', 'two IPv4 addresses'],
  ] as const).map(([name, value, text]): [string, Annotations, object, string[]] => ['TC-NIFCLOUD-LB-ANNOTATION', { [name]: value }, SPEC, [`annotations["${name}"]`, text]]),
  ['TC-NIFCLOUD-LB-ANNOTATION', { 'type': 'elb', 'policy-type': 'standard' }, SPEC, ['a load balancer of type "elb" has none']],
];

test.each(CASES)('%s: %j %j', (id, given, spec, texts) => {
  const found = problems(given, spec);

  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['web/Service', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test('TC-NIFCLOUD-LB-SERVICE: something else than a Service', () => {
  expect(problemsIn((app) => NifcloudLoadBalancer.publish(service(new Chart(app, 'web'), {}, 'Ingress'))).map(({ id, text }) => `${id} ${text}`)).toEqual([
    expect.stringContaining('TC-NIFCLOUD-LB-SERVICE service: it is a Ingress'),
  ]);
});

test('good Services are accepted', () => {
  expect(problems({}, { ...SPEC, loadBalancerIP: '', loadBalancerSourceRanges: ['203.0.113.7/32', '0.0.0.0/0'] })).toEqual([]);
  expect(problems({}, { ...SPEC, ports: [1, 2, 3].map((port) => ({ port, protocol: 'TCP' })) })).toEqual([]);
});

test('every rule has a negative test', () => {
  const tested = new Set(CASES.map(([id]) => id));

  expect(rulesOfTopic('Load balancers of Nifcloud').filter((id) => !tested.has(id))).toEqual([]);
});
