import { GATEWAY } from './routes';
import { ManifestObject } from '../../objects/manifest-object';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { isSet, objectsAt, stringAt } from '../../values/fields';

const TEXT = `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: public, namespace: gateway}
spec:
  gatewayClassName: cilium
  listeners:
    - {name: https, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: wildcard}]}}
`;

/** Kinds with listeners. */
export const LISTENERS: readonly string[] = [GATEWAY, 'gateway.networking.k8s.io/ListenerSet'];

const tls: ManifestRule = {
  id: 'TC-TRAP-GATEWAY-LISTENER',
  title: 'A listener for HTTPS should have tls with a certificate, unless the load balancer of its class has one: nothing answers at its port otherwise.',
  source: 'kubernetes-sigs/gateway-api apis/v1/gateway_types.go (Listener.TLS: required for HTTPS, which the definition does not ask for), v1.6.1',
  kinds: LISTENERS,
  trap: true,
  // Load balancers of clouds may find certificates by the host's name.
  warning: true,
  example: replaced(TEXT, ', tls: {certificateRefs: [{name: wildcard}]}', ''),
  check: (object) => (isOfCloud(object) ? [] : objectsAt(object, 'spec', 'listeners'))
    .filter(([listener]) => stringAt(listener, 'protocol') === 'HTTPS' && !isSet(listener, 'tls')).map(([listener, at]) => ({
      path: ['spec', 'listeners', at, 'tls'],
      message: `the listener "${stringAt(listener, 'name') ?? ''}" is for HTTPS, and has no certificate`,
      fix: 'write tls: {certificateRefs: [{name: …}]} with a Secret of the type kubernetes.io/tls, or protocol: HTTP',
    })),
};

/**
 * True if a Gateway gets its certificates from a cloud.
 *
 * Sources: cloud.google.com/kubernetes-engine/docs/how-to/secure-gateway (certificate maps); aws/aws-application-networking-k8s docs/guides/https.md.
 */
function isOfCloud(object: ManifestObject): boolean {
  return isSet(object, 'metadata', 'annotations', 'networking.gke.io/certmap') || isSet(object, 'spec', 'infrastructure', 'parametersRef')
    || stringAt(object, 'spec', 'gatewayClassName') === 'amazon-vpc-lattice';
}

/** Rules over listeners. */
export const LISTENER_RULES: readonly ManifestRule[] = [tls];
