import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../objects/manifest-object';
import { CLUSTER, CLUSTER_NAME_LABEL, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { objectReference, partOf, referencesOf, referrersOf } from '../rules/references/object-references';
import { fieldAt, Fields, isFields, isSet, sameValue, stringAt } from '../values/fields';

// kubernetes-sigs/cluster-api core/webhooks/admission/machinedeployment.go
const DEPLOYMENT_NAME_LABEL = 'cluster.x-k8s.io/deployment-name';

const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';

/** A pool of machines, as objects. */
export interface PoolParts {
  /** Name of the pool, without that of the cluster. */
  readonly id: string;
  readonly deployment: ManifestObject;
  readonly machineTemplate: ManifestObject;
  readonly bootstrapTemplate: ManifestObject;
  readonly healthCheck?: ManifestObject;
}

/** A cluster of Cluster API, as objects that a page can make. */
export interface ClusterParts {
  /** Construct id of the cluster, and name of its file: its name, if no other cluster has it. */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly cluster: ManifestObject;
  readonly controlPlane: ManifestObject;
  readonly infrastructure: ManifestObject;

  /** The template of the machines of the control plane. */
  readonly controlPlaneTemplate?: ManifestObject;

  /** Their health check. */
  readonly controlPlaneHealthCheck?: ManifestObject;

  /** The Namespace, if no other cluster is in it. */
  readonly namespaceObject?: ManifestObject;
  readonly pools: readonly PoolParts[];
}

/** A cluster, or pools of it, that no page can make, and why. */
export interface Obstacle {
  readonly object: ManifestObject;
  readonly reason: string;
}

/** The clusters of the input. */
export interface FoundClusters {
  readonly clusters: readonly ClusterParts[];
  readonly obstacles: readonly Obstacle[];
}

/** Finds the clusters that pages can make, with their objects. */
export function findClusters(objects: readonly ManifestObject[]): FoundClusters {
  const index = new ManifestIndex(objects);
  const obstacles: Obstacle[] = [];
  const all = index.all(CLUSTER);
  const ids = clusterIds(all);
  const clusters = all.flatMap((cluster) => {
    const parts = partsOf(cluster, all, index, obstacles);
    if (typeof parts !== 'string') return [{ ...parts, id: ids.get(cluster)! }];
    obstacles.push({ object: cluster, reason: parts });
    return [];
  });
  return { clusters, obstacles };
}

/** Construct ids of clusters. Clusters of one name in several namespaces have both in it. */
function clusterIds(all: readonly ManifestObject[]): ReadonlyMap<ManifestObject, string> {
  const count = (name: string) => all.filter((cluster) => nameOf(cluster) === name).length;
  const taken = new Set(all.map((cluster) => nameOf(cluster)!).filter((name) => count(name) === 1));
  return new Map(all.map((cluster) => {
    const name = nameOf(cluster)!;
    if (count(name) === 1) return [cluster, name];
    const wish = `${namespaceOf(cluster) ?? ''}-${name}`;
    let id = wish;
    for (let number = 2; taken.has(id); number++) id = `${wish}-${number}`;
    taken.add(id);
    return [cluster, id];
  }));
}

/** The objects of a cluster; a text is the reason that no page can make it. */
function partsOf(
  cluster: ManifestObject, all: readonly ManifestObject[], index: ManifestIndex, obstacles: Obstacle[],
): Omit<ClusterParts, 'id'> | string {
  const [name, namespace] = [nameOf(cluster)!, namespaceOf(cluster)];
  if (namespace === undefined) return 'states no namespace: name it with --namespace';
  if (isSet(cluster, 'spec', 'topology')) return 'is made from a ClusterClass';
  const [controlPlane, infrastructure] = [partOf(cluster, 'controlPlaneRef', index), partOf(cluster, 'infrastructureRef', index)];
  if (!controlPlane) return missing(cluster, 'controlPlaneRef', 'control plane');
  if (!infrastructure) return missing(cluster, 'infrastructureRef', 'infrastructure object');
  if (versionOf(controlPlane, index, cluster) === undefined) return 'states no Kubernetes version, which its provider chooses';
  const checks = index.all(MACHINE_HEALTH_CHECK).filter((check) => namespaceOf(check) === namespace && stringAt(check, 'spec', 'clusterName') === name);
  const taken = new Set<ManifestObject>();
  const deployments = index.all(MACHINE_DEPLOYMENT)
    .filter((deployment) => namespaceOf(deployment) === namespace && stringAt(deployment, 'spec', 'clusterName') === name);
  const found = deployments.map((deployment) => poolParts(deployment, name, index));
  // A page may write a template that its pools and its control plane share; of others, it does not know when they are done with it.
  const sharing = new Set([controlPlane, ...deployments.filter((_, place) => typeof found[place] !== 'string')]);
  const pools = deployments.flatMap((deployment, place) => {
    const pool = unlessShared(found[place], sharing, index);
    if (typeof pool === 'string') {
      obstacles.push({ object: deployment, reason: pool });
      return [];
    }
    const healthCheck = checks.find((check) => !taken.has(check) && selects(check, deployment));
    if (healthCheck) taken.add(healthCheck);
    return [{ ...pool, healthCheck }];
  });
  const template = machineTemplateOf(controlPlane, index);
  const alone = all.filter((other) => namespaceOf(other) === namespace).length === 1;
  return {
    name,
    namespace,
    cluster,
    controlPlane,
    infrastructure,
    controlPlaneTemplate: template,
    controlPlaneHealthCheck: checks.find((check) => !taken.has(check) && isSet(check, 'spec', 'selector', 'matchLabels', CONTROL_PLANE_LABEL)),
    namespaceObject: alone ? index.find('/Namespace', undefined, namespace) : undefined,
    pools,
  };
}

/** The version of a cluster: that of its control plane, or else of its pools. */
function versionOf(controlPlane: ManifestObject, index: ManifestIndex, cluster: ManifestObject): string | undefined {
  const pools = index.all(MACHINE_DEPLOYMENT).filter((pool) => namespaceOf(pool) === namespaceOf(cluster) && stringAt(pool, 'spec', 'clusterName') === nameOf(cluster));
  return [stringAt(controlPlane, 'spec', 'version'), ...pools.map((pool) => stringAt(pool, 'spec', 'template', 'spec', 'version'))].find((version) => version !== undefined);
}

function missing(cluster: ManifestObject, field: string, what: string): string {
  const reference = objectReference(fieldAt(cluster, 'spec', field));
  if (!reference) return `has no ${field}`;
  return `lacks its ${what}: ${reference.kind.slice(reference.kind.indexOf('/') + 1)} ${reference.name} is not among the manifests`;
}

function machineTemplateOf(controlPlane: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  const [placed] = referencesOf(controlPlane);
  return placed && index.find(placed.reference.kind, namespaceOf(controlPlane), placed.reference.name);
}

function poolParts(deployment: ManifestObject, cluster: string, index: ManifestIndex): PoolParts | string {
  const machine = fieldAt(deployment, 'spec', 'template', 'spec');
  const references = [objectReference(fieldAt(machine, 'infrastructureRef')), objectReference(fieldAt(machine, 'bootstrap', 'configRef'))];
  const [machineTemplate, bootstrapTemplate] = references.map((reference) => (
    reference && index.find(reference.kind, namespaceOf(deployment), reference.name)));
  if (!machineTemplate) return 'lacks its machine template';
  if (!bootstrapTemplate) return 'lacks its bootstrap template';
  const name = nameOf(deployment)!;
  return { id: name.startsWith(`${cluster}-`) ? name.slice(cluster.length + 1) : name, deployment, machineTemplate, bootstrapTemplate };
}

/** A pool, unless its templates are those of objects that the page does not make. */
function unlessShared(pool: PoolParts | string, sharing: ReadonlySet<ManifestObject>, index: ManifestIndex): PoolParts | string {
  if (typeof pool === 'string') return pool;
  const shared = [pool.machineTemplate, pool.bootstrapTemplate]
    .find((template) => referrersOf(template, index).some(({ object }) => !sharing.has(object)));
  return shared ? `shares the ${objectName(shared)} with others` : pool;
}

/** True if a health check selects the machines of one pool alone, by their label. */
function selects(check: ManifestObject, deployment: ManifestObject): boolean {
  const [asked, given] = [fieldAt(check, 'spec', 'selector', 'matchLabels'), fieldAt(deployment, 'spec', 'template', 'metadata', 'labels')];
  if (!isFields(asked) || isSet(check, 'spec', 'selector', 'matchExpressions')) return false;
  // The webhook of MachineDeployments adds the name of the pool.
  const labels: Fields = { ...isFields(given) ? given : {}, [DEPLOYMENT_NAME_LABEL]: nameOf(deployment) };
  const own = Object.keys(asked).filter((key) => key !== CLUSTER_NAME_LABEL);
  return own.length > 0 && own.every((key) => sameValue(asked[key], labels[key]));
}

/** Kind and name of an object, by which it is found again. */
export function objectId(object: ManifestObject): string {
  return JSON.stringify([groupKind(object), namespaceOf(object) ?? '', nameOf(object) ?? '']);
}
