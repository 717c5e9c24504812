import { ApiObject, Chart, Duration } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { FluxDeliveryProps, FluxRepositoryAccess } from './flux-delivery-props';
import {
  HelmReleaseSpec, HelmReleaseSpecChartRefKind, HelmReleaseSpecChartSpecReconcileStrategy, HelmReleaseSpecChartSpecSourceRefKind,
} from '../../../../imports/helm.toolkit.fluxcd.io';
import {
  GitRepository, HelmRepository, HelmRepositorySpecProvider, OciRepository, OciRepositorySpecLayerSelectorOperation, OciRepositorySpecProvider,
} from '../../../../imports/source.toolkit.fluxcd.io';
import { contentHash } from '../../../manifests/values/content-hash';
import { goDuration } from '../../../manifests/values/go-duration';
import { shortenName } from '../../../manifests/values/object-name';
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
const HELM_REPOSITORY_INTERVAL = Duration.minutes(10);
const TAG_INTERVAL = Duration.hours(1);

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

/**
 * Makes the source object of a chart, or finds the one that another chart of the cluster has made.
 *
 * @param room where to put an object that belongs to this chart alone; others go into the cdk8s chart around it
 * @param name name of the HelmRelease
 * @param chart the chart
 * @param target the cluster
 * @param props how Flux delivers
 */
export function chartSource(room: Construct, name: string, chart: HelmChart, target: DeliveryTarget, props: FluxDeliveryProps): ChartReference {
  const access = accessOf(chart.repository, target, props);
  if (chart.gitPath !== undefined) {
    const tag = { repository: chart.repository, version: chart.chartVersion };
    return {
      chart: {
        spec: {
          chart: `./${plainPath(chart.gitPath)}`,
          // The chart's own version may be the same in every tag, and would then never be read again.
          reconcileStrategy: HelmReleaseSpecChartSpecReconcileStrategy.REVISION,
          sourceRef: { kind: HelmReleaseSpecChartSpecSourceRefKind.GIT_REPOSITORY, name: gitRepository(room, name, tag, target, props) },
          // Without meaning here; the server would write it.
          version: '*',
        },
      },
    };
  }
  if (isOci(chart.repository)) {
    makeOciRepository(room, name, chart, access, props);
    return { chartRef: { kind: HelmReleaseSpecChartRefKind.OCI_REPOSITORY, name } };
  }
  return {
    chart: {
      spec: {
        chart: chart.chart,
        reconcileStrategy: HelmReleaseSpecChartSpecReconcileStrategy.CHART_VERSION,
        sourceRef: { kind: HelmReleaseSpecChartSpecSourceRefKind.HELM_REPOSITORY, name: helmRepository(room, chart, target, access, props) },
        version: chart.chartVersion,
      },
    },
  };
}

/**
 * The GitRepository that deliveries of a cluster from one tag share, by the name of the first one's object.
 *
 * @param room a construct in the cdk8s chart that the object goes into
 * @param name name of the object that reads from it
 * @param tag address of the repository, its tag, and the folders that are read, where the rest of the repository is not needed
 * @param target the cluster
 * @param props how Flux delivers
 */
export function gitRepository(room: Construct, name: string, tag: GitTag, target: DeliveryTarget, props: FluxDeliveryProps): string {
  const access = accessOf(tag.repository, target, props);
  const spec = {
    interval: goDuration(props.sourceInterval ?? TAG_INTERVAL),
    ref: { tag: tag.version },
    ...(tag.folders && { sparseCheckout: [...tag.folders] }),
    timeout: goDuration(TIMEOUT),
    url: plainAddress(tag.repository),
    ...(access?.secretName !== undefined && { secretRef: { name: access.secretName } }),
  };
  const id = contentHash({ cluster: target.name, spec }, HASH_DIGITS);
  return SharedSources.of(room, 'GitRepositories').share(id, room, (scope) => new GitRepository(scope, id, { metadata: { name }, spec })).name;
}

/** An OCIRepository stands for one chart in one version, so it goes by the name of the release. */
function makeOciRepository(
  room: Construct, name: string, chart: HelmChart, access: FluxRepositoryAccess | undefined, props: FluxDeliveryProps,
): void {
  new OciRepository(room, 'OCIRepository', {
    metadata: { name },
    spec: {
      interval: goDuration(props.sourceInterval ?? TAG_INTERVAL),
      layerSelector: HELM_LAYER,
      provider: OciRepositorySpecProvider.GENERIC,
      ref: { tag: ociTag(chart) },
      timeout: goDuration(TIMEOUT),
      url: ociAddress(chart),
      ...secretRefs(access),
    },
  });
}

/** The HelmRepository that all charts of a cluster from one repository share, as far as it is accessed in the same way. */
function helmRepository(
  room: Construct, chart: HelmChart, { name: cluster }: DeliveryTarget, access: FluxRepositoryAccess | undefined, props: FluxDeliveryProps,
): string {
  const url = plainAddress(chart.repository);
  const spec = {
    interval: goDuration(props.sourceInterval ?? HELM_REPOSITORY_INTERVAL),
    provider: HelmRepositorySpecProvider.GENERIC,
    timeout: goDuration(TIMEOUT),
    url,
    ...secretRefs(access),
  };
  const name = repositoryName(cluster, url, secretRefs(access));
  return SharedSources.of(room, 'HelmRepositories').share(name, room, (scope) => new HelmRepository(scope, name, { metadata: { name }, spec })).name;
}

/** The sources that several deliveries of a cluster share, in the order of the first deliveries that refer to them. */
class SharedSources extends Construct {
  public static of(room: Construct, id: string): SharedSources {
    const owner = Chart.of(room);
    return owner.node.tryFindChild(id) as SharedSources | undefined ?? placePart(new SharedSources(owner, id), 'addons/sources');
  }

  private readonly users = new Map<string, Construct[]>();

  private constructor(scope: Construct, id: string) {
    super(scope, id);
    onPrepare(this, () => this.order());
  }

  /** The source of an id, made for the first delivery that asks for it. */
  public share(id: string, user: Construct, make: (scope: Construct) => ApiObject): ApiObject {
    const source = this.node.tryFindChild(id) as ApiObject | undefined ?? make(this);
    this.users.set(id, [...this.users.get(id) ?? [], user]);
    return source;
  }

  private order(): void {
    moveLast(this);
    const first = ({ node }: IConstruct) => Math.min(...this.users.get(node.id)!.map((user) => user.node.scope!.node.children.indexOf(user)));
    [...this.node.children].sort((one, other) => first(one) - first(other)).forEach(moveLast);
  }
}

/** A name that people recognize. The hash keeps apart what reads alike. */
function repositoryName(cluster: string, url: string, access: object): string {
  const readable = `${cluster}-${url.replace(/^[a-z]+:\/\//, '').toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  return `${shortenName(readable, NAME_MAX_LENGTH - HASH_DIGITS - 1).replace(/-+$/, '')}-${contentHash({ url, access }, HASH_DIGITS)}`;
}

function secretRefs(access: FluxRepositoryAccess | undefined): { secretRef?: { name: string }; certSecretRef?: { name: string } } {
  return {
    ...(access?.secretName !== undefined && { secretRef: { name: access.secretName } }),
    ...(access?.certSecretName !== undefined && { certSecretRef: { name: access.certSecretName } }),
  };
}

/** Access to a repository: that of the delivery, else that of the company's network. */
function accessOf(repository: string, { companyNetwork }: DeliveryTarget, { repositories }: FluxDeliveryProps): FluxRepositoryAccess | undefined {
  return accessTo(repository, repositories) ?? companyNetwork?.chartRepositoryOf(repository);
}
