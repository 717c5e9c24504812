import { ManifestObject } from '../objects/manifest-object';
import { fieldAt, stringAt } from '../values/fields';

/** Annotation of an object that has a chart installed: a JSON list of the images that the chart runs with the values that it is given. */
export const IMAGES_ANNOTATION = 'cdk8s-cluster-api/chart-images';

/** The images in an object's annotation; undefined if it is missing or unreadable. */
export function annotatedImages(object: ManifestObject): string[] | undefined {
  const text = stringAt(fieldAt(object, 'metadata', 'annotations'), IMAGES_ANNOTATION);
  if (text === undefined) return undefined;
  try {
    const images: unknown = JSON.parse(text);
    return Array.isArray(images) && images.every((image) => typeof image === 'string') ? images : undefined;
  } catch {
    return undefined;
  }
}
