import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { registerProviders } from '../../manifests/systems/providers';
import { Problem, Rule } from '../../manifests/values/problem';
import { NAMESPACES } from '../addons/addon-deliveries';
import { AddonRoute, AddonSet, DeliveredAddon } from '../addons/addon-set';
import { Cni, deliveredCni } from '../addons/cni/cni';
import { checkClaims } from '../addons/csi/volume-claims';
import { tenantChart } from '../addons/tenant-chart';
import { Problems } from '../app/problems/problems';
import { moveLast } from '../app/synth/child-order';
import { onPrepare } from '../app/synth/synthesis';
import { Addon, AddonCapability } from '../contracts/addon';
import { ClusterContext } from '../contracts/cluster-context';
import { earlierDeliveries } from '../contracts/delivery/cluster-deliveries';
import { checkDuplicates } from '../contracts/delivery/duplicate-objects';
import { deliveredFolder, ManifestFolders } from '../contracts/delivery/manifest-folder';
import { checkServedVersions } from '../contracts/delivery/served-versions';
import { apiObjects, checkSecrets } from '../contracts/delivery/tenant-manifests';
import { ImagePass } from '../images/image-pass';

/** Name of the delivery of the user's own constructs. */
const WORKLOADS = 'workloads';

const DELIVERY_RULE: Rule = {
  id: 'TC-CLUSTER-DELIVERY',
  title: 'A cluster with a pod network, addons or workloads must have a delivery.',
};

const CNI_RULE: Rule = {
  id: 'TC-CLUSTER-CNI',
  title: 'A pod network must be given to the cluster as its cni: control plane and addons follow from it.',
};

const MANIFEST_APP_RULE: Rule = {
  id: 'TC-CLUSTER-MANIFEST-APP',
  title: 'Manifests that are read from a repository must be written there: by a GitOpsApp.',
};

/** Deliveries to the tenant: addons in their order, and the user's own constructs after all of them. */
export class TenantDeliveries {
  private readonly addons: AddonSet;
  private readonly cni?: Cni;
  private ownWorkloads?: Chart;

  /**
   * @param cluster the construct that the user made
   * @param context the cluster
   * @param route the delivery of addons and workloads
   * @param cni the pod network, `Cni.none()` included
   */
  public constructor(
    private readonly cluster: Construct, private readonly context: ClusterContext, private readonly route: AddonRoute, cni: Cni | undefined,
  ) {
    // For the checks of manifests: which kinds live in a namespace.
    registerProviders();
    this.cni = deliveredCni(cni);
    this.addons = new AddonSet(cluster, context, route, this.cni ? [] : cni?.provides);
    // After all other objects of the cluster, in an order that does not depend on the order of calls.
    onPrepare(cluster, () => {
      const { node } = route.scope;
      [route.scope, ...this.order.map((name) => node.tryFindChild(name))].forEach((construct) => construct && moveLast(construct));
    });
    Problems.of(cluster)._addCheck(() => [
      ...this.checkDelivery(), ...this.checkFolders(), ...this.checkCnis(), ...this.checkVolumes(), ...this.checkObjects(),
    ]);
    ImagePass.of(cluster).report(Problems.of(cluster), () => this.addons.charts);
    if (this.cni) this.addons.add(this.cni);
  }

  /** The addons, the pod network among them. */
  public get all(): Addon[] {
    return this.addons.all;
  }

  /** Adds an addon. */
  public add(addon: Addon): DeliveredAddon {
    return this.addons.add(addon);
  }

  /** The objects of the addon of a name. */
  public find(name: string): DeliveredAddon | undefined {
    return this.addons.find(name);
  }

  /** Names of all deliveries, none before what it comes after. */
  public get order(): string[] {
    return [NAMESPACES, ...this.addons.plan.deliveries.map(({ name }) => name), WORKLOADS];
  }

  /** A chart for the user's own constructs. */
  public get workloads(): Chart {
    if (!this.ownWorkloads) {
      this.ownWorkloads = tenantChart(this.cluster, WORKLOADS);
      const { delivery, scope } = this.route;
      const after = earlierDeliveries(() => this.addons.plan.last);
      delivery?.deliverManifests(scope, { name: WORKLOADS, manifests: this.ownWorkloads, after }, this.context);
    }
    return this.ownWorkloads;
  }

  /** True if there is anything in the user's own chart. */
  private get hasWorkloads(): boolean {
    return this.ownWorkloads?.node.findAll().some((construct) => ApiObject.isApiObject(construct)) ?? false;
  }

  private checkDelivery(): Problem[] {
    if (this.route.delivery) return [];
    const waiting = [...this.all.map(({ name }) => name), ...(this.hasWorkloads ? [WORKLOADS] : [])];
    return waiting.length === 0 ? [] : [{
      rule: DELIVERY_RULE,
      property: 'delivery',
      message: `the cluster has no delivery, so that nothing would bring ${waiting.join(', ')} to it`,
      fix: 'give the cluster the delivery that your management cluster runs, e.g. new FluxDelivery()',
    }];
  }

  private checkFolders(): Problem[] {
    const folders = ManifestFolders.of(this.cluster);
    const folder = folders.all.map(([name]) => name).find((name) => name.startsWith(deliveredFolder(this.route.scope, '')));
    return folder === undefined || folders.written ? [] : [{
      rule: MANIFEST_APP_RULE,
      property: 'delivery.manifestSource',
      message: `manifests are read from "${folder}", and the app does not write them there`,
      fix: 'make the app a GitOpsApp, or leave out manifestSource',
    }];
  }

  /** The charts that hold manifests, by the names of their deliveries. */
  private get manifests(): (readonly [name: string, chart: Chart])[] {
    return [...this.addons.manifests, ...(this.ownWorkloads ? [[WORKLOADS, this.ownWorkloads] as const] : [])];
  }

  private checkObjects(): Problem[] {
    return [
      ...checkDuplicates(this.manifests.map(([name, chart]) => ({ name, objects: apiObjects(chart) }))),
      ...this.manifests.flatMap(([name, chart]) => checkServedVersions(name, apiObjects(chart), this.context.kubernetesVersion)),
      ...checkSecrets(this.cluster),
    ];
  }

  private checkCnis(): Problem[] {
    // Only one can stay, which is reported elsewhere.
    if (this.all.filter(({ provides }) => provides.includes(AddonCapability.POD_NETWORK)).length > 1) return [];
    return this.all.filter((addon): addon is Cni => addon instanceof Cni && addon !== this.cni).map((addon) => ({
      rule: CNI_RULE,
      property: 'cni',
      message: `"${addon.name}" is a pod network and was added as an addon, so that the rest of the cluster does not know of it`,
      fix: 'give it to the cluster as its cni',
    }));
  }

  /** Checks claims of manifests; those of Helm charts are unknown. */
  private checkVolumes(): Problem[] {
    const classes = this.addons.volumeClasses;
    if (classes.length === 0) return [];
    return this.manifests.flatMap(([name, chart]) => checkClaims(`manifests["${name}"]`, apiObjects(chart), classes));
  }
}
