/** What a box stands for; it decides over its colour. */
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
}

/** What legends call the roles. */
export const ROLE_WORDS: Readonly<Record<BoxRole, string>> = {
  [BoxRole.CLUSTER]: 'cluster',
  [BoxRole.CONTROL_PLANE]: 'control plane',
  [BoxRole.INFRASTRUCTURE]: 'infrastructure',
  [BoxRole.POOL]: 'pool of machines',
  [BoxRole.CONTROLLER]: 'controller',
  [BoxRole.DELIVERY]: 'delivery',
  [BoxRole.ADDON]: 'addon',
  [BoxRole.WAVE]: 'wave',
};

/** A box. */
export interface Box {
  /** Letters, digits and `-`; no other box of the picture has it. */
  readonly id: string;
  readonly role: BoxRole;
  readonly title: string;

  /** What is said of it, line by line. */
  readonly lines: readonly string[];
}

/** An arrow between two boxes. */
export interface Arrow {
  readonly from: string;
  readonly to: string;

  /** Whether it is drawn with dashes: what comes after what, not what has what. */
  readonly isOrder: boolean;
}

/** Boxes that are in the same place. Arrows stay inside. */
export interface Group {
  readonly id: string;
  readonly title: string;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** What is drawn: groups one below the other. */
export interface Picture {
  /** Letters, digits and `-`; no other picture of the page has it. */
  readonly id: string;
  readonly title: string;

  /** The picture in a sentence, for screen readers. */
  readonly description: string;
  readonly groups: readonly Group[];

  /** What stands at the arrow from the first group to the second. */
  readonly between?: string;
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
