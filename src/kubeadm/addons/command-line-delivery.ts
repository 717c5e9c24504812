import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterContext } from '../../cluster-context';
import { checkChart } from '../../delivery/chart-check';
import { ChartDelivery, Delivery, ManifestDelivery } from '../../delivery/delivery';
import { DeliveryTarget } from '../../delivery/delivery-target';
import { apiObjects, renderManifests } from '../../delivery/tenant-manifests';
import { Problems } from '../../validation/problems';
import { KUBEADM_CLUSTER_RULES } from '../rules';

/** One step of the installation: a chart, or manifests. */
export type InstallStep = { readonly chart: ChartDelivery } | { readonly manifests: ManifestDelivery };

/** What delivers inside the cluster. */
export interface InsideDelivery {
  readonly delivery: Delivery;

  /** Where its objects go. */
  readonly scope: Construct;

  /** The cluster, as it sees it: where it is itself. */
  readonly target: DeliveryTarget;
}

/** Notes what is to be installed by Helm and kubectl, in order, and hands it on to what delivers inside the cluster. */
export class CommandLineDelivery extends Delivery {
  private readonly noted: InstallStep[] = [];

  /**
   * @param inside what delivers inside the cluster, if anything does
   */
  public constructor(private readonly inside: InsideDelivery | undefined) {
    super();
  }

  /** The steps, each after those that it comes after. */
  public get steps(): readonly InstallStep[] {
    return this.noted;
  }

  /** The objects of all manifests. */
  public get objects(): ApiObject[] {
    return this.noted.flatMap((step) => ('manifests' in step ? apiObjects(step.manifests.manifests) : []));
  }

  public deliverChart(scope: Construct, delivery: ChartDelivery, _cluster: ClusterContext | DeliveryTarget): void {
    this.noted.push({ chart: delivery });
    if (this.inside) this.inside.delivery.deliverChart(this.inside.scope, delivery, this.inside.target);
    const problems = Problems.of(scope);
    if (delivery.chart.gitPath === undefined) {
      // What delivers inside says the same of the same chart.
      if (!this.inside) checkChart(delivery, ['https', 'http', 'oci']).forEach((problem) => problems.add(problem));
      return;
    }
    problems.add({
      rule: KUBEADM_CLUSTER_RULES.helm,
      property: `charts["${delivery.name}"].gitPath`,
      message: 'the Helm command installs no chart out of a Git repository',
      fix: 'name a Helm repository or an OCI registry that holds the packaged chart',
    });
  }

  public deliverManifests(scope: Construct, delivery: ManifestDelivery, _cluster: ClusterContext | DeliveryTarget): void {
    this.noted.push({ manifests: delivery });
    if (this.inside) {
      this.inside.delivery.deliverManifests(this.inside.scope, delivery, this.inside.target);
      return;
    }
    Problems.of(scope)._addCheck(() => [...renderManifests(delivery.manifests, `manifests["${delivery.name}"]`).problems]);
  }
}
