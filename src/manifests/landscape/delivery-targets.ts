import { AddonPlace } from './cluster-model';
import { ManifestObject, namespaceOf } from '../objects/manifest-object';
import { CLUSTER_NAME_LABEL } from '../rules/cluster-api/cluster-api-kinds';
import { ClusterTarget } from '../rules/delivery-facts';
import { isEmptySelector, labelsIn, SelectedObjects } from '../rules/label-selectors';
import { deliveryFacts } from '../systems/providers';
import { fieldAt, Fields, isFields, isFilled, isSet, stringAt } from '../values/fields';

/** A cluster, as far as it is known before its parts are. */
export interface KnownCluster {
  readonly id: string;
  readonly namespace?: string;
  readonly name: string;

  /** The Cluster; undefined where it is gone. */
  readonly object?: ManifestObject;
  readonly endpoint?: string;
}

/** Target of a delivery. */
export interface DeliveryTargets {
  readonly place: AddonPlace;

  /** Clusters that it belongs to; none if they are not known. */
  readonly clusters: readonly KnownCluster[];
}

type SelectorTarget = Extract<ClusterTarget, { readonly by: 'selector' }>;

/** Finds the clusters that a delivery is for. */
export class ClusterTargets {
  private readonly byPlace = new Map<string, KnownCluster>();
  private readonly registered = new Map<string, KnownCluster | undefined>();
  private readonly byServer = new Map<string, KnownCluster>();
  private readonly byObject = new Map<ManifestObject, KnownCluster>();
  private all?: readonly ManifestObject[];
  private readonly byNamespace = new Map<string, ManifestObject[]>();
  private readonly selected = new SelectedObjects((cluster) => labelsOf(cluster));

  /** @param clusters all clusters */
  public constructor(clusters: readonly KnownCluster[]) {
    for (const cluster of clusters) {
      const { namespace = '', name, object, endpoint } = cluster;
      this.byPlace.set(placeKey(namespace, name), cluster);
      for (const registration of [name, `${namespace}-${name}`]) {
        for (const key of [registeredKey(registration), registeredKey(registration, name)]) {
          // With clusters of one name in two namespaces, the registration is ambiguous.
          this.registered.set(key, this.registered.has(key) ? undefined : cluster);
        }
      }
      if (endpoint !== undefined) this.byServer.set(`https://${endpoint}`, cluster);
      // A Cluster that is being deleted is passed over.
      if (!object || isSet(object, 'metadata', 'deletionTimestamp')) continue;
      this.byObject.set(object, cluster);
      const beside = this.byNamespace.get(namespace);
      if (beside) beside.push(object);
      else this.byNamespace.set(namespace, [object]);
    }
  }

  /** The target of a delivery. */
  public of(object: ManifestObject): DeliveryTargets {
    return { place: deliveryPlace(object), clusters: this.clustersOf(object) };
  }

  private clustersOf(object: ManifestObject): readonly KnownCluster[] {
    const target = deliveryFacts(object)?.target(object) ?? { by: 'name' };
    if (target.by === 'selector') return this.selectedBy(object, target);
    const cluster = target.by === 'name' ? this.labelled(object) ?? this.beside(object, target.name) : this.registeredAs(object, target);
    return cluster ? [cluster] : [];
  }

  private selectedBy(object: ManifestObject, { selector, emptySelectsNone, everywhere, named = [] }: SelectorTarget): readonly KnownCluster[] {
    const none = emptySelectsNone && (!isFilled(selector) || isEmptySelector(selector));
    const beside = everywhere ? this.all ??= [...this.byObject.keys()] : this.byNamespace.get(namespaceOf(object) ?? '') ?? [];
    const selected = none ? [] : this.selected.of(beside, selector).flatMap((cluster) => this.byObject.get(cluster) ?? []);
    const found = [...new Set([...selected, ...named.flatMap((id) => this.byPlace.get(placeKey(...id.split('/'))) ?? [])])];
    if (found.length > 0) return found;
    // One that is gone has no labels any more: what asks for its name meant it.
    const asked = labelsIn(selector).find(([key]) => key === CLUSTER_NAME_LABEL)?.[1];
    const gone = this.beside(object, asked) ?? this.labelled(object);
    return gone && !gone.object ? [gone] : [];
  }

  private registeredAs(object: ManifestObject, { name, server }: { readonly name?: string; readonly server?: string }): KnownCluster | undefined {
    const label = stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
    return this.byServer.get(server ?? '') ?? this.registered.get(registeredKey(name ?? label ?? '', label))
      ?? (label === undefined ? undefined : this.registered.get(registeredKey(label)));
  }

  /** The cluster that an object is labelled with, in its own namespace. */
  private labelled(object: ManifestObject): KnownCluster | undefined {
    return this.beside(object, stringAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL));
  }

  private beside(object: ManifestObject, name: string | undefined): KnownCluster | undefined {
    return name === undefined ? undefined : this.byPlace.get(placeKey(namespaceOf(object), name));
  }
}

/** The cluster into which a delivery goes: the one that it is in, or a tenant's. */
export function deliveryPlace(object: ManifestObject): AddonPlace {
  return deliveryFacts(object)?.isForTenant(object) ? AddonPlace.TENANT : AddonPlace.MANAGEMENT;
}

/** The place of a cluster, as a key. */
export function placeKey(namespace = '', name = ''): string {
  return JSON.stringify([namespace, name]);
}

/** A name under which a controller may have registered a cluster, and the cluster's own name if it is stated. */
function registeredKey(registration: string, name = ''): string {
  return JSON.stringify([registration, name]);
}

function labelsOf(cluster: ManifestObject): Fields {
  const labels = fieldAt(cluster, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
}
