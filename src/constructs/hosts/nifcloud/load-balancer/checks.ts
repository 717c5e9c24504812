import { COMMON_NETWORKS, NifcloudNetworkInterface } from './network-interface';
import { NifcloudLoadBalancerOptions, NifcloudLoadBalancerType } from './nifcloud-load-balancer-options';
import { NIFCLOUD_LOAD_BALANCER_RULES as RULES } from './rules';
import { checkIp } from '../../../../manifests/values/ip-address';
import { Problem } from '../../../../manifests/values/problem';

const VOLUMES: readonly number[] = [10, 20, 30, 40, ...Array.from({ length: 20 }, (_, index) => (index + 1) * 100)];
const MOST_ELASTIC = 500;
const MOST_PORTS = 3;

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
export function checkLoadBalancer(options: NifcloudLoadBalancerOptions, service: Service): Problem[] {
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

function checkService({ spec = {} }: Service): Problem[] {
  const at = { rule: RULES.service, property: 'service' };
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

function checkPorts({ spec: { ports = [] } = {} }: Service): Problem[] {
  const at = { rule: RULES.ports, property: 'service' };
  return [
    ...(ports.length >= 1 && ports.length <= MOST_PORTS ? [] : [{
      ...at, message: `it has ${ports.length} ports`, accepted: `1 to ${MOST_PORTS}`, fix: 'spread the ports over several Services',
    }]),
    ...ports.filter(({ protocol = 'TCP' }) => protocol !== 'TCP').map(({ port, protocol }) => ({
      ...at, message: `port ${port} is ${protocol}`, accepted: 'TCP', fix: 'make it TCP, or publish it otherwise',
    })),
  ];
}

function checkSourceRanges({ type }: NifcloudLoadBalancerOptions, { spec: { loadBalancerSourceRanges: ranges = [] } = {} }: Service): Problem[] {
  const at = { rule: RULES.sourceRange, property: 'service' };
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

function checkPolicy({ type, policyType }: NifcloudLoadBalancerOptions): Problem[] {
  return policyType !== undefined && type === NifcloudLoadBalancerType.ELASTIC ? [{
    rule: RULES.policyType, property: 'policyType', message: 'an elastic load balancer has no policy', fix: 'leave it out, or use an L4 load balancer',
  }] : [];
}

function checkNetworkVolume({ type, networkVolume }: NifcloudLoadBalancerOptions): Problem[] {
  const accepted = type === NifcloudLoadBalancerType.ELASTIC ? VOLUMES.filter((volume) => volume <= MOST_ELASTIC) : VOLUMES;
  return networkVolume === undefined || accepted.includes(networkVolume) ? [] : [{
    rule: RULES.networkVolume, property: 'networkVolume', message: `${networkVolume} Mbps are not available`, accepted: accepted.join(', '), fix: 'choose one of these',
  }];
}

function checkHealth({ healthCheck: { unhealthyThreshold, interval } = {} }: NifcloudLoadBalancerOptions): Problem[] {
  return [
    ...checkWhole('healthCheck.unhealthyThreshold', unhealthyThreshold, 1, 10, ''),
    ...checkWhole('healthCheck.interval', interval?.toSeconds({ integral: false }), 5, 300, ' seconds'),
  ];
}

function checkWhole(property: string, value: number | undefined, least: number, most: number, unit: string): Problem[] {
  return value === undefined || (Number.isInteger(value) && value >= least && value <= most) ? [] : [{
    rule: RULES.healthCheck, property, message: `${value}${unit} is out of range`, accepted: `whole numbers from ${least} to ${most}`, fix: 'choose one of these',
  }];
}

function checkInterfaces(options: NifcloudLoadBalancerOptions): Problem[] {
  const given = (['networkInterface1', 'networkInterface2'] as const).flatMap((property) => {
    const network = options[property];
    return network ? [{ property, network }] : [];
  });
  if (options.type !== NifcloudLoadBalancerType.ELASTIC) {
    return given.map(({ property }) => ({
      rule: RULES.networkInterface, property, message: 'an L4 load balancer has no interfaces to choose', fix: 'leave it out, or set type to NifcloudLoadBalancerType.ELASTIC',
    }));
  }
  return [
    ...given.flatMap(({ property, network }) => checkInterface(property, network)),
    ...(options.networkInterface2 && !options.networkInterface1 ? [{
      rule: RULES.networkInterface, property: 'networkInterface2', message: 'networkInterface1 is not set', fix: 'set networkInterface1',
    }] : []),
  ];
}

function checkInterface(property: string, { _lan: lan }: NifcloudNetworkInterface): Problem[] {
  if (!lan) return [];
  const { networkId, ipAddress, systemIpAddresses } = lan;
  const rule = RULES.networkInterface;
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

function checkVipNetwork({ type, vipNetwork, networkInterface1, networkInterface2 }: NifcloudLoadBalancerOptions): Problem[] {
  const at = { rule: RULES.vipNetwork, property: 'vipNetwork' };
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
