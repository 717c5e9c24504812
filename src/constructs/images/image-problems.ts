import { RewrittenChart, RewrittenChartImage } from '../../manifests/images/chart-rewrite';
import { HelmChartImage } from '../../manifests/images/helm-chart-image';
import { parseImageName } from '../../manifests/images/image-lock-file';
import { ObjectImage } from '../../manifests/images/object-rewrite';
import { ChartAddress } from '../../manifests/rules/image-facts';
import { pointerTo } from '../../manifests/values/fields';
import { checkPinned, isPinned } from '../../manifests/values/image-reference';
import { Problem, Rule } from '../../manifests/values/problem';
import { HelmChart } from '../contracts/helm-chart';

/** Further requirements of images. */
export interface Demands {
  /** True if every image needs a digest. */
  readonly digests: boolean;

  /** True if the images of all charts must be known. */
  readonly allImages: boolean;
}

const IMAGE_UNPINNED_RULE: Rule = {
  id: 'TC-IMAGE-UNPINNED',
  title: 'Every image must have a digest or a tag other than latest, so that a restart keeps the version.',
  source: 'kubernetes.io/docs/concepts/containers/images',
};

const IMAGE_NAME_RULE: Rule = {
  id: 'TC-IMAGE-NAME',
  title: 'The names of images must be valid in container registries, in every object and every chart.',
  source: 'distribution/reference regexp.go',
};

const OWN: readonly string[] = [IMAGE_NAME_RULE.id, IMAGE_UNPINNED_RULE.id];
const NAME = '"registry.example.com/team/image:tag", with "@sha256:" and 64 hex digits in place of the tag or behind it';

/**
 * Checks the images of an object.
 *
 * @param where the construct of the object
 * @param images the images of the object
 * @param demands the requirements
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

const IMAGE_INEXPRESSIBLE_RULE: Rule = {
  id: 'TC-IMAGE-INEXPRESSIBLE',
  title: 'An image can only get another name if its object has a field for it.',
  source: 'clastix/kamaji api/v1alpha1/tenantcontrolplane_types.go, kubernetes/kubernetes cmd/kubeadm/app/images/images.go',
};

/** Reports sources of charts whose kind does not support the address of the mirror. */
export function checkChartAddresses(where: string, addresses: readonly ChartAddress[]): Problem[] {
  return addresses.map(({ path, repository, chart }) => ({
    rule: IMAGE_INEXPRESSIBLE_RULE,
    property: `${pointerTo(path)} of ${where}`,
    message: `"${repository}/${chart}" is in an OCI registry, but its mirror is not`,
    fix: 'mirror it in an OCI registry, or give the chart to the cluster as a HelmAddon',
  }));
}

/** Rule for charts of unknown images. */
export const IMAGE_CHART_UNKNOWN_RULE: Rule = {
  id: 'TC-IMAGE-CHART-UNKNOWN',
  title: 'If images move or need digests, the images of every chart must be known.',
};

/**
 * Checks the images of a chart.
 *
 * @param property the property of the delivery
 * @param chart the chart
 * @param rewritten the chart after the rewrite
 * @param demands the requirements of its images
 */
export function checkChartImages(property: string, chart: HelmChart, rewritten: RewrittenChart, demands: Demands): Problem[] {
  if (!rewritten.known) return demands.allImages ? [unknownChart(property, chart)] : [];
  return [
    ...namedTwice(property, chart),
    ...(demands.allImages ? imageLikeValueProblems(property, rewritten, demands) : []),
    ...rewritten.images.flatMap((image) => checkChartImage(property, chart, image, demands)),
    ...rewritten.unknown.filter((images) => demands.digests || (demands.allImages && !images.rewritten)).map(({ what, named }) => ({
      rule: IMAGE_CHART_UNKNOWN_RULE,
      property,
      message: `the chart "${chart.chart}" runs ${what}, and ${named ? 'no value of the chart names them' : 'their names are unknown'}`,
      fix: 'disable it in the values of the chart, or declare all images of the chart in "images"',
    })),
  ];
}

/** Rule for images in unknown fields. */
export const IMAGE_UNMOVED_RULE: Rule = {
  id: 'TC-IMAGE-UNMOVED',
  title: 'If images move or need digests, the library must know the field of each image: it does not change unknown fields, static pods, and charts that no delivery installs.',
};

/** Values that look like images, in keys that are not known to name one. */
function imageLikeValueProblems(property: string, { imageLike }: RewrittenChart, { digests }: Demands): Problem[] {
  const wrong = imageLike.filter(({ image, changed }) => changed || (digests && parseImageName(image)?.digest === undefined));
  return wrong.map(({ path, image }) => ({
    rule: IMAGE_UNMOVED_RULE,
    property: `${property}.values.${path.join('.')}`,
    message: `"${image}" looks like an image in an unknown value, and is not changed`,
    fix: 'write its final name there, with a digest if digests are required',
  }));
}

const IMAGE_VALUE_TWICE_RULE: Rule = {
  id: 'TC-IMAGE-VALUE-TWICE',
  title: 'Each declared image of a chart must have its own value.',
};

/** A value with several images can only be set for one of them. */
function namedTwice(property: string, { chart, images = [] }: HelmChart): Problem[] {
  const keyOf = ({ repositoryKey = 'image.repository' }: HelmChartImage) => repositoryKey;
  const rival = (image: HelmChartImage) => images.findIndex((other) => keyOf(other) === keyOf(image) && other.image !== image.image);
  return images.filter((image, index) => rival(image) > index).map((image) => ({
    rule: IMAGE_VALUE_TWICE_RULE,
    property: `${property}.images`,
    message: `the chart "${chart}" is declared to run "${image.image}" and another image, both named by the value "${keyOf(image)}"`,
    fix: 'give each its own repositoryKey, and tagKey',
  }));
}

function checkChartImage(property: string, { chart }: HelmChart, rewritten: RewrittenChartImage, demands: Demands): Problem[] {
  const { key, given, image, pinned, fault } = rewritten;
  const place = `${property}.values.${key}`;
  if (fault !== undefined) return [inexpressible(place, given!, fault)];
  if (image === undefined) {
    return demands.allImages ? [{
      rule: IMAGE_CHART_UNKNOWN_RULE,
      property: place,
      message: `the default of this value in the chart "${chart}" is unknown`,
      fix: 'name the image in the values of the chart',
    }] : [];
  }
  // The default tag of a chart also counts as a tag: a release does not use latest.
  const name = parseImageName(image);
  const open = name !== undefined && name.tag === undefined && name.digest === undefined;
  if (pinned || (open && !demands.digests)) return [];
  if (!open) return checkName(place, image, demands.digests);
  return [{
    rule: IMAGE_CHART_UNKNOWN_RULE,
    property: place,
    message: `only the chart "${chart}" knows the tag of "${image}", so that its digest is unknown`,
    fix: 'name the tag in the values of the chart',
  }];
}

const IMAGE_DIGEST_RULE: Rule = {
  id: 'TC-IMAGE-DIGEST',
  title: 'With requireDigests, every image must have a digest, in its name or from the lock.',
};

/** Checks one name. */
function checkName(property: string, text: string, digest: boolean): Problem[] {
  const image = parseImageName(text);
  if (!image) {
    return [{
      rule: IMAGE_NAME_RULE,
      property,
      message: `"${text}" is not the name of an image`,
      accepted: NAME,
      fix: 'write the registry, the repository in lower case, and a tag or a digest',
    }];
  }
  const unpinned = checkPinned(text, image);
  if (unpinned) return [{ rule: IMAGE_UNPINNED_RULE, property, message: unpinned.message, fix: `${unpinned.fix}, here or in the lock` }];
  return digest && image.digest === undefined ? [{
    rule: IMAGE_DIGEST_RULE,
    property,
    message: `"${text}" has no digest, and digests are required`,
    fix: 'add it to the lock with: npx cdk8s-cluster-api images lock',
  }] : [];
}

function inexpressible(property: string, image: string, fault: string): Problem {
  return {
    rule: IMAGE_INEXPRESSIBLE_RULE,
    property,
    message: `"${image}" cannot get its new name: ${fault}`,
    fix: 'give the override a repository of the same name in another registry, for all images of the field alike, and no tag or digest',
  };
}

function unknownChart(property: string, { chart, chartVersion }: HelmChart): Problem {
  return {
    rule: IMAGE_CHART_UNKNOWN_RULE,
    property,
    message: `which images the chart "${chart}" runs in version ${chartVersion} is not known, so that they can neither be moved nor get digests`,
    fix: 'declare them where the chart is given, e.g. images: [{ image: "ghcr.io/team/app:1.0.0", repositoryKey: "image.repository" }], or [] for none',
  };
}

/**
 * Removes problems that the sources solve, and duplicates of problems that another check reports for the same image.
 *
 * @param problems the problems of a construct
 * @param said images that another check reports
 * @param resolve resolves the source of an image
 */
export function settleImages(problems: readonly Problem[], said: ReadonlySet<string>, resolve: (image: string) => string): Problem[] {
  return problems.filter(({ rule, _image }) => {
    if (_image === undefined) return true;
    if (OWN.includes(rule.id)) return !said.has(_image);
    const image = parseImageName(resolve(_image));
    return image === undefined || !isPinned(image);
  });
}
