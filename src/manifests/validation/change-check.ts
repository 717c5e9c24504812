import { pairManifests } from './pair-manifests';
import { transitionRules } from './transition-rules';
import { withoutVariableChanges } from './variables';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { secretsOf } from '../objects/secret-values';
import { FIELD_RULE } from '../rules/changes/definition-changes';
import { ManifestChange, TransitionRule } from '../rules/changes/transition-rule';
import { ManifestIndex } from '../rules/manifest-index';
import { RuleFinding } from '../rules/manifest-rule';
import { withoutRepeatedRules } from '../rules/structure/structure-rules';
import { storedPair } from '../stored/stored-objects';
import { isSecretMade } from '../systems/made-secrets';
import { fieldAt } from '../values/fields';
import { HIDDEN } from '../values/secret-text';

/** Messages cut long values. So much of the beginning of one is enough to recognize it. */
const RECOGNIZED = 40;

/** Shorter secrets are recognized in quotes only. */
const SHORTEST_WORD = 3;

/** Longer ones are recognized inside of words, too. */
const LONGEST_WORD = 8;

/** Secrets that may be a word of the message, or the name of something else. They are recognized as a whole value, or if the finding's value holds them. */
const NAME = /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/;

/**
 * Returns findings without secrets, which messages quote as values.
 *
 * @param findings the findings
 * @param objects the objects that they are about: one, or its states before and after a change
 */
export function withoutSecretValues(findings: readonly RuleFinding[], ...objects: readonly (ManifestObject | undefined)[]): readonly RuleFinding[] {
  if (findings.length === 0) return findings;
  const starts = new Set(objects.flatMap((object) => secretsOf(object)).flatMap(writtenForms).map((text) => text.slice(0, RECOGNIZED)));
  if (starts.size === 0) return findings;
  const lengths = [...new Set([...starts].map(({ length }) => length))].sort((one, other) => other - one);
  return findings.map((finding) => {
    const values = objects.map((object) => fieldAt(object, ...finding.path)).filter((value) => typeof value !== 'object' || Array.isArray(value));
    const shown = (text: string) => shownText(text, starts, lengths, values);
    return { ...finding, message: shown(finding.message), fix: shown(finding.fix) };
  });
}

/** The beginning of a secret as messages write it: as it is, as a part of JSON, decoded. */
function writtenForms(whole: string): string[] {
  const secret = whole.slice(0, 4 * RECOGNIZED);
  const decoded = /^[A-Za-z0-9+/]{4,}={0,2}$/.test(secret) ? Buffer.from(secret, 'base64').toString('utf8').trim() : '';
  return [secret, decoded].filter((text) => text !== '').flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
}

/** Looks for all secrets at once: there may be as many as findings. */
function shownText(text: string, starts: ReadonlySet<string>, lengths: readonly number[], values: readonly unknown[]): string {
  let shown = '';
  for (let at = 0; at < text.length;) {
    const length = lengths.find((one) => starts.has(text.slice(at, at + one)) && isValue(text, at, at + one, values));
    if (length === undefined) {
      shown += text[at++];
    } else {
      shown += HIDDEN;
      at += length;
      // A longer secret ends with its quotes.
      while (length === RECOGNIZED && at < text.length && text[at] !== '"') at++;
    }
  }
  return shown;
}

/** Returns true if what may be a secret is one here, and no part or word of something else. */
function isValue(text: string, start: number, end: number, values: readonly unknown[]): boolean {
  const [before, after] = [text.charAt(start - 1), text.charAt(end)];
  const secret = text.slice(start, end);
  if (secret.length < SHORTEST_WORD) return before === '"' && after === '"';
  if (NAME.test(secret) && !values.some((value) => value !== secret && String(value).includes(secret))) return /["'=]/.test(before) && (secret.length === RECOGNIZED || !/[\w./-]/.test(after));
  return secret.length >= LONGEST_WORD || !(/\w/.test(before) || /\w/.test(after));
}

/** Findings in an object that is not written any more. */
export interface GoneFindings {
  readonly object: ManifestObject;
  readonly findings: readonly RuleFinding[];
}

/** Findings in changes, found before the validation. */
export interface FoundChanges {
  /** Findings in the change of an object, by the object as it is now. */
  readonly ofNow: ReadonlyMap<unknown, readonly RuleFinding[]>;

  /** Findings in objects that are not written any more. */
  readonly gone: readonly GoneFindings[];
}

/** Comparison of the objects of one place. */
export interface ComparedObjects {
  /** Finds faults in the change of an object of now. */
  ofNow(object: ManifestObject): readonly RuleFinding[];

  /** Finds faults in the removal of objects that are not written any more. */
  ofGone(): readonly GoneFindings[];
}

/** Checks changes of objects against rules. Each object is checked once, by the rules of its kind alone. */
export class ChangeCheck {
  private readonly byKind = new Map<string, readonly TransitionRule[]>();

  /** @param rules the rules */
  public constructor(public readonly rules: readonly TransitionRule[] = transitionRules()) {}

  /**
   * Compares the objects of one place.
   *
   * @param before what was written there
   * @param objects what is written there now
   * @param now what is written now, to look others up in
   * @param unchanged further objects that were written in the same way before, to look others up in
   */
  public compare(
    before: readonly ManifestObject[], objects: readonly ManifestObject[], now: ManifestIndex, unchanged: readonly ManifestObject[] = [],
  ): ComparedObjects {
    const old = new ManifestIndex([...before, ...unchanged]);
    const pairs = pairManifests(before, objects);
    return {
      ofNow: (after) => this.check({ before: pairs.before.get(after), after, old, now }),
      ofGone: () => pairs.gone.map((object) => ({ object, findings: this.check({ before: object, old, now }) })),
    };
  }

  /** Returns the findings in what became of one object. */
  public check(change: ManifestChange): readonly RuleFinding[] {
    const { before, after } = change;
    const object = after ?? before;
    if (before && !after && isMadeAnew(before, change.now)) return [];
    const rules = object ? this.rulesOf(groupKind(object)) : [];
    if (rules.length === 0) return [];
    const stored = before && after ? { ...change, ...storedPair(before, after) } : change;
    const findings = rules.flatMap((rule) => rule.check(rule.asWritten ? change : stored).map((finding) => ({ ...finding, rule })));
    return withoutSecretValues(withoutVariableChanges(withoutRepeatedRules(findings, FIELD_RULE), before, after), before, after);
  }

  private rulesOf(kind: string): readonly TransitionRule[] {
    let found = this.byKind.get(kind);
    if (!found) {
      found = this.rules.filter(({ kinds, kindSuffix }) => kinds.includes(kind) || (kindSuffix !== undefined && kind.endsWith(kindSuffix)));
      this.byKind.set(kind, found);
    }
    return found;
  }
}

/** True of a Secret that a controller makes anew of another object. */
function isMadeAnew(removed: ManifestObject, now: ManifestIndex): boolean {
  return groupKind(removed) === '/Secret' && isSecretMade(now, namespaceOf(removed), nameOf(removed) ?? '');
}
