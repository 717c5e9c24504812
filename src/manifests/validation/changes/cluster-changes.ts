import { kindsOfRole, knownKind } from '../../objects/known-kinds';
import { groupKind, ManifestObject, nameOf } from '../../objects/manifest-object';
import { isKept } from '../../objects/prune-annotations';
import { fieldChanges } from '../../rules/changes/field-changes';
import { changed, isUpdate, keeps, NEW_TEMPLATE } from '../../rules/changes/kept-fields';
import { TransitionRule } from '../../rules/changes/transition-rule';
import {
  CLUSTER, CLUSTER_CLASS, CLUSTER_NAME_LABEL, CORE_WEBHOOKS, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET,
} from '../../rules/cluster-api/cluster-api-kinds';
import { CLUSTER_PARTS, clusterYaml, healthCheckYaml, poolYaml } from '../../rules/cluster-api/example-manifests';
import { changedText, documents, edited } from '../../rules/example-text';
import { Lookup, ManifestIndex } from '../../rules/manifest-index';
import { machineOwnersOf, partReference, referrersOf } from '../../rules/references/object-references';
import { HELM_RELEASE_TEXT } from '../../systems/flux/rules/examples';
import { configTemplateYaml } from '../../systems/kubeadm/rules/kubeadm-spec';
import { deliveryFacts, providers } from '../../systems/providers';
import { fieldAt, isFilled, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { knownPodNetworks } from '../pod-networks';

const CLUSTERS = new Lookup([CLUSTER], (cluster) => [nameOf(cluster)]);

/** True if an object says by its label to which cluster it belongs, and there is no such Cluster, wherever it may be. */
function isClusterGone(object: ManifestObject, index: ManifestIndex): boolean {
  const name = stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
  return name !== undefined && CLUSTERS.find(index, name).length === 0;
}

/** The chart of a network of pods that an object delivers; undefined if it delivers none. */
export function podNetworkOf(object: ManifestObject | undefined, index: ManifestIndex): string | undefined {
  const chart = object && deliveryFacts(object)?.read?.(object, index).chart;
  return chart !== undefined && knownPodNetworks().some((facts) => facts.chart === chart) ? chart : undefined;
}

export const NETWORK_CHANGE: TransitionRule = {
  id: 'TC-CHANGE-CNI',
  title: 'The pod network must stay as long as the cluster runs: without its release, pods cannot reach each other.',
  source: 'fluxcd/helm-controller docs/spec/v2/helmreleases.md; kubernetes-sigs/cluster-api-addon-provider-helm controllers/helmchartproxy',
  get kinds() {
    return providers().flatMap(({ deliveries = [] }) => deliveries.filter(({ installsChart }) => installsChart).map(({ kind }) => kind));
  },
  trap: true,
  example: {
    before: networkRelease('cilium'),
    failing: networkRelease('flannel'),
    corrected: documents(networkRelease('cilium'), HELM_RELEASE_TEXT),
  },
  check: ({ before, after, old, now }) => {
    const chart = podNetworkOf(before, old);
    if (!before || after || chart === undefined || isKept(before)) return [];
    // With the cluster, the network goes as well.
    if (isClusterGone(before, now)) return [];
    return [{ path: [], message: `it is gone, and with it the chart "${chart}", which is the network of the pods`, fix: 'put it back; another network takes a new Cluster, or a plan for moving node by node' }];
  },
};

function networkRelease(chart: string): string {
  return edited(HELM_RELEASE_TEXT, { 'cert-manager': chart, 'jetstack': chart, 'v1.20.0': '1.20.0' });
}

const POOL_TEXT = poolYaml({});
const CONFIG_TEXT = configTemplateYaml('preKubeadmCommands:\n  - sysctl -w vm.max_map_count=262144');

/** Templates, which have other content under another name only. */
export const TEMPLATE_CHANGE: TransitionRule = {
  id: 'TC-CHANGE-TEMPLATE-IN-PLACE',
  title: 'A template in use must not change under its name: existing machines are not replaced, and only later ones get the change.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/tasks/updating-machine-templates.md and docs/book/src/developer/providers/contracts/control-plane.md (machines)',
  get kinds() { return kindsOfRole('machineTemplate', 'bootstrapTemplate').filter((kind) => !knownKind(kind)?.immutable); },
  kindSuffix: 'Template',
  trap: true,
  ineffective: true,
  example: {
    before: documents(CONFIG_TEXT, POOL_TEXT),
    failing: documents(CONFIG_TEXT.replace('262144', '524288'), POOL_TEXT),
    corrected: documents(CONFIG_TEXT, edited(CONFIG_TEXT, { '262144': '524288', 'acme-general': 'acme-general-2' }), edited(POOL_TEXT, {
      'kind: KubeadmConfigTemplate\n          name: acme-general': 'kind: KubeadmConfigTemplate\n          name: acme-general-2',
    })),
  },
  check: (change) => {
    const { before, after, now } = change;
    // A provider whose webhook refuses any change has a rule of its own.
    if (!isUpdate(change) || !after || knownKind(groupKind(after))?.immutable || isSameForMachines(before, after)) return [];
    // Clusters of a class get a template of their own for each change of it.
    const isOfClass = referrersOf(after, now, CLUSTER_CLASS).length > 0;
    return isOfClass || machineOwnersOf(after, now).length === 0 ? []
      : [{ path: ['spec'], message: 'what is in it changed, and its name did not', fix: NEW_TEMPLATE }];
  },
};

/** True if machines that are made from a template later are the same. */
function isSameForMachines(before: ManifestObject | undefined, after: ManifestObject): boolean {
  const { inPlace = [] } = knownKind(groupKind(after)) ?? {};
  return fieldChanges(fieldAt(before, 'spec'), fieldAt(after, 'spec'), ['spec']).every(({ path }) => inPlace.includes(path.join('.')));
}

const PARTS = ['controlPlaneRef', 'infrastructureRef'] as const;
const NETWORK_FIX = 'put it back, or make a new Cluster and move what runs';
const NETWORK = ['spec', 'clusterNetwork'];

/** A change that changes nothing of the cluster. */
const ANNOTATED = { 'name: acme\n  namespace': 'name: acme\n  annotations:\n    example.com/team: core\n  namespace' };

const NETWORK_TEXT = clusterYaml(`clusterNetwork:
  pods:
    cidrBlocks: [10.244.0.0/16]
  services:
    cidrBlocks: [10.96.0.0/16]
  serviceDomain: cluster.local
${CLUSTER_PARTS}`);

const INFRASTRUCTURE = '  infrastructureRef:\n    apiGroup: infrastructure.cluster.x-k8s.io\n    kind: KubevirtCluster\n    name: acme\n';

const ENDPOINT_TEXT = clusterYaml(`controlPlaneEndpoint:
  host: 192.0.2.10
  port: 6443
${CLUSTER_PARTS}`);

const CLUSTER_NAME: TransitionRule = {
  id: 'TC-CHANGE-CLUSTER-NAME',
  title: 'The Cluster of a pool, a Machine or a MachineHealthCheck cannot be changed.',
  source: `${CORE_WEBHOOKS}/{machinedeployment,machineset,machine,machinepool,machinehealthcheck}.go`,
  kinds: [MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE, MACHINE_POOL, MACHINE_HEALTH_CHECK],
  example: changedText(healthCheckYaml(''), { 'clusterName: acme': 'clusterName: other' }, { 'clusterName: acme': 'clusterName: other', 'name: acme-general\n  namespace': 'name: other-general\n  namespace' }),
  // It has this name in every version.
  check: ({ before, after, ...rest }) => keeps([{ path: ['spec', 'clusterName'] }], 'keep it, and make another object for the other Cluster')({
    before: before && { ...before, apiVersion: after?.apiVersion }, after, ...rest,
  }),
};

const REMOVED: TransitionRule = {
  id: 'TC-CHANGE-CLUSTER-PARTS',
  title: 'The references of a Cluster to control plane and infrastructure, and its topology, cannot be removed.',
  source: `${CORE_WEBHOOKS}/cluster.go`,
  kinds: [CLUSTER],
  example: changedText(clusterYaml(CLUSTER_PARTS), { [INFRASTRUCTURE]: '' }, ANNOTATED),
  check: ({ before, after }) => (!before || !after ? [] : [...PARTS, 'topology'].filter((part) => isFilled(before, 'spec', part) && !isFilled(after, 'spec', part)).map((part) => ({
    path: ['spec', part], message: 'it was there, and is not any more', fix: 'put it back',
  }))),
};

const REPLACED: TransitionRule = {
  id: 'TC-CHANGE-CLUSTER-REFERENCE',
  title: 'A Cluster must keep its control plane and infrastructure object: a new object starts empty, without the existing machines.',
  source: `${CORE_WEBHOOKS}/cluster.go, which only looks whether there is a reference`,
  kinds: [CLUSTER],
  trap: true,
  example: changedText(clusterYaml(CLUSTER_PARTS), { 'kind: KamajiControlPlane\n    name: acme': 'kind: KamajiControlPlane\n    name: acme-2' }, ANNOTATED),
  check: ({ before, after }) => (!before || !after ? [] : PARTS.flatMap((part): Finding[] => {
    const [old, now] = [partReference(before, part), partReference(after, part)];
    if (!old || !now || (old.kind === now.kind && old.name === now.name)) return [];
    return [{
      path: ['spec', part],
      message: `it named ${words(old)}, and names ${words(now)} now`,
      fix: 'keep the name, or make a new Cluster and move what runs',
    }];
  })),
};

const NETWORK_CHANGED: TransitionRule = {
  id: 'TC-CHANGE-CLUSTER-NETWORK',
  title: 'Pod and service CIDRs, service domain and API port of a Cluster must not change: running nodes, Services and certificates keep the old ones.',
  source: `${CORE_WEBHOOKS}/cluster.go, which takes any change; clastix/kamaji charts/kamaji/crds, which refuses another domain`,
  kinds: [CLUSTER],
  trap: true,
  example: changedText(NETWORK_TEXT, { '10.244.0.0/16': '10.128.0.0/14' }, ANNOTATED),
  check: (change) => [
    // The defaults of ranges depend on the control plane, so they are unknown here.
    ...changed(change, [...NETWORK, 'pods', 'cidrBlocks'], NETWORK_FIX),
    ...changed(change, [...NETWORK, 'services', 'cidrBlocks'], NETWORK_FIX),
    ...changed(change, [...NETWORK, 'serviceDomain'], NETWORK_FIX, 'cluster.local'),
    ...changed(change, [...NETWORK, 'apiServerPort'], NETWORK_FIX, 6443),
  ],
};

const ENDPOINT: TransitionRule = {
  id: 'TC-CHANGE-CLUSTER-ENDPOINT',
  title: 'The address of a control plane must not change: every node and every kubeconfig keeps the old one.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt api/v1alpha1/kubevirtcluster_types.go, which takes any change; kubernetes-sigs/cluster-api util/kubeconfig/kubeconfig.go',
  get kinds() { return [CLUSTER, ...kindsOfRole('cluster')]; },
  trap: true,
  example: changedText(ENDPOINT_TEXT, { '192.0.2.10': '192.0.2.11' }, ANNOTATED),
  check: (change) => ['host', 'port'].flatMap((field) => changed(change, ['spec', 'controlPlaneEndpoint', field], 'put it back, or bring a name that leads to the new address')),
};

function words({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind.split('/')[1]} "${name}"`;
}

/** Rules for changes of a Cluster and of what belongs to it. */
export const CLUSTER_CHANGES: readonly TransitionRule[] = [CLUSTER_NAME, REMOVED, REPLACED, NETWORK_CHANGED, ENDPOINT];
