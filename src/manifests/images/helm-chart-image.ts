/**
 * An image that a Helm chart runs, and the values that name it, so that the image can be moved to another registry and get a digest
 * (`ImageSources`). Keys are joined by dots, e.g. `controller.image.repository`.
 */
export interface HelmChartImage {
  /**
   * The image that the chart runs when the values name none, e.g. `ghcr.io/stefanprodan/podinfo:6.9.0`, without a registry if the chart
   * has it so (`TC-IMAGE-NAME`).
   */
  readonly image: string;

  /**
   * Key of the repository. Without `registryKey` it holds the registry too. Different images have different ones (`TC-IMAGE-VALUE-TWICE`).
   *
   * @default image.repository
   */
  readonly repositoryKey?: string;

  /**
   * Key of the registry that the chart puts before the repository.
   *
   * @default - the chart has none
   */
  readonly registryKey?: string;

  /**
   * Key of the tag.
   *
   * @default image.tag
   */
  readonly tagKey?: string;

  /**
   * Key of the digest, `sha256:` and 64 hex digits, or these alone if the key ends in `.sha`.
   *
   * @default - the digest goes behind the tag, as `<tag>@sha256:…`
   */
  readonly digestKey?: string;
}
