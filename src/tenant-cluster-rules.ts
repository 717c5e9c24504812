import { Rule } from './validation/problem';

/** What a tenant cluster as a whole demands. */
export const CLUSTER_RULES = {
  name: {
    id: 'TC-CLUSTER-NAME',
    title: 'The name of a cluster is a DNS label that starts with a letter: its Services and Secrets are named after it.',
    source: 'clastix/kamaji internal/webhook/handlers/tcp_name.go',
  },
  nameTaken: {
    id: 'TC-CLUSTER-NAME-TAKEN',
    title: 'Two clusters of one namespace have different names.',
  },
  namespace: {
    id: 'TC-CLUSTER-NAMESPACE',
    title: 'The namespace is a DNS label.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  namespaceTaken: {
    id: 'TC-CLUSTER-NAMESPACE-TAKEN',
    title: 'A Namespace object is made by one cluster only.',
  },
  version: {
    id: 'TC-CLUSTER-VERSION',
    title: 'The Kubernetes version is a full version of a minor release that the library knows.',
    source: 'kubernetes-sigs/cluster-api core/webhooks/admission/cluster.go',
  },
  label: {
    id: 'TC-CLUSTER-LABEL',
    title: 'Labels and annotations are valid, and none is one that the library sets.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
} satisfies Record<string, Rule>;
