import { ManifestObject } from '../objects/manifest-object';
import { secretsOf } from '../objects/secret-values';
import { RuleFinding } from '../rules/manifest-rule';
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
