import { ImageFacts, wholeNames } from '../../rules/images/image-facts';
import { Provider } from '../../rules/provider';

const KINDS: readonly string[] = ['Alertmanager', 'Prometheus', 'PrometheusAgent', 'ThanosRuler'].map((kind) => `monitoring.coreos.com/${kind}`);

const IMAGES: ImageFacts = {
  fields: (object) => wholeNames(object, ...['image', 'thanos/image', 'containers/*/image', 'initContainers/*/image', 'ephemeralContainers/*/image'].map((field) => `spec/${field}`)),
};

/** The operator of Prometheus. */
export const PROMETHEUS_OPERATOR: Provider = {
  name: 'prometheus-operator',
  title: 'Prometheus operator',
  kinds: [],
  images: Object.fromEntries(KINDS.map((kind) => [kind, IMAGES])),
};
