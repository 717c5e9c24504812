import { Rule } from '../../validation/problem';

const OPTIONS = 'kubernetes/autoscaler cluster-autoscaler/FAQ.md';

/** What the cluster autoscaler demands of its options. */
export const AUTOSCALER_RULES = {
  duration: {
    id: 'TC-AUTOSCALER-DURATION',
    title: 'Times of the autoscaler fit into 64 bits; those that it counts in seconds are whole seconds, and its loop takes a break.',
    source: OPTIONS,
  },
  share: {
    id: 'TC-AUTOSCALER-SHARE',
    title: 'Thresholds of utilization are shares between 0 and 1.',
    source: OPTIONS,
  },
  count: {
    id: 'TC-AUTOSCALER-COUNT',
    title: 'Numbers of nodes, of requests a second and of things that happen at once are whole, and in 32 bits.',
    source: OPTIONS,
  },
  expander: {
    id: 'TC-AUTOSCALER-EXPANDER',
    title: 'Each expander is there once, and none comes after random, which leaves it nothing to choose.',
    source: 'kubernetes/autoscaler cluster-autoscaler/expander/factory/expander_factory.go',
  },
  ignoredLabel: {
    id: 'TC-AUTOSCALER-IGNORED-LABEL',
    title: 'Labels that do not count when pools are compared are label keys, and pools are compared only to be balanced.',
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
