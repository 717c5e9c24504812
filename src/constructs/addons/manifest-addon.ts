import { Chart } from 'cdk8s';
import { Addon, AddonConfig } from '../contracts/addon';
import { AddonCapability } from '../contracts/addon-capability';
import { ClusterContext } from '../contracts/cluster-context';

/** Relations of an addon of manifests to the other addons of a cluster. */
export interface ManifestAddonProps {
  /**
   * Capabilities that the manifests provide: values of `AddonCapability`, or your own names.
   *
   * @default - none
   */
  readonly provides?: string[];

  /**
   * Capabilities that the cluster must have before the manifests are applied (`TC-ADDON-REQUIREMENT`).
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
   * Addons that must be applied before this one, in addition to those that provide its requirements, e.g. the addon with the definitions
   * of the objects (`TC-ADDON-AFTER`, `TC-ADDON-CYCLE`).
   *
   * @default - none
   */
  readonly after?: Addon[];
}

/**
 * Manifests that are applied to the tenant: extend the class and define constructs in `define`.
 *
 * The name of the addon is a DNS label that is unique within a cluster.
 *
 * For manifests of one cluster, use the cluster's `workloads` instead.
 *
 * Rules: `TC-ADDON-NAME`, `TC-ADDON-NAME-TAKEN`.
 *
 * @example
 * class PriorityClasses extends ManifestAddon {
 *   protected define(tenant: Chart): void {
 *     new ApiObject(tenant, 'critical', {
 *       apiVersion: 'scheduling.k8s.io/v1',
 *       kind: 'PriorityClass',
 *       metadata: { name: 'team-critical' },
 *       value: 1000,
 *     });
 *   }
 * }
 * acme.addAddon(new PriorityClasses('priority-classes'));
 */
export abstract class ManifestAddon extends Addon {
  /** Name of the addon. */
  public readonly name: string;

  /** Capabilities that the manifests provide. */
  public override readonly provides: string[];

  /** Capabilities that the cluster must have before the manifests are applied. */
  public override readonly requires: string[];

  /** Names or capabilities of addons that cannot be in the same cluster. */
  public override readonly conflictsWith: string[];

  /** Addons that must be applied before this one. */
  public override readonly after: Addon[];

  public constructor(name: string, props: ManifestAddonProps = {}) {
    super();
    this.name = name;
    this.provides = props.provides ?? [];
    this.requires = props.requires ?? [AddonCapability.POD_NETWORK];
    this.conflictsWith = props.conflictsWith ?? [];
    this.after = props.after ?? [];
  }

  /**
   * Adds the manifests to the tenant's chart.
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
