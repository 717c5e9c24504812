import { ManifestObject } from '../manifests/manifest-object';
import { secretsOf } from '../manifests/secret-values';
import { RuleFinding } from '../rules/manifest-rule';
import { HIDDEN } from '../values/secret-text';

/** Messages cut long values. So much of the beginning of one is enough to recognize it. */
const RECOGNIZED = 40;

/** Shorter secrets are recognized in quotes only. */
const SHORTEST_WORD = 3;

/** Findings without the secrets of their object, which messages quote as values. */
export function withoutSecretValues(object: ManifestObject, findings: readonly RuleFinding[]): readonly RuleFinding[] {
  if (findings.length === 0) return findings;
  const secrets = [...new Set(secretsOf(object).flatMap(writtenForms))].sort((one, other) => other.length - one.length);
  if (secrets.length === 0) return findings;
  const shown = (text: string) => secrets.reduce(withoutSecret, text);
  return findings.map(({ accepted, ...finding }) => ({
    ...finding,
    message: shown(finding.message),
    ...(accepted !== undefined && { accepted: shown(accepted) }),
    fix: shown(finding.fix),
  }));
}

/** A secret as messages write it: as it is, as a part of JSON, decoded. */
function writtenForms(secret: string): string[] {
  const decoded = /^[A-Za-z0-9+/]{4,}={0,2}$/.test(secret) ? Buffer.from(secret, 'base64').toString('utf8').trim() : '';
  return [secret, decoded].filter((text) => text !== '').flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
}

function withoutSecret(text: string, secret: string): string {
  if (secret.length < SHORTEST_WORD) return text.replaceAll(`"${secret}"`, `"${HIDDEN}"`);
  const start = secret.slice(0, RECOGNIZED);
  let [shown, from] = ['', 0];
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, from)) {
    let end = at + start.length;
    while (end < text.length && text[end] === secret[end - at]) end++;
    const isWord = secret.length >= RECOGNIZED || !(isWordAt(text, at - 1) || isWordAt(text, end));
    shown += text.slice(from, at) + (isWord ? HIDDEN : text.slice(at, end));
    from = end;
  }
  return shown + text.slice(from);
}

function isWordAt(text: string, index: number): boolean {
  return /\w/.test(text.charAt(index));
}
