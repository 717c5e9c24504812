import { ManifestObject, nameOf } from '../../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../../src/manifests/rules/manifest-index';
import { CurrentState, desiredObjects, NOTHING, objectsOf, TopologyObjects } from '../../../../src/manifests/topology/desired-objects';
import { fieldAt, Fields, isFields, stringAt } from '../../../../src/manifests/values/fields';

/** Paths of fields that webhooks and other controllers write into the objects of a topology. */
const WRITTEN_BY_OTHERS = [
  /^MachineDeployment spec\.rollout(\.|$)/, /^KubeadmControlPlane spec\.rollout(\.|$)/, /^(Dev|Kubevirt)Cluster spec\.controlPlaneEndpoint$/,
  /^DevCluster metadata\.annotations\.inmemorycluster\.infrastructure\.cluster\.x-k8s\.io\/listener$/,
  // The webhook writes the minimum of the autoscaler where no number is given.
  /^MachineDeployment spec\.replicas$/,
  /^MachineDeployment metadata\.annotations(\.machinedeployment\.clusters\.x-k8s\.io\/revision)?$/,
];

const NAME_LABELS = ['cluster.x-k8s.io/cluster-name', 'topology.cluster.x-k8s.io/deployment-name'];

/** Comparison of computed objects with those that the controller made. */
export interface TopologyComparison {
  /** Number of objects that are the same. */
  readonly same: number;

  /** Differences, in words. */
  readonly faults: readonly string[];
}

/**
 * Compares the objects that are computed of topologies with those that the real topology controller made.
 *
 * @param objects the manifests
 * @param made objects that the controller made
 * @param before the manifests of the state before; none by default. A Cluster keeps the defaults of its variables.
 */
export function topologyFaults(
  objects: readonly ManifestObject[], made: readonly ManifestObject[], before: readonly ManifestObject[] = [],
): TopologyComparison {
  const former = new Map(topologiesOf(before).map((topology) => [nameOf(topology.blueprint.cluster), topology.blueprint.variables]));
  const computed = topologiesOf(objects, (cluster) => former.get(nameOf(cluster))).flatMap(objectsOf).filter(({ kind }) => kind !== 'Cluster');
  const faults: string[] = [];
  let same = 0;
  // After a rollout, the controller keeps a template that a machine still has.
  for (const object of computed) {
    const found = made.filter((other) => keyOf(other) === keyOf(object)).map((other) => [
      ...differences(object, other), ...additions(object, other),
    ]);
    const [fewest = [`${keyOf(object)}: computed, and not made`]] = found.sort((one, other) => one.length - other.length);
    faults.push(...fewest);
    if (fewest.length === 0) same++;
  }
  const keys = new Set(computed.map(keyOf));
  return { same, faults: [...faults, ...made.map(keyOf).filter((key) => !keys.has(key)).map((key) => `${key}: made, and not computed`)] };
}

/** The objects of each Cluster with a topology. */
function topologiesOf(
  objects: readonly ManifestObject[], variables: (cluster: ManifestObject) => CurrentState['variables'] = () => undefined,
): TopologyObjects[] {
  const index = new ManifestIndex(objects);
  const clusters = objects.filter(({ kind, spec }) => kind === 'Cluster' && fieldAt(spec, 'topology') !== undefined);
  return clusters.map((cluster) => desiredObjects(cluster, index, { ...NOTHING, variables: variables(cluster) }));
}

function keyOf(object: ManifestObject): string {
  const labels = NAME_LABELS.map((label) => stringAt(object, 'metadata', 'labels', label) ?? '');
  return [object.kind, ...labels, withoutRandom(stringAt(object, 'metadata', 'name') ?? '')].join(' ');
}

/** A name without the random end that the controller gives it. */
function withoutRandom(name: string): string {
  return name.replace(/-[a-z0-9]{5}$/, '-xxxxx');
}

/** Computed fields that the controller did not make, or made with another value. */
function differences(computed: ManifestObject, made: ManifestObject): string[] {
  return pairsOfFields(computed, made).filter(({ one, other }) => one !== undefined && !isSame(one, other))
    .map(({ path, one, other }) => `${path}: computed ${JSON.stringify(one)}, made ${JSON.stringify(other)}`);
}

/** Fields that the controller made, and that are not computed. */
function additions(computed: ManifestObject, made: ManifestObject): string[] {
  return pairsOfFields(made, computed).filter(({ path, one, other }) => (
    other === undefined && !isEmpty(one) && !WRITTEN_BY_OTHERS.some((written) => written.test(path)))).map(({ path }) => `${path}: made, and not computed`);
}

interface FieldPair {
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

/** The fields of an object beside those of another one, down to where one of both has no object or list. */
function pairsOfFields(object: ManifestObject, beside: ManifestObject): FieldPair[] {
  return ['spec', 'metadata'].flatMap((field) => fieldPairs({ path: `${String(object.kind)} ${field}`, one: object[field], other: beside[field] }));
}

function fieldPairs({ path, one, other }: FieldPair): FieldPair[] {
  if (isFields(one) && isFields(other)) {
    return Object.entries(one).flatMap(([key, value]) => fieldPairs({ path: `${path}.${key}`, one: value, other: (other as Fields)[key] }));
  }
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return [{ path, one, other }];
  return one.flatMap((value, position) => fieldPairs({ path: `${path}[${position}]`, one: value, other: other[position] }));
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return withoutRandom(one) === withoutRandom(other);
  return JSON.stringify(one) === JSON.stringify(other) || isEmpty(one) && other === undefined;
}

function isEmpty(value: unknown): boolean {
  return isFields(value) && Object.keys(value).length === 0;
}
