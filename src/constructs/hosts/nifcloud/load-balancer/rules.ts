import { Rule } from '../../../../manifests/values/problem';

const SOURCE = 'nifcloud/nifcloud-cloud-controller-manager pkg/cloudprovider/providers/nifcloud/nifcloud_load_balancer.go';

/** Rules of Services that Nifcloud's cloud controller manager publishes. */
export const NIFCLOUD_LOAD_BALANCER_RULES = {
  service: {
    id: 'TC-NIFCLOUD-LB-SERVICE',
    title: 'A load balancer needs a Service of type LoadBalancer with node ports and without loadBalancerIP.',
    source: SOURCE,
  },
  ports: {
    id: 'TC-NIFCLOUD-LB-PORTS',
    title: 'A load balancer must have 1 to 3 ports, all of them TCP.',
    source: SOURCE,
  },
  sourceRange: {
    id: 'TC-NIFCLOUD-LB-SOURCE-RANGE',
    title: 'The filter of an L4 load balancer accepts single IPv4 addresses (/32) or 0.0.0.0/0; an elastic load balancer has no filter.',
    source: 'aokumasan/nifcloud-cloud-controller-manager (v1.0.0), which refuses other ranges; later releases hand them to the API',
  },
  networkVolume: {
    id: 'TC-NIFCLOUD-LB-NETWORK-VOLUME',
    title: 'The network volume must be available: 10 to 40 Mbps in steps of 10, then steps of 100, up to 2000, or 500 for an elastic load balancer.',
    source: SOURCE,
  },
  policyType: {
    id: 'TC-NIFCLOUD-LB-POLICY-TYPE',
    title: 'Only an L4 load balancer may have a policy.',
    source: SOURCE,
  },
  healthCheck: {
    id: 'TC-NIFCLOUD-LB-HEALTH-CHECK',
    title: 'The interval of the health check must be 5 to 300 whole seconds, and its threshold 1 to 10 failures.',
    source: SOURCE,
  },
  networkInterface: {
    id: 'TC-NIFCLOUD-LB-NETWORK-INTERFACE',
    title: 'Only an elastic load balancer may have interfaces; an interface in a private LAN needs an address and two system addresses, all different.',
    source: SOURCE,
  },
  vipNetwork: {
    id: 'TC-NIFCLOUD-LB-VIP-NETWORK',
    title: 'The virtual address must be on interface 1 or 2 of an elastic load balancer; if interfaces are set, vipNetwork must name one of them.',
    source: SOURCE,
  },
} satisfies Record<string, Rule>;
