import { checkDns1035Label, checkDnsLabel, checkDnsSubdomain, DNS_LABEL_MAX_LENGTH } from './dns';
import { nodeCrypto } from './node-crypto';

const HASH_DIGITS = 8;

/**
 * Joins the parts of an object's name with hyphens and shortens the result to a DNS label.
 *
 * Undefined and empty parts are left out. Parts may hold hyphens, so `('a-b', 'c')` and `('a', 'b-c')` give one name: where both can
 * occur in one namespace, the caller has to look for the collision.
 */
export function joinName(...parts: (string | undefined)[]): string {
  return shortenName(parts.filter((part) => part).join('-'));
}

/**
 * Makes a name fit. One that fits stays as it is; a longer one keeps its head, followed by a hyphen and eight hex digits of the
 * SHA-256 of the whole name, so that names with one head stay apart.
 *
 * The result is a DNS label (or subdomain) whenever the given name would be one if it were shorter.
 *
 * @param name the full name
 * @param maxLength longest accepted name in characters, at least 10
 */
export function shortenName(name: string, maxLength = DNS_LABEL_MAX_LENGTH): string {
  if (maxLength < HASH_DIGITS + 2) {
    throw new RangeError(`a name cannot be shortened to ${maxLength} characters; accepted are at least ${HASH_DIGITS + 2}`);
  }
  if (name.length <= maxLength) {
    return name;
  }
  const hash = nodeCrypto().createHash('sha256').update(name, 'utf8').digest('hex').slice(0, HASH_DIGITS);
  const head = headOf(name, maxLength);
  return head === '' ? hash : `${head}-${hash}`;
}

/** Returns the beginning of all names that `joinName` makes of these parts and at least one more. */
export function joinedPrefix(...parts: string[]): string {
  const prefix = `${parts.join('-')}-`;
  const head = headOf(prefix, DNS_LABEL_MAX_LENGTH);
  return `${head}-` === prefix ? prefix : head;
}

function headOf(name: string, maxLength: number): string {
  return name.slice(0, maxLength - HASH_DIGITS - 1).replace(/[-.]+$/, '');
}

/** Grammars of object names; which one a kind demands is decided by its API. */
export type NameGrammar = 'label' | 'letter-first-label' | 'subdomain';

/** Requirements of a name. */
export interface NameRules {
  /**
   * Grammar of the name: a DNS label, a DNS label that starts with a letter (DNS-1035), or a DNS subdomain (labels joined by dots).
   *
   * @default 'label'
   */
  readonly grammar?: NameGrammar;

  /**
   * Longest accepted name in characters, where names derived from it or label values ask for less than the grammar.
   *
   * @default - what the grammar allows: 63 for labels, 253 for subdomains
   */
  readonly maxLength?: number;
}

const CHECKS: Record<NameGrammar, (text: string, maxLength?: number) => string | undefined> = {
  'label': checkDnsLabel,
  'letter-first-label': checkDns1035Label,
  'subdomain': checkDnsSubdomain,
};

/**
 * Checks the name of an object.
 *
 * @returns what is wrong with it, or undefined
 */
export function checkName(name: string, rules: NameRules = {}): string | undefined {
  return CHECKS[rules.grammar ?? 'label'](name, rules.maxLength);
}

/**
 * The fix for a name that is not accepted: the name that the user most likely meant, if that is accepted.
 *
 * @param name the name
 * @param check says what is wrong with a name; undefined if nothing is
 * @param maxLength longest accepted name, in characters
 */
export function nameFix(name: string, check: (name: string) => string | undefined, maxLength: number): string {
  const likely = name.toLowerCase().replace(/[^a-z0-9-]+/g, '-').replace(/^[^a-z]+|(?<!-)-+$/g, '');
  if (likely !== '' && check(likely) === undefined) return `write "${likely}", also wherever the name is referred to`;
  return name.length > maxLength ? `shorten it by at least ${name.length - maxLength} characters` : 'choose a name of lower-case letters, digits and "-" that starts with a letter';
}
