import { registryFields } from './image-fields';
import { objectsInList } from '../objects/manifest-list';
import { ManifestObject } from '../objects/manifest-object';
import { imageFacts } from '../systems/providers';

/** An image that a controller pulls because of an object. */
export interface ControllerImage {
  /** Name and tag. */
  readonly image: string;

  /** The controller, and the purpose of the image. */
  readonly reason: string;
}

/** Images that a controller pulls for an object, and whose names are not in the object. */
export interface UnknownImages {
  /** A description of the images, with the reason why they are unknown. */
  readonly unknown: string;
}

/**
 * The images that an object makes a controller pull though it does not name them: of a control plane, its components and addons in the
 * version that the object gives.
 *
 * @param object an object as it is written
 */
export function controllerImages(object: ManifestObject): ControllerImage[] {
  return registryFields(object).flatMap(({ registry, images }) => images.flatMap(({ name, tag, reason }) => (
    tag === undefined ? [] : [{ image: `${registry}/${name}:${tag}`, reason }])));
}

/**
 * Images beyond those that an object makes a controller pull, where only the controller, or a machine's image, knows which images these are.
 *
 * @param object an object as it is written
 */
export function unknownImages(object: ManifestObject): UnknownImages[] {
  const items = objectsInList(object);
  if (items) return items.flatMap(({ object: item }) => unknownImages(item));
  return [
    ...registryFields(object).flatMap(({ registry, images }) => images.filter(({ tag }) => tag === undefined)
      .map(({ name, reason }) => `${registry}/${name}: ${reason}, and the object does not give the tag`)),
    ...imageFacts(object).flatMap(({ unknown }) => unknown?.(object) ?? []),
  ].map((unknown) => ({ unknown }));
}
