import { ofOneObject } from './of-one-object';
import { containersOf, podOf } from './pod-objects';
import { Program } from './programs';
import { ManifestObject } from '../objects/manifest-object';
import { fieldAt, FieldPath, Fields, isFields, isSet, objectsAt, stringAt } from '../values/fields';

/** A ConfigMap or Secret that a pod takes keys from. */
export interface PodSource {
  /** `/ConfigMap` or `/Secret`. */
  readonly kind: '/ConfigMap' | '/Secret';
  readonly name: string;

  /** True if the pod starts without the object, and without its keys. */
  readonly isOptional: boolean;
  readonly path: FieldPath;

  /** The keys that it takes; undefined if it takes all. */
  readonly keys?: readonly { readonly key: string; readonly file?: string; readonly path: FieldPath }[];

  /** Name of the volume; undefined for variables. */
  readonly volume?: string;
}

/** A file of a container, in a volume that is made of a ConfigMap or Secret. */
export interface MountedFile {
  readonly source: PodSource;

  /** The mount of the volume. */
  readonly mount: Fields;

  /** Key whose content it is; undefined if the volume has no such file. */
  readonly key?: string;
}

/** The ConfigMaps and Secrets that the pods of an object take keys from, for volumes and variables. */
export const podSources = ofOneObject((object: ManifestObject): readonly PodSource[] => {
  const pod = podOf(object);
  if (!pod) return [];
  return [
    ...objectsAt(pod.spec, 'volumes').flatMap(([volume, at]) => volumeSources(volume, [...pod.specPath, 'volumes', at])),
    ...containersOf(object).flatMap(({ container, path }) => [
      ...objectsAt(container, 'env').flatMap(([{ valueFrom }, at]) => variableSources(valueFrom, [...path, 'env', at, 'valueFrom'])),
      ...objectsAt(container, 'envFrom').flatMap(([source, at]) => [
        ...sourceAt(source, '/ConfigMap', 'configMapRef', 'name', [...path, 'envFrom', at]),
        ...sourceAt(source, '/Secret', 'secretRef', 'name', [...path, 'envFrom', at]),
      ]),
    ]),
  ];
});

/**
 * The file of a program at a path in its container; undefined if it is in no such volume.
 *
 * @param program the program
 * @param file absolute path of the file
 */
export function mountedFile({ container, object }: Program, file: string): MountedFile | undefined {
  return fileSource(file, objectsAt(container, 'volumeMounts').map(([mount]) => mount), podSources(object));
}

/**
 * The source of a file at a path in a container; undefined if it is in no volume that is made of a ConfigMap or Secret.
 *
 * @param file absolute path of the file
 * @param given the mounts of the container
 * @param all the sources of volumes
 */
export function fileSource(file: string, given: readonly Fields[], all: readonly PodSource[]): MountedFile | undefined {
  const mounts = given.flatMap((mount) => {
    const place = stringAt(mount, 'mountPath')?.replace(/\/+$/, '');
    return place !== undefined && (file === place || file.startsWith(`${place}/`)) ? [{ mount, place }] : [];
  });
  const [nearest] = mounts.sort((one, other) => other.place.length - one.place.length);
  if (!nearest || isSet(nearest.mount, 'subPathExpr')) return undefined;
  const inside = [stringAt(nearest.mount, 'subPath') ?? '', file.slice(nearest.place.length + 1)].filter((part) => part !== '').join('/');
  const sources = all.filter(({ volume }) => volume !== undefined && volume === nearest.mount.name);
  if (sources.length === 0 || inside === '') return undefined;
  const { mount } = nearest;
  const found = sources.map((source) => ({ source, mount, key: source.keys ? source.keys.find((one) => one.file === inside)?.key : inside }));
  return found.find(({ key, source }) => key !== undefined && source.keys) ?? found.find(({ key }) => key !== undefined) ?? found[0];
}

/** The ConfigMaps and Secrets that a volume is made of. */
export function volumeSources(volume: unknown, path: FieldPath): PodSource[] {
  const name = stringAt(volume, 'name');
  const direct = [
    ...sourceAt(volume, '/ConfigMap', 'configMap', 'name', path), ...sourceAt(volume, '/Secret', 'secret', 'secretName', path),
    ...objectsAt(volume, 'projected', 'sources').flatMap(([source, at]) => {
      const place = [...path, 'projected', 'sources', at];
      return [...sourceAt(source, '/ConfigMap', 'configMap', 'name', place), ...sourceAt(source, '/Secret', 'secret', 'name', place)];
    }),
  ];
  return direct.map((source) => ({ ...source, volume: name }));
}

function variableSources(valueFrom: unknown, path: FieldPath): PodSource[] {
  return ([['/ConfigMap', 'configMapKeyRef'], ['/Secret', 'secretKeyRef']] as const).flatMap(([kind, field]) => {
    const key = stringAt(valueFrom, field, 'key');
    const keys = key === undefined ? [] : [{ key, path: [...path, field, 'key'] }];
    return sourceAt(valueFrom, kind, field, 'name', path).map((source) => ({ ...source, keys }));
  });
}

function sourceAt(value: unknown, kind: PodSource['kind'], field: string, nameField: string, path: FieldPath): PodSource[] {
  const [source, name] = [fieldAt(value, field), stringAt(value, field, nameField)];
  if (!isFields(source) || name === undefined) return [];
  const items = objectsAt(source, 'items').flatMap(([item, at]) => {
    const [key, file] = [stringAt(item, 'key'), stringAt(item, 'path')];
    return key === undefined ? [] : [{ key, file, path: [...path, field, 'items', at, 'key'] }];
  });
  return [{ kind, name, isOptional: source.optional === true, path: [...path, field], ...(items.length > 0 && { keys: items }) }];
}
