import { TransitionExample } from './transition-rule';

/** What an example changes in its text: parts, and what they become. */
export type TextEdits = Readonly<Record<string, string>>;

/** A text with parts of it replaced. */
export function edited(text: string, edits: TextEdits): string {
  return Object.entries(edits).reduce((result, [part, other]) => result.replaceAll(part, other), text);
}

/**
 * A change that breaks a rule, and another one that does not.
 *
 * @param before what was there
 * @param failing edits that break the rule
 * @param corrected edits that do not
 */
export function changedText(before: string, failing: TextEdits, corrected: TextEdits): TransitionExample {
  return { before, failing: edited(before, failing), corrected: edited(before, corrected) };
}

/** Several documents. */
export function documents(...texts: readonly string[]): string {
  return texts.map((text) => text.replace(/\n?$/, '\n')).join('---\n');
}
