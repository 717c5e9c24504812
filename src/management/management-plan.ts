import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { InstalledVersion, ManagementComponent } from './version-matrix';
import { HelmChart } from '../addons/helm-chart';
import { tenantChart } from '../addons/tenant-chart';
import { Delivery } from '../delivery/delivery';
import { DeliveryTarget } from '../delivery/delivery-target';
import { keepOnPrune } from '../delivery/marks';
import { ImagePass } from '../images/image-pass';
import { ImageSources } from '../images/image-sources';
import { TypedApiObject } from '../synth/typed-api-object';
import { Problem } from '../validation/problem';
import { Problems } from '../validation/problems';

/** One thing to deliver. */
interface Planned {
  readonly name: string;
  readonly after: readonly string[];
  readonly waitFor?: readonly string[];
  readonly chart?: HelmChart;
  readonly manifests?: Chart;
}

/** What the parts of a management cluster want to have delivered, and in which versions. */
export class ManagementPlan {
  private readonly planned: Planned[] = [];
  private readonly versions: InstalledVersion[] = [];

  /**
   * @param owner the construct that the user made
   * @param images where images and charts come from
   */
  public constructor(private readonly owner: Construct, private readonly images: ImageSources | undefined) {
    const pass = ImagePass.of(owner);
    pass.use(images);
    pass.report(Problems.of(owner), () => this.planned.flatMap(({ name, chart }) => (chart ? [{ name, chart }] : [])));
  }

  /** Whether images may change or need digests, so that all of them must be known. */
  public get needsAllImages(): boolean {
    return this.images?._needsAllImages ?? false;
  }

  /** Whether anything is said about images, so that those are named which a component would find by itself. */
  public get namesImages(): boolean {
    return this.images !== undefined;
  }

  /** Names a version that is installed, by whomever. */
  public install(component: ManagementComponent, version: string, property: string): void {
    // Of several parts that are one release, one speaks for all.
    if (!this.versions.some((known) => known.component === component && known.property === property)) {
      this.versions.push({ component, version, property });
    }
  }

  /** The versions that were named. */
  public get installed(): readonly InstalledVersion[] {
    return this.versions;
  }

  /** Reports problems. */
  public report(...problems: Problem[]): void {
    problems.forEach((problem) => Problems.of(this.owner).add(problem));
  }

  /**
   * Plans a Helm chart.
   *
   * @param name name of its delivery
   * @param chart the chart
   * @param after what comes before it; what nobody delivers is left out, since somebody else has installed it
   * @param waitFor manifests that it must not be installed without
   */
  public addChart(name: string, chart: HelmChart, after: readonly string[] = [], waitFor: readonly string[] = []): void {
    this.planned.push({ name, chart, after: [...after, ...waitFor], waitFor });
  }

  /**
   * Plans manifests.
   *
   * @param name name of their delivery
   * @param after what comes before them
   * @returns where to put them
   */
  public addManifests(name: string, after: readonly string[] = []): Chart {
    const manifests = tenantChart(this.owner, name);
    this.planned.push({ name, manifests, after });
    return manifests;
  }

  /** Hands everything to the delivery, nothing before what it comes after. */
  public deliver(scope: Construct, delivery: Delivery, target: DeliveryTarget): void {
    const names = new Set(this.planned.map(({ name }) => name));
    for (const { name, chart, manifests, after, waitFor = [] } of this.planned) {
      const known = after.filter((other) => names.has(other)).sort();
      if (chart) delivery.deliverChart(scope, { name, chart: ImagePass.of(this.owner).move(chart), after: known, waitFor: [...waitFor] }, target);
      if (manifests) delivery.deliverManifests(scope, { name, manifests, after: known }, target);
    }
  }
}

/** Makes a namespace, which stays when nobody asks for it any more: others may live in it. */
export function addNamespace(manifests: Chart, name: string): void {
  const id = `Namespace ${name}`;
  if (manifests.node.tryFindChild(id)) return;
  new TypedApiObject(manifests, id, { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, { metadata: { name, annotations: keepOnPrune() } });
}
