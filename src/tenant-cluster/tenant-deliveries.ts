import { ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { CLUSTER_RULES } from './rules';
import { Addon } from '../addons/addon';
import { AddonCapability } from '../addons/addon-capability';
import { NAMESPACES } from '../addons/addon-deliveries';
import { AddonSet } from '../addons/addon-set';
import { Cni, deliveredCni } from '../addons/cni/cni';
import { tenantChart } from '../addons/tenant-chart';
import { ClusterContext } from '../cluster-context';
import { checkClaims } from '../csi/tenant-claims';
import { Delivery } from '../delivery/delivery';
import { checkDuplicates } from '../delivery/duplicate-objects';
import { clusterFolder, ManifestFolders } from '../delivery/manifest-folder';
import { apiObjects, checkSecrets } from '../delivery/tenant-manifests';
import { ImagePass } from '../images/image-pass';
import { strategyScope } from '../synth/strategy-scope';
import { Problem } from '../validation/problem';
import { Problems } from '../validation/problems';

/** Name of the delivery of the user's own constructs. */
const WORKLOADS = 'workloads';

/** What reaches the tenant: addons in their order, and the user's own constructs after all of them. */
export class TenantDeliveries {
  private readonly addons: AddonSet;
  private readonly cni?: Cni;
  private ownWorkloads?: Chart;
  private delivered = false;

  /**
   * @param cluster the construct that the user made
   * @param context the cluster
   * @param delivery how things reach the tenant
   * @param cni the pod network, `Cni.none()` included
   */
  public constructor(
    private readonly cluster: Construct, private readonly context: ClusterContext,
    private readonly delivery: Delivery | undefined, cni: Cni | undefined,
  ) {
    // Only when the app is complete is it known what there is to deliver. Validation is the one step that every way of writing goes
    // through before it writes; this one is registered first, so that the problems that it finds are reported with the others.
    cluster.node.addValidation({ validate: () => this.deliver() });
    this.cni = deliveredCni(cni);
    this.addons = new AddonSet(cluster, context, this.cni ? [] : cni?.provides);
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
  public add(addon: Addon): void {
    this.checkLate('addons', addon.name);
    this.addons.add(addon);
  }

  /** A chart for the user's own constructs. */
  public get workloads(): Chart {
    if (!this.ownWorkloads) {
      this.checkLate(WORKLOADS, WORKLOADS);
      this.ownWorkloads = tenantChart(this.cluster, WORKLOADS);
    }
    return this.ownWorkloads;
  }

  /** Whether there is anything in the user's own chart. */
  private get hasWorkloads(): boolean {
    return this.ownWorkloads?.node.findAll().some((construct) => ApiObject.isApiObject(construct)) ?? false;
  }

  private deliver(): string[] {
    if (this.delivered || !this.delivery) return [];
    this.delivered = true;
    const scope = strategyScope(this.cluster, 'Delivery');
    const after = this.addons.deliver(scope, this.delivery);
    if (this.ownWorkloads) this.delivery.deliverManifests(scope, { name: WORKLOADS, manifests: this.ownWorkloads, after }, this.context);
    return [];
  }

  private checkLate(property: string, name: string): void {
    if (!this.delivered) return;
    Problems.of(this.cluster).add({
      rule: CLUSTER_RULES.late,
      property,
      message: `"${name}" came after the cluster was written, and would not be delivered`,
      fix: 'add it before the first synthesis',
    });
  }

  private checkDelivery(): Problem[] {
    if (this.delivery) return [];
    const waiting = [...this.all.map(({ name }) => name), ...(this.hasWorkloads ? [WORKLOADS] : [])];
    return waiting.length === 0 ? [] : [{
      rule: CLUSTER_RULES.delivery,
      property: 'delivery',
      message: `the cluster has no delivery, so that nothing would bring ${waiting.join(', ')} to it`,
      fix: 'give the cluster the delivery that your management cluster runs, e.g. new FluxDelivery()',
    }];
  }

  private checkFolders(): Problem[] {
    const folders = ManifestFolders.of(this.cluster);
    const folder = folders.all.map(([name]) => name).find((name) => name.startsWith(clusterFolder(this.context, '')));
    return folder === undefined || folders.written ? [] : [{
      rule: CLUSTER_RULES.manifestApp,
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
    const namespaces = [...this.addons.plan().namespaces.keys()].map((name) => ({ apiGroup: 'core', kind: 'Namespace', name, metadata: {} }));
    return [
      ...checkDuplicates([
        { name: NAMESPACES, objects: namespaces },
        ...this.manifests.map(([name, chart]) => ({ name, objects: apiObjects(chart) })),
      ]),
      ...checkSecrets(this.cluster),
    ];
  }

  private checkCnis(): Problem[] {
    // Of several only one can stay, and that is told first.
    if (this.all.filter(({ provides }) => provides.includes(AddonCapability.POD_NETWORK)).length > 1) return [];
    return this.all.filter((addon): addon is Cni => addon instanceof Cni && addon !== this.cni).map((addon) => ({
      rule: CLUSTER_RULES.cni,
      property: 'cni',
      message: `"${addon.name}" is a pod network and was added as an addon, so that the rest of the cluster does not know of it`,
      fix: 'give it to the cluster as its cni',
    }));
  }

  /** Claims of manifests; those of Helm charts are known to nobody here. */
  private checkVolumes(): Problem[] {
    const classes = this.addons.volumeClasses;
    if (classes.length === 0) return [];
    return this.manifests.flatMap(([name, chart]) => checkClaims(`manifests["${name}"]`, apiObjects(chart), classes));
  }
}
