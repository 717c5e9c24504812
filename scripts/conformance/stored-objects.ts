import { groupKind, ManifestObject } from '../../src/manifests/objects/manifest-object';
import { isDefinition } from '../../src/manifests/rules/structure/kind-definitions';
import { fieldAt, objectsAt, stringAt } from '../../src/manifests/values/fields';

const CLUSTER = 'cluster.x-k8s.io/Cluster';
const CLUSTER_CLASS = 'cluster.x-k8s.io/ClusterClass';
const IP_ADDRESS = 'ipam.cluster.x-k8s.io/IPAddress';
const IP_ADDRESS_CLAIM = 'ipam.cluster.x-k8s.io/IPAddressClaim';
const REFERENCE = { apiVersion: 'example.com/v1', kind: 'ExampleTemplate', name: 'example' };

/**
 * Objects that the server has to hold when it judges one: the definition of its kind, and what a webhook looks up: of a Cluster with a topology its class, of a class
 * the Clusters that use it, of an address its claim.
 *
 * @param object the object
 * @param others what stands beside it
 */
export function storedFor(object: ManifestObject, others: readonly ManifestObject[]): ManifestObject[] {
  return [...others.filter((other) => isDefinitionOf(other, object)), ...lookedUpFor(object, others)];
}

/** True if a definition is that of the kind of an object. */
function isDefinitionOf(definition: ManifestObject, object: ManifestObject): boolean {
  return isDefinition(definition) && [['spec', 'group'], ['spec', 'names', 'kind']].map((path) => stringAt(definition, ...path)).join('/') === groupKind(object);
}

function lookedUpFor(object: ManifestObject, others: readonly ManifestObject[]): ManifestObject[] {
  const classes = others.filter((other) => groupKind(other) === CLUSTER_CLASS);
  if (groupKind(object) === IP_ADDRESS) return others.filter((other) => groupKind(other) === IP_ADDRESS_CLAIM);
  if (groupKind(object) === CLUSTER_CLASS) return [...classes.map(reconciled), ...others.filter((other) => groupKind(other) === CLUSTER)];
  if (groupKind(object) !== CLUSTER || fieldAt(object, 'spec', 'topology') === undefined) return [];
  return (classes.length > 0 ? classes : classOf(object)).map(reconciled);
}

/** The smallest class that has what a Cluster asks of it: an example that is not about the class leaves it out. */
function classOf(cluster: ManifestObject): ManifestObject[] {
  const name = stringAt(cluster, 'spec', 'topology', 'classRef', 'name');
  if (name === undefined) return [];
  const template = { templateRef: REFERENCE };
  const lists = ['machineDeployments', 'machinePools'].map((list): [string, object[]] => {
    const names = new Set(objectsAt(cluster, 'spec', 'topology', 'workers', list).map(([worker]) => String(worker.class)));
    return [list, [...names].map((worker) => ({ class: worker, bootstrap: template, infrastructure: template }))];
  }).filter(([, classes]) => classes.length > 0);
  return [{
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'ClusterClass',
    metadata: { name, namespace: stringAt(cluster, 'metadata', 'namespace') },
    spec: {
      infrastructure: template,
      controlPlane: template,
      ...(lists.length > 0 && { workers: Object.fromEntries(lists) }),
    },
  }];
}

/**
 * A ClusterClass as a server holds it when its controller has seen it: until then, the webhook of Cluster leaves out what it would look up
 * in the class (kubernetes-sigs/cluster-api core/webhooks/admission/cluster.go).
 */
function reconciled(clusterClass: ManifestObject): ManifestObject {
  const variables = objectsAt(clusterClass, 'spec', 'variables').map(([{ name, required, schema }]) => ({
    name, definitionsConflict: false, definitions: [{ from: 'inline', required: required === true, schema }],
  }));
  const condition = { type: 'VariablesReady', status: 'True', reason: 'VariablesReady', message: '', lastTransitionTime: '2024-01-01T00:00:00Z' };
  return { ...clusterClass, status: { observedGeneration: 1, conditions: [condition], ...(variables.length > 0 && { variables }) } };
}
