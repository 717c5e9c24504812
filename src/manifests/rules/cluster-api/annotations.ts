import { CLUSTER, KUBEADM_CONTROL_PLANE, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api-kinds';
import { AnnotationFact, oneOfForm, SystemAnnotations, WHOLE_NUMBER_FORM } from '../annotation-facts';

/** A pool in the topology of a Cluster, of which the topology controller reads annotations itself. */
export const TOPOLOGY_POOL = 'topology/pool of a topology';

const EXTENSION_CONFIG = 'runtime.cluster.x-k8s.io/ExtensionConfig';
const API = 'kubernetes-sigs/cluster-api api/core/v1beta2/{common,machine,machinedeployment,machinedrainrules}_types.go';

/** Annotations that a user writes; all that only controllers write come after them. */
const WRITTEN: readonly AnnotationFact[] = [
  { key: 'cluster.x-k8s.io/paused', kinds: ['*'], presence: true, inMachineTemplate: 'each new machine is paused from the start, and never becomes a node' },
  {
    key: 'cluster.x-k8s.io/remediate-machine',
    kinds: [MACHINE],
    presence: true,
    inMachineTemplate: 'each machine counts as unhealthy, so that a health check replaces all of them, without end',
  },
  { key: 'cluster.x-k8s.io/delete-machine', kinds: [MACHINE], presence: true },
  { key: 'cluster.x-k8s.io/skip-remediation', kinds: [MACHINE], presence: true },
  { key: 'cluster.x-k8s.io/disable-machine-create', kinds: [MACHINE_SET] },
  { key: 'cluster.x-k8s.io/managed-by', kinds: ['*'], presence: true },
  { key: 'cluster.x-k8s.io/replicas-managed-by', kinds: [MACHINE_POOL] },
  { key: 'machine.cluster.x-k8s.io/exclude-node-draining', kinds: [MACHINE], presence: true },
  { key: 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach', kinds: [MACHINE], presence: true },
  { key: 'machineset.cluster.x-k8s.io/skip-preflight-checks', kinds: [MACHINE_SET, 'bootstrap.cluster.x-k8s.io/'] },
  { key: 'controlplane.cluster.x-k8s.io/skip-coredns', kinds: [KUBEADM_CONTROL_PLANE], presence: true },
  { key: 'controlplane.cluster.x-k8s.io/skip-kube-proxy', kinds: [KUBEADM_CONTROL_PLANE], presence: true },
  { key: 'topology.cluster.x-k8s.io/defer-upgrade', kinds: [TOPOLOGY_POOL], presence: true },
  { key: 'topology.cluster.x-k8s.io/hold-upgrade-sequence', kinds: [TOPOLOGY_POOL], presence: true },
  { key: 'topology.cluster.x-k8s.io/upgrade-concurrency', kinds: [CLUSTER] },
  { key: 'unsafe.topology.cluster.x-k8s.io/disable-update-class-name-check', kinds: [CLUSTER], presence: true },
  { key: 'unsafe.topology.cluster.x-k8s.io/disable-update-version-check', kinds: [CLUSTER], presence: true },
  { key: 'runtime.cluster.x-k8s.io/inject-ca-from-secret', kinds: [EXTENSION_CONFIG], form: { accepted: 'namespace/name of a Secret', fits: (value) => /^[^/\s]+\/[^/\s]+$/.test(value) } },
  { key: 'runtime.cluster.x-k8s.io/ok-to-delete', kinds: [CLUSTER], presence: true },
  { key: 'clusterctl.cluster.x-k8s.io/block-move', kinds: ['*'], presence: true },
  { key: 'clusterctl.cluster.x-k8s.io/delete-for-move', kinds: ['*'], presence: true },
  { key: 'clusterctl.cluster.x-k8s.io/skip-crd-name-preflight-check', kinds: ['*'] },
  { key: 'pre-drain.delete.hook.machine.cluster.x-k8s.io/', kinds: [MACHINE] },
  { key: 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/', kinds: [MACHINE] },
  { key: 'before-upgrade.hook.cluster.cluster.x-k8s.io/', kinds: [CLUSTER] },
  { key: 'cluster.x-k8s.io/watch-filter', isLabel: true, kinds: ['*'] },
  { key: 'cluster.x-k8s.io/interruptible', isLabel: true, kinds: ['*'] },
  { key: 'cluster.x-k8s.io/drain', isLabel: true, kinds: ['/Pod'], form: oneOfForm(['skip', 'wait-completed', 'waitCompleted'], true) },
  { key: 'clusterctl.cluster.x-k8s.io/move', isLabel: true, kinds: ['*'] },
  { key: 'clusterctl.cluster.x-k8s.io/move-hierarchy', isLabel: true, kinds: ['*'] },
  { key: 'machinedeployment.clusters.x-k8s.io/revision', kinds: [MACHINE_DEPLOYMENT, MACHINE_SET], form: WHOLE_NUMBER_FORM },
];

/** Keys that controllers write, which manifests of `kubectl get` have, too. */
const GENERATED: readonly string[] = [
  'cluster.x-k8s.io/annotations-from-machine', 'cluster.x-k8s.io/cloned-from-groupkind', 'cluster.x-k8s.io/cloned-from-name', 'cluster.x-k8s.io/cluster-name',
  'cluster.x-k8s.io/cluster-namespace', 'cluster.x-k8s.io/control-plane', 'cluster.x-k8s.io/control-plane-name', 'cluster.x-k8s.io/conversion-data',
  'cluster.x-k8s.io/deployment-name', 'cluster.x-k8s.io/labels-from-machine', 'cluster.x-k8s.io/machine', 'cluster.x-k8s.io/owner-kind',
  'cluster.x-k8s.io/owner-name', 'cluster.x-k8s.io/pool-name', 'cluster.x-k8s.io/provider', 'cluster.x-k8s.io/set-name', 'cluster.x-k8s.io/taints-from-machine',
  'clusterctl.cluster.x-k8s.io/core', 'controlplane.cluster.x-k8s.io/kubeadm-cluster-configuration', 'controlplane.cluster.x-k8s.io/remediation-for',
  'controlplane.cluster.x-k8s.io/remediation-in-progress', 'machine.cluster.x-k8s.io/certificates-expiry', 'runtime.cluster.x-k8s.io/pending-hooks',
  'machinedeployment.clusters.x-k8s.io/desired-replicas', 'machinedeployment.clusters.x-k8s.io/max-replicas', 'topology.cluster.x-k8s.io/deployment-name',
  'topology.cluster.x-k8s.io/dry-run', 'topology.cluster.x-k8s.io/owned', 'topology.cluster.x-k8s.io/pool-name',
];

/** Labels and annotations of Cluster API's own controllers and of clusterctl. */
export const CLUSTER_API_ANNOTATIONS: SystemAnnotations = {
  reader: 'Cluster API',
  owned: ['clusterctl.cluster.x-k8s.io/', 'machine.cluster.x-k8s.io/', 'machineset.cluster.x-k8s.io/', 'topology.cluster.x-k8s.io/', 'unsafe.topology.cluster.x-k8s.io/'],
  facts: [...WRITTEN, ...GENERATED.map((key): AnnotationFact => ({ key, isLabel: 'both', kinds: ['*'] }))],
  source: `${API}, api/runtime/v1beta2/extensionconfig_types.go, api/controlplane/kubeadm/v1beta2/kubeadm_control_plane_types.go, `
    + 'cmd/clusterctl/api/v1alpha3/{annotations,labels}.go, util/annotations/helpers.go, v1.14.2',
};
