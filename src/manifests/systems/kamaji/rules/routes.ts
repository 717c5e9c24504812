import { cluster, namedControlPlane, tenantControlPlane } from './examples';
import { apiPort, KAMAJI_CONTROL_PLANE, konnectivityPort, placeOf, TENANT_CONTROL_PLANE } from './kamaji-objects';
import { groupKind, ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { FieldPath, isSet, listAt, numberAt, objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';

const GATEWAY = 'gateway.networking.k8s.io/Gateway';

/** Name of the listener that Kamaji's route of konnectivity asks for. */
const KONNECTIVITY_LISTENER = 'konnectivity-server';

const KUBERNETES = '  kubernetes:\n    version: v1.35.4\n    kubelet: {cgroupfs: systemd}\n  networkProfile: {}\n';

const route: ManifestRule = {
  id: 'TC-TRAP-TCP-ROUTE',
  title: 'An Ingress or a Gateway of a TenantControlPlane must have a host name, and a Gateway exactly one parent: Kamaji fails to reconcile otherwise.',
  source: 'clastix/kamaji internal/resources/k8s_ingress_resource.go (mutate), internal/resources/k8s_gateway_resource.go (UpdateTenantControlPlaneStatus), 26.8.2-edge; '
    + 'clastix/kamaji issue 282',
  kinds: [TENANT_CONTROL_PLANE],
  trap: true,
  example: {
    failing: tenantControlPlane(`    ingress: {ingressClassName: nginx}\n${KUBERNETES}`, { serviceType: 'ClusterIP' }),
    corrected: tenantControlPlane(`    ingress: {ingressClassName: nginx, hostname: acme.example.com}\n${KUBERNETES}`, { serviceType: 'ClusterIP' }),
  },
  check: (object) => {
    const nameless = ['ingress', 'gateway'].filter((way) => isSet(object, 'spec', 'controlPlane', way) && stringAt(object, 'spec', 'controlPlane', way, 'hostname') === undefined)
      .map((way): Finding => ({
        path: ['spec', 'controlPlane', way, 'hostname'], message: 'there is no host name, so that Kamaji makes no route to the API server', fix: 'give the full DNS name that clients use',
      }));
    const parents = ['spec', 'controlPlane', 'gateway', 'parentRefs'];
    const count = listAt(object, ...parents).length;
    return !isSet(object, 'spec', 'controlPlane', 'gateway') || count === 1 ? nameless : [...nameless, {
      path: parents, message: `the route has ${count === 0 ? 'no parent' : `${count} parents`}, and Kamaji expects one`, fix: 'name one Gateway, with its namespace',
    }];
  },
};

const GATEWAY_TEXT = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: tenants
  namespace: gateways
spec:
  gatewayClassName: envoy
  listeners:
    - {name: kube-apiserver, port: 6443, protocol: TLS, tls: {mode: Passthrough}}
    - {name: konnectivity-server, port: 8132, protocol: TLS, tls: {mode: Passthrough}}
`;

const ROUTED_TEXT = `${namedControlPlane(`    konnectivity: {}
  network:
    serviceType: ClusterIP
    gateway: {name: tenants, namespace: gateways, hostname: "acme.example.com:6443", sectionName: kube-apiserver, port: 6443}
`)}${cluster('    apiServerPort: 6443\n')}---\n${GATEWAY_TEXT}`;

const listener: ManifestRule = {
  id: 'TC-TRAP-KAMAJI-GATEWAY-LISTENER',
  title: 'The Gateway of a control plane must have the listeners that Kamaji\'s routes ask for: that of the API server, and konnectivity-server at the port of konnectivity.',
  source: 'clastix/kamaji internal/resources/konnectivity/gateway_resource.go (newParentRefsSpecWithPortAndSection), 26.8.2-edge; '
    + 'kubernetes-sigs/gateway-api apis/v1/shared_types.go (ParentReference)',
  kinds: [KAMAJI_CONTROL_PLANE, TENANT_CONTROL_PLANE],
  trap: true,
  example: { failing: ROUTED_TEXT.replace('port: 8132', 'port: 8443'), corrected: ROUTED_TEXT },
  check: checkListeners,
};

/** Ways to a control plane by a host name. */
export const ROUTES: readonly ManifestRule[] = [route, listener];

/** The Gateway that a control plane names, and the listener of the API server. */
interface Parent {
  readonly path: FieldPath;
  readonly gateway: ManifestObject;
  readonly sectionName?: string;
  readonly port?: number;
}

/** The Gateway of a control plane, if it is among the manifests. */
function parentOf(object: ManifestObject, index: ManifestIndex): Parent | undefined {
  const isTenant = groupKind(object) === TENANT_CONTROL_PLANE;
  const path = [...placeOf(object, 'network', 'gateway'), ...isTenant ? ['parentRefs', '0'] : []];
  const gateway = index.find(GATEWAY, stringAt(object, ...path, 'namespace') ?? namespaceOf(object), stringAt(object, ...path, 'name'));
  const kind = stringAt(object, ...path, 'kind') ?? 'Gateway';
  if (!gateway || kind !== 'Gateway') return undefined;
  const place = isTenant ? [...placeOf(object, 'network', 'gateway'), 'parentRefs', 0] : path;
  return { path: place, gateway, sectionName: stringAt(object, ...path, 'sectionName'), port: numberAt(object, ...path, 'port') };
}

function checkListeners(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const parent = parentOf(object, index);
  if (!parent) return [];
  const { path, gateway, sectionName, port } = parent;
  const api = apiPort(object, index)?.port;
  const konnectivity = konnectivityPort(object)?.port;
  const wanted = [
    { what: 'the API server', name: sectionName, port: port ?? (sectionName === undefined ? api : undefined) },
    ...konnectivity === undefined ? [] : [{ what: 'konnectivity', name: KONNECTIVITY_LISTENER, port: konnectivity }],
  ];
  const listeners = objectsAt(gateway, 'spec', 'listeners').map(([one]) => one);
  return wanted.filter((one) => !listeners.some((other) => (
    (one.name === undefined || stringAt(other, 'name') === one.name) && (one.port === undefined || numberAt(other, 'port') === one.port)
  ))).map(({ what, name, port: number }) => {
    const words = [...name === undefined ? [] : [`"${name}"`], ...number === undefined ? [] : [`at port ${number}`]].join(' ');
    return {
      path,
      message: `the route of ${what} asks for the listener ${words}, which Gateway ${String(stringAt(gateway, 'metadata', 'name'))} does not have`,
      accepted: listeners.map((one) => `"${String(stringAt(one, 'name'))}" at port ${String(numberAt(one, 'port'))}`).join(', ') || undefined,
      fix: 'add the listener to the Gateway, with protocol TLS and tls.mode Passthrough',
    };
  });
}
