import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { AddonDelivery, DeliveryPlan, deliveryStages, hasLabels, NAMESPACES, planDeliveries } from './addon-deliveries';
import { planAddons, PresentCapabilities } from './addon-plan';
import { tenantChart } from './tenant-chart';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { Problem, Rule } from '../../manifests/values/problem';
import { Problems } from '../app/problems/problems';
import { moveLast } from '../app/synth/child-order';
import { TypedApiObject } from '../app/synth/typed-api-object';
import { Addon, VolumeClass } from '../contracts/addon';
import { ClusterContext } from '../contracts/cluster-context';
import { earlierDeliveries } from '../contracts/delivery/cluster-deliveries';
import { Delivery } from '../contracts/delivery/delivery';
import { apiObjects } from '../contracts/delivery/tenant-manifests';
import { HelmChart } from '../contracts/helm-chart';
import { ImagePass, NamedChart } from '../images/image-pass';

/** The objects that were made for an addon of a cluster. All of them can be patched. */
export interface DeliveredAddon {
  /**
   * The objects of the management cluster that deliver the addon, e.g. a HelmRelease and its OCIRepository. ConfigMaps of a
   * ClusterResourceSet are made at synthesis, and sources that several charts share are not among them.
   */
  readonly objects: ApiObject[];

  /**
   * The chart that holds the addon's objects for the tenant.
   *
   * @default - the addon has none
   */
  readonly manifests?: Chart;
}

/** The delivery of the addons of a cluster. */
export interface AddonRoute {
  /** Undefined if the user gave none, which is reported. */
  readonly delivery?: Delivery;

  /** The scope of the objects of the management cluster. */
  readonly scope: Construct;
}

/** The manifests and deliveries of an addon. */
interface Bound {
  readonly manifests: Chart;
  readonly stages: readonly (readonly AddonDelivery[])[];
}

const LATE_RULE: Rule = {
  id: 'TC-ADDON-LATE',
  title: 'An addon must create its objects in bind: objects that come later are not delivered.',
};

/** The addons of one cluster. */
export class AddonSet {
  private readonly addons: Addon[] = [];
  private readonly bound = new Map<string, Bound>();
  private readonly delivered = new Map<string, DeliveredAddon>();
  private readonly classes: VolumeClass[] = [];
  private readonly present: PresentCapabilities;
  private namespaces?: Chart;
  private planned?: DeliveryPlan;

  /**
   * @param owner the construct of the user, for reported problems
   * @param context the cluster
   * @param route the delivery of the addons
   * @param user capabilities that the user installs without the library
   */
  public constructor(
    private readonly owner: Construct, private readonly context: ClusterContext, private readonly route: AddonRoute, user: readonly string[] = [],
  ) {
    this.present = { controlPlane: context.controlPlane.addonCapabilities, infrastructure: context.infrastructure.addonCapabilities, user };
    Problems.of(owner)._addCheck(() => [...planAddons(this.addons, this.present).problems, ...this.plan.problems, ...this.checkLate()]);
  }

  /** The addons, in the order in which they were added. */
  public get all(): Addon[] {
    return [...this.addons];
  }

  /** Adds an addon and delivers what it makes. Its place among the others is found when all are known. */
  public add(addon: Addon): DeliveredAddon {
    this.addons.push(addon);
    this.planned = undefined;
    // An empty name, and a second addon of the same name, are reported, and not stored.
    if (addon.name === '' || this.bound.has(addon.name)) return { objects: [] };
    const chart = tenantChart(this.owner, addon.name, addon.name);
    const { charts = [], gitManifests, chartsFirst, volumeClasses = [] } = addon.bind(chart, this.context);
    const manifests = apiObjects(chart).length > 0 ? chart : undefined;
    const stages = deliveryStages(addon.name, { manifests, charts, gitManifests, chartsFirst });
    this.bound.set(addon.name, { manifests: chart, stages });
    this.classes.push(...volumeClasses);

    const before = new Set(this.route.scope.node.children);
    stages.flat().forEach((delivery) => this.deliver(delivery));
    const rooms = this.route.scope.node.children.filter((child) => !before.has(child));
    charts.forEach((one) => this.labelNamespace(one));
    const delivered = { manifests, objects: rooms.flatMap(apiObjects) };
    this.delivered.set(addon.name, delivered);
    return delivered;
  }

  /** The objects of the addon of a name. */
  public find(name: string): DeliveredAddon | undefined {
    return this.delivered.get(name);
  }

  /** The known storage classes of the addons. */
  public get volumeClasses(): readonly VolumeClass[] {
    return this.classes;
  }

  /** The charts that hold manifests, by the names of their addons; that of the namespaces comes first. */
  public get manifests(): readonly (readonly [name: string, manifests: Chart])[] {
    const bound = [...this.bound].map(([name, { manifests }]) => [name, manifests] as const);
    return this.namespaces ? [[NAMESPACES, this.namespaces], ...bound] : bound;
  }

  /** The deliveries of the addons so far. */
  public get plan(): DeliveryPlan {
    this.planned ??= planDeliveries(planAddons(this.addons, this.present).order, (name) => this.bound.get(name)?.stages ?? []);
    return this.planned;
  }

  /** The charts of the addons, each with the name of its delivery. */
  public get charts(): readonly NamedChart[] {
    return this.plan.deliveries.flatMap(({ name, chart }) => (chart ? [{ name, chart }] : []));
  }

  private deliver({ name, chart, manifests, gitManifests }: AddonDelivery): void {
    const { delivery, scope } = this.route;
    const after = earlierDeliveries(() => this.plan.deliveries.find((planned) => planned.name === name)!.after);
    if (chart) delivery?.deliverChart(scope, { name, chart: ImagePass.of(this.owner).move(chart), after }, this.context);
    if (manifests) delivery?.deliverManifests(scope, { name, manifests, after }, this.context);
    if (gitManifests) delivery?.deliverGitManifests(scope, { name, manifests: gitManifests, after }, this.context);
  }

  /** Makes the namespace of a chart that needs labels on it. All such namespaces are one delivery. */
  private labelNamespace(chart: HelmChart): void {
    if (!hasLabels(chart)) return;
    const { namespace, namespaceLabels = {} } = chart;
    if (!this.namespaces) {
      this.namespaces = tenantChart(this.owner, NAMESPACES);
      const { delivery, scope } = this.route;
      delivery?.deliverManifests(scope, { name: NAMESPACES, manifests: this.namespaces, after: { names: [] } }, this.context);
    }
    const { node } = this.namespaces;
    const object = node.tryFindChild(namespace) as ApiObject | undefined
      // Other objects in the namespace must outlive the addon.
      ?? new TypedApiObject(this.namespaces, namespace, { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, {
        metadata: { name: namespace, annotations: keepOnPrune() },
      });
    Object.entries(namespaceLabels).forEach(([key, value]) => object.metadata.addLabel(key, value));
    [...node.children].sort((one, other) => (one.node.id < other.node.id ? -1 : 1)).forEach(moveLast);
  }

  /** Reports objects that were made after the deliveries of their addon had been decided. */
  private checkLate(): Problem[] {
    const late = [...this.bound].filter(([, { manifests, stages }]) => (
      !stages.flat().some((delivery) => delivery.manifests) && apiObjects(manifests).length > 0));
    return late.map(([name]) => ({
      rule: LATE_RULE,
      property: name,
      message: 'objects came after bind had made none, and would not be delivered',
      fix: 'make the objects of the addon in bind, or put them into workloads',
    }));
  }
}
