import { FieldPath } from './fields';

/** Fault at one place of a value, and the fix. */
export interface Finding {
  /** The field that is wrong or missing, from the value that was checked; empty for the value as a whole. */
  readonly path: FieldPath;

  /** Message, naming the value that was given. No full stop at the end. */
  readonly message: string;

  /**
   * The values that would have been accepted.
   *
   * @default - the message or the fix says it
   */
  readonly accepted?: string;

  /** Fix, as an instruction. No full stop at the end. */
  readonly fix: string;
}

/** The findings of a value, from an object that has the value at a path. */
export function findingsAt(path: FieldPath, findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => ({ ...finding, path: [...path, ...finding.path] }));
}

/** A finding for each thing that is wrong at one place; `undefined` is nothing wrong. */
export function findingsOf(path: FieldPath, messages: readonly (string | undefined)[], fix: string): Finding[] {
  return messages.filter((message) => message !== undefined).map((message) => ({ path, message, fix }));
}

const NOTHING: readonly never[] = Object.freeze([]);

/** Findings of several checks, in their order. Nearly always there are none, and no list is made. */
export function allOf<T>(...found: readonly (readonly T[])[]): readonly T[] {
  let all: readonly T[] = NOTHING;
  for (let index = 0; index < found.length; index++) {
    if (found[index].length > 0) all = all.length === 0 ? found[index] : [...all, ...found[index]];
  }
  return all;
}

/** Findings without those that are the same for several machines, tenants or parts of one object. */
export function distinctFindings(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify([finding.path, finding.message]), finding])).values()];
}
