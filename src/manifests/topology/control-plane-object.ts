import { Blueprint, classTemplate, either, healthCheckOf } from './blueprint';
import { fieldsOf, withoutUnset } from './stored-topology';
import { copyName, copyOf, generatedName, mergedMarks, objectFrom, OWNED_LABEL, referenceTo } from './template-objects';
import { ManifestObject, namespaceOf } from '../objects/manifest-object';
import { isV1beta1 } from '../rules/cluster-api/cluster-api-kinds';
import { fieldAt, Fields, isFields, isSet, stringAt } from '../values/fields';

/** The control plane of a topology, and its templates. */
export interface TopologyControlPlane {
  readonly template: ManifestObject;
  readonly object: ManifestObject;

  /** The template of its machines, and the copy of it; none where it runs without machines. */
  readonly machines?: { readonly template: ManifestObject; readonly copy: ManifestObject };
  readonly healthCheck?: ManifestObject;
}

const TIMEOUTS = ['nodeDrainTimeout', 'nodeVolumeDetachTimeout', 'nodeDeletionTimeout'];

/**
 * The control plane that the topology controller makes, before patches.
 *
 * Source: kubernetes-sigs/cluster-api exp/topology/desiredstate/desired_state.go (computeControlPlane), v1.14.2.
 *
 * @param blueprint the topology
 * @param currentName the name of the control plane that exists
 */
export function controlPlaneOf(blueprint: Blueprint, currentName?: string): TopologyControlPlane {
  const { clusterName, namespace, topology: { controlPlane: own, spec }, clusterClass: { controlPlane: ofClass } } = blueprint;
  const template = classTemplate(ofClass, blueprint);
  const labels = mergedMarks(fieldAt(own, 'metadata', 'labels'), fieldAt(ofClass, 'metadata', 'labels'));
  const annotations = mergedMarks(fieldAt(own, 'metadata', 'annotations'), fieldAt(ofClass, 'metadata', 'annotations'));
  const naming = stringAt(ofClass, 'naming', 'template') ?? '{{ .cluster.name }}-{{ .random }}';
  const name = generatedName(naming, { cluster: { name: clusterName } }, currentName);
  const made = objectFrom({ template, name, namespace, clusterName, labels, annotations });
  const machines = machinesOf(blueprint);
  const copy = machines && copyOf({ template: machines, name: copyName(clusterName), namespace, clusterName });
  const owned = { ...labels, 'cluster.x-k8s.io/cluster-name': clusterName, [OWNED_LABEL]: '' };
  const machineTemplate = fieldsOf(fieldAt(made, 'spec', 'machineTemplate'));
  const isOld = isV1beta1(template);
  const machineFields = withoutUnset({
    ...copy && { infrastructureRef: isOld ? oldReference(copy) : referenceTo(copy) },
    readinessGates: own.readinessGates ?? ofClass.readinessGates,
    taints: own.taints ?? ofClass.taints,
    ...isOld ? Object.fromEntries(TIMEOUTS.map((field) => [field, duration(either(own, ofClass, 'deletion', `${field}Seconds`))]))
      : { deletion: timeouts(own, ofClass, fieldAt(machineTemplate, 'spec', 'deletion')) },
  });
  const metadata = copy && {
    metadata: withoutUnset({
      ...fieldsOf(machineTemplate.metadata),
      labels: mergedMarks(owned, fieldAt(machineTemplate, 'metadata', 'labels')),
      annotations: marks(mergedMarks(annotations, fieldAt(machineTemplate, 'metadata', 'annotations'))),
    }),
  };
  const hasFields = Object.keys(machineFields).length > 0;
  const inner = isOld ? machineFields : hasFields ? { spec: { ...fieldsOf(machineTemplate.spec), ...machineFields } } : {};
  const changed = { ...machineTemplate, ...metadata, ...inner };
  const after = fieldAt(own, 'rollout', 'after');
  const object = {
    ...made,
    spec: withoutUnset({
      ...fieldsOf(made.spec),
      ...Object.keys(changed).length > 0 && { machineTemplate: changed },
      ...isSet(own.replicas) && { replicas: own.replicas },
      ...isSet(after) && { rollout: { ...fieldsOf(fieldAt(made, 'spec', 'rollout')), after } },
      version: spec.version,
    }),
  };
  const selected = { [OWNED_LABEL]: '', 'cluster.x-k8s.io/control-plane': '' };
  const healthCheck = healthCheckOf(object, selected, own, ofClass, clusterName);
  return { template, object, ...machines && { machines: { template: machines, copy: copy! }, healthCheck } };
}

/** Fields that are set from the topology, and that patches do not change. */
export const KEPT_OF_CONTROL_PLANE: readonly (readonly string[])[] = [
  ['spec', 'machineTemplate', 'metadata'],
  ...['infrastructureRef', 'readinessGates', 'taints'].flatMap((field) => [['spec', 'machineTemplate', field], ['spec', 'machineTemplate', 'spec', field]]),
  ...TIMEOUTS.flatMap((field) => [['spec', 'machineTemplate', field], ['spec', 'machineTemplate', 'spec', 'deletion', `${field}Seconds`]]),
  ['spec', 'replicas'],
  ['spec', 'version'],
  ['spec', 'rollout', 'after'],
];

function machinesOf(blueprint: Blueprint): ManifestObject | undefined {
  const { clusterClass: { controlPlane } } = blueprint;
  const { machineInfrastructure } = controlPlane;
  return isFields(fieldAt(machineInfrastructure, 'templateRef')) ? classTemplate(machineInfrastructure, blueprint) : undefined;
}

function marks(found: Fields): Fields | undefined {
  return Object.keys(found).length > 0 ? found : undefined;
}

function oldReference(object: ManifestObject): Fields {
  return withoutUnset({ apiVersion: object.apiVersion, kind: object.kind, name: fieldAt(object, 'metadata', 'name'), namespace: namespaceOf(object) });
}

function duration(seconds: unknown): string | undefined {
  return typeof seconds === 'number' ? `${seconds}s` : undefined;
}

/** Timeouts of machines by the topology or class, beside those of a template. */
export function timeouts(own: Fields, ofClass: Fields, others?: unknown): Fields | undefined {
  const found = Object.fromEntries(TIMEOUTS.map((field) => [`${field}Seconds`, either(own, ofClass, 'deletion', `${field}Seconds`)]));
  return marks({ ...fieldsOf(others), ...withoutUnset(found) });
}
