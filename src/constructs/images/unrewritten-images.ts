import { parseAllDocuments } from 'yaml';
import { checkChartImages, checkObjectImages, Demands, IMAGE_CHART_UNKNOWN_RULE, IMAGE_UNMOVED_RULE } from './image-problems';
import { ImageSources } from './image-sources';
import { rewriteChart } from '../../manifests/images/chart-rewrite';
import { imageLikeStrings } from '../../manifests/images/image-like-strings';
import { parseImageName } from '../../manifests/images/image-lock-file';
import { chartReferences } from '../../manifests/images/images-annotation';
import { rewriteObjectImages } from '../../manifests/images/object-rewrite';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { staticPodFiles } from '../../manifests/objects/packed-manifests';
import { ChartReference } from '../../manifests/rules/image-facts';
import { ManifestIndex } from '../../manifests/rules/manifest-index';
import { deliveryFacts } from '../../manifests/systems/providers';
import { isFields, pointerTo, stringAt } from '../../manifests/values/fields';
import { Problem } from '../../manifests/values/problem';
import { HelmChart } from '../contracts/helm-chart';

/** Context for the check of an object. */
export interface RewriteContext {
  readonly sources: ImageSources;
  readonly demands: Demands;

  /** Charts that deliveries install, whose images have been rewritten. */
  readonly delivered: readonly HelmChart[];

  /** The objects to look for repositories of charts in. */
  readonly among: () => ManifestIndex;
}

/**
 * Checks the parts of an object that stay unchanged: fields that may name an image, values of charts that no delivery installs, static
 * pods of machines. Only where all images are to be rewritten, or need digests.
 *
 * @param where the construct that the object is written by
 * @param object the object as it is written
 * @param context the context of the object
 */
export function checkUnrewrittenImages(where: string, object: ManifestObject, context: RewriteContext): Problem[] {
  return [
    ...imageLikeStrings(object).filter(({ image }) => isWrong(image, context))
      .map(({ path, image }) => leftAsIs(`${pointerTo(path)} of ${where}`, `"${image}" looks like an image, in a field that is not known to name one`, image, context)),
    ...staticPodFiles(object).flatMap((file) => checkStaticPod(where, file, context)),
    ...checkCharts(where, object, context),
  ];
}

function isWrong(image: string, { sources, demands }: RewriteContext): boolean {
  return sources._resolver.resolve(image).changed || (demands.digests && parseImageName(image)?.digest === undefined);
}

function leftAsIs(property: string, message: string, image: string, { sources }: RewriteContext): Problem {
  return {
    rule: IMAGE_UNMOVED_RULE,
    property,
    message: `${message}, and it is left as it is`,
    fix: `name it there as it is to be pulled: "${sources._resolver.resolve(image).image}", with a digest if digests are required`,
  };
}

function checkStaticPod(where: string, { path, text }: { readonly path: string; readonly text?: string }, context: RewriteContext): Problem[] {
  const property = `file ${path} of ${where}`;
  return objectsIn(text).flatMap((pod) => {
    const images = rewriteObjectImages(pod, context.sources._resolver).images;
    const [wrong, right] = [images.filter(({ given }) => isWrong(given, context)), images.filter(({ given }) => !isWrong(given, context))];
    return [
      ...wrong.map(({ given }) => leftAsIs(property, `"${given}" is the image of a static pod`, given, context)),
      ...checkObjectImages(property, right, context.demands),
    ];
  });
}

function objectsIn(text: string | undefined): ManifestObject[] {
  return parseAllDocuments(text ?? '', { logLevel: 'silent' }).flatMap((document) => {
    const value: unknown = 'toJS' in document && document.errors.length === 0 ? document.toJS() : undefined;
    return isFields(value) ? [value] : [];
  });
}

function checkCharts(where: string, object: ManifestObject, context: RewriteContext): Problem[] {
  const installs = deliveryFacts(object)?.installsChart;
  if (!installs) return [];
  const { delivered } = context;
  const references = chartReferences(object, context.among());
  if (installs === 'always' && references.length === 0 && !delivered.some(({ releaseName }) => releaseName === stringAt(object, 'spec', 'releaseName'))) {
    return [{
      rule: IMAGE_CHART_UNKNOWN_RULE,
      property: `${pointerTo(['spec'])} of ${where}`,
      message: 'which chart it installs is not known, because its repository or its version is not in the app, so that the images cannot be known either',
      fix: 'give the chart to the cluster as a HelmAddon, or make the object with its repository in the app',
    }];
  }
  return references.filter((reference) => !delivered.some((chart) => isSame(chart, reference)))
    .flatMap((reference) => checkReference(where, reference, context));
}

/** A chart in a Git repository is called by its folder, and has the version that the folder says. */
function isSame(chart: HelmChart, reference: ChartReference): boolean {
  const sameChart = chart.gitPath !== undefined || (chart.chart === reference.chart && chart.chartVersion === reference.version);
  return sameChart && chart.releaseName === reference.releaseName;
}

function checkReference(where: string, reference: ChartReference, context: RewriteContext): Problem[] {
  const { chart: name, version, releaseName = name, imageNames, ...rest } = reference;
  if (imageNames) {
    return imageNames.filter((image) => isWrong(image, context))
      .map((image) => leftAsIs(where, `the chart "${name}" runs "${image}" by what an annotation says`, image, context));
  }
  const { sources, demands } = context;
  const chart: HelmChart = { ...rest, chart: name, chartVersion: version, releaseName, namespace: '' };
  const rewritten = rewriteChart(chart, sources._resolver);
  if (rewritten.chart.values === chart.values) return checkChartImages(where, chart, rewritten, demands);
  const wrong = rewritten.images.filter(({ given, image }) => given !== image).map(({ image }) => `"${image}"`);
  return [{
    rule: IMAGE_UNMOVED_RULE,
    property: `values of the chart "${name}" in ${where}`,
    message: `they do not set the source of ${wrong.length === 0 ? 'all images come from' : `these come from: ${wrong.join(', ')}`}, and they are left as they are`,
    fix: 'give the chart to the cluster as a HelmAddon, which writes them, or write them here',
  }];
}
