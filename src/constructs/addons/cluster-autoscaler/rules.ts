import { Rule } from '../../../manifests/values/problem';

const OPTIONS = 'kubernetes/autoscaler cluster-autoscaler/FAQ.md';

/** Rules of the cluster autoscaler's options. */
export const AUTOSCALER_RULES = {
  duration: {
    id: 'TC-AUTOSCALER-DURATION',
    title: 'Times of the autoscaler must fit into 64 bits. Times in seconds must be whole seconds, and the scan interval must be positive.',
    source: OPTIONS,
  },
  share: {
    id: 'TC-AUTOSCALER-SHARE',
    title: 'Thresholds of utilization must be between 0 and 1.',
    source: OPTIONS,
  },
  count: {
    id: 'TC-AUTOSCALER-COUNT',
    title: 'Numbers of nodes, of requests per second and of parallel actions must be whole numbers, and fit into 32 bits.',
    source: OPTIONS,
  },
  expander: {
    id: 'TC-AUTOSCALER-EXPANDER',
    title: 'Expanders must be unique, and none may follow random, which leaves only one pool.',
    source: 'kubernetes/autoscaler cluster-autoscaler/expander/factory/expander_factory.go',
  },
  ignoredLabel: {
    id: 'TC-AUTOSCALER-IGNORED-LABEL',
    title: 'Labels to ignore in the comparison of pools must be label keys, and need balanceSimilarNodeGroups.',
    source: 'kubernetes/autoscaler cluster-autoscaler/processors/nodegroupset/compare_nodegroups.go',
  },
  providers: {
    id: 'TC-AUTOSCALER-PROVIDERS',
    title: 'An autoscaler before 1.35.1 needs a management cluster with one infrastructure provider, or with providers that prefer the same API version.',
    source: 'kubernetes/autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_unstructured.go (readInfrastructureReferenceResource), '
      + 'cluster-autoscaler-1.34.5 and 1.35.1; kubernetes/autoscaler issue 6490',
    warning: true,
  },
} satisfies Record<string, Rule>;
