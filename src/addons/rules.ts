import { Rule } from '../validation/problem';

/** What the addons of a cluster demand together. */
export const ADDON_RULES = {
  name: {
    id: 'TC-ADDON-NAME',
    title: 'The name of an addon is a DNS label: objects of the management cluster are named after it.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  nameTaken: {
    id: 'TC-ADDON-NAME-TAKEN',
    title: 'The addons of a cluster, and what they deliver, have different names.',
  },
  requirement: {
    id: 'TC-ADDON-REQUIREMENT',
    title: 'What an addon requires is brought by another addon of the cluster, or is there without one.',
  },
  after: {
    id: 'TC-ADDON-AFTER',
    title: 'The addons that an addon is installed after are in the same cluster.',
  },
  cycle: {
    id: 'TC-ADDON-CYCLE',
    title: 'No addon waits for itself.',
  },
  conflict: {
    id: 'TC-ADDON-CONFLICT',
    title: 'Addons that cannot be in one cluster are not.',
  },
  exclusive: {
    id: 'TC-ADDON-EXCLUSIVE',
    title: 'What a cluster can have only once, such as its pod network, is brought once.',
  },
  releaseTaken: {
    id: 'TC-ADDON-RELEASE-TAKEN',
    title: 'A Helm release, by name and namespace, is installed by one addon only.',
    source: 'helm.sh/docs/intro/using_helm (release names are unique within a namespace)',
  },
  namespaceLabels: {
    id: 'TC-ADDON-NAMESPACE-LABELS',
    title: 'Addons that share a namespace agree on its labels.',
  },
  manifest: {
    id: 'TC-ADDON-MANIFEST',
    title: 'A manifest file can be read, and holds Kubernetes objects with apiVersion, kind and metadata.name.',
  },
} satisfies Record<string, Rule>;
