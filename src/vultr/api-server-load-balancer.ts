import { VultrBalancingAlgorithm } from './balancing-algorithm';
import { checkHealthCheck, HEALTH_CHECK_DEFAULTS, secondsOf, VultrHealthCheck } from './health-check';
import { VULTR_RULES } from './rules';
import {
  VultrClusterSpecNetworkApiServerLoadbalancers, VultrClusterSpecNetworkApiServerLoadbalancersFirewallRules,
} from '../../imports/infrastructure.cluster.x-k8s.io';
import { Problem, problemIf } from '../problems/problem';
import { Cidr, checkCidr } from '../values/cidr';

/**
 * The load balancer in front of the API server. The Vultr provider sets it up once; later changes have no effect
 * (vultr/cluster-api-provider-vultr cloud/services/loadbalancer.go). It balances TCP, on the port of the API server.
 */
export interface VultrApiServerLoadBalancer {
  /**
   * UUID of a load balancer that exists already and is to be used (`TC-TRAP-VULTR-CLUSTER`). It forwards the port of the API server to the
   * same port of its machines, and is otherwise left unchanged: no other option can be set (`TC-VULTR-EXISTING-LOAD-BALANCER`).
   *
   * @default - the provider makes one
   */
  readonly existingId?: string;

  /**
   * How it chooses a machine.
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
   * Ranges that may reach the API server, as CIDR blocks (`TC-VULTR-FIREWALL-RULE`). The management cluster must be among them, and so must
   * the machines of the cluster, which use the load balancer's public address: they are `vpcOnly`, and the address of the VPC's NAT gateway
   * is in the list (`TC-VULTR-FIREWALL-MACHINES`).
   *
   * @default - all addresses
   */
  readonly allowedCidrs?: string[];
}

/** What the provider calls the ways to choose a machine (api/v1beta1/types.go). */
const ALGORITHMS: Readonly<Record<VultrBalancingAlgorithm, string>> = {
  [VultrBalancingAlgorithm.ROUND_ROBIN]: 'roundrobin',
  [VultrBalancingAlgorithm.LEAST_CONNECTIONS]: 'leastconn',
};

/** The load balancer in `VultrCluster`. The provider does not read the other fields of that type. */
export function renderApiServerLoadBalancer(options: VultrApiServerLoadBalancer, port: number): VultrClusterSpecNetworkApiServerLoadbalancers {
  const { existingId, algorithm = VultrBalancingAlgorithm.ROUND_ROBIN, allowedCidrs = [] } = options;
  // The provider takes this port for the front end, the back end and the cluster's endpoint alike.
  if (existingId !== undefined) return { id: existingId, healthCheck: { port } };
  // Its own defaults are written so that what applies can be read.
  const healthCheck = { ...HEALTH_CHECK_DEFAULTS, ...options.healthCheck };
  return {
    healthCheck: {
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

/** What is wrong with the load balancer. */
export function checkApiServerLoadBalancer(property: string, options: VultrApiServerLoadBalancer): Problem[] {
  const { existingId, healthCheck, allowedCidrs = [] } = options;
  return [
    ...(existingId === undefined ? [] : checkOnlyNew(property, options)),
    ...(healthCheck ? checkHealthCheck(`${property}.healthCheck`, healthCheck) : []),
    ...allowedCidrs.flatMap((cidr, index) => {
      const at = `${property}.allowedCidrs[${index}]`;
      const twice = allowedCidrs.indexOf(cidr) < index ? `"${cidr}" is there twice` : undefined;
      return [
        ...problemIf(VULTR_RULES.firewallRule, at, checkCidr(cidr), 'write a range such as "203.0.113.0/24"'),
        ...problemIf(VULTR_RULES.firewallRule, at, twice, 'keep it once'),
      ];
    }),
  ];
}

/** Whether clients with any address may reach the API server. */
export function isOpen({ allowedCidrs = [] }: VultrApiServerLoadBalancer): boolean {
  return allowedCidrs.length === 0 || allowedCidrs.some((cidr) => Cidr.parse(cidr)?.prefixLength === 0);
}

function checkOnlyNew(property: string, options: VultrApiServerLoadBalancer): Problem[] {
  return (['algorithm', 'healthCheck', 'allowedCidrs'] as const).filter((name) => options[name] !== undefined).map((name) => ({
    rule: VULTR_RULES.existingLoadBalancer,
    property: `${property}.${name}`,
    message: 'the provider leaves a load balancer that exists as it is',
    fix: `remove ${name} and set it at the load balancer, or remove existingId`,
  }));
}

function firewallRule(source: string, port: number): VultrClusterSpecNetworkApiServerLoadbalancersFirewallRules {
  return { ipType: Cidr.parse(source)?.family === 'IPv6' ? 'v6' : 'v4', port, source };
}
