import { ChartEntry, ChartImage } from './chart-image-entry';
import { namedImages } from './chart-images';
import { HelmChartImage } from './helm-chart-image';
import { tagAndDigest } from './image-name';
import { IMAGES_ANNOTATION } from './images-annotation';
import { Values } from '../values/chart-values';
import { hostAndPath, parseImageReference } from '../values/image-reference';

/** The entry of a chart from its declared images. */
export function declaredChartEntry(images: readonly HelmChartImage[]): ChartEntry {
  return { images: images.map(declaredImage) };
}

/** Where values name a declared image: the keys that were declared, or the usual ones. */
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
