import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterDeliveries, IEarlierDeliveries } from './cluster-deliveries';
import { DeliveryTarget } from './delivery-target';
import { Rule } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { GitManifests } from '../git-manifests';
import { HelmChart } from '../helm-chart';

/** A Helm chart that is to be installed in a cluster. */
export interface ChartDelivery {
  /** Name that objects of the management cluster are made from: unique within the cluster, a DNS label. */
  readonly name: string;

  /** The chart. */
  readonly chart: HelmChart;

  /** The deliveries that come before this one. */
  readonly after: IEarlierDeliveries;

  /**
   * Names of those of them, deliveries of manifests, without which the chart must not be installed at all. A tool that knows no order between
   * charts and manifests must hold the chart back by other means; only in the management cluster itself.
   *
   * @default - none: what comes too early may fail, and is tried again
   */
  readonly waitFor?: string[];
}

/** Manifests that are to be applied to a cluster. */
export interface ManifestDelivery {
  /** Name that objects of the management cluster are made from: unique within the cluster, a DNS label. */
  readonly name: string;

  /** The chart that holds the manifests. It is no part of the management cluster's tree. */
  readonly manifests: Chart;

  /** The deliveries that come before this one. */
  readonly after: IEarlierDeliveries;
}

/** Manifests of a Git repository that are to be applied to a cluster. */
export interface GitManifestsDelivery {
  /** Name that objects of the management cluster are made from: unique within the cluster, a DNS label. */
  readonly name: string;

  /** Location of the manifests. */
  readonly manifests: GitManifests;

  /** The deliveries that come before this one. */
  readonly after: IEarlierDeliveries;
}

const DELIVERY_GIT_UNSUPPORTED_RULE: Rule = {
  id: 'TC-DELIVERY-GIT-UNSUPPORTED',
  title: 'Manifests that a project publishes in a Git repository are delivered by Flux or Argo CD.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/tasks/cluster-resource-set.md (ConfigMaps and Secrets), kubernetes-sigs/cluster-api-addon-provider-helm api/v1alpha1/helmchartproxy_types.go (charts)',
};

/**
 * Delivery of charts and manifests from the management cluster to a cluster: a tenant, or the management cluster itself, which has no
 * kubeconfigs.
 *
 * An instance is plain data: it can be given to any number of clusters. Exchanging it moves nothing else.
 */
export abstract class Delivery {
  /**
   * Makes the objects of the management cluster that install a Helm chart in the cluster.
   *
   * @param scope where to put the objects
   * @param delivery the chart
   * @param target the cluster it goes to
   */
  public abstract deliverChart(scope: Construct, delivery: ChartDelivery, target: DeliveryTarget): void;

  /**
   * Makes the objects of the management cluster that apply manifests to the cluster.
   *
   * @param scope where to put the objects
   * @param delivery the manifests
   * @param target the cluster they go to
   */
  public abstract deliverManifests(scope: Construct, delivery: ManifestDelivery, target: DeliveryTarget): void;

  /**
   * Makes the objects of the management cluster that apply manifests of a Git repository to the cluster. A delivery that reads no Git
   * repository refuses them: `TC-DELIVERY-GIT-UNSUPPORTED`.
   *
   * @param scope where to put the objects
   * @param delivery the manifests
   * @param target the cluster they go to
   */
  public deliverGitManifests(scope: Construct, delivery: GitManifestsDelivery, target: DeliveryTarget): void {
    const { name, manifests: { repository, tag, path } } = delivery;
    ClusterDeliveries.of(scope, target).refuse(name);
    Problems.of(scope).add({
      rule: DELIVERY_GIT_UNSUPPORTED_RULE,
      property: `gitManifests["${name}"]`,
      message: `the manifests in ${path} of ${repository} at ${tag} are applied from Git, which the delivery of ${target.name} does not read`,
      accepted: 'FluxDelivery and ArgoCdDelivery',
      fix: 'give the cluster one of these, or add a copy of the manifests in place of the addon: a ManifestFileAddon that provides the same capabilities',
    });
  }
}

/** Rule for sources that a delivery reads manifests from. */
export const MANIFEST_SOURCE_RULE: Rule = {
  id: 'TC-DELIVERY-MANIFEST-SOURCE',
  title: 'Manifests are read from a source that exists: a name or address that is accepted, and a path inside it.',
  source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md, argoproj/argo-cd docs/operator-manual/application.yaml',
};

/** Rule for charts that a delivery cannot install. */
export const CHART_UNSUPPORTED_RULE: Rule = {
  id: 'TC-DELIVERY-CHART-UNSUPPORTED',
  title: 'A delivery can install the chart: a ClusterResourceSet installs none, a HelmChartProxy none from Git or an https repository that requires a login.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/tasks/cluster-resource-set.md, kubernetes-sigs/cluster-api-addon-provider-helm api/v1alpha1/helmchartproxy_webhook.go',
};
