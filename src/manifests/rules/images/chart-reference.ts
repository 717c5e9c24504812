import { Fields } from '../../values/fields';

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
