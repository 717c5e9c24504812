import { TopologyStop, TopologyUnknown } from './outcome';
import { fieldsOf, storedClass, storedTopology, TopologySpec, withoutUnset } from './stored-topology';
import { TopologyVariables } from './variables';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER_CLASS } from '../rules/cluster-api/cluster-api-kinds';
import { classesOf, classNameOf } from '../rules/cluster-api/cluster-classes';
import { ManifestIndex } from '../rules/manifest-index';
import { objectReference } from '../rules/references/object-references';
import { fieldAt, Fields, isFilled, isSet, stringAt } from '../values/fields';

/** A Cluster with a topology, and its ClusterClass. */
export interface Blueprint {
  readonly cluster: ManifestObject;
  readonly clusterName: string;
  readonly namespace?: string;
  readonly topology: TopologySpec;
  readonly clusterClass: TopologySpec;

  /** Name and namespace of the ClusterClass. */
  readonly of: { readonly namespace?: string; readonly name: string };
  readonly variables: TopologyVariables;

  /** All objects. */
  readonly index: ManifestIndex;

  /** Substitutes for templates that are not among the manifests, if they are allowed. */
  readonly missing?: MissingTemplates;
}

/** Templates that are not among the manifests. */
export interface MissingTemplates {
  /** Substitutes for the templates. */
  readonly stand: Set<ManifestObject>;

  /** Missing templates, in words. */
  readonly words: Set<string>;
}

/**
 * Reads a Cluster with a topology, and its ClusterClass.
 *
 * Throws `TopologyUnknown` if the class is not among the manifests, and nothing may stand for it.
 *
 * @param cluster the Cluster
 * @param index all objects
 * @param missing collects what is not among the manifests
 * @param former the variables of the topology as it exists
 */
export function blueprintOf(cluster: ManifestObject, index: ManifestIndex, missing?: MissingTemplates, former?: TopologyVariables): Blueprint {
  const topology = storedTopology(cluster);
  const { name, namespace } = classNameOf(cluster);
  if (name === undefined) throw new TopologyStop('the topology names no ClusterClass');
  const of = { namespace, name };
  const [found, ...others] = classesOf(cluster, index);
  if (others.length > 0) throw new TopologyUnknown(`there are several ClusterClasses ${name}`);
  if (!found) {
    const message = `ClusterClass ${name} is not among the manifests`;
    if (!missing) throw new TopologyUnknown(message);
    missing.words.add(message);
  }
  const clusterClass = found ? storedClass(found) : unknownClass(topology);
  const variables = found ? new TopologyVariables(clusterClass, topology, former) : TopologyVariables.NONE;
  return { cluster, clusterName: nameOf(cluster) ?? '', namespace: namespaceOf(cluster), topology, clusterClass, of, variables, index, missing };
}

/** Substitute for a ClusterClass that is not among the manifests: it has the classes of pools that a topology uses. */
function unknownClass({ workers }: TopologySpec): TopologySpec {
  const part = (group: string, kind: string): Fields => ({ templateRef: { apiVersion: `${group}.cluster.x-k8s.io/v1beta2`, kind, name: 'unknown' } });
  const poolClasses = (pools: readonly Fields[], kind: string): Fields[] => [...new Set(pools.map((pool) => pool.class))]
    .map((name) => ({ class: name, bootstrap: part('bootstrap', 'BootstrapTemplate'), infrastructure: part('infrastructure', kind) }));
  return {
    spec: { infrastructure: part('infrastructure', 'ClusterTemplate') },
    controlPlane: part('controlplane', 'ControlPlaneTemplate'),
    workers: {
      machineDeployments: poolClasses(workers.machineDeployments, 'MachineTemplate'), machinePools: poolClasses(workers.machinePools, 'MachinePoolTemplate'),
    },
  };
}

/**
 * The template that a ClusterClass refers to.
 *
 * @param holder the part of the class that has `templateRef`
 * @param blueprint the topology
 */
export function classTemplate(holder: unknown, { of: { namespace, name }, index, missing }: Blueprint): ManifestObject {
  const reference = objectReference(fieldAt(holder, 'templateRef'));
  if (!reference) throw new TopologyStop(`ClusterClass ${name} has a part without a template`);
  const found = index.find(reference.kind, namespace, reference.name);
  const apiVersion = stringAt(holder, 'templateRef', 'apiVersion');
  // Cluster API reads it in the version that the class names.
  if (found) return { ...found, apiVersion: apiVersion ?? found.apiVersion };
  const kind = reference.kind.slice(reference.kind.indexOf('/') + 1);
  const message = `${kind} ${reference.name} of ClusterClass ${name} is not among the manifests`;
  if (!missing) throw new TopologyUnknown(message);
  const stand = { apiVersion, kind, metadata: { name: reference.name }, spec: { template: { spec: {} } } };
  missing.stand.add(stand);
  if (index.find(CLUSTER_CLASS, namespace, name)) missing.words.add(message);
  return stand;
}

/** A field that a topology takes from its class, if it does not set it itself. */
export function either(own: Fields, ofClass: Fields, ...path: readonly string[]): unknown {
  const value = fieldAt(own, ...path);
  return isSet(value) && value !== '' ? value : fieldAt(ofClass, ...path);
}

/**
 * The MachineHealthCheck of a control plane or pool.
 *
 * Source: kubernetes-sigs/cluster-api exp/topology/scope/blueprint.go, exp/topology/desiredstate/desired_state.go (computeMachineHealthCheck), v1.14.2.
 *
 * @param target the control plane or pool
 * @param matchLabels labels of its machines
 * @param own what the topology says of it
 * @param ofClass what the class says of it
 */
export function healthCheckOf(
  target: ManifestObject, matchLabels: Fields, own: Fields, ofClass: Fields, clusterName: string,
): ManifestObject | undefined {
  const checks = [own, ofClass].map(({ healthCheck }) => healthCheck).filter((check) => isFilled(check, 'checks') || isFilled(check, 'remediation'));
  if (checks.length === 0 || fieldAt(own, 'healthCheck', 'enabled') === false) return undefined;
  const { nodeStartupTimeoutSeconds = DEFAULT_STARTUP, ...others } = fieldsOf(fieldAt(checks[0], 'checks'));
  const { maxInFlight: _, ...remediation } = fieldsOf(fieldAt(checks[0], 'remediation'));
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: withoutUnset({
      name: nameOf(target),
      namespace: namespaceOf(target),
      labels: { 'topology.cluster.x-k8s.io/owned': '', 'cluster.x-k8s.io/cluster-name': clusterName },
    }),
    spec: withoutUnset({
      clusterName,
      selector: { matchLabels },
      checks: { nodeStartupTimeoutSeconds, ...others },
      remediation: Object.keys(remediation).length > 0 ? remediation : undefined,
    }),
  };
}

/** Seconds that a machine has to become a node. */
const DEFAULT_STARTUP = 600;
