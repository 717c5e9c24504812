import { CLUSTER, isV1beta1, MACHINE_DEPLOYMENT } from './cluster-api-kinds';
import { indented } from './example-manifests';
import { workerPaths } from './machine-places';
import { fieldAt, groupKind, isFields } from '../../../images/manifest-object';
import { isSet, mapsAt } from '../manifest-fields';
import { FieldPath, ManifestRule } from '../manifest-rule';

const MIGRATION = 'kubernetes-sigs/cluster-api docs/book/src/developer/providers/migrations/v1.10-to-v1.11.md';

/** References without namespace. */
const REFERENCE: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-REFERENCE',
  title: 'References of a Cluster in v1beta1 have a namespace: without it, each apply makes a new generation of the Cluster.',
  source: `${MIGRATION}, seen with Cluster API 1.14.2`,
  trap: true,
  kinds: [CLUSTER],
  example: { failing: referring(''), corrected: referring('namespace: tenant-acme') },
  check: (object) => (isV1beta1(object) ? ['controlPlaneRef', 'infrastructureRef'] : [])
    .filter((part) => isFields(fieldAt(object, 'spec', part)) && !isSet(object, 'spec', part, 'namespace')).map((part) => ({
      path: ['spec', part], message: 'the reference has no namespace', fix: 'write the namespace of the Cluster, or use cluster.x-k8s.io/v1beta2, which has none here',
    })),
};

/** Fields that are gone. */
const REMOVED: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-REMOVED-FIELD',
  title: 'Fields of v1beta1 that v1beta2 does not have are lost when they are stored, and every apply shows them as a difference.',
  source: MIGRATION,
  trap: true,
  kinds: [CLUSTER, MACHINE_DEPLOYMENT],
  example: { failing: oldPool('revisionHistoryLimit: 3'), corrected: oldPool('replicas: 3') },
  check: (object) => {
    if (!isV1beta1(object)) return [];
    const definitions = (path: readonly string[]): FieldPath[] => mapsAt(object, ...path).map(([, index]) => [...path, index, 'definitionFrom']);
    const inPools = workerPaths(object, 'machineDeployments', 'machinePools').flatMap((path) => definitions([...path.map(String), 'variables', 'overrides']));
    const paths: Readonly<Record<string, readonly FieldPath[]>> = {
      [CLUSTER]: [['spec', 'topology', 'rolloutAfter'], ...definitions(['spec', 'topology', 'variables']), ...inPools],
      [MACHINE_DEPLOYMENT]: [['spec', 'progressDeadlineSeconds'], ['spec', 'revisionHistoryLimit']],
    };
    return paths[groupKind(object)].filter((path) => isSet(object, ...path.map(String))).map((path) => ({
      path, message: 'Cluster API from 1.11 does not keep this field', fix: 'remove it',
    }));
  },
};

export const V1BETA1_TRAPS: readonly ManifestRule[] = [REFERENCE, REMOVED];

function referring(namespace: string): string {
  const reference = (field: string, kind: string, apiVersion: string) => `  ${field}:\n    apiVersion: ${apiVersion}\n    kind: ${kind}\n    name: acme\n${indented(namespace, 4)}`;
  return 'apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata:\n  name: acme\n  namespace: tenant-acme\nspec:\n'
    + reference('controlPlaneRef', 'KamajiControlPlane', 'controlplane.cluster.x-k8s.io/v1alpha2')
    + reference('infrastructureRef', 'KubevirtCluster', 'infrastructure.cluster.x-k8s.io/v1alpha1');
}

function oldPool(spec: string): string {
  return `apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineDeployment
metadata:
  name: acme-general
  namespace: tenant-acme
spec:
  clusterName: acme
${indented(spec, 2)}  selector: {}
  template:
    spec:
      clusterName: acme
      bootstrap:
        configRef:
          apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
          kind: KubeadmConfigTemplate
          name: acme-general
      infrastructureRef:
        apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
        kind: KubevirtMachineTemplate
        name: acme-general
`;
}
