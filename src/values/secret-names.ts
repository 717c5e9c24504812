/** Words that end the names of secrets, also where they are written as one word: `adminPassword`, `DB_PASSWORD`, `authtoken`. */
const LAST_WORD = /(?:passw(?:or)?d|passphrase|pwd|token|secret|apikey|accesskey|secretkey|privatekey|credential|connectionstring)s?$/;

/** Words that end the names of secrets if they stand alone: `auth`, `DB_PASS`. */
const WHOLE_WORDS: ReadonlySet<string> = new Set(['auth', 'authorization', 'bearer', 'cookie', 'dsn', 'jwt', 'otp', 'pass', 'psk', 'salt', 'userpass', 'dbpass']);

/** Words that make a secret of a key: `signingKey`, `tls.key`. */
const KEY_KINDS: ReadonlySet<string> = new Set([
  'access', 'account', 'admin', 'api', 'app', 'application', 'auth', 'certificate', 'client', 'cookie', 'decryption', 'deploy', 'encryption', 'hmac',
  'jwt', 'license', 'master', 'private', 'rsa', 'secret', 'server', 'session', 'shared', 'signing', 'storage', 'tls', 'write',
]);

/** Pairs of words that end the names of secrets. */
const PAIRS: ReadonlySet<string> = new Set(['connection string', 'password hash', 'secret data', 'secret values', 'webhook url', 'community string']);

/** Names that end like those of secrets, and hold names of other objects. */
const NAMES_OBJECTS = /^existing|pull[-_]?secrets?$/i;

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
  if (NAMES_OBJECTS.test(name)) return false;
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2').toLowerCase().split(/[^a-z0-9]+/)
    .map((word) => word.replace(/\d{1,9}$/, '')).filter((word) => word !== '');
  const [before = '', last = ''] = words.slice(-2);
  if (words.length === 1) return LAST_WORD.test(before) || WHOLE_WORDS.has(before);
  return LAST_WORD.test(last) || WHOLE_WORDS.has(last) || (last === 'key' && KEY_KINDS.has(before)) || PAIRS.has(`${before} ${last}`);
}
