import { HELM_RELEASE_TEXT } from './examples';
import { knownKind } from '../../../objects/known-kinds';
import { groupKind, ManifestObject, namespaceOf } from '../../../objects/manifest-object';
import { CLUSTER, CLUSTER_RESOURCE_SET } from '../../../rules/cluster-api/cluster-api-kinds';
import { isOfLeavingCluster } from '../../../rules/cluster-api/cluster-members';
import { clusterKinds, findCluster } from '../../../rules/cluster-api/whole-clusters';
import { replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { CLUSTER_TEXT } from '../../../rules/references/examples';
import { missing } from '../../../rules/references/missing-references';
import { partReference } from '../../../rules/references/object-references';
import { objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { HELM_RELEASE, kubeconfigCluster, KUSTOMIZATION, USUAL_KEYS } from '../deliveries';

const SOURCES = 'source.toolkit.fluxcd.io';

const resources: ManifestRule = {
  id: 'TC-TRAP-REF-RESOURCE-SET',
  title: 'The ConfigMaps of a ClusterResourceSet must exist in its namespace: missing ones are silently left out.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset/clusterresourceset_controller.go',
  kinds: [CLUSTER_RESOURCE_SET],
  trap: true,
  elsewhere: true,
  example: replaced(resourceSet(), 'kind: ConfigMap, name: acme-network', 'kind: ConfigMap, name: acme-netwrok', configMap()),
  check: (object, index) => objectsAt(object, 'spec', 'resources').flatMap(([resource, position]) => {
    const name = stringAt(resource, 'name');
    // Secrets are kept elsewhere for good reason.
    return name === undefined || resource.kind !== 'ConfigMap' ? [] : missing(object, index, { kind: '/ConfigMap', name, path: ['spec', 'resources', position, 'name'] });
  }),
};

const flux: ManifestRule = {
  id: 'TC-TRAP-REF-FLUX',
  title: 'Chart sources and dependencies of Flux must exist if others of their kind and namespace do: the objects that need them wait for ever otherwise.',
  source: 'fluxcd/helm-controller docs/spec/v2/helmreleases.md, fluxcd/kustomize-controller docs/spec/v1/kustomizations.md',
  kinds: [HELM_RELEASE, KUSTOMIZATION],
  trap: true,
  elsewhere: true,
  example: replaced(release('acme-cert-manager', '  dependsOn: [{name: acme-network}]\n'), 'dependsOn: [{name: acme-network}]', 'dependsOn: [{name: acme-netwrok}]', release('acme-network', '')),
  check: checkFlux,
};

/** Secrets with a kubeconfig that hosted control planes make, which have keys of their own only: `admin.conf`, `super-admin.svc` and the like. */
const HOSTED = /-admin-kubeconfig$/;

const kubeconfigs: ManifestRule = {
  id: 'TC-TRAP-REF-FLUX-KUBECONFIG',
  title: 'A kubeconfig of Flux should be that of a Cluster that exists, with a key that its Secret has: nothing is applied or installed otherwise.',
  source: 'fluxcd/helm-controller internal/kube/config.go, v1.6.3; kubernetes-sigs/cluster-api util/secret/consts.go; clastix/kamaji '
    + 'internal/resources/kubeconfig.go, 26.8.2-edge',
  kinds: [HELM_RELEASE, KUSTOMIZATION],
  trap: true,
  warning: true,
  elsewhere: true,
  example: replaced(HELM_RELEASE_TEXT, 'name: acme-kubeconfig', 'name: acm-kubeconfig', CLUSTER_TEXT),
  check: (object, index) => {
    const path = ['spec', 'kubeConfig', 'secretRef'];
    const [name, key] = ['name', 'key'].map((field) => stringAt(object, ...path, field));
    const owner = kubeconfigCluster(object);
    // A Secret that is among the manifests may have any name, and any key.
    if (name === undefined || owner === undefined || index.find('/Secret', namespaceOf(object), name)) return [];
    if (isOfLeavingCluster(object, owner, index)) return [];
    const cluster = findCluster(index, namespaceOf(object), owner);
    const kind = clusterKinds().find((one) => index.allIn(one, namespaceOf(object)).length > 0) ?? CLUSTER;
    const noCluster = cluster ? [] : missing(object, index, { kind, name: owner, path: [...path, 'name'] });
    // Of a control plane of a known kind, the keys are known.
    const isKnown = cluster && knownKind(partReference(cluster, 'controlPlaneRef')?.kind ?? '')?.hosted === true;
    if (!cluster || isKnown || !HOSTED.test(name) || (key !== undefined && !USUAL_KEYS.includes(key))) return noCluster;
    return [{
      path: [...path, 'key'],
      message: `Flux reads the key ${key === undefined ? USUAL_KEYS.join(' or ') : key}, and a Secret that a hosted control plane makes has none of this name`,
      fix: `write key: super-admin.svc${groupKind(cluster) === CLUSTER ? `, or name: ${owner}-kubeconfig with key: value` : ''}`,
    }];
  },
};

/** Rules for missing objects that deliveries refer to. */
export const MISSING_DELIVERIES: readonly ManifestRule[] = [resources, flux, kubeconfigs];

function checkFlux(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const reference = (...path: string[]): Finding[] => {
    const [kind, name] = [stringAt(object, ...path, 'kind'), stringAt(object, ...path, 'name')];
    const namespace = stringAt(object, ...path, 'namespace');
    // The repository that Flux itself comes from is applied by hand, or made by a FluxInstance and named after its namespace.
    const isBootstrap = kind === 'GitRepository' || name === (namespace ?? namespaceOf(object));
    return kind === undefined || name === undefined || isBootstrap ? [] : missing(object, index, { kind: `${SOURCES}/${kind}`, name, path: [...path, 'name'], namespace });
  };
  return [
    ...reference('spec', 'sourceRef'),
    ...reference('spec', 'chartRef'),
    ...reference('spec', 'chart', 'spec', 'sourceRef'),
    ...objectsAt(object, 'spec', 'dependsOn').flatMap(([item, position]) => {
      const name = stringAt(item, 'name');
      // So is the Kustomization that applies it, which "flux bootstrap" names after its namespace.
      const isBootstrap = groupKind(object) === KUSTOMIZATION && name === namespaceOf(object);
      return name === undefined || isBootstrap ? [] : missing(object, index, {
        kind: groupKind(object), name, path: ['spec', 'dependsOn', position, 'name'], namespace: stringAt(item, 'namespace'),
      });
    }),
  ];
}

function resourceSet(): string {
  return `apiVersion: addons.cluster.x-k8s.io/v1beta2
kind: ClusterResourceSet
metadata:
  name: acme-network
  namespace: tenant-acme
spec:
  clusterSelector:
    matchLabels: {cluster.x-k8s.io/cluster-name: acme}
  resources:
    - {kind: ConfigMap, name: acme-network}
`;
}

function configMap(): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: acme-network
  namespace: tenant-acme
data: {}
`;
}

function release(name: string, more: string): string {
  return `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: ${name}
  namespace: tenant-acme
spec:
  interval: 10m
${more}  chart:
    spec:
      chart: ${name}
      version: 1.20.0
      sourceRef: {kind: HelmRepository, name: charts}
`;
}
