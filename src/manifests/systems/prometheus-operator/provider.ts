import { MONITORS } from './monitors';
import { SELECTING, STACK } from './selecting';
import { inPlaceKinds } from '../../rules/changes/effects';
import { ImageFacts, wholeNames } from '../../rules/image-facts';
import { Provider } from '../../rules/provider';

const KINDS: readonly string[] = ['Alertmanager', 'Prometheus', 'PrometheusAgent', 'ThanosRuler'];

const IMAGES: ImageFacts = {
  fields: (object) => wholeNames(
    object, 'spec/image', 'spec/thanos/image', 'spec/containers/*/image', 'spec/initContainers/*/image', 'spec/ephemeralContainers/*/image',
  ),
};

/** The operator of Prometheus. */
export const PROMETHEUS_OPERATOR: Provider = {
  name: 'prometheus-operator',
  title: 'Prometheus operator',
  kinds: [],
  rules: [...MONITORS, ...SELECTING],
  chartRules: [STACK],
  // prometheus-operator/prometheus-operator pkg/prometheus/server/operator.go (sync), v0.93.0: they become configuration, which the running programs load anew.
  effects: inPlaceKinds('monitoring.coreos.com', 'AlertmanagerConfig', 'PodMonitor', 'Probe', 'PrometheusRule', 'ScrapeConfig', 'ServiceMonitor'),
  images: Object.fromEntries(KINDS.map((kind) => [`monitoring.coreos.com/${kind}`, IMAGES])),
};
