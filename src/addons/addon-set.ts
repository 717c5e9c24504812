import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterContext } from '../cluster-context';
import { Addon } from './addon';
import { PresentCapabilities } from './addon-conflicts';
import { BoundAddon, DeliveryPlan, NAMESPACES, planDeliveries } from './addon-deliveries';
import { planAddons } from './addon-plan';
import { tenantChart } from './tenant-chart';
import { VolumeClass } from '../csi/volume-class';
import { Delivery } from '../delivery/delivery';
import { keepOnPrune } from '../delivery/marks';
import { ImagePass, NamedChart } from '../images/image-pass';
import { TypedApiObject } from '../synth/typed-api-object';
import { Problems } from '../validation/problems';

/** The addons of one cluster. */
export class AddonSet {
  private readonly addons: Addon[] = [];
  private readonly bound = new Map<string, BoundAddon>();
  private readonly classes: VolumeClass[] = [];
  private readonly present: PresentCapabilities;
  private named?: readonly NamedChart[];

  /**
   * @param owner the construct that the user made, which problems are reported under
   * @param context the cluster
   * @param user capabilities that the user installs without the library
   */
  public constructor(private readonly owner: Construct, private readonly context: ClusterContext, user: readonly string[] = []) {
    this.present = { controlPlane: context.controlPlane.addonCapabilities, infrastructure: context.infrastructure.addonCapabilities, user };
    Problems.of(owner)._addCheck(() => [...planAddons(this.addons, this.present).problems, ...this.plan().problems]);
  }

  /** The addons, in the order in which they were added. */
  public get all(): Addon[] {
    return [...this.addons];
  }

  /** Adds an addon. Its objects are made at once, its place among the others is found when all are known. */
  public add(addon: Addon): void {
    this.addons.push(addon);
    this.named = undefined;
    // Two addons of one name are refused; the second has nothing to be filed under.
    if (this.bound.has(addon.name)) return;
    const manifests = tenantChart(this.owner, addon.name, addon.name);
    const { charts = [], gitManifests, chartsFirst, volumeClasses = [] } = addon.bind(manifests, this.context);
    this.bound.set(addon.name, { manifests, charts, gitManifests, chartsFirst });
    this.classes.push(...volumeClasses);
  }

  /** What is known of the storage classes that the addons bring. */
  public get volumeClasses(): readonly VolumeClass[] {
    return this.classes;
  }

  /** The charts that hold the manifests of the addons, by the names of these. */
  public get manifests(): readonly [name: string, manifests: Chart][] {
    return [...this.bound].map(([name, { manifests }]) => [name, manifests]);
  }

  /** What the addons that were added so far deliver. */
  public plan(): DeliveryPlan {
    return planDeliveries(planAddons(this.addons, this.present).order, (name) => this.bound.get(name)!);
  }

  /** The charts of the addons, each with the name of its delivery. */
  public get charts(): readonly NamedChart[] {
    this.named ??= this.plan().deliveries.flatMap(({ name, chart }) => (chart ? [{ name, chart }] : []));
    return this.named;
  }

  /**
   * Delivers all addons; to be called once, when no addon can be added any more.
   *
   * @param scope where the objects of the management cluster go
   * @param delivery how things reach the tenant
   * @returns names of the deliveries that complete the addons
   */
  public deliver(scope: Construct, delivery: Delivery): string[] {
    const { deliveries, namespaces, last } = this.plan();
    if (namespaces.size > 0) {
      delivery.deliverManifests(scope, { name: NAMESPACES, manifests: this.namespaceChart(namespaces), after: [] }, this.context);
    }
    for (const { name, after, chart, manifests, gitManifests } of deliveries) {
      if (chart) delivery.deliverChart(scope, { name, chart: ImagePass.of(this.owner).move(chart), after }, this.context);
      if (manifests) delivery.deliverManifests(scope, { name, manifests, after }, this.context);
      if (gitManifests) delivery.deliverGitManifests(scope, { name, manifests: gitManifests, after }, this.context);
    }
    return last;
  }

  private namespaceChart(namespaces: DeliveryPlan['namespaces']): Chart {
    const chart = tenantChart(this.owner, NAMESPACES);
    namespaces.forEach((labels, name) => {
      new TypedApiObject(chart, name, { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, {
        // Whatever else lives in the namespace outlives the addon.
        metadata: { name, labels, annotations: keepOnPrune() },
      });
    });
    return chart;
  }
}
