import { TopologyStop } from './outcome';
import { fieldsOf } from './stored-topology';
import { TemplateFault } from '../go-template/faults';
import { renderName } from '../go-template/go-template';
import { groupKind, groupOf, ManifestObject, nameOf } from '../objects/manifest-object';
import { fieldAt, Fields } from '../values/fields';

/** Stands for the random end of names that the controller generates. */
export const RANDOM = 'xxxxx';

export const OWNED_LABEL = 'topology.cluster.x-k8s.io/owned';
export const POOL_LABELS = {
  machineDeployments: 'topology.cluster.x-k8s.io/deployment-name', machinePools: 'topology.cluster.x-k8s.io/pool-name',
} as const;
export const CLONED_FROM_NAME = 'cluster.x-k8s.io/cloned-from-name';
export const CLONED_FROM_KIND = 'cluster.x-k8s.io/cloned-from-groupkind';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Labels or annotations. */
export type Marks = Readonly<Record<string, unknown>>;

/** Labels or annotations of several places; the first place that has one counts. */
export function mergedMarks(...marks: readonly unknown[]): Marks {
  return marks.map(fieldsOf).reduceRight<Marks>((all, some) => ({ ...all, ...some }), {});
}

/** Labels and annotations as metadata; none are left out. */
export function marksOf(labels: Marks, annotations: Marks): Fields {
  return { ...Object.keys(labels).length > 0 && { labels }, ...Object.keys(annotations).length > 0 && { annotations } };
}

/** Source, name and marks of an object that a controller makes of a template. */
export interface MadeFrom {
  readonly template: ManifestObject;
  readonly name: string;
  readonly namespace?: string;
  readonly clusterName: string;
  readonly labels?: Marks;
  readonly annotations?: Marks;
}

function topologyLabels(clusterName: string): Marks {
  return { 'cluster.x-k8s.io/cluster-name': clusterName, [OWNED_LABEL]: '' };
}

function clonedFrom(template: ManifestObject): Marks {
  const [group, kind] = groupKind(template).split('/');
  return { [CLONED_FROM_NAME]: nameOf(template) ?? '', [CLONED_FROM_KIND]: group === '' ? kind : `${kind}.${group}` };
}

/**
 * An object that is made from a template.
 *
 * Source: kubernetes-sigs/cluster-api exp/topology/desiredstate/desired_state.go (templateToObject), v1.14.2.
 */
export function objectFrom({ template, name, namespace, clusterName, labels, annotations }: MadeFrom): ManifestObject {
  const inner = fieldAt(template, 'spec', 'template');
  return {
    apiVersion: template.apiVersion,
    kind: String(template.kind).replace(/Template$/, ''),
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: { ...fieldsOf(fieldAt(inner, 'metadata', 'labels')), ...labels, ...topologyLabels(clusterName) },
      annotations: { ...fieldsOf(fieldAt(inner, 'metadata', 'annotations')), ...annotations, ...clonedFrom(template) },
    },
    spec: fieldsOf(fieldAt(inner, 'spec')),
  };
}

/**
 * A copy of a template.
 *
 * Source: kubernetes-sigs/cluster-api exp/topology/desiredstate/desired_state.go (templateToTemplate), v1.14.2.
 */
export function copyOf({ template, name, namespace, clusterName, labels }: MadeFrom): ManifestObject {
  const { [LAST_APPLIED]: _, ...annotations } = fieldsOf(fieldAt(template, 'metadata', 'annotations'));
  return {
    apiVersion: template.apiVersion,
    kind: template.kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: { ...fieldsOf(fieldAt(template, 'metadata', 'labels')), ...topologyLabels(clusterName), ...labels },
      annotations: { ...annotations, ...clonedFrom(template) },
    },
    spec: template.spec,
  };
}

/** A reference of v1beta2 to an object. */
export function referenceTo(object: ManifestObject): Fields {
  return { apiGroup: groupOf(object), kind: object.kind, name: nameOf(object) };
}

const LONGEST_NAME = 63;

/**
 * The name of an object: what exists keeps its name, but the template of names must not fail.
 *
 * Source: kubernetes-sigs/cluster-api internal/topology/names/names.go, v1.14.2.
 */
export function generatedName(template: string, data: Fields, currentName?: string): string {
  try {
    const name = renderName(template, { ...data, random: RANDOM });
    return currentName ?? (name.length > LONGEST_NAME ? name.slice(0, LONGEST_NAME - RANDOM.length) + RANDOM : name);
  } catch (error) {
    if (error instanceof TemplateFault) throw new TopologyStop(`the template of names ${JSON.stringify(template)}: ${error.message}`);
    throw error;
  }
}

/** The name of a copy of a template. */
export function copyName(...parts: readonly string[]): string {
  return `${parts.map((part) => `${part}-`).join('').slice(0, LONGEST_NAME - RANDOM.length)}${RANDOM}`;
}
