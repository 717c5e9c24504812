import { kindsOfRole, knownKind } from '../../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { CLUSTER, CLUSTER_NAME_LABEL, CLUSTER_RESOURCE_SET, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET } from '../../rules/cluster-api/cluster-api-kinds';
import { isOfLeavingCluster, membersOf } from '../../rules/cluster-api/cluster-members';
import { healthCheckYaml } from '../../rules/cluster-api/example-manifests';
import { OLDEST_WORKER, PREFLIGHT, versionSkew } from '../../rules/cluster-api/preflight-checks';
import { documents, replaced } from '../../rules/example-text';
import { isEmptySelector, SelectedObjects, selects } from '../../rules/label-selectors';
import { ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { BOOTSTRAP_TEXT, CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT } from '../../rules/references/examples';
import { partOf, PlacedReference, referencesOf, referrersOf } from '../../rules/references/object-references';
import { CHART_PROXY_TEXT } from '../../systems/helm-chart-proxy/rules/helm-chart-proxy-rules';
import { fieldAt, isFields, isSet, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

const DEPLOYMENT_LABEL = 'cluster.x-k8s.io/deployment-name';

const SELECTING_CLUSTERS: readonly string[] = [CLUSTER_RESOURCE_SET, 'addons.cluster.x-k8s.io/HelmChartProxy'];

const EVERYTHING = [CLUSTER_TEXT, CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, TEMPLATE_TEXT, BOOTSTRAP_TEXT] as const;

const skew: ManifestRule = {
  id: 'TC-TRAP-REF-VERSION-SKEW',
  title: 'Machines must not be newer than their control plane, nor older by more than three minor versions; kubeadm requires equal ones: Cluster API creates no others.',
  source: PREFLIGHT,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_SET],
  trap: true,
  example: replaced(POOL_TEXT, 'version: v1.35.4', 'version: v1.36.0', ...EVERYTHING),
  check: checkSkew,
};

const shared: ManifestRule = {
  id: 'TC-TRAP-REF-SHARED',
  title: 'A control plane or infrastructure object must belong to one Cluster only.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller_phases.go',
  kinds: [CLUSTER],
  trap: true,
  example: {
    failing: documents(...EVERYTHING, CLUSTER_TEXT.replaceAll('cluster-name: acme', 'cluster-name: other').replace('  name: acme\n', '  name: other\n')),
    corrected: documents(...EVERYTHING),
  },
  check: (object, index) => referencesOf(object).flatMap(({ reference, path }) => {
    const target = index.find(reference.kind, namespaceOf(object), reference.name);
    const [first] = target ? referrersOf(target, index, CLUSTER) : [];
    return !first || first.object === object || nameOf(first.object) === nameOf(object) ? [] : [{
      path, message: `${reference.kind.split('/')[1]} "${reference.name}" belongs to the Cluster "${nameOf(first.object)}" already`, fix: 'give each Cluster its own',
    }];
  }),
};

const unused: ManifestRule = {
  id: 'TC-TRAP-REF-UNUSED',
  title: 'A Cluster must refer to a control plane or infrastructure object: its controller ignores it otherwise.',
  source: 'clastix/cluster-api-control-plane-provider-kamaji issue 126',
  get kinds() { return kindsOfRole('cluster', 'controlPlane'); },
  trap: true,
  example: {
    failing: documents(CLUSTER_TEXT.replace('  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}\n', ''), CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT),
    corrected: documents(...EVERYTHING),
  },
  check: (object, index) => {
    const clusters = clustersBeside(object, index);
    if (clusters.length === 0 || referrersOf(object, index, CLUSTER).length > 0 || mayUse(clusters, groupKind(object), index)) return [];
    const field = knownKind(groupKind(object))?.role === 'cluster' ? 'infrastructureRef' : 'controlPlaneRef';
    const own = clusters.find((cluster) => nameOf(cluster) === stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL));
    const message = own && !isSet(own, 'spec', field) ? `its Cluster "${nameOf(own)}" has no ${field}`
      : `no Cluster among the manifests that were read names "${nameOf(object)}"`;
    return [{ path: ['metadata', 'name'], message, fix: `name it in ${field} of its Cluster, or remove it` }];
  },
};

/** Kinds that Clusters of a namespace may use objects of that they do not name; undefined for all. */
const USABLE = new WeakMap<readonly ManifestObject[], { readonly kinds: ReadonlySet<string> | undefined }>();

/** True if Clusters of a namespace have topologies, or refer to a missing object of a kind and most likely mean another one: a rule reports that. */
function mayUse(clusters: readonly ManifestObject[], kind: string, index: ManifestIndex): boolean {
  let usable = USABLE.get(clusters);
  if (!usable) {
    const isMissing = ({ reference }: PlacedReference) => !index.find(reference.kind, namespaceOf(clusters[0]), reference.name);
    const kinds = clusters.some((cluster) => isSet(cluster, 'spec', 'topology')) ? undefined
      : new Set(clusters.flatMap(referencesOf).filter(isMissing).map(({ reference }) => reference.kind));
    USABLE.set(clusters, usable = { kinds });
  }
  return usable.kinds?.has(kind) ?? true;
}

const label: ManifestRule = {
  id: 'TC-TRAP-REF-CLUSTER-LABEL',
  title: `The label ${CLUSTER_NAME_LABEL} of an object must be the name of its cluster: Cluster API overwrites other values.`,
  source: 'kubernetes-sigs/cluster-api core/webhooks/admission/machinedeployment.go',
  kinds: [MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE_POOL, MACHINE, MACHINE_HEALTH_CHECK],
  trap: true,
  example: replaced(POOL_TEXT, 'labels: {cluster.x-k8s.io/cluster-name: acme}', 'labels: {cluster.x-k8s.io/cluster-name: other}', ...EVERYTHING),
  check: (object) => {
    const [given, name] = [stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL), stringAt(object, 'spec', 'clusterName')];
    return given === undefined || name === undefined || given === name ? [] : [{
      path: ['metadata', 'labels', CLUSTER_NAME_LABEL], message: `the label says "${given}", and clusterName "${name}"`, fix: `write "${name}"`,
    }];
  },
};

const watched: ManifestRule = {
  id: 'TC-TRAP-REF-HEALTH-CHECK',
  title: 'A MachineHealthCheck must select machines of a pool or control plane of its cluster.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/machinehealthcheck/machinehealthcheck_targets.go',
  kinds: [MACHINE_HEALTH_CHECK],
  trap: true,
  example: replaced(healthCheckYaml('checks:\n  nodeStartupTimeoutSeconds: 1200'), 'deployment-name: acme-general', 'deployment-name: acme-genral', ...EVERYTHING, POOL_TEXT),
  check: checkWatched,
};

const selected: ManifestRule = {
  id: 'TC-TRAP-REF-CLUSTER-SELECTOR',
  title: 'The selector of a delivery must match a Cluster: Cluster API sets no labels on a Cluster, not even its name.',
  source: 'kubernetes-sigs/cluster-api-addon-provider-helm controllers/helmchartproxy, kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset',
  kinds: SELECTING_CLUSTERS,
  trap: true,
  elsewhere: true,
  example: {
    failing: documents(CHART_PROXY_TEXT, CLUSTER_TEXT.replace('  labels: {cluster.x-k8s.io/cluster-name: acme}\n', '')),
    corrected: documents(CHART_PROXY_TEXT, CLUSTER_TEXT),
  },
  check: (object, index) => {
    const selector = fieldAt(object, 'spec', 'clusterSelector');
    const clusters = clustersBeside(object, index);
    if (!isFields(selector) || isEmptySelector(selector) || clusters.length === 0) return [];
    if (isOfLeavingCluster(object, stringAt(selector, 'matchLabels', CLUSTER_NAME_LABEL), index)) return [];
    return CLUSTERS.of(clusters, selector).length > 0 ? [] : [{
      path: ['spec', 'clusterSelector'], message: 'no Cluster among the manifests that were read has the labels that are selected', fix: 'add the labels to the Cluster, or correct the selector',
    }];
  },
};

/** Objects that have to agree with each other. */
export const AGREEMENT: readonly ManifestRule[] = [skew, shared, unused, label, watched, selected];

function checkSkew(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const found = versionSkew(object, index);
  if (!found) return [];
  const { pool: own, controlPlane: other, isKubeadm } = found;
  return [{
    path: ['spec', 'template', 'spec', 'version'],
    message: `the machines have Kubernetes ${own.major}.${own.minor}, the control plane has ${other.major}.${other.minor}, and preflight checks of Cluster API hold back new machines`,
    accepted: isKubeadm ? `${other.major}.${other.minor}` : `${other.major}.${Math.max(0, other.minor - OLDEST_WORKER)} to ${other.major}.${other.minor}`,
    fix: 'raise control plane and pools in one commit: Cluster API holds the pools back until the control plane has the version. To replace machines later, '
      + 'set the rollout strategy of the pool to OnDelete before',
  }];
}

/** Labels of an object or of a template. */
function labelsOf(object: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  const labels = fieldAt(object, ...path, 'labels');
  return isFields(labels) ? labels : {};
}

/** The Clusters in the namespace of an object. */
function clustersBeside(object: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  return index.allIn(CLUSTER, namespaceOf(object));
}

const CLUSTERS = new SelectedObjects((cluster) => labelsOf(cluster, 'metadata'));

/** Pools, by the labels of their machines. */
const POOLS = new SelectedObjects((pool) => ({
  ...labelsOf(pool, 'spec', 'template', 'metadata'), [CLUSTER_NAME_LABEL]: stringAt(pool, 'spec', 'clusterName'), [DEPLOYMENT_LABEL]: nameOf(pool),
}));

function checkWatched(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const selector = fieldAt(object, 'spec', 'selector');
  const name = stringAt(object, 'spec', 'clusterName');
  const cluster = index.find(CLUSTER, namespaceOf(object), name);
  const pools = membersOf(object, index, MACHINE_DEPLOYMENT);
  // Labels of machines of other objects are unknown.
  const others = [MACHINE_SET, MACHINE_POOL, MACHINE].some((kind) => membersOf(object, index, kind).length > 0);
  if (!isFields(selector) || isEmptySelector(selector) || !cluster || pools.length === 0 || others || isSet(cluster, 'spec', 'topology')) return [];
  const plane = partOf(cluster, 'controlPlaneRef', index);
  if (!plane || POOLS.of(pools, selector).length > 0) return [];
  const ofPlane = {
    ...labelsOf(plane, 'spec', 'machineTemplate', 'metadata'),
    [CLUSTER_NAME_LABEL]: name,
    'cluster.x-k8s.io/control-plane': '',
    'cluster.x-k8s.io/control-plane-name': nameOf(plane),
  };
  return selects(selector, ofPlane) ? [] : [{
    path: ['spec', 'selector'], message: `among the manifests that were read, no pool of "${name}" makes machines with the labels that are selected`, fix: `select by ${DEPLOYMENT_LABEL}, the name of a MachineDeployment`,
  }];
}
