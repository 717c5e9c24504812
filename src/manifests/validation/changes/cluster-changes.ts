import { kindsOfRole } from '../../objects/known-kinds';
import { changed, keeps } from '../../rules/changes/kept-fields';
import { TransitionRule } from '../../rules/changes/transition-rule';
import { CLUSTER, CORE_WEBHOOKS, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, MACHINE_SET } from '../../rules/cluster-api/cluster-api-kinds';
import { CLUSTER_PARTS, clusterYaml, healthCheckYaml } from '../../rules/cluster-api/example-manifests';
import { changedText } from '../../rules/example-text';
import { partReference } from '../../rules/references/object-references';
import { isFilled } from '../../values/fields';
import { Finding } from '../../values/finding';

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

/** What a Cluster is, and what belongs to it. */
export const CLUSTER_CHANGES: readonly TransitionRule[] = [CLUSTER_NAME, REMOVED, REPLACED, NETWORK_CHANGED, ENDPOINT];
