import { ApiObject, Duration } from 'cdk8s';
import { IConstruct } from 'constructs';
import { checkIp } from '../../../manifests/values/ip-address';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';

/** The addresses of an elastic load balancer's network interface in a private LAN. */
export interface NifcloudPrivateLanOptions {
  /** Id of the private LAN, e.g. `net-0a1b2c3d` (`TC-NIFCLOUD-LB-NETWORK-INTERFACE`). */
  readonly networkId: string;

  /** IPv4 address of the interface (`TC-NIFCLOUD-LB-NETWORK-INTERFACE`). */
  readonly ipAddress: string;

  /** The two IPv4 addresses that the load balancer's own machines have in the LAN (`TC-NIFCLOUD-LB-NETWORK-INTERFACE`). */
  readonly systemIpAddresses: string[];
}

const COMMON_GLOBAL = 'net-COMMON_GLOBAL';
const COMMON_PRIVATE = 'net-COMMON_PRIVATE';

/** The networks that are not private LANs. */
const COMMON_NETWORKS: readonly string[] = [COMMON_GLOBAL, COMMON_PRIVATE];

/**
 * The network of an elastic load balancer's network interface.
 *
 * @example
 * const lan = nifcloud.NifcloudNetworkInterface.privateLan({
 *   networkId: 'net-0a1b2c3d',
 *   ipAddress: '192.168.10.5',
 *   systemIpAddresses: ['192.168.10.6', '192.168.10.7'],
 * });
 */
export class NifcloudNetworkInterface {
  /** The common global network, on the Internet. */
  public static commonGlobal(): NifcloudNetworkInterface {
    return new NifcloudNetworkInterface(COMMON_GLOBAL);
  }

  /** The common private network of the zone. */
  public static commonPrivate(): NifcloudNetworkInterface {
    return new NifcloudNetworkInterface(COMMON_PRIVATE);
  }

  /**
   * A private LAN.
   *
   * @param options the LAN, and the addresses in it
   */
  public static privateLan(options: NifcloudPrivateLanOptions): NifcloudNetworkInterface {
    return new NifcloudNetworkInterface(options.networkId, options);
  }

  private constructor(
    /** @internal */
    public readonly _networkId: string,
    /** @internal */
    public readonly _lan?: NifcloudPrivateLanOptions,
  ) {}
}

/** Type of the load balancer. */
export enum NifcloudLoadBalancerType {
  /** An L4 load balancer, with an address on the Internet. */
  L4 = 'lb',

  /**
   * An elastic load balancer, which may be in private networks. The load balancer is in the zone of the first node that the cloud
   * controller manager finds.
   */
  ELASTIC = 'elb',
}

/** Accounting of a load balancer. */
export enum NifcloudAccountingType {
  /** Monthly price. */
  MONTHLY = '1',

  /** Price by usage. */
  PAY_PER_USE = '2',
}

/** TLS policy of an L4 load balancer. */
export enum NifcloudPolicyType {
  /** The standard policy. */
  STANDARD = 'standard',

  /** The policy for App Transport Security. */
  ATS = 'ats',
}

/** Algorithm that chooses a node. */
export enum NifcloudBalancingType {
  /** One after the other. */
  ROUND_ROBIN = '1',

  /** The node with the fewest connections. */
  LEAST_CONNECTION = '2',
}

/** Protocol of the health check of a node. */
export enum NifcloudHealthCheckProtocol {
  /** Connection to the node port. */
  TCP = 'TCP',

  /** Echo request. */
  ICMP = 'ICMP',
}

/** Health check of the nodes behind a load balancer. */
export interface NifcloudServiceHealthCheck {
  /**
   * Protocol of the check.
   *
   * @default NifcloudHealthCheckProtocol.TCP
   */
  readonly protocol?: NifcloudHealthCheckProtocol;

  /**
   * Number of consecutive failures that make a node unhealthy, 1 to 10 (`TC-NIFCLOUD-LB-HEALTH-CHECK`).
   *
   * @default 1
   */
  readonly unhealthyThreshold?: number;

  /**
   * Time between two checks, 5 to 300 whole seconds (`TC-NIFCLOUD-LB-HEALTH-CHECK`).
   *
   * @default Duration.seconds(10)
   */
  readonly interval?: Duration;
}

/**
 * Options of a Service of type LoadBalancer that Nifcloud's cloud controller manager publishes. Unset options get the defaults of
 * Nifcloud's API.
 *
 * Source: nifcloud/nifcloud-cloud-controller-manager v1.2.0.
 */
export interface NifcloudLoadBalancerOptions {
  /**
   * Type of the load balancer.
   *
   * @default NifcloudLoadBalancerType.L4
   */
  readonly type?: NifcloudLoadBalancerType;

  /**
   * Greatest network volume in Mbps: 10, 20, 30, 40, 100, 200, … 2000, of an elastic load balancer up to 500
   * (`TC-NIFCLOUD-LB-NETWORK-VOLUME`).
   *
   * @default - Nifcloud's own
   */
  readonly networkVolume?: number;

  /**
   * Accounting of the load balancer.
   *
   * @default - Nifcloud's own
   */
  readonly accountingType?: NifcloudAccountingType;

  /**
   * TLS policy, of an L4 load balancer only (`TC-NIFCLOUD-LB-POLICY-TYPE`).
   *
   * @default - Nifcloud's own
   */
  readonly policyType?: NifcloudPolicyType;

  /**
   * Algorithm that chooses a node.
   *
   * @default - Nifcloud's own
   */
  readonly balancingType?: NifcloudBalancingType;

  /**
   * Health check of nodes.
   *
   * @default - a connection to the node port every 10 seconds, given up after one failure
   */
  readonly healthCheck?: NifcloudServiceHealthCheck;

  /**
   * First network interface of an elastic load balancer (`TC-NIFCLOUD-LB-NETWORK-INTERFACE`).
   *
   * @default - NifcloudNetworkInterface.commonGlobal() with the virtual address, where neither interface is given
   */
  readonly networkInterface1?: NifcloudNetworkInterface;

  /**
   * Second network interface of an elastic load balancer, for a two-arm setup (`TC-NIFCLOUD-LB-NETWORK-INTERFACE`).
   *
   * @default - none
   */
  readonly networkInterface2?: NifcloudNetworkInterface;

  /**
   * Number of the interface with the virtual address, 1 or 2. Required if interfaces are set (`TC-NIFCLOUD-LB-VIP-NETWORK`).
   *
   * @default - the first interface, if no interfaces are set
   */
  readonly vipNetwork?: number;
}

/**
 * Publishes a Service by Nifcloud's cloud controller manager.
 *
 * @example
 * const service = new ApiObject(chart, 'web', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } });
 * nifcloud.NifcloudLoadBalancer.publish(service, { networkVolume: 100 });
 */
export class NifcloudLoadBalancer {
  /**
   * Publishes a Service: 1 to 3 TCP ports, open to single addresses or to all.
   *
   * Rules: `TC-NIFCLOUD-LB-PORTS`, `TC-NIFCLOUD-LB-SOURCE-RANGE`.
   *
   * @param service a Service of type LoadBalancer, e.g. a `Service` of cdk8s-plus or an `ApiObject` (`TC-NIFCLOUD-LB-SERVICE`)
   * @param options options of the load balancer
   */
  public static publish(service: IConstruct, options: NifcloudLoadBalancerOptions = {}): void {
    const object = ApiObject.of(service);
    Object.entries(loadBalancerAnnotations(options)).forEach(([key, value]) => object.metadata.addAnnotation(key, value));
    const problems = Problems.of(service);
    if (object.kind !== 'Service') {
      problems.add({ rule: SERVICE_RULE, property: 'service', message: `it is a ${object.kind}`, fix: 'give the Service' });
      return;
    }
    // Ports may still be added, and fields patched.
    problems._addCheck(() => checkLoadBalancer(options, object.toJson()));
  }

  private constructor() {}
}

/** Prefix of the cloud controller manager's annotations. */
const PREFIX = 'service.beta.kubernetes.io/nifcloud-load-balancer-';

/** The annotations of the options, all of them strings. Unset options have no annotation. */
function loadBalancerAnnotations(options: NifcloudLoadBalancerOptions): { [key: string]: string } {
  const { healthCheck = {} } = options;
  const values: Record<string, string | number | undefined> = {
    'type': options.type,
    'network-volume': options.networkVolume,
    'accounting-type': options.accountingType,
    'policy-type': options.policyType,
    'balancing-type': options.balancingType,
    'healthcheck-protocol': healthCheck.protocol,
    'healthcheck-unhealthy-threshold': healthCheck.unhealthyThreshold,
    'healthcheck-interval': healthCheck.interval?.toSeconds({ integral: false }),
    ...interfaceAnnotations(1, options.networkInterface1),
    ...interfaceAnnotations(2, options.networkInterface2),
    'vip-network': options.vipNetwork,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined).map(([name, value]) => [`${PREFIX}${name}`, `${value}`]));
}

function interfaceAnnotations(number: number, given: NifcloudNetworkInterface | undefined): Record<string, string | undefined> {
  const prefix = `network-interface-${number}`;
  return {
    [`${prefix}-network-id`]: given?._networkId,
    [`${prefix}-ip-address`]: given?._lan?.ipAddress,
    [`${prefix}-system-ip-addresses`]: given?._lan?.systemIpAddresses.join(','),
  };
}

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

/** Checks a load balancer with its Service. */
function checkLoadBalancer(options: NifcloudLoadBalancerOptions, service: Service): Problem[] {
  return [
    ...checkService(service),
    ...checkPorts(service),
    ...checkSourceRanges(options, service),
    ...checkPolicy(options),
    ...checkNetworkVolume(options),
    ...checkHealth(options),
    ...checkInterfaces(options),
    ...checkVipNetwork(options),
  ];
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

function checkSourceRanges({ type }: NifcloudLoadBalancerOptions, { spec: { loadBalancerSourceRanges: ranges = [] } = {} }: Service): Problem[] {
  const at = { rule: SOURCE_RANGE_RULE, property: 'service' };
  if (type === NifcloudLoadBalancerType.ELASTIC) {
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

const POLICY_TYPE_RULE: Rule = {
  id: 'TC-NIFCLOUD-LB-POLICY-TYPE',
  title: 'Only an L4 load balancer may have a policy.',
  source: SOURCE,
};

function checkPolicy({ type, policyType }: NifcloudLoadBalancerOptions): Problem[] {
  return policyType !== undefined && type === NifcloudLoadBalancerType.ELASTIC ? [{
    rule: POLICY_TYPE_RULE, property: 'policyType', message: 'an elastic load balancer has no policy', fix: 'leave it out, or use an L4 load balancer',
  }] : [];
}

const NETWORK_VOLUME_RULE: Rule = {
  id: 'TC-NIFCLOUD-LB-NETWORK-VOLUME',
  title: 'The network volume must be available: 10 to 40 Mbps in steps of 10, then steps of 100, up to 2000, or 500 for an elastic load balancer.',
  source: SOURCE,
};

const VOLUMES: readonly number[] = [10, 20, 30, 40, ...Array.from({ length: 20 }, (_, index) => (index + 1) * 100)];
const MOST_ELASTIC = 500;

function checkNetworkVolume({ type, networkVolume }: NifcloudLoadBalancerOptions): Problem[] {
  const accepted = type === NifcloudLoadBalancerType.ELASTIC ? VOLUMES.filter((volume) => volume <= MOST_ELASTIC) : VOLUMES;
  return networkVolume === undefined || accepted.includes(networkVolume) ? [] : [{
    rule: NETWORK_VOLUME_RULE, property: 'networkVolume', message: `${networkVolume} Mbps are not available`, accepted: accepted.join(', '), fix: 'choose one of these',
  }];
}

function checkHealth({ healthCheck: { unhealthyThreshold, interval } = {} }: NifcloudLoadBalancerOptions): Problem[] {
  return [
    ...checkWhole('healthCheck.unhealthyThreshold', unhealthyThreshold, 1, 10, ''),
    ...checkWhole('healthCheck.interval', interval?.toSeconds({ integral: false }), 5, 300, ' seconds'),
  ];
}

const HEALTH_CHECK_RULE: Rule = {
  id: 'TC-NIFCLOUD-LB-HEALTH-CHECK',
  title: 'The interval of the health check must be 5 to 300 whole seconds, and its threshold 1 to 10 failures.',
  source: SOURCE,
};

function checkWhole(property: string, value: number | undefined, least: number, most: number, unit: string): Problem[] {
  return value === undefined || (Number.isInteger(value) && value >= least && value <= most) ? [] : [{
    rule: HEALTH_CHECK_RULE, property, message: `${value}${unit} is out of range`, accepted: `whole numbers from ${least} to ${most}`, fix: 'choose one of these',
  }];
}

const NETWORK_INTERFACE_RULE: Rule = {
  id: 'TC-NIFCLOUD-LB-NETWORK-INTERFACE',
  title: 'Only an elastic load balancer may have interfaces; an interface in a private LAN needs an address and two system addresses, all different.',
  source: SOURCE,
};

function checkInterfaces(options: NifcloudLoadBalancerOptions): Problem[] {
  const given = (['networkInterface1', 'networkInterface2'] as const).flatMap((property) => {
    const network = options[property];
    return network ? [{ property, network }] : [];
  });
  if (options.type !== NifcloudLoadBalancerType.ELASTIC) {
    return given.map(({ property }) => ({
      rule: NETWORK_INTERFACE_RULE, property, message: 'an L4 load balancer has no interfaces to choose', fix: 'leave it out, or set type to NifcloudLoadBalancerType.ELASTIC',
    }));
  }
  return [
    ...given.flatMap(({ property, network }) => checkInterface(property, network)),
    ...(options.networkInterface2 && !options.networkInterface1 ? [{
      rule: NETWORK_INTERFACE_RULE, property: 'networkInterface2', message: 'networkInterface1 is not set', fix: 'set networkInterface1',
    }] : []),
  ];
}

function checkInterface(property: string, { _lan: lan }: NifcloudNetworkInterface): Problem[] {
  if (!lan) return [];
  const { networkId, ipAddress, systemIpAddresses } = lan;
  const rule = NETWORK_INTERFACE_RULE;
  const fix = 'give addresses of the private LAN that nothing else has';
  const addresses = [{ at: 'ipAddress', address: ipAddress }, ...systemIpAddresses.map((address, index) => ({ at: `systemIpAddresses[${index}]`, address }))];
  return [
    ...(/^net-[^\s,]+$/.test(networkId) && !COMMON_NETWORKS.includes(networkId) ? [] : [{
      rule, property: `${property}.networkId`, message: `"${networkId}" is not the id of a private LAN`, accepted: 'ids such as "net-0a1b2c3d"', fix: 'copy the id of the private LAN, or use commonGlobal or commonPrivate',
    }]),
    ...(systemIpAddresses.length === 2 ? [] : [{
      rule, property: `${property}.systemIpAddresses`, message: `there are ${systemIpAddresses.length} system addresses`, accepted: 'exactly two', fix,
    }]),
    ...addresses.flatMap(({ at, address }, index) => {
      const message = checkIp(address, 'IPv4') ?? (addresses.findIndex((other) => other.address === address) < index ? `${address} is listed twice` : undefined);
      return message === undefined ? [] : [{ rule, property: `${property}.${at}`, message, fix }];
    }),
  ];
}

const VIP_NETWORK_RULE: Rule = {
  id: 'TC-NIFCLOUD-LB-VIP-NETWORK',
  title: 'The virtual address must be on interface 1 or 2 of an elastic load balancer; if interfaces are set, vipNetwork must name one of them.',
  source: SOURCE,
};

function checkVipNetwork({ type, vipNetwork, networkInterface1, networkInterface2 }: NifcloudLoadBalancerOptions): Problem[] {
  const at = { rule: VIP_NETWORK_RULE, property: 'vipNetwork' };
  if (vipNetwork === undefined) {
    return type !== NifcloudLoadBalancerType.ELASTIC || !(networkInterface1 ?? networkInterface2) ? [] : [{
      ...at, message: 'interfaces are set, but vipNetwork does not name the interface of the virtual address', accepted: '1, 2', fix: 'set the number of the interface for clients',
    }];
  }
  if (type !== NifcloudLoadBalancerType.ELASTIC) {
    return [{ ...at, message: 'an L4 load balancer has no interfaces to choose', fix: 'leave it out, or set type to NifcloudLoadBalancerType.ELASTIC' }];
  }
  if (vipNetwork !== 1 && vipNetwork !== 2) return [{ ...at, message: `${vipNetwork} is not the number of an interface`, accepted: '1, 2', fix: 'choose one of the two' }];
  const there = vipNetwork === 1 ? networkInterface1 : networkInterface2;
  return there ? [] : [{ ...at, message: `networkInterface${vipNetwork} is not set`, fix: 'set that interface, or choose the other one' }];
}
