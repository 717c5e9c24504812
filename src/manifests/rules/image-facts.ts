import { ManifestIndex } from './manifest-index';
import { ManifestObject } from '../objects/manifest-object';
import { Fields, matchingPaths, stringAt } from '../values/fields';
import { parseSemanticVersion, prefixedVersion } from '../values/semantic-version';

/** Scheme of addresses of OCI registries. */
export const OCI = 'oci://';

/** A Helm chart that objects make a controller install. */
export interface ChartReference {
  /** Address of the Helm repository, or of the OCI repository without the chart's name (`oci://…`). */
  readonly repository: string;

  /** Name of the chart. */
  readonly chart: string;

  /** Version as the object gives it. */
  readonly version: string;

  /** Name of the release. */
  readonly releaseName?: string;

  /** Values, as far as they stand in the object itself. */
  readonly values?: Fields;

  /** The declared images of the chart with these values. */
  readonly imageNames?: readonly string[];
}

/** A place where an object names the repository of a chart. */
export interface ChartAddress {
  readonly path: readonly string[];

  /** Address of the repository, without the chart's name. */
  readonly repository: string;

  /** The part after the repository in the field. */
  readonly chart?: string;

  /** True if the field has addresses of OCI registries without their scheme. */
  readonly bare?: boolean;

  /** Path of the field that holds the type of the repository: `oci` or `default`. */
  readonly type?: readonly string[];
}

/** A chart in a list; an empty list if one of its parts is missing. */
export function chartIn(
  repository: string | undefined, chart: string | undefined, version: string | undefined, release: Pick<ChartReference, 'releaseName' | 'values'>,
): ChartReference[] {
  if (repository === undefined || chart === undefined || version === undefined) return [];
  const { releaseName, values } = release;
  return [{ repository: repository.replace(/(?<!\/)\/+$/, ''), chart, version, ...(releaseName !== undefined && { releaseName }), ...(values && { values }) }];
}

/** Repository and name of a chart by its address in an OCI registry. */
export function splitOci(url: string): [repository: string, chart: string | undefined] {
  const plain = url.replace(/(?<!\/)\/+$/, '');
  const slash = plain.lastIndexOf('/');
  return slash <= OCI.length ? [plain, undefined] : [plain.slice(0, slash), plain.slice(slash + 1)];
}

/** An image whose name a controller builds from a registry and built-in parts. */
export interface AssembledImage {
  /** The part after the registry. */
  readonly name: string;

  /** The tag, where it is known. */
  readonly tag?: string;

  /** Reason that the image is pulled. */
  readonly reason: string;
}

/** A field that holds the registry, with or without a path, of images that a controller names. */
export interface RegistryField {
  readonly path: readonly string[];

  /** The controller's registry: the field's value, or its default. */
  readonly registry: string;

  readonly images: readonly AssembledImage[];
}

/** The registry of Kubernetes. */
export const KUBERNETES_REGISTRY = 'registry.k8s.io';

/** Images of the three components of a control plane, in the order of their names. */
export const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/**
 * The tag of Kubernetes' own images for a version, with or without its `v`; undefined where the text is no version.
 *
 * Source: kubernetes/kubernetes cmd/kubeadm/app/util/version.go (KubernetesReleaseVersion, KubernetesVersionToImageTag), v1.36.3.
 */
export function kubernetesTag(version: string | undefined): string | undefined {
  return version === undefined || !parseSemanticVersion(version) ? undefined : prefixedVersion(version).replace(/[^-\w.]/g, '_');
}

/** A field with the registry of images; `usual` is the registry where the field is unset. */
export function registryField(object: ManifestObject, path: readonly string[], usual: string, images: readonly AssembledImage[]): RegistryField {
  return { path, registry: stringAt(object, ...path) ?? usual, images };
}

/**
 * The registry of CoreDNS's image, which has a folder of its own in the registry of Kubernetes (kubernetes/kubernetes
 * cmd/kubeadm/app/images/images.go).
 */
export function dnsField(path: readonly string[], registry: string, image: Omit<AssembledImage, 'name'>): RegistryField {
  return { path, registry: registry === KUBERNETES_REGISTRY ? `${KUBERNETES_REGISTRY}/coredns` : registry, images: [{ name: 'coredns', ...image }] };
}

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
