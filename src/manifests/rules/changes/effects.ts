import { FieldChange, fieldChanges, isGroup, membersOf, valueWords } from './field-changes';
import { ManifestChange } from './transition-rule';
import { ManifestObject } from '../../objects/manifest-object';
import { FieldPath, fieldText, isSet } from '../../values/fields';
import { hasVariable } from '../../values/variables';
import { ObjectReference } from '../references/object-references';

/** Effects of controllers on what is running when an object changes. */
export enum Effect {
  /** Nothing: the API server or a webhook refuses the change. */
  REFUSED = 'refused',

  /** A pool that never finds the machines it has created, and so creates more until a quota ends it. */
  ENDLESS = 'machines without end',

  /** Machines are replaced by new ones. */
  MACHINES = 'machines replaced',

  /** The object is deleted, or fewer machines remain. */
  DELETED = 'deleted',

  /** Pods are replaced by new ones. */
  PODS = 'pods replaced',

  /** The state of a control plane moves to another data store. */
  MOVED = 'data moved',

  /** A chart or a folder of manifests is applied anew: what it changes follows from its content. */
  RELEASE = 'release upgraded',

  /** A delivery goes to another cluster or namespace than before. */
  REDIRECTED = 'delivered elsewhere',

  /** The server accepts the change, and something fails because of it later. */
  FAILING = 'fails later',

  /** The number of machines or pods changes. */
  SCALED = 'scaled',

  /** Nothing is replaced: running machines and pods are updated, or not affected. */
  IN_PLACE = 'in place',

  /** Running machines and pods stay as they are; only new ones differ. */
  LATER = 'new ones only',

  /** It does not follow from the manifests. */
  UNKNOWN = 'unknown',
}

/** An effect of a change, and why. */
export interface ChangeEffect {
  readonly effect: Effect;

  /** The causes, in the words of the library's properties where there are such: `cpu 4 -> 8`. */
  readonly reasons: readonly string[];

  /**
   * Number of machines that it concerns, if not all.
   *
   * @default - all of them
   */
  readonly machines?: { readonly minimum: number; readonly maximum: number };

  /**
   * True of a Machine that is concerned, where its age decides.
   *
   * @default - no age does
   */
  readonly aged?: (machine: ManifestObject) => boolean;
}

/** An object that is there before and after. */
export interface ObjectUpdate extends ManifestChange {
  readonly before: ManifestObject;
  readonly after: ManifestObject;

  /** Both as they are in files, with texts that may be secret: for comparing, and not for words. Objects of other folders may have the same name. */
  readonly written: readonly [before: ManifestObject, after: ManifestObject];

  /** Differences between the templates that two references name, as reasons. */
  readonly templateReasons: (before: ObjectReference | undefined, after: ObjectReference | undefined) => readonly string[];

  /** True if what the object adds to the kustomization of its folder is in the objects that are compared. */
  readonly isBuilt?: boolean;

  /** True of a delivery whose folders were read as it applies them, before and after: what changes in them is in the objects that are compared. */
  readonly isRead?: (delivery: ManifestObject) => boolean;
}

/** Finds the effects of an update. Fields of which it says nothing have an unknown effect. */
export type EffectsOf = (update: ObjectUpdate) => readonly ChangeEffect[];

/** The effect of a change of a field and everything in it. */
export interface FieldEffect {
  readonly effect: Effect;

  /**
   * The effect when the field is not set any more.
   *
   * @default - the same
   */
  readonly removed?: Effect;

  /**
   * Name of the field in reasons.
   *
   * @default - its path
   */
  readonly word?: string;
}

/** Effects of fields, by path as `spec.replicas`; of several that hold a field the longest one counts. */
export type FieldEffects = Readonly<Record<string, FieldEffect | Effect>>;

/**
 * Effects that follow from which fields change.
 *
 * @param effects the effects of fields
 */
export function effectsOfFields(effects: FieldEffects): EffectsOf {
  return ({ before, after }) => groupEffects(fieldEffects(effects, fieldChanges(before, after)));
}

/**
 * Effects of kinds whose controllers apply each change to programs that keep running.
 *
 * @param group the group of the API
 * @param kinds the kinds
 */
export function inPlaceKinds(group: string, ...kinds: readonly string[]): Readonly<Record<string, EffectsOf>> {
  const effects = effectsOfFields({ metadata: Effect.IN_PLACE, spec: Effect.IN_PLACE });
  return Object.fromEntries(kinds.map((kind) => [`${group}/${kind}`, effects]));
}

/** The effect of each changed field. A group of fields that is added or removed as a whole is taken apart where fields in it have other effects. */
export function fieldEffects(effects: FieldEffects, changes: readonly FieldChange[]): ChangeEffect[] {
  const keys = Object.keys(effects);
  return changes.flatMap((change) => {
    const inner = `${keyOf(change.path)}.`;
    const members = keys.some((key) => key.startsWith(inner)) && isGroup(change) ? membersOf(change) : [];
    // A group that is empty may be a switch.
    if (members.length > 0) return fieldEffects(effects, members);
    const known = effectOf(effects, change);
    return [{ effect: withVariables(known?.effect ?? Effect.UNKNOWN, change), reasons: [reason(change, known)] }];
  });
}

/** The effect of a change whose values may have variables: one may stand for the value that is there, which no server refuses. */
export function withVariables(effect: Effect, { before, after }: FieldChange): Effect {
  return effect === Effect.REFUSED && [before, after].some(hasVariable) ? Effect.UNKNOWN : effect;
}

/** The reasons of each effect together, in the order of the first. */
export function groupEffects(effects: readonly ChangeEffect[]): ChangeEffect[] {
  const groups = new Map<Effect, ChangeEffect>();
  for (const { effect, reasons, machines, aged } of effects) {
    const same = groups.get(effect);
    const some = same ? same.machines && machines && mostOf(same.machines, machines) : machines;
    // Of several causes, one of which no age decides, more may be concerned.
    const ages = same ? same.aged && aged && [same.aged, aged] : aged && [aged];
    const isAged: ChangeEffect['aged'] = ages && ((machine) => ages.some((age) => age(machine)));
    groups.set(effect, { effect, reasons: [...same?.reasons ?? [], ...reasons], ...(some && { machines: some }), ...(isAged && { aged: isAged }) });
  }
  return [...groups.values()];
}

/** Machines that two causes concern together: each may concern other machines, or the same. */
function mostOf(one: NonNullable<ChangeEffect['machines']>, other: NonNullable<ChangeEffect['machines']>): NonNullable<ChangeEffect['machines']> {
  return { minimum: Math.max(one.minimum, other.minimum), maximum: Math.max(one.maximum, other.maximum) };
}

/** A changed field in words. */
export function reason(change: FieldChange, known?: { readonly word?: string; readonly path?: FieldPath }): string {
  if (known?.word === undefined) return `${fieldText(change.path)} ${valueWords(change)}`;
  const rest = change.path.slice(known.path?.length ?? change.path.length);
  const inner = rest.length === 0 ? '' : typeof rest[0] === 'number' || !/^[A-Za-z_][\w-]*$/.test(rest[0]) ? fieldText(rest) : `.${fieldText(rest)}`;
  return `${known.word}${inner} ${valueWords(change)}`;
}

/** The entry of the longest path that holds a changed field. */
export function effectOf(effects: FieldEffects, { path, after }: FieldChange): Omit<FieldEffect, 'removed'> & { readonly path: FieldPath } | undefined {
  for (let end = path.length; end > 0; end--) {
    const part = path.slice(0, end);
    const key = keyOf(part);
    if (Object.hasOwn(effects, key)) {
      const found = effects[key];
      if (typeof found === 'string') return { effect: found, path: part };
      return { effect: isSet(after) ? found.effect : found.removed ?? found.effect, word: found.word, path: part };
    }
  }
  return undefined;
}

function keyOf(path: FieldPath): string {
  return path.filter((name) => typeof name === 'string').join('.');
}
