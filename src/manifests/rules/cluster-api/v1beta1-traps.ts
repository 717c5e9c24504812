import { CLUSTER, isV1beta1, MACHINE_DEPLOYMENT } from './cluster-api-kinds';
import { workerPaths } from './machine-places';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { fieldAt, FieldPath, isFields, isSet, numberAt, objectsAt, stringAt } from '../../values/fields';
import { indented } from '../example-text';
import { ManifestRule } from '../manifest-rule';

const MIGRATION = 'kubernetes-sigs/cluster-api tag v1.11.4, docs/book/src/developer/providers/migrations/v1.10-to-v1.11.md';

/** References of the older version. */
const REFERENCE: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-REFERENCE',
  title: 'References of a v1beta1 Cluster must have a namespace: Cluster API 1.11 to 1.15 fill it in, so that each further apply changes the Cluster again.',
  source: `${MIGRATION}; tag v1.14.2, docs/book/src/reference/versions.md, and seen with it`,
  trap: true,
  warning: true,
  kinds: [CLUSTER],
  example: { failing: referring(''), corrected: referring('namespace: tenant-acme') },
  check: (object) => referencePaths(object).filter((path) => !isSet(object, ...path, 'namespace')).map((path) => ({
    path,
    message: 'the reference has no namespace: a server fills it in, and each further apply changes the Cluster again',
    fix: 'write the namespace of the Cluster, or use cluster.x-k8s.io/v1beta2, which has none here',
  })),
};

/** References of the older version of which nothing is left. */
const REFERENCE_GROUP: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-REFERENCE-GROUP',
  title: 'References of a v1beta1 Cluster must have the API group of the object: Cluster API 1.11 to 1.15 keep nothing else of apiVersion.',
  source: `${MIGRATION}; tag v1.14.2, docs/book/src/reference/versions.md, and seen with it`,
  trap: true,
  kinds: [CLUSTER],
  example: {
    failing: referring('namespace: tenant-acme').replace('infrastructure.cluster.x-k8s.io/v1alpha1', 'v1alpha1'), corrected: referring('namespace: tenant-acme'),
  },
  check: (object) => referencePaths(object).flatMap((path) => {
    const version = stringAt(object, ...path, 'apiVersion');
    return version?.includes('/') ? [] : [{
      path: [...path, 'apiVersion'],
      message: `${version === undefined ? 'there is no apiVersion' : `${JSON.stringify(version)} names no API group`}, and the group is all that is kept of it`,
      accepted: 'group and version, such as "infrastructure.cluster.x-k8s.io/v1alpha1"',
      fix: 'write the apiVersion of the object with its group',
    }];
  }),
};

/** Fixes for fields that are gone. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  definitionFrom: 'remove it: variables of one name are the same variable, regardless of where they are defined',
  revisionHistoryLimit: 'remove it: machine sets without machines are always deleted',
  rolloutAfter: 'remove it; v1beta2 has rollout.after at the control plane and at each pool, from Cluster API 1.13',
};

/** Fields that are gone. */
const REMOVED: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-REMOVED-FIELD',
  title: 'Fields of v1beta1 that v1beta2 does not have are lost when the object is stored, and every apply shows them as a difference.',
  source: MIGRATION,
  trap: true,
  kinds: [CLUSTER, MACHINE_DEPLOYMENT],
  example: { failing: oldPool('revisionHistoryLimit: 3'), corrected: oldPool('replicas: 3') },
  check: (object) => {
    if (!isV1beta1(object)) return [];
    const definitions = (path: readonly string[]): FieldPath[] => objectsAt(object, ...path).map(([, index]) => [...path, index, 'definitionFrom']);
    const inPools = workerPaths(object, 'machineDeployments', 'machinePools').flatMap((path) => definitions([...path.map(String), 'variables', 'overrides']));
    const paths: Readonly<Record<string, readonly FieldPath[]>> = {
      [CLUSTER]: [['spec', 'topology', 'rolloutAfter'], ...definitions(['spec', 'topology', 'variables']), ...inPools],
      [MACHINE_DEPLOYMENT]: [['spec', 'progressDeadlineSeconds'], ['spec', 'revisionHistoryLimit']],
    };
    return paths[groupKind(object)].filter((path) => isSet(object, ...path.map(String))).map((path) => ({
      path, message: 'Cluster API from 1.11 does not keep this field', fix: REPLACEMENTS[String(path.at(-1))] ?? 'remove it: there is nothing in its place',
    }));
  },
};

const PORTS: readonly (readonly string[])[] = [['spec', 'clusterNetwork', 'apiServerPort'], ['spec', 'controlPlaneEndpoint', 'port']];

/** Ports that the older version does not limit; zero is the same as none there. */
const PORT: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-PORT',
  title: 'Ports of a v1beta1 Cluster must be between 1 and 65535: its definition accepts others, which that of v1beta2 refuses, and no program can listen on.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta1/cluster_types.go, api/core/v1beta2/cluster_types.go (ClusterNetwork, APIEndpoint), v1.14.2',
  trap: true,
  kinds: [CLUSTER],
  example: { failing: referring('namespace: tenant-acme', 70000), corrected: referring('namespace: tenant-acme', 6443) },
  check: (object) => (isV1beta1(object) ? PORTS : []).flatMap((path) => {
    const port = numberAt(object, ...path) ?? 0;
    return port >= 0 && port <= 65535 ? [] : [{ path, message: `${port} is no port`, accepted: '1 to 65535', fix: 'write the port at which the API server listens' }];
  }),
};

export const V1BETA1_TRAPS: readonly ManifestRule[] = [REFERENCE, REFERENCE_GROUP, REMOVED, PORT];

function referencePaths(object: ManifestObject): string[][] {
  if (!isV1beta1(object)) return [];
  return ['controlPlaneRef', 'infrastructureRef'].map((part) => ['spec', part]).filter((path) => isFields(fieldAt(object, ...path)));
}

function referring(namespace: string, port?: number): string {
  return `apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  controlPlaneRef:
    apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
    kind: KamajiControlPlane
    name: acme
${indented(namespace, 4)}  infrastructureRef:
    apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
    kind: KubevirtCluster
    name: acme
${indented(namespace, 4)}${port === undefined ? '' : `  clusterNetwork: {apiServerPort: ${port}}\n`}`;
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
