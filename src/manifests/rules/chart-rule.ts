import { ManifestIndex } from './manifest-index';
import { ManifestRule } from './manifest-rule';
import { ManifestObject } from '../objects/manifest-object';
import { FieldPath } from '../values/fields';
import { Finding } from '../values/finding';

/** Settings of a program in an object that is no chart, as values of its chart. */
export interface ChartSettings {
  readonly path: FieldPath;
  readonly values: unknown;

  /** Version of the chart, if it is stated. */
  readonly version?: string;
}

/** A rule over the values of a chart that is installed in the management cluster: as `ManifestRule`, whose kinds and check follow from what installs charts. */
export interface ChartRule extends Pick<ManifestRule, 'id' | 'title' | 'source' | 'warning' | 'trap' | 'example'> {
  /** Name of the chart. */
  readonly chart: string;

  /** Finds faults of the values, at paths below them. */
  readonly faultsOf: (values: unknown, index: ManifestIndex, version?: string) => readonly Finding[];

  /**
   * Objects that have the same settings where the program is installed without the chart: their kind, and what an object sets.
   *
   * @default - none
   */
  readonly alike?: { readonly kind: string; readonly settingsOf: (object: ManifestObject) => ChartSettings | undefined };
}
