import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { CLUSTER, CLUSTER_NAME_LABEL, MACHINE_POOL } from '../../rules/cluster-api/cluster-api-kinds';
import { documents, edited } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { referrersOf } from '../../rules/references/object-references';
import { stringAt } from '../../values/fields';

const NODE_POOL = 'infrastructure.cluster.x-k8s.io/AzureManagedMachinePool';
const SYSTEM = 'System';
const MODE = ['spec', 'mode'];

const CLUSTER_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: AzureManagedControlPlane, name: acme}
`;
const POOL_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureManagedMachinePool
metadata:
  name: system
  namespace: tenant-acme
  labels: {cluster.x-k8s.io/cluster-name: acme}
spec: {mode: System, sku: Standard_D2s_v3}
`;
const OTHER_POOL_TEXT = edited(POOL_TEXT, { 'name: system': 'name: workers' });

/** Rule for the pools that AKS runs its own pods on. */
export const LAST_SYSTEM_POOL: TransitionRule = {
  id: 'TC-CHANGE-AZURE-SYSTEM-POOL',
  title: 'The last pool of mode System cannot be removed, or get mode User, while its Cluster stays.',
  source: 'kubernetes-sigs/cluster-api-provider-azure internal/webhooks/azuremanagedmachinepool_webhook.go (ValidateUpdate, ValidateDelete), '
    + 'azuremanagedmachinepool_validation.go (validateLastSystemNodePool), v1.26.0',
  kinds: [NODE_POOL],
  example: {
    before: documents(CLUSTER_TEXT, POOL_TEXT),
    failing: documents(CLUSTER_TEXT, edited(POOL_TEXT, { 'mode: System': 'mode: User' })),
    corrected: documents(CLUSTER_TEXT, edited(POOL_TEXT, { 'mode: System': 'mode: User' }), OTHER_POOL_TEXT),
  },
  check: ({ before, after, old, now }) => {
    if (!before || stringAt(before, ...MODE) !== SYSTEM || (after && stringAt(after, ...MODE) === SYSTEM)) return [];
    const cluster = clusterName(before, old);
    if (cluster === undefined || !now.find(CLUSTER, namespaceOf(before), cluster) || hasSystemPool(cluster, namespaceOf(before), now)) return [];
    const words = after ? `${SYSTEM} -> ${stringAt(after, ...MODE) ?? 'no mode'} of the last pool of this mode` : `it is the last pool of the mode ${SYSTEM}`;
    return [{ path: after ? MODE : [], message: words, fix: `add another pool of the mode ${SYSTEM} in a commit before` }];
  },
};

function hasSystemPool(cluster: string, namespace: string | undefined, index: ManifestIndex): boolean {
  return index.all(NODE_POOL).filter((pool) => namespaceOf(pool) === namespace && stringAt(pool, ...MODE) === SYSTEM)
    .some((pool) => clusterName(pool, index) === cluster);
}

/** The Cluster of a pool: Cluster API labels what a MachinePool refers to. */
function clusterName(pool: ManifestObject, index: ManifestIndex): string | undefined {
  return stringAt(pool, 'metadata', 'labels', CLUSTER_NAME_LABEL) ?? stringAt(referrersOf(pool, index, MACHINE_POOL)[0]?.object, 'spec', 'clusterName');
}
