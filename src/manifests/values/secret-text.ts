/**
 * Endings of the names of secrets, in lower case, with a space between words. Those of the first list also end longer words, as in `authtoken`;
 * those of the second are whole words.
 */
const ENDINGS = `(?:${[
  'passw(?:or)?d', 'passphrase', 'passcode', 'pwd', 'token', 'secret', 'credential', 'connection ?string', 'bindpw', 'rootpw',
  '(?:access|api|auth|encryption|master|private|priv|secret|shared|signing) ?key',
].join('|')}|(?<![^ ])(?:${[
  'auth', 'authorization', 'bearer', 'cookie', 'dsn', 'jwt', 'otp', 'pass', 'pat', 'psk', 'pw', 'salt', 'sas', 'sig', 'signature', 'dbpass', 'userpass', 'keytab',
  'webhook url', 'community string', '(?:license|recovery|unseal) code', 'jaas config',
  `(?:${[
    'account', 'admin', 'aes', 'app', 'application', 'ca', 'certificate', 'client', 'cookie', 'decryption', 'deploy', 'gpg', 'hmac', 'ingestion', 'integration',
    'jwt', 'license', 'pgp', 'recovery', 'root', 'rsa', 'server', 'session', 'ssl', 'storage', 'subscription', 'tls', 'unseal', 'wireguard', 'write',
  ].join('|')}) key`,
].join('|')}))s?`;

/** Words after such a name that keep it one: `passwordHash`, `client-key-data`. */
const FORMS = '(?: (?:b64|base64|bcrypt|binary|content|data|hash|json|literal|pem|plain|plaintext|raw|sha\\d{0,3}|string|text|value)s?){0,2}';

const SECRET = new RegExp(`${ENDINGS}${FORMS}$`);

/** Names that end in the same way, and hold names of other objects, or keys of their data. */
const NAMES_OBJECTS = /(?<![^ ])existing |(?<![^ ])(?:ca|cert|certificate|config|credentials?|image|kubeconfig|password|pull|registry|tls) ?secrets?$/;

/** Annotations and labels name Secrets, and keys of their data: `cert-manager.io/inject-ca-from-secret`, `kamaji.clastix.io/kubeconfig-secret-key`. */
const ANNOTATION = /\/.*secret(?:[-_.]key)?$/i;

/** Longer names are cut. */
const LONGEST_NAME = 100;

const KNOWN = new Map<string, boolean>();
const MOST_KNOWN = 10_000;

/** Returns true if a value of this name is a secret: `adminPassword`, `--client-secret`, `AWS_SECRET_ACCESS_KEY`, `tls.key`; not `secretName` or `passwordRef`. */
export function isSecretName(name: string): boolean {
  let known = KNOWN.get(name);
  if (known === undefined) {
    if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
    KNOWN.set(name, known = isSecret(name.slice(-LONGEST_NAME)));
  }
  return known;
}

function isSecret(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2').toLowerCase()
    .split(/[^a-z0-9]+/).map((word) => (/^(?:sha|b|base)\d/.test(word) ? word : word.replace(/\d{1,9}$/, ''))).filter((word) => word !== '').join(' ');
  return SECRET.test(words) && !NAMES_OBJECTS.test(words) && !ANNOTATION.test(name);
}

/** Stands for a value that may be secret. */
export const HIDDEN = '(hidden)';

/** Tokens that their form gives away: of kubeadm, GitHub, GitLab, AWS, Slack, Stripe and others, JSON Web Tokens, and hashes of passwords. */
const TOKEN = new RegExp([
  '(?<![\\w.-])[a-z0-9]{6}\\.(?=[a-z]{0,15}[0-9])[a-z0-9]{16}(?![\\w.-])', '\\bgh[oprsu]_\\w{20,255}', '\\bgithub_pat_\\w{20,255}',
  // Source: docs.gitlab.com/security/tokens. Names of objects in Kubernetes have no capitals.
  '\\bgl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rtr?|soat|wt)-(?=[\\w-]{0,255}[A-Z_])[\\w-]{20,255}(?:\\.[\\w.-]{1,100})?',
  '\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b', '\\bxox[a-z]-[\\w-]{10,255}', 'hooks\\.slack\\.com/[\\w/]{1,255}', '\\b[rsp]k_(?:live|test)_\\w{10,255}',
  '\\bsk-(?=[\\w-]{0,255}[A-Z_])[\\w-]{20,255}', '\\beyJ[\\w-]{10,4096}(?:\\.[\\w-]{0,4096}){1,4}', '\\bhv[bs]\\.[\\w-]{20,255}', '\\bnpm_\\w{20,255}',
  '\\bdop_v1_\\w{20,255}', '\\bAIza[\\w-]{30,50}', '\\$(?:apr1|2[abxy]|[156y]|argon2\\w{1,2}|scrypt)\\$[^\\s"\']{1,512}',
].join('|'), 'g');

/** Stands for a value that is somewhere else: `$(NAME)`, `$(cat file)`, `${NAME}`, `$NAME`, `{{ .Values.name }}`. */
const VARIABLE = '(?:\\$\\((?:cat )?[\\w./-]{1,200}\\)|\\$\\{\\w{1,100}\\}|\\$[A-Z_][A-Z0-9_]{0,99}|\\{\\{[^{}"\'`]{1,200}\\}\\})';
const RANGE = '(?:\\d{1,3}(?:\\.\\d{1,3}){3}|[\\da-f:]{2,39})/\\d{1,3}';

const SWITCH = /^(?:true|false|on|off|yes|no|none|null|enabled|disabled|trace|debug|info|warn(?:ing)?|error|json|text|basic|bearer)$/i;

/** Durations, ranges of addresses, paths of files, images, variables. */
const PLAIN = new RegExp(`^(?:${[
  '(?:\\d{1,9}(?:\\.\\d{1,9})?(?:ns|us|µs|ms|s|m|h|d)){1,6}',
  `${RANGE}(?:,${RANGE}){0,9}`,
  '(?:file://)?\\.{0,2}(?:/[a-z0-9._@-]{1,100}){2,20}',
  '(?:[a-z0-9-]{1,63}\\.){1,9}[a-z]{2,20}(?::\\d{1,5})?(?:/[a-z0-9._-]{1,100}){1,9}(?::[\\w.-]{1,128})?(?:@sha256:[0-9a-f]{64})?',
  `(?:[\\w.-]{1,100}:)?${VARIABLE}(?:[:@/]?${VARIABLE}){0,9}`,
].join('|')})$`);

/** User and password in a URL; the user `git` alone is public. Some write a slash into the password. */
const USER = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}:\/\/)(?!git@)(?:[^\s/?#"'<>]{1,512}|[^\s/?#"'<>:@]{1,100}:(?!\d{1,5}[/?#])[^\s"'<>@]{1,512})@/gi;

/** User and password in an address of the driver for MySQL in Go. */
const DSN = /(?<![\w.-])([\w.-]{1,100}:[^\s@"']{1,512})(?=@(?:tcp|udp|unix)\()/g;
const SCHEME = /\b([Bb]earer|BEARER|[Bb]asic)(\s{1,5})(?=[^\s"',;]*(?:[\d=+/$]|[a-z][A-Z]|[^\s"',;]{16}))(\$\([^()"']{1,200}\)|[^\s"',;]{4,4096})/g;

/** Headers, up to the end of the line or of the quotes; without a space after the colon, up to the next one. */
const HEADER = /(?<![\w.-])(x-[\w-]{1,60}|(?:proxy-)?authorization|(?:set-)?cookie|private-token|api-?key)(:)(\s{1,5}[^"'\r\n]{1,4096}|[^\s"']{1,4096})/gi;

/** Passwords of command lines that have no flag of their own. */
const PASSWORD = new RegExp([
  '(?<=\\b(?:mysql|mariadb|sshpass)[\\w-]{0,20}\\s(?:[^|;&]{0,200}?\\s)?-p)[^\\s"\']{1,512}',
  // Not a port, a path, or a flag with a value.
  '(?<=(?<![^\\s"\'])-p)(?![\\d.:-]{1,20}(?:/(?:tcp|udp))?(?![^\\s"\']))(?=[^\\s"\'=/]{0,99}[\\d!@#$%^&*+])[^\\s"\'=/-][^\\s"\'=/]{2,512}(?![^\\s"\'])',
  '(?<=\\bredis-cli\\s(?:[^|;&]{0,200}?\\s)?-a\\s{1,5})[^\\s"\']{1,512}', '(?<=(?<![\\w:/.-])pass:)[^\\s"\']{1,512}',
].join('|'), 'g');

/** `name=value`, `name: value`, `"name":"value"`; not `--header=Name: value`, which has another name. */
const PAIR = /(?<![\w.-])([\w.-]{1,100})(["']?\s{0,5}=\s{0,5}|["']?\s{0,5}:\s{1,5}|["']:)(?![\w.-]{1,100}:\s)("[^"]{1,4096}"|'[^']{1,4096}'|\{\{[^{}]{1,200}\}\}|\$\([^()"']{1,200}\)|[^\s"',;&]{1,4096})/g;

/** `--name value`. */
const FLAG = /(?<!\S)(--?[\w.-]{1,100})(\s{1,5})("[^"]{1,4096}"|'[^']{1,4096}'|[^\s"'-][^\s"']{0,4096})/g;

/** Names of numbers that are no secrets: `maxTokens: 100`. */
const COUNTED = /(?:token|secret|password|credential)s$/i;

/** Flags that take user and password. */
const USER_FLAG = /^(?:-u|--(?:proxy-)?user)$/;
const USER_AND_PASSWORD = /^(?!\d{1,9}:\d{1,9}$)[^\s:/]{0,100}:[^\s/]/;

/** Values of `-p` that are no password: a path, a port. */
const NO_PASSWORD = /^(?:[/.]|\$\w{1,100}\/|[\d.:,-]{1,50}(?:\/(?:tcp|udp))?$|[\w.-]{1,100}\/[\w./-]{1,200}$)/;

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
    return inner === '' || inner.startsWith(HIDDEN) || isPlain(inner) ? value : `${quote}${hide(inner)}${quote}`;
  };
  const plain = withoutUsers(text, shown)
    .replace(DSN, shown)
    .replace(HEADER, (all, name: string, colon: string, value: string) => (
      isSecretName(name) ? `${name}${colon}${value.replace(/^(\s*(?:(?:Bearer|Basic)\s+)?)(.*)$/i, (_, before: string, secret: string) => `${before}${shown(secret)}`)}` : all))
    .replace(SCHEME, (_, scheme: string, between: string, value: string) => `${scheme}${between}${shown(value)}`)
    .replace(PASSWORD, shown)
    .replace(TOKEN, shown);
  return hideNamedParts(plain, shown);
}

/** Values of names and flags; in quotes, there may be further ones. */
function hideNamedParts(text: string, shown: (value: string) => string): string {
  const part = (name: string, between: string, value: string) => {
    const inner = /^["']/.test(value) ? value.slice(1, -1) : value;
    if (isSecretArgument(name, inner)) return `${name}${between}${shown(value)}`;
    return `${name}${between}${inner === value ? value : `${value[0]}${hideNamedParts(inner, shown)}${value[0]}`}`;
  };
  return text
    .replace(PAIR, (_, name: string, between: string, value: string) => part(name, between, value))
    .replace(FLAG, (_, flag: string, between: string, value: string) => part(flag, between, value));
}

/** Returns true if no secret looks like a value: a switch, a duration, ranges of addresses, a path, an image, a variable. */
export function isPlain(value: string): boolean {
  return SWITCH.test(value) || PLAIN.test(value);
}

/** Returns true if a value of a name or after a flag is a secret: `--password`, `-u user:password`, and `-p` unless a path or a port follows. */
export function isSecretArgument(name: string, value: string): boolean {
  if (isPlain(value) || (COUNTED.test(name) && /^\d{1,9}$/.test(value))) return false;
  if (name === '-p') return !NO_PASSWORD.test(value);
  return isSecretName(name) || (USER_FLAG.test(name) && USER_AND_PASSWORD.test(value));
}

/** Returns a text without users and passwords in URLs. */
export function withoutUsers(text: string, shown: (user: string) => string = () => HIDDEN): string {
  return text.replace(USER, (all: string, scheme: string) => `${scheme}${shown(all.slice(scheme.length, -1))}@`);
}
