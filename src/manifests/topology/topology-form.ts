import { fieldsOf, withoutUnset } from './stored-topology';
import { mergedMarks } from './template-objects';
import { groupOf, ManifestObject, nameOf } from '../objects/manifest-object';
import { CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { structureOf } from '../rules/structure/structures';
import { nodeAt, SchemaNode } from '../schema/schema-node';
import { fieldAt, FieldPath, Fields, isFields, isFilled, isSet, unlessEmpty } from '../values/fields';

/** A pool of machines as objects of its own. */
export interface PlainPool {
  /** Its name in the topology. */
  readonly name: string;
  readonly machineDeployment: ManifestObject;
  readonly healthCheck?: ManifestObject;
}

/** A Cluster that refers to its objects. */
export interface PlainCluster {
  readonly cluster: ManifestObject;
  readonly infrastructure: ManifestObject;
  readonly controlPlane: ManifestObject;

  /** Health check of the machines of the control plane. */
  readonly controlPlaneHealthCheck?: ManifestObject;
  readonly pools: readonly PlainPool[];
}

/** The templates that a ClusterClass refers to. */
export interface ClassTemplates {
  readonly infrastructure: ManifestObject;
  readonly controlPlane: ManifestObject;

  /** Template of the machines of the control plane, where it has machines. */
  readonly controlPlaneMachines?: ManifestObject;

  /** Templates of a pool. */
  readonly pool: (name: string) => { readonly machine: ManifestObject; readonly bootstrap: ManifestObject };
}

/** A field of an object that neither a topology nor a ClusterClass can have. */
export interface TopologyRefusal {
  readonly object: ManifestObject;

  /** The pool that has the object, by its name in the topology. */
  readonly pool?: string;
  readonly path: FieldPath;
  readonly message: string;
  readonly fix: string;
}

/** Names in a ClusterClass by which objects have the names that they have without a topology. */
const CLUSTER_NAMING = { template: '{{ .cluster.name }}' };
const POOL_NAMING = { template: '{{ .cluster.name }}-{{ .machineDeployment.topologyName }}' };

/** Label of the machines of a MachineDeployment, which its controller sets. */
const DEPLOYMENT_LABEL = 'cluster.x-k8s.io/deployment-name';

const PAUSED = 'cluster.x-k8s.io/paused';

/** Annotations of tools that apply an object: what is made of a template is applied by none. */
const TOOL = /^(kustomize\.toolkit\.fluxcd\.io|argocd\.argoproj\.io|helm\.sh|cdk8s-cluster-api)\//;

/** Fields of a control plane that the topology has. */
const CONTROL_PLANE_REPLICAS = ['spec', 'replicas'];
const CONTROL_PLANE_VERSION = ['spec', 'version'];
const ROLLOUT_AFTER = ['spec', 'rollout', 'after'];

/** Fields of the machines of a control plane, in v1beta2 and before. */
const MACHINES = [['spec', 'machineTemplate', 'spec'], ['spec', 'machineTemplate']];

/** Fields of machines that a topology has, and templates of control planes do not. */
const MACHINE_FIELDS = ['readinessGates', 'taints'];

/**
 * The template of an object, without what the topology says of each Cluster: number, version, names.
 *
 * The template's metadata is that of the object. Labels, and annotations that are not for tools that apply it, are those of what is made of it.
 *
 * @param object a control plane or an infrastructure object
 */
export function templateOf(object: ManifestObject): Omit<ManifestObject, 'metadata'> & { readonly spec: Fields } {
  const marks = withoutUnset({ labels: unlessEmpty(labelsOf(object)), annotations: unlessEmpty(annotationsOf(object)) });
  return {
    apiVersion: object.apiVersion,
    kind: `${String(object.kind)}Template`,
    spec: { template: withoutUnset({ metadata: unlessEmpty(marks), spec: templateSpec(object) }) },
  };
}

function templateSpec(object: ManifestObject): Fields {
  const others = [CONTROL_PLANE_REPLICAS, CONTROL_PLANE_VERSION, ROLLOUT_AFTER, ...MACHINES.flatMap((machines) => (
    ['infrastructureRef', ...MACHINE_FIELDS].map((field) => [...machines, field])))];
  return fieldsOf(others.reduce<ManifestObject>((rest, path) => without(rest, path), object).spec);
}

/** An object without a field, and without objects around it that are empty then. */
function without<T>(value: T, [key, ...path]: readonly string[]): T {
  if (!isFields(value) || !(key in value)) return value;
  const { [key]: inner, ...others } = value as Fields;
  const left = path.length === 0 ? undefined : without(inner, path);
  const isGone = left === undefined || (left !== inner && isFields(left) && Object.keys(left).length === 0);
  return (isGone ? others : { ...others, [key]: left }) as T;
}

function labelsOf(object: ManifestObject): Fields {
  const { [CLUSTER_NAME_LABEL]: _, [DEPLOYMENT_LABEL]: __, ...labels } = fieldsOf(fieldAt(object, 'metadata', 'labels'));
  return labels;
}

/** Annotations of an object for tools that apply it. */
export function toolAnnotations(object: ManifestObject): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(fieldAt(object, 'metadata', 'annotations'))).filter(([key]) => TOOL.test(key)));
}

function annotationsOf(object: ManifestObject): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(fieldAt(object, 'metadata', 'annotations'))).filter(([key]) => !TOOL.test(key)));
}

/**
 * The `spec` of a ClusterClass of which the topology controller makes the objects of a Cluster.
 *
 * Source: kubernetes-sigs/cluster-api exp/topology/desiredstate/desired_state.go, api/core/v1beta2/clusterclass_types.go, v1.14.2.
 *
 * @param plain the Cluster and its objects
 * @param templates the templates of the class
 */
export function classSpec({ pools }: PlainCluster, templates: ClassTemplates): Fields {
  const { controlPlaneMachines: machines } = templates;
  return withoutUnset({
    infrastructure: { templateRef: classReference(templates.infrastructure), naming: CLUSTER_NAMING },
    controlPlane: withoutUnset({
      templateRef: classReference(templates.controlPlane),
      machineInfrastructure: machines && { templateRef: classReference(machines) },
      naming: CLUSTER_NAMING,
    }),
    workers: pools.length === 0 ? undefined : {
      machineDeployments: pools.map(({ name }) => {
        const { machine, bootstrap } = templates.pool(name);
        return {
          class: name,
          bootstrap: { templateRef: classReference(bootstrap) },
          infrastructure: { templateRef: classReference(machine) },
          naming: POOL_NAMING,
        };
      }),
    },
  });
}

function classReference(template: ManifestObject): Fields {
  return { apiVersion: template.apiVersion, kind: template.kind, name: nameOf(template) };
}

/** The class of a Cluster, and what the Cluster gives to it. */
export interface ClassUse {
  readonly name: string;

  /** @default - that of the Cluster */
  readonly namespace?: string;

  /** @default - none */
  readonly variables?: readonly { readonly name: string; readonly value: unknown }[];
}

/**
 * A Cluster with a topology, in place of references to its objects. The topology has all that follows from the size of a pool, so that a class
 * serves pools of any size.
 *
 * @param plain the Cluster and its objects
 * @param use the ClusterClass, and what the Cluster gives to it
 */
export function topologyCluster(
  { cluster, controlPlane, controlPlaneHealthCheck, pools }: PlainCluster, { name, namespace, variables = [] }: ClassUse,
): ManifestObject {
  const { controlPlaneRef: _, infrastructureRef: __, ...spec } = fieldsOf(cluster.spec);
  const after = fieldAt(controlPlane, ...ROLLOUT_AFTER);
  const machines = MACHINES.map((path) => fieldsOf(fieldAt(controlPlane, ...path)));
  const ofControlPlane = withoutUnset({
    replicas: fieldAt(controlPlane, ...CONTROL_PLANE_REPLICAS),
    rollout: isSet(after) ? { after } : undefined,
    healthCheck: controlPlaneHealthCheck && healthCheckFields(controlPlaneHealthCheck),
    ...Object.fromEntries(MACHINE_FIELDS.map((field) => [field, machines.map((fields) => fields[field]).find((value) => isSet(value))])),
  });
  return {
    ...cluster,
    spec: {
      ...spec,
      topology: withoutUnset({
        classRef: withoutUnset({ name, namespace }),
        version: fieldAt(controlPlane, ...CONTROL_PLANE_VERSION),
        variables: variables.length === 0 ? undefined : variables,
        controlPlane: unlessEmpty(ofControlPlane),
        workers: pools.length === 0 ? undefined : { machineDeployments: pools.map(topologyPool) },
      }),
    },
  };
}

function topologyPool({ name, machineDeployment, healthCheck }: PlainPool): Fields {
  const { replicas, rollout, template, deletion, remediation } = fieldsOf(machineDeployment.spec);
  const { [CLUSTER_NAME_LABEL]: _, [DEPLOYMENT_LABEL]: __, ...labels } = mergedMarks(fieldAt(template, 'metadata', 'labels'), labelsOf(machineDeployment));
  const annotations = mergedMarks(annotationsOf(machineDeployment), fieldAt(template, 'metadata', 'annotations'));
  const machines = fieldsOf(fieldAt(template, 'spec'));
  return withoutUnset({
    class: name,
    name,
    replicas,
    metadata: unlessEmpty(withoutUnset({ labels: unlessEmpty(labels), annotations: unlessEmpty(annotations) })),
    failureDomain: machines.failureDomain,
    rollout,
    deletion: unlessEmpty({ ...fieldsOf(machines.deletion), ...withoutUnset({ order: fieldAt(deletion, 'order') }) }),
    healthCheck: healthCheck && healthCheckFields(healthCheck, fieldAt(remediation, 'maxInFlight')),
    minReadySeconds: machines.minReadySeconds,
    readinessGates: machines.readinessGates,
    taints: machines.taints,
  });
}

/** The health check of an object as a topology has it. One that is paused does not exist. */
function healthCheckFields(object: ManifestObject, maxInFlight?: unknown): Fields {
  const { checks, remediation } = fieldsOf(object.spec);
  return withoutUnset({
    enabled: isSet(object, 'metadata', 'annotations', PAUSED) ? false : undefined,
    checks,
    remediation: unlessEmpty({ ...fieldsOf(remediation), ...withoutUnset({ maxInFlight }) }),
  });
}

/** Fields of a MachineDeployment that a topology or a ClusterClass has, or that follow from them. */
const POOL_FIELDS = {
  spec: ['clusterName', 'replicas', 'rollout', 'remediation', 'selector', 'deletion', 'template'],
  machines: ['clusterName', 'version', 'failureDomain', 'bootstrap', 'infrastructureRef', 'deletion', 'minReadySeconds', 'readinessGates', 'taints'],
};

/**
 * The fields of a Cluster's objects that no topology can have.
 *
 * @param plain the Cluster and its objects
 */
export function topologyRefusals(plain: PlainCluster): TopologyRefusal[] {
  const { controlPlane, infrastructure, pools } = plain;
  return [...[infrastructure, controlPlane].flatMap((object) => templateRefusals(object)), ...pools.flatMap((pool) => poolRefusals(pool, plain))];
}

function templateRefusals(object: ManifestObject): TopologyRefusal[] {
  const kind = String(object.kind);
  const [group, version] = [groupOf(object), String(object.apiVersion).split('/').pop()!];
  const template = `${kind}Template`;
  const structure = structureOf(group, template);
  if (!structure) {
    return structureOf(group, kind) === undefined ? [] : [{
      object,
      path: [],
      message: `${group} has no kind ${template}, and a ClusterClass refers to templates only`,
      fix: 'leave out topology, or choose a provider with templates of this kind',
    }];
  }
  const known = nodeAt(structure.versions.get(version), ['spec', 'template']);
  const own = structureOf(group, kind)?.versions.get(version);
  if (!known || !own) return [];
  const { metadata, spec } = templateOf(object).spec.template as Fields;
  const lacks = (path: FieldPath): TopologyRefusal => ({
    object, path, message: `${template} has no field for it`, fix: 'remove it, or leave out topology',
  });
  return [
    ...isSet(metadata) && !nodeAt(known, ['metadata']) ? Object.keys(metadata as Fields).map((field) => lacks(['metadata', field])) : [],
    // Fields that the object does not have either are reported by their own rule.
    ...unknownFields(spec, nodeAt(known, ['spec']), ['spec']).filter((path) => nodeAt(own, path)).map(lacks),
  ];
}

/** Outermost fields of a value that a definition does not have. */
function unknownFields(value: unknown, node: SchemaNode | undefined, path: FieldPath): FieldPath[] {
  if (!node?.fields || !isFields(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    const child = node.fields!.get(field);
    return child ? unknownFields(inner, child, [...path, field]) : node.values || node.open ? [] : [[...path, field]];
  });
}

function poolRefusals({ name: pool, machineDeployment: object, healthCheck }: PlainPool, { cluster, controlPlane }: PlainCluster): TopologyRefusal[] {
  const spec = fieldsOf(object.spec);
  const machines = fieldsOf(fieldAt(spec, 'template', 'spec'));
  const name = `${nameOf(cluster) ?? ''}-${pool}`;
  const version = fieldAt(controlPlane, ...CONTROL_PLANE_VERSION);
  const others = [
    ...Object.keys(spec).filter((field) => !POOL_FIELDS.spec.includes(field)).map((field) => ['spec', field]),
    ...Object.keys(machines).filter((field) => !POOL_FIELDS.machines.includes(field)).map((field) => ['spec', 'template', 'spec', field]),
    ...isFilled(spec, 'remediation') && !healthCheck ? [['spec', 'remediation']] : [],
  ];
  return [
    ...others.map((path) => ({ object, pool, path, message: 'neither a topology nor a ClusterClass has a field for it', fix: 'remove it, or leave out topology' })),
    ...nameOf(object) === name ? [] : [{
      object,
      pool,
      path: ['metadata', 'name'],
      message: `the MachineDeployment is named ${JSON.stringify(nameOf(object))}, and a topology names it ${JSON.stringify(name)}`,
      fix: 'shorten the names of cluster and pool to 62 characters together, or leave out topology',
    }],
    ...machines.version === version ? [] : [{
      object,
      pool,
      path: ['spec', 'template', 'spec', 'version'],
      message: `the version of the pool is ${String(machines.version)}, and that of the cluster ${String(version)}: all pools of a topology have its version`,
      fix: versionFix(machines.version, version),
    }],
  ];
}

/** Remedy of a version of a pool that differs from that of the control plane, or of which only the build of a distribution differs. */
function versionFix(ofPool: unknown, ofCluster: unknown): string {
  const [pool, cluster] = [ofPool, ofCluster].map((version) => String(version).split('+')[0]);
  return pool === cluster ? 'choose a control plane and a bootstrap of one distribution, which name the same release, or leave out topology'
    : 'remove the version of the pool, or leave out topology';
}
