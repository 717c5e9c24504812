import { nearestName } from './nearest-name';

/**
 * The catalogs that this release of the package carries, oldest first: the month in which somebody looked at the releases in it. At least the
 * last two stay.
 */
export const CATALOGS: readonly string[] = ['2026.08', '2026.11'];

/** Name of a catalog. */
export interface CatalogName {
  /** The catalog, such as `2026.11`. */
  readonly catalog: string;
}

/** The newest catalog. */
export const NEWEST_CATALOG: CatalogName = { catalog: CATALOGS[CATALOGS.length - 1] };

/** Fault of a catalog; undefined if the package carries it. */
export function checkCatalog({ catalog }: CatalogName): { readonly message: string; readonly accepted: string; readonly fix: string } | undefined {
  if (CATALOGS.includes(catalog)) return undefined;
  const near = nearestName(catalog, CATALOGS);
  return {
    message: `this release of the library carries no catalog ${JSON.stringify(catalog)}`,
    accepted: CATALOGS.map((name) => `"${name}"`).join(', '),
    fix: near === undefined ? 'choose one of these; a newer catalog comes with a newer release of the library' : `did you mean "${near}"?`,
  };
}

/** A version that may differ between catalogs. */
export interface CatalogVersion {
  /** The version in the newest catalog. */
  readonly version: string;

  /**
   * Versions in older catalogs: each holds up to the catalog that it stands by.
   *
   * @default - all catalogs have the same version
   */
  readonly until?: Readonly<Record<string, string>>;
}

/** The version of something in a catalog; in one that is not carried, the newest. */
export function versionIn({ version, until = {} }: CatalogVersion, { catalog }: CatalogName): string {
  if (!CATALOGS.includes(catalog)) return version;
  const last = Object.keys(until).sort().find((limit) => catalog <= limit);
  return last === undefined ? version : until[last];
}
