import { knownKind } from '../objects/known-kinds';
import { groupOf, ManifestObject, nameOf } from '../objects/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { classOf } from '../rules/cluster-api/cluster-classes';
import { clusterClassYaml, gateYaml, topologyYaml } from '../rules/cluster-api/example-manifests';
import { documents } from '../rules/example-text';
import { ManifestIndex } from '../rules/manifest-index';
import { ManifestRule } from '../rules/manifest-rule';
import { referencesOf } from '../rules/references/object-references';
import { structureOf } from '../rules/structure/structures';
import { objectWithDefaults } from '../schema/defaults';
import { brokenPatch } from '../topology/computed-topology';
import { isSet, stringAt } from '../values/fields';

const PATCH = `patches:
  - name: registry
    definitions:
      - selector: {apiVersion: controlplane.cluster.x-k8s.io/v1alpha2, kind: KamajiControlPlaneTemplate, matchResources: {controlPlane: true}}
        jsonPatches: [{op: add, path: /spec/template/spec/PLACE, value: r.example.com}]
`;

const TEMPLATES = `apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlaneTemplate
metadata: {name: small, namespace: tenant-acme}
spec: {template: {spec: {dataStoreName: default}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtClusterTemplate
metadata: {name: small, namespace: tenant-acme}
spec: {template: {metadata: {annotations: {cluster.x-k8s.io/managed-by: kamaji}}, spec: {}}}
`;

const patches: ManifestRule = {
  id: 'TC-TRAP-TOPOLOGY-PATCH',
  title: 'Patches of a ClusterClass must apply to the templates of its Clusters: nothing of a Cluster is made or changed otherwise. '
    + 'A field can be added to an object only if that is there, and replaced or removed only if it is there itself.',
  source: 'kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/patches/engine.go, patches/inline/json_patch_generator.go, v1.14.2; evanphx/json-patch v5/patch.go',
  kinds: [CLUSTER],
  trap: true,
  example: { failing: example('deployment/serviceAccountName'), corrected: example('registry') },
  check: (object, index) => {
    const isKnown = isSet(object, 'spec', 'topology') && isReadAsWritten(object, index) && brokenPatch(object, index) !== undefined;
    const reason = isKnown ? brokenPatch(object, withDefaults(object, index)) : undefined;
    return reason === undefined ? [] : [{
      path: ['spec', 'topology'], message: `the topology controller stops: ${reason}`, fix: 'add what is missing to the template, or patch the object around it',
    }];
  },
};

function example(place: string): string {
  return documents(topologyYaml(''), clusterClassYaml(PATCH.replace('PLACE', place)), TEMPLATES) + gateYaml('ClusterTopology');
}

/** True if each template is there once, in the version that the class names: servers convert others, and some webhooks add fields. */
function isReadAsWritten(cluster: ManifestObject, index: ManifestIndex): boolean {
  const clusterClass = classOf(cluster, index);
  return clusterClass !== undefined && referencesOf(clusterClass).every(({ reference: { kind, name }, path }) => {
    const [template, ...others] = index.all(kind).filter((one) => nameOf(one) === name);
    const isAlone = template !== undefined && others.length === 0 && knownKind(kind)?.defaulted === undefined;
    return isAlone && template.apiVersion === stringAt(clusterClass, ...path.map(String), 'apiVersion');
  });
}

/** A Cluster with its class and the templates of that, with the defaults that the server writes into them: patches may replace these. */
function withDefaults(cluster: ManifestObject, index: ManifestIndex): ManifestIndex {
  const clusterClass = classOf(cluster, index)!;
  const templates = referencesOf(clusterClass).flatMap(({ reference: { kind, name } }) => index.all(kind).filter((one) => nameOf(one) === name));
  return new ManifestIndex([cluster, clusterClass, ...new Set(templates)].map((object) => {
    const root = structureOf(groupOf(object), String(object.kind))?.versions.get(String(object.apiVersion).split('/')[1]);
    return root && object !== cluster && object !== clusterClass ? objectWithDefaults(root, object) as ManifestObject : object;
  }));
}

/** Rules over the objects that a topology gives. */
export const TOPOLOGY_RESULTS: readonly ManifestRule[] = [patches];
