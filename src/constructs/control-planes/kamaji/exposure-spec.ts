import { INGRESS_PORT, KamajiExposure, KamajiGatewayOptions, KamajiIngressOptions, KamajiServiceOptions } from './exposure';
import { KAMAJI_RULES } from './rules';
import {
  KamajiControlPlaneSpecNetwork as NetworkSpec, KamajiControlPlaneSpecNetworkServiceType as ServiceType,
} from '../../../../imports/controlplane.cluster.x-k8s.io';
import { HIGHEST_API_PORT } from '../../../manifests/systems/kamaji/pod-ports';
import { checkDnsLabel, checkDnsSubdomain, checkPort, formatHostPort } from '../../../manifests/values/dns';
import { checkIp } from '../../../manifests/values/ip-address';
import { checkAnnotations, checkLabels, checkQualifiedName } from '../../../manifests/values/labels';
import { Problem, problemIf, problemsOf } from '../../../manifests/values/problem';

const API_LISTENER = 'kube-apiserver';

const NGINX_CLASS = 'nginx';
const NGINX_PASSTHROUGH = 'nginx.ingress.kubernetes.io/ssl-passthrough';

/** The part of `spec.network` that follows from the exposure. */
export function exposureSpec(exposure: KamajiExposure): NetworkSpec {
  const { loadBalancer, nodePort, clusterIp, ingress, gateway } = exposure._choice;
  const { advertiseAddress, serviceLabels, serviceAnnotations } = serviceOptions(exposure);
  return {
    serviceType: serviceType(exposure),
    serviceAddress: (loadBalancer ?? nodePort ?? clusterIp)?.address,
    advertiseAddress,
    serviceLabels,
    serviceAnnotations,
    // The provider takes ranges over only where the list is there: without it, ranges that were removed would stay in force.
    loadBalancerConfig: loadBalancer && {
      loadBalancerClass: loadBalancer.loadBalancerClass,
      loadBalancerSourceRanges: loadBalancer.sourceRanges ?? [],
    },
    ingress: ingress && {
      className: ingress.className,
      hostname: formatHostPort(ingress.hostname, ingress.port ?? INGRESS_PORT),
      extraLabels: ingress.labels,
      extraAnnotations: ingress.annotations,
    },
    gateway: gateway && {
      name: gateway.name,
      namespace: gateway.namespace,
      sectionName: gateway.sectionName ?? API_LISTENER,
      port: exposure.apiServerPort,
      hostname: formatHostPort(gateway.hostname, exposure.apiServerPort),
      extraLabels: gateway.labels,
      extraAnnotations: gateway.annotations,
    },
  };
}

/** The property that gives the port of the API server. */
export function apiPortProperty(exposure: KamajiExposure): string {
  return `controlPlane.exposure.${exposure._choice.ingress ? 'servicePort' : 'port'}`;
}

/** Checks how the API server is reached. */
export function checkExposure(exposure: KamajiExposure): Problem[] {
  const { loadBalancer, nodePort, clusterIp, ingress, gateway } = exposure._choice;
  const service = serviceOptions(exposure);
  return [
    ...checkApiPort(exposure),
    // A NodePort Service without an address is another rule's.
    ...checkAddress('address', nodePort ? nodePort.address || undefined : (loadBalancer ?? clusterIp)?.address),
    // To Kamaji, an empty address is none.
    ...(service.advertiseAddress === '' ? checkAddress('advertiseAddress', '') : []),
    ...checkMetadata('serviceLabels', service.serviceLabels, 'serviceAnnotations', service.serviceAnnotations),
    ...(loadBalancer?.loadBalancerClass === undefined ? [] : problemIf(
      KAMAJI_RULES.loadBalancerClass, 'controlPlane.exposure.loadBalancerClass', checkQualifiedName(loadBalancer.loadBalancerClass), 'write the class as its implementation calls it',
    )),
    ...(ingress ? checkIngress(ingress) : []),
    ...(gateway ? checkGateway(gateway) : []),
  ];
}

function serviceOptions(exposure: KamajiExposure): KamajiServiceOptions {
  const { loadBalancer, nodePort, clusterIp, ingress, gateway } = exposure._choice;
  return (loadBalancer ?? nodePort ?? clusterIp ?? ingress ?? gateway)!;
}

function serviceType(exposure: KamajiExposure): ServiceType {
  const { loadBalancer, nodePort, ingress, gateway } = exposure._choice;
  if (nodePort) {
    return ServiceType.NODE_PORT;
  }
  const chosen = (ingress ?? gateway)?.serviceType;
  return loadBalancer || chosen === ServiceType.LOAD_BALANCER.valueOf() ? ServiceType.LOAD_BALANCER : ServiceType.CLUSTER_IP;
}

/**
 * Checks the port of the API server, which the Cluster says and not the object of the control plane; a node port has a rule over manifests, and one
 * of an Ingress or a Gateway does not become the port of the endpoint.
 */
function checkApiPort(exposure: KamajiExposure): Problem[] {
  const port = exposure.apiServerPort;
  return exposure._choice.nodePort || (checkPort(port) === undefined && port <= HIGHEST_API_PORT) ? [] : [{
    rule: KAMAJI_RULES.apiPort,
    property: apiPortProperty(exposure),
    message: `the API server cannot have port ${port}`,
    accepted: `whole numbers from 1 to ${HIGHEST_API_PORT}`,
    fix: 'choose a lower port, such as 6443',
  }];
}

function checkAddress(name: string, address: string | undefined): Problem[] {
  const message = address === undefined ? undefined : checkIp(address);
  return problemIf(KAMAJI_RULES.address, `controlPlane.exposure.${name}`, message, 'give the IP address itself; a DNS name belongs into controlPlane.certSans');
}

function checkMetadata(
  labelsName: string, labels: { [key: string]: string } | undefined, annotationsName: string, annotations: { [key: string]: string } | undefined,
): Problem[] {
  return [
    ...problemsOf(KAMAJI_RULES.metadata, `controlPlane.exposure.${labelsName}`, checkLabels(labels ?? {})),
    ...problemsOf(KAMAJI_RULES.metadata, `controlPlane.exposure.${annotationsName}`, checkAnnotations(annotations ?? {})),
  ];
}

function checkIngress(options: KamajiIngressOptions): Problem[] {
  return [
    ...checkHostname(options.hostname),
    ...checkName('className', options.className, checkDnsSubdomain),
    ...(options.port === undefined ? [] : problemIf(KAMAJI_RULES.route, 'controlPlane.exposure.port', checkPort(options.port), 'give the port at which the Ingress controller takes TLS')),
    ...checkMetadata('labels', options.labels, 'annotations', options.annotations),
    ...checkPassthrough(options),
  ];
}

/** What a class of that name is served by is not known for sure, and other controllers have other annotations. */
function checkPassthrough({ className, annotations = {} }: KamajiIngressOptions): Problem[] {
  return className !== NGINX_CLASS || annotations[NGINX_PASSTHROUGH] === 'true' ? [] : [{
    rule: KAMAJI_RULES.passthrough,
    property: 'controlPlane.exposure.annotations',
    message: `ingress-nginx, whose usual class "${NGINX_CLASS}" is, ends TLS itself unless it is told to pass it through, so that clients could not log in`,
    fix: `set ${NGINX_PASSTHROUGH}: 'true', and start the controller with --enable-ssl-passthrough`,
  }];
}

function checkGateway(options: KamajiGatewayOptions): Problem[] {
  return [
    ...checkHostname(options.hostname),
    ...requireName('name', options.name, checkDnsSubdomain),
    ...requireName('namespace', options.namespace, checkDnsLabel),
    ...checkName('sectionName', options.sectionName, checkDnsSubdomain),
    ...checkMetadata('labels', options.labels, 'annotations', options.annotations),
  ];
}

function checkHostname(hostname: string): Problem[] {
  const message = checkIp(hostname) === undefined ? `"${hostname}" is an IP address, and routes are told apart by name` : checkDnsSubdomain(hostname);
  return problemIf(KAMAJI_RULES.hostname, 'controlPlane.exposure.hostname', message, 'give the full DNS name alone, in lower case; the port has a property of its own');
}

function checkName(name: string, value: string | undefined, check: (text: string) => string | undefined): Problem[] {
  return value === undefined ? [] : requireName(name, value, check);
}

function requireName(name: string, value: string, check: (text: string) => string | undefined): Problem[] {
  return problemIf(KAMAJI_RULES.route, `controlPlane.exposure.${name}`, check(value), 'write the name of the object in the management cluster');
}
