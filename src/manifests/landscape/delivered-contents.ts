import { AddonPlace } from './cluster-model';
import { deliveryPlace } from './delivery-targets';
import { appliersOf, FileAppliers } from './file-appliers';
import { ReadObject } from './placed-objects';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { deliveryFacts } from '../validation/providers';

/** Numbers of objects by kind. */
type Counts = Map<string, number>;

/** What deliveries have in them, as far as it was read. */
export class DeliveredContents {
  /** Objects of the management cluster: what is not delivered into a tenant. */
  public readonly management: readonly ReadObject[];
  private readonly byDelivery = new Map<ManifestObject, Counts>();
  private readonly byPack = new Map<string, Counts>();
  private readonly appliers: FileAppliers;

  /**
   * @param objects all objects
   */
  public constructor(objects: readonly ReadObject[]) {
    this.appliers = new FileAppliers({ objects });
    const around = new Set<ManifestObject>();
    for (const read of objects) {
      const { object, pack } = read;
      if (pack) {
        count(this.byPack, packKey(namespaceOf(pack), pack.kind, nameOf(pack)), object);
        continue;
      }
      const delivery = this.applierOf(read);
      if (!delivery || delivery === object) continue;
      count(this.byDelivery, delivery, object);
      // Argo CD may know a management cluster as one of many.
      if (groupKind(object) === CLUSTER) around.add(delivery);
    }
    this.management = objects.filter((read) => {
      const delivery = this.applierOf(read);
      return !read.pack && (!delivery || around.has(delivery) || deliveryPlace(delivery) === AddonPlace.MANAGEMENT);
    });
  }

  /** Kinds of what a delivery has in it, each as often as it is there. */
  public of(delivery: ManifestObject): ReadonlyMap<string, number> {
    const packs = deliveryFacts(delivery)?.packs?.(delivery);
    if (!packs) return sorted(this.byDelivery.get(delivery) ?? new Map());
    const sum: Counts = new Map();
    for (const { kind: packKind, name } of packs) {
      const pack = this.byPack.get(packKey(namespaceOf(delivery), packKind, name));
      for (const [kind, number] of pack ?? []) sum.set(kind, (sum.get(kind) ?? 0) + number);
    }
    return sorted(sum);
  }

  /** Who applies the file that an object stands in. */
  public applierOf(read: ReadObject): ManifestObject | undefined {
    return appliersOf(read, this.appliers)[0];
  }
}

function count<K>(counts: Map<K, Counts>, key: K, { kind }: ManifestObject): void {
  const kinds = counts.get(key) ?? new Map<string, number>();
  kinds.set(String(kind), (kinds.get(String(kind)) ?? 0) + 1);
  counts.set(key, kinds);
}

function sorted(counts: Counts): ReadonlyMap<string, number> {
  return new Map([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function packKey(namespace = '', kind: unknown = '', name = ''): string {
  return JSON.stringify([namespace, kind, name]);
}
