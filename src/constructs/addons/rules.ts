import { Rule } from '../../manifests/values/problem';

/** Rules of the addons of a cluster. */
export const ADDON_RULES = {
  dependency: {
    id: 'TC-ADDON-DEPENDENCY',
    title: 'What goes to a tenant depends on nothing that goes elsewhere: others apply that, in an order of their own.',
  },
  name: {
    id: 'TC-ADDON-NAME',
    title: 'The name of an addon must be a DNS label: objects of the management cluster are named after it.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/names',
  },
  nameTaken: {
    id: 'TC-ADDON-NAME-TAKEN',
    title: 'The names of a cluster\'s addons, and of their deliveries, must be unique.',
  },
  requirement: {
    id: 'TC-ADDON-REQUIREMENT',
    title: 'Another addon of the cluster must provide each capability that an addon requires, unless the cluster has it without an addon.',
  },
  after: {
    id: 'TC-ADDON-AFTER',
    title: 'The addons in after must be in the same cluster.',
  },
  cycle: {
    id: 'TC-ADDON-CYCLE',
    title: 'Addon dependencies must not form a cycle.',
  },
  conflict: {
    id: 'TC-ADDON-CONFLICT',
    title: 'Conflicting addons must not be in the same cluster.',
  },
  exclusive: {
    id: 'TC-ADDON-EXCLUSIVE',
    title: 'Only one addon may provide an exclusive capability, such as the pod network.',
  },
  releaseTaken: {
    id: 'TC-ADDON-RELEASE-TAKEN',
    title: 'Only one addon may install a Helm release, by name and namespace.',
    source: 'helm.sh/docs/intro/using_helm (release names are unique within a namespace)',
  },
  namespaceLabels: {
    id: 'TC-ADDON-NAMESPACE-LABELS',
    title: 'Addons that share a namespace must agree on its labels.',
  },
  late: {
    id: 'TC-ADDON-LATE',
    title: 'An addon makes its objects in bind: what is delivered is decided there.',
  },
  manifest: {
    id: 'TC-ADDON-MANIFEST',
    title: 'A manifest file must be readable, and contain Kubernetes objects with apiVersion, kind and metadata.name.',
  },
} satisfies Record<string, Rule>;
