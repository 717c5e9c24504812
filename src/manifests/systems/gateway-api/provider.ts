import { ROUTE_RULES } from './routes';
import { Effect, effectsOfFields, inPlaceKinds } from '../../rules/changes/effects';
import { Provider } from '../../rules/provider';

/** Kubernetes' Gateway API. */
export const GATEWAY_API: Provider = {
  name: 'gateway-api',
  title: 'Gateway API',
  kinds: [],
  rules: ROUTE_RULES,
  // kubernetes-sigs/gateway-api apis/v1/gateway_types.go, httproute_types.go: configuration of a data plane that is there; an implementation may make another
  // one for other fields of a Gateway.
  effects: {
    ...inPlaceKinds('gateway.networking.k8s.io', 'BackendTLSPolicy', 'GRPCRoute', 'HTTPRoute', 'ReferenceGrant', 'TCPRoute', 'TLSRoute', 'UDPRoute'),
    'gateway.networking.k8s.io/Gateway': effectsOfFields({ 'metadata': Effect.IN_PLACE, 'spec.listeners': { effect: Effect.IN_PLACE, word: 'listeners' } }),
  },
};
