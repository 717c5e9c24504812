import { kindsWhere } from '../../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../../objects/manifest-object';
import { isKept } from '../../objects/prune-annotations';
import { ManifestChange, TransitionRule } from '../../rules/changes/transition-rule';
import { CLUSTER, CLUSTER_NAME_LABEL, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL } from '../../rules/cluster-api/cluster-api-kinds';
import { CLUSTER_PARTS, clusterYaml, poolYaml } from '../../rules/cluster-api/example-manifests';
import { clusterKinds, isCluster } from '../../rules/cluster-api/whole-clusters';
import { documents, edited } from '../../rules/example-text';
import { Lookup, ManifestIndex } from '../../rules/manifest-index';
import { partOf } from '../../rules/references/object-references';
import { namedControlPlane } from '../../systems/kamaji/rules/examples';
import { deliveryFacts } from '../../systems/providers';
import { listAt, objectsAt, stringAt } from '../../values/fields';

const RECONCILER = 'kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller.go';
const PARTS = ['controlPlaneRef', 'infrastructureRef'] as const;
const AUTOSCALER_ARGUMENT = '--cloud-provider=clusterapi';
const MOST_NAMES = 3;

const CLUSTER_TEXT = clusterYaml(CLUSTER_PARTS);
const OTHER = edited(CLUSTER_TEXT, { 'name: acme\n  namespace': 'name: acme-prod\n  namespace' });
const POOL_TEXT = poolYaml({});
const NAMESPACE_TEXT = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: tenant-acme\n';

const CONTROLLER_TEXT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: acme-cloud-controller-manager
  namespace: tenant-acme
  labels:
    cluster.x-k8s.io/cluster-name: acme
spec:
  selector:
    matchLabels:
      app: acme-cloud-controller-manager
  template:
    metadata:
      labels:
        app: acme-cloud-controller-manager
    spec:
      containers:
        - name: manager
          image: registry.example.com/cloud-controller-manager:1.0.0
`;

const BY_NAMESPACE = new Lookup(clusterKinds, (cluster) => [namespaceOf(cluster)]);
const BY_NAME = new Lookup(clusterKinds, (cluster) => [nameOf(cluster)]);

const MOVED: TransitionRule = {
  id: 'TC-CHANGE-CLUSTER-MOVED',
  title: 'Name and namespace of a Cluster, or of a control plane that is one by itself, must not change: the result is a new one with its own machines and data.',
  source: RECONCILER,
  get kinds() { return clusterKinds(); },
  trap: true,
  example: { before: CLUSTER_TEXT, failing: OTHER, corrected: documents(CLUSTER_TEXT, OTHER) },
  check: (change) => {
    const heir = heirOf(change);
    return heir ? [{
      path: [],
      message: `it is gone, and ${objectName(heir)} is new: ${groupKind(heir) === CLUSTER ? 'all machines' : 'the data'} of the one are deleted, and the other begins with nothing`,
      fix: 'put it back; move what runs to the new one before the old one goes',
    }] : [];
  },
};

const MEMBERS = new Lookup([MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_HEALTH_CHECK], (member) => [namespaceOf(member), stringAt(member, 'spec', 'clusterName')]);

const LEFT: TransitionRule = {
  id: 'TC-CHANGE-CLUSTER-LEFT',
  title: 'The pools, control plane and infrastructure object of a Cluster must be removed together with it: objects that are applied again meanwhile are never deleted.',
  source: `${RECONCILER}, core/reconcilers/machinedeployment/machinedeployment_controller.go`,
  kinds: [CLUSTER],
  trap: true,
  example: {
    before: documents(CLUSTER_TEXT, POOL_TEXT, NAMESPACE_TEXT), failing: documents(POOL_TEXT, NAMESPACE_TEXT), corrected: NAMESPACE_TEXT,
  },
  check: (change) => {
    const { before, now } = change;
    if (!before || change.after || heirOf(change)) return [];
    const parts = partsOf(before, now);
    return found([...MEMBERS.find(now, namespaceOf(before), nameOf(before)), ...parts], (names) => ({
      message: `it is gone, and ${names} still there`, fix: 'leave them out as well, or put the Cluster back; TenantCluster does this with decommission',
    }));
  },
};

/** Helpers that a Cluster needs while its machines go: balancers and disks are given back by controllers, releases are uninstalled in the cluster. */
const HELPERS = new Lookup(() => ['apps/Deployment', 'apps/StatefulSet', ...kindsWhere(({ finalizes }) => finalizes ?? false), '/Secret'], (helper) => (
  [namespaceOf(helper), stringAt(helper, 'metadata', 'labels', CLUSTER_NAME_LABEL) ?? targetOf(helper)]));

/** The cluster that a delivery names. */
function targetOf(helper: ManifestObject): string | undefined {
  const facts = deliveryFacts(helper);
  const target = facts?.isForTenant(helper) ? facts.target(helper) : undefined;
  return target?.by === 'name' ? target.name : undefined;
}

const REMOVED: TransitionRule = {
  id: 'TC-CHANGE-CLUSTER-REMOVED',
  title: 'A Cluster, or a control plane that is one by itself, must be removed first and alone: its controllers delete what it consists of in order, and need the dependencies until then.',
  source: `${RECONCILER} (reconcileDelete); clastix/kamaji controllers/finalizers/tcp.go, 26.8.2-edge`,
  get kinds() { return clusterKinds(); },
  trap: true,
  example: {
    before: documents(CLUSTER_TEXT, namedControlPlane(''), CONTROLLER_TEXT, NAMESPACE_TEXT),
    failing: NAMESPACE_TEXT,
    corrected: documents(CLUSTER_TEXT, namedControlPlane('  replicas: 3\n'), CONTROLLER_TEXT, NAMESPACE_TEXT),
  },
  check: (change) => {
    const { before, old, now } = change;
    if (!before || change.after || !isCluster(before) || heirOf(change)) return [];
    const namespace = old.find('/Namespace', undefined, namespaceOf(before));
    const helpers = [
      ...partsOf(before, old),
      ...HELPERS.find(old, namespaceOf(before), nameOf(before)).filter((helper) => !isAutoscaler(helper)),
      ...(namespace ? [namespace] : []),
    ];
    return found(helpers.filter((helper) => !isKept(helper) && !now.find(groupKind(helper), namespaceOf(helper), nameOf(helper))), (names) => ({
      message: `it is gone, and ${names} gone with it`,
      fix: 'leave out the Cluster and its pools first, and the rest when it is deleted; TenantCluster does this with decommission',
    }));
  },
};

/** Rules for Clusters that are not written any more. */
export const CLUSTER_REMOVALS: readonly TransitionRule[] = [MOVED, LEFT, REMOVED];

/** The Cluster that replaces a removed one: of its name elsewhere, or the only new one in a namespace that lost one. */
function heirOf({ before, after, old, now }: ManifestChange): ManifestObject | undefined {
  if (!before || after || !isCluster(before)) return undefined;
  const isAlike = (cluster: ManifestObject): boolean => groupKind(cluster) === groupKind(before) && isCluster(cluster);
  const isNew = (cluster: ManifestObject): boolean => isAlike(cluster) && !old.find(groupKind(cluster), namespaceOf(cluster), nameOf(cluster));
  const namesake = BY_NAME.find(now, nameOf(before)).find(isNew);
  if (namesake) return namesake;
  const [olds, news] = [old, now].map((index) => BY_NAMESPACE.find(index, namespaceOf(before)).filter(isAlike));
  const fresh = news.filter(isNew);
  const stayed = news.length - fresh.length;
  return fresh.length === 1 && olds.length - stayed === 1 ? fresh[0] : undefined;
}

/** True if a Deployment runs the autoscaler, which orders no machines any more. */
function isAutoscaler(helper: ManifestObject): boolean {
  const containers = objectsAt(helper, 'spec', 'template', 'spec', 'containers');
  return containers.some(([container]) => ['command', 'args'].some((field) => listAt(container, field).includes(AUTOSCALER_ARGUMENT)));
}

/** Control plane and infrastructure object of a Cluster. */
function partsOf(cluster: ManifestObject, index: ManifestIndex): ManifestObject[] {
  return PARTS.map((part) => partOf(cluster, part, index)).filter((part) => part !== undefined);
}

function found(objects: readonly ManifestObject[], finding: (names: string) => { readonly message: string; readonly fix: string }) {
  if (objects.length === 0) return [];
  const more = objects.length - MOST_NAMES;
  const names = `${objects.slice(0, MOST_NAMES).map(objectName).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [{ path: [], ...finding(`${names} ${objects.length === 1 ? 'is' : 'are'}`) }];
}
