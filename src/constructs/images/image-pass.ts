import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { checkChartAddresses, checkChartImages, checkObjectImages, settleImages } from './image-problems';
import { ImageSources } from './image-sources';
import { SourceUsage } from './source-usage';
import { checkUnrewrittenImages } from './unrewritten-images';
import { rewriteChartAddresses } from '../../manifests/images/chart-addresses';
import { rewriteChart, RewrittenChart } from '../../manifests/images/chart-rewrite';
import { ObjectImage, rewriteObjectImages } from '../../manifests/images/object-rewrite';
import { knownKind } from '../../manifests/objects/known-kinds';
import { groupKind, ManifestObject } from '../../manifests/objects/manifest-object';
import { ChartAddress } from '../../manifests/rules/image-facts';
import { ManifestIndex } from '../../manifests/rules/manifest-index';
import { imageFacts } from '../../manifests/systems/providers';
import { Problem, Rule } from '../../manifests/values/problem';
import { ConstructSlot } from '../app/app-state';
import { Problems } from '../app/problems/problems';
import { rewriteManifests, rewriteWhenWritten } from '../app/synth/manifest-rewrite';
import { answered, constructsIn, onPrepare, writtenManifest } from '../app/synth/synthesis';
import { HelmChart } from '../contracts/helm-chart';

/** Property that sources are given in. */
const PROPERTY = 'images';

/** Common kinds without images, which are not worth writing for a check. */
const KINDS_WITHOUT_IMAGES: ReadonlySet<string> = new Set([
  'v1/ConfigMap', 'v1/LimitRange', 'v1/Namespace', 'v1/PersistentVolumeClaim', 'v1/ResourceQuota', 'v1/Secret', 'v1/Service', 'v1/ServiceAccount',
  'rbac.authorization.k8s.io/v1/ClusterRole', 'rbac.authorization.k8s.io/v1/ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1/Role', 'rbac.authorization.k8s.io/v1/RoleBinding',
  'networking.k8s.io/v1/Ingress', 'networking.k8s.io/v1/NetworkPolicy', 'policy/v1/PodDisruptionBudget',
  'apiextensions.k8s.io/v1/CustomResourceDefinition', 'cilium.io/v2/CiliumNetworkPolicy',
  'addons.cluster.x-k8s.io/v1beta2/ClusterResourceSet',
  'cluster.x-k8s.io/v1beta2/Cluster', 'cluster.x-k8s.io/v1beta2/MachineDeployment', 'cluster.x-k8s.io/v1beta2/MachineHealthCheck',
]);

/** A chart, and the name of its delivery. */
export interface NamedChart {
  readonly name: string;
  readonly chart: HelmChart;
}

const IMAGE_MIRROR_UNUSED_RULE: Rule = {
  id: 'TC-IMAGE-MIRROR-UNUSED',
  title: 'Every mirror must match the repository of a chart.',
};

const IMAGE_OVERRIDE_UNUSED_RULE: Rule = {
  id: 'TC-IMAGE-OVERRIDE-UNUSED',
  title: 'Every override must match an image of the app.',
};

/**
 * Applies image sources to the objects and charts of one construct, such as a tenant cluster, and checks them. Objects change their images
 * whenever they are written. All readers therefore see the same images: content names, deliveries that contain manifests as strings, and
 * checks.
 */
export class ImagePass {
  /** The pass of a construct; the same instance for every call. */
  public static of(owner: IConstruct): ImagePass {
    return PASS.ensure(owner, () => new ImagePass(owner));
  }

  private sources?: ImageSources;
  private usage?: SourceUsage;
  private first = false;
  private readonly trees: IConstruct[];
  private readonly settled: Problems[] = [];
  private readonly images = new WeakMap<ApiObject, readonly ObjectImage[]>();
  private readonly addresses = new WeakMap<ApiObject, readonly ChartAddress[]>();
  private readonly charts = new WeakMap<HelmChart, RewrittenChart<HelmChart>>();

  private constructor(private readonly owner: IConstruct) {
    this.trees = [owner];
  }

  /**
   * Sets the sources. Must be called before any reader of the objects, and before validations that read them are registered.
   *
   * @param sources the sources of images and charts
   */
  public use(sources: ImageSources | undefined): void {
    if (!sources) return;
    this.sources = sources;
    this.usage = SourceUsage.of(this.owner, sources);
    this.first = this.usage.add(this);
    rewriteManifests(this.owner, (manifest, object) => this.rewrite(manifest, object));
    // Objects of other classes than ours do not ask by themselves.
    onPrepare(this.owner, () => this.objects().forEach(rewriteWhenWritten));
  }

  /**
   * Reports problems, and filters the image problems of others.
   *
   * @param problems the receiver of the problems
   * @param charts returns the charts for the construct's cluster at synthesis
   */
  public report(problems: Problems, charts: () => readonly NamedChart[]): void {
    problems._addCheck(() => this.check(charts()));
    this.settle(problems);
  }

  /** Filters image problems that others report. */
  public settle(problems: Problems): void {
    this.settled.push(problems);
    problems._settle((found) => {
      const said = new Set(this.settled.flatMap(({ _images }) => _images));
      return settleImages(found, said, (image) => this.sources?._resolver.resolve(image).image ?? image);
    });
  }

  /** Adds a tree that belongs to the construct though it is not below it. */
  public watch(tree: IConstruct): void {
    this.trees.push(tree);
  }

  /** The chart for the delivery. */
  public move(chart: HelmChart): HelmChart {
    return this.rewrittenChart(chart).chart;
  }

  private rewrittenChart(chart: HelmChart): RewrittenChart<HelmChart> {
    const known = this.charts.get(chart) ?? rewriteChart(chart, this.sources?._resolver);
    this.charts.set(chart, known);
    return known;
  }

  private check(charts: readonly NamedChart[]): Problem[] {
    return [
      ...(this.first && this.sources ? this.sources._check(PROPERTY) : []),
      ...this.objects().flatMap((object) => this.checkObject(object, charts)),
      ...charts.flatMap((chart) => this.checkChart(chart)),
      ...this.checkUnused(),
    ];
  }

  private objects(): ApiObject[] {
    return this.trees.flatMap(constructsIn).filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  }

  private rewrite(manifest: object, object: ApiObject): object {
    const { object: result, images } = rewriteObjectImages(manifest as ManifestObject, this.sources?._resolver);
    const rewritten = rewriteChartAddresses(result, (repository) => this.chartRepository(repository));
    this.images.set(object, images);
    this.addresses.set(object, rewritten.faults);
    images.forEach(({ override }) => this.usage?.use('override', override));
    return rewritten.object;
  }

  private chartRepository(address: string): string {
    const { repository, mirror } = this.sources!._resolver.chartRepository(address);
    this.usage?.use('mirror', mirror);
    return repository;
  }

  private checkObject(object: ApiObject, charts: readonly NamedChart[]): Problem[] {
    if (namesNoImages(object) && !(this.sources && namesCharts(object))) return [];
    const manifest = written(object);
    if (!manifest) return [];
    const { sources, demands } = this;
    const where = object.node.path;
    const images = sources ? this.images.get(object) ?? [] : rewriteObjectImages(manifest, undefined).images;
    const delivered = charts.map(({ chart }) => chart);
    return [
      ...checkObjectImages(where, images, demands),
      ...checkChartAddresses(where, this.addresses.get(object) ?? []),
      ...(sources && demands.allImages
        ? checkUnrewrittenImages(where, manifest, { sources, demands, delivered, among: () => this.chartSources() }) : []),
    ];
  }

  /** The sources of charts in the app: they may be made once for all clusters. */
  private chartSources(): ManifestIndex {
    return answered(this.owner, 'chart sources of its trees', () => {
      const all = new Set([...this.trees, this.owner.node.root].flatMap((tree) => answered(tree, 'chart sources', () => chartSourcesIn(tree))));
      return new ManifestIndex([...all].map(written).filter((manifest) => manifest !== undefined));
    });
  }

  private checkChart({ name, chart }: NamedChart): Problem[] {
    const rewritten = this.rewrittenChart(chart);
    this.usage?.use('mirror', rewritten.mirror);
    rewritten.images.forEach(({ override }) => this.usage?.use('override', override));
    return checkChartImages(`charts["${name}"]`, chart, rewritten, this.demands);
  }

  private checkUnused(): Problem[] {
    const unused = this.usage?.complete(this) ?? { overrides: [], mirrors: [] };
    return [
      ...unused.overrides.map((key) => ({
        rule: IMAGE_OVERRIDE_UNUSED_RULE,
        property: `${PROPERTY}.overrides["${key}"]`,
        message: `no image is called "${key}"`,
        fix: 'correct the name, as it is without a mirror, or remove the override',
      })),
      ...unused.mirrors.map((key) => ({
        rule: IMAGE_MIRROR_UNUSED_RULE,
        property: `${PROPERTY}.chartRepositories["${key}"]`,
        message: `no chart comes from "${key}"`,
        fix: 'correct the address, or remove the mirror',
      })),
    ];
  }

  private get demands() {
    return { digests: this.sources?._requireDigests ?? false, allImages: this.sources?._needsAllImages ?? false };
  }
}

const PASS = new ConstructSlot<ImagePass>('ImagePass');

/** True if no field of an object can name an image. */
function namesNoImages(object: ApiObject): boolean {
  if (KINDS_WITHOUT_IMAGES.has(`${object.apiVersion}/${object.kind}`)) return true;
  const hasFields = imageFacts(kindOf(object)).some(({ fields }) => fields !== undefined);
  return !hasFields && (namesCharts(object) || knownKind(groupKind(kindOf(object)))?.role === 'cluster');
}

/** True if an object may name repositories of charts. */
function namesCharts(object: ApiObject): boolean {
  return imageFacts(kindOf(object)).some(({ chartAddresses }) => chartAddresses !== undefined);
}

function kindOf({ apiVersion, kind }: ApiObject): ManifestObject {
  return { apiVersion, kind };
}

/** An object that cannot be written reports this itself. */
function written(object: ApiObject): ManifestObject | undefined {
  try {
    return writtenManifest(object) as ManifestObject;
  } catch {
    return undefined;
  }
}

function chartSourcesIn(tree: IConstruct): ApiObject[] {
  return constructsIn(tree).filter((construct): construct is ApiObject => (
    ApiObject.isApiObject(construct) && imageFacts(kindOf(construct)).some(({ isChartSource }) => isChartSource)));
}
