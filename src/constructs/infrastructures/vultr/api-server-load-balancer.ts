import { checkHealthCheck, HEALTH_CHECK_DEFAULTS, secondsOf, VultrBalancingAlgorithm, VultrHealthCheck } from './load-balancing';
import {
  VultrClusterSpecNetworkApiServerLoadbalancers, VultrClusterSpecNetworkApiServerLoadbalancersFirewallRules,
} from '../../../../imports/infrastructure.cluster.x-k8s.io';
import { checkCidr, Cidr } from '../../../manifests/values/cidr';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';

/**
 * The load balancer in front of the API server. The Vultr provider creates it with the cluster and deletes it with the cluster; later
 * changes have no effect. It balances TCP, on the port of the API server.
 *
 * An existing load balancer cannot be used: the provider would delete that, too, when the cluster is deleted
 * (`TC-TRAP-VULTR-LOAD-BALANCER`).
 *
 * Source: vultr/cluster-api-provider-vultr cloud/services/loadbalancer.go.
 */
export interface VultrApiServerLoadBalancer {
  /**
   * Algorithm by which it chooses a machine.
   *
   * @default VultrBalancingAlgorithm.ROUND_ROBIN
   */
  readonly algorithm?: VultrBalancingAlgorithm;

  /**
   * When a machine is out of service.
   *
   * @default - every 15 seconds, 5 seconds for an answer, 5 failures, 5 answers
   */
  readonly healthCheck?: VultrHealthCheck;

  /**
   * Ranges that may reach the API server, as CIDR blocks. The management cluster must be among them, and so must the machines of the
   * cluster, which use the load balancer's public address: they are `vpcOnly`, and the address of the VPC's NAT gateway is in the list.
   *
   * Rules: `TC-VULTR-FIREWALL-RULE`, `TC-VULTR-FIREWALL-MACHINES`.
   *
   * @default - all addresses
   */
  readonly allowedCidrs?: string[];
}

/** Names of the algorithms in the provider (api/v1beta1/types.go). */
const ALGORITHMS: Readonly<Record<VultrBalancingAlgorithm, string>> = {
  [VultrBalancingAlgorithm.ROUND_ROBIN]: 'roundrobin',
  [VultrBalancingAlgorithm.LEAST_CONNECTIONS]: 'leastconn',
};

/** The load balancer in `VultrCluster`. The provider does not read the other fields of that type. */
export function renderApiServerLoadBalancer(options: VultrApiServerLoadBalancer, port: number): VultrClusterSpecNetworkApiServerLoadbalancers {
  const { algorithm = VultrBalancingAlgorithm.ROUND_ROBIN, allowedCidrs = [] } = options;
  // The provider's defaults are written, so that the values in effect are visible.
  const healthCheck = { ...HEALTH_CHECK_DEFAULTS, ...options.healthCheck };
  return {
    healthCheck: {
      // The provider takes this port for the front end, the back end and the cluster's endpoint alike.
      port,
      checkInterval: secondsOf(healthCheck.interval),
      responseTimeout: secondsOf(healthCheck.responseTimeout),
      unhealthyThreshold: healthCheck.unhealthyThreshold,
      healthyThreshold: healthCheck.healthyThreshold,
    },
    genericInfo: { balancingAlgorithm: ALGORITHMS[algorithm] },
    firewallRules: allowedCidrs.length > 0 ? allowedCidrs.map((source) => firewallRule(source, port)) : undefined,
  };
}

const FIREWALL_RULE_RULE: Rule = {
  id: 'TC-VULTR-FIREWALL-RULE',
  title: 'Allowed ranges of the API server must be unique CIDR blocks.',
  source: 'vultr/cluster-api-provider-vultr cloud/services/loadbalancer.go',
};

/** Checks the load balancer of the API server. */
export function checkApiServerLoadBalancer(property: string, options: VultrApiServerLoadBalancer): Problem[] {
  const { healthCheck, allowedCidrs = [] } = options;
  return [
    ...(healthCheck ? checkHealthCheck(`${property}.healthCheck`, healthCheck) : []),
    ...allowedCidrs.flatMap((cidr, index) => {
      const at = `${property}.allowedCidrs[${index}]`;
      const twice = allowedCidrs.indexOf(cidr) < index ? `"${cidr}" is there twice` : undefined;
      return [
        ...problemIf(FIREWALL_RULE_RULE, at, checkCidr(cidr), 'write a range such as "203.0.113.0/24"'),
        ...problemIf(FIREWALL_RULE_RULE, at, twice, 'keep it once'),
      ];
    }),
  ];
}

/** True if clients with any address may reach the API server. */
export function isOpen({ allowedCidrs = [] }: VultrApiServerLoadBalancer): boolean {
  return allowedCidrs.length === 0 || allowedCidrs.some((cidr) => Cidr.parse(cidr)?.prefixLength === 0);
}

function firewallRule(source: string, port: number): VultrClusterSpecNetworkApiServerLoadbalancersFirewallRules {
  return { ipType: Cidr.parse(source)?.family === 'IPv6' ? 'v6' : 'v4', port, source };
}
