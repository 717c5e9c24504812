import { INGRESS_NGINX_ANNOTATIONS } from './annotation-names';
import { ANNOTATION_RULES } from './annotations';
import { Provider } from '../../rules/provider';

/** The controller of Ingresses with nginx. */
export const INGRESS_NGINX: Provider = {
  name: 'ingress-nginx',
  title: 'ingress-nginx',
  kinds: [],
  namespaces: { 'ingress-nginx': 'ingress-nginx runs there' },
  annotations: INGRESS_NGINX_ANNOTATIONS,
  rules: ANNOTATION_RULES,
};
