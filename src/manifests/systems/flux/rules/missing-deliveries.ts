import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { CLUSTER_RESOURCE_SET } from '../../../rules/cluster-api/cluster-api-kinds';
import { replaced } from '../../../rules/example-text';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ManifestRule } from '../../../rules/manifest-rule';
import { missing } from '../../../rules/references/missing-references';
import { objectsAt, stringAt } from '../../../values/fields';
import { Finding } from '../../../values/finding';
import { HELM_RELEASE, KUSTOMIZATION } from '../deliveries';

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

/** What is delivered, or delivers, and is not there. */
export const MISSING_DELIVERIES: readonly ManifestRule[] = [resources, flux];

function checkFlux(object: ManifestObject, index: ManifestIndex): readonly Finding[] {
  const reference = (...path: string[]): Finding[] => {
    const [kind, name] = [stringAt(object, ...path, 'kind'), stringAt(object, ...path, 'name')];
    // The repository that Flux itself comes from is applied by hand.
    return kind === undefined || name === undefined || kind === 'GitRepository' ? []
      : missing(object, index, { kind: `${SOURCES}/${kind}`, name, path: [...path, 'name'], namespace: stringAt(object, ...path, 'namespace') });
  };
  return [
    ...reference('spec', 'sourceRef'),
    ...reference('spec', 'chartRef'),
    ...reference('spec', 'chart', 'spec', 'sourceRef'),
    ...objectsAt(object, 'spec', 'dependsOn').flatMap(([item, position]) => {
      const name = stringAt(item, 'name');
      return name === undefined ? [] : missing(object, index, {
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
