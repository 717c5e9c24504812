import TABLE from '../../../data/chart-images.json';

/** The keys of an image in the values of a chart. Their parts are joined by dots. */
export interface ChartImage {
  /** Key of the registry, with or without the first parts of the path. */
  readonly registryKey?: string;

  /** Key of the repository: of all of it where there is no `registryKey`. */
  readonly repositoryKey: string;

  /** Key of the tag. */
  readonly tagKey?: string;

  /** Key of the digest; without it, the digest goes behind the tag. One that ends in `.sha` takes it without `sha256:`. */
  readonly digestKey?: string;

  /** True if the repository's key takes the whole name, with its tag. */
  readonly whole?: boolean;

  /** Default registry, repository and tag of the chart; unset if unknown. */
  readonly registry?: string;
  readonly repository?: string;
  readonly tag?: string;

  /** True if the chart puts registry and repository together by itself, unless values name them. */
  readonly stated?: boolean;

  /** Suffix that the chart appends to the repository. */
  readonly suffix?: string;

  /** True if the chart names a digest itself. */
  readonly pinned?: boolean;

  /** Digest that the chart names, as far as it is known. */
  readonly digest?: string;

  /** Values that must be set (`a.b`), not set (`!a.b`), equal to something (`a.b=c`) or not (`!a.b=c`) for the image to be used. */
  readonly when?: readonly string[];
}

/** Images that only a program that the chart installs knows. */
export interface UnknownChartImages {
  /** A description of the images. */
  readonly what: string;

  /** Key of the registry that is put before them. */
  readonly registryKey?: string;

  /** The registry that they are in, where the key wants the one that takes its place. */
  readonly registry?: string;

  /** True if a slash follows the registry. */
  readonly slash?: boolean;

  readonly when?: readonly string[];

  /** The names of the images, where the program always starts the same ones. */
  readonly named?: NamedByProgram;
}

/** Names of images that a program puts behind a registry. No value takes their digests. */
export interface NamedByProgram {
  readonly images: readonly { readonly name: string; readonly when?: readonly string[] }[];

  /** Conditions, as of other images, under which the program starts these and no others. */
  readonly provided: readonly string[];
}

/** The known images of a chart. */
export interface ChartEntry {
  readonly version?: string;
  readonly images: readonly ChartImage[];

  /** Key of a registry that goes before those of all images. */
  readonly globalRegistry?: string;

  /** Keys of lists of containers. */
  readonly containers?: readonly string[];

  readonly unknown?: readonly UnknownChartImages[];

  /** Defaults of the values in conditions. */
  readonly defaults?: Readonly<Record<string, string | boolean>>;
}

/** The images of charts in the versions that the library knows. */
export const CHART_IMAGES: Readonly<Record<string, ChartEntry>> = TABLE;
