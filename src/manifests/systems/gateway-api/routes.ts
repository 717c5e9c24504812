import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { selects } from '../../rules/label-selectors';
import { Lookup, ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, FieldPath, Fields, isFields, numberAt, objectsAt, stringAt, stringsAt } from '../../values/fields';
import { Finding } from '../../values/finding';

const GROUP = 'gateway.networking.k8s.io';
export const GATEWAY = `${GROUP}/Gateway`;

/** A part that the tool replaces which applies the manifest. */
const VARIABLE = /[{$]/;

/** Protocols of listeners that each kind of route can be attached to. */
const PROTOCOLS: Readonly<Record<string, readonly string[]>> = {
  HTTPRoute: ['HTTP', 'HTTPS'],
  GRPCRoute: ['HTTP', 'HTTPS'],
  TLSRoute: ['TLS'],
  TCPRoute: ['TCP', 'TLS'],
  UDPRoute: ['UDP'],
};

/** The kinds of routes. */
export const ROUTES: readonly string[] = Object.keys(PROTOCOLS).map((kind) => `${GROUP}/${kind}`);

const GATEWAYS = new Lookup([GATEWAY], (gateway) => [namespaceOf(gateway), nameOf(gateway)]);
const NAMESPACES = new Lookup(['/Namespace'], (namespace) => [nameOf(namespace)]);

const ROUTE_TEXT = `apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: web, namespace: shop}
spec:
  parentRefs: [{name: public, namespace: gateway, sectionName: https}]
  hostnames: [web.example.com]
  rules: [{backendRefs: [{name: web, port: 80}]}]
`;
const GATEWAY_TEXT = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: gateway}
spec:
  gatewayClassName: cilium
  listeners:
    - name: https
      port: 443
      protocol: HTTPS
      hostname: "*.example.com"
      tls: {certificateRefs: [{name: wildcard}]}
      allowedRoutes: {namespaces: {from: All}}
`;

const parent: ManifestRule = {
  id: 'TC-TRAP-GATEWAY-ROUTE',
  title: 'A listener of the Gateway must accept a route that names it: by its name, port and protocol, the namespace of the route, and a host name that both have. No request reaches the route otherwise.',
  source: 'kubernetes-sigs/gateway-api apis/v1/shared_types.go (ParentReference), apis/v1/gateway_types.go (Listener, AllowedRoutes), v1.6.1',
  kinds: ROUTES,
  trap: true,
  example: replaced(documents(ROUTE_TEXT, GATEWAY_TEXT), 'sectionName: https', 'sectionName: web'),
  check: (object, index) => objectsAt(object, 'spec', 'parentRefs').flatMap(([reference, at]) => {
    const isGateway = (stringAt(reference, 'group') ?? GROUP) === GROUP && (stringAt(reference, 'kind') ?? 'Gateway') === 'Gateway';
    const gateways = isGateway ? GATEWAYS.find(index, stringAt(reference, 'namespace') ?? namespaceOf(object), stringAt(reference, 'name')) : [];
    const [gateway] = gateways;
    const listeners = objectsAt(gateway, 'spec', 'listeners').map(([listener]) => listener);
    const isWritten = !listeners.some((listener) => VARIABLE.test(stringAt(listener, 'name') ?? ''));
    // Several clusters may have Gateways of one name.
    return gateways.length === 1 && listeners.length > 0 && isWritten ? attachmentFindings({ object, reference, gateway, index, path: ['spec', 'parentRefs', at] }, listeners) : [];
  }),
};

/** A route, and the Gateway that it names. */
interface Attachment {
  readonly object: ManifestObject;
  readonly reference: Fields;
  readonly gateway: ManifestObject;
  readonly index: ManifestIndex;
  readonly path: FieldPath;
}

/** The first reason for which no listener accepts a route. */
function attachmentFindings({ object, reference, gateway, index, path }: Attachment, all: readonly Fields[]): Finding[] {
  const title = `the Gateway "${nameOf(gateway) ?? ''}"`;
  const [section, port] = [stringAt(reference, 'sectionName'), numberAt(reference, 'port')];
  const ofSection = all.filter((listener) => section === undefined || listener.name === section);
  if (ofSection.length === 0) {
    return [{ path: [...path, 'sectionName'], message: `${title} has no listener "${section!}"`, accepted: namesOf(all), fix: 'write the name of a listener' }];
  }
  const ofPort = ofSection.filter((listener) => port === undefined || listener.port === port);
  if (ofPort.length === 0) {
    return [{ path: [...path, 'port'], message: `${title} has no listener at the port ${port!}`, accepted: ofSection.map((listener) => String(listener.port)).join(', '), fix: 'write the port of a listener' }];
  }
  const kind = String(object.kind);
  const ofKind = ofPort.filter((listener) => acceptsKind(listener, kind));
  if (ofKind.length === 0) {
    return [{ path, message: `the listener ${namesOf(ofPort)} of ${title} takes no ${kind}`, fix: `name a listener with the protocol ${PROTOCOLS[kind].join(' or ')}` }];
  }
  const ofNamespace = ofKind.filter((listener) => acceptsNamespace(listener, object, gateway, index));
  if (ofNamespace.length === 0) {
    return [{
      path,
      message: `the listener ${namesOf(ofKind)} of ${title} takes no routes of the namespace "${namespaceOf(object) ?? ''}"`,
      fix: 'write allowedRoutes.namespaces of the listener: from: All, or a selector of the namespace',
    }];
  }
  const hosts = stringsAt(object, 'spec', 'hostnames').map(([host]) => host);
  const isMet = hosts.length === 0 || ofNamespace.some((listener) => {
    const own = stringAt(listener, 'hostname') ?? '';
    return own === '' || VARIABLE.test(own) || hosts.some((host) => VARIABLE.test(host) || meet(host, own));
  });
  return isMet ? [] : [{
    path: ['spec', 'hostnames'],
    message: `the listener ${namesOf(ofNamespace)} of ${title} has none of these host names`,
    accepted: [...new Set(ofNamespace.map((listener) => String(listener.hostname)))].join(', '),
    fix: 'write a host name of the listener',
  }];
}

function namesOf(listeners: readonly Fields[]): string {
  return listeners.map((listener) => `"${stringAt(listener, 'name') ?? ''}"`).join(', ');
}

function acceptsKind(listener: Fields, kind: string): boolean {
  const protocol = stringAt(listener, 'protocol');
  const kinds = objectsAt(listener, 'allowedRoutes', 'kinds').map(([one]) => stringAt(one, 'kind'));
  // Implementations have protocols of their own.
  const isCommon = Object.values(PROTOCOLS).flat().includes(protocol ?? '');
  return (!isCommon || PROTOCOLS[kind].includes(protocol!)) && (kinds.length === 0 || kinds.includes(kind));
}

function acceptsNamespace(listener: Fields, route: ManifestObject, gateway: ManifestObject, index: ManifestIndex): boolean {
  const [own, other] = [namespaceOf(route), namespaceOf(gateway)];
  const from = stringAt(listener, 'allowedRoutes', 'namespaces', 'from') ?? 'Same';
  if (own === undefined || other === undefined) return true;
  if (from !== 'Selector') return from === 'All' || (from === 'Same' && own === other) || !['Same', 'None'].includes(from);
  const found = NAMESPACES.find(index, own);
  const selector = fieldAt(listener, 'allowedRoutes', 'namespaces', 'selector');
  return found.length === 0 || !isFields(selector) || found.some((namespace) => {
    const labels = fieldAt(namespace, 'metadata', 'labels');
    return selects(selector, { ...(isFields(labels) && labels), 'kubernetes.io/metadata.name': own });
  });
}

/** True if two host names have one in common; `*.` stands for any number of labels. */
function meet(one: string, other: string): boolean {
  const covers = (wide: string, narrow: string) => wide.startsWith('*.') && narrow.replace(/^\*/, '').endsWith(wide.slice(1)) && narrow !== wide.slice(2);
  return one === other || covers(one, other) || covers(other, one);
}

const GRANT = `${GROUP}/ReferenceGrant`;
const GRANT_TEXT = `apiVersion: gateway.networking.k8s.io/v1beta1
kind: ReferenceGrant
metadata: {name: routes, namespace: apps}
spec:
  from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: shop}]
  to: [{group: "", kind: Service}]
`;
const SERVICE_TEXT = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: apps}
spec:
  selector: {app: web}
  ports: [{port: 80}]
`;

const grant: ManifestRule = {
  id: 'TC-TRAP-GATEWAY-GRANT',
  title: 'A ReferenceGrant in the namespace of a Service must let routes of other namespaces use it: their requests fail otherwise.',
  source: 'kubernetes-sigs/gateway-api apis/v1beta1/referencegrant_types.go, apis/v1/object_reference_types.go (BackendObjectReference), v1.4.0',
  kinds: ROUTES,
  trap: true,
  elsewhere: true,
  example: replaced(
    documents(ROUTE_TEXT.replace('name: web, port: 80', 'name: web, namespace: apps, port: 80'), SERVICE_TEXT, GRANT_TEXT), 'kind: HTTPRoute, namespace: shop', 'kind: HTTPRoute, namespace: store',
  ),
  // A mesh sends requests to what else a route names as its parent, such as a Service.
  check: (object, index) => (objectsAt(object, 'spec', 'parentRefs').some(([parentRef]) => (stringAt(parentRef, 'kind') ?? 'Gateway') !== 'Gateway') ? [] : objectsAt(object, 'spec', 'rules').flatMap(([rule, at]) => objectsAt(rule, 'backendRefs').flatMap(([backend, number]): Finding[] => {
    const [namespace, name, own] = [stringAt(backend, 'namespace'), stringAt(backend, 'name'), namespaceOf(object)];
    if (namespace === undefined || own === undefined || namespace === own || (stringAt(backend, 'group') ?? '') !== '' || (stringAt(backend, 'kind') ?? 'Service') !== 'Service' || !index.find('/Service', namespace, name)) return [];
    // One without a namespace may be applied to any.
    const all = [...index.allIn(GRANT, namespace), ...index.allIn(GRANT, undefined)];
    return all.some((one) => grants(one, object, own, name!)) ? [] : [{
      path: ['spec', 'rules', at, 'backendRefs', number, 'namespace'],
      message: `no ReferenceGrant in the namespace "${namespace}" lets a ${String(object.kind)} of "${own}" use its Services`,
      fix: 'add a ReferenceGrant there, or put the route into that namespace',
    }];
  }))),
};

function grants(object: ManifestObject, route: ManifestObject, namespace: string, service: string): boolean {
  return objectsAt(object, 'spec', 'from').some(([from]) => `${stringAt(from, 'group') ?? ''}/${stringAt(from, 'kind') ?? ''}` === groupKind(route) && from.namespace === namespace)
    && objectsAt(object, 'spec', 'to').some(([to]) => to.kind === 'Service' && [undefined, '', service].includes(stringAt(to, 'name')));
}

/** Rules over routes. */
export const ROUTE_RULES: readonly ManifestRule[] = [parent, grant];
