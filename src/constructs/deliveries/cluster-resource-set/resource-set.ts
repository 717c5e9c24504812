import { ApiObject, Chart, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { checkSizes, joinDocuments, yamlDocuments } from './parts';
import {
  ClusterResourceSet, ClusterResourceSetSpecResources, ClusterResourceSetSpecResourcesKind, ClusterResourceSetSpecStrategy,
} from '../../../../imports/addons.cluster.x-k8s.io';
import { noSubstitution } from '../../../manifests/objects/prune-annotations';
import { joinName } from '../../../manifests/values/object-name';
import { Problem } from '../../../manifests/values/problem';
import { Problems } from '../../app/problems/problems';
import { keepIf } from '../../app/synth/child-order';
import { FieldSources } from '../../app/synth/field-sources';
import { onPrepare } from '../../app/synth/synthesis';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { markCarrier } from '../../app/tenant-trees';
import { ClusterDeliveries } from '../../contracts/delivery/cluster-deliveries';
import { ManifestDelivery } from '../../contracts/delivery/delivery';
import { DeliveryTarget } from '../../contracts/delivery/delivery-target';
import { enter } from '../../contracts/delivery/entry';
import { ownCluster } from '../../contracts/delivery/own-cluster';
import { renderManifests } from '../../contracts/delivery/tenant-manifests';

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
    // Registered all the same, so that deliveries that come after it are not reported as waiting for nothing.
    ClusterDeliveries.of(scope, target).add(delivery.name, { kind: SET, after: delivery.after });
    Problems.of(scope).add(ownCluster(`manifests["${delivery.name}"]`, 'a ClusterResourceSet', 'a FluxDelivery or ArgoCdDelivery with a manifestSource'));
    return;
  }
  const plain = joinName(target.name, delivery.name);
  // Neither may the strategy of a set change, nor should a set that goes take along the ConfigMaps of the one that comes.
  const name = strategy === ClusterResourceSetSpecStrategy.APPLY_ONCE ? `${plain}.once` : plain;
  const room = enter(scope, delivery, target, { kind: SET, namespace: target.namespace, name });
  if (!room) return;

  const property = `manifests["${delivery.name}"]`;
  const set = new ResourceSet(room, name, delivery.manifests, property);
  Problems.of(scope)._addCheck(() => [...set.problems]);
  const object = new ClusterResourceSet(room, SET, {
    metadata: { name },
    spec: {
      clusterSelector: { matchLabels: { [CLUSTER_LABEL]: target.name } },
      resources: Lazy.any({ produce: () => set.references }),
      strategy,
    },
  });
  FieldSources.record(object, scope, { 'spec.resources': property });
  onPrepare(room, () => set.pack(object));
}

/** The ConfigMaps of one set. How many they are is known when all manifests are there. */
class ResourceSet {
  /** Problems of the manifests that were packed. */
  public problems: readonly Problem[] = [];

  private parts: readonly string[] = [];

  public constructor(
    private readonly room: Construct, private readonly name: string, private readonly manifests: Chart, private readonly property: string,
  ) {}

  /** References to the ConfigMaps. */
  public get references(): ClusterResourceSetSpecResources[] {
    return this.parts.map((_part, index) => ({ kind: ClusterResourceSetSpecResourcesKind.CONFIG_MAP, name: this.configMapName(index) }));
  }

  /** Packs the manifests into as many ConfigMaps as they need, and keeps the set if there are any. */
  public pack(set: ApiObject): void {
    const { manifests, problems } = renderManifests(this.manifests, this.property);
    this.problems = problems;
    if (problems.length > 0) return;
    const documents = yamlDocuments(manifests);
    const before = this.parts.length;
    this.parts = joinDocuments(documents);
    this.problems = checkSizes(manifests, documents, this.property);
    keepIf(set, this.parts.length > 0);
    for (let index = before; index < this.parts.length; index++) this.makeConfigMap(index);
    for (let index = this.parts.length; index < before; index++) this.room.node.tryRemoveChild(this.configMapName(index));
  }

  private makeConfigMap(index: number): void {
    const carrier = new TypedApiObject(this.room, this.configMapName(index), { apiVersion: 'v1', kind: 'ConfigMap' }, {
      metadata: { name: this.configMapName(index), annotations: noSubstitution() },
      data: { [DATA_KEY]: Lazy.any({ produce: () => this.parts[index] }) },
    });
    markCarrier(carrier);
  }

  /** With a dot, which no name of a delivery has: `a` with its second part and `a-2` stay apart. */
  private configMapName(index: number): string {
    return `${this.name}.${index + 1}`;
  }
}
