import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { MAX_SIZE, MIN_SIZE } from '../../rules/cluster-api/autoscaler-annotations';
import { CLUSTER, CLUSTER_NAME_LABEL, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from '../../rules/cluster-api/cluster-api-kinds';
import { groupedBy, Lookup, ManifestIndex } from '../../rules/manifest-index';
import { mountedFile } from '../../rules/mounted-files';
import { POD_KINDS } from '../../rules/pod-objects';
import { argumentOf, Program, programsOf, valueOf } from '../../rules/programs';
import { FieldPath, isSet, stringAt } from '../../values/fields';
import { parseGoBool } from '../../values/flag-values';

/** Place where an autoscaler looks for pools. */
export interface Discovery {
  /** Field that tells it. */
  readonly path: FieldPath;
  readonly cluster?: string;
  readonly namespace?: string;

  /** Labels that pools have. */
  readonly labels: Readonly<Record<string, string>>;
}

/** An autoscaler of Cluster API, and what it works on. */
export interface Autoscaler {
  /** Argument of the provider. */
  readonly path: FieldPath;

  /** None stands for the pools of all namespaces; undefined if they are not known. */
  readonly discoveries?: readonly Discovery[];

  /** File with the kubeconfig of the cluster whose nodes it watches; undefined is the cluster that it runs in. */
  readonly nodes?: { readonly path: FieldPath; readonly secret?: string };

  /** True if it looks for pools in the cluster whose nodes it watches. */
  readonly poolsBesideNodes: boolean;
}

/** The autoscalers of Cluster API among the programs of an object; those whose arguments are not all known are left out. */
export function autoscalersIn(object: ManifestObject, index: ManifestIndex): Autoscaler[] {
  return programsOf(object).filter(({ name, isComplete }) => name === 'cluster-autoscaler' && isComplete).flatMap((program) => {
    const provider = argumentOf(program, 'cloud-provider');
    return provider?.value === 'clusterapi' ? [autoscalerOf(program, provider.path, index)] : [];
  });
}

function autoscalerOf(program: Program, path: FieldPath, index: ManifestIndex): Autoscaler {
  const valueAt = (name: string) => {
    const argument = argumentOf(program, name);
    return argument && { path: argument.path, value: valueOf(program, argument, index) };
  };
  const kubeconfig = valueAt('kubeconfig');
  const texts = program.args.filter(({ name }) => name === 'node-group-auto-discovery').map((argument) => ({ path: argument.path, text: valueOf(program, argument, index) }));
  const discoveries = texts.map(({ path: at, text }) => (text === undefined ? undefined : parseDiscovery(text, at)));
  const mounted = kubeconfig?.value === undefined ? undefined : mountedFile(program, kubeconfig.value);
  return {
    path,
    ...(discoveries.every((one) => one !== undefined) && { discoveries }),
    ...(kubeconfig && kubeconfig.value !== '' && { nodes: { path: kubeconfig.path, secret: mounted?.source.kind === '/Secret' ? mounted.source.name : undefined } }),
    poolsBesideNodes: !valueAt('cloud-config')?.value && parseGoBool(valueAt('clusterapi-cloud-config-authoritative')?.value ?? 'false') === false,
  };
}

/** Pairs of a discovery; undefined if the autoscaler cannot read it, and exits. */
export function discoveryPairs(text: string): readonly (readonly [string, string])[] | undefined {
  const [provider, list, ...more] = text.split(':');
  if (provider !== 'clusterapi' || list === undefined || more.length > 0) return undefined;
  const pairs = list.split(',').filter((pair) => pair !== '').map((pair) => pair.split('='));
  return pairs.every((pair) => pair.length === 2) ? pairs.map(([key, value]) => [key, value]) : undefined;
}

function parseDiscovery(text: string, path: FieldPath): Discovery | undefined {
  const pairs = discoveryPairs(text);
  if (!pairs) return undefined;
  const { clusterName, namespace, ...labels }: Record<string, string> = Object.fromEntries(pairs);
  return { path, cluster: clusterName || labels[CLUSTER_NAME_LABEL] || undefined, namespace: namespace || undefined, labels };
}

/** The Clusters that objects of an index may belong to: those of the management cluster. */
export function clustersOf(index: ManifestIndex): readonly ManifestObject[] {
  return (index.target?.management ?? index).all(CLUSTER);
}

const BY_NAME = new Lookup([CLUSTER], (cluster) => [namespaceOf(cluster), nameOf(cluster)]);

/** The Clusters with a name. */
export function clustersNamed(namespace: string | undefined, name: string | undefined, index: ManifestIndex): readonly ManifestObject[] {
  return BY_NAME.find(index.target?.management ?? index, namespace, name);
}

/** The Clusters whose pools an autoscaler may find, as far as they were read. */
export function clustersFoundBy({ discoveries }: Autoscaler, index: ManifestIndex): readonly ManifestObject[] {
  if (!discoveries) return [];
  const [only] = discoveries;
  if (discoveries.length === 1 && isNamed(only)) return clustersNamed(only.namespace, only.cluster, index).slice(0, 1);
  if (discoveries.length === 0) return distinctClusters(index);
  const found = discoveries.flatMap(({ namespace, cluster }) => distinctClusters(index, namespace)
    .filter((one) => cluster === undefined || cluster === nameOf(one)));
  return [...new Set(found)];
}

const DISTINCT = new WeakMap<ManifestIndex, ReadonlyMap<string | undefined, readonly ManifestObject[]>>();

/** The Clusters of a namespace, or of all, each once: overlays of kustomize, and outputs of several runs, hold one several times. */
function distinctClusters(index: ManifestIndex, namespace?: string): readonly ManifestObject[] {
  let clusters = DISTINCT.get(index);
  if (!clusters) {
    const all = clustersOf(index).filter((cluster) => clustersNamed(namespaceOf(cluster), nameOf(cluster), index)[0] === cluster);
    DISTINCT.set(index, clusters = new Map([...groupedBy(all, namespaceOf), [ALL, all]]));
  }
  return clusters.get(namespace ?? ALL) ?? [];
}

/** Key of the Clusters of all namespaces, which is no name of one. */
const ALL = '*';

/** True if a discovery is one of the pools of one Cluster. */
function isNamed({ namespace, cluster }: Discovery): boolean {
  return namespace !== undefined && cluster !== undefined;
}

/** True if an autoscaler finds a pool. */
export function finds({ discoveries }: Autoscaler, pool: ManifestObject): boolean {
  return discoveries?.length === 0 || discoveries?.some(({ namespace, cluster, labels }) => (
    (namespace ?? namespaceOf(pool)) === namespaceOf(pool)
    && (cluster ?? stringAt(pool, 'spec', 'clusterName')) === stringAt(pool, 'spec', 'clusterName')
    && Object.entries(labels).every(([key, value]) => stringAt(pool, 'metadata', 'labels', key) === value))) === true;
}

/** True if an object, or the metadata of a pool in a topology, has bounds. */
export function hasBounds(pool: unknown): boolean {
  return [MIN_SIZE, MAX_SIZE].every((name) => isSet(pool, 'metadata', 'annotations', name));
}

const POOLS: readonly string[] = [MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET];

const POOLS_OF = new Lookup(POOLS, (pool) => [namespaceOf(pool), stringAt(pool, 'spec', 'clusterName')]);

/** The pools of a Cluster that are objects of their own. */
export function poolsOf(cluster: ManifestObject, index: ManifestIndex): readonly ManifestObject[] {
  return POOLS_OF.find(index.target?.management ?? index, namespaceOf(cluster), nameOf(cluster));
}

/** The autoscalers of Cluster API among objects. */
interface FoundAutoscalers {
  readonly all: readonly Autoscaler[];

  /** Autoscalers of the pools of one Cluster, by its namespace and name. */
  readonly ofCluster: ReadonlyMap<string, readonly Autoscaler[]>;
  readonly others: readonly Autoscaler[];
}

const FOUND = new WeakMap<ManifestIndex, FoundAutoscalers>();

function foundIn(index: ManifestIndex): FoundAutoscalers {
  const known = FOUND.get(index);
  if (known) return known;
  const all = POD_KINDS.flatMap((kind) => index.all(kind)).flatMap((object) => autoscalersIn(object, index));
  const ofCluster = new Map<string, Autoscaler[]>();
  const others: Autoscaler[] = [];
  for (const one of all) {
    const [only] = one.discoveries ?? [];
    if (one.discoveries?.length !== 1 || !isNamed(only)) {
      others.push(one);
      continue;
    }
    const key = JSON.stringify([only.namespace, only.cluster]);
    ofCluster.set(key, [...ofCluster.get(key) ?? [], one]);
  }
  const found = { all, ofCluster, others };
  FOUND.set(index, found);
  return found;
}

/** True if there is an autoscaler of Cluster API among objects. */
export function hasAutoscaler(index: ManifestIndex): boolean {
  return foundIn(index).all.length > 0;
}

/** True if an autoscaler among objects finds a pool, or may do so. */
export function isFound(pool: ManifestObject, index: ManifestIndex): boolean {
  const { ofCluster, others } = foundIn(index);
  const own = ofCluster.get(JSON.stringify([namespaceOf(pool), stringAt(pool, 'spec', 'clusterName')])) ?? [];
  return [...own, ...others].some((one) => !one.discoveries || finds(one, pool));
}
