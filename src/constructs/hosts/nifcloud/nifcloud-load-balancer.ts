import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { checkIp } from '../../../manifests/values/ip-address';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';

/**
 * Publishes a Service by Nifcloud's cloud controller manager.
 *
 * @example
 * const service = new ApiObject(chart, 'web', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } });
 * nifcloud.NifcloudLoadBalancer.publish(service, { 'accounting-type': '2', 'network-volume': '100' });
 */
export class NifcloudLoadBalancer {
  /**
   * Publishes a Service: 1 to 3 TCP ports, open to single addresses or to all.
   *
   * Rules: `TC-NIFCLOUD-LB-PORTS`, `TC-NIFCLOUD-LB-SOURCE-RANGE`, `TC-NIFCLOUD-LB-ANNOTATION`. Source:
   * nifcloud/nifcloud-cloud-controller-manager v1.2.0 pkg/cloudprovider/providers/nifcloud/nifcloud_load_balancer.go.
   *
   * @param service a Service of type LoadBalancer, e.g. a `Service` of cdk8s-plus or an `ApiObject` (`TC-NIFCLOUD-LB-SERVICE`)
   * @param annotations annotations of the cloud controller manager, without `service.beta.kubernetes.io/nifcloud-load-balancer-`; others get
   * the defaults of Nifcloud's API. `type` is `lb` (L4, the default) or `elb`; `accounting-type` is `1` (monthly) or `2` (by usage).
   */
  public static publish(service: IConstruct, annotations: { [name: string]: string } = {}): void {
    const object = ApiObject.of(service);
    Object.entries(annotations).forEach(([name, value]) => object.metadata.addAnnotation(`${PREFIX}${name}`, value));
    const problems = Problems.of(service);
    if (object.kind !== 'Service') {
      problems.add({ rule: SERVICE_RULE, property: 'service', message: `it is a ${object.kind}`, fix: 'give the Service' });
      return;
    }
    // Ports may still be added, and fields patched.
    problems._addCheck(() => {
      const written = object.toJson() as Service;
      return [...checkService(written), ...checkPorts(written), ...checkSourceRanges(annotations, written), ...checkAnnotations(annotations)];
    });
  }

  private constructor() {}
}

/** Prefix of the cloud controller manager's annotations. */
const PREFIX = 'service.beta.kubernetes.io/nifcloud-load-balancer-';

/** Value of the annotation `type` of an elastic load balancer. */
const ELASTIC = 'elb';

/** The checked fields of a Service. */
interface Service {
  readonly spec?: {
    readonly type?: string;
    readonly allocateLoadBalancerNodePorts?: boolean;
    readonly loadBalancerIP?: string;
    readonly loadBalancerSourceRanges?: readonly string[];
    readonly ports?: readonly { readonly port: number; readonly protocol?: string }[];
  };
}

const SOURCE = 'nifcloud/nifcloud-cloud-controller-manager pkg/cloudprovider/providers/nifcloud/nifcloud_load_balancer.go';

const SERVICE_RULE: Rule = {
  id: 'TC-NIFCLOUD-LB-SERVICE',
  title: 'A load balancer needs a Service of type LoadBalancer with node ports and without loadBalancerIP.',
  source: SOURCE,
};

function checkService({ spec = {} }: Service): Problem[] {
  const at = { rule: SERVICE_RULE, property: 'service' };
  return [
    ...(spec.type === 'LoadBalancer' ? [] : [{ ...at, message: `its type is ${spec.type ?? 'ClusterIP'}`, fix: 'make it a Service of type LoadBalancer' }]),
    ...(spec.allocateLoadBalancerNodePorts === false ? [{
      ...at, message: 'it has no node ports (allocateLoadBalancerNodePorts: false), which Nifcloud\'s load balancers send to', fix: 'leave that field out',
    }] : []),
    ...(spec.loadBalancerIP === undefined || spec.loadBalancerIP === '' ? [] : [{
      ...at, message: `it requests the address ${spec.loadBalancerIP} (loadBalancerIP), but Nifcloud assigns the address`, fix: 'leave that field out',
    }]),
  ];
}

const PORTS_RULE: Rule = {
  id: 'TC-NIFCLOUD-LB-PORTS',
  title: 'A load balancer must have 1 to 3 ports, all of them TCP.',
  source: SOURCE,
};

const MOST_PORTS = 3;

function checkPorts({ spec: { ports = [] } = {} }: Service): Problem[] {
  const at = { rule: PORTS_RULE, property: 'service' };
  return [
    ...(ports.length >= 1 && ports.length <= MOST_PORTS ? [] : [{
      ...at, message: `it has ${ports.length} ports`, accepted: `1 to ${MOST_PORTS}`, fix: 'spread the ports over several Services',
    }]),
    ...ports.filter(({ protocol = 'TCP' }) => protocol !== 'TCP').map(({ port, protocol }) => ({
      ...at, message: `port ${port} is ${protocol}`, accepted: 'TCP', fix: 'make it TCP, or publish it otherwise',
    })),
  ];
}

const SOURCE_RANGE_RULE: Rule = {
  id: 'TC-NIFCLOUD-LB-SOURCE-RANGE',
  title: 'The filter of an L4 load balancer accepts single IPv4 addresses (/32) or 0.0.0.0/0; an elastic load balancer has no filter.',
  source: 'aokumasan/nifcloud-cloud-controller-manager (v1.0.0), which refuses other ranges; later releases hand them to the API',
};

function checkSourceRanges(
  { type }: { readonly [name: string]: string }, { spec: { loadBalancerSourceRanges: ranges = [] } = {} }: Service,
): Problem[] {
  const at = { rule: SOURCE_RANGE_RULE, property: 'service' };
  if (type === ELASTIC) {
    return ranges.length === 0 ? [] : [{ ...at, message: 'its loadBalancerSourceRanges have no effect on an elastic load balancer', fix: 'remove them, or use an L4 load balancer' }];
  }
  return ranges.filter((range) => !isFilter(range)).map((range) => ({
    ...at, message: `its loadBalancerSourceRanges have "${range}"`, accepted: 'single IPv4 addresses such as "203.0.113.7/32", and "0.0.0.0/0"', fix: 'list single addresses',
  }));
}

function isFilter(range: string): boolean {
  const [address, length] = range.split('/');
  return range === '0.0.0.0/0' || (length === '32' && checkIp(address, 'IPv4') === undefined);
}

const ANNOTATION_RULE: Rule = {
  id: 'TC-NIFCLOUD-LB-ANNOTATION',
  title: 'Annotations of a load balancer must be known to the cloud controller manager, for the type of the load balancer, and have values that it accepts.',
  source: SOURCE,
};

interface Annotation {
  readonly accepts: (value: string) => boolean;

  /** Accepted values. */
  readonly accepted: string;

  /** The only type of load balancer that has it. */
  readonly only?: 'lb' | typeof ELASTIC;
}

const HUNDREDS = Array.from({ length: 20 }, (_, index) => (index + 1) * 100);
const ADDRESS: Annotation = { accepts: (value) => checkIp(value, 'IPv4') === undefined, accepted: 'an IPv4 address', only: ELASTIC };
const NETWORK: Annotation = {
  accepts: (value) => /^net-[^\s,]+$/.test(value), accepted: 'net-COMMON_GLOBAL, net-COMMON_PRIVATE, or the id of a private LAN', only: ELASTIC,
};
const SYSTEM_ADDRESSES: Annotation = {
  accepts: (value) => value.split(',').length === 2 && value.split(',').every(ADDRESS.accepts), accepted: 'two IPv4 addresses, joined by ","', only: ELASTIC,
};

const ANNOTATIONS: Readonly<Record<string, Annotation>> = {
  'type': oneOf('lb', ELASTIC),
  'accounting-type': oneOf('1', '2'),
  'policy-type': { ...oneOf('standard', 'ats'), only: 'lb' },
  'balancing-type': oneOf('1', '2'),
  'network-volume': oneOf(...[10, 20, 30, 40, ...HUNDREDS].map(String)),
  'healthcheck-protocol': oneOf('TCP', 'ICMP'),
  'healthcheck-unhealthy-threshold': between(1, 10),
  'healthcheck-interval': between(5, 300),
  ...Object.fromEntries([1, 2].flatMap((number) => [
    [`network-interface-${number}-network-id`, NETWORK],
    [`network-interface-${number}-ip-address`, ADDRESS],
    [`network-interface-${number}-system-ip-addresses`, SYSTEM_ADDRESSES],
  ])),
  'vip-network': { ...oneOf('1', '2'), only: ELASTIC },
};

function oneOf(...values: readonly string[]): Annotation {
  return { accepts: (value) => values.includes(value), accepted: values.join(', ') };
}

function between(least: number, most: number): Annotation {
  return { accepts: (value) => /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most, accepted: `whole numbers from ${least} to ${most}` };
}

function checkAnnotations(annotations: { readonly [name: string]: string }): Problem[] {
  const type = annotations.type ?? 'lb';
  return Object.entries(annotations).flatMap(([name, value]): Problem[] => {
    const at = { rule: ANNOTATION_RULE, property: `annotations["${name}"]` };
    if (!Object.hasOwn(ANNOTATIONS, name)) {
      return [{ ...at, message: 'the cloud controller manager does not know it', accepted: Object.keys(ANNOTATIONS).join(', '), fix: 'correct or remove it' }];
    }
    const { accepts, accepted, only } = ANNOTATIONS[name];
    if (!accepts(value)) return [{ ...at, message: `${JSON.stringify(value)} is not accepted`, accepted, fix: 'choose one of these' }];
    return only === undefined || only === type ? [] : [{ ...at, message: `a load balancer of type "${type}" has none`, fix: `remove it, or set type to "${only}"` }];
  });
}
