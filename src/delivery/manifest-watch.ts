import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterDeliveries } from './cluster-deliveries';
import { ManifestDelivery } from './delivery';
import { DeliveryTarget } from './delivery-target';
import { apiObjects, Manifest, renderManifests } from './tenant-manifests';
import { formatProblem, Problem } from '../validation/problem';
import { Problems } from '../validation/problems';

/** What is done with manifests. May report problems. */
export type ManifestUse = (manifests: readonly Manifest[], property: string) => Problem[];

/**
 * Looks at the manifests of a delivery at synthesis, when everything has been added, and before anything is written.
 *
 * cdk8s validates the whole app once for each of its charts, so only objects that were not there the last time are a reason to look again.
 */
export class ManifestWatch {
  private readonly property: string;
  private known: readonly ApiObject[] | undefined;

  /**
   * @param scope where problems are reported
   * @param delivery the manifests
   * @param use what is done with the manifests, unless they are refused
   */
  public constructor(
    scope: Construct, private readonly delivery: ManifestDelivery, private readonly use: ManifestUse,
  ) {
    this.property = `manifests["${delivery.name}"]`;
    Problems.of(scope)._addCheck(() => this.check());
  }

  /** Looks again, for who is about to write the manifests: an object may have changed since. */
  public refresh(): void {
    const problems = this.look();
    if (problems.length > 0) throw new Error(problems.map(formatProblem).join('; '));
  }

  private check(): Problem[] {
    const objects = apiObjects(this.delivery.manifests);
    if (this.known?.length === objects.length && objects.every((object, index) => object === this.known![index])) return [];
    const problems = this.look();
    this.known = problems.length === 0 ? objects : undefined;
    return problems;
  }

  private look(): Problem[] {
    const { manifests, problems } = renderManifests(this.delivery.manifests, this.property);
    return problems.length > 0 ? [...problems] : this.use(manifests, this.property);
  }
}

/**
 * Keeps the object that makes others read the manifests from a repository for as long as there are any: a folder without files is not
 * in a repository.
 *
 * @param scope where problems are reported
 * @param room the scope of the delivery's own objects
 * @param delivery the manifests
 * @param target the cluster they go to
 * @param id construct id of the object
 * @param make makes the object
 */
export function carryWhenFilled(
  scope: Construct, room: Construct, delivery: ManifestDelivery, target: DeliveryTarget, id: string, make: () => void,
): void {
  new ManifestWatch(scope, delivery, (manifests) => {
    const filled = manifests.length > 0;
    ClusterDeliveries.of(scope, target).fill(delivery.name, filled);
    if (!filled) room.node.tryRemoveChild(id);
    else if (!room.node.tryFindChild(id)) make();
    return [];
  });
}
