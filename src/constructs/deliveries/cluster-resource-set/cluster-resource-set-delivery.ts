import { Construct } from 'constructs';
import { deliverByResourceSet } from './resource-set';
import { ClusterResourceSetSpecStrategy } from '../../../../imports/addons.cluster.x-k8s.io';
import { Problems } from '../../app/problems/problems';
import { ClusterDeliveries } from '../../contracts/delivery/cluster-deliveries';
import { CHART_UNSUPPORTED_RULE, ChartDelivery, Delivery, ManifestDelivery } from '../../contracts/delivery/delivery';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';

/** Treatment of manifests that change after they were applied. */
export enum ResourceSetStrategy {
  /** Objects are applied again whenever the manifests change. */
  RECONCILE = 'Reconcile',

  /** Objects are created once. Later changes of the manifests have no effect, and objects that exist are left alone. */
  APPLY_ONCE = 'ApplyOnce',
}

/** Options of `ClusterResourceSetDelivery`. */
export interface ClusterResourceSetDeliveryProps {
  /**
   * Treatment of manifests that change after they were applied. The field is immutable, so another strategy makes objects of other names.
   *
   * @default ResourceSetStrategy.RECONCILE
   */
  readonly strategy?: ResourceSetStrategy;
}

/**
 * Manifests reach the tenant by a `ClusterResourceSet` of Cluster API itself (addons.cluster.x-k8s.io/v1beta2): nothing else has to be
 * installed. Helm charts cannot be delivered (`TC-DELIVERY-CHART-UNSUPPORTED`).
 *
 * The manifests are kept in ConfigMaps named `<cluster>-<name>.1`, `.2` and so on, split below the 1 MiB that a ConfigMap holds
 * (`TC-DELIVERY-MANIFEST-SIZE`, `TC-ADMIT-FIELD-VALUE`). Without manifests there are no objects. What it does not do:
 *
 * - An object that is removed from the manifests stays in the tenant, and so do all of them when the delivery is removed.
 * - It does not repair: changes that are made in the tenant, and deletions, stay until the manifests change. `FluxDelivery` with a known
 *   source repairs.
 * - Nothing is ordered between deliveries: what comes too early fails and is tried again. Within one delivery Namespaces and
 *   definitions of custom resources come first.
 * - It cannot be suspended: in a cluster that sleeps, changes wait for the API server. With `ResourceSetStrategy.APPLY_ONCE` changes do not reach the tenant.
 * - An update sets to null what the manifest lacks: what the tenant's API server, autoscalers, cainjectors or the user filled in.
 *   PersistentVolumeClaims, Jobs, Pods, and workloads without `replicas` that a HorizontalPodAutoscaler scales are refused
 *   (`TC-TRAP-CRS-IMMUTABLE`, `TC-TRAP-CRS-REPLICAS`), unless the strategy is `ResourceSetStrategy.APPLY_ONCE`.
 *
 * The set selects the `Cluster` by its label `cluster.x-k8s.io/cluster-name`, which `TenantCluster` sets; Cluster API does not. It
 * starts when the API server of the tenant answers.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/clusterresourceset.
 *
 * @example
 * new ClusterResourceSetDelivery();
 */
export class ClusterResourceSetDelivery extends Delivery {
  public constructor(private readonly props: ClusterResourceSetDeliveryProps = {}) {
    super();
  }

  /**
   * Refuses the chart: `TC-DELIVERY-CHART-UNSUPPORTED`.
   *
   * @param scope where the problem is reported
   * @param delivery the chart
   * @param target the cluster it was meant for
   */
  public deliverChart(scope: Construct, delivery: ChartDelivery, target: DeliveryTarget): void {
    ClusterDeliveries.of(scope, target).refuse(delivery.name);
    Problems.of(scope).add({
      rule: CHART_UNSUPPORTED_RULE,
      property: `charts["${delivery.name}"]`,
      message: `the Helm chart "${delivery.chart.chart}" cannot be delivered to ${target.name} by a ClusterResourceSet`,
      fix: 'give the cluster another delivery: FluxDelivery, HelmChartProxyDelivery or ArgoCdDelivery, all of which install charts',
    });
  }

  /**
   * Makes the ClusterResourceSet and its ConfigMaps.
   *
   * @param scope where to put the objects
   * @param delivery the manifests (`TC-DELIVERY-SECRET`, `TC-DELIVERY-MANIFEST`, `TC-DELIVERY-MANIFEST-NAMESPACE`)
   * @param target the cluster they go to
   */
  public deliverManifests(scope: Construct, delivery: ManifestDelivery, target: DeliveryTarget): void {
    const once = this.props.strategy === ResourceSetStrategy.APPLY_ONCE;
    deliverByResourceSet(scope, delivery, target, once ? ClusterResourceSetSpecStrategy.APPLY_ONCE : ClusterResourceSetSpecStrategy.RECONCILE);
  }
}
