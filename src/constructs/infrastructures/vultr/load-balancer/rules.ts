import { Rule } from '../../../../manifests/values/problem';

const SOURCE = 'vultr/vultr-cloud-controller-manager vultr/loadbalancers.go';

/** What Vultr's cloud controller manager demands of a Service that it publishes. */
export const VULTR_LOAD_BALANCER_RULES = {
  service: {
    id: 'TC-VULTR-LB-SERVICE',
    title: 'A load balancer requires a Service of type LoadBalancer with node ports.',
    source: SOURCE,
  },
  protocol: {
    id: 'TC-VULTR-LB-PROTOCOL',
    title: 'HTTP and HTTPS must go to HTTP or HTTPS, TCP to TCP, and UDP, which requires its own Service, to UDP: the cloud controller manager silently changes other combinations.',
    source: SOURCE,
  },
  tls: {
    id: 'TC-VULTR-LB-TLS',
    title: 'HTTPS ports must be ports of the Service, and must have one certificate unless TLS is passed through; other ports must have none.',
    source: SOURCE,
  },
  healthCheck: {
    id: 'TC-VULTR-LB-HEALTH-CHECK',
    title: 'A health check must use the first port, with TCP or HTTP, and a path only with HTTP.',
    source: SOURCE,
  },
  timeout: {
    id: 'TC-VULTR-LB-TIMEOUT',
    title: 'The idle timeout of connections must be a whole number of seconds from 1.',
    source: SOURCE,
  },
  cookie: {
    id: 'TC-VULTR-LB-COOKIE',
    title: 'The cookie name of sticky sessions must have letters, digits, hyphens and underscores, and its ports must be HTTP or HTTPS.',
    source: SOURCE,
  },
  vpc: {
    id: 'TC-VULTR-LB-VPC',
    title: 'If machines are in a VPC, the load balancers of Services should be in it, too.',
    source: `${SOURCE} (getVPC)`,
    warning: true,
  },
  firewall: {
    id: 'TC-VULTR-LB-FIREWALL',
    title: 'Firewall rules must have a CIDR block and a port of the Service, must be unique, and must be set in one place.',
    source: SOURCE,
  },
  nodeCount: {
    id: 'TC-VULTR-LB-NODE-COUNT',
    title: 'The number of nodes of a load balancer must be odd.',
    source: SOURCE,
  },
  name: {
    id: 'TC-VULTR-LB-NAME',
    title: 'Host names and names of Secrets and ConfigMaps must be valid, and labels must not be empty.',
    source: SOURCE,
  },
} satisfies Record<string, Rule>;
