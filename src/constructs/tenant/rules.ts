import { Rule } from '../../manifests/values/problem';

/** What a tenant cluster as a whole demands. */
export const CLUSTER_RULES = {
  foreignObject: {
    id: 'TC-CLUSTER-FOREIGN-OBJECT',
    title: 'Objects for the tenant are put into its workloads, and others of the management cluster into a chart of their own: directly below a cluster '
      + 'they would be written beside its control plane.',
  },
  inTenant: {
    id: 'TC-CLUSTER-IN-TENANT',
    title: 'A cluster is not put into the workloads of another one, where no Cluster API takes it.',
  },
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
  systemNamespace: {
    id: 'TC-CLUSTER-SYSTEM-NAMESPACE',
    title: 'A tenant must not have a namespace of Kubernetes or of a component of the management cluster: its policies, quotas and rights hold for all of it.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/namespaces (prefix kube-); the manifests of the components',
  },
  namespaceTaken: {
    id: 'TC-CLUSTER-NAMESPACE-TAKEN',
    title: 'A Namespace object is made by one cluster only.',
  },
  namespaceLabels: {
    id: 'TC-CLUSTER-NAMESPACE-LABELS',
    title: 'Labels of the Namespace object are given to the cluster that makes it.',
  },
  resource: {
    id: 'TC-CLUSTER-RESOURCE',
    title: 'The objects of control plane and infrastructure have the name and namespace of the cluster, and the kind that their strategy says.',
    source: 'kubernetes-sigs/cluster-api api/core/v1beta2/cluster_types.go (references to objects of the own namespace), docs/book/src/developer/providers/contracts',
  },
  catalog: {
    id: 'TC-CLUSTER-CATALOG',
    title: 'A cluster names a catalog of versions that this release of the library carries: the newest, or one of those before it.',
  },
  newerVersion: {
    id: 'TC-CLUSTER-VERSION-NEWER',
    title: 'A Kubernetes version that is newer than those that the library knows works as far as nothing has changed: its flags and gates are not checked.',
    warning: true,
  },
  version: {
    id: 'TC-CLUSTER-VERSION',
    title: 'The Kubernetes version is a full version of a minor release that the library knows.',
    source: 'kubernetes-sigs/cluster-api core/webhooks/admission/cluster.go',
  },
  label: {
    id: 'TC-CLUSTER-LABEL',
    title: 'Labels and annotations are valid, and none belongs to the library, to Kubernetes or to a controller.',
    source: 'kubernetes.io/docs/concepts/overview/working-with-objects/labels',
  },
  delivery: {
    id: 'TC-CLUSTER-DELIVERY',
    title: 'A cluster with a pod network, addons or workloads says how they reach it.',
  },
  cni: {
    id: 'TC-CLUSTER-CNI',
    title: 'A pod network is given to the cluster as its cni: control plane and addons follow from it.',
  },
  decommissionPaused: {
    id: 'TC-CLUSTER-DECOMMISSION-PAUSED',
    title: 'A cluster that is taken down is not paused: Cluster API does not delete a paused one.',
    source: 'kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller.go',
  },
  hibernationPaused: {
    id: 'TC-CLUSTER-HIBERNATION-PAUSED',
    title: 'A cluster that sleeps must not be paused: Cluster API deletes no machines of a paused cluster.',
    source: 'kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_controller.go',
  },
  hibernationControlPlane: {
    id: 'TC-CLUSTER-HIBERNATION-CONTROL-PLANE',
    title: 'Only a control plane that stops without replicas can sleep; a KubeadmControlPlane must have machines.',
    source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go (replicas)',
  },
  freezeReason: {
    id: 'TC-CLUSTER-FREEZE-REASON',
    title: 'A frozen cluster or pool has a reason.',
  },
  frozen: {
    id: 'TC-CLUSTER-FROZEN',
    title: 'Nothing changes of a frozen cluster or pool: the plan shows nothing for it.',
  },
  freezeApp: {
    id: 'TC-CLUSTER-FREEZE-APP',
    title: 'A frozen cluster or pool is written by a GitOpsApp, which compares it with what was written before.',
    warning: true,
  },
  manifestApp: {
    id: 'TC-CLUSTER-MANIFEST-APP',
    title: 'Manifests that are read from a repository are written there: by a GitOpsApp.',
  },
} satisfies Record<string, Rule>;
