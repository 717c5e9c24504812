import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import {
  ClusterResourceSet, ClusterResourceSetSpecResources, ClusterResourceSetSpecResourcesKind, ClusterResourceSetSpecStrategy,
} from '../../../imports/addons.cluster.x-k8s.io';
import { markCarrier } from '../../addons/tenant-chart';
import { joinName } from '../../naming/object-name';
import { TypedApiObject } from '../../synth/typed-api-object';
import { Problems } from '../../validation/problems';
import { ClusterDeliveries } from '../cluster-deliveries';
import { ManifestDelivery } from '../delivery';
import { DeliveryTarget } from '../delivery-target';
import { enter } from '../entry';
import { ManifestWatch } from '../manifest-watch';
import { noSubstitution } from '../marks';
import { ownCluster } from '../own-cluster';
import { checkSizes, joinDocuments, yamlDocuments } from './parts';

const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';
const SET = 'ClusterResourceSet';
const DATA_KEY = 'manifests.yaml';

/**
 * Delivers manifests by a ClusterResourceSet and ConfigMaps.
 *
 * @param scope where to put the objects
 * @param delivery the manifests
 * @param target the cluster they go to
 * @param strategy whether changes reach the tenant
 */
export function deliverByResourceSet(
  scope: Construct, delivery: ManifestDelivery, target: DeliveryTarget, strategy: ClusterResourceSetSpecStrategy,
): void {
  if (!target.kubeconfigs) {
    // Known all the same, so that nobody is told that what comes after it waits for nothing.
    ClusterDeliveries.of(scope, target).add(delivery.name, { kind: SET, after: delivery.after });
    Problems.of(scope).add(ownCluster(`manifests["${delivery.name}"]`, 'a ClusterResourceSet', 'a FluxDelivery or ArgoCdDelivery with a manifestSource'));
    return;
  }
  const plain = joinName(target.name, delivery.name);
  // Neither may the strategy of a set change, nor should a set that goes take along the ConfigMaps of the one that comes.
  const name = strategy === ClusterResourceSetSpecStrategy.APPLY_ONCE ? `${plain}.once` : plain;
  const room = enter(scope, delivery, target, { kind: SET, namespace: target.namespace, name });
  if (!room) return;

  const set: ResourceSet = new ResourceSet(room, name, target, strategy, () => watch.refresh());
  const watch = new ManifestWatch(scope, delivery, (manifests, property) => {
    const documents = yamlDocuments(manifests);
    const parts = joinDocuments(documents);
    set.hold(parts);
    return checkSizes(manifests, documents, parts, property);
  });
}

/** The objects of one set. How many there are is known at synthesis only, when all manifests are there: none for no manifests. */
class ResourceSet {
  private parts: readonly string[] = [];

  public constructor(
    private readonly room: Construct,
    private readonly name: string,
    private readonly target: DeliveryTarget,
    private readonly strategy: ClusterResourceSetSpecStrategy,
    private readonly refresh: () => void,
  ) {}

  /** Has an object for each part, and one more for all of them. */
  public hold(parts: readonly string[]): void {
    this.parts.forEach((_part, index) => index >= parts.length && this.room.node.tryRemoveChild(this.configMapName(index)));
    this.parts = parts;
    if (parts.length === 0) this.room.node.tryRemoveChild(SET);
    else if (!this.room.node.tryFindChild(SET)) this.makeSet();
    parts.forEach((_part, index) => this.room.node.tryFindChild(this.configMapName(index)) ?? this.makeConfigMap(index));
  }

  private makeSet(): void {
    new ClusterResourceSet(this.room, SET, {
      metadata: { name: this.name },
      spec: {
        clusterSelector: { matchLabels: { [CLUSTER_LABEL]: this.target.name } },
        resources: Lazy.any({ produce: () => this.parts.map((_part, index) => this.reference(index)) }),
        strategy: this.strategy,
      },
    });
  }

  private makeConfigMap(index: number): void {
    const carrier = new TypedApiObject(this.room, this.configMapName(index), { apiVersion: 'v1', kind: 'ConfigMap' }, {
      metadata: { name: this.configMapName(index), annotations: noSubstitution() },
      data: { [DATA_KEY]: Lazy.any({ produce: () => this.partNow(index) }) },
    });
    markCarrier(carrier);
  }

  private partNow(index: number): string {
    const count = this.parts.length;
    this.refresh();
    if (this.parts.length !== count) {
      throw new Error(`the manifests of ${this.name} have changed since the last synthesis, and need ${this.parts.length} ConfigMaps now; synthesize again`);
    }
    return this.parts[index];
  }

  private reference(index: number): ClusterResourceSetSpecResources {
    return { kind: ClusterResourceSetSpecResourcesKind.CONFIG_MAP, name: this.configMapName(index) };
  }

  /** With a dot, which no name of a delivery has: `a` with its second part and `a-2` stay apart. */
  private configMapName(index: number): string {
    return `${this.name}.${index + 1}`;
  }
}
