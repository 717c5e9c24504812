import { Construct } from 'constructs';
import { APPLICATION, ARGO_CD_NAMESPACE, chartOf, makeApplication } from './application';
import { checkArgoCdDelivery } from './argo-cd-checks';
import { ArgoCdDeliveryProps } from './argo-cd-delivery-props';
import { OWN_FOLDER_ONLY } from './sync-retry';
import { ClusterResourceSetSpecStrategy } from '../../../../imports/addons.cluster.x-k8s.io';
import { imagesAnnotation } from '../../../manifests/images/images-annotation';
import { joinName } from '../../../manifests/values/object-name';
import { Problem, Rule } from '../../../manifests/values/problem';
import { plainAddress } from '../../../manifests/values/repository-address';
import { Problems } from '../../app/problems/problems';
import { checkChart, checkGitManifests, refuseStorageNamespace, refuseValuesFrom } from '../../contracts/delivery/chart-check';
import { ClusterDeliveries } from '../../contracts/delivery/cluster-deliveries';
import { ChartDelivery, Delivery, GitManifestsDelivery, ManifestDelivery } from '../../contracts/delivery/delivery';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { enter } from '../../contracts/delivery/entry';
import { deliveredFolder, ManifestFolders, pathInSource, plainPath } from '../../contracts/delivery/manifest-folder';
import { carryWhenFilled } from '../../contracts/delivery/manifest-watch';
import { HelmChart } from '../../contracts/helm-chart';
import { deliverByResourceSet } from '../cluster-resource-set/resource-set';

type AnyDelivery = ChartDelivery | ManifestDelivery | GitManifestsDelivery;

/**
 * Charts and manifests reach the tenant by Argo CD in the management cluster (`Application`, argoproj.io/v1alpha1).
 *
 * A chart becomes an `Application` named `<namespace>-<cluster>-<name>` in the namespace of Argo CD, and so do manifests when
 * `manifestSource` says where Argo CD finds them; otherwise a `ClusterResourceSet` carries them. A failed sync is tried again for ever.
 *
 * Argo CD must know the tenant cluster as `destination` says. It cannot read a kubeconfig, and this library writes no credentials, so
 * another tool must register the cluster: the capi2argo-cluster-operator, which watches the Secrets of Cluster API, or an ExternalSecret
 * with a template that has the label `argocd.argoproj.io/secret-type: cluster`. Labels that the former is to take along are given to the
 * cluster with `labels`: `take-along-label.capi-to-argocd.<label>` beside the label itself.
 *
 * Into the management cluster itself Argo CD delivers as its own cluster, unless the destination is given with `named` or `server`, and
 * manifests need a `manifestSource`.
 *
 * An Application that comes too early in a tenant fails, and is tried again. There are no sync waves among a tenant's Applications: the
 * Application that applies them applies the machines too, whose health Argo CD would wait for before the next wave, and without a pod
 * network they never get healthy. In the management cluster itself what comes `after` becomes a wave; apply its Applications by another
 * Application than those of tenants.
 *
 * A chart's `timeout` and `wait` have no meaning to Argo CD. It applies definitions of custom resources again whenever they differ:
 * `CREATE` works like `CREATE_REPLACE`.
 *
 * Rule: `TC-DELIVERY-OWN-CLUSTER`. Source: argoproj/argo-cd resource_customizations/cluster.x-k8s.io; argoproj/argo-cd
 * docs/operator-manual/application.yaml, docs/operator-manual/declarative-setup.md (clusters).
 *
 * @example
 * new ArgoCdDelivery({ destination: ArgoCdDestination.named('tenant-acme-acme') });
 */
export class ArgoCdDelivery extends Delivery {
  public constructor(private readonly props: ArgoCdDeliveryProps = {}) {
    super();
  }

  /**
   * Makes the Application of a chart.
   *
   * @param scope where to put it
   * @param delivery the Helm chart
   * @param target the cluster it goes to
   */
  public deliverChart(scope: Construct, delivery: ChartDelivery, target: DeliveryTarget): void {
    const { chart } = delivery;
    this.check(scope, target);
    [...checkChart(delivery, ['https', 'http', 'oci']), ...refuseValuesFrom(delivery, 'Argo CD'), ...refuseStorageNamespace(delivery, 'Argo CD')]
      .forEach((problem) => Problems.of(scope).add(problem));
    checkNetworkAccess(chart, target).forEach((problem) => Problems.of(scope).add(problem));
    const { name, room } = this.enter(scope, delivery, target);
    if (!room) return;
    makeApplication(room, {
      name,
      source: chartOf(chart),
      namespace: chart.namespace,
      createNamespace: chart.namespaceLabels === undefined,
      annotations: imagesAnnotation(chart),
      depth: depthIn(scope, delivery, target),
    }, target, this.props);
  }

  /**
   * Makes the Application of manifests, or the ClusterResourceSet that carries them.
   *
   * @param scope where to put the objects
   * @param delivery the manifests (`TC-DELIVERY-SECRET`, `TC-DELIVERY-MANIFEST`, `TC-DELIVERY-MANIFEST-NAMESPACE`)
   * @param target the cluster they go to
   */
  public deliverManifests(scope: Construct, delivery: ManifestDelivery, target: DeliveryTarget): void {
    this.check(scope, target);
    const { manifestSource: git } = this.props;
    if (!git) {
      deliverByResourceSet(scope, delivery, target, ClusterResourceSetSpecStrategy.RECONCILE);
      return;
    }
    const { name, room } = this.enter(scope, delivery, target);
    if (!room) return;
    const folder = deliveredFolder(scope, delivery.name);
    ManifestFolders.of(scope).assign(folder, delivery.manifests);
    const path = pathInSource(git.path ?? '', folder);
    const application = makeApplication(room, {
      name,
      source: { path, repoUrl: git.repoUrl, targetRevision: git.targetRevision },
      annotations: OWN_FOLDER_ONLY,
      createNamespace: false,
      depth: depthIn(scope, delivery, target),
    }, target, this.props);
    carryWhenFilled(scope, application, delivery, target);
  }

  /**
   * Makes the Application of manifests of a Git repository. It applies them on the server's side, and prunes none of them.
   *
   * @param scope where to put it
   * @param delivery the manifests
   * @param target the cluster they go to
   */
  public override deliverGitManifests(scope: Construct, delivery: GitManifestsDelivery, target: DeliveryTarget): void {
    this.check(scope, target);
    checkGitManifests(delivery).forEach((problem) => Problems.of(scope).add(problem));
    const { name, room } = this.enter(scope, delivery, target);
    if (!room) return;
    const { repository, tag, path } = delivery.manifests;
    makeApplication(room, {
      name,
      source: { path: plainPath(path), repoUrl: plainAddress(repository), targetRevision: tag },
      createNamespace: false,
      keep: true,
      depth: depthIn(scope, delivery, target),
    }, target, this.props);
  }

  private enter(scope: Construct, delivery: AnyDelivery, target: DeliveryTarget): { name: string; room?: Construct } {
    // All clusters of the management cluster meet in the namespace of Argo CD.
    const name = joinName(target.namespace, target.name, delivery.name);
    return { name, room: enter(scope, delivery, target, { kind: APPLICATION, namespace: this.props.namespace ?? ARGO_CD_NAMESPACE, name }) };
  }

  private check(scope: Construct, target: DeliveryTarget): void {
    if (!ClusterDeliveries.of(scope, target).meets(this)) return;
    checkArgoCdDelivery(this.props).forEach((problem) => Problems.of(scope).add(problem));
    const { manifestSource } = this.props;
    if (!manifestSource) return;
    Problems.of(scope)._addCheck(() => ManifestFolders.of(scope).checkOutputPath?.('delivery.manifestSource.path', manifestSource.path ?? '') ?? []);
  }
}

/** The place of a delivery among the others of the management cluster itself. */
function depthIn(scope: Construct, { name }: AnyDelivery, target: DeliveryTarget): (() => number) | undefined {
  return target.kubeconfigs ? undefined : () => ClusterDeliveries.of(scope, target).depth(name);
}

const COMPANY_NETWORK_DELIVERY_RULE: Rule = {
  id: 'TC-COMPANY-NETWORK-DELIVERY',
  title: 'The delivery of a cluster should be able to log in to the private chart repositories that its charts come from.',
  source: 'argoproj/argo-cd docs/operator-manual/declarative-setup.md (repositories)',
  warning: true,
};

/** Argo CD finds credentials in Secrets of its own namespace, by the address of the repository. */
function checkNetworkAccess({ chart, repository }: HelmChart, { companyNetwork }: DeliveryTarget): Problem[] {
  const access = companyNetwork?.chartRepositoryOf(repository);
  if (access?.secretName === undefined && access?.certSecretName === undefined) return [];
  return [{
    rule: COMPANY_NETWORK_DELIVERY_RULE,
    property: 'companyNetwork.chartRepositories',
    message: `the chart "${chart}" comes from ${access.repository}, and an Application cannot name credentials or certificate authorities`,
    fix: 'give Argo CD a Secret with the label argocd.argoproj.io/secret-type: repository for it, and silence this; or deliver with FluxDelivery',
  }];
}
