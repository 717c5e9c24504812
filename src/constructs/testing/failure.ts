import { ManifestObject, objectName } from '../../manifests/objects/manifest-object';
import { manifestsText } from '../../manifests/objects/yaml/manifests-text';
import { nearestName } from '../../manifests/values/nearest-name';
import { Rule } from '../../manifests/values/problem';

/** A value that is not the one that a test expects. */
export interface Mismatch {
  /** The property, such as `memory`. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** The content of a failed assertion. */
export interface Failure {
  /** @default - `TC-TESTING-ASSERTION` */
  readonly rule?: Rule;

  /** The subject, such as `tenant-acme/acme pool general`. */
  readonly subject: string;

  /** The faults, a line each. */
  readonly lines: readonly string[];

  /** Objects to show. */
  readonly objects?: readonly (ManifestObject | undefined)[];
}

const ASSERTION_RULE: Rule = {
  id: 'TC-TESTING-ASSERTION',
  title: 'The manifests of a tenant cluster must be what its test expects.',
};

/** An error that every test runner prints as it is. */
export function failure({ rule = ASSERTION_RULE, subject, lines, objects = [] }: Failure): Error {
  const shown = [...new Set(objects)].filter((object) => object !== undefined)
    .map((object) => `\n${objectName(object)}:\n${indented(manifestsText([object]).trimEnd())}`);
  return new Error([`${rule.id} ${subject}`, ...lines.map(indented), ...shown].join('\n'));
}

/** A mismatch as a line of a failure. */
export function mismatchLine({ what, expected, found }: Mismatch): string {
  return `${what}: expected ${expected}; found ${found}`;
}

/**
 * The lines of a failure about a name that does not exist.
 *
 * @param what kind of the named part, such as `pool`
 * @param name the name
 * @param names all names
 * @param shortNames the names from which one is suggested
 */
export function missingLines(what: string, name: string, names: readonly string[], shortNames = names): string[] {
  const near = nearestName(name, shortNames);
  return [`has no ${what} ${name}; its ${what}s: ${listWords(names)}`, ...near === undefined ? [] : [`Did you mean ${near}?`]];
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
