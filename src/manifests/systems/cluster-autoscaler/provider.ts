import { AUTOSCALER_ANNOTATIONS } from './annotations';
import { AUTOSCALER_CHANGES } from './rules/autoscaler-changes';
import { AUTOSCALER_CLUSTERS } from './rules/autoscaler-clusters';
import { AUTOSCALER_CAPACITY } from './rules/capacity';
import { AUTOSCALER_CHART } from './rules/chart-values';
import { AUTOSCALER_RIGHTS } from './rules/rights';
import { Provider } from '../../rules/provider';

/** The cluster autoscaler. */
export const CLUSTER_AUTOSCALER: Provider = {
  name: 'cluster-autoscaler',
  title: 'Cluster autoscaler',
  kinds: [],
  rules: [...AUTOSCALER_CLUSTERS, ...AUTOSCALER_CAPACITY, ...AUTOSCALER_RIGHTS],
  chartRules: AUTOSCALER_CHART,
  changes: AUTOSCALER_CHANGES,
  annotations: AUTOSCALER_ANNOTATIONS,
  managers: [
    {
      name: 'cluster-autoscaler',
      role: 'autoscaler',
      title: 'the cluster autoscaler',
      source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_unstructured.go (SetSize)',
    },
  ],
};
