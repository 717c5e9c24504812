import { APPLICATION, CLUSTER_RESOURCE_SET, HELM_CHART_PROXY } from './addons';
import { AddonPlace } from './cluster-model';
import { fieldAt, Fields, groupKind, isFields, ManifestObject, textAt } from '../../images/manifest-object';
import { CLUSTER_NAME_LABEL } from '../../validation/manifests/cluster-api/cluster-api-kinds';
import { isEmptySelector, labelsIn } from '../../validation/manifests/label-selectors';
import { isFilled, isSet, namespaceOf } from '../../validation/manifests/manifest-fields';
import { SelectedObjects } from '../../validation/manifests/selected-objects';

/** A cluster, as far as it is known before its parts are. */
export interface KnownCluster {
  readonly id: string;
  readonly namespace?: string;
  readonly name: string;

  /** The Cluster; undefined where it is gone. */
  readonly object?: ManifestObject;
  readonly endpoint?: string;
}

/** Where a delivery goes. */
export interface DeliveryTargets {
  readonly place: AddonPlace;

  /** Clusters that it belongs to; none where nobody can tell. */
  readonly clusters: readonly KnownCluster[];
}

/** Argo CD's own cluster (argoproj/argo-cd docs/operator-manual/declarative-setup.md). */
const OWN_SERVER = 'https://kubernetes.default.svc';
const OWN_NAME = 'in-cluster';

/** How Cluster API, and Kamaji's provider, call the Secret with a kubeconfig. */
const KUBECONFIG = /^(.+?)(?:-admin)?-kubeconfig$/;

/** Tells which cluster a delivery is for. */
export class ClusterTargets {
  private readonly byPlace = new Map<string, KnownCluster>();
  private readonly registered = new Map<string, KnownCluster | undefined>();
  private readonly byServer = new Map<string, KnownCluster>();
  private readonly byObject = new Map<ManifestObject, KnownCluster>();
  private readonly byNamespace = new Map<string, ManifestObject[]>();
  private readonly selected = new SelectedObjects((cluster) => labelsOf(cluster));

  /** @param clusters all clusters */
  public constructor(clusters: readonly KnownCluster[]) {
    for (const cluster of clusters) {
      const { namespace = '', name, object, endpoint } = cluster;
      this.byPlace.set(placeKey(namespace, name), cluster);
      for (const registration of [name, `${namespace}-${name}`]) {
        for (const key of [registeredKey(registration), registeredKey(registration, name)]) {
          // Two clusters of one name in two namespaces are one to Argo CD: nobody can tell which.
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

  /** Where something is delivered to. */
  public of(object: ManifestObject): DeliveryTargets {
    switch (groupKind(object)) {
      case HELM_CHART_PROXY:
      case CLUSTER_RESOURCE_SET: return { place: AddonPlace.TENANT, clusters: this.selectedBy(object) };
      case APPLICATION: return this.ofApplication(object);
      default: return this.ofFlux(object);
    }
  }

  private selectedBy(object: ManifestObject): readonly KnownCluster[] {
    const selector = fieldAt(object, 'spec', 'clusterSelector');
    // An empty selector of a ClusterResourceSet selects nothing (kubernetes-sigs/cluster-api clusterresourceset_controller.go).
    const none = groupKind(object) === CLUSTER_RESOURCE_SET && (!isFilled(object, 'spec', 'clusterSelector') || isEmptySelector(selector));
    const beside = this.byNamespace.get(namespaceOf(object) ?? '') ?? [];
    const found = none ? [] : this.selected.of(beside, selector).flatMap((cluster) => this.byObject.get(cluster) ?? []);
    if (found.length > 0) return found;
    // One that is gone has no labels any more: what asks for its name meant it.
    const asked = labelsIn(selector).find(([key]) => key === CLUSTER_NAME_LABEL)?.[1];
    const gone = this.beside(object, asked) ?? this.labelled(object);
    return gone && !gone.object ? [gone] : [];
  }

  private ofFlux(object: ManifestObject): DeliveryTargets {
    const [, called] = KUBECONFIG.exec(textAt(object, 'spec', 'kubeConfig', 'secretRef', 'name') ?? '') ?? [];
    const cluster = this.labelled(object) ?? this.beside(object, called);
    return { place: deliveryPlace(object), clusters: cluster ? [cluster] : [] };
  }

  private ofApplication(object: ManifestObject): DeliveryTargets {
    const [name, server] = ['name', 'server'].map((field) => textAt(object, 'spec', 'destination', field));
    const label = textAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL);
    const cluster = this.byServer.get(server ?? '') ?? this.registered.get(registeredKey(name ?? label ?? '', label))
      ?? (label === undefined ? undefined : this.registered.get(registeredKey(label)));
    return { place: deliveryPlace(object), clusters: cluster ? [cluster] : [] };
  }

  /** The cluster that an object is labelled with, in its own namespace. */
  private labelled(object: ManifestObject): KnownCluster | undefined {
    return this.beside(object, textAt(object, 'metadata', 'labels', CLUSTER_NAME_LABEL));
  }

  private beside(object: ManifestObject, name: string | undefined): KnownCluster | undefined {
    return name === undefined ? undefined : this.byPlace.get(placeKey(namespaceOf(object), name));
  }
}

/** Whether a delivery goes into the cluster that it stands in, or into another one. */
export function deliveryPlace(object: ManifestObject): AddonPlace {
  switch (groupKind(object)) {
    case HELM_CHART_PROXY:
    case CLUSTER_RESOURCE_SET: return AddonPlace.TENANT;
    case APPLICATION: {
      const own = textAt(object, 'spec', 'destination', 'server') === OWN_SERVER || textAt(object, 'spec', 'destination', 'name') === OWN_NAME;
      return own ? AddonPlace.MANAGEMENT : AddonPlace.TENANT;
    }
    default: return isFilled(object, 'spec', 'kubeConfig') ? AddonPlace.TENANT : AddonPlace.MANAGEMENT;
  }
}

/** The place of a cluster, as a key. */
export function placeKey(namespace = '', name = ''): string {
  return JSON.stringify([namespace, name]);
}

/** How Argo CD may know a cluster, and its own name if somebody states that. */
function registeredKey(registration: string, name = ''): string {
  return JSON.stringify([registration, name]);
}

function labelsOf(cluster: ManifestObject): Fields {
  const labels = fieldAt(cluster, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
}
