import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { VultrLoadBalancerOptions, VultrProtocol, VultrServiceHealthCheck } from './vultr-load-balancer-options';
import { isNodeCount, PREFIX } from '../../../../manifests/systems/vultr/service-annotations';
import { checkDnsSubdomain } from '../../../../manifests/values/dns';
import { Problem, Rule } from '../../../../manifests/values/problem';
import { checkWritten } from '../../../app/synth/synthesis';
import { tenantCharts } from '../../../app/tenant-trees';
import { checkHealthCheck, checkSeconds } from '../load-balancing';

const HTTP: readonly VultrProtocol[] = [VultrProtocol.HTTP, VultrProtocol.HTTPS];
const COOKIE = /^[A-Za-z0-9_-]+$/;

interface ServicePort {
  readonly port: number;
  readonly protocol?: string;
}

/** A port, and the protocol of clients on it. */
interface Front {
  readonly port: number;
  readonly front: VultrProtocol;
}

/** The checked fields of a written Service. */
interface Service {
  readonly spec?: {
    readonly type?: string;
    readonly allocateLoadBalancerNodePorts?: boolean;
    readonly ports?: readonly ServicePort[];
  };
}

const SOURCE = 'vultr/vultr-cloud-controller-manager vultr/loadbalancers.go';

const TIMEOUT_RULE: Rule = {
  id: 'TC-VULTR-LB-TIMEOUT',
  title: 'The idle timeout of connections must be a whole number of seconds from 1.',
  source: SOURCE,
};

/** Checks a load balancer and the Service that it belongs to. */
export function checkLoadBalancer(options: VultrLoadBalancerOptions, service: Service): Problem[] {
  const numbers = (service.spec?.ports ?? []).map(({ port }) => port);
  return [
    ...checkService(service),
    ...checkPorts(options, service.spec?.ports ?? []),
    ...checkHealth('healthCheck', options.healthCheck ?? {}),
    ...checkSeconds(TIMEOUT_RULE, 'timeout', options.timeout),
    ...checkFirewall(options, numbers),
    ...checkNodeCount(options.nodeCount),
    ...checkNames(options),
  ];
}

export const SERVICE_RULE: Rule = {
  id: 'TC-VULTR-LB-SERVICE',
  title: 'A load balancer requires a Service of type LoadBalancer with node ports.',
  source: SOURCE,
};

function checkService({ spec = {} }: Service): Problem[] {
  return [
    ...(spec.type === 'LoadBalancer' ? [] : [{
      rule: SERVICE_RULE, property: 'service', message: `its type is ${spec.type ?? 'ClusterIP'}`, fix: 'make it a Service of type LoadBalancer',
    }]),
    ...(spec.allocateLoadBalancerNodePorts === false ? [{
      rule: SERVICE_RULE, property: 'service', message: 'it has no node ports (allocateLoadBalancerNodePorts: false), which Vultr\'s load balancers send to', fix: 'leave that field out',
    }] : []),
  ];
}

/** Checks ports against the protocols of clients and pods. */
function checkPorts(options: VultrLoadBalancerOptions, ports: readonly ServicePort[]): Problem[] {
  const { httpsPorts = [], tlsPassthrough = false } = options;
  const fronts = ports.map(({ port }) => ({ port, front: frontProtocol(options, port) }));
  // Ports that are named and not there are reported for themselves.
  const https = fronts.some(({ front }) => front === VultrProtocol.HTTPS) || (httpsPorts.length > 0 && !tlsPassthrough);
  return [
    ...checkUdp(options, ports),
    ...checkBackend(options, fronts),
    ...checkHttpsPorts(options, ports.map(({ port }) => port)),
    ...checkCertificates(options, https),
    ...checkHttp(options, https || fronts.some(({ front }) => front === VultrProtocol.HTTP)),
  ];
}

/** The protocol of clients on a port, as the cloud controller manager derives it. */
function frontProtocol(options: VultrLoadBalancerOptions, port: number): VultrProtocol {
  const { protocol = VultrProtocol.TCP, httpsPorts = [], tlsPassthrough = false } = options;
  if (!httpsPorts.includes(port)) return protocol;
  return tlsPassthrough ? VultrProtocol.TCP : VultrProtocol.HTTPS;
}

const PROTOCOL_RULE: Rule = {
  id: 'TC-VULTR-LB-PROTOCOL',
  title: 'HTTP and HTTPS must go to HTTP or HTTPS, TCP to TCP, and UDP, which requires its own Service, to UDP: the cloud controller manager silently changes other combinations.',
  source: SOURCE,
};

function checkUdp({ protocol = VultrProtocol.TCP, httpsPorts = [] }: VultrLoadBalancerOptions, ports: readonly ServicePort[]): Problem[] {
  const rule = PROTOCOL_RULE;
  const udp = ports.filter((port) => port.protocol === 'UDP');
  const asked = protocol === VultrProtocol.UDP;
  if (udp.length > 0 && udp.length < ports.length) {
    return [{
      rule, property: 'service', message: `port ${udp[0].port} is UDP and others are not, and a load balancer speaks UDP on all ports or on none`, fix: 'give the UDP ports a Service of their own',
    }];
  }
  if (asked !== udp.length > 0) {
    return [{
      rule,
      property: 'protocol',
      message: asked ? 'the Service has no UDP port' : `the ports of the Service are UDP, and clients speak ${protocol}`,
      fix: asked ? 'leave protocol out, or make the ports UDP' : 'set protocol to VultrProtocol.UDP',
    }];
  }
  return asked && httpsPorts.length > 0 ? [{ rule, property: 'httpsPorts', message: 'clients speak udp, which carries no HTTPS here', fix: 'leave out httpsPorts' }] : [];
}

function checkBackend({ backendProtocol }: VultrLoadBalancerOptions, fronts: readonly Front[]): Problem[] {
  if (backendProtocol === undefined || fronts.length === 0) return [];
  const isHttp = HTTP.includes(backendProtocol);
  // TCP ports forward unread, so that any backend protocol does, as long as it applies to some other port.
  const wrong = fronts.find(({ front }) => (HTTP.includes(front) ? !isHttp : front === VultrProtocol.UDP && backendProtocol !== front))
    ?? (fronts.some(({ front }) => HTTP.includes(front) || front === backendProtocol) ? undefined : fronts[0]);
  return wrong === undefined ? [] : [{
    rule: PROTOCOL_RULE,
    property: 'backendProtocol',
    message: `clients speak ${wrong.front} on port ${wrong.port}, and pods ${backendProtocol}`,
    accepted: HTTP.includes(wrong.front) ? HTTP.join(', ') : wrong.front,
    fix: 'correct backendProtocol, protocol or httpsPorts',
  }];
}

const TLS_RULE: Rule = {
  id: 'TC-VULTR-LB-TLS',
  title: 'HTTPS ports must be ports of the Service, and must have one certificate unless TLS is passed through; other ports must have none.',
  source: SOURCE,
};

function checkHttpsPorts({ httpsPorts = [], tlsPassthrough = false }: VultrLoadBalancerOptions, ports: readonly number[]): Problem[] {
  return [
    ...httpsPorts.flatMap((port, index) => (ports.includes(port) ? [] : [{
      rule: TLS_RULE, property: `httpsPorts[${index}]`, message: `the Service has no port ${port}`, accepted: ports.join(', '), fix: 'name a port of the Service',
    }])),
    ...(tlsPassthrough && httpsPorts.length === 0 ? [{
      rule: TLS_RULE, property: 'tlsPassthrough', message: 'no port is named that would be passed through', fix: 'name the ports in httpsPorts',
    }] : []),
  ];
}

/** Checks certificates, given whether the load balancer ends TLS on any port. */
function checkCertificates(options: VultrLoadBalancerOptions, https: boolean): Problem[] {
  const { httpsPorts = [], tlsPassthrough = false, httpsRedirect = false } = options;
  const rule = TLS_RULE;
  const certificates = (['certificateSecret', 'managedCertificateSecret'] as const).filter((name) => options[name] !== undefined);
  return [
    ...(certificates.length > 1 ? [{
      rule, property: 'managedCertificateSecret', message: 'there is a certificate of your own, too', fix: 'keep one of certificateSecret and managedCertificateSecret',
    }] : []),
    ...(https ? [] : certificates.map((property) => ({
      rule,
      property,
      message: `${tlsPassthrough ? 'connections are passed through' : 'no port takes HTTPS'}, and the certificate would never be used`,
      fix: tlsPassthrough ? 'leave out the certificate or tlsPassthrough' : 'name the ports in httpsPorts, or leave out the certificate',
    }))),
    ...(https && certificates.length === 0 ? [{
      rule, property: 'certificateSecret', message: 'clients speak HTTPS, and there is no certificate', fix: 'give certificateSecret or managedCertificateSecret, or pass all HTTPS ports through',
    }] : []),
    ...(httpsRedirect && !https && httpsPorts.length === 0 ? [{ rule, property: 'httpsRedirect', message: 'no port takes HTTPS', fix: 'name the ports in httpsPorts' }] : []),
  ];
}

const COOKIE_RULE: Rule = {
  id: 'TC-VULTR-LB-COOKIE',
  title: 'The cookie name of sticky sessions must have letters, digits, hyphens and underscores, and its ports must be HTTP or HTTPS.',
  source: SOURCE,
};

/** Checks options that require HTTP. */
function checkHttp(options: VultrLoadBalancerOptions, http: boolean): Problem[] {
  const { stickySessionCookie: cookie } = options;
  const message = 'no port takes HTTP or HTTPS';
  const fix = 'set protocol to VultrProtocol.HTTP, or name httpsPorts; or leave it out';
  return [
    ...(['http2', 'http3'] as const).filter((name) => options[name] && !http).map((property) => ({ rule: PROTOCOL_RULE, property, message, fix })),
    ...(cookie === undefined || http ? [] : [{ rule: COOKIE_RULE, property: 'stickySessionCookie', message: `${message}, and nothing else has cookies`, fix }]),
    ...(cookie === undefined || COOKIE.test(cookie) ? [] : [{
      rule: COOKIE_RULE, property: 'stickySessionCookie', message: `"${cookie}" is not the name of a cookie`, fix: 'use letters, digits, hyphens and underscores',
    }]),
  ];
}

const SERVICE_HEALTH_CHECK_RULE: Rule = {
  id: 'TC-VULTR-LB-HEALTH-CHECK',
  title: 'A health check must use the first port, with TCP or HTTP, and a path only with HTTP.',
  source: SOURCE,
};

function checkHealth(property: string, check: VultrServiceHealthCheck): Problem[] {
  const { protocol, path } = check;
  const rule = SERVICE_HEALTH_CHECK_RULE;
  return [
    ...(protocol === undefined || [VultrProtocol.TCP, VultrProtocol.HTTP].includes(protocol) ? [] : [{
      rule, property: `${property}.protocol`, message: `health checks do not speak "${protocol}"`, accepted: 'tcp, http', fix: 'write VultrProtocol.HTTP or VultrProtocol.TCP',
    }]),
    ...(path !== undefined && protocol === VultrProtocol.TCP ? [{
      rule, property: `${property}.path`, message: 'a TCP connection has no path', fix: 'leave out path, or set protocol to VultrProtocol.HTTP',
    }] : []),
    ...(path !== undefined && !path.startsWith('/') ? [{
      rule, property: `${property}.path`, message: `"${path}" does not begin with "/"`, fix: 'write the path from the root',
    }] : []),
    ...checkHealthCheck(property, check),
  ];
}

const FIREWALL_RULE: Rule = {
  id: 'TC-VULTR-LB-FIREWALL',
  title: 'Firewall rules must have a CIDR block and a port of the Service, must be unique, and must be set in one place.',
  source: SOURCE,
};

function checkFirewall({ firewallRules = [], firewallRulesConfigMap }: VultrLoadBalancerOptions, ports: readonly number[]): Problem[] {
  const rule = FIREWALL_RULE;
  const texts = firewallRules.map(({ _text }) => _text);
  return [
    ...firewallRules.flatMap((entry, index) => {
      const property = `firewallRules[${index}]`;
      const source = entry._checkSource();
      return [
        ...(source === undefined ? [] : [{ rule, property, message: source, fix: 'write a range such as "203.0.113.0/24"' }]),
        ...(ports.includes(entry.port) ? [] : [{ rule, property, message: `the Service has no port ${entry.port}`, accepted: ports.join(', '), fix: 'name a port of the Service' }]),
        ...(texts.indexOf(entry._text) < index ? [{ rule, property, message: `"${entry._text}" is there twice`, fix: 'keep it once' }] : []),
      ];
    }),
    ...(firewallRules.length > 0 && firewallRulesConfigMap !== undefined ? [{
      rule, property: 'firewallRulesConfigMap', message: 'the rules of the ConfigMap would be taken, and firewallRules ignored', fix: 'keep one of both',
    }] : []),
  ];
}

const NODE_COUNT_RULE: Rule = {
  id: 'TC-VULTR-LB-NODE-COUNT',
  title: 'The number of nodes of a load balancer must be odd.',
  source: SOURCE,
};

function checkNodeCount(count: number | undefined): Problem[] {
  return count === undefined || isNodeCount(count) ? [] : [{
    rule: NODE_COUNT_RULE, property: 'nodeCount', message: `${count} is not an odd number from 1`, fix: 'write 1, 3, 5, …',
  }];
}

const NAME_RULE: Rule = {
  id: 'TC-VULTR-LB-NAME',
  title: 'Host names and names of Secrets and ConfigMaps must be valid, and labels must not be empty.',
  source: SOURCE,
};

function checkNames(options: VultrLoadBalancerOptions): Problem[] {
  const named = ['certificateSecret', 'managedCertificateSecret', 'firewallRulesConfigMap', 'hostname'] as const;
  return [
    ...named.flatMap((property) => {
      const name = options[property];
      const message = name === undefined ? undefined : checkDnsSubdomain(name);
      return message === undefined ? [] : [{ rule: NAME_RULE, property, message, fix: 'correct the name' }];
    }),
    ...(options.label === undefined || options.label.trim() !== '' ? [] : [{ rule: NAME_RULE, property: 'label', message: 'it is empty', fix: 'write a name, or leave it out' }]),
  ];
}

const ATTACHMENTS = ['vpc', 'private-network'].map((name) => `${PREFIX}${name}`);

const VPC_RULE: Rule = {
  id: 'TC-VULTR-LB-VPC',
  title: 'If machines are in a VPC, the load balancers of Services should be in it, too.',
  source: 'vultr/vultr-cloud-controller-manager vultr/loadbalancers.go (getVPC)',
  warning: true,
};

/**
 * Checks that the load balancers of Services are in the VPC of the machines.
 *
 * @param cluster the cluster that the user made, whose tenant the Services go to; those in charts of Helm are not seen
 */
export function checkServicesInVpc(cluster: IConstruct): Problem[] {
  const constructs = tenantCharts(cluster).flatMap(({ node }) => node.findAll());
  const services = constructs.filter((construct): construct is ApiObject => ApiObject.isApiObject(construct) && construct.kind === 'Service');
  return services.flatMap((service) => checkWritten(service, ({ metadata = {}, spec = {} }) => {
    const decided = ATTACHMENTS.some((annotation) => metadata.annotations?.[annotation] !== undefined);
    if (spec.type !== 'LoadBalancer' || spec.loadBalancerClass !== undefined || decided) return [];
    return [{
      rule: VPC_RULE,
      property: 'workloads',
      message: `the load balancer of the Service "${metadata.namespace}/${metadata.name}" is not attached to the VPC of the machines: it sends traffic and `
        + 'health checks to their public addresses, where the firewall group must allow all addresses',
      fix: 'call VultrLoadBalancer.publish(service, { vpc: true }), or with vpc: false if this is meant',
    }];
  }));
}
