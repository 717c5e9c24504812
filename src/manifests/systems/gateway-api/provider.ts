import { LISTENER_RULES } from './listeners';
import { ROUTE_RULES } from './routes';
import { inPlaceKinds } from '../../rules/changes/effects';
import { Provider } from '../../rules/provider';

/** Kubernetes' Gateway API. */
export const GATEWAY_API: Provider = {
  name: 'gateway-api',
  title: 'Gateway API',
  kinds: [],
  rules: [...ROUTE_RULES, ...LISTENER_RULES],
  // kubernetes-sigs/gateway-api apis/v1/httproute_types.go, v1.6.1: configuration of a data plane that is there. An implementation may make another one for a
  // Gateway that changes, with other labels or ports.
  effects: inPlaceKinds('gateway.networking.k8s.io', 'BackendTLSPolicy', 'GRPCRoute', 'HTTPRoute', 'ReferenceGrant', 'TCPRoute', 'TLSRoute', 'UDPRoute'),
};
