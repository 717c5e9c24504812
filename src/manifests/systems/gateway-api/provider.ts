import { ROUTE_RULES } from './routes';
import { Provider } from '../../rules/provider';

/** Kubernetes' Gateway API. */
export const GATEWAY_API: Provider = {
  name: 'gateway-api',
  title: 'Gateway API',
  kinds: [],
  rules: ROUTE_RULES,
};
