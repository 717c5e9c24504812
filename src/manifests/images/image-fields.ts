import { objectsInList } from '../objects/manifest-list';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { ImageField, RegistryField, wholeNames } from '../rules/image-facts';
import { imageFacts } from '../systems/providers';
import { stringAt } from '../values/fields';

/** Paths of the fields of a pod, by group and kind. Kinds that are not listed have the usual path. */
const PODS: Readonly<Record<string, string>> = {
  '/Pod': 'spec',
  '/PodTemplate': 'template/spec',
  'batch/CronJob': 'spec/jobTemplate/spec/template/spec',
};

/** All fields of an object that name images, including those of the items of a List. */
export function imageFields(object: ManifestObject): ImageField[] {
  const items = objectsInList(object);
  if (items) return items.flatMap(({ path, object: item }) => imageFields(item).map((field) => within(path, field)));
  const pod = PODS[groupKind(object)] ?? 'spec/template/spec';
  const lists = ['containers', 'initContainers', 'ephemeralContainers'];
  return [
    ...wholeNames(object, ...lists.map((list) => `${pod}/${list}/*/image`), `${pod}/volumes/*/image/reference`),
    ...imageFacts(object).flatMap(({ fields }) => fields?.(object) ?? []),
  ];
}

/** The fields of an object that hold a registry, each with the images that are pulled from there. */
export function registryFields(object: ManifestObject): RegistryField[] {
  const items = objectsInList(object);
  if (items) return items.flatMap(({ path, object: item }) => registryFields(item).map((field) => ({ ...field, path: [...path, ...field.path] })));
  return imageFacts(object).flatMap(({ registries }) => registries?.(object) ?? []);
}

/** The name of the image in a field, with tag and digest as far as the object gives them; undefined where the object names none. */
export function imageAt(object: ManifestObject, field: ImageField): string | undefined {
  const text = stringAt(object, ...field.name) ?? field.usual;
  if (text === undefined || (field.scheme !== undefined && !text.startsWith(field.scheme))) return undefined;
  const tag = field.tag && stringAt(object, ...field.tag);
  const digest = field.digest && stringAt(object, ...field.digest);
  return `${text.slice(field.scheme?.length ?? 0)}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

function within(base: readonly string[], field: ImageField): ImageField {
  return {
    ...field,
    name: [...base, ...field.name],
    ...(field.tag && { tag: [...base, ...field.tag] }),
    ...(field.digest && { digest: [...base, ...field.digest] }),
  };
}
