import { Duration } from 'cdk8s';

/**
 * Manifests that a project publishes as plain files, applied as they are at a tag. How they reach the tenant is the delivery's matter;
 * only those that read Git repositories can.
 *
 * For what fits into no Helm release: Helm keeps chart and manifests in one Secret of at most 1 MiB, which definitions of custom resources
 * can exceed.
 *
 * Rule: `TC-DELIVERY-GIT-UNSUPPORTED`.
 */
export interface GitManifests {
  /** Name of the delivery, a DNS label that is unique within a cluster. */
  readonly name: string;

  /** Address of the Git repository, `https://…` (`TC-DELIVERY-REPOSITORY`). */
  readonly repository: string;

  /** Tag of the release (`TC-DELIVERY-CHART-VERSION`). */
  readonly tag: string;

  /** Folder of the manifests in the repository (`TC-DELIVERY-CHART-PATH`). */
  readonly path: string;

  /**
   * Time that an apply, and the wait for its objects, may take before it counts as failed and is tried again.
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;
}
