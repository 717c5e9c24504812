import { groupKind, isManifestObject, ManifestObject } from './manifest-object';
import { valuesIn } from './manifest-text';
import { DEEPEST, excess, parsedJson } from './value-size';
import { Fields, isFields } from '../values/fields';
import { nodeCrypto } from '../values/node-crypto';
import { HIDDEN, hideSecretParts, isPlain, isSecretArgument, isSecretName } from '../values/secret-text';

// Values that differ are hidden by texts that differ, so that a comparison sees the change. The mark is of Unicode's private use.
const MARK = '\ue000';
const MARKS = /\ue000[0-9a-f]{0,16}/g;

/** Keys whose text is a program, a configuration or data of a machine, all of which hold secrets. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  'additionalConfig', 'bootCommands', 'bootstrapData', 'cloudConfig', 'customData', 'kubeconfig', 'networkData', 'networkDataBase64', 'postKubeadmCommands',
  'preKubeadmCommands', 'userData', 'userDataBase64', 'user-data', 'user_data', 'valuesContent', 'valuesTemplate',
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/** Names of groups whose strings are secret under any name: `secrets: {grafana: …}`. Others, as `auth: {enabled: true}`, are not. */
const GROUP = /(?:secrets?|credentials?)$/i;

/** Texts in such a group that name something. */
const NAMING = /(?:name|namespace|key|path|kind|group|version|type|ref|optional|mode|audience|label|image|repository|registry|digest|host|port|provider|region)s?$|^existing/i;

/** Fields of what has a secret's name that hold the secret: `password: {content: …}`. */
const HOLDING = /^(?:value|content|data|inline|plain(?:text)?|text|literal|raw|default|const|examples?)$/i;

/** Fields of a schema that pass on the name of what it is for. */
const SCHEMA = /^(?:schema|openAPIV3Schema|items)$/;

/** Fields of an entry that its `name` or `key` is for: of variables, headers and parameters. */
const ENTRY = /^(?:values?|default|string|array|map|schema)$/;

/** Numbers, versions and quantities, which no secret of a ConfigMap looks like. */
const NUMBER = /^v?\d{1,9}(?:\.\d{1,9}){0,3}[A-Za-z%]{0,3}$/;

const DATA = /^(?:data|stringData|binaryData)$/;
const KUBELET_PATCH = /\/kubeletconfiguration[^/]*\.json$/;

/** Programs that take a password with `-p`, and nothing between. */
const CLIENT = /(?:^|\/)(?:mysql|mariadb|sshpass)[\w-]{0,20}$/;

/** Longer texts are hidden as a whole. */
const LONGEST_SEARCHED = 10_000;

/** Texts of JSON, and such of YAML that may be in one line. */
const PARSED = /^\s{0,9}(?:- )?(?:\[|\{(?!\{))/;

const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY|AGE-SECRET-KEY-/;

const DATA_URL = /^data:[^,]{0,100},/;
const BASE64 = /^[A-Za-z0-9+/_-]{24,}={0,2}$/;
const PRINTABLE = /^[\t\n\r\x20-\x7e]*$/;

/** Texts without secrets, since the objects of a fleet share most of theirs: as many as are searched again in no time. */
const HARMLESS = new Set<string>();
const MOST_HARMLESS = 20_000;
const LONGEST_HARMLESS = 200;

/** Receives what is hidden, and whether it is a secret, or only a text that may hold one. Returns what is shown. */
type Hide = (text: string, isSecret?: boolean) => string;

/**
 * Returns an object in which each value that may be secret is hidden; the object itself if there is none. Values that differ stay different until
 * `withoutMarks`, which makes all of them `(hidden)`.
 *
 * Hidden are, in objects of any kind:
 * - values of Secrets, and those of ConfigMaps except numbers, switches, versions and the like
 * - values whose names are those of secrets (`isSecretName`), in `name: value`, in entries with `name` and `value`, in arguments and variables
 * - contents of files of machines, commands of kubeadm, user data, kubeconfigs, what kubectl applied last, and every text of several lines
 * - the secret part of other texts: users of URLs, `--flag=value`, tokens that their form gives away, private keys, and the same in base64
 *
 * @param object the object
 */
export function withoutSecrets<T>(object: T): T {
  return new Hiding((text) => `${HIDDEN}${MARK}${nodeCrypto().createHash('sha256').update(text).digest('hex').slice(0, 16)}`).value(object) as T;
}

/** Returns a value with all that `withoutSecrets` hid as `(hidden)`. */
export function withoutMarks<T>(value: T): T {
  if (typeof value === 'string') return value.replace(MARKS, '') as T;
  if (Array.isArray(value)) return value.map(withoutMarks) as T;
  return isFields(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutMarks(inner)])) as T : value;
}

/** Returns the secrets that an object holds as text. */
export function secretsOf(object: unknown): readonly string[] {
  const found = new Set<string>();
  new Hiding((text, isSecret) => {
    if (isSecret) found.add(text);
    return HIDDEN;
  }, true).value(object);
  return [...found];
}

/** Place of a value. */
type Place =
  // Its name is no secret's.
  | 'plain'
  // Everything in it is secret.
  | 'secret'
  // Its content is secret, unless no secret looks like it.
  | 'value'
  // Texts in it are secret, unless they name something.
  | 'group'
  // It has a secret's name.
  | 'named'
  // A list whose texts are secret.
  | 'entries'
  // Any text in it is a program or a configuration.
  | 'text'
  // The data of a ConfigMap.
  | 'data';

class Hiding {
  private depth = 0;

  /** Shown forms of lists and objects: two states of an object share what is the same in them. */
  private readonly shown = new Map<object, { readonly place: Place; readonly shown: unknown }>();

  /** @param reports true to also look for secrets in texts that are hidden as a whole */
  public constructor(private readonly hide: Hide, private readonly reports = false) {}

  public value(value: unknown, place: Place = 'plain'): unknown {
    this.depth++;
    const shown = this.valueAt(value, place);
    this.depth--;
    return shown;
  }

  private valueAt(value: unknown, place: Place): unknown {
    if (typeof value === 'string') return this.text(value, place);
    if (typeof value === 'number' && (place === 'secret' || place === 'value')) return this.hide(String(value), true);
    if (typeof value !== 'object' || value === null) return value;
    const known = this.shown.get(value);
    if (known?.place === place) return known.shown;
    const shown = Array.isArray(value) ? this.list(value, place)
      : isManifestObject(value) ? this.object(value) : this.fields(value as Fields, (key) => this.placeOf(key, value as Fields, place));
    this.shown.set(value, { place, shown });
    return shown;
  }

  private object(object: ManifestObject): unknown {
    const kind = groupKind(object);
    if (kind !== '/Secret' && kind !== '/ConfigMap') return this.fields(object, (key) => this.placeOf(key, object, 'plain'));
    const data = kind === '/Secret' ? 'secret' : 'data';
    return this.fields(object, (key) => (DATA.test(key) ? data : this.placeOf(key, object, 'plain')));
  }

  private fields(fields: Fields, placeOf: (key: string) => Place): unknown {
    let changed: Record<string, unknown> | undefined;
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      const shown = this.value(value, placeOf(key));
      if (shown !== value) {
        changed ??= { ...fields };
        // A field of this name would be the prototype.
        Object.defineProperty(changed, key, { value: shown, enumerable: true, configurable: true, writable: true });
      }
    }
    return changed ?? fields;
  }

  private placeOf(key: string, around: Fields, place: Place): Place {
    const value = around[key];
    if (place === 'secret' || place === 'value') return place;
    if (key === 'value' && typeof around.op === 'string' && typeof around.path === 'string') return this.placeAt(around.path, value);
    // The name of a release is none of a secret, the key of a selector or a toleration is a label, and that beside a remote reference a key of data.
    const isEntry = ENTRY.test(key) && around.operator === undefined && !(key === 'values' && isFields(value));
    const named = isEntry ? around.name ?? around.key : key === 'secretKey' && isFields(around.remoteRef) ? undefined : key;
    if (typeof named === 'string' && isSecretName(named) && (typeof value === 'object' || isSecretArgument(named, String(value)))) {
      if (key === 'schema') return 'named';
      if (key !== named || typeof value !== 'object') return 'value';
      return GROUP.test(key) && !isSchema(value) ? 'group' : Array.isArray(value) ? 'entries' : 'named';
    }
    if (place === 'data') return place;
    if (place === 'named' && HOLDING.test(key)) return 'value';
    if (place === 'named' && SCHEMA.test(key)) return place;
    if (!isFields(value) && (TEXT_KEYS.has(key) || isFileContent(key, around))) return 'text';
    return place === 'group' && !(typeof value === 'string' && NAMING.test(key)) ? 'group' : 'plain';
  }

  /** Returns the place that a JSON patch writes to. */
  private placeAt(pointer: string, value: unknown): Place {
    const parts = pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    return parts.reduce<Place>((place, part, index) => {
      if (index === 0 && DATA.test(part)) return 'data';
      if (/^(?:-|\d+)$/.test(part)) return place === 'named' ? 'value' : place;
      return this.placeOf(part, { [part]: index === parts.length - 1 ? value : null, path: pointer }, place);
    }, 'plain');
  }

  private list(list: readonly unknown[], place: Place): unknown {
    const isClient = list.some((entry) => typeof entry === 'string' && CLIENT.test(entry));
    let flag = '';
    let isChanged = false;
    const shown = list.map((entry) => {
      const isValue = typeof entry === 'string' && !entry.startsWith('-');
      const isSecret = isValue && (place === 'entries' || isSecretArgument(flag, entry));
      const inside = isSecret ? 'value' : place === 'entries' ? 'named' : place;
      flag = typeof entry === 'string' && /^--?[\w.-]{1,100}$/.test(entry) ? entry : '';
      const value = isClient && typeof entry === 'string' && /^-p./.test(entry) ? `-p${this.hide(entry.slice(2), true)}` : this.value(entry, inside);
      isChanged ||= value !== entry;
      return value;
    });
    return isChanged ? shown : list;
  }

  private text(text: string, place: Place): string {
    if (text === '') return text;
    if (place === 'secret' || ((place === 'value' || place === 'group') && !isPlain(text))) return this.hide(text, true);
    if ((place === 'data' && NUMBER.test(text)) || ((place === 'data' || place === 'text') && isPlain(text))) return text;
    if (place === 'data' || place === 'text' || text.length > LONGEST_SEARCHED) return this.whole(text, place === 'text');
    if (HARMLESS.has(text)) return text;
    const parsed = PARSED.test(text) ? parsedJson(text) ?? flowOf(text) : undefined;
    if (parsed !== undefined) {
      // A text may hold a text, which may hold another one.
      const isTooDeep = this.depth > DEEPEST || excess(parsed) !== undefined;
      return isTooDeep ? this.whole(text, false) : this.value(parsed) === parsed ? text : this.hide(text, true);
    }
    if (/[\n\r]./.test(text)) return this.whole(text, false);
    if (PRIVATE_KEY.test(text) || DATA_URL.test(text) || this.isCoded(text)) return this.hide(text, true);
    const shown = hideSecretParts(text, (part) => this.hide(part, true));
    if (shown === text && text.length <= LONGEST_HARMLESS) {
      if (HARMLESS.size === MOST_HARMLESS) HARMLESS.clear();
      HARMLESS.add(text);
    }
    return shown;
  }

  /** Hides a text of any content. */
  private whole(text: string, isSecret: boolean): string {
    if (this.reports) for (const line of text.slice(0, LONGEST_SEARCHED).split('\n')) hideSecretParts(line, (part) => this.hide(part, true));
    return this.hide(text, isSecret || PRIVATE_KEY.test(text));
  }

  /** Returns true if a text is base64 of a text that holds a secret. */
  private isCoded(text: string): boolean {
    if (!BASE64.test(text)) return false;
    const decoded = Buffer.from(text, 'base64').toString('latin1');
    return PRINTABLE.test(decoded) && this.text(decoded, 'plain') !== decoded;
  }
}

function isSchema(value: unknown): boolean {
  return isFields(value) && (isFields(value.properties) || typeof value.description === 'string');
}

/** Files hold keys and tokens; kubeadm's patches of the kubelet's configuration do not. */
function isFileContent(key: string, { path }: Fields): boolean {
  return key === 'content' && typeof path === 'string' && !KUBELET_PATCH.test(path);
}

/** Returns the value of a text of YAML in one line; undefined if it is none. */
function flowOf(text: string): unknown {
  if (!/:\s/.test(text) || /[\n\r]./.test(text)) return undefined;
  return valuesIn(text)[0];
}
