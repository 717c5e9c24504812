import { Chart } from 'cdk8s';
import { mergeValues, Values } from '../../../manifests/values/chart-values';
import { Problem } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { Addon, AddonConfig } from '../../contracts/addon';
import { AddonCapability } from '../../contracts/addon-capability';
import { ClusterContext } from '../../contracts/cluster-context';
import { BundledAddonProps } from '../bundled-addon-props';
import { BundledChart, bundledChart } from '../charts';
import { checkTolerationList, TolerationPaths, tolerationValues } from '../toleration-values';
import { checkValueKeys } from '../value-keys';

/** The definition of an addon of one chart. */
export interface CatalogueEntry {
  readonly chart: BundledChart;
  /** Usual name of the addon and its release. */
  readonly name: string;
  readonly namespace: string;
  /** True if its pods need host access. */
  readonly privileged?: boolean;
  readonly provides?: string[];
  /** Capabilities beside the pod network. */
  readonly requires?: string[];
  readonly conflictsWith?: string[];
  readonly tolerations: TolerationPaths;
  /** The values for one cluster. */
  readonly values?: (context: ClusterContext) => Values;
  /** Defines objects of kinds that the chart brings; they are delivered after it. */
  readonly define?: (tenant: Chart) => void;
  /** Checks the props; paths of properties are relative to the addon. */
  readonly check?: (context: ClusterContext) => Problem[];
}

/**
 * An addon that is one chart of the catalogue.
 *
 * @internal a hidden base class: to jsii, addons extend `Addon`
 */
export abstract class CatalogueAddon extends Addon {
  /** Name of the addon. */
  public readonly name: string;

  /** Capabilities that the chart provides. */
  public override readonly provides: string[];

  /** Capabilities that the cluster must have before the chart is installed. */
  public override readonly requires: string[];

  /** Names or capabilities of addons that cannot be in the same cluster. */
  public override readonly conflictsWith: string[];

  /** Addons that must be installed before this one. */
  public override readonly after: Addon[];

  // Hard private, so that no name of a subclass can meet them.
  readonly #entry: CatalogueEntry;
  readonly #props: BundledAddonProps;

  protected constructor(entry: CatalogueEntry, props: BundledAddonProps) {
    super();
    this.#entry = entry;
    this.#props = props;
    this.name = props.name ?? entry.name;
    this.provides = entry.provides ?? [];
    this.requires = [AddonCapability.POD_NETWORK, ...(entry.requires ?? [])];
    this.conflictsWith = entry.conflictsWith ?? [];
    this.after = props.after ?? [];
  }

  /**
   * Gives the chart to the delivery, and the objects that come after it.
   *
   * @param tenant a chart whose objects go to the tenant
   * @param context the cluster that the addon is for
   */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    const { chart, namespace, privileged, tolerations, values, define, check } = this.#entry;
    [
      ...(check?.(context) ?? []),
      ...checkTolerationList('tolerations', this.#props.tolerations),
      ...checkValueKeys(chart, this.#props, context.versions),
    ].forEach((problem) => Problems.of(tenant).add(problem));
    const own = mergeValues(values?.(context), tolerationValues(tolerations, this.#props.tolerations));
    define?.(tenant);
    const charts = [bundledChart({ chart, releaseName: this.name, namespace, privileged, values: own }, this.#props, context.versions)];
    return { charts, ...(define && { chartsFirst: true }) };
  }
}
