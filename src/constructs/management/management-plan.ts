import { ApiObject, Chart, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { tenantSettings } from './tenant-settings';
import { InstalledVersion, ManagementComponent, pinnedVersion } from './version-matrix';
import { keepOnPrune } from '../../manifests/objects/prune-annotations';
import { CatalogName, NEWEST_CATALOG } from '../../manifests/values/catalog';
import { Problem } from '../../manifests/values/problem';
import { tenantChart } from '../addons/tenant-chart';
import { Problems } from '../app/problems/problems';
import { FieldSources } from '../app/synth/field-sources';
import { TypedApiObject } from '../app/synth/typed-api-object';
import { CompanyNetwork } from '../contracts/company-network/company-network';
import { Delivery } from '../contracts/delivery/delivery';
import { DeliveryTarget } from '../contracts/delivery/delivery-target';
import { HelmChart } from '../contracts/helm-chart';
import { ImagePass } from '../images/image-pass';
import { ImageSources } from '../images/image-sources';

/** One delivery. */
interface Planned {
  readonly name: string;
  readonly after: readonly string[];
  readonly waitFor?: readonly string[];
  readonly chart?: HelmChart;
  readonly manifests?: Chart;
}

/** Collects the deliveries and the versions of the components of a management cluster. */
export class ManagementPlan {
  private readonly planned: Planned[] = [];
  private readonly versions: InstalledVersion[] = [];

  /**
   * @param owner the construct of the user
   * @param images the sources of images and charts
   * @param companyNetwork the network of the company
   * @param catalog the catalog of default versions
   * @param tenants the number of tenants that the components are for, known at synthesis
   */
  public constructor(
    private readonly owner: Construct, private readonly images: ImageSources | undefined, public readonly companyNetwork: CompanyNetwork | undefined,
    public readonly catalog: CatalogName = NEWEST_CATALOG, private readonly tenants: () => number = () => 0,
  ) {
    const pass = ImagePass.of(owner);
    pass.use(images);
    pass.report(Problems.of(owner), () => this.planned.flatMap(({ name, chart }) => (chart ? [{ name, chart }] : [])));
  }

  /** References to the pull secrets of the company's network; undefined if there are none. */
  public get pullSecrets(): readonly { readonly name: string }[] | undefined {
    const names = this.companyNetwork?.pullSecrets ?? [];
    return names.length > 0 ? names.map((name) => ({ name })) : undefined;
  }

  /** True if images move or need digests, so that the library must know all of them. */
  public get needsAllImages(): boolean {
    return this.images?._needsAllImages ?? false;
  }

  /** True if image sources are set, so that the manifests must name images that a component would find by itself. */
  public get namesImages(): boolean {
    return this.images !== undefined;
  }

  /**
   * A value that follows from the number of tenants, which is known at synthesis.
   *
   * @param valueOf returns the value
   */
  public sized(valueOf: (settings: ReturnType<typeof tenantSettings>) => string): any {
    return Lazy.any({ produce: () => valueOf(tenantSettings(this.tenants())) });
  }

  /** The default version of a component. */
  public pinned(component: ManagementComponent): string {
    return pinnedVersion(component, this.catalog);
  }

  /** Records the version of a component, installed by this app or separately. */
  public install(component: ManagementComponent, version: string, property: string): void {
    // Several parts of one release are recorded once.
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

  /** Records the properties that fields of an object come from. */
  public record(object: ApiObject, sources: { readonly [field: string]: string }): void {
    FieldSources.record(object, this.owner, sources);
  }

  /**
   * Plans a Helm chart.
   *
   * @param name name of its delivery
   * @param chart the chart
   * @param after deliveries that come before it; names without a delivery are skipped, because the component is installed separately
   * @param waitFor manifests that must be applied before it
   */
  public addChart(name: string, chart: HelmChart, after: readonly string[] = [], waitFor: readonly string[] = []): void {
    this.planned.push({ name, chart, after: [...after, ...waitFor], waitFor });
  }

  /**
   * Plans manifests.
   *
   * @param name name of their delivery
   * @param after deliveries that come before them
   * @returns the chart for the manifests
   */
  public addManifests(name: string, after: readonly string[] = []): Chart {
    const manifests = tenantChart(this.owner, name);
    this.planned.push({ name, manifests, after });
    return manifests;
  }

  /** Passes all items to the delivery, in the order of their dependencies. */
  public deliver(scope: Construct, delivery: Delivery, target: DeliveryTarget): void {
    const names = new Set(this.planned.map(({ name }) => name));
    for (const { name, chart, manifests, after, waitFor = [] } of this.planned) {
      const known = { names: after.filter((other) => names.has(other)).sort() };
      if (chart) delivery.deliverChart(scope, { name, chart: ImagePass.of(this.owner).move(chart), after: known, waitFor: [...waitFor] }, target);
      if (manifests) delivery.deliverManifests(scope, { name, manifests, after: known }, target);
    }
  }
}

/** Creates a namespace that is never pruned: it may contain objects of others. */
export function addNamespace(manifests: Chart, name: string): void {
  const id = `Namespace ${name}`;
  if (manifests.node.tryFindChild(id)) return;
  new TypedApiObject(manifests, id, { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true }, { metadata: { name, annotations: keepOnPrune() } });
}
