import { Chart } from 'cdk8s';
import { ClusterContext } from '../cluster-context';
import { Addon, AddonConfig } from './addon';
import { AddonCapability } from './addon-capability';

/** How an addon of manifests stands to the other addons of a cluster. */
export interface ManifestAddonProps {
  /**
   * Capabilities that the manifests bring, of `AddonCapability` or names of your own.
   *
   * @default - none
   */
  readonly provides?: string[];

  /**
   * Capabilities that are there before the manifests are applied (`TC-ADDON-REQUIREMENT`).
   *
   * @default - a pod network
   */
  readonly requires?: string[];

  /**
   * Names or capabilities of addons that cannot be in the same cluster (`TC-ADDON-CONFLICT`).
   *
   * @default - none
   */
  readonly conflictsWith?: string[];

  /**
   * Addons that this one is applied after, beside those that bring what it requires, e.g. the addon that installs the definitions of the
   * objects (`TC-ADDON-AFTER`, `TC-ADDON-CYCLE`).
   *
   * @default - none
   */
  readonly after?: Addon[];
}

/**
 * Manifests that are applied to the tenant: extend the class and define constructs in `define`.
 *
 * For manifests of one cluster there is no need for it: define them in the cluster's `workloads`.
 */
export abstract class ManifestAddon extends Addon {
  /** Name of the addon. */
  public readonly name: string;

  /** Capabilities that the manifests bring. */
  public override readonly provides: string[];

  /** Capabilities that are there before the manifests are applied. */
  public override readonly requires: string[];

  /** Names or capabilities of addons that cannot be in the same cluster. */
  public override readonly conflictsWith: string[];

  /** Addons that this one is applied after. */
  public override readonly after: Addon[];

  /**
   * @param name name of the addon, a DNS label that is unique within a cluster (`TC-ADDON-NAME`, `TC-ADDON-NAME-TAKEN`)
   * @param props how the addon stands to others
   */
  public constructor(name: string, props: ManifestAddonProps = {}) {
    super();
    this.name = name;
    this.provides = props.provides ?? [];
    this.requires = props.requires ?? [AddonCapability.POD_NETWORK];
    this.conflictsWith = props.conflictsWith ?? [];
    this.after = props.after ?? [];
  }

  /**
   * Puts the manifests into the tenant's chart.
   *
   * @param tenant a chart whose objects go to the tenant
   * @param context the cluster that the addon is for
   */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    this.define(tenant, context);
    return {};
  }

  /**
   * Defines the constructs. Bad values are reported through `Problems.of(tenant)`; the name of the addon is put before the property.
   *
   * @param tenant the chart to define them in
   * @param context the cluster that the addon is for
   */
  protected abstract define(tenant: Chart, context: ClusterContext): void;
}
