import { ApiObject, Chart, Duration } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { FluxDeliveryProps, FluxRepositoryAccess } from './flux-delivery-props';
import { SharedSources, sourceName } from './shared-sources';
import {
  HelmReleaseSpec, HelmReleaseSpecChartRefKind, HelmReleaseSpecChartSpecReconcileStrategy, HelmReleaseSpecChartSpecSourceRefKind,
} from '../../../../imports/helm.toolkit.fluxcd.io';
import {
  GitRepository, GitRepositorySpec, HelmRepository, HelmRepositorySpec, HelmRepositorySpecProvider, OciRepository,
  OciRepositorySpecLayerSelectorOperation, OciRepositorySpecProvider,
} from '../../../../imports/source.toolkit.fluxcd.io';
import { contentHash } from '../../../manifests/values/content-hash';
import { goDuration } from '../../../manifests/values/go-duration';
import { isOci, ociAddress, ociTag, plainAddress } from '../../../manifests/values/repository-address';
import { moveLast } from '../../app/synth/child-order';
import { placePart } from '../../app/synth/output-place';
import { onPrepare } from '../../app/synth/synthesis';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { plainPath } from '../../contracts/delivery/manifest-folder';
import { accessTo } from '../../contracts/delivery/repository-access';
import { HelmChart } from '../../contracts/helm-chart';

const HASH_DIGITS = 8;
const NAME_MAX_LENGTH = 63;
const TIMEOUT = Duration.minutes(1);

/** A version of a chart does not change, so that nothing new is found. */
const SOURCE_INTERVAL = Duration.hours(24);

// fluxcd/source-controller docs/spec/v1/ocirepositories.md: how an artifact that `helm push` made is read.
const HELM_LAYER = { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', operation: OciRepositorySpecLayerSelectorOperation.COPY };

/** A tag of a Git repository. */
export interface GitTag {
  readonly repository: string;
  readonly version: string;

  /** The only folders that are read. */
  readonly folders?: readonly string[];
}

/** The part of a HelmRelease that says where its chart is. */
export type ChartReference = Pick<HelmReleaseSpec, 'chart' | 'chartRef'>;

/** A source, as an object of a tenant's namespace refers to it. */
export interface SourceReference {
  readonly name: string;

  /** @default - that of the tenant */
  readonly namespace?: string;
}

type SecretReferences = Pick<HelmRepositorySpec, 'secretRef' | 'certSecretRef'>;

/**
 * Makes the source of a chart, or finds the one that another chart has made.
 *
 * @param room where to put an object that belongs to this chart alone; others go into the cdk8s chart around it, or into that of all tenants
 * @param name name of the HelmRelease
 * @param chart the chart
 * @param target the cluster
 * @param props how Flux delivers
 */
export function chartSource(room: Construct, name: string, chart: HelmChart, target: DeliveryTarget, props: FluxDeliveryProps): ChartReference {
  const secrets = secretRefs(accessOf(chart.repository, target, props));
  const shared = sharedUnlessSecret(room, target, props, secrets);
  const readable = `${chart.chart}-${chart.chartVersion}`;
  if (isOci(chart.repository)) {
    const spec = ociSpec(chart, secrets, props);
    const make = (scope: Construct, own: string) => new OciRepository(scope, 'OCIRepository', { metadata: { name: own }, spec });
    const kind = HelmReleaseSpecChartRefKind.OCI_REPOSITORY;
    if (shared) return { chartRef: { kind, name: shared.share(readable, spec, make), namespace: shared.namespace } };
    // It stands for one chart in one version, so it goes by the name of the release.
    make(room, name);
    return { chartRef: { kind, name } };
  }
  if (chart.gitPath !== undefined) {
    const tag = { repository: chart.repository, version: chart.chartVersion };
    return {
      chart: {
        spec: {
          chart: `./${plainPath(chart.gitPath)}`,
          // The chart's own version may be the same in every tag, and would then never be read again.
          reconcileStrategy: HelmReleaseSpecChartSpecReconcileStrategy.REVISION,
          sourceRef: { kind: HelmReleaseSpecChartSpecSourceRefKind.GIT_REPOSITORY, ...gitRepository(room, name, tag, target, props) },
          // Without meaning here; the server would write it.
          version: '*',
        },
      },
    };
  }
  return {
    chart: {
      spec: {
        chart: chart.chart,
        interval: goDuration(props.sourceInterval ?? SOURCE_INTERVAL),
        reconcileStrategy: HelmReleaseSpecChartSpecReconcileStrategy.CHART_VERSION,
        sourceRef: {
          kind: HelmReleaseSpecChartSpecSourceRefKind.HELM_REPOSITORY,
          ...(shared ? sharedRepository(shared, readable, chart, props) : { name: helmRepository(room, chart, target, secrets, props) }),
        },
        version: chart.chartVersion,
      },
    },
  };
}

/**
 * The GitRepository that deliveries from one tag share: those of all tenants, or those of a cluster, by the name of the first one's object.
 *
 * @param room a construct in the cdk8s chart that the object goes into, if it is for this cluster alone
 * @param name name of the object that reads from it
 * @param tag address of the repository, its tag, and the folders that are read, where the rest of the repository is not needed
 * @param target the cluster
 * @param props how Flux delivers
 */
export function gitRepository(room: Construct, name: string, tag: GitTag, target: DeliveryTarget, props: FluxDeliveryProps): SourceReference {
  const secrets = secretRefs(accessOf(tag.repository, target, props));
  const spec = gitSpec(tag, secrets, props);
  const shared = sharedUnlessSecret(room, target, props, secrets);
  if (shared) {
    const make = (scope: Construct, shareName: string) => new GitRepository(scope, 'GitRepository', { metadata: { name: shareName }, spec });
    return { name: shared.share(`${readableAddress(spec.url)}-${tag.version}`, spec, make), namespace: shared.namespace };
  }
  const id = contentHash({ cluster: target.name, spec }, HASH_DIGITS);
  return { name: ClusterSources.of(room, 'GitRepositories').share(id, room, (scope) => new GitRepository(scope, id, { metadata: { name }, spec })).name };
}

/** The sources of all tenants, unless Secrets are needed, which are in the namespace of each. */
function sharedUnlessSecret(room: Construct, target: DeliveryTarget, props: FluxDeliveryProps, secrets: SecretReferences): SharedSources | undefined {
  return Object.keys(secrets).length > 0 ? undefined : SharedSources.for(room, target, props);
}

/** The HelmRepository of one version of a chart that tenants share. */
function sharedRepository(shared: SharedSources, readable: string, chart: HelmChart, props: FluxDeliveryProps): SourceReference {
  const spec = helmSpec(chart, {}, props);
  const make = (scope: Construct, name: string) => new HelmRepository(scope, 'HelmRepository', { metadata: { name }, spec });
  return { name: shared.share(readable, { chart: chart.chart, version: chart.chartVersion, spec }, make), namespace: shared.namespace };
}

function gitSpec(tag: GitTag, { secretRef }: SecretReferences, props: FluxDeliveryProps): GitRepositorySpec {
  return {
    interval: goDuration(props.sourceInterval ?? SOURCE_INTERVAL),
    ref: { tag: tag.version },
    ...(tag.folders && { sparseCheckout: [...tag.folders] }),
    timeout: goDuration(TIMEOUT),
    url: plainAddress(tag.repository),
    ...(secretRef && { secretRef }),
  };
}

function ociSpec(chart: HelmChart, secrets: SecretReferences, props: FluxDeliveryProps) {
  return {
    interval: goDuration(props.sourceInterval ?? SOURCE_INTERVAL),
    layerSelector: HELM_LAYER,
    provider: OciRepositorySpecProvider.GENERIC,
    ref: { tag: ociTag(chart) },
    timeout: goDuration(TIMEOUT),
    url: ociAddress(chart),
    ...secrets,
  };
}

function helmSpec(chart: HelmChart, secrets: SecretReferences, props: FluxDeliveryProps): HelmRepositorySpec {
  return {
    interval: goDuration(props.sourceInterval ?? SOURCE_INTERVAL),
    provider: HelmRepositorySpecProvider.GENERIC,
    timeout: goDuration(TIMEOUT),
    url: plainAddress(chart.repository),
    ...secrets,
  };
}

/** The HelmRepository that all charts of a cluster from one repository share, as far as it is accessed in the same way. */
function helmRepository(
  room: Construct, chart: HelmChart, { name: cluster }: DeliveryTarget, secrets: SecretReferences, props: FluxDeliveryProps,
): string {
  const spec = helmSpec(chart, secrets, props);
  const name = repositoryName(cluster, spec.url, secrets);
  const make = (scope: Construct) => new HelmRepository(scope, name, { metadata: { name }, spec });
  return ClusterSources.of(room, 'HelmRepositories').share(name, room, make, `${chart.chart} ${chart.chartVersion}`).name;
}

/** The sources that several deliveries of a cluster share, in the order of the first deliveries that refer to them. */
class ClusterSources extends Construct {
  public static of(room: Construct, id: string): ClusterSources {
    const owner = Chart.of(room);
    return owner.node.tryFindChild(id) as ClusterSources | undefined ?? placePart(new ClusterSources(owner, id), 'addons/sources');
  }

  private readonly users = new Map<string, Construct[]>();
  private readonly read = new Map<string, Set<string>>();

  private constructor(scope: Construct, id: string) {
    super(scope, id);
    onPrepare(this, () => {
      // A page may take it out, where other objects are the sources.
      if (!scope.node.tryFindChild(id)) return;
      this.order();
      this.requestReading();
    });
  }

  /**
   * The source of an id, made for the first delivery that asks for it.
   *
   * @param id the id
   * @param user the delivery
   * @param make makes the source
   * @param content what is read from it, if a source that is known already does not have it
   */
  public share(id: string, user: Construct, make: (scope: Construct) => ApiObject, content?: string): ApiObject {
    const source = this.node.tryFindChild(id) as ApiObject | undefined ?? make(this);
    this.users.set(id, [...this.users.get(id) ?? [], user]);
    if (content !== undefined) this.read.set(id, (this.read.get(id) ?? new Set()).add(content));
    return source;
  }

  private order(): void {
    moveLast(this);
    const first = ({ node }: IConstruct) => Math.min(...this.users.get(node.id)!.map((user) => user.node.scope!.node.children.indexOf(user)));
    [...this.node.children].sort((one, other) => first(one) - first(other)).forEach(moveLast);
  }

  /**
   * A new version must be read at once, not after the interval: source-controller reads a repository whenever the value of the annotation
   * changes.
   *
   * Source: fluxcd/source-controller internal/controller/helmrepository_controller.go (ReconcileRequestedPredicate), v1.9.1.
   */
  private requestReading(): void {
    for (const [id, content] of this.read) {
      const source = this.node.tryFindChild(id) as ApiObject | undefined;
      source?.metadata.addAnnotation('reconcile.fluxcd.io/requestedAt', contentHash([...content].sort(), HASH_DIGITS));
    }
  }
}

/** A name that people recognize. The hash keeps apart what reads alike. */
function repositoryName(cluster: string, url: string, secrets: object): string {
  return `${sourceName(`${cluster}-${readableAddress(url)}`, NAME_MAX_LENGTH - HASH_DIGITS - 1)}-${contentHash({ url, access: secrets }, HASH_DIGITS)}`;
}

function readableAddress(url: string): string {
  return url.replace(/^[a-z]+:\/\//, '');
}

function secretRefs(access: FluxRepositoryAccess | undefined): SecretReferences {
  return {
    ...(access?.secretName !== undefined && { secretRef: { name: access.secretName } }),
    ...(access?.certSecretName !== undefined && { certSecretRef: { name: access.certSecretName } }),
  };
}

/** Access to a repository: that of the delivery, else that of the company's network. */
function accessOf(repository: string, { companyNetwork }: DeliveryTarget, { repositories }: FluxDeliveryProps): FluxRepositoryAccess | undefined {
  return accessTo(repository, repositories) ?? companyNetwork?.chartRepositoryOf(repository);
}
