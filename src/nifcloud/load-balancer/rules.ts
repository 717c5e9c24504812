import { Rule } from '../../validation/problem';

const SOURCE = 'nifcloud/nifcloud-cloud-controller-manager pkg/cloudprovider/providers/nifcloud/nifcloud_load_balancer.go';

/** What Nifcloud's cloud controller manager demands of a Service that it publishes. */
export const NIFCLOUD_LOAD_BALANCER_RULES = {
  service: {
    id: 'TC-NIFCLOUD-LB-SERVICE',
    title: 'A load balancer belongs to a Service of type LoadBalancer that has node ports and no loadBalancerIP.',
    source: SOURCE,
  },
  ports: {
    id: 'TC-NIFCLOUD-LB-PORTS',
    title: 'A load balancer has 1 to 3 ports, all of them TCP.',
    source: SOURCE,
  },
  sourceRange: {
    id: 'TC-NIFCLOUD-LB-SOURCE-RANGE',
    title: 'The filter of an L4 load balancer takes single IPv4 addresses (/32) or everybody (0.0.0.0/0); an elastic one has none.',
    source: 'aokumasan/nifcloud-cloud-controller-manager (v1.0.0), which refuses other ranges; later releases hand them to the API',
  },
  choice: {
    id: 'TC-NIFCLOUD-LB-CHOICE',
    title: 'Types, policies and protocols are those that the cloud controller manager knows.',
    source: SOURCE,
  },
  networkVolume: {
    id: 'TC-NIFCLOUD-LB-NETWORK-VOLUME',
    title: 'The network volume is one that is sold: 10 to 40 Mbps in steps of 10, then steps of 100, up to 2000 or, of an elastic load balancer, 500.',
    source: SOURCE,
  },
  policyType: {
    id: 'TC-NIFCLOUD-LB-POLICY-TYPE',
    title: 'Only an L4 load balancer has a policy.',
    source: SOURCE,
  },
  healthCheck: {
    id: 'TC-NIFCLOUD-LB-HEALTH-CHECK',
    title: 'A node is checked every 5 to 300 whole seconds, and given up after 1 to 10 failures.',
    source: SOURCE,
  },
  networkInterface: {
    id: 'TC-NIFCLOUD-LB-NETWORK-INTERFACE',
    title: 'Only an elastic load balancer has interfaces; one in a private LAN has an address and two system addresses, all different.',
    source: SOURCE,
  },
  vipNetwork: {
    id: 'TC-NIFCLOUD-LB-VIP-NETWORK',
    title: 'The virtual address is on interface 1 or 2 of an elastic load balancer, one that is given; where interfaces are given, it is said on which.',
    source: SOURCE,
  },
} satisfies Record<string, Rule>;
