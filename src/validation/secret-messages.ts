import { ManifestObject } from '../manifests/manifest-object';
import { secretsOf } from '../manifests/secret-values';
import { RuleFinding } from '../rules/manifest-rule';
import { HIDDEN } from '../values/secret-text';

/** Messages cut long values. So much of the beginning of one is enough to recognize it. */
const RECOGNIZED = 40;

/** Shorter secrets are recognized in quotes only. */
const SHORTEST_WORD = 3;

/** Longer ones are recognized inside of words, too. */
const LONGEST_WORD = 8;

/** Findings without the secrets of their object, which messages quote as values. */
export function withoutSecretValues(object: ManifestObject, findings: readonly RuleFinding[]): readonly RuleFinding[] {
  if (findings.length === 0) return findings;
  const starts = new Set(secretsOf(object).flatMap(writtenForms).map((text) => text.slice(0, RECOGNIZED)));
  if (starts.size === 0) return findings;
  const lengths = [...new Set([...starts].map(({ length }) => length))].sort((one, other) => other - one);
  const shown = (text: string) => shownText(text, starts, lengths);
  return findings.map(({ accepted, ...finding }) => ({
    ...finding,
    message: shown(finding.message),
    ...(accepted !== undefined && { accepted: shown(accepted) }),
    fix: shown(finding.fix),
  }));
}

/** The beginning of a secret as messages write it: as it is, as a part of JSON, decoded. */
function writtenForms(whole: string): string[] {
  const secret = whole.slice(0, 4 * RECOGNIZED);
  const decoded = /^[A-Za-z0-9+/]{4,}={0,2}$/.test(secret) ? Buffer.from(secret, 'base64').toString('utf8').trim() : '';
  return [secret, decoded].filter((text) => text !== '').flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
}

/** Looks for all secrets at once: there may be as many as findings. */
function shownText(text: string, starts: ReadonlySet<string>, lengths: readonly number[]): string {
  let shown = '';
  for (let at = 0; at < text.length;) {
    const length = lengths.find((one) => starts.has(text.slice(at, at + one)) && isWhole(text, at, at + one));
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

/** Returns true if a secret is no part of a word. A short one must be in quotes. */
function isWhole(text: string, start: number, end: number): boolean {
  const [before, after] = [text.charAt(start - 1), text.charAt(end)];
  if (end - start < SHORTEST_WORD) return before === '"' && after === '"';
  return end - start >= LONGEST_WORD || !(/\w/.test(before) || /\w/.test(after));
}
