import { ForeignText } from '../objects/foreign-text';

/** Place of an object or a field. */
export interface Place {
  /** File as the user named it; `-` is standard input. */
  readonly file: string;

  /** Line in that file, counted from 1. */
  readonly line?: number;

  /** Place inside the object of that line, if it is packed, e.g. `ConfigMap a/b, data "manifests.yaml", line 7`. */
  readonly inside?: string;
}

/** Something that is wrong, or could not be looked at, in a place. */
export interface Remark {
  readonly place: Place;

  /** The problem. No full stop at the end. */
  readonly message: string;

  /** True if it is meant for a server, and every server rejects it. */
  readonly isRefused?: boolean;

  /** True if another program reads it, and no object can come out of it. */
  readonly isOfProgram?: boolean;

  /** True if it is meant for another program, which does not read it either. */
  readonly isUnreadable?: boolean;

  /** Nature of a file that is no YAML, and that no server is meant to get as it is. */
  readonly foreign?: ForeignText;
}

/** Order of places: by file, line, and what is inside. */
export function comparePlaces(one: Place, other: Place): number {
  return compareTexts(one.file, other.file) || (one.line ?? 0) - (other.line ?? 0) || compareTexts(one.inside ?? '', other.inside ?? '');
}

/** Order of strings that does not depend on the locale. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** A place in the format that editors and terminals link. */
export function placeText({ file, line, inside }: Place): string {
  return `${file === '-' ? 'standard input' : file}${line === undefined ? '' : `:${line}`}${inside === undefined ? '' : ` (${inside})`}`;
}

/** Remarks with one message each, in the order of the first of them. */
export function byMessage(remarks: readonly Remark[]): readonly (readonly Remark[])[] {
  const found = new Map<string, Remark[]>();
  for (const remark of remarks) {
    const same = found.get(remark.message);
    if (same) same.push(remark);
    else found.set(remark.message, [remark]);
  }
  return [...found.values()];
}

/** A remark on one line. */
export function remarkText({ place, message }: Remark): string {
  return `${placeText(place)}: ${message}`;
}
