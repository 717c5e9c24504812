import { Rule } from '../../../manifests/values/problem';

/** Rules of a fleet. Each of its clusters has further rules. */
export const FLEET_RULES = {
  file: {
    id: 'TC-FLEET-FILE',
    title: 'A list of clusters must be a CSV file with a header, or a YAML or JSON file with a list of objects.',
    source: 'RFC 4180, yaml.org/spec/1.2.2',
  },
  column: {
    id: 'TC-FLEET-COLUMN',
    title: 'Column names must be unique, each row must have one cell per column, and each value of an entry must have one key.',
    source: 'RFC 4180, section 2',
  },
  missing: {
    id: 'TC-FLEET-MISSING',
    title: 'A cluster must have a name, and each value that its profile reads without a default.',
  },
  value: {
    id: 'TC-FLEET-VALUE',
    title: 'A value must have the type and the bounds that its profile reads it with.',
  },
  taken: {
    id: 'TC-FLEET-CLUSTER-TAKEN',
    title: 'The names of clusters must be unique in their namespace.',
  },
  profile: {
    id: 'TC-FLEET-PROFILE',
    title: 'The profile of a cluster must exist.',
  },
  ring: {
    id: 'TC-FLEET-RING',
    title: 'Names of rings must be unique, and the ring of a cluster must exist.',
  },
  version: {
    id: 'TC-FLEET-VERSION',
    title: 'A cluster must have a Kubernetes version, set by itself or by its ring.',
  },
  ringOrder: {
    id: 'TC-FLEET-RING-ORDER',
    title: 'A ring must not run a newer Kubernetes version, or a newer catalog of versions, than the ring before it. Only clusters of the first ring may run a newer Kubernetes than that ring.',
  },
  ringStep: {
    id: 'TC-FLEET-RING-STEP',
    title: 'A ring must be at most one minor release behind the ring before it, so that the ring before it already runs its next version.',
    source: 'kubernetes.io/releases/version-skew-policy (Kubernetes is upgraded one minor release at a time), '
      + 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go (refuses more)',
  },
  label: {
    id: 'TC-FLEET-LABEL',
    title: 'The label keys for region and ring must be valid, and regions and rings must be valid label values.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
  selector: {
    id: 'TC-FLEET-OVERRIDE',
    title: 'The profiles and rings of an override must exist.',
  },
  idle: {
    id: 'TC-FLEET-OVERRIDE-IDLE',
    title: 'An override must select at least one cluster.',
    warning: true,
  },
  unused: {
    id: 'TC-FLEET-UNUSED',
    title: 'A profile must read each value of a cluster, a ring or an override.',
    warning: true,
  },
  ranges: {
    id: 'TC-FLEET-RANGE-OVERLAP',
    title: 'The pod and Service ranges of clusters in one network must not overlap.',
    source: 'docs.cilium.io network/clustermesh (pod ranges of all clusters are unique)',
  },
  address: {
    id: 'TC-FLEET-ADDRESS-TAKEN',
    title: 'The address of an API server must be unique: host names and public addresses in the fleet, private addresses in their network.',
    source: 'RFC 1918, RFC 4193, RFC 6598 (addresses that are unique within one network only)',
  },
} satisfies Record<string, Rule>;
