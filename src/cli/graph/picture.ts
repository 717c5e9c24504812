/** Role of a box; it decides over its color. */
export enum BoxRole {
  CLUSTER = 'cluster',
  CONTROL_PLANE = 'control-plane',
  INFRASTRUCTURE = 'infrastructure',
  POOL = 'pool',
  CONTROLLER = 'controller',
  DELIVERY = 'delivery',
  ADDON = 'addon',

  /** A point in time, between two waves. */
  WAVE = 'wave',

  /** Objects that change, and are part of nothing else in the picture. */
  OTHER = 'other',
}

/** Names of the roles in legends. */
export const ROLE_WORDS: Readonly<Record<BoxRole, string>> = {
  [BoxRole.CLUSTER]: 'cluster',
  [BoxRole.CONTROL_PLANE]: 'control plane',
  [BoxRole.INFRASTRUCTURE]: 'infrastructure',
  [BoxRole.POOL]: 'pool of machines',
  [BoxRole.CONTROLLER]: 'controller',
  [BoxRole.DELIVERY]: 'delivery',
  [BoxRole.ADDON]: 'addon',
  [BoxRole.WAVE]: 'wave',
  [BoxRole.OTHER]: 'other objects',
};

/** Change of an object or a cluster by a plan. */
export enum PlannedChange {
  CREATED = 'created',
  CHANGED = 'changed',
  REPLACED = 'replaced',
  DELETED = 'deleted',
  UNKNOWN = 'unknown',
  UNCHANGED = 'unchanged',
}

/** Names of the changes in legends. */
export const CHANGE_WORDS: Readonly<Record<PlannedChange, string>> = {
  [PlannedChange.CREATED]: 'created',
  [PlannedChange.CHANGED]: 'changed, nothing is replaced',
  [PlannedChange.REPLACED]: 'machines, pods or data replaced or deleted',
  [PlannedChange.DELETED]: 'deleted',
  [PlannedChange.UNKNOWN]: 'changed, effect unknown',
  [PlannedChange.UNCHANGED]: 'unchanged',
};

/** Signs before the titles of boxes, so that color is not the only sign. */
export const CHANGE_SIGNS: Readonly<Record<PlannedChange, string>> = {
  [PlannedChange.CREATED]: '+',
  [PlannedChange.CHANGED]: '~',
  [PlannedChange.REPLACED]: '±',
  [PlannedChange.DELETED]: '−',
  [PlannedChange.UNKNOWN]: '?',
  [PlannedChange.UNCHANGED]: '',
};

/** From the one that is looked at first to the one that is looked at last. */
export const BY_URGENCY: readonly PlannedChange[] = [
  PlannedChange.REPLACED, PlannedChange.DELETED, PlannedChange.UNKNOWN, PlannedChange.CHANGED, PlannedChange.CREATED, PlannedChange.UNCHANGED,
];

/** Part of a plan that concerns a box. */
export interface PlannedBox {
  readonly change: PlannedChange;

  /** Effects and their reasons, line by line. */
  readonly lines: readonly string[];
}

/** A box. */
export interface Box {
  /** Letters, digits and `-`; no other box of the picture has it. */
  readonly id: string;
  readonly role: BoxRole;
  readonly title: string;

  /** Description, line by line. */
  readonly lines: readonly string[];

  /**
   * Its change by the plan.
   *
   * @default - the picture shows one state, not what changes
   */
  readonly planned?: PlannedBox;
}

/** An arrow between two boxes. */
export interface Arrow {
  readonly from: string;
  readonly to: string;

  /** True if it is drawn with dashes: what comes after what, not what has what. */
  readonly isOrder: boolean;
}

/** Boxes that are in the same place. Arrows stay inside. */
export interface Group {
  readonly id: string;
  readonly title: string;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** A picture: groups one below the other. */
export interface Picture {
  /** Letters, digits and `-`; no other picture of the page has it. */
  readonly id: string;
  readonly title: string;

  /** The picture in a sentence, for screen readers. */
  readonly description: string;
  readonly groups: readonly Group[];

  /** Labels of the arrows from each group to the next one. */
  readonly between?: readonly string[];
}

/** Makes unique names: the letters and digits of a string, and a number if that name exists. */
export class Names {
  private readonly taken = new Set<string>();
  private readonly uses = new Map<string, number>();

  /** @param text what to name */
  public of(text: string): string {
    const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'x';
    let number = this.uses.get(plain) ?? 0;
    let name: string;
    do {
      number++;
      name = number === 1 ? plain : `${plain}-${number}`;
    } while (this.taken.has(name));
    this.uses.set(plain, number);
    this.taken.add(name);
    return name;
  }
}
