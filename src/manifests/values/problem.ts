import { fieldText } from './fields';
import { Finding } from './finding';
import { withoutUsers } from './secret-text';

/**
 * A rule that the library holds its input to: a stable id, what it demands, and where upstream says so.
 *
 * The id is part of the library's contract: it stays the same when the wording changes.
 */
export interface Rule {
  /**
   * Stable identifier, upper-case words joined by hyphens, e.g. `TC-POOL-AUTOSCALING-OPTION`.
   *
   * Rules of this library start with `TC-`; a third party's strategy uses a prefix of its own.
   */
  readonly id: string;

  /** The rule, in one sentence. */
  readonly title: string;

  /**
   * Project and file, or documentation page, that the rule comes from.
   *
   * @default - a rule of this library's own
   */
  readonly source?: string;

  /**
   * True if breaking the rule is only warned about: the input works, and may be intended.
   *
   * @default false - synthesis refuses it
   */
  readonly warning?: boolean;
}

/** One finding: a value that breaks a rule, and the way out. */
export interface Problem {
  /** The rule that is broken. */
  readonly rule: Rule;

  /** Message, naming the value that was given. No full stop at the end. */
  readonly message: string;

  /**
   * The property that holds the value, as the user wrote it, e.g. `size` or `machine.rootDisk.size`.
   *
   * @default - the construct as a whole
   */
  readonly property?: string;

  /**
   * The values that would have been accepted.
   *
   * @default - the fix says it
   */
  readonly accepted?: string;

  /** Fix, as an instruction. No full stop at the end. */
  readonly fix: string;

  /**
   * The image that the problem is about, as it was given: `ImageSources` may replace it.
   *
   * @internal
   */
  readonly _image?: string;
}

/**
 * Renders a problem as one line. cdk8s puts the construct path before it.
 *
 * @internal
 */
export function formatProblem(problem: Problem): string {
  const where = problem.property ? `${problem.property}: ` : '';
  const accepted = problem.accepted ? ` Accepted: ${problem.accepted}.` : '';
  const line = withoutUsers(`${problem.rule.id} ${where}${problem.message}.${accepted} ${fixSentence(problem.fix)}`);
  // Values may hold line breaks, and an entry of the error is one line.
  return line.replace(/\r?\n/g, '\\n');
}

/** Of constructs with the same problem, this many are named: what is wrong with a fleet's profile is wrong with each of its clusters. */
const MOST_NAMED = 3;

/**
 * The constructs that a problem is about, before its line; empty for the app itself.
 *
 * @param paths their paths
 *
 * @internal
 */
export function placeText(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  return paths.every((path) => path === '') ? '' : `[${paths.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}] `;
}

/**
 * The way out as a sentence; one that asks whether something else was meant is one already.
 *
 * @internal
 */
export function fixSentence(fix: string): string {
  return `Fix: ${fix}${fix.endsWith('?') ? '' : '.'}`;
}

/**
 * The problems that the findings of a property's value are.
 *
 * @internal
 */
export function problemsOf(rule: Rule, property: string, findings: readonly Finding[]): Problem[] {
  return findings.map(({ path, message, accepted, fix }) => ({ rule, property: fieldText(path, property), message, accepted, fix }));
}

/**
 * A problem if a check found something, nothing otherwise.
 *
 * @internal
 */
export function problemIf(rule: Rule, property: string, message: string | undefined, fix: string): Problem[] {
  return message === undefined ? [] : [{ rule, property, message, fix }];
}
