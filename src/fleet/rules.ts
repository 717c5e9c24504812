import { Rule } from '../validation/problem';

/** What is demanded of a fleet, beside what each of its clusters demands. */
export const FLEET_RULES = {
  file: {
    id: 'TC-FLEET-FILE',
    title: 'A list of clusters is a CSV file with a header, or a YAML or JSON file with a list of maps.',
    source: 'RFC 4180, yaml.org/spec/1.2.2',
  },
  column: {
    id: 'TC-FLEET-COLUMN',
    title: 'Each column of a list has a name of its own, each row a cell for each column, and each value of an entry one key.',
    source: 'RFC 4180, section 2',
  },
  missing: {
    id: 'TC-FLEET-MISSING',
    title: 'A cluster has a name, and every value that its profile asks for without a default.',
  },
  value: {
    id: 'TC-FLEET-VALUE',
    title: 'A value is of the kind, and within the bounds, that it is read with.',
  },
  taken: {
    id: 'TC-FLEET-CLUSTER-TAKEN',
    title: 'Each cluster of a namespace is in the list once.',
  },
  profile: {
    id: 'TC-FLEET-PROFILE',
    title: 'A cluster has one of the profiles that there are.',
  },
  ring: {
    id: 'TC-FLEET-RING',
    title: 'Rings have names of their own, and a cluster is in one of those that there are.',
  },
  version: {
    id: 'TC-FLEET-VERSION',
    title: 'A cluster has a Kubernetes version, of its own or of its ring.',
  },
  ringOrder: {
    id: 'TC-FLEET-RING-ORDER',
    title: 'A ring runs no newer Kubernetes than the ring before it, and no cluster a newer one than the first ring, unless it is in the first ring itself.',
  },
  ringStep: {
    id: 'TC-FLEET-RING-STEP',
    title: 'A ring is at most one minor release behind the ring before it: what it is raised to next is then what that one runs.',
    source: 'kubernetes.io/releases/version-skew-policy (Kubernetes is upgraded one minor release at a time), '
      + 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go (refuses more)',
  },
  label: {
    id: 'TC-FLEET-LABEL',
    title: 'Labels for region and ring have the key of a label, and regions and rings can be the value of one.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
  selector: {
    id: 'TC-FLEET-OVERRIDE',
    title: 'An override names profiles and rings that there are.',
  },
  idle: {
    id: 'TC-FLEET-OVERRIDE-IDLE',
    title: 'An override is for at least one cluster.',
    warning: true,
  },
  unused: {
    id: 'TC-FLEET-UNUSED',
    title: 'A value of a cluster, a ring or an override is read by somebody.',
    warning: true,
  },
  ranges: {
    id: 'TC-FLEET-RANGE-OVERLAP',
    title: 'Clusters of one network have no address of pods or Services in common.',
    source: 'docs.cilium.io network/clustermesh (pod ranges of all clusters are unique)',
  },
  address: {
    id: 'TC-FLEET-ADDRESS-TAKEN',
    title: 'An address of an API server belongs to one cluster: host names and public addresses everywhere, private addresses within a network.',
    source: 'RFC 1918, RFC 4193, RFC 6598 (addresses that are unique within one network only)',
  },
} satisfies Record<string, Rule>;
