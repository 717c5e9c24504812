import { Duration } from 'cdk8s';
import { NifcloudNetworkInterface } from './network-interface';

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
  /** By the month. */
  MONTHLY = '1',

  /** By usage. */
  PAY_PER_USE = '2',
}

/** TLS policy of an L4 load balancer. */
export enum NifcloudPolicyType {
  /** The standard policy. */
  STANDARD = 'standard',

  /** The policy for App Transport Security. */
  ATS = 'ats',
}

/** Algorithm by which a load balancer chooses a node. */
export enum NifcloudBalancingType {
  /** One after the other. */
  ROUND_ROBIN = '1',

  /** The node with the fewest connections. */
  LEAST_CONNECTION = '2',
}

/** How a node is checked. */
export enum NifcloudHealthCheckProtocol {
  /** By a connection to the node port. */
  TCP = 'TCP',

  /** By an echo request. */
  ICMP = 'ICMP',
}

/** Health check of the nodes behind a load balancer. */
export interface NifcloudServiceHealthCheck {
  /**
   * How a node is checked.
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
   * Algorithm by which it chooses a node.
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
