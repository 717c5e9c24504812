import { annotatedImages } from './images-annotation';
import { ManifestObject } from '../objects/manifest-object';
import { ChartReference } from '../rules/image-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { imageFacts } from '../validation/providers';

/**
 * The charts that an object makes a controller install. A chart whose source is not among the objects is left out, and so is one without a
 * version.
 *
 * @param object an object as it is written
 * @param index the objects to look for sources in, the object's own tree
 */
export function chartReferences(object: ManifestObject, index: ManifestIndex): ChartReference[] {
  const found = imageFacts(object).flatMap(({ charts }) => charts?.(object, index) ?? []);
  const images = annotatedImages(object);
  // With several charts, the annotation is ambiguous.
  return images === undefined || found.length !== 1 ? found : [{ ...found[0], imageNames: images }];
}
