import { CATALOGS, NEWEST_CATALOG } from '../../manifests/values/catalog';

/**
 * Versions of charts, images and controllers that a cluster gets by default: those of one month. A management cluster has its components in
 * the versions of a month, too.
 *
 * A newer package brings newer versions to every cluster at once. A cluster, a ring or a fleet that names a catalog keeps the versions of that
 * month until it is moved, so that they move ring by ring. A version that is said by itself (`chartVersion` of an addon, `image` or `version` of
 * a controller) wins.
 *
 * @example
 * const versions = Versions.of('2026.08');
 */
export class Versions {
  /** The catalogs of this release of the package, oldest first. */
  public static catalogs(): string[] {
    return [...CATALOGS];
  }

  /** The newest catalog of this release of the package, which a cluster gets that names none. */
  public static newest(): Versions {
    return new Versions(NEWEST_CATALOG.catalog);
  }

  /**
   * The versions of one month.
   *
   * @param catalog the catalog, such as `2026.11`; of one that this release of the package does not carry the cluster reports
   *   `TC-CLUSTER-CATALOG`
   */
  public static of(catalog: string): Versions {
    return new Versions(catalog);
  }

  /** The catalog, such as `2026.11`. */
  public readonly catalog: string;

  private constructor(catalog: string) {
    this.catalog = catalog;
  }
}
