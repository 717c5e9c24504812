import { ChartEntry, ChartImage } from './chart-image-entry';
import { namedImages } from './chart-images';
import { HelmChartImage } from './helm-chart-image';
import { tagAndDigest } from './image-lock-file';
import { ManifestObject } from '../objects/manifest-object';
import { ChartReference } from '../rules/image-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { imageFacts } from '../systems/providers';
import { Values } from '../values/chart-values';
import { fieldAt, stringAt } from '../values/fields';
import { hostAndPath, parseImageReference } from '../values/image-reference';

/** Annotation of an object that has a chart installed: a JSON list of the images that the chart runs with the values that it is given. */
const IMAGES_ANNOTATION = 'cdk8s-cluster-api/chart-images';

/** The images in an object's annotation; undefined if it is missing or unreadable. */
function annotatedImages(object: ManifestObject): string[] | undefined {
  const text = stringAt(fieldAt(object, 'metadata', 'annotations'), IMAGES_ANNOTATION);
  if (text === undefined) return undefined;
  try {
    const images: unknown = JSON.parse(text);
    return Array.isArray(images) && images.every((image) => typeof image === 'string') ? images : undefined;
  } catch {
    return undefined;
  }
}

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

/** The entry of a chart from its declared images. */
export function declaredChartEntry(images: readonly HelmChartImage[]): ChartEntry {
  return { images: images.map(declaredImage) };
}

/** Keys of the values that name a declared image: those that were declared, or the usual ones. */
function declaredImage({ image, repositoryKey = 'image.repository', registryKey, tagKey = 'image.tag', digestKey }: HelmChartImage): ChartImage {
  const reference = parseImageReference(image);
  const name = reference?.name ?? image;
  const { host, path } = hostAndPath(name);
  const tag = `${reference?.tag ?? ''}${tagAndDigest({ digest: reference?.digest })}`;
  return {
    repositoryKey, tagKey, digestKey, ...(registryKey === undefined ? { repository: name } : { registryKey, registry: host, repository: path }), ...(tag !== '' && { tag }),
  };
}

/**
 * The annotation with the declared images of a chart, for readers of the manifests; empty without declared images.
 *
 * @param chart the chart as it is delivered, with all of its values
 */
export function imagesAnnotation(
  { images, values }: { readonly images?: readonly HelmChartImage[]; readonly values?: Values },
): { [key: string]: string } {
  if (!images) return {};
  return { [IMAGES_ANNOTATION]: JSON.stringify(namedImages(declaredChartEntry(images), values).map(({ name }) => name)) };
}
