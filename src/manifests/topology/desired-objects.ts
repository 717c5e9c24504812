import { Blueprint, blueprintOf, classTemplate, MissingTemplates } from './blueprint';
import { clusterBuiltin, controlPlaneBuiltin, poolBuiltin } from './builtin-variables';
import { controlPlaneOf, KEPT_OF_CONTROL_PLANE, TopologyControlPlane } from './control-plane-object';
import { applyPatches, PatchedTemplate, TemplateUse } from './patches';
import { CurrentNames, MadeObject, poolsOf, TopologyPool } from './pool-objects';
import { fieldsOf, withoutUnset, WorkerList } from './stored-topology';
import { CLONED_FROM_KIND, CLONED_FROM_NAME, generatedName, objectFrom, OWNED_LABEL, POOL_LABELS } from './template-objects';
import { TopologyVariables, Variables } from './variables';
import { ManifestObject } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { fieldAt, Fields, isFields, objectsAt, pointerTo, stringAt, withValues } from '../values/fields';

/** The objects that the topology controller makes of a Cluster. */
export interface TopologyObjects {
  readonly blueprint: Blueprint;
  readonly infrastructureCluster: ManifestObject;
  readonly controlPlane: TopologyControlPlane;
  readonly pools: readonly TopologyPool[];

  /** Patches whose changes are not known, and why. */
  readonly unknown: readonly string[];
}

/** Existing objects of a topology, by their names. */
export interface CurrentState {
  readonly infrastructureCluster?: string;
  readonly controlPlane?: string;
  readonly pool: CurrentNames;

  /** Its variables, with the defaults that the server has written. */
  readonly variables?: TopologyVariables;

  /** Collects templates that are not among the manifests, and that others may stand for. */
  readonly missing?: MissingTemplates;

  /** The version of a pool that is not upgraded, though the topology is. */
  readonly versionOf: (list: WorkerList, own: Fields, version: unknown) => unknown;
}

/** A topology of which nothing exists yet. */
export const NOTHING: CurrentState = { pool: () => undefined, versionOf: (_list, _own, version) => version };

/**
 * Computes the objects that the topology controller makes of a Cluster.
 *
 * Throws `TopologyStop` where the controller stops, and `TopologyUnknown` where it does not follow from the manifests.
 *
 * Source: kubernetes-sigs/cluster-api exp/topology/desiredstate/desired_state.go (Generate), v1.14.2.
 *
 * @param cluster the Cluster
 * @param index all objects
 * @param current what exists already
 */
export function desiredObjects(cluster: ManifestObject, index: ManifestIndex, current: CurrentState = NOTHING): TopologyObjects {
  const blueprint = blueprintOf(cluster, index, current.missing, current.variables);
  const { topology, clusterClass: { spec } } = blueprint;
  const infrastructure = infrastructureOf(blueprint, current.infrastructureCluster);
  const controlPlane = controlPlaneOf(blueprint, current.controlPlane);
  const pools = poolsOf(blueprint, current.pool, (list, own) => current.versionOf(list, own, topology.spec.version));
  const patches = objectsAt(spec, 'patches').map(([patch]) => patch);
  const absent = [...current.missing?.words ?? []];
  if (patches.length === 0) return { blueprint, infrastructureCluster: infrastructure.object, controlPlane, pools, unknown: absent };
  const { items, unknown } = applyPatches(patches, itemsOf(blueprint, { infrastructure, controlPlane, pools }));
  const patched = new Map(items.map(({ key, template }) => [key, template]));
  const replaced = (key: string, former: MadeObject, kept?: readonly (readonly string[])[]): MadeObject => {
    const template = patched.get(key);
    if (!template) return former;
    return { ...former, object: isCopy(former.object) ? patchedCopy(former.object, template) : patchedObject(former.object, template, kept) };
  };
  const { machines } = controlPlane;
  return {
    blueprint,
    infrastructureCluster: replaced('infrastructure', infrastructure).object,
    controlPlane: {
      ...controlPlane,
      object: replaced('controlPlane', controlPlane, KEPT_OF_CONTROL_PLANE).object,
      ...machines && { machines: { ...machines, copy: replaced('machines', { template: machines.template, object: machines.copy }).object } },
    },
    pools: pools.map((pool) => ({
      ...pool,
      bootstrap: replaced(poolKey(pool, 'bootstrap'), pool.bootstrap),
      infrastructure: replaced(poolKey(pool, 'infrastructure'), pool.infrastructure),
    })),
    unknown: [...absent, ...unknown],
  };
}

function infrastructureOf(blueprint: Blueprint, currentName: string | undefined): MadeObject {
  const { clusterName, namespace, clusterClass: { spec } } = blueprint;
  const template = classTemplate(spec.infrastructure, blueprint);
  const naming = stringAt(spec, 'infrastructure', 'naming', 'template') ?? '{{ .cluster.name }}-{{ .random }}';
  const name = generatedName(naming, { cluster: { name: clusterName } }, currentName);
  return { template, object: objectFrom({ template, name, namespace, clusterName }) };
}

interface Item extends PatchedTemplate {
  readonly key: string;

  /** The template as the ClusterClass refers to it. */
  readonly original: ManifestObject;
}

interface Made {
  readonly infrastructure: MadeObject;
  readonly controlPlane: TopologyControlPlane;
  readonly pools: readonly TopologyPool[];
}

/** The templates that patches change, each for what it is used for. */
function itemsOf(blueprint: Blueprint, { infrastructure, controlPlane, pools }: Made): Item[] {
  const { variables, topology } = blueprint;
  const builtin = clusterBuiltin(blueprint);
  const values = (overrides: Variables, more: Variables): Variables => ({ ...variables.shared, ...overrides, builtin: { ...builtin, ...more } });
  const item = (key: string, use: TemplateUse, { template, object }: MadeObject, known: Variables, poolClass?: string): Item => ({
    key,
    use,
    variables: known,
    original: template,
    template: withMarks(template, object, isCopy(object) ? ['metadata'] : ['spec', 'template', 'metadata']),
    ...(poolClass !== undefined && { poolClass }),
  });
  const ofControlPlane = values(variables.overrides(topology.controlPlane), controlPlaneBuiltin(controlPlane, topology.controlPlane));
  const { machines } = controlPlane;
  const items = [
    item('infrastructure', 'infrastructureCluster', infrastructure, values({}, {})),
    item('controlPlane', 'controlPlane', controlPlane, ofControlPlane),
    ...machines ? [item('machines', 'controlPlaneMachine', { template: machines.template, object: machines.copy }, ofControlPlane)] : [],
    ...pools.flatMap((pool) => {
      const known = values(variables.overrides(pool.own), poolBuiltin(pool));
      const use = pool.list === 'machineDeployments' ? 'machineDeployment' : 'machinePool';
      return (['bootstrap', 'infrastructure'] as const).map((part) => item(poolKey(pool, part), use, pool[part], known, pool.poolClass));
    }),
  ];
  return blueprint.missing ? items.filter(({ original }) => !blueprint.missing!.stand.has(original)) : items;
}

function poolKey({ list, name }: TopologyPool, part: string): string {
  return JSON.stringify([list, name, part]);
}

/** True for the copy of a template; false for an object that is made from one. */
function isCopy({ kind }: ManifestObject): boolean {
  return String(kind).endsWith('Template');
}

/** A template with the labels and annotations of what is made of it: patches see them. */
function withMarks(template: ManifestObject, made: ManifestObject, at: readonly string[]): ManifestObject {
  const changes = ['labels', 'annotations'].flatMap((field) => {
    const marks = fieldAt(made, 'metadata', field);
    return isFields(marks) && Object.keys(marks).length > 0 ? [[pointerTo([...at, field]), marks] as const] : [];
  });
  return withValues(template, new Map(changes));
}

/** Labels and annotations that patches do not change. */
const KEPT_MARKS: readonly (readonly string[])[] = [
  ...['cluster.x-k8s.io/cluster-name', OWNED_LABEL, ...Object.values(POOL_LABELS)].map((label) => ['metadata', 'labels', label]),
  ...[CLONED_FROM_NAME, CLONED_FROM_KIND].map((annotation) => ['metadata', 'annotations', annotation]),
];

/** An object with what patches have made of its template. */
function patchedObject(object: ManifestObject, template: ManifestObject, kept: readonly (readonly string[])[] = []): ManifestObject {
  const inner = fieldAt(template, 'spec', 'template');
  return copyFields(object, kept, [
    [['spec'], fieldAt(inner, 'spec')], [['metadata', 'labels'], fieldAt(inner, 'metadata', 'labels')],
    [['metadata', 'annotations'], fieldAt(inner, 'metadata', 'annotations')],
  ]);
}

function patchedCopy(copy: ManifestObject, template: ManifestObject): ManifestObject {
  return copyFields(copy, [], [
    [['metadata', 'labels'], fieldAt(template, 'metadata', 'labels')], [['metadata', 'annotations'], fieldAt(template, 'metadata', 'annotations')],
    [['spec', 'template', 'spec'], fieldAt(template, 'spec', 'template', 'spec')],
    ...['labels', 'annotations'].map((field) => ['spec', 'template', 'metadata', field]).map((path) => [path, fieldAt(template, ...path)] as const),
  ]);
}

function copyFields(
  object: ManifestObject, kept: readonly (readonly string[])[], fields: readonly (readonly [path: readonly string[], value: unknown])[],
): ManifestObject {
  const former = [...KEPT_MARKS, ...kept].map((path) => [path, fieldAt(object, ...path)] as const);
  const changes = [...fields, ...former].filter(([, value]) => value !== undefined);
  return withValues(object, new Map(changes.map(([path, value]) => [pointerTo(path), value])));
}

/** The objects of a topology in the order in which the controller applies them, and the Cluster as it is then. */
export function objectsOf({ blueprint, infrastructureCluster, controlPlane, pools }: TopologyObjects): ManifestObject[] {
  return [
    infrastructureCluster,
    ...controlPlane.machines ? [controlPlane.machines.copy] : [],
    controlPlane.object,
    ...controlPlane.healthCheck ? [controlPlane.healthCheck] : [],
    clusterOf(blueprint.cluster, infrastructureCluster, controlPlane.object),
    ...pools.flatMap(({ bootstrap, infrastructure, object, healthCheck }) => (
      [bootstrap.object, infrastructure.object, object, ...healthCheck ? [healthCheck] : []])),
  ];
}

/** A Cluster with references to what is made of its topology. */
export function clusterOf(cluster: ManifestObject, infrastructureCluster: ManifestObject, controlPlane: ManifestObject): ManifestObject {
  const reference = ({ apiVersion, kind, metadata }: ManifestObject) => (
    withoutUnset({ apiGroup: String(apiVersion).split('/')[0], kind, name: fieldAt(metadata, 'name') }));
  return {
    ...cluster, spec: { ...fieldsOf(cluster.spec), infrastructureRef: reference(infrastructureCluster), controlPlaneRef: reference(controlPlane) },
  };
}
