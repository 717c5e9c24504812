import { ManifestRule, RuleExample } from './manifest-rule';
import { ManifestObject } from '../objects/manifest-object';
import { readText } from '../objects/manifest-text';
import { FieldPath, isFields } from '../values/fields';
import { Finding } from '../values/finding';

/** Keys whose text is a secret, rather than the name of one, or of one of its keys. */
const SECRET_KEY = /(?:pass(?:word|wd|phrase)|token|api_?key|secret_?access_?key|client_?secret|private_?key)$/i;

/** Keys that end in the same way and name something: `existingPassword`, `tokenSecretRef.key` is no such key at all. */
const NAMING = /^existing/i;

/** Texts that stand for another one: a variable, a template, a reference that a plug-in of the tool replaces, a file. */
const STANDS_FOR = /^(?:\/|file:|ref\+|vault:|ENC\[|AGE-)|\$[({_]|\{\{|^<.*>$/;

/** A field that holds values of a chart, as fields or as a text. */
export interface ValuesPlace {
  readonly path: FieldPath;
  readonly values?: unknown;
  readonly text?: string;
}

/** Differences between the tools that install charts. */
export interface ValuesSecretRule {
  readonly id: string;
  readonly kind: string;
  readonly example: RuleExample;

  /** The way out, beside a Secret of the tenant. */
  readonly fix: string;

  /** The values that an object holds. */
  valuesOf(object: ManifestObject): readonly ValuesPlace[];
}

/** The rule that values of a chart hold no secret as text: who can read the repository or the object knows it. */
export function valuesSecret({ id, kind, example, fix, valuesOf }: ValuesSecretRule): ManifestRule {
  return {
    id,
    title: 'Values of a chart should hold no passwords, tokens and keys: they are readable in the repository, and in the object.',
    source: 'kubernetes.io/docs/concepts/security/secrets-good-practices',
    kinds: [kind],
    trap: true,
    warning: true,
    example,
    check: (object) => valuesOf(object).flatMap(({ path, values, text }) => {
      const isText = text !== undefined;
      return secretsIn(isText ? readValues(text) : values).map((inner): Finding => ({
        path: isText ? path : [...path, ...inner],
        message: `"${inner.join('.')}" is plain text to anyone with access to the repository or to this object`,
        fix: `replace the value, which is known now; name a Secret of the tenant, for which most charts have a key such as existingSecret${fix}`,
      }));
    }),
  };
}

function readValues(text: string): unknown {
  return readText(text).documents[0]?.value;
}

function secretsIn(value: unknown): FieldPath[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((entry, index) => secretsIn(entry).map((path) => [index, ...path]));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (
    typeof inner === 'string' ? (isSecret(key, inner) ? [[key]] : []) : secretsIn(inner).map((path) => [key, ...path])));
}

function isSecret(key: string, text: string): boolean {
  return text !== '' && SECRET_KEY.test(key) && !NAMING.test(key) && !STANDS_FOR.test(text);
}
