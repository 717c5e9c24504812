import { ChartAddress } from './chart-addresses';
import { parseImageName } from './image-name';
import { pointerTo } from './json-pointer';
import { MovedChart } from './moved-chart';
import { MovedImage } from './moved-image';
import { ObjectImage } from './rewritten-object';
import { IMAGE_RULES } from './rules';
import { HelmChart } from '../addons/helm-chart';
import { HelmChartImage } from '../addons/helm-chart-image';
import { pinAdvice } from '../kubernetes/image-reference';
import { Problem } from '../validation/problem';

/** What is demanded of images beyond their names. */
export interface Demands {
  /** Whether every image needs a digest. */
  readonly digests: boolean;

  /** Whether the images of all charts must be known. */
  readonly allImages: boolean;
}

const OWN: readonly string[] = [IMAGE_RULES.name.id, IMAGE_RULES.unpinned.id];
const NAME = '"registry.example.com/team/image:tag", with "@sha256:" and 64 hex digits in place of the tag or behind it';

/**
 * Checks the images of an object.
 *
 * @param where the construct that the object is written by
 * @param images the images of the object
 * @param demands what is demanded of them
 */
export function checkObjectImages(where: string, images: readonly ObjectImage[], demands: Demands): Problem[] {
  return images.flatMap(({ pointer, given, image, takesDigest, assembled, fault }) => {
    const property = `${pointer} of ${where}`;
    if (fault !== undefined) return [inexpressible(property, given, fault)];
    if (assembled) return [];
    return checkName(property, image, demands.digests && takesDigest)
      .map((problem) => (OWN.includes(problem.rule.id) ? { ...problem, _image: given } : problem));
  });
}

/** Reports sources of charts whose kind has no room for the address that a mirror gives them. */
export function checkChartAddresses(where: string, addresses: readonly ChartAddress[]): Problem[] {
  return addresses.map(({ path, repository, chart }) => ({
    rule: IMAGE_RULES.inexpressible,
    property: `${pointerTo(path)} of ${where}`,
    message: `"${repository}/${chart}" is in an OCI registry, and its mirror is none`,
    fix: 'mirror it in an OCI registry, or give the chart to the cluster as a HelmAddon',
  }));
}

/**
 * Checks the images of a chart.
 *
 * @param property the property of the delivery
 * @param chart the chart
 * @param moved what became of it
 * @param demands what is demanded of its images
 */
export function checkChartImages(property: string, chart: HelmChart, moved: MovedChart, demands: Demands): Problem[] {
  if (!moved.known) return demands.allImages ? [unknownChart(property, chart)] : [];
  return [
    ...namedTwice(property, chart),
    ...(demands.allImages ? unmovedValues(property, moved, demands) : []),
    ...moved.images.flatMap((image) => checkChartImage(property, chart, image, demands)),
    ...moved.unknown.filter((images) => demands.digests || (demands.allImages && !images.moved)).map(({ what, named }): Problem => ({
      rule: IMAGE_RULES.chartUnknown,
      property,
      message: `the chart "${chart.chart}" runs ${what}, and ${named ? 'no value of the chart names them' : 'which images these are is not known'}`,
      fix: 'switch it off in the values of the chart, or declare all images that the chart runs in "images"',
    })),
  ];
}

/** Values that nobody knows to name an image, and that look as if they did. */
function unmovedValues(property: string, { suspected }: MovedChart, { digests }: Demands): Problem[] {
  return suspected.filter(({ image, moves }) => moves || (digests && parseImageName(image)?.digest === undefined)).map(({ path, image }) => ({
    rule: IMAGE_RULES.unmoved,
    property: `${property}.values.${path.join('.')}`,
    message: `"${image}" looks like an image, in a value that is not known to name one, and it is left as it is`,
    fix: 'name it there as it is to be pulled, with a digest if digests are required',
  }));
}

/** Of several images in one value, only one is told where it comes from. */
function namedTwice(property: string, { chart, images = [] }: HelmChart): Problem[] {
  const keyOf = ({ repositoryKey = 'image.repository' }: HelmChartImage) => repositoryKey;
  const rival = (image: HelmChartImage) => images.findIndex((other) => keyOf(other) === keyOf(image) && other.image !== image.image);
  return images.filter((image, index) => rival(image) > index).map((image) => ({
    rule: IMAGE_RULES.valueTwice,
    property: `${property}.images`,
    message: `the chart "${chart}" is declared to run "${image.image}" and another image, both named by the value "${keyOf(image)}"`,
    fix: 'give each its own repositoryKey, and tagKey',
  }));
}

function checkChartImage(property: string, { chart }: HelmChart, { key, given, image, pinned, fault }: MovedImage, demands: Demands): Problem[] {
  const place = `${property}.values.${key}`;
  if (fault !== undefined) return [inexpressible(place, given!, fault)];
  if (image === undefined) {
    return demands.allImages ? [{
      rule: IMAGE_RULES.chartUnknown,
      property: place,
      message: `the image that the chart "${chart}" takes where this value is missing is not known`,
      fix: 'name the image in the values of the chart',
    }] : [];
  }
  // A tag that only the chart knows is one all the same, and a release does not call it latest.
  const name = parseImageName(image);
  const open = name !== undefined && name.tag === undefined && name.digest === undefined;
  if (pinned || (open && !demands.digests)) return [];
  if (!open) return checkName(place, image, demands.digests);
  return [{
    rule: IMAGE_RULES.chartUnknown,
    property: place,
    message: `the tag of "${image}" is known to the chart "${chart}" alone, so that its digest cannot be looked up`,
    fix: 'name the tag in the values of the chart',
  }];
}

/** Checks one name. */
function checkName(property: string, text: string, digest: boolean): Problem[] {
  const image = parseImageName(text);
  if (!image) {
    return [{
      rule: IMAGE_RULES.name,
      property,
      message: `"${text}" is not the name of an image`,
      accepted: NAME,
      fix: 'write the registry, the repository in lower case, and a tag or a digest',
    }];
  }
  if (image.digest !== undefined) return [];
  if (!isPinned(text)) {
    return [{
      rule: IMAGE_RULES.unpinned,
      property,
      message: `"${text}" has ${image.tag === undefined ? 'neither tag nor digest' : 'the tag "latest" and no digest'}`,
      fix: `${pinAdvice(image.name)}, here or in the lock`,
    }];
  }
  return digest ? [{
    rule: IMAGE_RULES.digest,
    property,
    message: `"${text}" has no digest, and digests are required`,
    fix: 'add it to the lock with: npx cdk8s-cluster-api images lock',
  }] : [];
}

function inexpressible(property: string, image: string, fault: string): Problem {
  return {
    rule: IMAGE_RULES.inexpressible,
    property,
    message: `"${image}" cannot get the name that it is to have: ${fault}`,
    fix: 'give the override a repository of the same name in another registry, for all images of the field alike, and no tag or digest',
  };
}

function unknownChart(property: string, { chart, version }: HelmChart): Problem {
  return {
    rule: IMAGE_RULES.chartUnknown,
    property,
    message: `which images the chart "${chart}" runs in version ${version} is not known, so that they can neither be moved nor get digests`,
    fix: 'declare them where the chart is given, e.g. images: [{ image: "ghcr.io/team/app:1.0.0", repositoryKey: "image.repository" }], or [] for none',
  };
}

/**
 * Leaves out what is no problem any more, and what is reported of the same image in the words of who was given it.
 *
 * @param problems the problems of a construct
 * @param said images that somebody reports in his words
 * @param resolve where an image comes from
 */
export function settleImages(problems: readonly Problem[], said: ReadonlySet<string>, resolve: (image: string) => string): Problem[] {
  return problems.filter(({ rule, _image }) => {
    if (_image === undefined) return true;
    return OWN.includes(rule.id) ? !said.has(_image) : !isPinned(resolve(_image));
  });
}

function isPinned(text: string): boolean {
  const image = parseImageName(text);
  return image !== undefined && (image.digest !== undefined || (image.tag !== undefined && image.tag !== 'latest'));
}
