import { RuleExample } from './manifest-rule';

// How the examples of rules are put together, and shown.

/** An example as it is shown: of a long run of one character, a few and their number. */
export function shortened(text: string): string {
  return text.replace(/(.)\1{200,}/g, (run, character: string) => `${character.repeat(3)}… (${run.length} times "${character}")`);
}

/** Several texts of YAML as one. */
export function together(...texts: readonly string[]): string {
  return texts.join('---\n');
}

/** A text that is right, and the same with one part replaced; beside them what both need. */
export function replaced(text: string, right: string, wrong: string, ...beside: readonly string[]): RuleExample {
  return { failing: together(text.replace(right, wrong), ...beside), corrected: together(text, ...beside) };
}

/** Moves each line of a text to the right, and ends it with a line break. */
export function indented(text: string, columns: number): string {
  return text === '' ? '' : `${text.replace(/\n$/, '').replace(/^(?=.)/gm, ' '.repeat(columns))}\n`;
}
