import { Construct } from 'constructs';
import { ClusterResourceSetSpecStrategy } from '../../../imports/addons.cluster.x-k8s.io';
import { ClusterContext } from '../../cluster-context';
import { joinName } from '../../naming/object-name';
import { Problems } from '../../validation/problems';
import { checkChart } from '../chart-check';
import { ClusterDeliveries } from '../cluster-deliveries';
import { deliverByResourceSet } from '../cluster-resource-set/resource-set';
import { ChartDelivery, Delivery, ManifestDelivery } from '../delivery';
import { enter } from '../entry';
import { clusterFolder, ManifestFolders, pathInSource } from '../manifest-folder';
import { carryWhenFilled } from '../manifest-watch';
import { APPLICATION, ARGO_CD_NAMESPACE, chartOf, makeApplication } from './application';
import { checkArgoCdDelivery } from './argo-cd-checks';
import { ArgoCdDeliveryProps } from './argo-cd-delivery-props';

/**
 * Charts and manifests reach the tenant by Argo CD in the management cluster (`Application`, argoproj.io/v1alpha1).
 *
 * A chart becomes an `Application` named `<namespace>-<cluster>-<name>` in the namespace of Argo CD, and so do manifests when
 * `manifestSource` says where Argo CD finds them; otherwise a `ClusterResourceSet` carries them. A failed sync is tried again for ever.
 *
 * Argo CD must know the tenant cluster as `destination` says. It cannot read a kubeconfig, and this library writes no credentials, so
 * somebody has to register the cluster: the capi2argo-cluster-operator, which watches the Secrets of Cluster API, or an ExternalSecret
 * with a template that has the label `argocd.argoproj.io/secret-type: cluster`. Labels that the former is to take along are given to
 * the cluster with `labels`: `take-along-label.capi-to-argocd.<label>` beside the label itself.
 *
 * What comes `after` becomes a sync wave. It orders Applications that are in one Application themselves, where Argo CD has a health
 * check for the kind (argoproj/argo-cd docs/operator-manual/health.md); what comes too early otherwise fails, and is tried again.
 * A chart's `timeout` and `wait` have no meaning to Argo CD. It applies definitions of custom resources again whenever they differ:
 * `CREATE` works like `CREATE_REPLACE`.
 *
 * Source: argoproj/argo-cd docs/operator-manual/application.yaml, docs/operator-manual/declarative-setup.md (clusters).
 */
export class ArgoCdDelivery extends Delivery {
  /**
   * @param props how Argo CD delivers
   */
  public constructor(private readonly props: ArgoCdDeliveryProps = {}) {
    super();
  }

  /**
   * Makes the Application of a chart.
   *
   * @param scope where to put it
   * @param delivery the Helm chart
   * @param context the cluster it goes to
   */
  public deliverChart(scope: Construct, delivery: ChartDelivery, context: ClusterContext): void {
    const { chart } = delivery;
    this.check(scope, context);
    checkChart(delivery, ['https', 'http', 'oci']).forEach((problem) => Problems.of(scope).add(problem));
    const { name, room } = this.enter(scope, delivery, context);
    if (!room) return;
    makeApplication(room, {
      name,
      source: chartOf(chart),
      namespace: chart.namespace,
      createNamespace: chart.namespaceLabels === undefined,
      depth: () => ClusterDeliveries.of(scope, context).depth(delivery.name),
    }, context, this.props);
  }

  /**
   * Makes the Application of manifests, or the ClusterResourceSet that carries them.
   *
   * @param scope where to put the objects
   * @param delivery the manifests (`TC-DELIVERY-SECRET`, `TC-DELIVERY-MANIFEST`, `TC-DELIVERY-MANIFEST-NAMESPACE`)
   * @param context the cluster they go to
   */
  public deliverManifests(scope: Construct, delivery: ManifestDelivery, context: ClusterContext): void {
    this.check(scope, context);
    const { manifestSource: git } = this.props;
    if (!git) {
      deliverByResourceSet(scope, delivery, context, ClusterResourceSetSpecStrategy.RECONCILE);
      return;
    }
    const { name, room } = this.enter(scope, delivery, context);
    if (!room) return;
    const folder = clusterFolder(context, delivery.name);
    ManifestFolders.of(scope).assign(folder, delivery.manifests);
    const path = pathInSource(git.path ?? '', folder);
    carryWhenFilled(scope, room, delivery, context, APPLICATION, () => makeApplication(room, {
      name,
      source: { path, repoUrl: git.repoUrl, targetRevision: git.targetRevision },
      createNamespace: false,
      depth: () => ClusterDeliveries.of(scope, context).depth(delivery.name),
    }, context, this.props));
  }

  private enter(scope: Construct, delivery: ChartDelivery | ManifestDelivery, context: ClusterContext): { name: string; room?: Construct } {
    // All clusters of the management cluster meet in the namespace of Argo CD.
    const name = joinName(context.namespace, context.name, delivery.name);
    return { name, room: enter(scope, delivery, context, { kind: APPLICATION, namespace: this.props.namespace ?? ARGO_CD_NAMESPACE, name }) };
  }

  private check(scope: Construct, context: ClusterContext): void {
    if (!ClusterDeliveries.of(scope, context).meets(this)) return;
    checkArgoCdDelivery(this.props).forEach((problem) => Problems.of(scope).add(problem));
  }
}
