import { LivingDelivery } from './deliveries';
import { CAUSES, DriftCause, DriftedField } from './drift-model';
import { isMark, KnownWriters, pageProperty } from './known-writers';
import { FieldOwner, FieldOwners } from './managed-fields';
import { ManifestObject } from '../objects/manifest-object';
import { withoutMarks, withoutSecrets } from '../objects/secret-values';
import { parsedJson } from '../objects/value-size';
import { FieldChange, fieldChanges, innermostChanges, isGroup } from '../rules/changes/field-changes';
import { ControllerField, FieldManager, ManagerRole } from '../rules/field-managers';
import { shownJson } from '../schema/value-words';
import { StoredPair } from '../stored/stored-objects';
import { fieldAt, FieldPath, fieldText, sameValue, stringAt } from '../values/fields';
import { HIDDEN } from '../values/secret-text';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Name of the subresource by which autoscalers change sizes. */
const SCALE = 'scale';

/** A living object beside its manifest. */
export interface LivingPair {
  readonly manifest: ManifestObject;
  readonly living: ManifestObject;

  /** Both as the server stores them, without their status. */
  readonly stored: StoredPair;
  readonly delivery?: LivingDelivery;
}

/** A finding about one field. */
type Verdict = Pick<DriftedField, 'cause' | 'why'> & { readonly owner?: FieldOwner };

/** An owner of a field, with what is known of the program. */
interface RankedOwner {
  readonly owner: FieldOwner;
  readonly manager?: FieldManager;
  readonly role: ManagerRole | 'unknown';
}

/** The owner that decides, of several: what a delivery owns, no other program has changed since. */
const DECIDING: readonly RankedOwner['role'][] = ['delivery', 'hand', 'unknown', 'autoscaler', 'controller'];

/** Finds the fields that living objects have otherwise than their manifests, and who wrote them. */
export class FieldDrift {
  /** @param writers the programs that are known */
  public constructor(private readonly writers: KnownWriters) {}

  /** The fields of an object that differ, the most severe first. */
  public of(pair: LivingPair): DriftedField[] {
    const owners = new FieldOwners(pair.living);
    const [stated, living] = [pair.stored.before, pair.stored.after].map(withoutSecrets);
    return leaves(fieldChanges(stated, living)).filter(({ path }) => isCompared(path, pair.manifest))
      .map((change) => this.field(change, pair, owners))
      .sort((one, other) => CAUSES.indexOf(one.cause) - CAUSES.indexOf(other.cause));
  }

  private field(change: FieldChange, pair: LivingPair, owners: FieldOwners): DriftedField {
    const { path } = change;
    const verdict = this.verdict(change, pair, owners);
    const [stated, living] = [change.before, change.after].map(withoutMarks);
    return {
      path,
      stated,
      living,
      ...verdict,
      ...outcomeOf(change, verdict, pair.delivery, verdict.owner && this.writers.manager(verdict.owner.manager)),
      ...keepOf(change, living, verdict.cause, pair.manifest),
    };
  }

  private verdict(change: FieldChange, pair: LivingPair, owners: FieldOwners): Verdict {
    const { path, before: stated, after: living } = change;
    const { manifest, delivery } = pair;
    if (path[0] === 'metadata' && path[1] === 'deletionTimestamp') return { cause: DriftCause.UNKNOWN, why: 'it is being deleted' };
    const fact = this.writers.controllerField(pair.living, path);
    if (fact && contains(living, stated)) {
      const hand = this.ranked(ownersOf(change, owners), delivery).find(({ role }) => role === 'hand');
      return hand ? byHand(hand.owner) : byFact(fact, ownersOf(change, owners)[0]);
    }
    if (living === undefined) return this.removed(owners, delivery);
    const marker = owners.areKnown || stated !== undefined ? undefined : this.writers.marker(path);
    if (marker) return { cause: DriftCause.CONTROLLER, why: `mark of ${marker.title}` };
    const [deciding] = this.ranked(ownersOf(change, owners), delivery);
    if (!deciding) return unowned(stated, owners);
    return this.owned(change, deciding, pair, manifest);
  }

  private owned({ path, before: stated }: FieldChange, { owner, manager, role }: RankedOwner, pair: LivingPair, manifest: ManifestObject): Verdict {
    const program = manager === undefined || manager.title === owner.manager ? owner.manager : `${manager.title} (${owner.manager})`;
    const isStated = stated !== undefined;
    switch (role) {
      case 'hand': return byHand(owner);
      case 'unknown': return { cause: DriftCause.UNKNOWN, owner, why: `written by ${program}, which is not known` };
      case 'autoscaler': return isStated ? { cause: DriftCause.CONTESTED, owner, why: `${program} writes it, and the manifest states it, too` }
        : { cause: DriftCause.AUTOSCALER, owner, why: `written by ${program}` };
      case 'controller': return isStated ? { cause: DriftCause.CONTESTED, owner, why: `${program} writes it, and the manifest states it, too` }
        : { cause: DriftCause.CONTROLLER, owner, why: `written by ${program}` };
      default: {
        if (!isStated && manager && isMark(path, manager)) return { cause: DriftCause.CONTROLLER, owner, why: `mark of ${program}` };
        // A field that the client has not sent is a default, which counts as written by the client where it does not use server-side apply.
        const isDefault = !isStated && !owner.applies && lastApplied(pair.living, path, manifest) === undefined;
        if (isDefault) return { cause: DriftCause.SERVER, owner, why: 'a default of the server' };
        return { cause: DriftCause.NOT_APPLIED, owner, why: `${program} applied other manifests than these${pair.delivery?.isSuspended ? `; ${pair.delivery.words} is suspended` : ''}` };
      }
    }
  }

  /** A field that the manifest states, and the living object does not have: no entry tells who has removed it. */
  private removed(owners: FieldOwners, delivery: LivingDelivery | undefined): Verdict {
    const hands = this.ranked(owners.writers, delivery).filter(({ role }) => role === 'hand').map(({ owner }) => owner);
    const [latest] = hands.sort((one, other) => (other.time ?? '').localeCompare(one.time ?? ''));
    if (latest) return { cause: DriftCause.HAND, owner: latest, why: `most likely removed by hand, since ${latest.manager} has written the object${atTime(latest)}` };
    if (!owners.areKnown) return unowned(undefined, owners);
    return { cause: DriftCause.NOT_APPLIED, why: `not applied yet${delivery?.isSuspended ? `: ${delivery.words} is suspended` : ''}` };
  }

  private ranked(owners: readonly FieldOwner[], delivery: LivingDelivery | undefined): RankedOwner[] {
    return owners.map((owner) => {
      const manager = this.writers.manager(owner.manager);
      return { owner, manager, role: roleOf(owner, manager, delivery) };
    }).sort((one, other) => DECIDING.indexOf(one.role) - DECIDING.indexOf(other.role));
  }
}

/** Role of a program for an object: what is applied with kubectl is changed by hand where another tool delivers it. */
export function roleOf(owner: FieldOwner, manager: FieldManager | undefined, delivery: LivingDelivery | undefined): RankedOwner['role'] {
  if (!manager) return 'unknown';
  const isKubectl = owner.manager.startsWith('kubectl');
  if (isKubectl && owner.manager === 'kubectl' && owner.applies) return delivery ? 'hand' : 'delivery';
  if (isKubectl && manager.role === 'delivery') return delivery ? 'hand' : 'delivery';
  return manager.role === 'controller' && owner.subresource === SCALE ? 'autoscaler' : manager.role;
}

function byHand(owner: FieldOwner): Verdict {
  return { cause: DriftCause.HAND, owner, why: `${owner.manager}${atTime(owner)}` };
}

function atTime({ time }: FieldOwner): string {
  return time === undefined ? '' : `, ${time}`;
}

function byFact({ holds, isOfAutoscaler }: ControllerField, owner: FieldOwner | undefined): Verdict {
  return { cause: isOfAutoscaler ? DriftCause.AUTOSCALER : DriftCause.CONTROLLER, ...(owner && { owner }), why: holds };
}

function unowned(stated: unknown, owners: FieldOwners): Verdict {
  if (!owners.areKnown) return { cause: DriftCause.UNKNOWN, why: 'the dump does not say who wrote it' };
  if (stated === undefined) return { cause: DriftCause.SERVER, why: 'a default of the server or of a webhook' };
  return { cause: DriftCause.UNKNOWN, why: 'no program owns it: a webhook may have changed it' };
}

/** The owners of what differs: of a list, of the items that the manifest does not have. */
function ownersOf({ path, before, after }: FieldChange, owners: FieldOwners): readonly FieldOwner[] {
  if (!Array.isArray(before) || !Array.isArray(after)) return owners.of(path);
  const added = after.flatMap((item, index) => (before.some((one) => sameValue(one, item)) ? [] : [index]));
  const found = [...new Set(added.flatMap((index) => owners.of([...path, index])))];
  return found.length > 0 ? found : owners.of(path);
}

/** True if nothing that a manifest states is missing in the living value. */
function contains(living: unknown, stated: unknown): boolean {
  if (stated === undefined) return living !== undefined;
  return Array.isArray(living) && Array.isArray(stated) && stated.every((item) => living.some((one) => sameValue(one, item)));
}

/** The fields of groups that one side alone has. */
function leaves(changes: readonly FieldChange[]): FieldChange[] {
  return changes.flatMap((change) => (isGroup(change) ? innermostChanges(change) : [change]));
}

/** Texts of a Secret are stored under another name than the manifest has them. */
function isCompared([first, second]: FieldPath, manifest: ManifestObject): boolean {
  if (first === 'status' || (first === 'metadata' && second === 'deletionGracePeriodSeconds')) return false;
  return fieldAt(manifest, 'stringData') === undefined || (first !== 'data' && first !== 'stringData');
}

/** The value that kubectl applied last, if it noted that. */
function lastApplied(living: ManifestObject, path: FieldPath, manifest: ManifestObject): unknown {
  const text = stringAt(living, 'metadata', 'annotations', LAST_APPLIED);
  return text === undefined || fieldAt(manifest, ...path) !== undefined ? undefined : fieldAt(parsedJson(text), ...path);
}

/** The effect of the next delivery on a field. */
function outcomeOf(
  { before: stated }: FieldChange, { cause, owner }: Verdict, delivery: LivingDelivery | undefined, manager: FieldManager | undefined,
): Pick<DriftedField, 'outcome'> {
  if ([DriftCause.AUTOSCALER, DriftCause.CONTROLLER, DriftCause.SERVER].includes(cause)) return {};
  const by = delivery?.words ?? 'the next apply';
  if (delivery?.isSuspended) return { outcome: `stays until ${by} is resumed` };
  const setsBack = delivery ? delivery.object !== undefined && delivery.facts.setsBack?.(delivery.object) === true : false;
  if (cause === DriftCause.CONTESTED) return { outcome: `${by} sets it back${setsBack ? ' again and again' : ''}, and ${manager?.title ?? owner?.manager} writes it anew` };
  if (stated === undefined) {
    const isRemoved = cause === DriftCause.NOT_APPLIED || (owner !== undefined && delivery?.facts.removesFieldsOf?.(owner.manager) === true);
    return { outcome: isRemoved ? `${by} removes it` : 'stays, since nothing removes it' };
  }
  return { outcome: !delivery || setsBack ? `${by} sets it back` : `stays until ${by} applies its manifests again` };
}

/** The change of the manifests that keeps what lives: of the field, and of the property of a page, if that is known. */
function keepOf({ path }: FieldChange, living: unknown, cause: DriftCause, manifest: ManifestObject): Pick<DriftedField, 'keep'> {
  if (path[1] === 'deletionTimestamp' || ![DriftCause.HAND, DriftCause.UNKNOWN, DriftCause.CONTESTED].includes(cause)) return {};
  const field = fieldText(path);
  const property = pageProperty(manifest, path);
  const onPage = property === undefined ? '' : `; on a page by ${property}`;
  if (cause === DriftCause.CONTESTED || living === undefined) return { keep: `leave out ${field}${onPage}` };
  const value = shownJson(living);
  return { keep: `${value.includes(HIDDEN) ? `write ${field} as it is in the cluster` : `write ${field}: ${value}`}${onPage}` };
}
