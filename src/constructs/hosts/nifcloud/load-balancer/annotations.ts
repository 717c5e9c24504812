import { NifcloudNetworkInterface } from './network-interface';
import { NifcloudLoadBalancerOptions } from './nifcloud-load-balancer-options';

/** Prefix of the cloud controller manager's annotations. */
const PREFIX = 'service.beta.kubernetes.io/nifcloud-load-balancer-';

/** The annotations of the options, all of them strings. Unset options have no annotation. */
export function loadBalancerAnnotations(options: NifcloudLoadBalancerOptions): { [key: string]: string } {
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
