import { Rule } from '../../../validation/problem';

const SOURCE = 'vultr/vultr-cloud-controller-manager vultr/loadbalancers.go';

/** What Vultr's cloud controller manager demands of a Service that it publishes. */
export const VULTR_LOAD_BALANCER_RULES = {
  service: {
    id: 'TC-VULTR-LB-SERVICE',
    title: 'A load balancer belongs to a Service of type LoadBalancer that has node ports.',
    source: SOURCE,
  },
  protocol: {
    id: 'TC-VULTR-LB-PROTOCOL',
    title: 'HTTP and HTTPS go to HTTP or HTTPS, TCP to TCP and UDP to UDP, which has a Service of its own; anything else the cloud controller manager changes without a word.',
    source: SOURCE,
  },
  tls: {
    id: 'TC-VULTR-LB-TLS',
    title: 'HTTPS ports are ports of the Service, and have one certificate unless they are passed through; no others have one.',
    source: SOURCE,
  },
  healthCheck: {
    id: 'TC-VULTR-LB-HEALTH-CHECK',
    title: 'Health is checked on the first port by TCP or HTTP, a path by HTTP only.',
    source: SOURCE,
  },
  timeout: {
    id: 'TC-VULTR-LB-TIMEOUT',
    title: 'The time after which an idle connection ends is a whole number of seconds from 1.',
    source: SOURCE,
  },
  cookie: {
    id: 'TC-VULTR-LB-COOKIE',
    title: 'Sticky sessions have a cookie with a name of letters, digits, hyphens and underscores, on ports that take HTTP or HTTPS.',
    source: SOURCE,
  },
  vpc: {
    id: 'TC-VULTR-LB-VPC',
    title: 'Where machines are in a VPC, the load balancers of Services should be, too.',
    source: `${SOURCE} (getVPC)`,
    warning: true,
  },
  firewall: {
    id: 'TC-VULTR-LB-FIREWALL',
    title: 'Firewall rules name a CIDR block and a port of the Service, each pair once, and stand in one place.',
    source: SOURCE,
  },
  nodeCount: {
    id: 'TC-VULTR-LB-NODE-COUNT',
    title: 'A load balancer runs on an odd number of nodes.',
    source: SOURCE,
  },
  name: {
    id: 'TC-VULTR-LB-NAME',
    title: 'Host names, Secrets and ConfigMaps have names that Kubernetes accepts, and labels are not empty.',
    source: SOURCE,
  },
} satisfies Record<string, Rule>;
