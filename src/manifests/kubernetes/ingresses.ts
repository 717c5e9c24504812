import { checkPortName } from './containers';
import { objectText, pair } from './examples';
import { apiValidation, boundsFault, fault, faultIf, labelFault, subdomainFault } from './findings';
import { ManifestRule } from '../rules/manifest-rule';
import { checkDnsSubdomain, checkWildcardDnsSubdomain } from '../values/dns';
import { fieldAt, FieldPath, Fields, isFields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { Finding } from '../values/finding';
import { parseIp } from '../values/ip-address';

const SOURCE = apiValidation('networking');
const INGRESS = 'networking.k8s.io/Ingress';
const HIGHEST_PORT = 65535;
const CONTROLLER_MAX_LENGTH = 250;
// kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go (IsDomainPrefixedPath)
const CONTROLLER_PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

function ingress(host: string, path: string, backend: string): string {
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
  source: `${SOURCE} (validateIngressRules, validateIngressTLS)`,
  kinds: [INGRESS],
  example: pair((host) => ingress(host, 'pathType: Prefix\n            path: /', BACKEND), '192.0.2.10', 'web.example.com'),
  check: (object) => [
    ...objectsAt(object, 'spec', 'rules').flatMap(([rule, index]) => hostFaults(rule.host, ['spec', 'rules', index, 'host'])),
    ...objectsAt(object, 'spec', 'tls').flatMap(([tls, index]) => [
      ...stringsAt(tls, 'hosts').flatMap(([host, position]) => hostFaults(host, ['spec', 'tls', index, 'hosts', position])),
      ...subdomainFault(['spec', 'tls', index, 'secretName'], tls.secretName),
    ]),
    ...subdomainFault(['spec', 'ingressClassName'], fieldAt(object, 'spec', 'ingressClassName')),
  ],
};

function hostFaults(host: unknown, path: FieldPath): Finding[] {
  if (typeof host !== 'string' || host === '') return [];
  if (parseIp(host)) return [fault(path, `${JSON.stringify(host)} is an IP address`, 'name a host, or leave it out for all of them')];
  return faultIf(path, host.includes('*') ? checkWildcardDnsSubdomain(host) : checkDnsSubdomain(host), 'write the name of a host, without a port or a path');
}

const paths: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-INGRESS-PATH',
  title: 'An Ingress must have rules or a default backend; its paths must be absolute, without "//", "." and "..".',
  source: `${SOURCE} (ValidateIngressSpec, validateHTTPIngressPath)`,
  kinds: [INGRESS],
  example: pair((path) => ingress('web.example.com', `pathType: Prefix\n            path: ${path}`, BACKEND), 'api', '/api'),
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
  source: `${SOURCE} (validateIngressBackend)`,
  kinds: [INGRESS],
  example: pair((backend) => ingress('web.example.com', 'pathType: Prefix\n            path: /', backend), '{service: {name: web}}', BACKEND),
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
  source: `${SOURCE} (ValidateIngressClassSpec, validateIngressClassParametersReference)`,
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

function parameterFaults({ apiGroup, scope = 'Cluster', namespace }: Fields, path: FieldPath): Finding[] {
  const isInNamespace = scope === 'Namespace';
  return [
    ...subdomainFault([...path, 'apiGroup'], apiGroup),
    ...(scope === 'Cluster' || isInNamespace ? [] : [fault([...path, 'scope'], `${JSON.stringify(scope)} is no scope`, 'write one of them', 'Cluster, Namespace')]),
    ...(isInNamespace && typeof namespace !== 'string' ? [fault([...path, 'namespace'], 'it is not there', 'write the namespace that the parameters are in')] : []),
    ...(scope === 'Cluster' && typeof namespace === 'string' ? [fault([...path, 'namespace'], 'parameters of the cluster have none', 'remove it, or write scope: Namespace')] : []),
    ...(isInNamespace ? labelFault([...path, 'namespace'], namespace) : []),
  ];
}

/** Ingresses and their classes. */
export const INGRESSES: readonly ManifestRule[] = [hosts, paths, backends, classes];
