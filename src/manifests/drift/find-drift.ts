import { deliveryOf, LivingDelivery } from './deliveries';
import { CAUSES, Drift, DriftCause, DriftedObject, isNormal, LoneObject, NamedObject } from './drift-model';
import { FieldDrift } from './field-drift';
import { KnownWriters } from './known-writers';
import { LoneObjects } from './lone-objects';
import { Drifted, revertEffects } from './revert';
import { appliedObjects } from '../landscape/applied-objects';
import { objectKey } from '../landscape/file-appliers';
import { LiveObjects } from '../landscape/live-objects';
import { ManifestState } from '../landscape/manifest-state';
import { compareTexts } from '../landscape/place';
import { ReadObject } from '../landscape/placed-objects';
import { byTarget } from '../landscape/targets';
import { knownKind } from '../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../objects/manifest-object';
import { ManifestIndex } from '../rules/manifest-index';
import { KindDefinitions } from '../rules/structure/kind-definitions';
import { withDefinedKinds } from '../rules/structure/structures';
import { StoredPair, storedPair } from '../stored/stored-objects';
import { isSet, objectsAt } from '../values/fields';

/** Options of a comparison with what lives. */
export interface DriftOptions {
  /** Names of more programs that count as controllers, as managed fields have them. */
  readonly controllers?: readonly string[];

  /** CustomResourceDefinitions of kinds, beside those among the objects. */
  readonly definitions?: readonly unknown[];
}

/**
 * Compares manifests with the objects that live in the management cluster: field by field, with who wrote it, and what becomes of it.
 *
 * @param state the manifests of one management cluster
 * @param living the objects of the cluster, as `kubectl get --output json --show-managed-fields` prints them
 */
export function findDrift(state: ManifestState, living: readonly ManifestObject[], { controllers, definitions = [] }: DriftOptions = {}): Drift {
  return withDefinedKinds(new KindDefinitions(definitions, state.objects.map(({ object }) => object), living), () => (
    new Comparison(state, living, new KnownWriters(controllers)).result(definitions)));
}

/** A manifest, and the object that lives. */
interface Pair {
  readonly read: ReadObject;
  readonly living: ManifestObject;
  readonly delivery?: LivingDelivery;
}

class Comparison {
  private readonly live: LiveObjects;
  private readonly manifests: ManifestIndex;

  /** The manifests that are applied to the management cluster. */
  private readonly reads: readonly ReadObject[];

  public constructor(
    private readonly state: ManifestState, private readonly living: readonly ManifestObject[], private readonly writers: KnownWriters,
  ) {
    this.live = new LiveObjects(living);
    const applied = byTarget(appliedObjects(state)).get(undefined) ?? [];
    this.reads = applied.filter(({ object, pack }) => !pack && !knownKind(groupKind(object))?.isFile);
    this.manifests = new ManifestIndex(this.reads.map(({ object }) => object));
  }

  public result(definitions: readonly unknown[]): Drift {
    const pairs = this.reads.flatMap((read): Pair[] => {
      const living = this.live.find(read.object);
      return living ? [{ read, living, delivery: deliveryOf(living, this.live, this.manifests) }] : [];
    });
    const encrypted = pairs.filter(({ read }) => isSet(read.object, 'sops'));
    const compared = pairs.filter((pair) => !encrypted.includes(pair)).flatMap((pair) => this.compared(pair));
    // An object that a kustomization or a delivery changes on the way is not planned as it stands in its file.
    const isWritten = new Set(this.state.objects.map(({ object }) => object));
    const planned = compared.every(({ pair }) => isWritten.has(pair.read.object)) ? this.state : { objects: this.reads };
    const reverts = revertEffects(planned, compared.map(({ drifted }) => drifted), this.live, definitions);
    return {
      objects: compared.map(({ pair, drifted }) => ({
        ...drifted.object, ...pair.delivery && { delivery: pair.delivery.words }, revert: reverts.get(drifted.manifest) ?? [],
      })).sort(bySeverity),
      extra: this.extra(pairs),
      missing: this.missing(),
      compared: pairs.length - encrypted.length,
      notListed: this.reads.filter(({ object }) => !this.live.find(object) && !this.live.lacks(object)).map(({ object }) => objectName(object)),
      notCompared: encrypted.map(({ read }) => objectName(read.object)),
      lacksOwners: pairs.length > 0 && pairs.every(({ living }) => objectsAt(living, 'metadata', 'managedFields').length === 0),
    };
  }

  private compared(pair: Pair): { readonly pair: Pair; readonly drifted: Drifted & { readonly object: Omit<DriftedObject, 'revert'> } }[] {
    const { read, living, delivery } = pair;
    const stored = withoutStatus(storedPair(read.object, living));
    const fields = new FieldDrift(this.writers).of({ manifest: read.object, living, stored, delivery });
    if (fields.length === 0) return [];
    return [{ pair, drifted: { manifest: read.object, stored, fields, object: { ...named(read.object), place: read.place, fields } } }];
  }

  /** Objects of the namespaces of the manifests that no manifest has, and those that their deliveries have applied elsewhere. */
  private extra(pairs: readonly Pair[]): LoneObject[] {
    const known = new Set(this.reads.map(({ object }) => objectKey(object)));
    const namespaces = new Set(this.reads.flatMap(({ object }) => namespaceOf(object) ?? []));
    const deliveries = new Set(pairs.flatMap(({ delivery }) => delivery?.key ?? []));
    const lone = new LoneObjects(this.writers, this.live, this.manifests, deliveries, [...this.reads.map(({ object }) => object), ...this.living]);
    return this.living.filter((object) => {
      if (known.has(objectKey(object))) return false;
      if (namespaces.has(namespaceOf(object) ?? '')) return true;
      const delivery = deliveryOf(object, this.live, this.manifests);
      return delivery !== undefined && deliveries.has(delivery.key);
    }).map((object) => ({ ...named(object), ...lone.of(object) })).sort(bySeverity);
  }

  private missing(): LoneObject[] {
    return this.reads.filter(({ object }) => this.live.lacks(object)).map(({ object, place, appliers = [] }): LoneObject => {
      const by = appliers.map((delivery) => `${String(delivery.kind)} ${nameOf(delivery)}`)[0] ?? 'the next apply';
      return { ...named(object), place, cause: DriftCause.NOT_APPLIED, why: 'deleted, or not applied yet', outcome: `${by} creates it` };
    }).sort(bySeverity);
  }
}

function withoutStatus({ before, after }: StoredPair): StoredPair {
  const [stated, living] = [before, after].map(({ status, ...object }) => object as ManifestObject);
  return { before: stated, after: living };
}

function named(object: ManifestObject): NamedObject {
  return { apiVersion: String(object.apiVersion), kind: String(object.kind), namespace: namespaceOf(object), name: nameOf(object) ?? '' };
}

type Severe = NamedObject & ({ readonly cause: DriftCause } | { readonly fields: readonly { readonly cause: DriftCause }[] });

function bySeverity(one: Severe, other: Severe): number {
  const key = ({ namespace = '', kind, name }: NamedObject) => JSON.stringify([namespace, kind, name]);
  return rank(one) - rank(other) || compareTexts(key(one), key(other));
}

function rank(object: Severe): number {
  return CAUSES.indexOf('cause' in object ? object.cause : object.fields[0].cause);
}

/** True if nothing differs but what servers and controllers make different in every cluster. */
export function isAsDeclared({ objects, extra, missing }: Drift): boolean {
  return missing.length === 0 && extra.every(isNormal) && objects.every(({ fields }) => fields.every(isNormal));
}
