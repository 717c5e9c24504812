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
