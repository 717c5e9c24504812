import { Construct } from 'constructs';
import { ClusterContext } from '../../../src/constructs/contracts/cluster-context';
import { ChartDelivery, Delivery, GitManifestsDelivery, ManifestDelivery } from '../../../src/constructs/contracts/delivery/delivery';

/** A delivery that notes what it is given. */
export class RecordingDelivery extends Delivery {
  public readonly charts: ChartDelivery[] = [];
  public readonly manifests: ManifestDelivery[] = [];
  public readonly gitManifests: GitManifestsDelivery[] = [];
  /** Names in the order in which they came. */
  public readonly names: string[] = [];

  public deliverChart(_scope: Construct, delivery: ChartDelivery, _context: ClusterContext): void {
    this.names.push(delivery.name);
    this.charts.push(delivery);
  }

  public deliverManifests(_scope: Construct, delivery: ManifestDelivery, _context: ClusterContext): void {
    this.names.push(delivery.name);
    this.manifests.push(delivery);
  }

  public override deliverGitManifests(_scope: Construct, delivery: GitManifestsDelivery, _context: ClusterContext): void {
    this.names.push(delivery.name);
    this.gitManifests.push(delivery);
  }

  /** Names of the deliveries before each delivery, by its name. */
  public get after(): { [name: string]: string[] } {
    return Object.fromEntries([...this.charts, ...this.manifests, ...this.gitManifests].map(({ name, after }) => [name, after.names]));
  }
}
