import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import { ChartAddress, moveChartAddresses } from './chart-addresses';
import { checkChartAddresses, checkChartImages, checkObjectImages, settleImages } from './image-problems';
import { ImageSources } from './image-sources';
import { namesChartsOnly, namesNoImages } from './imageless-kinds';
import { ManifestObject } from './manifest-object';
import { moveChart } from './moved-chart';
import { ObjectImage, rewriteImages } from './rewritten-object';
import { IMAGE_RULES } from './rules';
import { SourceUsage } from './source-usage';
import { checkUnmoved, isChartSource } from './unmoved-images';
import { HelmChart } from '../addons/helm-chart';
import { rewriteManifests, rewriteWhenWritten } from '../synth/manifest-rewrite';
import { Share } from '../synth/share';
import { answered, isSettling } from '../synth/synthesis';
import { writtenManifest } from '../synth/written-manifest';
import { Problem } from '../validation/problem';
import { Problems } from '../validation/problems';

const PASS = Symbol.for('cdk8s-cluster-api.ImagePass');

/** Property that sources are given in. */
const PROPERTY = 'images';

/** A chart, and the name of what delivers it. */
export interface NamedChart {
  readonly name: string;
  readonly chart: HelmChart;
}

/** What has been found in a tree, and for which of its objects. */
interface Look {
  readonly objects: readonly ApiObject[];
  readonly problems: readonly Problem[];
}

/**
 * Where the images and charts of one construct come from, a tenant cluster or what else has objects and charts, and what is wrong with
 * them. Objects change their images whenever they are written, so that all who read them see the same: names after content, deliveries
 * that carry manifests as text, checks.
 */
export class ImagePass {
  /** That of a construct; the same one for every call. */
  public static of(owner: IConstruct): ImagePass {
    const holder = owner as IConstruct & { [PASS]?: ImagePass };
    if (!holder[PASS]) Object.defineProperty(holder, PASS, { value: new ImagePass(owner) });
    return holder[PASS]!;
  }

  private sources?: ImageSources;
  private usage?: SourceUsage;
  private first = false;
  private readonly trees: IConstruct[];
  private readonly settled: Problems[] = [];
  private readonly images = new WeakMap<ApiObject, readonly ObjectImage[]>();
  private readonly addresses = new WeakMap<ApiObject, readonly ChartAddress[]>();
  private readonly charts = new WeakMap<HelmChart, readonly Problem[]>();
  private look?: Look;

  private constructor(private readonly owner: IConstruct) {
    this.trees = [owner];
  }

  /**
   * Takes the sources; to be called before anything reads the objects or registers validations that do.
   *
   * @param sources where images and charts come from
   */
  public use(sources: ImageSources | undefined): void {
    if (!sources) return;
    this.sources = sources;
    this.usage = SourceUsage.of(this.owner, sources);
    this.first = this.usage.add(this);
    rewriteManifests(this.owner, (manifest, object) => this.rewrite(manifest, object));
    // Before the validations that read the objects: those of other classes than ours do not ask by themselves.
    this.owner.node.addValidation({ validate: () => this.attach() });
  }

  /**
   * Reports what is wrong, and has the last word on what others report of images.
   *
   * @param problems where problems are reported
   * @param charts what is delivered to the construct's cluster, asked for at synthesis
   */
  public report(problems: Problems, charts: () => readonly NamedChart[]): void {
    problems._addCheck(() => this.check(charts()));
    this.settle(problems);
  }

  /** Has the last word on problems of images that others report. */
  public settle(problems: Problems): void {
    this.settled.push(problems);
    problems._settle((found) => {
      const said = new Set(this.settled.flatMap(({ _images }) => _images));
      return settleImages(found, said, (image) => this.sources?._resolve(image).image ?? image);
    });
  }

  /** Adds a tree that belongs to the construct though it is not below it. */
  public watch(tree: IConstruct): void {
    this.trees.push(tree);
  }

  /** A chart as it is to be delivered. */
  public move(chart: HelmChart): HelmChart {
    return moveChart(chart, this.sources).chart;
  }

  private check(charts: readonly NamedChart[]): Problem[] {
    if (isSettling()) return [];
    return [
      ...(this.first && this.sources ? this.sources._check(PROPERTY) : []),
      ...this.checkObjects(charts),
      ...charts.flatMap((chart) => this.checkChart(chart)),
      ...this.checkUnused(),
    ];
  }

  private attach(): string[] {
    this.objects().forEach(rewriteWhenWritten);
    return [];
  }

  private objects(): ApiObject[] {
    return this.trees.flatMap((tree) => tree.node.findAll()).filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  }

  private rewrite(manifest: object, object: ApiObject): object {
    const { object: result, images } = rewriteImages(manifest as ManifestObject, this.sources);
    const moved = moveChartAddresses(result, (repository) => this.chartRepository(repository));
    this.images.set(object, images);
    this.addresses.set(object, moved.faults);
    images.forEach(({ override }) => this.usage?.use('override', override));
    return moved.object;
  }

  private chartRepository(address: string): string {
    const { repository, mirror } = this.sources!._chartRepository(address);
    this.usage?.use('mirror', mirror);
    return repository;
  }

  /** The app is validated once for each of its charts, so only other objects are a reason to look again. */
  private checkObjects(charts: readonly NamedChart[]): readonly Problem[] {
    const objects = this.objects();
    if (this.look?.objects.length !== objects.length || objects.some((object, index) => object !== this.look!.objects[index])) {
      this.look = { objects, problems: objects.flatMap((object) => this.checkObject(object, charts)) };
    }
    return this.look.problems;
  }

  private checkObject(object: ApiObject, charts: readonly NamedChart[]): Problem[] {
    if (namesNoImages(object) && !(this.sources && namesChartsOnly(object))) return [];
    const manifest = written(object);
    if (!manifest) return [];
    const { sources, demands } = this;
    const where = object.node.path;
    const images = sources ? this.images.get(object) ?? [] : rewriteImages(manifest, undefined).images;
    return [
      ...checkObjectImages(where, images, demands),
      ...checkChartAddresses(where, this.addresses.get(object) ?? []),
      ...(sources && demands.allImages
        ? checkUnmoved(where, manifest, { sources, demands, delivered: charts.map(({ chart }) => chart), among: () => this.chartSources() }) : []),
    ];
  }

  /** The sources of charts in the app: they may be made once for all clusters. */
  private chartSources(): ManifestObject[] {
    return answered(this, 'chart sources', () => {
      const all = new Set([...this.trees, this.owner.node.root].flatMap((tree) => answered(tree, 'chart sources', () => chartSourcesIn(tree))));
      return [...all].map(written).filter((manifest) => manifest !== undefined);
    });
  }

  private checkChart({ name, chart }: NamedChart): readonly Problem[] {
    const known = this.charts.get(chart);
    if (known) return known;
    const moved = moveChart(chart, this.sources);
    this.usage?.use('mirror', moved.mirror);
    moved.images.forEach(({ override }) => this.usage?.use('override', override));
    const problems = checkChartImages(`charts["${name}"]`, chart, moved, this.demands);
    this.charts.set(chart, problems);
    return problems;
  }

  private checkUnused(): Problem[] {
    // What is not built here may use it.
    const unused = (Share.of(this.owner).knowsAll ? this.usage?.complete(this) : undefined) ?? { overrides: [], mirrors: [] };
    return [
      ...unused.overrides.map((key) => ({
        rule: IMAGE_RULES.overrideUnused,
        property: `${PROPERTY}.overrides["${key}"]`,
        message: `no image is called "${key}"`,
        fix: 'correct the name, as it is without a mirror, or remove the override',
      })),
      ...unused.mirrors.map((key) => ({
        rule: IMAGE_RULES.mirrorUnused,
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

/** An object that cannot be written says so when it is. */
function written(object: ApiObject): ManifestObject | undefined {
  try {
    return writtenManifest(object) as ManifestObject;
  } catch {
    return undefined;
  }
}

function chartSourcesIn(tree: IConstruct): ApiObject[] {
  return tree.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct) && isChartSource(construct));
}
