import { objectText } from './examples';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { documents, replaced } from '../rules/example-text';
import { Lookup } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { fieldAt, FieldPath, Fields, numberAt, objectsAt, stringAt } from '../values/fields';

const INGRESS = 'networking.k8s.io/Ingress';

/** Routes of the Gateway API, whose rules have lists of backends. */
const ROUTES: readonly string[] = ['GRPCRoute', 'HTTPRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute'].map((kind) => `gateway.networking.k8s.io/${kind}`);

/** Name of a port in place of one of the Service, where an annotation states what answers (kubernetes-sigs/aws-load-balancer-controller docs/guide/ingress/annotations.md). */
const OF_ANNOTATION = 'use-annotation';

const SERVICES = new Lookup(['/Service'], (service) => [namespaceOf(service), nameOf(service)]);

/** A port of a Service that an object sends requests to. */
interface Backend {
  readonly service: string;
  readonly namespace?: string;
  readonly port: number | string;
  readonly path: FieldPath;
}

const SERVICE_TEXT = objectText('v1', 'Service', 'spec:\n  selector: {app: web}\n  ports: [{name: http, port: 8080}]\n');
const INGRESS_TEXT = objectText('networking.k8s.io/v1', 'Ingress', `spec:
  rules:
    - host: web.example.com
      http:
        paths:
          - {path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 8080}}}}
`);

const backendPort: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-BACKEND-PORT',
  title: 'The port of a Service that an Ingress or a route names must be one of the Service: no request reaches it otherwise.',
  source: 'kubernetes/api networking/v1/types.go (ServiceBackendPort); kubernetes-sigs/gateway-api apis/v1/object_reference_types.go (BackendObjectReference)',
  kinds: [INGRESS, ...ROUTES],
  trap: true,
  example: replaced(documents(INGRESS_TEXT, SERVICE_TEXT), 'number: 8080', 'number: 80'),
  check: (object, index) => backendsOf(object).flatMap(({ service, namespace, port, path }) => {
    const found = SERVICES.find(index, namespace ?? namespaceOf(object), service);
    const ports = found.flatMap((one) => objectsAt(one, 'spec', 'ports').map(([entry]) => entry));
    // An external name has no ports of its own, and a part of kustomize none that it does not change.
    const isKnown = ports.length > 0 && found.every((one) => stringAt(one, 'spec', 'type') !== 'ExternalName');
    // Some controllers of Ingresses take the port of the pods, too (kubernetes/ingress-nginx internal/ingress/controller/controller.go, serviceEndpoints).
    const isPort = (entry: Fields) => port === (typeof port === 'number' ? entry.port : entry.name) || (groupKind(object) === INGRESS && port === entry.targetPort);
    return !isKnown || port === OF_ANNOTATION || ports.some(isPort) ? [] : [{
      path,
      message: `the Service "${service}" has no port ${JSON.stringify(port)}`,
      accepted: ports.flatMap((entry) => [typeof port === 'number' ? entry.port : entry.name].filter((one) => one !== undefined)).join(', '),
      fix: 'write a port of the Service, not one of its pods',
    }];
  }),
};

function backendsOf(object: ManifestObject): Backend[] {
  if (groupKind(object) !== INGRESS) {
    return objectsAt(object, 'spec', 'rules').flatMap(([rule, at]) => objectsAt(rule, 'backendRefs').flatMap(([backend, index]): Backend[] => {
      const [service, port] = [stringAt(backend, 'name'), numberAt(backend, 'port')];
      const isService = (stringAt(backend, 'kind') ?? 'Service') === 'Service' && (stringAt(backend, 'group') ?? '') === '';
      return service === undefined || port === undefined || !isService ? []
        : [{ service, namespace: stringAt(backend, 'namespace'), port, path: ['spec', 'rules', at, 'backendRefs', index, 'port'] }];
    }));
  }
  const paths = objectsAt(object, 'spec', 'rules').flatMap(([rule, at]) => objectsAt(rule, 'http', 'paths')
    .map(([, index]): FieldPath => ['spec', 'rules', at, 'http', 'paths', index, 'backend']));
  return [['spec', 'defaultBackend'], ...paths].flatMap((path): Backend[] => {
    const backend = fieldAt(object, ...path.map(String), 'service');
    const service = stringAt(backend, 'name');
    const port = numberAt(backend, 'port', 'number') ?? stringAt(backend, 'port', 'name');
    return service === undefined || port === undefined ? [] : [{ service, port, path: [...path, 'service', 'port'] }];
  });
}

/** Rules over ports that requests are sent to. */
export const BACKEND_PORTS: readonly ManifestRule[] = [backendPort];
