import { checkPortName } from './containers';
import { objectText, pair } from './examples';
import { apiValidation, boundsFault, fault, faultIf, fieldFaultIf, labelFault, repetitions, subdomainFault } from './findings';
import { selectorFaults } from './scheduling';
import { ManifestRule } from '../rules/manifest-rule';
import { checkCidr, checkException } from '../values/cidr';
import { checkDnsSubdomain, checkWildcardDnsSubdomain } from '../values/dns';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { allOf, Finding } from '../values/finding';
import { parseIp } from '../values/ip-address';
import { checkLabelKey, checkLabelValue, checkQualifiedName } from '../values/labels';

const SOURCE = apiValidation('core');
const SERVICE = '/Service';
const HIGHEST_PORT = 65535;
const NONE = 'None';
const FROM_OUTSIDE: readonly (string | undefined)[] = ['NodePort', 'LoadBalancer'];

const servicePorts: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SERVICE-PORT',
  title: 'A Service with a cluster IP must have ports from 1 to 65535, unique per protocol; several ports must have unique names.',
  source: `${SOURCE} (validateService, validateServicePort)`,
  kinds: [SERVICE],
  example: pair((names) => objectText('v1', 'Service', `spec:\n  selector: {app: web}\n  ports:\n${names}`),
    '    - port: 80\n    - port: 443\n', '    - name: http\n      port: 80\n    - name: https\n      port: 443\n'),
  check: (object) => {
    const type = stringAt(object, 'spec', 'type');
    const entries = objectsAt(object, 'spec', 'ports');
    if (entries.length === 0) {
      return !isFields(object.spec) || type === 'ExternalName' || isHeadless(object.spec) || listAt(object, 'spec', 'ports').length > 0 ? []
        : [fault(['spec', 'ports'], 'the Service has no ports', 'write them, or clusterIP: None for a Service without an address')];
    }
    const at = (index: number, field: string) => ['spec', 'ports', index, field];
    return [
      ...entries.flatMap(([port, index]) => [
        ...(entries.length > 1 && stringAt(port, 'name') === undefined ? [fault(at(index, 'name'), 'one of several ports has no name', 'name it')] : []),
        ...labelFault(at(index, 'name'), port.name),
        ...boundsFault(at(index, 'port'), port.port, 1, HIGHEST_PORT),
        ...(typeof port.targetPort === 'number' && port.targetPort !== 0 ? boundsFault(at(index, 'targetPort'), port.targetPort, 1, HIGHEST_PORT) : []),
        ...(typeof port.targetPort === 'string' && port.targetPort !== ''
          ? faultIf(at(index, 'targetPort'), checkPortName(port.targetPort), 'name a port of the pods, or write its number without quotes') : []),
        ...(typeof port.appProtocol === 'string' ? faultIf(at(index, 'appProtocol'), checkQualifiedName(port.appProtocol), 'write a name such as kubernetes.io/h2c') : []),
        ...(Number.isInteger(port.nodePort) && port.nodePort !== 0 && (type === undefined || type === 'ClusterIP')
          ? [fault(at(index, 'nodePort'), 'a Service of the type ClusterIP has no port of nodes', 'remove it, or write type: NodePort')] : []),
      ]),
      ...repetitions(entries, ([port]) => stringAt(port, 'name'), ([, index]) => at(index, 'name'), 'the port'),
      ...['port', 'nodePort'].flatMap((field) => repetitions(
        entries.filter(([port]) => Number.isInteger(port[field]) && port[field] !== 0),
        ([port]) => `${String(port[field])} ${stringAt(port, 'protocol') ?? 'TCP'}`, ([, index]) => at(index, field), field,
      )),
    ];
  },
};

const types: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SERVICE-TYPE',
  title: 'A Service must have only the fields of its type, such as externalTrafficPolicy, load balancer fields or externalName.',
  source: `${SOURCE} (validateService, validateServiceExternalTrafficPolicy, validateLoadBalancerClassField)`,
  kinds: [SERVICE],
  example: pair((fields) => objectText('v1', 'Service', `spec:\n${fields}  selector: {app: web}\n  ports:\n    - port: 80\n`),
    '  externalTrafficPolicy: Local\n', '  type: NodePort\n  externalTrafficPolicy: Local\n'),
  check: (object) => (isFields(object.spec) ? typeFaults(object.spec) : []),
};

const LOAD_BALANCER_FIELDS = ['allocateLoadBalancerNodePorts', 'loadBalancerClass', 'loadBalancerSourceRanges'];

function typeFaults(spec: Fields): Finding[] {
  const type = stringAt(spec, 'type') ?? 'ClusterIP';
  const isOutside = FROM_OUTSIDE.includes(type) || listAt(spec, 'externalIPs').length > 0 && type === 'ClusterIP';
  const name = stringAt(spec, 'externalName')?.replace(/\.$/, '');
  return [
    ...(FROM_OUTSIDE.includes(type) && isHeadless(spec) ? [fault(['spec', 'clusterIP'], `a Service of the type ${type} has an address`, 'remove it')] : []),
    ...(type === 'ExternalName' ? [
      ...(name === undefined || name === '' ? [fault(['spec', 'externalName'], 'there is no name outside', 'name the host')]
        : faultIf(['spec', 'externalName'], checkDnsSubdomain(name), 'write the name of a host')),
      ...['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].filter((field) => isSet(spec, field) && spec[field] !== '' && !isEmptyList(spec[field]))
        .map((field) => fault(['spec', field], 'a Service of the type ExternalName has no address', 'remove it')),
    ] : []),
    ...(isSet(spec, 'externalTrafficPolicy') && spec.externalTrafficPolicy !== '' && !isOutside
      ? [fault(['spec', 'externalTrafficPolicy'], `nothing comes from outside to a Service of the type ${type}`, 'remove it, or write another type', 'for NodePort and LoadBalancer')] : []),
    ...(Number.isInteger(spec.healthCheckNodePort) && spec.healthCheckNodePort !== 0 && !(type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local')
      ? [fault(['spec', 'healthCheckNodePort'], 'no load balancer probes this port', 'remove it', 'for the type LoadBalancer with externalTrafficPolicy: Local')] : []),
    ...(type === 'LoadBalancer' ? [] : LOAD_BALANCER_FIELDS.filter((field) => isSet(spec, field) && !isEmptyList(spec[field]))
      .map((field) => fault(['spec', field], `a Service of the type ${type} has no load balancer`, 'remove it, or write type: LoadBalancer'))),
    ...(spec.sessionAffinity === 'None' && isSet(spec, 'sessionAffinityConfig')
      ? [fault(['spec', 'sessionAffinityConfig'], 'sessions keep to no address', 'write sessionAffinity: ClientIP, or remove it')] : []),
    ...boundsFault(['spec', 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds'], fieldAt(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds'), 1, 86_400),
    ...(stringAt(spec, 'trafficDistribution') === undefined || DISTRIBUTIONS.includes(stringAt(spec, 'trafficDistribution')!) ? []
      : [fault(['spec', 'trafficDistribution'], `${JSON.stringify(spec.trafficDistribution)} is none of the choices`, 'write one of them', DISTRIBUTIONS.join(', '))]),
  ];
}

const DISTRIBUTIONS: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** The policy of a Service that states none. */
const SINGLE = 'SingleStack';

const addresses: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SERVICE-ADDRESS',
  title: 'Addresses of a Service must be IP addresses of different families, ranges must be in CIDR notation, and its selector must have valid labels.',
  source: `${SOURCE} (ValidateServiceClusterIPsRelatedFields, validateService)`,
  kinds: [SERVICE],
  example: pair((address) => objectText('v1', 'Service', `spec:\n  externalIPs: [${address}]\n  selector: {app: web}\n  ports:\n    - port: 80\n`), '198.51.100.256', '198.51.100.10'),
  check: (object) => {
    const address = stringAt(object, 'spec', 'clusterIP');
    const all = stringsAt(object, 'spec', 'clusterIPs');
    const families = stringsAt(object, 'spec', 'ipFamilies');
    const ipFault = (path: (string | number)[], text: string) => (parseIp(text) ? [] : [fault(path, `${JSON.stringify(text)} is not an IP address`, 'correct it')]);
    return [
      ...(address === undefined || address === NONE ? [] : ipFault(['spec', 'clusterIP'], address)),
      ...all.filter(([text]) => text !== NONE).flatMap(([text, index]) => ipFault(['spec', 'clusterIPs', index], text)),
      ...(address !== undefined && all.length > 0 && all[0][0] !== address ? [fault(['spec', 'clusterIPs'], `the first address is not clusterIP, ${address}`, 'write clusterIP first')] : []),
      ...(all.length > 2 ? [fault(['spec', 'clusterIPs'], `there are ${all.length} addresses`, 'leave one for each family', 'up to 2')] : []),
      ...stringsAt(object, 'spec', 'externalIPs').flatMap(([text, index]) => ipFault(['spec', 'externalIPs', index], text)),
      ...stringsAt(object, 'spec', 'loadBalancerSourceRanges').flatMap(([text, index]) => (
        faultIf(['spec', 'loadBalancerSourceRanges', index], checkCidr(text.trim()), 'write the first address of the range and its prefix length'))),
      ...repetitions(families, ([family]) => family, ([, index]) => ['spec', 'ipFamilies', index], 'the family'),
      ...families.filter(([family]) => family === '').map(([, index]) => fault(['spec', 'ipFamilies', index], 'it is empty', 'write a family', 'IPv4, IPv6')),
      ...(families.length > 1 && (stringAt(object, 'spec', 'ipFamilyPolicy') ?? SINGLE) === SINGLE
        ? [fault(['spec', 'ipFamilyPolicy'], 'there are two families, and the policy lets the Service have one', 'write PreferDualStack or RequireDualStack')] : []),
      ...Object.entries(isFields(fieldAt(object, 'spec', 'selector')) ? fieldAt(object, 'spec', 'selector') as Fields : {}).flatMap(([key, value]) => [
        ...faultIf(['spec', 'selector', key], checkLabelKey(key), 'write the label as pods have it'),
        ...(typeof value === 'string' ? faultIf(['spec', 'selector', key], checkLabelValue(value), 'write the label as pods have it') : []),
      ]),
    ];
  },
};

function isHeadless(spec: unknown): boolean {
  return fieldAt(spec, 'clusterIP') === NONE || stringsAt(spec, 'clusterIPs').some(([text]) => text === NONE);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const NETWORKING = apiValidation('networking');
const INGRESS = 'networking.k8s.io/Ingress';
const CONTROLLER_MAX_LENGTH = 250;
// kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsDomainPrefixedPath)
const CONTROLLER_PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

function ingressText(host: string, path: string, backend: string): string {
  return objectText('networking.k8s.io/v1', 'Ingress', `spec:
  rules:
    - host: ${host}
      http:
        paths:
          - ${path}
            backend: ${backend}
`);
}

const BACKEND = '{service: {name: web, port: {number: 80}}}';
const PATH = '{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}';

const hosts: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-INGRESS-HOST',
  title: 'Hosts of an Ingress must be DNS names, optionally with the prefix "*.", not IP addresses.',
  source: `${NETWORKING} (validateIngressRules, validateIngressTLS)`,
  kinds: [INGRESS],
  example: pair((host) => ingressText(host, 'pathType: Prefix\n            path: /', BACKEND), '192.0.2.10', 'web.example.com'),
  check: (object) => [
    ...objectsAt(object, 'spec', 'rules').flatMap(([rule, index]) => hostFaults(rule.host, ['spec', 'rules', index, 'host'])),
    ...objectsAt(object, 'spec', 'tls').flatMap(([tls, index]) => [
      ...stringsAt(tls, 'hosts').flatMap(([host, position]) => nameFaults(host, ['spec', 'tls', index, 'hosts', position])),
      ...subdomainFault(['spec', 'tls', index, 'secretName'], tls.secretName),
    ]),
    ...subdomainFault(['spec', 'ingressClassName'], fieldAt(object, 'spec', 'ingressClassName')),
  ],
};

function hostFaults(host: unknown, path: FieldPath): Finding[] {
  if (typeof host !== 'string' || host === '') return [];
  if (parseIp(host)) return [fault(path, `${JSON.stringify(host)} is an IP address`, 'name a host, or leave it out for all of them')];
  return nameFaults(host, path);
}

/** A certificate may be for an IP address, which is a DNS name by its form. */
function nameFaults(host: string, path: FieldPath): Finding[] {
  return faultIf(path, host.includes('*') ? checkWildcardDnsSubdomain(host) : checkDnsSubdomain(host), 'write the name of a host, without a port or a path');
}

const paths: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-INGRESS-PATH',
  title: 'An Ingress must have rules or a default backend; its paths must be absolute, without "//", "." and "..".',
  source: `${NETWORKING} (ValidateIngressSpec, validateHTTPIngressPath)`,
  kinds: [INGRESS],
  example: pair((path) => ingressText('web.example.com', `pathType: Prefix\n            path: ${path}`, BACKEND), 'api', '/api'),
  check: (object) => [
    ...(isFields(object.spec) && listAt(object, 'spec', 'rules').length === 0 && !isSet(object, 'spec', 'defaultBackend')
      ? [fault(['spec'], 'it has neither rules nor a default', 'write rules, or defaultBackend')] : []),
    ...pathsOf(object).flatMap(({ entry, path }) => {
      const text = typeof entry.path === 'string' ? entry.path : '';
      const isFree = entry.pathType === 'ImplementationSpecific';
      if (stringAt(entry, 'pathType') === undefined || (isFree && text === '')) return [];
      if (!text.startsWith('/')) return [fault([...path, 'path'], `${JSON.stringify(text)} is not absolute`, 'begin it with "/"')];
      const isOdd = !isFree && (/\/\/|\/\.\.?\/|%2f/i.test(text) || /\/\.\.?$/.test(text));
      return isOdd ? [fault([...path, 'path'], `${JSON.stringify(text)} is written in a way that means another path`, 'write it without "//", "/./", "/../" and "%2f"')] : [];
    }),
    ...objectsAt(object, 'spec', 'rules').flatMap(([rule, index]) => (
      isFields(rule.http) && Array.isArray(rule.http.paths) && rule.http.paths.length === 0
        ? [fault(['spec', 'rules', index, 'http', 'paths'], 'it is empty', `write one such as ${PATH}`)] : [])),
  ],
};

const backends: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-INGRESS-BACKEND',
  title: 'A backend of an Ingress must be a Service with the name or number of its port, or another resource.',
  source: `${NETWORKING} (validateIngressBackend)`,
  kinds: [INGRESS],
  example: pair((backend) => ingressText('web.example.com', 'pathType: Prefix\n            path: /', backend), '{service: {name: web}}', BACKEND),
  check: (object) => [
    ...pathsOf(object).flatMap(({ entry, path }) => backendFaults(entry.backend, [...path, 'backend'])),
    ...backendFaults(fieldAt(object, 'spec', 'defaultBackend'), ['spec', 'defaultBackend']),
  ],
};

function backendFaults(backend: unknown, path: FieldPath): Finding[] {
  if (!isFields(backend)) return [];
  const [service, resource] = ['service', 'resource'].map((field) => isSet(backend, field));
  if (service === resource) return [fault(path, service ? 'it leads to two things' : 'it leads nowhere', 'write one of them', 'service, resource')];
  if (!service) return [];
  const [name, number] = [stringAt(backend, 'service', 'port', 'name'), fieldAt(backend, 'service', 'port', 'number')];
  const isNumber = Number.isInteger(number) && number !== 0;
  return [
    ...labelFault([...path, 'service', 'name'], fieldAt(backend, 'service', 'name')),
    ...((name !== undefined) === isNumber
      ? [fault([...path, 'service', 'port'], isNumber ? 'it has a name and a number' : 'it has neither a name nor a number', 'write one of them', 'name, number')] : []),
    ...(isNumber ? boundsFault([...path, 'service', 'port', 'number'], number, 1, HIGHEST_PORT) : []),
    ...(name === undefined ? [] : faultIf([...path, 'service', 'port', 'name'], checkPortName(name), 'write the name that the Service gives the port')),
  ];
}

function pathsOf(object: unknown): { readonly entry: Fields; readonly path: FieldPath }[] {
  return objectsAt(object, 'spec', 'rules').flatMap(([rule, index]) => objectsAt(rule, 'http', 'paths').map(([entry, position]) => ({
    entry, path: ['spec', 'rules', index, 'http', 'paths', position],
  })));
}

const classes: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-INGRESS-CLASS',
  title: 'An IngressClass must name its controller as a path with a domain, and its parameters with a namespace where they are in one.',
  source: `${NETWORKING} (ValidateIngressClassSpec, validateIngressClassParametersReference)`,
  kinds: ['networking.k8s.io/IngressClass'],
  example: pair((controller) => objectText('networking.k8s.io/v1', 'IngressClass', `spec:\n  controller: ${controller}\n`), 'nginx', 'k8s.io/ingress-nginx'),
  check: (object) => [
    ...controllerFaults(stringAt(object, 'spec', 'controller') ?? ''),
    ...(isFields(fieldAt(object, 'spec', 'parameters')) ? parameterFaults(fieldAt(object, 'spec', 'parameters') as Fields, ['spec', 'parameters']) : []),
  ],
};

function controllerFaults(controller: string): Finding[] {
  const path = ['spec', 'controller'];
  const [domain, ...rest] = controller.split('/');
  if (controller.length > CONTROLLER_MAX_LENGTH) return [fault(path, `it has ${controller.length} characters`, 'shorten it', `at most ${CONTROLLER_MAX_LENGTH}`)];
  if (checkDnsSubdomain(domain) === undefined && CONTROLLER_PATH.test(rest.join('/'))) return [];
  return [fault(path, `${JSON.stringify(controller)} is no path with a domain`, 'write what the documentation of the controller says', 'such as "k8s.io/ingress-nginx"')];
}

function parameterFaults({ apiGroup, kind, name, scope = 'Cluster', namespace }: Fields, path: FieldPath): Finding[] {
  const isInNamespace = scope === 'Namespace';
  return [
    ...Object.entries({ kind, name }).filter(([, value]) => typeof value === 'string' && /[/%]|^\.\.?$/.test(value))
      .map(([field, value]) => fault([...path, field], `${JSON.stringify(value)} is no part of a path`, 'leave "/" and "%" out')),
    ...subdomainFault([...path, 'apiGroup'], apiGroup),
    ...(scope === 'Cluster' || isInNamespace ? [] : [fault([...path, 'scope'], `${JSON.stringify(scope)} is no scope`, 'write one of them', 'Cluster, Namespace')]),
    ...(isInNamespace && typeof namespace !== 'string' ? [fault([...path, 'namespace'], 'it is not there', 'write the namespace that the parameters are in')] : []),
    ...(scope === 'Cluster' && typeof namespace === 'string' ? [fault([...path, 'namespace'], 'parameters of the cluster have none', 'remove it, or write scope: Namespace')] : []),
    ...(isInNamespace ? labelFault([...path, 'namespace'], namespace) : []),
  ];
}

const NETWORK_POLICY = 'networking.k8s.io/NetworkPolicy';
const FIX_CIDR = 'write the first address of the range and its prefix length';
const DIRECTIONS = [['ingress', 'from'], ['egress', 'to']] as const;

function policyText(fields: string): string {
  return objectText('networking.k8s.io/v1', 'NetworkPolicy', `spec:\n  podSelector: {}\n${fields}`);
}

const peers: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-NETWORK-PEER',
  title: 'A peer of a NetworkPolicy must have either selectors or an ipBlock; exceptions must be smaller blocks within it.',
  source: `${NETWORKING} (ValidateNetworkPolicyPeer, ValidateIPBlock)`,
  kinds: [NETWORK_POLICY],
  example: pair((except) => policyText(`  egress:\n    - to:\n        - ipBlock:\n            cidr: 10.0.0.0/8\n            except: [${except}]\n`), '192.168.0.0/16', '10.1.0.0/16'),
  check: (object) => allOf(
    selectorFaults(fieldAt(object, 'spec', 'podSelector'), ['spec', 'podSelector']),
    DIRECTIONS.flatMap(([direction, list]) => objectsAt(object, 'spec', direction).flatMap(([rule, index]) => (
      objectsAt(rule, list).flatMap(([peer, position]) => peerFaults(peer, ['spec', direction, index, list, position]))))),
  ),
};

function peerFaults(peer: Fields, path: FieldPath): readonly Finding[] {
  const kinds = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((field) => isSet(peer, field));
  if (kinds.length === 0) return [fault(path, 'it selects no peer', 'write one of them', 'podSelector, namespaceSelector, ipBlock')];
  if (kinds.length > 1 && kinds.includes('ipBlock')) return [fault([...path, 'ipBlock'], 'a range of addresses stands beside a selector', 'write two peers')];
  return allOf(
    selectorFaults(peer.podSelector, [...path, 'podSelector']),
    selectorFaults(peer.namespaceSelector, [...path, 'namespaceSelector']),
    isFields(peer.ipBlock) ? blockFaults(peer.ipBlock, [...path, 'ipBlock']) : [],
  );
}

function blockFaults(block: Fields, path: FieldPath): readonly Finding[] {
  const text = stringAt(block, 'cidr');
  const exceptions = stringsAt(block, 'except');
  return allOf(
    text === undefined ? [] : fieldFaultIf(path, 'cidr', checkCidr(text), FIX_CIDR),
    exceptions.flatMap(([except, index]) => faultIf([...path, 'except', index], checkException(except, text), 'write a smaller range within the block, or leave it out')),
  );
}

const policyPorts: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-NETWORK-PORT',
  title: 'A port of a NetworkPolicy must be a number, optionally with a larger endPort, or a port name; policy types must be unique.',
  source: `${NETWORKING} (ValidateNetworkPolicyPort, ValidateNetworkPolicySpec)`,
  kinds: [NETWORK_POLICY],
  example: pair((port) => policyText(`  ingress:\n    - ports:\n        - ${port}\n`), '{port: 9000, endPort: 8000}', '{port: 8000, endPort: 9000}'),
  check: (object) => allOf(
    listAt(object, 'spec', 'policyTypes').length > 2 ? [fault(['spec', 'policyTypes'], 'there are more than two', 'write each one once', 'Ingress, Egress')] : [],
    DIRECTIONS.flatMap(([direction]) => objectsAt(object, 'spec', direction).flatMap(([rule, index]) => (
      objectsAt(rule, 'ports').flatMap(([port, position]) => portFaults(port, ['spec', direction, index, 'ports', position]))))),
  ),
};

function portFaults({ port, endPort }: Fields, path: FieldPath): readonly Finding[] {
  const end = [...path, 'endPort'];
  const isEnd = endPort !== undefined && endPort !== null;
  return allOf(
    boundsFault([...path, 'port'], port, 1, HIGHEST_PORT),
    boundsFault(end, endPort, 1, HIGHEST_PORT),
    typeof port === 'string' ? fieldFaultIf(path, 'port', checkPortName(port), 'name a port of the pods, or write its number without quotes') : [],
    isEnd && typeof port !== 'number' ? [fault(end, 'a range needs the number of its first port', 'write port as a number')] : [],
    typeof port === 'number' && typeof endPort === 'number' && endPort < port ? [fault(end, `${endPort} is less than the first port, ${port}`, 'write the larger number here')] : [],
  );
}

/** Rules for Services, Ingresses and NetworkPolicies. */
export const NETWORK: readonly ManifestRule[] = [
  servicePorts, types, addresses, hosts, paths, backends, classes, peers, policyPorts,
];
