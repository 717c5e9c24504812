import { knownKind } from '../objects/known-kinds';
import { ManifestObject, namespaceOf } from '../objects/manifest-object';
import { isCloudController } from '../rules/changes/controller-changes';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { documents, replaced } from '../rules/example-text';
import { missingRightsFindings, Rights } from '../rules/granted-rights';
import { TargetCluster } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS, podOf } from '../rules/pod-objects';
import { argumentOf, Program, runningPrograms } from '../rules/programs';
import { partReference } from '../rules/references/object-references';
import { Fields, objectsAt } from '../values/fields';

/** Flags with which it reaches a cluster by other rights than those of its ServiceAccount. */
const ELSEWHERE: readonly string[] = ['kubeconfig', 'master', 'authentication-kubeconfig'];

/** Rights that its part for nodes needs, in any cloud. */
const NEEDED: readonly Rights[] = [
  { group: '', resource: 'nodes', verbs: ['list', 'watch', 'patch'], purpose: 'to initialize nodes, which keep their taint otherwise' },
];

const RIGHTS_TEXT = documents(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: cloud-controller-manager
rules:
  - apiGroups: [""]
    resources: [nodes]
    verbs: [get, list, watch, patch]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [get, create, update]
`, `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: cloud-controller-manager
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cloud-controller-manager}
subjects:
  - {kind: ServiceAccount, name: cloud-controller-manager, namespace: kube-system}
`, `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: vultr-ccm
  namespace: kube-system
spec:
  selector:
    matchLabels: {app: vultr-ccm}
  template:
    metadata:
      labels: {app: vultr-ccm}
    spec:
      serviceAccountName: cloud-controller-manager
      tolerations: [{key: node.cloudprovider.kubernetes.io/uninitialized, value: "true", effect: NoSchedule}]
      containers:
        - name: manager
          image: vultr/vultr-cloud-controller-manager:v0.14.0
          command: [/vultr-cloud-controller-manager, --cloud-provider=vultr]
`);

const rights: ManifestRule = {
  id: 'TC-TRAP-CLOUD-CONTROLLER-RIGHTS',
  title: 'A cloud controller manager must be allowed to list, watch and patch nodes, and to hold its lease unless it elects no leader: nodes stay uninitialized otherwise.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/cloud-provider/controllers/node/node_controller.go, node/helpers/taints.go (PatchNodeTaints), app/controllermanager.go (leaderElectAndRun), v1.37.2',
  kinds: POD_KINDS,
  trap: true,
  example: replaced(RIGHTS_TEXT, '[get, list, watch, patch]', '[get, list, watch]'),
  check: (object, index) => {
    const [program] = ownControllers(object);
    return program ? missingRightsFindings(object, [...NEEDED, ...leaseRights(program)], index) : [];
  },
};

/** Rights for the lease by which it elects a leader, as it does by default. */
function leaseRights(program: Program): Rights[] {
  if (argumentOf(program, 'leader-elect')?.value === 'false') return [];
  const namespace = argumentOf(program, 'leader-elect-resource-namespace')?.value ?? 'kube-system';
  return [{ group: 'coordination.k8s.io', resource: 'leases', verbs: ['get', 'create', 'update'], namespace, purpose: 'to elect a leader' }];
}

/** The taint of nodes that wait for a cloud controller manager, and that of nodes that wait for Cluster API, which waits for the former. */
const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';
const NOT_SET_UP = 'node.cluster.x-k8s.io/uninitialized';
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

const tolerations: ManifestRule = {
  id: 'TC-TRAP-CLOUD-CONTROLLER-TOLERATION',
  title: 'A cloud controller manager must tolerate the taints of nodes that wait for it: it waits for a node, and all nodes wait for it otherwise.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/cloud-provider/api/well_known_taints.go; kubernetes-sigs/cluster-api issue 8357, '
    + 'api/core/v1beta2/common_types.go (NodeUninitializedTaint), bootstrap/kubeadm/reconcilers/kubeadmconfig/kubeadmconfig_controller.go (joinWorker)',
  // A Pod by itself is the file of a static pod, for which taints do not count.
  kinds: POD_KINDS.filter((kind) => kind !== '/Pod'),
  trap: true,
  example: replaced(RIGHTS_TEXT, `      tolerations: [{key: ${UNINITIALIZED}, value: "true", effect: NoSchedule}]\n`, ''),
  check: (object, { target }) => {
    if (ownControllers(object).length === 0) return [];
    const { spec, specPath } = podOf(object)!;
    const list = objectsAt(spec, 'tolerations').map(([toleration]) => toleration);
    const taints = [UNINITIALIZED, ...target && !startsOnControlPlane(list, target) ? [NOT_SET_UP] : []];
    return taints.filter((taint) => !list.some((one) => tolerates(one, taint))).map((taint) => ({
      path: [...specPath, 'tolerations'],
      message: `it does not tolerate ${taint}, which each new node has until it runs`,
      fix: `add {key: ${taint}, operator: Exists, effect: NoSchedule}`,
    }));
  },
};

/**
 * True if pods with these tolerations may start on the machines of a control plane, which get no taint of Cluster API, and if the cluster has such machines,
 * or may have them.
 */
function startsOnControlPlane(tolerated: readonly Fields[], { management, namespace, name }: TargetCluster): boolean {
  if (!tolerated.some((one) => tolerates(one, CONTROL_PLANE))) return false;
  const cluster = management.find(CLUSTER, namespace, name);
  return !cluster || knownKind(partReference(cluster, 'controlPlaneRef')?.kind ?? '')?.hosted !== true;
}

/** True if a toleration is for a taint that keeps pods away. That of nodes that wait for a cloud controller manager has the value "true", others have none. */
function tolerates({ key, operator, effect, value = '' }: Fields, taint: string): boolean {
  const isForKey = key === taint ? operator === 'Exists' || value === (taint === UNINITIALIZED ? 'true' : '') : (key === undefined || key === '') && operator === 'Exists';
  return isForKey && (effect === undefined || effect === '' || effect === 'NoSchedule');
}

/** The cloud controller managers that work with the rights of their own ServiceAccount, and on nodes; those of tenants may run beside their control planes. */
function ownControllers(object: ManifestObject): readonly Program[] {
  return namespaceOf(object) !== 'kube-system' ? [] : runningPrograms(object).filter((program) => isCloudController(program) && program.isComplete
    && !ELSEWHERE.some((flag) => argumentOf(program, flag) !== undefined) && argumentOf(program, 'controllers') === undefined);
}

/** Rules over the rights and the nodes of cloud controller managers. */
export const CLOUD_CONTROLLERS: readonly ManifestRule[] = [rights, tolerations];
