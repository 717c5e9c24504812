import { comparePlaces, compareTexts, Place } from './place';
import { fileOf, PlacedObjects, placedObjects, ReadObject } from './placed-objects';
import { chartImages } from '../images/chart-images';
import { controllerImages, unknownImages } from '../images/controller-images';
import { imageLikeStrings } from '../images/image-like-strings';
import { parseImageName, tagAndDigest } from '../images/image-lock-file';
import { chartReferences } from '../images/images-annotation';
import { rewriteObjectImages } from '../images/object-rewrite';
import { groupKind, ManifestObject, objectName } from '../objects/manifest-object';
import { ChartReference } from '../rules/image-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts, providers } from '../systems/providers';
import { Fields, isFields, pointerTo, stringAt } from '../values/fields';
import { commandLine, isArgument } from '../values/printable';
import { isOci, ociAddress } from '../values/repository-address';
import { hideSecretParts } from '../values/secret-text';
import { isExactChartVersion } from '../values/semantic-version';

/** Paths with this many common parts are one folder: synthesis writes what Flux and Argo CD apply to namespace/cluster/delivery. */
const ENOUGH_IN_COMMON = 3;

/**
 * Sources of what an object installs or changes that are not among the manifests: a repository, a ConfigMap, a template that only a
 * controller renders. These may name further images.
 *
 * @param object an object as it is written
 * @param references the charts that are known to come by it
 * @param folders absolute paths of the folders that were read, with `/` between their parts
 * @param empty namespace and name of the ConfigMaps that hold no values (`emptyValues`)
 * @returns a sentence for each, without a full stop
 */
function sourcesElsewhere(
  object: ManifestObject, references: readonly ChartReference[], folders: readonly string[], empty: ReadonlySet<string>,
): string[] {
  const [name, facts] = [objectName(object), deliveryFacts(object)];
  const namespace = stringAt(object, 'metadata', 'namespace');
  const sources = {
    hasValues: references.some(({ values }) => values !== undefined),
    isEmptyConfigMap: (configMap: string | undefined) => empty.has(`${namespace}/${configMap}`),
  };
  return [
    ...(facts?.installsChart === 'always' && references.length === 0 ? [`${name} installs a chart whose repository or version is not among the manifests`] : []),
    ...providers().flatMap(({ elsewhere }) => elsewhere?.[groupKind(object)]?.(object, sources) ?? []).map((text) => `${name} ${text}`),
    ...(facts?.folders?.(object) ?? []).flatMap(({ path }) => unreadFolder(name, path, folders)),
  ];
}

/** The ConfigMaps that may be sources of values of a HelmRelease, but hold none, as `namespace/name`: a release only waits for them. */
function emptyValues(objects: readonly ManifestObject[]): ReadonlySet<string> {
  const isEmpty = (data: unknown): data is Fields => isFields(data) && Object.values(data).every((text) => typeof text === 'string' && text.trim() === '{}');
  return new Set(objects.filter((object) => groupKind(object) === '/ConfigMap' && isEmpty(object.data))
    .map((object) => `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`));
}

function unreadFolder(name: string, path: string, folders: readonly string[]): string[] {
  const parts = partsOf(path);
  const read = parts.length > 0 && folders.some((folder) => inCommon(parts, partsOf(folder)) >= Math.min(parts.length, ENOUGH_IN_COMMON));
  return read ? [] : [`${name} applies the folder "${path}" of its source, which is not among the manifests`];
}

/** Number of equal parts at the end of two paths. */
function inCommon(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((_, index) => one.at(-1 - index) !== other.at(-1 - index));
  return differs < 0 ? one.length : differs;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** An object that uses an image or a chart. */
export interface Use {
  readonly object: ManifestObject;
  readonly place: Place;

  /** JSON pointer of the field that names the image. */
  readonly pointer?: string;

  /** Reason that the image is pulled, where the object does not name it. */
  readonly reason?: string;
}

/** An image that something pulls. */
export interface FoundImage {
  /** The name in its long form. */
  readonly image: string;

  /** Repository with its registry. */
  readonly name: string;
  readonly tag?: string;
  readonly digest?: string;
  readonly uses: readonly Use[];

  /** True if at least one of its uses accepts a digest. */
  readonly takesDigest: boolean;
}

/** A chart that something installs. */
export interface FoundChart {
  readonly repository: string;
  readonly chart: string;
  readonly version: string;

  /** True if all images of the chart are among the images. */
  readonly imagesKnown: boolean;
  readonly uses: readonly Use[];
}

/** Something that images may hide behind. */
export interface NotKnown {
  readonly what: string;

  /** A command that finds it out. */
  readonly command?: string;

  /** True if a digest can be set for the images behind it. */
  readonly takesDigest: boolean;
  readonly places: readonly Place[];
}

/** Every image and chart of manifests, in an order that depends on nothing else. */
export interface ImageInventory {
  readonly images: readonly FoundImage[];
  readonly charts: readonly FoundChart[];
  readonly notKnown: readonly NotKnown[];
}

/** Manifests whose images are listed. */
export interface InventoriedManifests extends Pick<PlacedObjects, 'objects' | 'patches' | 'notRead'> {
  /** Absolute paths of the folders that were read, with `/` between their parts. */
  readonly folders: readonly string[];

  /**
   * The deliveries whose charts were rendered.
   *
   * @default - no chart was rendered
   */
  readonly rendered?: ReadonlySet<ManifestObject>;
}

/**
 * Finds the images and charts that manifests pull, and reports those that they leave open.
 *
 * @param objects all objects, or lists of them
 */
export function images(objects: readonly unknown[]): ImageInventory {
  return takeInventory({ ...placedObjects([fileOf(objects)]), folders: [] });
}

/** Finds the images and charts that manifests name, and reports those that they leave open. */
export function takeInventory({ objects, patches, folders, notRead, rendered }: InventoriedManifests): ImageInventory {
  const collected = new Collection();
  const index = new ManifestIndex(objects.map(({ object }) => object));
  const empty = emptyValues(objects.map(({ object }) => object));
  for (const read of [...objects, ...patches]) {
    collectImages(collected, read);
    if (!rendered?.has(read.object)) collectCharts(collected, read, index, folders, empty);
  }
  for (const { place, message } of notRead.filter(({ isOfProgram }) => !isOfProgram)) collected.addNotKnown(message, place);
  return collected.inventory();
}

function collectImages(collected: Collection, { object, place }: ReadObject): void {
  const unknown = unknownImages(object);
  for (const { image, pointer, takesDigest } of rewriteObjectImages(object, undefined).images) {
    // An image whose tag only its controller knows is not known: without a tag, its name stands for another one.
    if (!unknown.some((other) => other.unknown.startsWith(`${image}: `))) collected.addImage(image, { object, place, pointer }, takesDigest);
  }
  for (const { image, reason } of controllerImages(object)) collected.addImage(image, { object, place, reason }, false);
  for (const { unknown: what } of unknown) collected.addNotKnown(what, place, { takesDigest: false });
  for (const { image, path } of imageLikeStrings(object)) {
    collected.addNotKnown(`${image}: ${pointerTo(path)} of ${objectName(object)} may name it as an image`, place);
  }
}

function collectCharts(
  collected: Collection, { object, place }: ReadObject, index: ManifestIndex, folders: readonly string[], empty: ReadonlySet<string>,
): void {
  const references = chartReferences(object, index)
    .map((reference) => ({ ...reference, repository: hideSecretParts(reference.repository) }));
  for (const reference of references) {
    const fault = notInRepository(reference);
    if (fault === undefined) collectChart(collected, reference, { object, place });
    else if (reference.imageNames && isFolder(reference)) collectChartImages(collected, reference, { object, place });
    else collected.addNotKnown(fault, place);
  }
  for (const message of sourcesElsewhere(object, references, folders, empty)) collected.addNotKnown(message, place);
}

function collectChart(collected: Collection, reference: ChartReference, use: Use): void {
  const { chart, version } = reference;
  const known = collectChartImages(collected, reference, use);
  collected.addChart(reference, known, use);
  if (!isExactChartVersion(version)) collected.addNotKnown(`the version of chart ${chart} ${version}, a range that means another one tomorrow`, use.place);
}

/** Adds the images of a chart. Returns true if all of them are known. */
function collectChartImages(collected: Collection, reference: ChartReference, use: Use): boolean {
  const chart = `chart ${reference.chart}${isFolder(reference) ? '' : ` ${reference.version}`}`;
  const known = chartImages(reference);
  if (!known) collected.addNotKnown(`the images of ${chart}`, use.place, { command: templateCommand(reference) });
  for (const what of known?.unknown ?? []) collected.addNotKnown(what, use.place, { takesDigest: false });
  for (const image of known?.images ?? []) collected.addImage(image, { ...use, reason: chart }, !known!.tagOnly.includes(image));
  return known?.unknown.length === 0;
}

/** True if a chart is built from a folder, and not pulled from a repository of charts. */
function isFolder({ chart }: ChartReference): boolean {
  return chart.includes('/');
}

/** The reason why no chart repository can contain a chart; undefined if one can. */
function notInRepository(reference: ChartReference): string | undefined {
  const { chart, version, repository } = reference;
  if (isFolder(reference)) return `the images of the chart in folder ${chart} of ${repository}`;
  const parts = [chart, version, repository];
  // Some programs use addresses without their scheme.
  const words = [...parts, repository.replace(/^[a-z]+:\/\//, '')];
  return words.every(isArgument) ? undefined : `the images of a chart that cannot be: ${parts.map((part) => JSON.stringify(part)).join(', ')}`;
}

/** Prints what a chart gives with its own values, which is where its images stand. */
function templateCommand({ repository, chart, version }: ChartReference): string {
  const where = isOci(repository) ? [ociAddress({ repository, chart })] : [chart, '--repo', repository];
  return `${commandLine(['helm', 'template', ...where, '--version', version])} | npx cdk8s-cluster-api images -`;
}

class Collection {
  private readonly images = new Map<string, { image: Omit<FoundImage, 'uses' | 'takesDigest'>; uses: Use[]; takesDigest: boolean }>();
  private readonly charts = new Map<string, { chart: Omit<FoundChart, 'uses'>; uses: Use[] }>();
  private readonly unknown = new Map<string, { what: string; command?: string; takesDigest: boolean; places: Place[] }>();

  public addImage(text: string, use: Use, takesDigest: boolean): void {
    const parsed = parseImageName(text);
    if (!parsed) return this.addNotKnown(`${JSON.stringify(text)}, in ${use.pointer ?? use.reason}, is not the name of an image`, use.place);
    const { name, tag, digest } = parsed;
    const image = `${name}${tagAndDigest(parsed)}`;
    const entry = this.images.get(image) ?? { image: { image, name, tag, digest }, uses: [], takesDigest: false };
    entry.uses.push(use);
    this.images.set(image, { ...entry, takesDigest: entry.takesDigest || takesDigest });
  }

  public addChart({ repository, chart, version }: ChartReference, imagesKnown: boolean, use: Use): void {
    const key = [chart, version, repository].join(' ');
    const entry = this.charts.get(key) ?? { chart: { repository, chart, version, imagesKnown }, uses: [] };
    entry.uses.push(use);
    this.charts.set(key, { ...entry, chart: { ...entry.chart, imagesKnown: entry.chart.imagesKnown && imagesKnown } });
  }

  public addNotKnown(what: string, place: Place, { command, takesDigest = true }: { command?: string; takesDigest?: boolean } = {}): void {
    const entry = this.unknown.get(what) ?? { what, command, takesDigest, places: [] };
    entry.places.push(place);
    this.unknown.set(what, entry);
  }

  public inventory(): ImageInventory {
    return {
      images: sorted(this.images).map(({ image, uses, takesDigest }) => ({ ...image, takesDigest, uses: inOrder(uses) })),
      charts: sorted(this.charts).map(({ chart, uses }) => ({ ...chart, uses: inOrder(uses) })),
      notKnown: sorted(this.unknown).map(({ places, ...rest }) => ({ ...rest, places: [...places].sort(comparePlaces) })),
    };
  }
}

function sorted<T>(entries: ReadonlyMap<string, T>): T[] {
  return [...entries].sort(([one], [other]) => compareTexts(one, other)).map(([, entry]) => entry);
}

function inOrder(uses: readonly Use[]): Use[] {
  const why = ({ pointer, reason }: Use) => pointer ?? reason ?? '';
  return [...uses].sort((one, other) => comparePlaces(one.place, other.place) || compareTexts(why(one), why(other)));
}
