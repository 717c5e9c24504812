import { ChartAddress, ChartReference } from './chart-reference';
import { RegistryField } from './registry-field';
import { ManifestObject } from '../../objects/manifest-object';
import { matchingPaths } from '../../values/json-pointer';
import { ManifestIndex } from '../manifest-index';

/** The fields of an object that name one image. */
export interface ImageField {
  /** Path of the field that holds the name, or the registry and repository of it. */
  readonly name: readonly string[];

  /** Path of the field that holds the tag alone. */
  readonly tag?: readonly string[];

  /** Path of the field that holds the digest alone. */
  readonly digest?: readonly string[];

  /** Prefix of the name, such as `docker://`. */
  readonly scheme?: string;

  /** The name where the field is not there. */
  readonly usual?: string;
}

/** Images and charts of the objects of one kind. */
export interface ImageFacts {
  /**
   * Fields that name images.
   *
   * @default - those of pods, at the path that is usual
   */
  readonly fields?: (object: ManifestObject) => readonly ImageField[];

  /**
   * Fields that hold a registry, to which a controller appends the names of images.
   *
   * @default - none
   */
  readonly registries?: (object: ManifestObject) => readonly RegistryField[];

  /**
   * Images that a controller pulls because of an object, and whose names only the controller or a machine's image knows: a description of
   * each with the reason.
   *
   * @default - none
   */
  readonly unknown?: (object: ManifestObject) => readonly string[];

  /**
   * Charts that an object makes a controller install. A chart is left out if its source is not among the objects, or if it has no version.
   *
   * @default - none
   */
  readonly charts?: (object: ManifestObject, index: ManifestIndex) => readonly ChartReference[];

  /**
   * Fields that name repositories of charts. Objects of a kind with such fields, and without `fields`, name no images.
   *
   * @default - none
   */
  readonly chartAddresses?: (object: ManifestObject) => readonly ChartAddress[];

  /**
   * Paths of fields that hold values of charts, joined by slashes, with `*` for every item of a list.
   *
   * @default - none
   */
  readonly chartValues?: readonly string[];

  /**
   * True if other objects name an object of the kind as the repository of their chart.
   *
   * @default false
   */
  readonly isChartSource?: boolean;
}

/**
 * The fields of an object that hold the whole name of an image.
 *
 * @param object the object
 * @param patterns paths such as `spec/containers/N/image`, with `*` for N
 */
export function wholeNames(object: ManifestObject, ...patterns: readonly string[]): ImageField[] {
  return patterns.flatMap((pattern) => matchingPaths(object, pattern)).map((name) => ({ name }));
}
