import { ApiObject, Chart, Duration, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import * as fc from 'fast-check';
import {
  NifcloudAccountingType, NifcloudBalancingType, NifcloudHealthCheckProtocol, NifcloudLoadBalancer, NifcloudLoadBalancerOptions,
  NifcloudLoadBalancerType, NifcloudNetworkInterface, NifcloudPolicyType,
} from '../../../../src/constructs/hosts/nifcloud/nifcloud-load-balancer';
import { Manifest } from '../../../support/clusters';
import { problemsIn, ReportedProblem } from '../../../support/problems';
import { rulesOfTopic } from '../../../support/topic-rules';

const PREFIX = 'service.beta.kubernetes.io/nifcloud-load-balancer-';
const SPEC = { type: 'LoadBalancer', ports: [{ port: 80 }, { port: 443, name: 'https' }] };
const LAN = { networkId: 'net-0a1b2c3d', ipAddress: '192.168.10.100', systemIpAddresses: ['192.168.10.101', '192.168.10.102'] };
const PRIVATE = NifcloudNetworkInterface.privateLan(LAN);
const GLOBAL = NifcloudNetworkInterface.commonGlobal();
const ELASTIC = { type: NifcloudLoadBalancerType.ELASTIC };

function service(chart: Chart, spec: object = SPEC, kind = 'Service'): ApiObject {
  return new ApiObject(chart, 'Service', { apiVersion: 'v1', kind, metadata: { name: 'web' }, spec });
}

function annotations(options: NifcloudLoadBalancerOptions): Manifest {
  const chart = Testing.chart();
  NifcloudLoadBalancer.publish(service(chart), options);
  return Testing.synth(chart)[0].metadata.annotations;
}

function problems(options: NifcloudLoadBalancerOptions, spec?: object): ReportedProblem[] {
  return problemsIn((app) => NifcloudLoadBalancer.publish(service(new Chart(app, 'web'), spec), options));
}

function lan(options: Partial<typeof LAN>): NifcloudLoadBalancerOptions {
  return { ...ELASTIC, networkInterface1: NifcloudNetworkInterface.privateLan({ ...LAN, ...options }), vipNetwork: 1 };
}

test('what is not said is left to Nifcloud', () => {
  expect(annotations({})).toBeUndefined();
});

test('every option of an L4 load balancer has its annotation, as text', () => {
  const options: NifcloudLoadBalancerOptions = {
    type: NifcloudLoadBalancerType.L4,
    networkVolume: 100,
    accountingType: NifcloudAccountingType.PAY_PER_USE,
    policyType: NifcloudPolicyType.ATS,
    balancingType: NifcloudBalancingType.LEAST_CONNECTION,
    healthCheck: { protocol: NifcloudHealthCheckProtocol.ICMP, unhealthyThreshold: 3, interval: Duration.minutes(1) },
  };

  expect(annotations(options)).toEqual(Object.fromEntries(Object.entries({
    'type': 'lb',
    'network-volume': '100',
    'accounting-type': '2',
    'policy-type': 'ats',
    'balancing-type': '2',
    'healthcheck-protocol': 'ICMP',
    'healthcheck-unhealthy-threshold': '3',
    'healthcheck-interval': '60',
  }).map(([name, value]) => [PREFIX + name, value])));
  expect(problems(options)).toEqual([]);
});

test('an elastic load balancer has one arm or two', () => {
  const options = { ...ELASTIC, networkInterface1: GLOBAL, networkInterface2: PRIVATE, vipNetwork: 1 };

  expect(annotations(options)).toEqual(Object.fromEntries(Object.entries({
    'type': 'elb',
    'network-interface-1-network-id': 'net-COMMON_GLOBAL',
    'network-interface-2-network-id': 'net-0a1b2c3d',
    'network-interface-2-ip-address': '192.168.10.100',
    'network-interface-2-system-ip-addresses': '192.168.10.101,192.168.10.102',
    'vip-network': '1',
  }).map(([name, value]) => [PREFIX + name, value])));
  expect(problems(options)).toEqual([]);
  expect(annotations({ ...ELASTIC, networkInterface1: NifcloudNetworkInterface.commonPrivate(), vipNetwork: 1 })[`${PREFIX}network-interface-1-network-id`]).toBe('net-COMMON_PRIVATE');
});

test('a Service of cdk8s-plus can be published, and keeps what else it has', () => {
  const chart = Testing.chart();
  const web = new kplus.Service(chart, 'Web', { type: kplus.ServiceType.LOAD_BALANCER, ports: [{ port: 80 }], metadata: { annotations: { own: 'x' } } });
  NifcloudLoadBalancer.publish(web, { accountingType: NifcloudAccountingType.MONTHLY });

  expect(Testing.synth(chart)[0].metadata.annotations).toEqual({ own: 'x', [`${PREFIX}accounting-type`]: '1' });
});

test('whatever is accepted is text of the allowed values', () => {
  const numbers = fc.option(fc.integer({ min: -10, max: 2200 }), { nil: undefined });
  let accepted = 0;
  const types = fc.constantFrom(...Object.values(NifcloudLoadBalancerType));
  fc.assert(fc.property(types, numbers, fc.integer({ min: -1, max: 12 }), fc.integer({ min: 0, max: 400 }), (type, volume, threshold, interval) => {
    const rounded = volume === undefined ? undefined : Math.round(volume / 10) * 10;
    const options = { type, networkVolume: rounded, healthCheck: { unhealthyThreshold: threshold, interval: Duration.seconds(interval) } };
    const sold = rounded === undefined || [10, 20, 30, 40].includes(rounded) || (rounded >= 100 && rounded % 100 === 0 && rounded <= (type === 'elb' ? 500 : 2000));
    const good = sold && threshold >= 1 && threshold <= 10 && interval >= 5 && interval <= 300;
    accepted += Number(good);
    expect(problems(options).length === 0).toBe(good);
    if (good) expect(Object.values(annotations(options)).every((value) => typeof value === 'string')).toBe(true);
  }), { numRuns: 300 });
  expect(accepted).toBeGreaterThan(10);
});

const CASES: [id: string, options: NifcloudLoadBalancerOptions, spec: object, texts: string[]][] = [
  ['TC-NIFCLOUD-LB-SERVICE', {}, { ports: SPEC.ports }, ['its type is ClusterIP']],
  ['TC-NIFCLOUD-LB-SERVICE', {}, { ...SPEC, allocateLoadBalancerNodePorts: false }, ['node ports']],
  ['TC-NIFCLOUD-LB-SERVICE', {}, { ...SPEC, loadBalancerIP: '203.0.113.7' }, ['203.0.113.7']],
  ['TC-NIFCLOUD-LB-PORTS', {}, { ...SPEC, ports: [] }, ['0 ports', '1 to 3']],
  ['TC-NIFCLOUD-LB-PORTS', {}, { ...SPEC, ports: [1, 2, 3, 4].map((port) => ({ port })) }, ['4 ports']],
  ['TC-NIFCLOUD-LB-PORTS', {}, { ...SPEC, ports: [{ port: 53, protocol: 'UDP' }] }, ['port 53 is UDP']],
  ['TC-NIFCLOUD-LB-SOURCE-RANGE', {}, { ...SPEC, loadBalancerSourceRanges: ['203.0.113.7/32', '203.0.113.0/24'] }, ['"203.0.113.0/24"']],
  ['TC-NIFCLOUD-LB-SOURCE-RANGE', {}, { ...SPEC, loadBalancerSourceRanges: ['fd00::1/128'] }, ['"fd00::1/128"']],
  ['TC-NIFCLOUD-LB-SOURCE-RANGE', ELASTIC, { ...SPEC, loadBalancerSourceRanges: ['203.0.113.7/32'] }, ['no effect']],
  ['TC-NIFCLOUD-LB-NETWORK-VOLUME', { networkVolume: 50 }, SPEC, ['50 Mbps', '2000']],
  ['TC-NIFCLOUD-LB-NETWORK-VOLUME', { ...ELASTIC, networkVolume: 600 }, SPEC, ['600 Mbps']],
  ['TC-NIFCLOUD-LB-POLICY-TYPE', { ...ELASTIC, policyType: NifcloudPolicyType.STANDARD }, SPEC, ['policyType: an elastic load balancer has no policy']],
  ['TC-NIFCLOUD-LB-HEALTH-CHECK', { healthCheck: { unhealthyThreshold: 11 } }, SPEC, ['healthCheck.unhealthyThreshold: 11', 'from 1 to 10']],
  ['TC-NIFCLOUD-LB-HEALTH-CHECK', { healthCheck: { unhealthyThreshold: 0 } }, SPEC, ['healthCheck.unhealthyThreshold: 0']],
  ['TC-NIFCLOUD-LB-HEALTH-CHECK', { healthCheck: { interval: Duration.seconds(4) } }, SPEC, ['healthCheck.interval: 4 seconds', 'from 5 to 300']],
  ['TC-NIFCLOUD-LB-HEALTH-CHECK', { healthCheck: { interval: Duration.millis(5500) } }, SPEC, ['5.5 seconds']],
  ['TC-NIFCLOUD-LB-NETWORK-INTERFACE', { networkInterface1: GLOBAL }, SPEC, ['networkInterface1: an L4 load balancer has no interfaces']],
  ['TC-NIFCLOUD-LB-NETWORK-INTERFACE', { ...ELASTIC, networkInterface2: GLOBAL, vipNetwork: 2 }, SPEC, ['networkInterface1 is not set']],
  ['TC-NIFCLOUD-LB-NETWORK-INTERFACE', lan({ networkId: 'lan-1' }), SPEC, ['networkInterface1.networkId: "lan-1"']],
  ['TC-NIFCLOUD-LB-NETWORK-INTERFACE', lan({ networkId: 'net-COMMON_GLOBAL' }), SPEC, ['use commonGlobal or commonPrivate']],
  ['TC-NIFCLOUD-LB-NETWORK-INTERFACE', lan({ systemIpAddresses: ['192.168.10.101'] }), SPEC, ['systemIpAddresses: there are 1 system addresses', 'exactly two']],
  ['TC-NIFCLOUD-LB-NETWORK-INTERFACE', lan({ ipAddress: '' }), SPEC, ['networkInterface1.ipAddress']],
  ['TC-NIFCLOUD-LB-NETWORK-INTERFACE', lan({ systemIpAddresses: ['192.168.10.101', '192.168.10.100'] }), SPEC, ['systemIpAddresses[1]: 192.168.10.100 is listed twice']],
  ['TC-NIFCLOUD-LB-VIP-NETWORK', { vipNetwork: 1 }, SPEC, ['an L4 load balancer has no interfaces']],
  ['TC-NIFCLOUD-LB-VIP-NETWORK', { ...ELASTIC, networkInterface1: GLOBAL, vipNetwork: 3 }, SPEC, ['3 is not the number of an interface']],
  ['TC-NIFCLOUD-LB-VIP-NETWORK', { ...ELASTIC, networkInterface1: GLOBAL, vipNetwork: 2 }, SPEC, ['networkInterface2 is not set']],
  ['TC-NIFCLOUD-LB-VIP-NETWORK', { ...ELASTIC, networkInterface1: PRIVATE }, SPEC, ['vipNetwork does not name the interface of the virtual address']],
];

test.each(CASES)('%s: %j %j', (id, options, spec, texts) => {
  const found = problems(options, spec);

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
  expect(problems({ ...ELASTIC, networkVolume: 500 })).toEqual([]);
});

test('every rule has a negative test', () => {
  const tested = new Set(CASES.map(([id]) => id));

  expect(rulesOfTopic('Load balancers of Nifcloud').filter((id) => !tested.has(id))).toEqual([]);
});
