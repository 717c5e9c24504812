import { hasArgument, KamajiComponent } from './components';
import { METADATA_RULE } from './deployment';
import { KamajiExposure, KamajiGatewayOptions, KamajiIngressOptions } from './exposure';
import { apiPortProperty, serviceOptions } from './exposure-network';
import { HIGHEST_API_PORT } from '../../../manifests/systems/kamaji/control-plane-pods';
import { Cidr } from '../../../manifests/values/cidr';
import { checkDnsLabel, checkDnsSubdomain, checkPort } from '../../../manifests/values/dns';
import { checkIp, parseIp } from '../../../manifests/values/ip-address';
import { checkAnnotations, checkLabels, checkQualifiedName } from '../../../manifests/values/labels';
import { Problem, problemIf, problemsOf, Rule } from '../../../manifests/values/problem';
import { ClusterNetwork } from '../../contracts/cluster-context';

const LOAD_BALANCER_CLASS_RULE: Rule = {
  id: 'TC-KAMAJI-LOAD-BALANCER-CLASS',
  title: 'The class of a load balancer must be a qualified name.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (loadBalancerClass)',
};

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
      LOAD_BALANCER_CLASS_RULE, 'controlPlane.exposure.loadBalancerClass', checkQualifiedName(loadBalancer.loadBalancerClass), 'write the class as its implementation calls it',
    )),
    ...(ingress ? checkIngress(ingress) : []),
    ...(gateway ? checkGateway(gateway) : []),
  ];
}

const API_PORT_RULE: Rule = {
  id: 'TC-KAMAJI-API-PORT',
  title: 'The port of the API server must be at most 32767: the provider reads it as a signed 16-bit number.',
  source: 'clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_cluster_patch.go',
};

/**
 * Checks the port of the API server, which the Cluster says and not the object of the control plane; a node port has a rule over manifests, and one
 * of an Ingress or a Gateway does not become the port of the endpoint.
 */
function checkApiPort(exposure: KamajiExposure): Problem[] {
  const port = exposure.apiServerPort;
  return exposure._choice.nodePort || (checkPort(port) === undefined && port <= HIGHEST_API_PORT) ? [] : [{
    rule: API_PORT_RULE,
    property: apiPortProperty(exposure),
    message: `the API server cannot have port ${port}`,
    accepted: `whole numbers from 1 to ${HIGHEST_API_PORT}`,
    fix: 'choose a lower port, such as 6443',
  }];
}

const ADDRESS_RULE: Rule = {
  id: 'TC-KAMAJI-ADDRESS',
  title: 'Addresses of the control plane must be IP addresses of the family of its Services; a NodePort Service requires an address.',
  source: 'clastix/kamaji api/v1alpha1/tenantcontrolplane_funcs.go',
};

function checkAddress(name: string, address: string | undefined): Problem[] {
  const message = address === undefined ? undefined : checkIp(address);
  return problemIf(ADDRESS_RULE, `controlPlane.exposure.${name}`, message, 'give the IP address itself; a DNS name belongs into controlPlane.certSans');
}

function checkMetadata(
  labelsName: string, labels: { [key: string]: string } | undefined, annotationsName: string, annotations: { [key: string]: string } | undefined,
): Problem[] {
  return [
    ...problemsOf(METADATA_RULE, `controlPlane.exposure.${labelsName}`, checkLabels(labels ?? {})),
    ...problemsOf(METADATA_RULE, `controlPlane.exposure.${annotationsName}`, checkAnnotations(annotations ?? {})),
  ];
}

const NGINX_CLASS = 'nginx';
const NGINX_PASSTHROUGH = 'nginx.ingress.kubernetes.io/ssl-passthrough';

const ROUTE_RULE: Rule = {
  id: 'TC-KAMAJI-ROUTE',
  title: 'Names of Ingress classes, Gateways and listeners, and listener ports, must be valid in Kubernetes.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
};

function checkIngress(options: KamajiIngressOptions): Problem[] {
  return [
    ...checkHostname(options.hostname),
    ...checkName('className', options.className, checkDnsSubdomain),
    ...(options.port === undefined ? [] : problemIf(ROUTE_RULE, 'controlPlane.exposure.port', checkPort(options.port), 'give the port at which the Ingress controller takes TLS')),
    ...checkMetadata('labels', options.labels, 'annotations', options.annotations),
    ...checkPassthrough(options),
  ];
}

const PASSTHROUGH_RULE: Rule = {
  id: 'TC-KAMAJI-PASSTHROUGH',
  title: 'An Ingress of the class "nginx" must pass TLS through to the API server, which checks client certificates.',
  source: 'kubernetes/ingress-nginx docs/user-guide/tls.md (SSL Passthrough)',
  warning: true,
};

/** Warns only: another controller may serve the class, with other annotations. */
function checkPassthrough({ className, annotations = {} }: KamajiIngressOptions): Problem[] {
  return className !== NGINX_CLASS || annotations[NGINX_PASSTHROUGH] === 'true' ? [] : [{
    rule: PASSTHROUGH_RULE,
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

const HOSTNAME_RULE: Rule = {
  id: 'TC-KAMAJI-HOSTNAME',
  title: 'The host name of an Ingress or a Gateway must be a DNS name without port and wildcard.',
  source: 'clastix/kamaji charts/kamaji/crds/kamaji.clastix.io_tenantcontrolplanes.yaml',
};

function checkHostname(hostname: string): Problem[] {
  const message = checkIp(hostname) === undefined ? `"${hostname}" is an IP address, and routes are told apart by name` : checkDnsSubdomain(hostname);
  return problemIf(HOSTNAME_RULE, 'controlPlane.exposure.hostname', message, 'give the full DNS name alone, in lower case; the port has a property of its own');
}

function checkName(name: string, value: string | undefined, check: (text: string) => string | undefined): Problem[] {
  return value === undefined ? [] : requireName(name, value, check);
}

function requireName(name: string, value: string, check: (text: string) => string | undefined): Problem[] {
  return problemIf(ROUTE_RULE, `controlPlane.exposure.${name}`, check(value), 'write the name of the object in the management cluster');
}

/**
 * Checks that the address that the API server advertises is of the family of the Service range: the API server writes it behind the
 * Service `kubernetes`, and exits where the two differ.
 *
 * Sources: kubernetes/kubernetes cmd/kube-apiserver/app/options/validation.go (`validatePublicIPServiceClusterIPRangeIPFamilies`),
 * clastix/kamaji internal/builders/controlplane/deployment.go (`--advertise-address`).
 */
export function checkAddressFamily(exposure: KamajiExposure, network: ClusterNetwork, apiServer: KamajiComponent): Problem[] {
  const { loadBalancer, nodePort, clusterIp, ingress, gateway } = exposure._choice;
  const advertised = (loadBalancer ?? nodePort ?? clusterIp ?? ingress ?? gateway)?.advertiseAddress;
  const address = advertised ?? (loadBalancer ?? nodePort ?? clusterIp)?.address ?? '';
  const [own, services] = [parseIp(address)?.family, Cidr.parse(network.serviceCidrs[0] ?? '')?.family];
  if (own === undefined || services === undefined || own === services || hasArgument(apiServer, 'endpoint-reconciler-type')) return [];
  return [{
    rule: ADDRESS_RULE,
    property: `controlPlane.exposure.${advertised === undefined ? 'address' : 'advertiseAddress'}`,
    message: `"${address}" is an ${own} address, the range of Services is ${services}, and the API server exits where the two differ`,
    accepted: `${services} addresses`,
    fix: `give an ${services} address in ${advertised === undefined ? 'advertiseAddress' : 'its place'}, or choose serviceCidrs of ${own}`,
  }];
}
