import { isSecretName } from './secret-names';

/** Stands for a value that may be secret. */
export const HIDDEN = '(hidden)';

/** Tokens that their form gives away: of kubeadm, GitHub, GitLab, AWS, Slack, Stripe and others, JSON Web Tokens, and hashes of passwords. */
const TOKEN = new RegExp([
  '(?<![\\w.-])[a-z0-9]{6}\\.(?=[a-z]{0,15}[0-9])[a-z0-9]{16}(?![\\w.-])', '\\bgh[oprsu]_\\w{20,255}', '\\bgithub_pat_\\w{20,255}', '\\bgl[a-z]{2,6}-[\\w-]{20,255}', '\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b',
  '\\bxox[a-z]-[\\w-]{10,255}', 'hooks\\.slack\\.com/[\\w/]{1,255}', '\\b[rsp]k_(?:live|test)_\\w{10,255}', '\\bsk-[\\w-]{20,255}', '\\beyJ[\\w-]{10,4096}(?:\\.[\\w-]{0,4096}){1,4}',
  '\\bhv[bs]\\.[\\w-]{20,255}', '\\bnpm_\\w{20,255}', '\\bdop_v1_\\w{20,255}', '\\bAIza[\\w-]{30,50}', '\\$(?:apr1|2[abxy]|[156y]|argon2\\w{1,2}|scrypt)\\$[^\\s"\']{1,512}',
].join('|'), 'g');

/** User and password in a URL; the user `git` alone is public. */
const USER = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/)(?!git@)[^\s/?#"'<>]{1,512}@/gi;
const AUTHORIZATION = /\b(Bearer|Basic)\s{1,5}([^\s"',;]{4,4096})/gi;

/** `name=value`, `name: value`, `"name":"value"`. */
const PAIR = /(?<![\w.-])([\w.-]{1,100})(["']?\s{0,5}=\s{0,5}|["']?\s{0,5}:\s{1,5}|["']:)("[^"]{1,4096}"|'[^']{1,4096}'|[^\s"',;&]{1,4096})/g;

/** `--name value`. */
const FLAG = /(?<!\S)(--?[\w.-]{1,100})(\s{1,5})("[^"]{1,4096}"|'[^']{1,4096}'|[^\s"'-][^\s"']{0,4096})/g;

/** Values of `-p` that are no password: a path, a number. */
const NO_PASSWORD = /^(?:["']?[/.]|\d{1,9}$)/;

/**
 * Returns a text of one line in which the secret parts are replaced: users of URLs, values of names and flags of secrets, tokens that their form
 * gives away. The time is linear in the text.
 *
 * @param text the text
 * @param hide returns what is shown of a secret
 */
export function hideSecretParts(text: string, hide: (secret: string) => string = () => HIDDEN): string {
  const shown = (value: string) => {
    const [, quote, inner] = /^(["']?)([^]*?)\1$/.exec(value)!;
    return inner === '' || inner.startsWith(HIDDEN) ? value : `${quote}${hide(inner)}${quote}`;
  };
  const plain = withoutUsers(text, shown)
    .replace(AUTHORIZATION, (_, scheme: string, value: string) => `${scheme} ${shown(value)}`)
    .replace(TOKEN, shown);
  return hideNamedParts(plain, shown);
}

/** Values of names and flags; in quotes, there may be further ones. */
function hideNamedParts(text: string, shown: (value: string) => string): string {
  const inside = (value: string) => (/^["']/.test(value) ? `${value[0]}${hideNamedParts(value.slice(1, -1), shown)}${value[0]}` : value);
  return text
    .replace(PAIR, (_, name: string, between: string, value: string) => `${name}${between}${isSecretName(name) ? shown(value) : inside(value)}`)
    .replace(FLAG, (_, flag: string, between: string, value: string) => `${flag}${between}${isSecretArgument(flag, value) ? shown(value) : inside(value)}`);
}

/** Returns true if the argument after a flag is a secret: `--password`, and `-p` unless a path or a number follows. */
export function isSecretArgument(flag: string, value: string): boolean {
  return flag === '-p' ? !NO_PASSWORD.test(value) : isSecretName(flag);
}

/** Returns a text without users and passwords in URLs. */
export function withoutUsers(text: string, shown: (user: string) => string = () => HIDDEN): string {
  return text.replace(USER, (all: string, scheme: string) => `${scheme}${shown(all.slice(scheme.length, -1))}@`);
}
