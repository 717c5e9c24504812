import { ofOneObject } from './of-one-object';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { fieldAt, FieldPath, Fields, isFields, objectsAt } from '../values/fields';

/** Places of pods in the kinds that run them. */
const POD_PATHS: Readonly<Record<string, readonly string[]>> = {
  '/Pod': [],
  '/PodTemplate': ['template'],
  '/ReplicationController': ['spec', 'template'],
  'apps/DaemonSet': ['spec', 'template'],
  'apps/Deployment': ['spec', 'template'],
  'apps/ReplicaSet': ['spec', 'template'],
  'apps/StatefulSet': ['spec', 'template'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template'],
  'batch/Job': ['spec', 'template'],
};

/** The kinds that run pods. */
export const POD_KINDS: readonly string[] = Object.keys(POD_PATHS);

/** A pod, or a template of pods. */
export interface PlacedPod {
  /** Fields of the pod, `metadata` and `spec` among them. */
  readonly pod: Fields;
  readonly path: FieldPath;

  readonly spec: Fields;
  readonly specPath: FieldPath;
}

/** A container, in whichever list it stands. */
export interface PlacedContainer {
  readonly container: Fields;
  readonly path: FieldPath;
  readonly list: typeof CONTAINER_LISTS[number];
}

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** The pod that an object is or makes; undefined where it describes none. */
export const podOf = ofOneObject((object: ManifestObject): PlacedPod | undefined => {
  const kind = groupKind(object);
  const path = Object.hasOwn(POD_PATHS, kind) ? POD_PATHS[kind] : undefined;
  const pod = path && fieldAt(object, ...path);
  const spec = fieldAt(pod, 'spec');
  return path && isFields(pod) && isFields(spec) ? { pod, path, spec, specPath: [...path, 'spec'] } : undefined;
});

/** True if a container is whole: one without an image is a part for kustomize, which has the fields that change. */
export function isWhole({ container }: PlacedContainer): boolean {
  return typeof container.image === 'string';
}

/** All containers of the pod that an object is or makes. */
export const containersOf = ofOneObject((object: ManifestObject): readonly PlacedContainer[] => {
  const pod = podOf(object);
  return pod ? CONTAINER_LISTS.flatMap((list) => objectsAt(pod.spec, list).map(([container, index]) => ({
    container, path: [...pod.specPath, list, index], list,
  }))) : [];
});
