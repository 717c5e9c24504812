import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Problems } from '../../app/problems/problems';
import { ClusterContext } from '../../contracts/cluster-context';
import { checkChart, refuseValuesFrom } from '../../contracts/delivery/chart-check';
import { ChartDelivery, Delivery, ManifestDelivery } from '../../contracts/delivery/delivery';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { apiObjects, renderManifests } from '../../contracts/delivery/tenant-manifests';
import { KUBEADM_CLUSTER_RULES } from '../rules';

/** One step of the installation: a chart, or manifests. */
export type InstallStep = { readonly chart: ChartDelivery } | { readonly manifests: ManifestDelivery };

/** The delivery inside the cluster. */
export interface InsideDelivery {
  readonly delivery: Delivery;

  /** The cluster as a target: the delivery runs in it. */
  readonly target: DeliveryTarget;
}

/** Records the charts and manifests for Helm and kubectl, and passes them to the delivery inside the cluster. */
export class CommandLineDelivery extends Delivery {
  private readonly noted: InstallStep[] = [];

  /**
   * @param inside the delivery inside the cluster, if any
   */
  public constructor(private readonly inside: InsideDelivery | undefined) {
    super();
  }

  /** The steps in the order of their names. */
  public steps(order: readonly string[]): readonly InstallStep[] {
    return order.flatMap((name) => this.noted.filter((step) => stepName(step) === name));
  }

  /** The objects of all manifests. */
  public get objects(): ApiObject[] {
    return this.noted.flatMap((step) => ('manifests' in step ? apiObjects(step.manifests.manifests) : []));
  }

  public deliverChart(scope: Construct, delivery: ChartDelivery, _cluster: ClusterContext | DeliveryTarget): void {
    this.noted.push({ chart: delivery });
    if (this.inside) this.inside.delivery.deliverChart(scope, delivery, this.inside.target);
    const problems = Problems.of(scope);
    refuseValuesFrom(delivery, 'the Helm command').forEach((problem) => problems.add(problem));
    if (delivery.chart.gitPath === undefined) {
      // The delivery inside the cluster reports the same problem.
      if (!this.inside) checkChart(delivery, ['https', 'http', 'oci']).forEach((problem) => problems.add(problem));
      return;
    }
    problems.add({
      rule: KUBEADM_CLUSTER_RULES.helm,
      property: `charts["${delivery.name}"].gitPath`,
      message: 'the Helm command cannot install a chart from a Git repository',
      fix: 'name a Helm repository or an OCI registry that holds the packaged chart',
    });
  }

  public deliverManifests(scope: Construct, delivery: ManifestDelivery, _cluster: ClusterContext | DeliveryTarget): void {
    this.noted.push({ manifests: delivery });
    if (this.inside) {
      this.inside.delivery.deliverManifests(scope, delivery, this.inside.target);
      return;
    }
    Problems.of(scope)._addCheck(() => [...renderManifests(delivery.manifests, `manifests["${delivery.name}"]`).problems]);
  }
}

/** The name of the delivery that a step is. */
export function stepName(step: InstallStep): string {
  return 'chart' in step ? step.chart.name : step.manifests.name;
}
