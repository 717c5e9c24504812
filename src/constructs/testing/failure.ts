import { TESTING_RULES } from './rules';
import { ManifestObject, objectName } from '../../manifests/objects/manifest-object';
import { manifestsText } from '../../manifests/objects/yaml/manifests-text';
import { Rule } from '../../manifests/values/problem';

/** A value that is not the one that a test expects. */
export interface Mismatch {
  /** What the value is of, such as `memory`. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** What a failed assertion shows. */
export interface Failure {
  /** @default - `TC-TESTING-ASSERTION` */
  readonly rule?: Rule;

  /** The subject, such as `tenant-acme/acme pool general`. */
  readonly subject: string;

  /** What is wrong, a line each. */
  readonly lines: readonly string[];

  /** Objects to show. */
  readonly objects?: readonly (ManifestObject | undefined)[];
}

/** An error that every test runner prints as it is. */
export function failure({ rule = TESTING_RULES.assertion, subject, lines, objects = [] }: Failure): Error {
  const shown = [...new Set(objects)].filter((object) => object !== undefined)
    .map((object) => `\n${objectName(object)}:\n${indented(manifestsText([object]).trimEnd())}`);
  return new Error([`${rule.id} ${subject}`, ...lines.map(indented), ...shown].join('\n'));
}

/** What differs, as a line of a failure. */
export function mismatchLine({ what, expected, found }: Mismatch): string {
  return `${what}: expected ${expected}; found ${found}`;
}

/** A value as the user would write it. */
export function shownValue(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

/** Several names on a line. */
export function listWords(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
