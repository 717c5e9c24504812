import { TransitionExample } from './changes/transition-rule';
import { RuleExample } from './manifest-rule';

// Texts of the examples of rules.

/** An example as it is shown: of a long run of one character, a few and their number. */
export function shortened(text: string): string {
  return text.replace(/(.)\1{200,}/g, (run, character: string) => `${character.repeat(3)}… (${run.length} times "${character}")`);
}

/** A text that is right, and the same with one part replaced; beside them what both need. */
export function replaced(text: string, right: string, wrong: string, ...beside: readonly string[]): RuleExample {
  return { failing: documents(text.replace(right, wrong), ...beside), corrected: documents(text, ...beside) };
}

/** Moves each line of a text to the right, and ends it with a line break. */
export function indented(text: string, columns: number): string {
  return text === '' ? '' : `${text.replace(/\n$/, '').replace(/^(?=.)/gm, ' '.repeat(columns))}\n`;
}

/** Edits of an example's text: parts, and their replacements. */
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

/** Joins texts of YAML to a stream of documents. */
export function documents(...texts: readonly string[]): string {
  return texts.map((text) => text.replace(/\n?$/, '\n')).join('---\n');
}
