import { kindsOfRole } from '../../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../../objects/manifest-object';
import { isKept } from '../../objects/prune-annotations';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { CLUSTER, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, POOL_KINDS } from '../../rules/cluster-api/cluster-api-kinds';
import { CLUSTER_PARTS, clusterYaml, poolYaml } from '../../rules/cluster-api/example-manifests';
import { DeliveryFacts } from '../../rules/delivery-facts';
import { documents, edited } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { referrersOf } from '../../rules/references/object-references';
import { DEFINITION } from '../../rules/structure/kind-definitions';
import { definedWidget } from '../../rules/structure/structure-rules';
import { namedControlPlane } from '../../systems/kamaji/rules/examples';
import { configTemplateYaml } from '../../systems/kubeadm/rules/kubeadm-spec';
import { deliveryFacts, providers } from '../../systems/providers';
import { stringAt } from '../../values/fields';

const CLUSTER_TEXT = clusterYaml(CLUSTER_PARTS);
const KEPT = { 'name: acme\n  namespace': 'name: acme\n  annotations:\n    kustomize.toolkit.fluxcd.io/prune: disabled\n  namespace' };
const POOL_TEXT = poolYaml({});
const BOOTSTRAP_TEXT = configTemplateYaml('preKubeadmCommands:\n  - sysctl -w vm.max_map_count=262144');
const NEXT = { 'acme-general': 'acme-general-2' };
const NEXT_POOL = edited(POOL_TEXT, { 'kind: KubeadmConfigTemplate\n          name: acme-general': 'kind: KubeadmConfigTemplate\n          name: acme-general-2' });

const IN_USE: TransitionRule = {
  id: 'TC-CHANGE-USED-REMOVED',
  title: 'An object that a Cluster, a pool or a control plane refers to must not be removed.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller_phases.go; fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (prune)',
  get kinds() { return [...kindsOfRole('cluster', 'controlPlane'), ...templates(), ...sharedKinds()]; },
  kindSuffix: 'MachineTemplate',
  trap: true,
  example: { before: documents(CLUSTER_TEXT, namedControlPlane('')), failing: CLUSTER_TEXT, corrected: documents(CLUSTER_TEXT, namedControlPlane('  replicas: 3\n')) },
  check: ({ before, after, now }) => {
    if (!before || after || isKept(before)) return [];
    const [user] = usersOf(before, now);
    return user ? [{ path: [], message: `it is gone, and ${objectName(user)} names it`, fix: 'put it back until nothing names it' }] : [];
  },
};

const PRUNED: TransitionRule = {
  id: 'TC-CHANGE-TEMPLATE-REMOVED',
  title: 'A template must stay until all machines made from it are replaced: a lost machine cannot be recreated otherwise.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_controller.go; fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (prune)',
  get kinds() { return templates(); },
  kindSuffix: 'MachineTemplate',
  warning: true,
  example: {
    before: documents(BOOTSTRAP_TEXT, POOL_TEXT),
    failing: documents(edited(BOOTSTRAP_TEXT, NEXT), NEXT_POOL),
    corrected: documents(BOOTSTRAP_TEXT, edited(BOOTSTRAP_TEXT, NEXT), NEXT_POOL),
  },
  check: ({ before, after, old, now }) => {
    if (!before || after || isKept(before) || usersOf(before, now).length > 0) return [];
    const user = usersOf(before, old).find((object) => now.find(groupKind(object), namespaceOf(object), nameOf(object)));
    return user ? [{
      path: [],
      message: `it is gone, and ${objectName(user)} names another one now`,
      fix: 'keep it until the machines are replaced, or mark it so that it is not pruned',
    }] : [];
  },
};

const OPERATOR_KINDS = ['CoreProvider', 'BootstrapProvider', 'ControlPlaneProvider', 'InfrastructureProvider', 'AddonProvider'].map((kind) => `operator.cluster.x-k8s.io/${kind}`);

const LEFT_BEHIND: TransitionRule = {
  id: 'TC-CHANGE-KEPT-REMOVED',
  title: 'An object that is kept on prune must be deleted by hand: it stays in the cluster unmanaged when it is not written any more.',
  source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (prune); argoproj/argo-cd docs/user-guide/sync-options.md; helm.sh/docs/howto/charts_tips_and_tricks',
  get kinds() {
    return [...kindsOfRole('cluster', 'controlPlane'), MACHINE_DEPLOYMENT, ...sharedKinds(), DEFINITION, '/Namespace', ...OPERATOR_KINDS];
  },
  warning: true,
  example: {
    before: documents(CLUSTER_TEXT, edited(namedControlPlane(''), KEPT)),
    failing: CLUSTER_TEXT,
    corrected: documents(CLUSTER_TEXT, edited(namedControlPlane('  replicas: 3\n'), KEPT)),
  },
  check: ({ before, after, old, now }) => {
    if (!before || after || !isKept(before)) return [];
    const clusters = [...usersOf(before, old), ...(before.kind === 'MachineDeployment' ? [old.find(CLUSTER, namespaceOf(before), stringAt(before, 'spec', 'clusterName'))] : [])]
      .filter((object): object is ManifestObject => object !== undefined);
    // Cluster API deletes what belongs to a Cluster that goes.
    if (clusters.length > 0 && clusters.every((cluster) => !now.find(CLUSTER, namespaceOf(cluster), nameOf(cluster)))) return [];
    return [{ path: [], message: 'it is gone, and is marked to stay in the cluster', fix: 'put it back, or delete it by hand once nothing needs it' }];
  },
};

/** Deliveries of folders of a management cluster. */
function folderDeliveries(index: ManifestIndex): { readonly delivery: ManifestObject; readonly facts: DeliveryFacts }[] {
  const kinds = [...new Set(providers().flatMap(({ deliveries = [] }) => deliveries).filter(({ folders }) => folders).map(({ kind }) => kind))];
  return kinds.flatMap((kind) => index.all(kind)).flatMap((delivery) => {
    const facts = deliveryFacts(delivery)!;
    return facts.folders!(delivery).length > 0 && !facts.isForTenant(delivery) ? [{ delivery, facts }] : [];
  });
}

const APPLICATION_TEXT = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: tenants, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc"}
  source: {repoURL: "https://git.example.com/fleet.git", path: tenants, targetRevision: main}
  syncPolicy:
    automated: {prune: true}
`;

const OWNED_STAYS: TransitionRule = {
  id: 'TC-CHANGE-OWNED-REMOVED',
  title: 'A pool or a health check that Argo CD has applied must be deleted by hand: it prunes nothing that has an owner, and Cluster API makes the Cluster its owner.',
  source: 'argoproj/argo-cd gitops-engine/pkg/cache/cluster.go (GetManagedLiveObjs), v3.6.0; kubernetes-sigs/cluster-api core/reconcilers/machinedeployment/machinedeployment_controller.go',
  kinds: [...POOL_KINDS, MACHINE_HEALTH_CHECK],
  warning: true,
  example: {
    before: documents(APPLICATION_TEXT, CLUSTER_TEXT, namedControlPlane(''), POOL_TEXT),
    failing: documents(APPLICATION_TEXT, CLUSTER_TEXT, namedControlPlane('')),
    corrected: documents(APPLICATION_TEXT, CLUSTER_TEXT, namedControlPlane(''), poolYaml({ spec: 'replicas: 0' })),
  },
  check: ({ before, after, now }) => {
    if (!before || after || isKept(before)) return [];
    if (!now.find(CLUSTER, namespaceOf(before), stringAt(before, 'spec', 'clusterName'))) return [];
    const deliveries = folderDeliveries(now);
    // It is not known which of several kinds of deliveries applied it.
    if (deliveries.length === 0 || !deliveries.every(({ facts }) => facts.leavesOwned)) return [];
    return [{
      path: [],
      message: `it is gone, and ${String(deliveries[0].delivery.kind)}s delete nothing that has an owner: it stays, and nothing updates it any more`,
      fix: 'delete it by hand once the commit is applied',
    }];
  },
};

const DEFINITION_GONE = removal({
  id: 'TC-CHANGE-DEFINITION-REMOVED',
  title: 'A CustomResourceDefinition must stay as long as its objects are needed: all of them are deleted with it.',
  source: 'kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions',
  kind: DEFINITION,
  text: definedWidget('{rule: self.least <= self.most}'),
  consequence: 'all objects of its kind are deleted, in every namespace',
});

const NAMESPACE_GONE = removal({
  id: 'TC-CHANGE-NAMESPACE-REMOVED',
  title: 'A Namespace must stay as long as its objects are needed: all of them are deleted at once, in no order.',
  source: 'kubernetes.io/docs/concepts/overview/working-with-objects/namespaces',
  kind: '/Namespace',
  text: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: tenant-acme\n',
  consequence: 'all that is in it is deleted, in no order',
});

const STORAGE_CLASS_GONE = removal({
  id: 'TC-CHANGE-STORAGE-CLASS-REMOVED',
  title: 'A StorageClass must not be removed while claims name it: new claims wait for ever, and existing volumes cannot grow.',
  source: 'kubernetes.io/docs/concepts/storage/storage-classes',
  kind: 'storage.k8s.io/StorageClass',
  text: 'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  name: fast\nprovisioner: csi.kubevirt.io\n',
  consequence: 'claims that name it wait for ever',
});

/** Rules for objects that are not written any more. */
export const REMOVALS: readonly TransitionRule[] = [IN_USE, PRUNED, LEFT_BEHIND, OWNED_STAYS, DEFINITION_GONE, NAMESPACE_GONE, STORAGE_CLASS_GONE];

interface Removal {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly kind: string;
  readonly text: string;
  readonly consequence: string;
}

/** A rule about an object whose removal deletes others. */
function removal({ id, title, source, kind, text, consequence }: Removal): TransitionRule {
  const service = 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: api\n  namespace: web\n';
  return {
    id,
    title,
    source,
    kinds: [kind],
    trap: true,
    example: { before: documents(text, service), failing: service, corrected: documents(text, edited(service, { 'name: api': 'name: web' })) },
    check: ({ before, after }) => (!before || after || isKept(before) ? [] : [{
      path: [], message: `it is gone: ${consequence}`, fix: 'put it back; if it is to go, silence this for the run that takes it away',
    }]),
  };
}

/** Kinds from which machines are made. */
function templates(): string[] {
  return kindsOfRole('machineTemplate', 'bootstrapTemplate');
}

/** Kinds whose objects are named in fields that only their provider knows. */
function sharedKinds(): string[] {
  return providers().flatMap(({ users = {} }) => Object.keys(users));
}

function usersOf(object: ManifestObject, index: ManifestIndex): ManifestObject[] {
  const users = providers().flatMap((provider) => provider.users?.[groupKind(object)]?.(object, index) ?? []);
  return [...referrersOf(object, index).map((referrer) => referrer.object), ...users];
}
